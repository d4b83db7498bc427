"""The lines in gpiozero's hands: what was asked for is behind them, nothing else."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from gpiozero import Device
from gpiozero.exc import BadPinFactory
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin
from msgspec.structs import replace

from drivers.errors import PinFactoryError, PinOpenError, PortLostError
from drivers.gpio.board import Board
from drivers.gpio.chips import MockChips, chip_names, chip_nodes, chip_number
from drivers.gpio.lines import Untyped
from drivers.gpio.wiring import Line, wiring_of
from hw_config.loader import load_hardware, shipped_hardware
from hw_config.pins import Active, PinBoard, Pull

NOW: Final = 812.0


def wired(**changes: Untyped) -> PinBoard:
    board = load_hardware(shipped_hardware("simulation-gpio")).pins
    assert board is not None
    return replace(board, seats=board.seats[:2], **changes)


class Bench:
    """A board over mock chips, and the edges that it told of."""

    def __init__(self, board: PinBoard, chips: MockChips | None = None) -> None:
        self.chips = chips or MockChips()
        self.wiring = wiring_of(board)
        self.edges: list[tuple[Line, bool, float]] = []
        self.board = Board(
            self.wiring,
            board,
            self.chips,
            lambda *edge: self.edges.append(edge),
            self.now,
        )
        self.button = self.wiring.panels[1].keys[0].button
        self.lamp = self.wiring.panels[1].keys[0].lamp

    def now(self) -> float:
        return NOW

    def pin(self, line: Line) -> Untyped:
        return self.chips.open(line.chip).pin(line.number)


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench(wired())
    with bench.board:
        yield bench


def test_an_edge_is_told_with_line_level_and_time(bench: Bench) -> None:
    pin = bench.pin(bench.button)
    pin.drive_high()
    bench.edges.clear()
    pin.drive_low()
    pin.drive_high()
    assert bench.edges == [(bench.button, True, NOW), (bench.button, False, NOW)]


def test_levels_are_read_as_pressed_or_not(bench: Bench) -> None:
    bench.pin(bench.button).drive_low()
    assert bench.board.read()[bench.button] is True
    bench.pin(bench.button).drive_high()
    assert bench.board.read()[bench.button] is False
    assert set(bench.board.read()) == set(bench.wiring.contacts)


@pytest.mark.parametrize("pull", Pull)
@pytest.mark.parametrize("active", Active)
def test_a_button_may_be_wired_either_way_with_any_pull(
    pull: Pull, active: Active
) -> None:
    bench = Bench(wired(button_pull=pull, button_active=active))
    with bench.board:
        pin = bench.pin(bench.button)
        pin.drive_high()
        pin.drive_low()
        assert bench.board.read()[bench.button] is (active is Active.LOW)
        bench.edges.clear()
        pin.drive_high()
        assert bench.edges == [(bench.button, active is Active.HIGH, NOW)]
        assert bench.board.read()[bench.button] is (active is Active.HIGH)


@pytest.mark.parametrize("active", Active)
def test_lamps_are_dark_at_the_start_and_lit_when_they_are_written(
    active: Active,
) -> None:
    bench = Bench(wired(lamp_active=active))
    with bench.board:
        pin = bench.pin(bench.lamp)
        assert (pin.function, bool(pin.state)) == ("output", active is Active.LOW)
        bench.board.write({bench.lamp: True})
        assert bool(pin.state) is (active is Active.HIGH)
        bench.board.write({bench.lamp: False})
        assert bool(pin.state) is (active is Active.LOW)


def test_no_filter_of_gpiozeros_is_on_any_line(bench: Bench) -> None:
    assert all(bench.pin(line).bounce is None for line in bench.wiring.contacts)


def test_closing_lets_every_line_go_and_twice_is_fine() -> None:
    bench = Bench(wired())
    bench.board.write({bench.lamp: True})
    bench.board.close()
    bench.board.close()
    assert bench.pin(bench.lamp).function == "input"
    bench.edges.clear()
    bench.pin(bench.button).drive_low()
    bench.pin(bench.button).drive_high()
    assert bench.edges == []


def test_a_finger_outlives_who_held_the_line() -> None:
    bench = Bench(wired())
    bench.pin(bench.button).drive_low()
    bench.board.close()
    again = Bench(wired(), bench.chips)
    with again.board:
        assert again.board.read()[bench.button] is True


def test_a_line_that_somebody_else_holds_is_told_by_number_and_chip() -> None:
    bench = Bench(wired())
    with bench.board, pytest.raises(PinOpenError, match=r"line \d+ of table cannot be"):
        Bench(wired(), bench.chips)


def test_equal_lines_of_two_chips_are_two_lines(bench: Bench) -> None:
    one, other = bench.wiring.panels[1].keys[0], bench.wiring.panels[2].keys[0]
    assert one.button.number == other.button.number
    bench.board.write({one.lamp: True})
    assert bool(bench.pin(one.lamp).state)
    assert not bench.pin(other.lamp).state


class _FallenBack(MockChips):
    """gpiozero chose another factory: what a renumbered chip led to."""

    def open(self, label: str) -> Untyped:
        class Other(MockFactory):  # type: ignore[misc] # it ships no types
            """Another factory."""

        return Other("a02082", MockPin) if label == "table" else super().open(label)


class _OtherPins(MockChips):
    def open(self, label: str) -> Untyped:
        factory = super().open(label)
        factory.pin_class = MockPWMPin
        return factory


class _SharedPins(MockChips):
    """The lines of every chip are those of one, as in gpiozero's local factories."""

    def open(self, label: str) -> Untyped:
        factory = super().open(label)
        factory.pins = super().open("table").pins
        return factory


@pytest.mark.parametrize("chips", [_FallenBack, _OtherPins, _SharedPins])
def test_a_silent_fall_back_to_another_factory_is_an_error(
    chips: type[MockChips],
) -> None:
    with pytest.raises(PinFactoryError, match="nothing is driven through another"):
        Bench(wired(), chips())


def test_neither_environment_nor_default_chooses_the_factory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(os.environ, "GPIOZERO_PIN_FACTORY", "native")
    monkeypatch.setitem(os.environ, "GPIOZERO_MOCK_PIN_CLASS", "mockpwmpin")
    monkeypatch.setattr(Device, "pin_factory", object())
    bench = Bench(wired())
    with bench.board:
        assert type(bench.pin(bench.lamp)) is MockPin


class _Gone(MockChips):
    """A chip that can be opened no more, or fails later."""

    def open(self, label: str) -> Untyped:
        raise BadPinFactory(f"{label} is gone")


def test_a_chip_that_is_not_there_is_told_by_its_label() -> None:
    with pytest.raises(PinOpenError, match="pin chip table cannot be opened"):
        Bench(wired(), _Gone())


def test_a_chip_that_goes_away_is_lost(bench: Bench) -> None:
    bench.pin(bench.lamp).function = "input"
    with pytest.raises(PortLostError, match="the pins went away"):
        bench.board.write({bench.lamp: True})


# --- Chips by their labels ------------------------------------------------------------

FOUR: Final = {
    0: frozenset({"gpiochip0", "pinctrl-rp1"}),
    10: frozenset({"gpiochip10", "gpio-brcmstb@107d508500"}),
    11: frozenset({"gpiochip11", "mcp23017"}),
    12: frozenset({"gpiochip12", "mcp23017"}),
}


def test_the_pin_chip_renumbered_is_found_by_its_label() -> None:
    renumbered = {4: FOUR[0], 0: FOUR[10]}
    assert chip_number("pinctrl-rp1", FOUR) == 0
    assert chip_number("pinctrl-rp1", renumbered) == 4
    assert chip_number("gpiochip11", FOUR) == 11


@pytest.mark.parametrize(
    ("label", "chips", "words"),
    [
        ("pinctrl-bcm2711", FOUR, "no pin chip is called pinctrl-bcm2711"),
        ("mcp23017", FOUR, "2 pin chips are called mcp23017, expected one"),
        ("mcp23017", {}, "this computer has none"),
    ],
)
def test_a_chip_that_cannot_be_meant_is_told_with_those_there_are(
    label: str, chips: dict[int, frozenset[str]], words: str
) -> None:
    with pytest.raises(PinOpenError, match=words):
        chip_number(label, chips)


def test_a_second_name_of_a_chip_is_no_second_chip(tmp_path: Path) -> None:
    for name in ("gpiochip0", "gpiochip13", "gpiomem"):
        (tmp_path / name).touch()
    (tmp_path / "gpiochip4").symlink_to("gpiochip0")
    assert chip_nodes(tmp_path) == (0, 13)


class _Lgpio:
    """What of lgpio asks a chip for its names."""

    def __init__(self) -> None:
        self.open: set[int] = set()

    def gpiochip_open(self, number: int) -> int:
        self.open.add(number)
        return number

    def gpio_get_chip_info(self, handle: int) -> tuple[int, int, str, str]:
        return 0, 54, f"gpiochip{handle}", "pinctrl-bcm2711"

    def gpiochip_close(self, handle: int) -> None:
        self.open.remove(handle)


def test_chips_are_asked_for_their_names_and_closed_again() -> None:
    lgpio = _Lgpio()
    assert chip_names(lgpio, (0,)) == {0: {"gpiochip0", "pinctrl-bcm2711"}}
    assert lgpio.open == set()
