"""A shift and a day in figures, counted from the records they are made of."""

from collections.abc import Callable
from contextlib import closing
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from controller.core import commands as cm
from controller.core.ids import Button, DealerButton, Direction, Kind
from controller.evidence.report import (
    NoSuchDayError,
    ShiftNotFoundError,
    report_of_day,
    report_of_shift,
)
from controller.evidence.summaries import summaries
from controller.evidence.tally import Figures
from controller.journal import spans
from controller.journal.records import Record
from controller.runtime.successor import Wanted, begin_successor
from simulators.rigs.scenario.language import Head
from tests.core.table import DEALER
from tests.evidence.recorded import RecordedTable, forge, recorded, rows_of, write
from tests.journal.played import STAMP, Played, dealer, opening

DAY = date(2026, 1, 31)
RECORDED_AT, BOOT, TYPE = 1, 3, 8

WON = "bet 1 25\ndealer deal\ncard As 7d Kc Tc\ndealer pickup\n"
LOST = "bet 1 25\ndealer deal\ncard Th 9d 7c Tc\nwait 3\npress 1 stand\ndealer pickup\n"
INSURED = "bet 1 20\ndealer deal\ncard Th Ad 7c Tc\npress 1 insure\ndealer pickup\n"
MOVED_ON = (
    "bet 1 10\ndealer deal\ncard Th 9d 7c Tc\npress 3 hit\nlate-press 1 hit\n"
    "wait 41\ndealer next\ndealer pickup\n"
)
VOID = (
    'bet 1 10\ndealer deal\ncard Th\ndealer call "?"\nsupervisor S1 void-round\n'
    "dealer pickup\n"
)
UNREAD = (
    "bet 1 10\ndealer deal\ncard ??\nsupervisor S1 key-card Th witness=S2\n"
    "card 9d 7c Tc\n"
)
CORRECTED = (
    "bet 1 10\ndealer deal\ncard Th 9d 7c Tc\ndealer call\n"
    "supervisor S1 correct-card 1 1 9h\nsupervisor S1 resume\npress 1 stand\n"
    "dealer pickup\n"
)
CASH = "cash 2 spread\ncash 2 state 60\ncash 2 chips 60\ncash 2 drop\n"
UNDONE = "bet 1 10\ndealer deal\ndealer undo-deal\n"
SHIFT = "shift open D1 right-to-left\n"
NEXT_SHIFT = "shift close\nshift open D2 left-to-right\n"


def figures_of_shift(tmp_path: Path, text: str, number: int = 1) -> Figures:
    return report_of_shift(write(tmp_path / "j", text), number).figures


# --- What is counted -------------------------------------------------------------


def test_money_is_counted_from_the_rounds_that_ended(tmp_path: Path) -> None:
    figures = figures_of_shift(tmp_path, WON + LOST + INSURED + UNDONE + CASH)
    assert (figures.rounds, figures.hands, figures.undone) == (3, 3, 1)
    assert figures.wagered == 2_500 + 2_500 + 2_000 + 1_000
    # 25 at 3:2, and an insurance of 10 at 2:1.
    assert figures.won_by_players == 3_750 + 2_000
    assert figures.won_by_house == 2_500 + 2_000
    assert figures.net == 1_250
    assert figures.cash_dropped == 6_000


def test_the_net_is_that_of_the_rounds(tmp_path: Path) -> None:
    path = write(tmp_path / "j", WON + LOST + VOID + INSURED + MOVED_ON)
    figures = report_of_shift(path, 1).figures
    rounds = summaries(path)
    assert figures.rounds == len(rounds)
    assert figures.net == sum(each.net or 0 for each in rounds)
    assert figures.wagered == sum(each.wagered for each in rounds)
    assert figures.cards == sum(each.cards or 0 for each in rounds)


def test_an_open_round_is_counted_apart(tmp_path: Path) -> None:
    figures = figures_of_shift(tmp_path, WON + "bet 1 5\ndealer deal\ncard Th\n")
    assert (figures.rounds, figures.open, figures.wagered) == (1, 1, 2_500)
    other = tmp_path / "other"
    other.mkdir()
    assert figures_of_shift(other, WON).open == 0


def test_voids_decisions_and_irregularities_are_counted_by_kind(
    tmp_path: Path,
) -> None:
    misdeal = VOID.replace("void-round", "misdeal")
    hand = VOID.replace("void-round", "void-hand 1").replace(
        "card Th", "card Th 9d 7c Tc"
    )
    figures = figures_of_shift(tmp_path, VOID + misdeal + VOID + hand)
    assert (figures.void_rounds, figures.misdeals, figures.void_hands) == (2, 1, 1)
    assert figures.irregularities == {"called": 4}
    assert next(iter(figures.decisions.items())) == ("void-round", 2)


def test_misreads_are_per_thousand_cards(tmp_path: Path) -> None:
    figures = figures_of_shift(tmp_path, CORRECTED + UNREAD)
    assert (figures.cards, figures.misreads) == (8, 2)
    assert figures.misreads_per_thousand == 250.0
    none = report_of_shift(write(tmp_path / "none", "wait 1"), 1).figures
    assert (none.cards, none.misreads_per_thousand) == (0, None)


def test_a_card_that_is_read_again_is_one_card(tmp_path: Path) -> None:
    with recorded(tmp_path / "j", "bet 1 10\ndealer deal\ncard ??\n") as table:
        table.read_again(1, "Th")
    figures = report_of_shift(tmp_path / "j", 1).figures
    assert (figures.cards, figures.misreads) == (1, 1)


def test_waits_are_those_of_prompts_that_were_answered(tmp_path: Path) -> None:
    waits = figures_of_shift(tmp_path, LOST + INSURED + MOVED_ON + LOST).waits
    # After waits of three seconds, and at once, each with the half second of its step.
    assert (waits.answered, waits.median_ms) == (3, 3_500)
    assert (waits.longest_ms, waits.longest_round) == (3_500, 1)
    assert waits.moved_on == 1
    none = report_of_shift(write(tmp_path / "none", WON), 1).figures.waits
    assert (none.answered, none.median_ms, none.longest_ms) == (0, None, None)


def test_refused_presses_are_counted_by_reason(tmp_path: Path) -> None:
    figures = figures_of_shift(tmp_path, MOVED_ON)
    assert figures.refused == {"not_your_turn": 1, "stale_press": 1}
    assert figures.presses == 3


# --- Of which shift ----------------------------------------------------------------


def test_each_shift_has_its_own_rounds(tmp_path: Path) -> None:
    path = write(
        tmp_path / "j", SHIFT + WON + NEXT_SHIFT + LOST + LOST + CASH + NEXT_SHIFT
    )
    first, second, third = (report_of_shift(path, number) for number in (1, 2, 3))
    assert [r.figures.rounds for r in (first, second, third)] == [1, 2, 0]
    assert [r.figures.cash_dropped for r in (first, second, third)] == [0, 6_000, 0]
    assert [r.dealer for r in (first, second, third)] == ["D1", "D2", "D2"]
    assert first.ended_at is not None
    assert second.began_at is not None
    assert first.ended_at < second.began_at
    assert third.ended_at is None


def test_a_shift_is_found_without_reading_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "j", SHIFT + (WON + NEXT_SHIFT) * 8)
    whole, read = len(rows_of(path)), []
    between: Callable[..., object] = spans.between

    def noting(*arguments: object) -> object:
        for row in between(*arguments):  # type: ignore[attr-defined]  # records
            assert isinstance(row, Record)
            read.append(row.sequence)
            yield row

    monkeypatch.setattr(spans, "between", noting)
    assert report_of_shift(path, 5).figures.rounds == 1
    assert len(read) < whole / 4


def test_a_shift_that_is_not_there_is_said(tmp_path: Path) -> None:
    path = write(tmp_path / "j", WON)
    with pytest.raises(ShiftNotFoundError, match="no shift 2; it may be in an earlier"):
        report_of_shift(path, 2)


def test_a_shift_goes_on_in_the_journal_that_follows(tmp_path: Path) -> None:
    with recorded(tmp_path / "old", WON) as old:
        table = RecordedTable(Head(), tmp_path / "new")
        with closing(table.journal):
            table.take_over(old)
            table.do_text(LOST)
    report = report_of_shift(tmp_path / "new", 1)
    assert (report.dealer, report.began_at, report.figures.rounds) == ("D1", None, 1)


# --- What a successor made void ----------------------------------------------------


def succeeded(path: Path, *, in_a_round: bool) -> None:
    """Play a round, perhaps into the next with a split and insurance; succeed it."""
    table = Played(path)
    table.do(cm.OpenShift(dealer=DEALER, direction=Direction.RIGHT_TO_LEFT))
    if in_a_round:
        table.do(table.press(Button.BET, 5_000))
        table.do(dealer(DealerButton.DEAL))
        for face in ("8s", "Ah", "8d", "5d"):
            table.do(table.card(face))
        table.do(table.press(Button.INSURE, 2_500))
        table.do(table.press(Button.SPLIT))
    table.do(cm.ReportFault(kind=Kind.JOURNAL_BEHIND, words="the shoe is ahead"))
    table.journal.close()
    begin_successor(path, opening(), Wanted("S1", "T1", "the card failed"), STAMP)


def test_a_round_that_a_successor_made_void_is_counted(tmp_path: Path) -> None:
    succeeded(tmp_path / "j", in_a_round=True)
    old = report_of_shift(tmp_path / "j.old", 1)
    assert (old.figures.rounds, old.figures.open) == (0, 1)
    report = report_of_shift(tmp_path / "j", 1)
    figures = report.figures
    assert (figures.rounds, figures.open, figures.void_rounds) == (1, 0, 1)
    # Two hands of a split and the insurance went back: nobody won anything.
    assert (figures.hands, figures.wagered, figures.net) == (2, 12_500, 0)
    assert figures.decisions == {"successor": 1}
    assert (report.dealer, report.began_at) == ("D1", None)
    assert report.ended_at == STAMP.recorded_at
    day = date.fromisoformat(STAMP.recorded_at[:10])
    whole = report_of_day(tmp_path / "j", day).figures
    assert (whole.rounds, whole.open, whole.void_rounds) == (1, 0, 1)
    assert (whole.hands, whole.wagered, whole.net) == (2, 12_500, 0)
    assert whole.decisions == {"successor": 1}
    # What the file held that was put aside counts on its day as well.
    assert (whole.cards, old.figures.cards) == (4, 4)
    with pytest.raises(NoSuchDayError):
        report_of_day(tmp_path / "j", day + timedelta(days=1))


def test_the_next_shift_has_nothing_of_the_void_round(tmp_path: Path) -> None:
    succeeded(tmp_path / "j", in_a_round=True)
    table = Played(tmp_path / "j", begin=False)
    table.do(cm.OpenShift(dealer=DEALER, direction=Direction.RIGHT_TO_LEFT))
    table.journal.close()
    assert report_of_shift(tmp_path / "j", 1).figures.void_rounds == 1
    figures = report_of_shift(tmp_path / "j", 2).figures
    assert (figures.rounds, figures.void_rounds, figures.decisions) == (0, 0, {})


def test_a_successor_without_an_open_round_made_none_void(tmp_path: Path) -> None:
    succeeded(tmp_path / "j", in_a_round=False)
    day = date.fromisoformat(STAMP.recorded_at[:10])
    figures = report_of_day(tmp_path / "j", day).figures
    assert (figures.rounds, figures.void_rounds) == (0, 0)
    assert figures.decisions == {"successor": 1}
    with pytest.raises(ShiftNotFoundError):
        report_of_shift(tmp_path / "j", 1)


# --- Of which day ------------------------------------------------------------------


def moved(path: Path, days: int, since: int) -> None:
    """Let the clock of a journal go on so many days later from a record on."""
    rows = rows_of(path)
    for row in rows[since - 1 :]:
        at = datetime.fromisoformat(str(row[RECORDED_AT])) + timedelta(days=days)
        row[RECORDED_AT] = at.isoformat(timespec="microseconds").replace("+00:00", "Z")
    forge(path, rows)


def test_a_day_has_the_rounds_whose_bets_were_closed_on_it(tmp_path: Path) -> None:
    path = write(tmp_path / "j", WON + LOST + LOST + CASH)
    second = summaries(path)[1]
    closed = next(
        row[0]
        for row in rows_of(path)
        if row[TYPE] == "bets_closed" and row[RECORDED_AT] == second.started_at
    )
    assert isinstance(closed, int)
    # The night falls in the second round, right after its bets were closed.
    moved(path, 1, closed + 1)
    first, next_day = (
        report_of_day(path, DAY + timedelta(days=n)).figures for n in (0, 1)
    )
    assert (first.rounds, next_day.rounds) == (2, 1)
    assert (first.cash_dropped, next_day.cash_dropped) == (0, 6_000)
    assert first.cards + next_day.cards == 12
    with pytest.raises(NoSuchDayError, match="no records of 2026-02-02"):
        report_of_day(path, DAY + timedelta(days=2))


def test_a_day_is_the_days_at_the_table(tmp_path: Path) -> None:
    path = write(tmp_path / "j", WON)
    # Seven hours later it is the next day in UTC, and the same evening in Denver.
    rows = rows_of(path)
    for row in rows:
        at = datetime.fromisoformat(str(row[RECORDED_AT])) + timedelta(hours=7)
        row[RECORDED_AT] = at.isoformat(timespec="microseconds").replace("+00:00", "Z")
    forge(path, rows)
    assert report_of_day(path, DAY).figures.rounds == 1
    with pytest.raises(NoSuchDayError):
        report_of_day(path, DAY + timedelta(days=1))


@pytest.mark.parametrize("day", [date.min, date.max])
def test_the_first_and_the_last_day_of_all_have_no_records(
    tmp_path: Path, day: date
) -> None:
    path = write(tmp_path / "j", WON)
    with pytest.raises(NoSuchDayError):
        report_of_day(path, day)


def test_a_day_with_every_round_is_the_shift(tmp_path: Path) -> None:
    path = write(tmp_path / "j", WON + MOVED_ON + VOID + INSURED + CASH + UNREAD)
    assert report_of_day(path, DAY).figures == report_of_shift(path, 1).figures
