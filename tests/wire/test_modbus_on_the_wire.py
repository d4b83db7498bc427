"""A table whose panels are Modbus modules, over ptys: what they can play holds."""

import re
from pathlib import Path
from typing import Final

import pytest

from simulators.rigs.scenario import steps as st
from simulators.rigs.scenario.language import Scenario, parse_scenario, read_scenario
from simulators.rigs.scenario.run import play
from simulators.rigs.wire_table import wire_tables
from tests.wire.playable import ON_A_WIRE, ROOT, SHARED

LOADED_MACHINE_S: Final = 120

NOT_WITH_EIGHT_BUTTONS: Final = {
    # An unlit button with two words is the first one: bet, not insure; clear, not pass.
    "play-1-exactly-the-legal-choices",
    "ins-a-void-hand-is-not-asked",
}


def cannot_be_pressed(step: st.Step, bet_step_cents: int) -> bool:
    match step:
        case st.LatePress():
            return True
        case st.Bet(seat=seat, spot=spot) | st.Clear(seat=seat, spot=spot) if (
            spot is not None and spot != seat
        ):
            return True
        case st.Bet(amount_cents=amount):
            return amount % bet_step_cents != 0
        case st.Press(amount_cents=amount):
            return amount is not None
        case _:
            return False


def can_be_played(file: Path) -> bool:
    scenario = read_scenario(file)
    step_cents = dict(scenario.head.overrides).get("bet_step_cents", 500)
    assert isinstance(step_cents, int)
    said = (each.said for each in scenario.statements)
    pressed = not any(
        isinstance(step, st.Step) and cannot_be_pressed(step, step_cents)
        for step in said
    )
    return pressed and file.stem not in NOT_WITH_EIGHT_BUTTONS


def failures(scenario: Scenario) -> tuple[str, ...]:
    with wire_tables("simulation-modbus") as open_table:
        return play(scenario, open_table, cut_everywhere=False).failures


def test_the_document_names_the_shared_scenarios_that_cannot_be_played() -> None:
    text = (ROOT / "docs" / "protocol" / "modbus-panels.md").read_text()
    (named,) = re.findall(r"Of the shared scenarios [^:]*: (.*)\.\n", text)
    cannot = {f"`{file.stem}`" for file in SHARED if not can_be_played(file)}
    assert set(named.split(", ")) == cannot


PLAYED_BY_HAND: Final = """\
table seats=2
press 1 bet
press 1 bet
expect wager 1 10
expect lamps 1 bet clear
dealer deal
card 8h 6d 5c Kh
expect lamps 1 hit stand double surrender
panel 2 lost
press 1 hit
expect lamps 1
card 4s
expect lamps 1 hit stand
press 1 stand
expect event press_accepted seat=1 button=stand
"""


@pytest.mark.timeout(LOADED_MACHINE_S)
def test_a_round_is_played_with_buttons_alone() -> None:
    assert failures(parse_scenario(PLAYED_BY_HAND, "by hand")) == ()


@pytest.mark.prove
@pytest.mark.parametrize(
    "file",
    [file for file in ON_A_WIRE if can_be_played(file)],
    ids=lambda file: file.stem,
)
def test_every_scenario_that_can_be_played_holds_with_modules(file: Path) -> None:
    assert failures(read_scenario(file)) == ()
