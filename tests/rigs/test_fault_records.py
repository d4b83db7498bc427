"""Every fault that stops the table leaves a record when it comes and when it goes."""

from typing import Final

import pytest

from controller.core.ids import Kind
from simulators.rigs.scenario.core_table import CoreTable
from simulators.rigs.scenario.language import parse_scenario
from simulators.rigs.scenario.run import play

BETS: Final = "bet 1 10\nbet 2 10\ndealer deal\n"
DEALT: Final = BETS + "card Th 9c 6d 6c 4c Th\n"

# What comes before, the step at which the fault comes, steps to mend it, and the one
# at which it goes.
STOPS: Final[dict[Kind, tuple[str, str, str, str]]] = {
    Kind.CARD_DRAWN_IN_ERROR: (DEALT, "card 5h", "", "supervisor S1 use-card"),
    Kind.CARD_UNREAD: (BETS, "card ??", "", "supervisor S1 key-card 5h witness=S2"),
    Kind.CARD_IMPOSSIBLE: (
        f"rules colorado decks=1\n{BETS}card 8h\n",
        "card 8h",
        "",
        "supervisor S1 correct-card 2 1 8d",
    ),
    Kind.SHOE_FAULT: (BETS, "shoe jam", "shoe cleared\n", "supervisor S1 resume"),
    Kind.SHOE_POSITION_UNKNOWN: (
        BETS,
        "shoe gap 1",
        "supervisor S1 no-card\n",
        "supervisor S1 resume",
    ),
    Kind.SHOE_EMPTY: (BETS, "shoe empty", "shoe shuffled\n", "supervisor S1 resume"),
    Kind.PANEL_LOST: (DEALT, "panel 1 lost", "", "panel 1 back"),
    Kind.RECONCILIATION_MISMATCH: (
        (
            "rules colorado discards=shoe\nbet 1 10\ndealer deal\ncard Th 7d 9c Th\n"
            "press 1 stand\ndealer pickup\nreturn Th 9c 7d\nbet 1 10\n"
        ),
        "dealer deal",
        "return Th\n",
        "supervisor S1 resume",
    ),
    Kind.CALLED: (DEALT, "dealer call", "", "supervisor S1 resume"),
}

WITHOUT_STEPS: Final = {
    # Found by the process around the core: tests/core/test_faults.py.
    Kind.INTERNAL_FAULT,
    Kind.JOURNAL_DAMAGED,
    Kind.JOURNAL_BEHIND,
    Kind.JOURNAL_FULL,
    Kind.SOFTWARE_CHANGED,
}


@pytest.mark.parametrize("kind", STOPS, ids=lambda kind: kind.value)
def test_a_fault_is_recorded_when_it_comes_and_when_it_goes(kind: Kind) -> None:
    before, comes, mended, goes = STOPS[kind]
    text = (
        f"{before}{comes}\n"
        f"expect irregularity {kind.value}\n"
        f"expect event irregularity_found kind={kind.value}\n"
        f"expect event table_suspended kind={kind.value}\n"
        f"{mended}{goes}\n"
        f"expect event irregularity_cleared kind={kind.value}\n"
        "expect event table_resumed\n"
    )
    played = play(parse_scenario(text, kind.value), CoreTable, cut_everywhere=False)
    assert played.failures == ()


def test_no_kind_is_left_out() -> None:
    assert STOPS.keys() | WITHOUT_STEPS == set(Kind)
    assert not STOPS.keys() & WITHOUT_STEPS
