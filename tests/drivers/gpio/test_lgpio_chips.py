"""A board over gpiozero's own lgpio factory, with a stand-in for lgpio below it.

What the stand-in does not show is said in docs/gpio.md: no kernel, no thread, no chip.
"""

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Final

import pytest

from drivers.errors import PinOpenError
from drivers.gpio import chips
from drivers.gpio.board import Board
from drivers.gpio.chips import LgpioChips
from drivers.gpio.wiring import Line, wiring_of
from hw_config.loader import load_hardware, shipped_hardware

PI_4: Final = 0xC03114
HANDLES: Final = 100
IS_OUTPUT: Final = 1 << 1
BOTH_EDGES: Final = 3
LABELS: Final = {0: "pinctrl-bcm2711", 1: "mcp23017"}


class LgpioError(Exception):
    """What lgpio raises."""


class _Callback:
    def cancel(self) -> None:
        """Call back no more."""


class FakeLgpio(ModuleType):
    """The functions of lgpio that gpiozero calls, over lines in memory.

    A line is a handle and a number, as lgpio has them.
    """

    SET_PULL_NONE, SET_PULL_UP, SET_PULL_DOWN = 128, 32, 64
    RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, BOTH_EDGES
    error = LgpioError

    def __init__(self) -> None:
        super().__init__("lgpio")
        self.open: list[int] = []
        self.modes: dict[tuple[int, int], int] = {}
        self.levels: dict[tuple[int, int], int] = {}
        self.debounced: set[int] = set()

    def gpiochip_open(self, number: int) -> int:
        if number not in LABELS:
            raise LgpioError("can not open gpiochip")
        self.open.append(HANDLES + number)
        return HANDLES + number

    def gpiochip_close(self, handle: int) -> None:
        self.open.remove(handle)

    def gpio_get_chip_info(self, handle: int) -> tuple[int, int, str, str]:
        number = handle - HANDLES
        return 0, 54, f"gpiochip{number}", LABELS[number]

    def gpio_claim_input(self, handle: int, line: int, flags: int = 0) -> None:
        self.modes[handle, line] = flags
        self.levels.setdefault((handle, line), 1)

    def gpio_claim_output(self, handle: int, line: int) -> None:
        self.modes[handle, line] = IS_OUTPUT

    def gpio_claim_alert(self, handle: int, line: int, edges: int, flags: int) -> None:
        assert edges == BOTH_EDGES
        self.gpio_claim_input(handle, line, flags)

    def gpio_free(self, handle: int, line: int) -> None:
        del self.modes[handle, line]

    def gpio_get_mode(self, handle: int, line: int) -> int:
        return self.modes[handle, line]

    def gpio_read(self, handle: int, line: int) -> int:
        return self.levels[handle, line]

    def gpio_write(self, handle: int, line: int, level: int) -> None:
        self.levels[handle, line] = int(level)

    def gpio_set_debounce_micros(self, _handle: int, _line: int, micros: int) -> None:
        self.debounced.add(micros)

    def callback(self, *_where_and_what: object) -> _Callback:
        return _Callback()


@pytest.fixture
def lgpio(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeLgpio]:
    fake = FakeLgpio()
    monkeypatch.setitem(sys.modules, "lgpio", fake)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: PI_4)
    monkeypatch.setattr(chips, "chip_nodes", lambda _folder: tuple(LABELS))
    yield fake
    # What was made with the stand-in must not be found by a later test.
    sys.modules.pop("gpiozero.pins.lgpio", None)


def test_equal_lines_of_two_chips_are_two_lines_of_lgpio_too(lgpio: FakeLgpio) -> None:
    wired = load_hardware(shipped_hardware("gpio-three")).pins
    assert wired is not None
    wiring = wiring_of(wired)
    header, expander = Line("pinctrl-bcm2711", 2), Line("mcp23017", 2)
    assert {header, expander} <= set(wiring.contacts)
    with Board(wiring, wired, LgpioChips(), lambda *_: None, lambda: 0.0) as board:
        lgpio.levels[HANDLES + 1, 2] = 0
        levels = board.read()
        assert (levels[header], levels[expander]) == (False, True)
        board.write({Line("mcp23017", 8): True})
        assert lgpio.levels[HANDLES + 1, 8] == 1
        assert sorted(lgpio.open) == [HANDLES, HANDLES + 1]
        assert lgpio.debounced == {0}, "no filter but ours"
    assert lgpio.open == []


def test_a_chip_that_fails_to_open_is_told_by_its_label(
    lgpio: FakeLgpio, monkeypatch: pytest.MonkeyPatch
) -> None:
    wired = load_hardware(shipped_hardware("gpio-three")).pins
    assert wired is not None
    reached = LgpioChips()
    monkeypatch.setattr(chips, "chip_number", lambda _label, _names: 9)
    with pytest.raises(PinOpenError, match="pin chip mcp23017 cannot be opened"):
        Board(wiring_of(wired), wired, reached, lambda *_: None, lambda: 0.0)
    assert lgpio.open == []
