"""A table with a shoe that prints lines, over ptys: what it can play holds."""

import re
from pathlib import Path
from typing import Final

import pytest

from controller.core.cards import RANKS, UNKNOWN, rank
from simulators.rigs.scenario import steps as st
from simulators.rigs.scenario.language import Scenario, parse_scenario, read_scenario
from simulators.rigs.scenario.run import play
from simulators.rigs.wire_table import wire_tables
from tests.wire.playable import ON_A_WIRE, ROOT, SHARED

LOADED_MACHINE_S: Final = 120

NOT_TOLD: Final = (
    st.ReturnCards | st.ShoeReports | st.ShoeShuffled | st.ShoeGap | st.PowerCut
)
"""Steps of which such a shoe prints nothing, or after which it repeats nothing."""


def is_told(step: object) -> bool:
    """Return whether the shoe prints of a step; it knows no jokers."""
    if isinstance(step, st.DrawCards):
        return all(rank(card) in (*RANKS, rank(UNKNOWN)) for card in step.cards)
    return not isinstance(step, NOT_TOLD)


def can_be_played(file: Path) -> bool:
    return all(is_told(each.said) for each in read_scenario(file).statements)


PLAYED: Final = tuple(file for file in ON_A_WIRE if can_be_played(file))


def failures(scenario: Scenario) -> tuple[str, ...]:
    with wire_tables("simulation-line-shoe") as open_table:
        return play(scenario, open_table, cut_everywhere=False).failures


def test_the_document_names_the_shared_scenarios_that_cannot_be_played() -> None:
    text = (ROOT / "docs" / "protocol" / "line-shoe.md").read_text()
    (named,) = re.findall(r"Of the shared scenarios [^:]*: (.*)\.\n", text)
    cannot = {f"`{file.stem}`" for file in SHARED if not can_be_played(file)}
    assert set(named.split(", ")) == cannot


@pytest.mark.timeout(LOADED_MACHINE_S)
@pytest.mark.parametrize(
    "file",
    [file for file in SHARED if file.name[:2] == "06"],
    ids=lambda file: file.stem,
)
def test_a_shared_scenario_holds_with_a_line_shoe(file: Path) -> None:
    assert failures(read_scenario(file)) == ()


OUT_OF_SIGHT: Final = """\
power-cut
expect phase BETTING
expect notice dealer out of sight
bet 1 25
dealer deal
card 8h 6d
power-cut
expect phase SUSPENDED
expect irregularity shoe_position_unknown
supervisor S1 key-card 5c witness=D1
supervisor S1 resume
expect phase DEALING
card Kh
expect cards 1 8h 5c
expect cards dealer 6d ??
expect phase PLAYING
"""


@pytest.mark.prove
def test_a_power_cut_is_a_notice_between_rounds_and_a_stop_in_one() -> None:
    assert failures(parse_scenario(OUT_OF_SIGHT, "out of sight")) == ()


@pytest.mark.prove
@pytest.mark.parametrize("file", PLAYED, ids=lambda file: file.stem)
def test_every_scenario_that_can_be_played_holds_with_a_line_shoe(file: Path) -> None:
    assert failures(read_scenario(file)) == ()
