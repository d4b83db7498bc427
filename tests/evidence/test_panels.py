"""What panels showed, how long they waited, what presses became, and the rack."""

from pathlib import Path

import pytest

from controller.core import commands as cm
from controller.core.cards import Card
from controller.core.commands import Person
from controller.core.ids import (
    Button,
    DealerButton,
    Direction,
    EndOfTestMode,
    HandId,
    Role,
)
from controller.core.state import Group
from controller.evidence.account import PressAccount, RoundAccount
from controller.evidence.panels import Ended, PromptAccount
from controller.evidence.parts import Part
from controller.evidence.rack import RackBook
from controller.evidence.reconstruct import reconstruct
from tests.core.table import DEALER
from tests.evidence.recorded import forge, rows_of, write
from tests.evidence.test_narrative import row
from tests.journal.played import Played

DEAL = "bet 1 25\nbet 3 10\ndealer deal\ncard 9h Ts 6d 9c 8s Tc\n"
BOOT, MONOTONIC_NS = 3, 4


def played(tmp_path: Path, text: str) -> RoundAccount:
    return reconstruct(write(tmp_path / "j", text), 1)


def turns(account: RoundAccount, seat: int) -> list[PromptAccount]:
    """Return the prompts of a seat after the bets."""
    return [p for p in account.prompts if p.seat == seat and "bet" not in p.buttons]


def press_of(account: RoundAccount, button: str) -> PressAccount:
    return next(press for press in account.presses if press.button == button)


# --- Prompts -------------------------------------------------------------------


def test_a_prompt_waited_until_the_press_that_answered_it(tmp_path: Path) -> None:
    account = played(tmp_path, DEAL + "wait 7\npress 1 stand\n")
    (turn,) = turns(account, 1)
    press = press_of(account, "stand")
    assert (turn.ended, turn.answer, turn.press) == (
        Ended.ANSWERED,
        "stand",
        press.sequence,
    )
    # The press came half a second after the wait.
    assert (turn.waited_ms, turn.by_clock) == (7_500, False)
    (other,) = turns(account, 3)
    assert (other.ended, other.until, other.waited_ms) == (None, None, None)


def test_a_refused_press_answers_nothing(tmp_path: Path) -> None:
    account = played(tmp_path, DEAL + "press 1 insure\nlate-press 1 hit\n")
    (turn,) = turns(account, 1)
    assert (turn.ended, turn.answer) == (None, None)


def test_the_wait_runs_on_the_monotonic_clock(tmp_path: Path) -> None:
    path = write(tmp_path / "j", DEAL + "press 1 stand\n")
    rows = rows_of(path)
    for each in rows[-6:]:
        each[1] = "2026-01-31T19:00:00.000000Z"
    forge(path, rows)
    (turn,) = turns(reconstruct(path, 1), 1)
    assert (turn.waited_ms, turn.by_clock) == (500, False)


def test_after_another_boot_the_wait_is_by_the_wall_clock(tmp_path: Path) -> None:
    path = write(tmp_path / "j", DEAL + "power-cut\npress 1 stand\n")
    rows = rows_of(path)
    since = next(i for i, each in enumerate(rows) if each[8] == "table_recovered")
    for each in rows[since - 1 :]:
        each[BOOT], each[MONOTONIC_NS] = "boot-2", 5
    forge(path, rows)
    (turn,) = turns(reconstruct(path, 1), 1)
    assert (turn.waited_ms, turn.by_clock) == (1_000, True)


@pytest.mark.parametrize(
    ("steps", "ended"),
    [
        ("wait 41\ndealer next\n", Ended.MOVED_ON),
        ("dealer call\n", Ended.STOPPED),
        ("panel 1 lost\n", Ended.PANEL_LOST),
    ],
)
def test_what_ends_a_prompt_unanswered_is_said(
    steps: str, ended: Ended, tmp_path: Path
) -> None:
    (turn,) = turns(played(tmp_path, DEAL + steps), 1)
    assert (turn.ended, turn.answer, turn.waited_ms) == (ended, None, None)
    assert turn.until is not None


def test_bets_and_insurance_are_closed_over_whoever_has_not_answered(
    tmp_path: Path,
) -> None:
    text = DEAL.replace("6d", "As") + "press 1 insure\ndealer close-insurance\n"
    account = played(tmp_path, text)
    first, third = turns(account, 1)[0], turns(account, 3)[0]
    assert (first.ended, first.answer) == (Ended.ANSWERED, "insure")
    assert (third.ended, third.waited_ms) == (Ended.INSURANCE_CLOSED, None)
    bets = [p for p in account.prompts if p.seat == 5 and p.until is not None]
    assert [p.ended for p in bets] == [Ended.BETS_CLOSED]


def test_a_panel_that_is_back_is_lit_from_then_on(tmp_path: Path) -> None:
    account = played(tmp_path, DEAL + "panel 1 lost\nwait 5\npanel 1 back\n")
    lost, back = turns(account, 1)
    assert lost.ended is Ended.PANEL_LOST
    assert back.ended is None
    assert back.lit_at is not None
    assert lost.until_at is not None
    assert back.lit_at > lost.until_at


# --- Presses -------------------------------------------------------------------


def test_a_press_is_kept_with_what_was_lit_and_whose_turn_it_was(
    tmp_path: Path,
) -> None:
    account = played(tmp_path, DEAL + "press 3 hit\npress 1 hit\ncard 2s\n")
    refused, taken = (p for p in account.presses if p.button == "hit")
    assert (refused.seat, refused.turn, refused.reason) == (3, "1", "not_your_turn")
    assert (refused.shown, refused.became) == ((), ())
    assert (taken.seat, taken.turn, taken.reason) == (1, "1", None)
    assert taken.shown == ("hit", "stand", "double", "split", "surrender")
    assert taken.became == (
        "Hand 1 draws on 18: one card is due",
        "Hand 1 gets the two of spades: 9h 9c 2s, 20",
    )


def test_without_its_card_a_press_became_what_it_could(tmp_path: Path) -> None:
    account = played(tmp_path, DEAL + "press 1 hit\n")
    assert press_of(account, "hit").became == ("Hand 1 draws on 18: one card is due",)


def test_cards_of_others_are_no_answer_to_a_press(tmp_path: Path) -> None:
    account = played(tmp_path, DEAL + "press 1 stand\npress 3 hit\ncard 2s\n")
    assert not any("gets" in text for text in press_of(account, "stand").became)


# --- Parts and rack --------------------------------------------------------------


def test_the_parts_of_a_round_follow_each_other(tmp_path: Path) -> None:
    end = "press 1 stand\npress 3 stand\ncard 5h\ndealer pickup\n"
    parts = [entry.part for entry in played(tmp_path, DEAL + end).timeline]
    assert list(dict.fromkeys(parts)) == [
        Part.WAGERS,
        Part.DEAL,
        Part.PLAYERS,
        Part.DEALER,
        Part.SETTLEMENT,
        Part.PICKUP,
    ]
    assert parts == sorted(parts, key=list(Part).index)


def test_each_group_of_the_rack_is_a_hand_with_the_record_that_laid_it(
    tmp_path: Path,
) -> None:
    end = "press 1 hit\ncard Kd\npress 3 stand\ncard 5h\ndealer pickup\n"
    account = played(tmp_path, DEAL + end)
    assert [(g.hand, g.seat, g.cards) for g in account.rack_groups] == [
        ("1", 1, ("9h", "9c", "Kd")),
        ("3", 3, ("Ts", "8s")),
        ("dealer", None, ("6d", "Tc", "5h")),
    ]
    assert tuple(group.cards for group in account.rack_groups) == account.rack
    laid = [e.sequence for e in account.timeline if e.type == "hand_picked_up"]
    assert [group.sequence for group in account.rack_groups] == laid


def test_a_group_that_is_taken_back_is_laid_anew() -> None:
    one = Group(HandId("1"), (Card("9h"),), (1,))
    two = Group(HandId("2"), (Card("5c"),), (2,))
    book = RackBook()
    book.take(row(1), (one, two))
    book.take(row(2), (one,))
    book.take(row(3), (one, two))
    at = [group.at for group in book.groups({})]
    assert at == [row(1).recorded_at, row(3).recorded_at]


# --- Buttons tried by hand -----------------------------------------------------


def test_lamps_that_are_tried_by_hand_show_nothing_of_a_prompt(tmp_path: Path) -> None:
    path = tmp_path / "j"
    table = Played(path)
    supervisor = Person("S1", Role.SUPERVISOR)
    shift = cm.OpenShift(dealer=DEALER, direction=Direction.RIGHT_TO_LEFT)
    table.do(shift)
    table.do(cm.BeginTestMode(person=supervisor))
    table.do(table.press(Button.BET, 2500))
    table.do(cm.ReportPanel(seat=3, lost=True))
    table.do(cm.EndTestMode(why=EndOfTestMode.ASKED, person=supervisor))
    table.do(table.press(Button.BET, 2500))
    table.do(cm.PressDealerButton(button=DealerButton.DEAL))
    table.journal.close()
    account = reconstruct(path, 1)
    tried, after, *_ = (p for p in account.prompts if (p.seat, p.number) == (2, 1))
    assert tried.ended is Ended.TEST_MODE
    assert tried.until is not None
    assert after.lit is not None
    assert after.lit > tried.until
    assert len([p for p in account.prompts if p.seat == 3]) == 1
    # What was tried is told, and is no press of the round.
    assert [press.button for press in account.presses] == ["bet"]
    told = [entry.text for entry in account.timeline]
    assert "S1, supervisor, tries buttons and lamps by hand: nothing that is" in str(
        told
    )
    assert "Seat 2: BET is pressed in the test mode of S1" in str(told)
