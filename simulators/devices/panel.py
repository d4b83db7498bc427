"""A button panel as a person at the table knows it, speaking the reference protocol.

Source: docs/protocol/panel.md. Time is an argument; nothing here waits.
"""

import random
from collections.abc import Iterable
from typing import Final, assert_never

from drivers.errors import MalformedMessageError
from drivers.framing import Frame, FrameReader, encode_frame
from drivers.identity import (
    PROTOCOL_VERSION,
    ROLE_DEALER,
    DeviceType,
    Identify,
    Identity,
)
from drivers.panel.codec import from_frame, to_frame
from drivers.panel.messages import (
    DEALER_BUTTONS,
    NO_PROMPT,
    SEAT_BUTTONS,
    Button,
    Message,
    Poll,
    Press,
    Report,
)
from simulators.devices.bus import SharedBus
from simulators.devices.presses import MadePress, PressMemory

DARK_AFTER_S: Final = 0.5
"""A panel that is not polled for this long turns its lamps off."""

UP_AFTER_START_S: Final = 1.0
"""A button that is down at the start makes no press before it was up this long."""


def new_boot_id(source: random.Random) -> int:
    """Return a fresh boot id: 32 random bits, never 0."""
    return source.randrange(1, 1 << 32)


class PanelSimulator:
    """One panel: buttons with lamps, and a memory of what was pressed.

    `role` is its seat, 0 for the dealer. `powered` is whether it runs at all,
    `lamps` what a person sees lit, `prompt_number` what the lamps belong to,
    `polled_at_s` when the host last asked.
    """

    def __init__(self, address: int, role: int, source: random.Random) -> None:
        self.address = address
        self.role = role
        self.buttons = DEALER_BUTTONS if role == ROLE_DEALER else SEAT_BUTTONS
        self.powered = True
        self.lamps: frozenset[Button] = frozenset()
        self.prompt_number = NO_PROMPT
        self.held: frozenset[Button] = frozenset()
        self.malformed = 0
        self.polled_at_s: float | None = None
        self._says_role = role
        self._source = source
        self._down_at_start: dict[Button, float | None] = {}
        self.memory = PressMemory(new_boot_id(source))
        self.deadline: float | None = None

    def press(
        self,
        button: Button,
        now: float,
        amount_cents: int = 0,
        spot: int = 0,
        prompts_ago: int = 0,
    ) -> MadePress | None:
        """Push a button and let it go, as a person does at `now`.

        The press belongs to the prompt whose lamps are lit at this moment, or to
        one `prompts_ago`: a finger that was faster than the lamps.

        Returns:
            The press as the panel keeps it; None if it makes none: no room, no
            power, or a button that is stuck or was so at the start.

        Raises:
            ValueError: this panel has no such button.
        """
        if button not in self.buttons:
            raise ValueError(
                f"the panel of role {self.role} has no button {button.value}; "
                f"press one of {', '.join(sorted(b.value for b in self.buttons))}"
            )
        if not self.powered or button in self.held or self._is_blocked(button, now):
            return None
        self.handle_timer(now)
        press = Press(
            number=0,
            button=button,
            prompt_number=max(self.prompt_number - prompts_ago, NO_PROMPT),
            amount_cents=amount_cents,
            spot=spot,
        )
        return self.memory.push(press, now)

    def hold(self, button: Button, now: float) -> MadePress | None:
        """Push a button and keep it down, as a stuck one stays: at most one press."""
        made = self.press(button, now)
        self.held |= {button}
        return made

    def release(self, button: Button, now: float) -> None:
        """Let a held button go; twice is fine."""
        if button in self.held:
            self.held -= {button}
            if button in self._down_at_start:
                self._down_at_start[button] = now

    def lose(self) -> None:
        """Take the panel's power: dark, silent, and what waited is lost."""
        if self.powered:
            self.powered = False
            self.memory.lose_power(new_boot_id(self._source))
            self._go_dark()

    def come_back(self) -> None:
        """Give the panel its power back; it starts dark, under a new boot id."""
        if not self.powered:
            self.powered = True
            self._down_at_start = dict.fromkeys(self.held)

    def reboot(self) -> None:
        """Take the power for a moment; a button held throughout makes no press."""
        self.lose()
        self.come_back()

    def be_taken_for(self, role: int) -> None:
        """Let the panel of a role hang in this one's place: its own, or another's.

        Whichever it is, it comes new to the bus.
        """
        self.lose()
        self._says_role = role
        self.come_back()

    def receive_frame(self, frame: Frame, now: float) -> bytes:
        """Hear a frame on the bus.

        Returns:
            The bytes of the answer; empty if the frame was for somebody else.
        """
        self.handle_timer(now)
        if not self.powered or frame.address != self.address:
            return b""
        try:
            message = from_frame(frame)
        except MalformedMessageError:
            self.malformed += 1
            return b""
        answer = self._answer(message, now)
        if answer is None:
            return b""
        return encode_frame(to_frame(answer, self.address, frame.sequence))

    def handle_timer(self, now: float) -> None:
        """Go dark if the last poll is too long ago."""
        if self.deadline is not None and now >= self.deadline:
            self._go_dark()

    def _is_blocked(self, button: Button, now: float) -> bool:
        """Whether the button was down at the start and not up for long enough."""
        if button not in self._down_at_start:
            return False
        up_at_s = self._down_at_start[button]
        if up_at_s is None or now - up_at_s < UP_AFTER_START_S:
            return True
        del self._down_at_start[button]
        return False

    def _answer(self, message: Message, now: float) -> Message | None:
        match message:
            case Identify():
                return self._identity()
            case Poll():
                self._show(message, now)
                return self._report(now)
            case Identity() | Report():
                # Another panel's answer, heard on the shared pair.
                return None
            case _:
                assert_never(message)

    def _show(self, poll: Poll, now: float) -> None:
        self.lamps = poll.lamps
        self.prompt_number = poll.prompt_number
        self.polled_at_s = now
        self.deadline = now + DARK_AFTER_S
        self.memory.acknowledge(poll.taken_boot_id, poll.taken_number)

    def _go_dark(self) -> None:
        self.lamps = frozenset()
        self.prompt_number = NO_PROMPT
        self.deadline = None

    def _report(self, now: float) -> Report:
        memory = self.memory
        return Report(
            boot_id=memory.boot_id,
            acknowledged=memory.acknowledged_number,
            held=self.held,
            dropped=memory.dropped,
            presses=tuple(made.at(now) for made in memory.waiting),
        )

    def _identity(self) -> Identity:
        return Identity(
            protocol_version=PROTOCOL_VERSION,
            device_type=DeviceType.PANEL,
            role=self._says_role,
            boot_id=self.memory.boot_id,
            model="simulated panel",
            serial=f"SIM-P{self.address:03}",
            firmware="simulator",
        )


class PanelBus(SharedBus[PanelSimulator]):
    """The panels of the reference protocol on one shared pair."""

    def __init__(self, panels: Iterable[PanelSimulator]) -> None:
        super().__init__(panels)
        self.reader = FrameReader()

    def receive_data(self, data: bytes, now: float) -> None:
        """Let the panels hear bytes that the host sent."""
        for frame in self.reader.receive_data(data):
            panel = self.panels.get(frame.address)
            if panel is not None:
                self._due += panel.receive_frame(frame, now)
