"""Wiring of modules in a hardware file: what cannot be so is told in one line."""

import re
from pathlib import Path
from typing import Final

import pytest

from hw_config.errors import HardwareFileError
from hw_config.loader import load_hardware, shipped_hardware
from hw_config.modules import Contact, DealerWiring

ROOT: Final = Path(__file__).parents[2]
SHIPPED: Final = shipped_hardware("modbus-three").read_text()
SEAT: Final = """\
[panels.seat_wiring]
bet = [1, 8]
clear = [2, 7]
rebet = [3, 6]
hit = [4, 5]
stand = [5, 4]
double = [6, 3]
split = [7, 2]
surrender = [8, 1]
insure = [1, 8]
pass = [2, 7]
"""
PLACES: Final = "expected an input and its lamp's coil, each from 1 to 8"


def wired(more: str) -> str:
    return SHIPPED + "\n" + more


def faults_of(file: Path, text: str) -> list[str]:
    file.write_text(text)
    with pytest.raises(HardwareFileError) as caught:
        load_hardware(file)
    return [fault.removeprefix(f"{file}: ") for fault in str(caught.value).split("\n")]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.toml"


def test_a_table_of_modules_may_say_nothing_of_its_wires(file: Path) -> None:
    file.write_text(SHIPPED)
    bus = load_hardware(file).bus
    assert (bus.seat_wiring, bus.dealer_wiring) == (None, None)


def test_a_seat_is_wired_as_the_file_says(file: Path) -> None:
    file.write_text(wired(SEAT))
    wiring = load_hardware(file).bus.seat_wiring
    assert wiring is not None
    assert (wiring.bet, wiring.insure, wiring.surrender) == ((1, 8), (1, 8), (8, 1))
    assert wiring.contacts is Contact.NORMALLY_OPEN


def test_a_dealer_may_have_fewer_buttons(file: Path) -> None:
    text = '[panels.dealer_wiring]\ncall = [8, 8]\ncontacts = "normally-closed"\n'
    file.write_text(wired(text))
    wiring = load_hardware(file).bus.dealer_wiring
    assert wiring == DealerWiring(call=(8, 8), contacts=Contact.NORMALLY_CLOSED)


def test_the_sample_of_the_document_loads(file: Path) -> None:
    text = (ROOT / "docs" / "protocol" / "modbus-panels.md").read_text()
    _, sample = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    file.write_text(wired(sample))
    bus = load_hardware(file).bus
    assert bus.seat_wiring is not None
    assert bus.seat_wiring.hit == bus.seat_wiring.bet == (8, 1)
    assert bus.dealer_wiring is not None
    assert bus.dealer_wiring.close_insurance is None


BAD: Final = {
    "an input that two buttons need at once": (
        SEAT.replace("stand = [5, 4]", "stand = [4, 5]"),
        [
            (
                "panels.seat_wiring.stand: stand and hit may be lit at once, so a press"
                " of input 4 would be unclear; expected a button of its own"
            )
        ],
    ),
    "one button with two lamps": (
        SEAT.replace("insure = [1, 8]", "insure = [1, 2]"),
        [
            (
                "panels.seat_wiring.insure: its button on input 1 is that of bet, whose"
                " lamp is on coil 8, not 2; expected one lamp for one button"
            ),
            (
                "panels.seat_wiring.insure: coil 2 is the lamp of split at input 7"
                " already; expected a coil of its own"
            ),
        ],
    ),
    "one lamp of two buttons": (
        "[panels.dealer_wiring]\ndeal = [1, 1]\nnext = [2, 1]\n",
        [
            (
                "panels.dealer_wiring.next: coil 1 is the lamp of deal at input 1"
                " already; expected another, such as 2"
            )
        ],
    ),
    "an input that no module has": (
        SEAT.replace("surrender = [8, 1]", "surrender = [9, 1]"),
        [f"panels.seat_wiring.surrender: {PLACES}, got [9, 1]"],
    ),
    "a coil counted from 0": (
        SEAT.replace("surrender = [8, 1]", "surrender = [8, 0]"),
        [f"panels.seat_wiring.surrender: {PLACES}, got [8, 0]"],
    ),
    "a button without a lamp": (
        SEAT.replace("surrender = [8, 1]", "surrender = [8]"),
        [f"panels.seat_wiring.surrender: {PLACES}, got [8]"],
    ),
    "a missing button": (
        SEAT.replace("hit = [4, 5]\n", "").replace("pass = [2, 7]\n", ""),
        [
            f"panels.seat_wiring.hit: missing; {PLACES}",
            f"panels.seat_wiring.pass: missing; {PLACES}",
        ],
    ),
    "a misspelt button": (
        SEAT.replace("surrender =", "surender ="),
        ["panels.seat_wiring.surender: unknown key; did you mean surrender?"],
    ),
    "contacts of no kind": (
        SEAT + 'contacts = "open"\n',
        [
            (
                'panels.seat_wiring.contacts: expected "normally-open" or'
                " \"normally-closed\", got 'open'"
            )
        ],
    ),
}


@pytest.mark.parametrize(("more", "said"), BAD.values(), ids=BAD)
def test_what_cannot_be_wired_is_told_in_one_line_each(
    file: Path, more: str, said: list[str]
) -> None:
    assert faults_of(file, wired(more)) == said


def test_only_modules_are_wired_by_the_file(file: Path) -> None:
    own_panels = SHIPPED.replace('kind = "modbus" ', '# kind = "modbus" ')
    for line in ("first_input", "first_coil", "answer_within_s"):
        own_panels = own_panels.replace(f"{line} =", f"# {line} =")
    both = own_panels + "\n" + SEAT + "\n[panels.dealer_wiring]\ndeal = [1, 1]\n"
    assert faults_of(file, both) == [
        'panels.seat_wiring: belongs to Modbus modules; add kind = "modbus"',
        'panels.dealer_wiring: belongs to Modbus modules; add kind = "modbus"',
    ]
