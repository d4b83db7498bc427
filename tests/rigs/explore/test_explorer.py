"""A small table explored exhaustively: everything holds, and everything leads home."""

from typing import Final

import pytest
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.commands import Command
from controller.core.decide import Decision, decide
from controller.core.secrets import Secrets
from controller.core.state import TableState
from simulators.rigs.explore.explorer import Decide, Explorer
from simulators.rigs.explore.nodes import Bounds, Explored
from simulators.rigs.explore.toy import Toy
from tests.simulation.defects import a_blackjack_pays_a_cent_more, rewritten
from tools.irregularities import cannot

BLACKJACK: Final = Toy("A89T", "A9T8", seats=1)
INSURED: Final = Toy("A89T", "TA98T", seats=1)
TWO_HANDS: Final = Toy("A69T", "TA69T6T6T9T6A9")
# With every card drawn freely the hands of a split would take hours.
SPLIT: Final = Toy("68T", "868TT6T68T6T", seats=1)

PLAIN: Final = Bounds(mishaps=0, steps=0)
ANY_MISHAP: Final = Bounds(mishaps=1, steps=0)
AND_A_STEP: Final = Bounds(mishaps=1, steps=1)
AND_TWO_STEPS: Final = Bounds(mishaps=1, steps=2)
TWO_MISHAPS: Final = Bounds(mishaps=2, steps=2)


def explored(toy: Toy, bounds: Bounds, decide_with: Decide = decide) -> Explored:
    return Explorer(toy, bounds, decide_with).run()


@pytest.mark.parametrize(
    ("toy", "bounds", "tables_min"),
    [
        pytest.param(
            BLACKJACK,
            AND_A_STEP,
            1_000,
            id="any step after any mishap",
            marks=pytest.mark.prove,
        ),
        pytest.param(INSURED, ANY_MISHAP, 600, id="any mishap in every phase"),
        pytest.param(Toy("A69T", "TA69T6"), PLAIN, 250, id="two hands undisturbed"),
    ],
)
def test_every_table_holds_and_leads_on_and_home(
    toy: Toy, bounds: Bounds, tables_min: int
) -> None:
    found = explored(toy, bounds)
    assert found.findings == []
    assert [cell for cell in found.cells if cannot(*cell)] == []
    assert found.tables.total() > tables_min
    assert found.steps > found.tables.total()
    assert found.refusals


@pytest.mark.prove
@pytest.mark.timeout(6 * 3600)
@pytest.mark.parametrize(
    ("toy", "bounds"),
    [
        pytest.param(TWO_HANDS, AND_A_STEP, id="two hands"),
        pytest.param(Toy("AT98", "AA9TT8"), AND_A_STEP, id="two blackjacks"),
        pytest.param(INSURED, AND_A_STEP, id="insurance"),
        pytest.param(SPLIT, AND_A_STEP, id="a split"),
        pytest.param(BLACKJACK, AND_TWO_STEPS, id="two steps"),
        pytest.param(BLACKJACK, TWO_MISHAPS, id="a second mishap while suspended"),
        pytest.param(Toy("T6", "T6T6T6"), PLAIN, id="any card, undisturbed"),
    ],
)
def test_every_table_holds_and_leads_on_and_home_deeper(
    toy: Toy, bounds: Bounds
) -> None:
    found = explored(toy, bounds)
    assert found.findings == []
    assert [cell for cell in found.cells if cannot(*cell)] == []
    assert found.tables.total() > 1_000
    assert bounds is PLAIN or len(found.cells) > 60


# --- The explorer sees ----------------------------------------------------------------


def refusing(*kinds: type[dc.Decision]) -> Decide:
    """Return a `decide` to which nobody can give decisions of these kinds."""

    def planted(state: TableState, secrets: Secrets, command: Command) -> Decision:
        if not (
            isinstance(command, cm.TakeDecision) and isinstance(command.decision, kinds)
        ):
            return decide(state, secrets, command)
        unknown = replace(command, person=cm.Person("nobody"))
        return decide(state, secrets, unknown)

    return planted


def forgiving(state: TableState, secrets: Secrets, command: Command) -> Decision:
    """Take a press for an earlier prompt as one for the present."""
    if isinstance(command, cm.PressButton):
        now = state.prompts[command.seat].number
        return decide(state, secrets, replace(command, prompt=now))
    return decide(state, secrets, command)


@pytest.mark.parametrize(
    ("planted", "bounds", "words"),
    [
        (
            rewritten(ev.HandSettled, a_blackjack_pays_a_cent_more),
            PLAIN,
            "payouts_right",
        ),
        (refusing(dc.VoidRound, dc.Resume), ANY_MISHAP, "no way leads back"),
        (refusing(dc.VoidHand), AND_A_STEP, "VoidHand(hand='1') is offered and refus"),
    ],
    ids=["a cent more", "no end", "an offer that is refused"],
)
def test_a_planted_defect_is_found(planted: Decide, bounds: Bounds, words: str) -> None:
    found = explored(BLACKJACK, bounds, planted)
    assert any(words in finding.words for finding in found.findings)


def test_a_press_for_an_earlier_prompt_that_counts_is_found() -> None:
    found = explored(INSURED, PLAIN, forgiving)
    assert any("was not refused" in finding.words for finding in found.findings)
