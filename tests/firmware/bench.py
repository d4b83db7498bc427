"""Parts for a panel's firmware that a test moves by hand."""

from typing import Final

from firmware.panel.messages import Who
from firmware.panel.parts import Parts

ADDRESS: Final = 3
WHO: Final = Who(ADDRESS, ADDRESS, "RP2040-10", "E660583883724A32")


class Bench(Parts):
    """A board whose contacts, clock and line are plain values."""

    def __init__(self) -> None:
        self.now = 0
        self.contacts = 0
        self.shown: list[int] = []
        self.is_lit = False
        self.fed = 0
        self.inward = b""
        self.sent: list[bytes] = []

    def now_ms(self) -> int:
        return self.now

    def closed(self) -> int:
        return self.contacts

    def show(self, lamps: int) -> None:
        self.shown.append(lamps)

    def light(self, on: bool) -> None:  # noqa: FBT001 - as the firmware has it
        self.is_lit = on

    def read(self, into: bytearray) -> int:
        data, self.inward = self.inward[: len(into)], self.inward[len(into) :]
        into[: len(data)] = data
        return len(data)

    def send(self, frame: bytes) -> None:
        self.sent.append(frame)

    def feed(self) -> None:
        self.fed += 1
