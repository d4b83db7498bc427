"""Pin chips: which library reaches them, and under which number.

The only place that chooses a pin factory. gpiozero would try one after the other, and
fall back to one that loses edges with no more than a warning.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from gpiozero.exc import GPIOZeroError
from gpiozero.pins.mock import MockFactory, MockPin

from drivers.errors import PinOpenError
from drivers.gpio.lines import Untyped
from drivers.gpio.wiring import Line
from hw_config.pins import Active

NODES: Final = Path("/dev")
_MOCKED_BOARD: Final = "a02082"
"""A Raspberry Pi 3; all that counts is that its header has 28 lines."""

_NAMES_IN_INFO: Final = slice(2, 4)
"""What lgpio says of a chip: status, lines, name, label."""


class MockChips:
    """Chips in this process, whose lines a simulation drives.

    They outlive who holds them, as real ones do.
    """

    factory_class: type = MockFactory
    pin_class: type = MockPin
    errors: tuple[type[Exception], ...] = (GPIOZeroError,)

    def __init__(self) -> None:
        self._factories: dict[str, Untyped] = {}

    def open(self, label: str) -> Untyped:
        """Return the factory of a chip, the same one each time."""
        if label not in self._factories:
            # Both would come from the environment if they were not given.
            self._factories[label] = MockFactory(_MOCKED_BOARD, MockPin)
        return self._factories[label]

    def release(self, lines: Iterable[Line], pressed: Active) -> None:
        """Let resistors outside hold these lines as they are while nobody presses."""
        for line in lines:
            pin = self.open(line.chip).pin(line.number)
            if pressed is Active.LOW:
                pin.drive_high()
            else:
                pin.drive_low()

    def close(self, factory: object) -> None:
        """Do nothing: whoever drives the lines looks at them still."""


class LgpioChips:
    """The chips of this computer, by lgpio."""

    def __init__(self) -> None:
        """Make sure that lgpio is here, before anything is driven.

        Raises:
            PinOpenError: It is not installed.

        """
        try:
            import lgpio  # noqa: PLC0415 - only a table with pins has it
            from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin  # noqa: PLC0415
        except ImportError as error:
            raise PinOpenError(
                f"lgpio cannot be imported ({error}); install this program with its "
                "extra pi, as docs/gpio.md says"
            ) from error

        class ChipFactory(LGPIOFactory):  # type: ignore[misc] # it ships no types
            """The lines of one chip alone: gpiozero's local factories share theirs.

            So line 5 of a second chip would be line 5 of the first.
            """

            def __init__(self, chip: int) -> None:
                super().__init__(chip)
                self.pins: dict[object, object] = {}
                self._reservations: dict[object, list[object]] = defaultdict(list)

        self._lgpio = lgpio
        self.factory_class: type = ChipFactory
        self.pin_class: type = LGPIOPin
        self.errors: tuple[type[Exception], ...] = (
            GPIOZeroError,
            OSError,
            lgpio.error,
        )

    def open(self, label: str) -> Untyped:
        """Return the factory of a chip, under the number that it has today.

        Raises:
            PinOpenError: No chip is called so, or more than one.

        """
        number = chip_number(label, chip_names(self._lgpio, chip_nodes(NODES)))
        return self.factory_class(number)

    def close(self, factory: Untyped) -> None:
        """Let a chip go, with all of its lines."""
        factory.close()


def chip_nodes(folder: Path) -> tuple[int, ...]:
    """Return the numbers of the chips in /dev; a second name of one does not count."""
    nodes = {node.resolve() for node in folder.glob("gpiochip*")}
    return tuple(sorted(int(node.name.removeprefix("gpiochip")) for node in nodes))


def chip_names(lgpio: Untyped, numbers: Iterable[int]) -> dict[int, frozenset[str]]:
    """Return what each chip calls itself: its name and its label."""
    names = {}
    for number in numbers:
        handle = lgpio.gpiochip_open(number)
        try:
            info = lgpio.gpio_get_chip_info(handle)
        finally:
            lgpio.gpiochip_close(handle)
        names[number] = frozenset(info[_NAMES_IN_INFO])
    return names


def chip_number(label: str, names: Mapping[int, frozenset[str]]) -> int:
    """Return the number of the chip that is called so.

    Raises:
        PinOpenError: None is, or more than one; the message names those there are.

    """
    found = [number for number, called in names.items() if label in called]
    if len(found) == 1:
        return found[0]
    there = "; ".join(
        f"gpiochip{number}: {' '.join(sorted(called))}"
        for number, called in sorted(names.items())
    )
    how_many = f"{len(found)} pin chips are" if found else "no pin chip is"
    raise PinOpenError(
        f"{how_many} called {label}, expected one; this computer has "
        f"{there or 'none'}; edit the hardware file"
    )
