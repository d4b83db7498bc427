"""Pins in a hardware file: what cannot be wired so is told in one line."""

from pathlib import Path
from typing import Final

import pytest

from hw_config.buttons import LIT_TOGETHER
from hw_config.errors import HardwareFileError
from hw_config.loader import load_hardware, shipped_hardware
from hw_config.pin_faults import BUTTONS

GOOD: Final = shipped_hardware("gpio-three").read_text()


def faults_of(file: Path, text: str) -> list[str]:
    file.write_text(text)
    with pytest.raises(HardwareFileError) as caught:
        load_hardware(file)
    return [fault.removeprefix(f"{file}: ") for fault in str(caught.value).split("\n")]


def test_the_shipped_table_of_three_has_all_buttons_and_the_house_lines() -> None:
    table = load_hardware(shipped_hardware("gpio-three"))
    assert table.panels is None
    assert table.pins is not None
    first, *_ = table.pins.seats
    assert (first.bet, first.hit, first.pass_) == ((2, 16), (2, 16), (5, 19))
    assert (table.pins.dealer.chip, table.pins.dealer.call) == ("mcp23017", (4, 12))
    assert (table.pins.house.door, table.pins.house.shoe_gate) == (6, 14)
    assert table.lost_after_s == 2.0


def test_what_may_be_lit_together_is_told_of_buttons_that_there_are() -> None:
    assert frozenset().union(*LIT_TOGETHER) == BUTTONS


BAD: Final = {
    "a line used twice": (
        ("clear = [3, 17]\nstand = [3, 17]", "clear = [6, 17]\nstand = [6, 17]"),
        [
            (
                "pins.seats.2.bet: line 6 is a button of seat 1 already;"
                " expected another, such as 3"
            ),
            (
                "pins.seats.2.hit: line 6 is a button of seat 1 already;"
                " expected another, such as 3"
            ),
        ],
    ),
    "a lamp on the line of a button": (
        ("split = [5, 19]\npass = [5, 19]", "split = [5, 2]\npass = [5, 2]"),
        [
            (
                "pins.seats.1.split: line 2 is a button of seat 1 already;"
                " expected another, such as 14"
            ),
            (
                "pins.seats.1.pass: line 2 is a button of seat 1 already;"
                " expected another, such as 14"
            ),
        ],
    ),
    "one lamp for two buttons": (
        ("call = [4, 12]", "call = [4, 11]"),
        [
            (
                "pins.dealer.call: line 11 is the lamp of the dealer at line 3 already;"
                " expected another, such as 7"
            )
        ],
    ),
    "a line that does not exist": (
        ("call = [4, 12]", "call = [4, 28]"),
        [
            (
                "pins.dealer.call: expected the lines of a button and its lamp,"
                " each from 0 to 27, got [4, 28]"
            )
        ],
    ),
    "a button without a lamp": (
        ("call = [4, 12]", "call = 4"),
        [
            (
                "pins.dealer.call: expected the lines of a button and its lamp,"
                " each from 0 to 27, got 4"
            )
        ],
    ),
    "a door where there is no line": (
        ("door = 6", "door = 40"),
        ["pins.house.door: expected a line from 0 to 27, as GPIO numbers them, got 40"],
    ),
    "a house line that is a lamp": (
        ("door = 6", "door = 12"),
        [
            (
                "pins.house.door: line 12 is the lamp of the dealer at line 4 already;"
                " expected another, such as 6"
            )
        ],
    ),
    "one button for two that are lit at once": (
        ("stand = [3, 17]", "stand = [2, 16]"),
        [
            (
                "pins.seats.1.stand: stand and hit may be lit at once, so a press of"
                " line 2 would be unclear; expected a button of its own"
            )
        ],
    ),
    "one button with two lamps": (
        ("hit = [2, 16]", "hit = [2, 14]"),
        [
            (
                "pins.seats.1.hit: its button on line 2 is that of bet, whose lamp is"
                " on line 16, not 14; expected one lamp for one button"
            )
        ],
    ),
    "a seat without pins": (
        ("seats = 3", "seats = 4"),
        ["pins.seats: expected 4 tables [[pins.seats]], one for each seat, got 3"],
    ),
    "an action that no seat has": (
        ("split = [5, 19]", "splitt = [5, 19]"),
        ["pins.seats.1.splitt: unknown key; did you mean split?"],
    ),
    "a level that is none": (
        ('lamp_active = "high"', 'lamp_active = "on"'),
        ['pins.lamp_active: expected "low" or "high", got \'on\''],
    ),
    "two sets of buttons": (
        (
            "[shoe]",
            (
                '[panels]\nport = "/dev/table/p"\nbaud = 9600\n'
                "seat_addresses = [1, 2, 3]\ndealer_address = 32\n"
                "panel_lost_after_s = 2.0\n\n[shoe]"
            ),
        ),
        ["pins: the buttons are on [panels] already; leave one of the two out"],
    ),
}


@pytest.mark.parametrize(("change", "expected"), BAD.values(), ids=BAD.keys())
def test_wiring_that_cannot_be_is_told_key_and_what_to_do(
    tmp_path: Path, change: tuple[str, str], expected: list[str]
) -> None:
    assert change[0] in GOOD
    assert faults_of(tmp_path / "t.toml", GOOD.replace(*change, 1)) == expected
