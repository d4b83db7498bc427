"""What a technician sees of panels and shoe while buttons are tried by hand.

Nothing of the shoe's cards: the hole card of a stopped round may wait in there.
"""

from collections.abc import Iterable, Iterator

import msgspec

from controller.runtime.device_names import NamedDevice, panel_name
from controller.runtime.lamp_board import in_order
from controller.runtime.translate import Addresses
from drivers.events import (
    Device,
    DeviceAnswered,
    DeviceBack,
    DeviceIdentified,
    DeviceLost,
    DeviceMismatched,
    DriverEvent,
    HeldButtonsChanged,
    PressReceived,
)
from drivers.panel.messages import Button


class ButtonSeen(msgspec.Struct, frozen=True, tag="button"):
    """A button went down or up; seat 0 is the dealer's panel."""

    seat: int
    button: str
    down: bool


class PressSeen(msgspec.Struct, frozen=True, tag="press"):
    """A panel told of a press, also of one too short to be seen going down and up.

    `number` counts the panel's presses since its boot.
    """

    seat: int
    button: str
    number: int


class DeviceSeen(msgspec.Struct, frozen=True, tag="device"):
    """A device answers, or does not; in words what it says of itself."""

    name: str
    place: str
    answers: bool
    words: str


Seen = ButtonSeen | PressSeen | DeviceSeen


def seen_words(seen: Seen) -> str:
    """Return what was seen as one line."""
    match seen:
        case ButtonSeen():
            way = "down" if seen.down else "up"
            return f"{panel_name(seen.seat)}: {seen.button} {way}"
        case PressSeen():
            return f"{panel_name(seen.seat)}: {seen.button} is press {seen.number}"
        case DeviceSeen():
            return f"{seen.name} at {seen.place}: {seen.words}"


class Sight:
    """Follows what drivers tell, so that each change is seen once."""

    def __init__(self, named: Iterable[NamedDevice], addresses: Addresses) -> None:
        self._named: dict[Device, NamedDevice] = {one.device: one for one in named}
        self._addresses = addresses
        self._held: dict[int, frozenset[Button]] = {}
        self._answering: set[Device] = set()

    def held(self) -> Iterator[ButtonSeen]:
        """Yield each button that is down now."""
        for seat, held in self._held.items():
            yield from _turned(seat, held, down=True)

    def see(self, event: DriverEvent) -> Iterable[Seen]:
        """Return what a driver's event shows to a technician."""
        match event:
            case HeldButtonsChanged():
                return self._buttons(event)
            case PressReceived():
                return self._press(event)
            case DeviceIdentified():
                who = event.identity
                unit = f"{who.model} serial {who.serial} firmware {who.firmware}"
                return self._device(event.device, f"answers, {unit}")
            case DeviceAnswered() | DeviceBack() if event.device in self._answering:
                return ()  # It has said who it is, which is more.
            case DeviceAnswered() | DeviceBack():
                return self._device(event.device, "answers")
            case DeviceLost():
                words = "does not answer; look at its cable and its supply"
                return self._device(event.device, words, answers=False)
            case DeviceMismatched():
                return self._device(event.device, event.message, answers=False)
            case _:
                return ()

    def _device(
        self, device: Device, words: str, *, answers: bool = True
    ) -> Iterable[Seen]:
        one = self._named[device]
        self._answering.discard(device)
        if answers:
            self._answering.add(device)
        return (DeviceSeen(one.name, one.place, answers, words),)

    def _press(self, event: PressReceived) -> Iterable[Seen]:
        seat = self._addresses.seat_of(event.address)
        return (PressSeen(seat, event.press.button.value, event.cursor.number),)

    def _buttons(self, event: HeldButtonsChanged) -> Iterable[Seen]:
        seat = self._addresses.seat_of(event.address)
        before = self._held.get(seat, frozenset())
        self._held[seat] = event.held
        return (
            *_turned(seat, event.held - before, down=True),
            *_turned(seat, before - event.held, down=False),
        )


def _turned(
    seat: int, buttons: frozenset[Button], *, down: bool
) -> Iterable[ButtonSeen]:
    return (ButtonSeen(seat, button.value, down) for button in in_order(buttons))
