"""What can be wrong with a hardware file."""

from pathlib import Path

from msgspec import Struct


class Fault(Struct, frozen=True):
    """One thing to put right: the key it concerns, and what was expected there.

    The key is dotted (`panels.baud`); it is empty where the file as a whole is
    at fault.
    """

    key: str
    text: str


class HardwareFileError(ValueError):
    """A hardware file cannot be used; the message has one line for each fault."""

    def __init__(self, file: Path, faults: tuple[Fault, ...]) -> None:
        self.file = file
        self.faults = faults
        self.lines = tuple(_line(file, fault) for fault in faults)
        super().__init__("\n".join(self.lines))


def _line(file: Path, fault: Fault) -> str:
    parts = (str(file), fault.key, fault.text)
    return ": ".join(part for part in parts if part)
