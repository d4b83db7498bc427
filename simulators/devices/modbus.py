"""Bought modules with eight inputs and eight coils, and the fingers at their buttons.

A module knows levels alone: no numbers, no prompt, no memory of a press. So a finger
here does what one at a table does: it goes down after the lamps came on, and stays
down for a while. Source: docs/protocol/modbus-panels.md. Time is an argument.
"""

from collections import deque
from collections.abc import Iterable
from typing import Final, assert_never

import msgspec

from drivers.errors import MalformedMessageError
from drivers.identity import ROLE_DEALER
from drivers.modbus.codec import REQUEST_LENGTHS, decode_request, encode_reply
from drivers.modbus.framing import FrameFinder
from drivers.modbus.messages import (
    CoilsWritten,
    InputsRead,
    ReadInputs,
    Reply,
    Request,
    WriteCoils,
)
from drivers.modbus.wiring import DEALER, SEAT, Wiring
from drivers.panel.messages import Button
from hw_config.modules import Contact
from simulators.devices.bus import SharedBus

SEEN_FOR_S: Final = 0.03
"""A finger of a rig stays up or down until it was looked at twice, this far apart."""


class MadeTap(msgspec.Struct, frozen=True):
    """A button that a finger pushed, and the coils that were on as it did."""

    button: Button
    coils: int


class ModbusModule:
    """One module and the panel that is wired to it.

    `pushed` are the inputs at which a finger is, `coils` its outputs, bit 0 the first.
    `taps` are the presses that the host has seen since `expect_start`, and
    `boot_id_before` is the id under which it counted until then: it takes another with
    each start. `watchdog_s` is
    how long the module keeps its coils without a word of the host; None: for ever, as
    most do.
    """

    def __init__(
        self,
        address: int,
        role: int,
        watchdog_s: float | None = None,
        wiring: Wiring | None = None,
    ) -> None:
        self.address = address
        self.role = role
        self.wiring = wiring or (DEALER if role == ROLE_DEALER else SEAT)
        self.powered = True
        self.pushed = 0
        self.coils = 0
        self.taps: list[MadeTap] = []
        self.boot_id_before = 0
        self.waiting: deque[Button] = deque()
        self.polled_at_s: float | None = None
        self._watchdog_s = watchdog_s
        # Since when each look found the contacts as they are, with the lamps as now.
        self._unchanged_since: float | None = None

    @property
    def buttons(self) -> frozenset[Button]:
        """The buttons of the panel."""
        return frozenset(button for key in self.wiring.keys for button in key.does)

    @property
    def closed(self) -> int:
        """Which contacts are closed, bit 0 the first."""
        if self.wiring.contact is Contact.NORMALLY_OPEN:
            return self.pushed
        at_rest = sum(1 << key.input for key in self.wiring.keys)
        return at_rest & ~self.pushed

    @property
    def lamps(self) -> frozenset[Button]:
        """What a person sees lit; both words of an input that bears two."""
        return self.wiring.lit(self.coils)

    def lamps_read_as(self, wanted: frozenset[Button]) -> frozenset[Button]:
        """Return what is lit by one word each: the wanted one where a lamp has two."""
        return self.wiring.lit_as(self.coils, wanted)

    @property
    def deadline(self) -> float | None:
        """When the module has something to do by itself."""
        return self._dark_at_s

    @property
    def _dark_at_s(self) -> float | None:
        """When it puts its lamps out, since nobody asks it any more."""
        if self._watchdog_s is None or self.polled_at_s is None or not self.coils:
            return None
        return self.polled_at_s + self._watchdog_s

    @property
    def was_looked_at(self) -> bool:
        """Whether its inputs were read since its lamps last changed."""
        return self._unchanged_since is not None

    def expect_start(self, boot_id: int) -> None:
        """Count presses anew: the host is about to start, after this boot id."""
        self.taps.clear()
        self.boot_id_before = boot_id

    def place(self, button: Button) -> int:
        """Return which input a button is wired to.

        Raises:
            ValueError: this panel has no such button.

        """
        for key in self.wiring.keys:
            if button in key.does:
                return key.input
        raise ValueError(
            f"the panel of role {self.role} has no button {button.value}; "
            f"press one of {', '.join(sorted(b.value for b in self.buttons))}"
        )

    def push_down(self, button: Button) -> None:
        """Push a button and keep it down."""
        self.pushed |= 1 << self.place(button)

    def let_go(self, button: Button) -> None:
        """Let a button go; twice is fine."""
        self.pushed &= ~(1 << self.place(button))

    def tap(self, button: Button) -> None:
        """Let a finger push a button once the lamps have been on for a moment.

        It stays down until it was looked at, since a shorter press is lost.
        """
        self.place(button)
        if self.powered:
            self.waiting.append(button)

    def lose(self) -> None:
        """Take the module's power: coils off, silent; fingers give up."""
        self.powered = False
        self.coils = 0
        self.pushed = 0
        self.waiting.clear()

    def come_back(self) -> None:
        """Give the module its power back; it knows nothing of before."""
        self.powered = True
        self._unchanged_since = None

    def reboot(self) -> None:
        """Take the power for a moment, too short for anybody to notice."""
        self.lose()
        self.come_back()

    def receive_request(self, request: Request, now: float) -> Reply | None:
        """Hear a request on the bus; the answer, or None if it is for another."""
        if not self.powered or request.address != self.address:
            return None
        self.handle_timer(now)
        self.polled_at_s = now
        match request:
            case ReadInputs():
                reply = InputsRead(self.address, self.closed)
                self._looked_at(now)
                return reply
            case WriteCoils(_, first, count, coils):
                self._set_coils(coils, (1 << count) - 1)
                return CoilsWritten(self.address, first, count)
            case _:
                assert_never(request)

    def handle_timer(self, now: float) -> None:
        """Put the lamps out if the host has been silent for too long."""
        if self._dark_at_s is not None and now >= self._dark_at_s:
            self.coils = 0

    def _set_coils(self, coils: int, mask: int) -> None:
        fresh = self.coils & ~mask | coils
        if fresh != self.coils:
            self.coils = fresh
            self._unchanged_since = None

    def _looked_at(self, now: float) -> None:
        """Move the finger on, if what it does was looked at for long enough."""
        if self._unchanged_since is None:
            self._unchanged_since = now
        if not self.waiting or now - self._unchanged_since < SEEN_FOR_S:
            return
        button = self.waiting[0]
        self._unchanged_since = None
        if self.pushed >> self.place(button) & 1:
            self.let_go(button)
            self.waiting.popleft()
        else:
            self.push_down(button)
            self.taps.append(MadeTap(button, self.coils))


class ModbusBus(SharedBus[ModbusModule]):
    """The modules on one shared pair."""

    def __init__(self, modules: Iterable[ModbusModule]) -> None:
        super().__init__(modules)
        self.finder = FrameFinder(REQUEST_LENGTHS)
        self.malformed = 0

    def receive_data(self, data: bytes, now: float) -> None:
        """Let the modules hear bytes that the host sent."""
        for content in self.finder.receive_data(data):
            try:
                request = decode_request(content)
            except MalformedMessageError:
                self.malformed += 1
                continue
            for module in self.panels.values():
                reply = module.receive_request(request, now)
                if reply is not None:
                    self._due += encode_reply(reply)
