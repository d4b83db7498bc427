"""The table after each record of a round, as people saw it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from controller.core.ids import Phase
from controller.evidence.reconstruct import Step, reconstruct, replayed
from controller.evidence.summaries import summaries
from controller.journal.reader import round_records
from tests.evidence.recorded import write

SCENARIOS = sorted(Path("tests/scenarios").rglob("*.scenario"))
ROUND = """
bet 1 25
bet 3 10
dealer deal
card 9h Ts 6d 9c 8s Tc
press 1 hit
card 2c
press 1 stand
press 3 stand
card 5h
dealer pickup
"""


def steps_of(tmp_path: Path, text: str, number: int = 1) -> tuple[Step, ...]:
    return replayed(write(tmp_path / "j", text), number).steps


def last(steps: tuple[Step, ...], type_: str) -> Step:
    return [step for step in steps if step.type == type_][-1]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda file: file.stem)
def test_there_is_a_step_for_each_record_of_each_round(
    scenario: Path, journal_of: Callable[[Path], Path]
) -> None:
    path = journal_of(scenario)
    for summary in summaries(path):
        round_ = replayed(path, summary.round)
        told = tuple(entry for step in round_.steps for entry in step.entries)
        records = [record.sequence for record in round_records(path, summary.round)]
        assert [step.sequence for step in round_.steps] == records
        assert all(e.sequence == s.sequence for s in round_.steps for e in s.entries)
        assert told == round_.account.timeline


def test_the_account_is_the_same_with_the_way_to_it(tmp_path: Path) -> None:
    path = write(tmp_path / "j", ROUND)
    assert replayed(path, 1).account == reconstruct(path, 1)


def test_a_step_shows_cards_totals_lamps_and_turn(tmp_path: Path) -> None:
    steps = steps_of(tmp_path, ROUND)
    table = last(steps, "turn_passed").table
    assert table.phase is Phase.DEALER_DRAWING
    first = next(s.table for s in steps if s.type == "turn_passed")
    assert (first.phase, first.turn) == (Phase.PLAYING, "1")
    lit = steps[[step.table for step in steps].index(first) + 1].table
    assert lit.seats[1].lamps == ("hit", "stand", "double", "split", "surrender")
    assert (lit.hands[0].cards, lit.dealer.cards) == (("9h", "9c"), ("6d", "??"))
    assert lit.dealer.hole == 1
    assert lit.hands[0].wager_cents == 2500


def test_a_revealed_hole_card_lies_open(tmp_path: Path) -> None:
    dealer = last(steps_of(tmp_path, ROUND), "hole_card_revealed").table.dealer
    assert (dealer.cards, dealer.hole) == (("6d", "Tc"), -1)


def test_prompt_and_gate_change_when_a_decision_is_whole(tmp_path: Path) -> None:
    steps = steps_of(tmp_path, ROUND)
    asked = next(at for at, step in enumerate(steps) if step.type == "card_asked")
    now, then = steps[asked].table.driven, steps[asked + 1].table.driven
    assert steps[asked + 1].type == "prompts_changed"
    assert (now.prompt.words, now.gate_open) == ("Wait for seat 1", False)
    assert (then.prompt.words, then.gate_open) == ("Card to seat 1", True)


def test_while_bets_are_open_the_last_round_does_not_show(tmp_path: Path) -> None:
    steps = steps_of(tmp_path, ROUND + "bet 2 40\ndealer deal\n", 2)
    placed = last(steps, "wager_placed").table
    assert (placed.hands, placed.dealer.cards, placed.rack) == ((), (), ())
    assert [wager.amount_cents for wager in placed.wagers] == [4000]
    assert last(steps, "bets_closed").table.hands[0].cards == ()


def test_a_suspended_table_shows_why(tmp_path: Path) -> None:
    text = 'bet 1 25\ndealer deal\ncard 9h\ndealer call "a glass fell"\n'
    table = steps_of(tmp_path, text)[-1].table
    assert (table.phase, table.interrupted) == (Phase.SUSPENDED, Phase.DEALING)
    (found,) = table.irregularities
    assert "a glass fell" in found.said
    assert not table.driven.gate_open


def test_with_a_seat_the_account_is_narrowed_and_the_table_is_whole(
    tmp_path: Path,
) -> None:
    path = write(tmp_path / "j", ROUND)
    narrowed = replayed(path, 1, seat=3)
    assert narrowed.account == reconstruct(path, 1, seat=3)
    assert narrowed.steps == replayed(path, 1).steps
