"""The lines of a table, held by gpiozero: edges out, levels in and out, no meaning.

Its callbacks run in a thread of lgpio's: they take the time and hand over, and no more.
"""

import contextlib
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Self

from gpiozero import DigitalInputDevice, DigitalOutputDevice

from drivers.errors import PinFactoryError, PinOpenError, PortLostError
from drivers.gpio.lines import Chips, Untyped
from drivers.gpio.wiring import Line, Wiring
from hw_config.pins import Active, PinBoard, Pull

Told = Callable[[Line, bool, float], None]
"""Hears of an edge, in any thread: the line, its level (True: pressed), the time."""

_PULL_UP = {Pull.UP: True, Pull.DOWN: False, Pull.NONE: None}


class Board:
    """All lines of a table, open; a context that lets them go."""

    def __init__(
        self,
        wiring: Wiring,
        board: PinBoard,
        chips: Chips,
        told: Told,
        clock: Callable[[], float],
    ) -> None:
        """Take every line; lamps are dark and the gate is shut.

        `clock` gives monotonic seconds and may be asked in any thread.

        Raises:
            PinOpenError: A chip or a line cannot be had.
            PinFactoryError: gpiozero put another factory behind a line.

        """
        self._chips = chips
        self._told = told
        self._clock = clock
        self._pull, self._active = board.button_pull, board.button_active
        self._factories: dict[str, Untyped] = {}
        self._inputs: dict[Line, Untyped] = {}
        self._outputs: dict[Line, Untyped] = {}
        try:
            self._take_outputs(wiring.lamps, board.lamp_active)
            if wiring.shoe_gate is not None:
                self._take_outputs([wiring.shoe_gate], board.gate_active)
            for line in wiring.contacts:
                self._take_input(line)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def read(self) -> dict[Line, bool]:
        """Return what each contact says now.

        Raises:
            PortLostError: A chip went away.

        """
        try:
            return {
                line: bool(device.is_active) is not self._inverted
                for line, device in self._inputs.items()
            }
        except self._chips.errors as error:
            raise _lost(error) from error

    def write(self, levels: Mapping[Line, bool]) -> None:
        """Light or darken lamps, draw or drop the relay, in this order.

        Raises:
            PortLostError: A chip went away.

        """
        try:
            for line, level in levels.items():
                self._outputs[line].value = level
        except self._chips.errors as error:
            raise _lost(error) from error

    def close(self) -> None:
        """Let all lines go; twice is fine."""
        for device in (*self._inputs.values(), *self._outputs.values()):
            with contextlib.suppress(*self._chips.errors):
                device.close()
        for factory in self._factories.values():
            with contextlib.suppress(*self._chips.errors):
                self._chips.close(factory)
        self._inputs.clear()
        self._outputs.clear()
        self._factories.clear()

    # --- Inside -------------------------------------------------------------------

    @property
    def _inverted(self) -> bool:
        """Whether a button is wired against what its pull suggests."""
        suggested = Active.LOW if self._pull is Pull.UP else Active.HIGH
        return self._pull is not Pull.NONE and self._active is not suggested

    def _take_outputs(self, lines: Iterable[Line], active: Active) -> None:
        for line in lines:
            self._outputs[line] = self._take(
                line,
                partial(
                    DigitalOutputDevice,
                    active_high=active is Active.HIGH,
                    initial_value=False,
                ),
            )

    def _take_input(self, line: Line) -> None:
        floating = self._pull is Pull.NONE
        device = self._take(
            line,
            partial(
                DigitalInputDevice,
                pull_up=_PULL_UP[self._pull],
                active_state=(self._active is Active.HIGH) if floating else None,
                # Its filter drops what comes soon after an edge, also a release.
                bounce_time=None,
            ),
        )
        self._inputs[line] = device
        device.when_activated = partial(self._edge, line, not self._inverted)
        device.when_deactivated = partial(self._edge, line, self._inverted)

    def _edge(self, line: Line, level: bool) -> None:  # noqa: FBT001 - the level itself
        at = self._clock()
        self._told(line, level, at)

    def _take(self, line: Line, make: Callable[..., Untyped]) -> Untyped:
        factory = self._factory(line.chip)
        try:
            device = make(line.number, pin_factory=factory)
        except self._chips.errors as error:
            raise PinOpenError(
                f"line {line.number} of {line.chip} cannot be used ({error}); check "
                "the hardware file, and that no other program holds it"
            ) from error
        self._require_ours(line, device, factory)
        return device

    def _factory(self, chip: str) -> Untyped:
        if chip not in self._factories:
            try:
                self._factories[chip] = self._chips.open(chip)
            except PinOpenError:
                raise
            except self._chips.errors as error:
                raise PinOpenError(
                    f"pin chip {chip} cannot be opened ({error}); check that it is "
                    "there, and that this user may"
                ) from error
        return self._factories[chip]

    def _require_ours(self, line: Line, device: Untyped, factory: object) -> None:
        """Make sure that what was asked for is behind a line, and nothing else.

        Raises:
            PinFactoryError: It is not.

        """
        wanted = (self._chips.factory_class, self._chips.pin_class)
        found = (type(device.pin_factory), type(device.pin))
        if found == wanted and device.pin.factory is factory:
            return
        device.close()
        raise PinFactoryError(
            f"line {line.number} of {line.chip} is held by {_names(found)}, expected "
            f"{_names(wanted)} of that chip; nothing is driven through another"
        )


def _names(types: tuple[type, type]) -> str:
    return " and ".join(one.__name__ for one in types)


def _lost(error: Exception) -> PortLostError:
    return PortLostError(f"the pins went away ({error}); check their chip")
