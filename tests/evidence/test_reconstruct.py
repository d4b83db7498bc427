"""A round rebuilt from the journal is the round that was played."""

from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
import pytest

from controller.core.ruleset_digest import ruleset_digest
from controller.evidence.account import Entry, RoundAccount
from controller.evidence.narrative.refusals import REFUSED
from controller.evidence.narrative.settlement import CLAUSES
from controller.evidence.reconstruct import reconstruct
from controller.evidence.summaries import summaries
from controller.evidence.times import day_and_time, time_of_day, time_zone
from controller.journal.errors import MalformedJournalError, RoundNotFoundError
from controller.journal.reader import round_records
from controller.rulesets.loader import load_ruleset
from tests.evidence.recorded import (
    forge,
    forge_bodies,
    recorded,
    without_triggers,
    write,
)
from tests.evidence.test_narrative import RARE, told

SCENARIOS = sorted(Path("tests/scenarios").rglob("*.scenario"))

ROUND = """
bet 1 25
bet 3 10
dealer deal
card 9h Ts 6d 9c 8s Tc
press 3 hit
press 1 stand
press 3 stand
card 5h
dealer pickup
"""
OPEN = "bet 1 25\ndealer deal\ncard Th 6d 5c Tc\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path / "table.journal", ROUND)


def of(entries: Iterable[Entry], type_: str) -> list[Entry]:
    return [entry for entry in entries if entry.type == type_]


# --- The whole ---------------------------------------------------------------


def test_the_account_is_the_round(path: Path) -> None:
    account = reconstruct(path, 1)
    assert account.ruleset == "colorado"
    assert account.ruleset_digest == ruleset_digest(load_ruleset("colorado"))
    assert account.dealer_person == "D1"
    assert account.seats == (1, 3)
    assert (account.dealer.cards, account.dealer.total) == (("6d", "Tc", "5h"), 21)
    one, three = account.hands
    assert (one.hand, one.seat, one.cards, one.total) == ("1", 1, ("9h", "9c"), 18)
    assert (one.wager, one.outcome, one.net) == (2500, "lose", -2500)
    assert (three.hand, three.net) == ("3", -1000)
    assert account.rack == (("Ts", "8s"), ("9h", "9c"), ("6d", "Tc", "5h"))
    assert not account.undone


def test_it_starts_when_bets_are_closed_and_ends_with_the_pickup(path: Path) -> None:
    account = reconstruct(path, 1)
    assert account.started_at == of(account.timeline, "bets_closed")[0].at
    assert account.ended_at == of(account.timeline, "round_closed")[0].at
    assert account.started_at < account.ended_at


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda file: file.stem)
def test_every_fact_of_every_round_is_told(
    scenario: Path, journal_of: Callable[[Path], Path]
) -> None:
    path = journal_of(scenario)
    for summary in summaries(path):
        account = reconstruct(path, summary.round)
        told = {entry.sequence for entry in account.timeline}
        facts = {
            row.sequence
            for row in round_records(path, summary.round)
            if row.cause is not None and row.type != "table_state"
        }
        assert facts <= told
        assert all(entry.text and entry.clause for entry in account.timeline)
        assert account.seats == summary.seats
        assert account.started_at == summary.started_at
        assert account.ended_at == summary.ended_at
        if summary.net is not None:
            net = sum(hand.net or 0 for hand in account.hands)
            net += sum(answer.net for answer in account.insurance)
            assert net == summary.net
            assert len(account.hands) == summary.hands
            assert sum(map(len, account.rack)) == summary.cards


def test_json_has_the_names_that_programs_rely_on(path: Path) -> None:
    plain = msgspec.json.decode(msgspec.json.encode(reconstruct(path, 1)))
    names = ("round", "ruleset", "started_at", "ended_at", "seats", "dealer")
    assert {*names, "hands", "rack", "timeline"} <= plain.keys()
    assert {"cards", "total"} <= plain["dealer"].keys()
    of_a_hand = {"hand", "seat", "cards", "total", "outcome", "wager", "net"}
    assert of_a_hand <= plain["hands"][0].keys()
    of_an_entry = {"sequence", "at", "type", "seat", "text", "clause"}
    assert of_an_entry <= plain["timeline"][0].keys()


def known_clauses() -> set[str]:
    rows = Path("docs/rules.md").read_text().splitlines()
    return {row.split("|")[1].strip() for row in rows if row.startswith("| ")}


def unknown_among(named: Iterable[str]) -> set[str]:
    parts = {part for clause in named for part in clause.split(" to ")}
    return parts - known_clauses()


def test_every_clause_that_can_be_named_is_in_the_matrix_of_the_rules() -> None:
    named = {line.clause for fact, _ in RARE for line in told(fact)}
    named |= {why.clause for why in REFUSED.values()}
    assert unknown_among(named | set(CLAUSES.values())) == set()


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda file: file.stem)
def test_every_clause_that_a_round_names_is_in_the_matrix(
    scenario: Path, journal_of: Callable[[Path], Path]
) -> None:
    timeline = reconstruct(journal_of(scenario), 1).timeline
    assert unknown_among(entry.clause for entry in timeline) == set()


# --- Presses and prompts -----------------------------------------------------


def test_a_refused_press_is_told_with_its_reason(path: Path) -> None:
    (refused,) = of(reconstruct(path, 1).timeline, "press_refused")
    assert refused.seat == 3
    assert refused.clause == "ORDER"
    assert "Seat 3 presses HIT, refused: it is not this seat's turn" in refused.text
    assert "the turn is hand 1's, of seat 1" in refused.text


def test_a_press_is_told_with_what_was_lit_since_when(path: Path) -> None:
    timeline = reconstruct(path, 1).timeline
    lit = [
        entry
        for entry in of(timeline, "prompts_changed")
        if entry.seat == 1 and "shows hit" in entry.text
    ]
    press = next(e for e in of(timeline, "press_accepted") if "STAND" in e.text)
    since = time_of_day(lit[-1].at, time_zone(path))
    assert f"its panel shows hit, stand, double, split and surrender since {since}" in (
        press.text
    )


def test_the_lamps_of_the_next_bets_are_lit_since_the_round_before(
    tmp_path: Path,
) -> None:
    path = write(tmp_path / "j", ROUND + "bet 1 5\n")
    first, second = reconstruct(path, 1), reconstruct(path, 2)
    since = time_of_day(str(first.ended_at), time_zone(path))
    (press,) = of(second.timeline, "press_accepted")
    assert f"its panel shows bet and rebet since {since}" in press.text


# --- One seat ----------------------------------------------------------------


def test_one_seats_dispute_leaves_out_the_others(path: Path) -> None:
    whole, one = reconstruct(path, 1), reconstruct(path, 1, seat=3)
    assert one.seats == (3,)
    assert [hand.seat for hand in one.hands] == [3]
    assert {entry.seat for entry in one.timeline} == {None, 3}
    assert of(one.timeline, "press_refused") == of(whole.timeline, "press_refused")
    assert of(one.timeline, "hole_card_revealed")
    assert one.rack == whole.rack


def test_insurance_is_in_the_account_and_narrowed(tmp_path: Path) -> None:
    text = (
        "bet 1 25\nbet 3 10\ndealer deal\ncard 9h Ts Ad 9c 8s 5c\n"
        "press 1 insure\npress 3 pass\n"
    )
    path = write(tmp_path / "j", text)
    whole = reconstruct(path, 1).insurance
    assert [(a.seat, a.amount, a.outcome, a.net) for a in whole] == [
        (1, 1250, "lose", -1250),
        (3, 0, None, 0),
    ]
    assert [a.seat for a in reconstruct(path, 1, seat=1).insurance] == [1]


# --- Rounds that are open, undone, or not there -------------------------------


def test_the_hole_card_of_an_open_round_is_not_known(tmp_path: Path) -> None:
    account = reconstruct(write(tmp_path / "j", OPEN), 1)
    assert account.dealer.cards == ("6d", "??")
    assert account.dealer.total == 6
    (hand,) = account.hands
    assert (hand.outcome, hand.net) == (None, None)
    assert account.ended_at is None


def test_open_rounds_that_differ_in_the_hole_card_only_are_told_alike(
    tmp_path: Path,
) -> None:
    one = reconstruct(write(tmp_path / "one", OPEN), 1)
    two = reconstruct(write(tmp_path / "two", OPEN.replace("Tc", "2s")), 1)
    assert msgspec.json.encode(one) == msgspec.json.encode(two)


def test_while_bets_are_open_only_wagers_lie_there(tmp_path: Path) -> None:
    path = write(tmp_path / "j", ROUND + "bet 5 40\n")
    account = reconstruct(path, 2)
    assert (account.started_at, account.ended_at) == (None, None)
    assert account.dealer.cards == ()
    assert account.dealer.total is None
    (hand,) = account.hands
    assert (hand.seat, hand.cards, hand.total, hand.wager) == (5, (), None, 4000)


def test_a_deal_that_was_taken_back_spends_its_number(tmp_path: Path) -> None:
    path = write(tmp_path / "j", "bet 1 25\ndealer deal\ndealer undo-deal\n" + ROUND)
    undone = reconstruct(path, 1)
    assert undone.undone
    assert undone.ended_at is not None
    assert of(undone.timeline, "deal_undone")
    assert not reconstruct(path, 2).undone
    first, second = summaries(path)
    assert (first.undone, first.net, first.hands) == (True, None, 1)
    assert not second.undone


def test_a_round_that_is_not_there_is_said(path: Path) -> None:
    with pytest.raises(RoundNotFoundError, match="no round 9"):
        reconstruct(path, 9)


def test_a_journal_whose_record_before_a_round_is_gone_is_malformed(
    tmp_path: Path,
) -> None:
    path = write(tmp_path / "j", "wait 1")
    with without_triggers(path) as connection:
        connection.execute("DELETE FROM journal WHERE sequence = 1")
    with pytest.raises(MalformedJournalError, match="expected table_state as record 1"):
        reconstruct(path, 1)


# --- Lists of rounds ---------------------------------------------------------


def test_summaries_count_wagers_nets_cards_and_irregularities(tmp_path: Path) -> None:
    called = OPEN + 'dealer call "a question"\nsupervisor S1 resume\npress 1 stand\n'
    path = write(tmp_path / "j", ROUND + called)
    first, second = summaries(path)
    assert (first.round, first.wagered, first.net, first.cards) == (1, 3500, -3500, 7)
    assert (first.ruleset, first.seats, first.irregularities) == ("colorado", (1, 3), 0)
    assert (second.ended_at, second.net, second.cards) == (None, None, None)
    assert (second.wagered, second.irregularities) == (2500, 1)


@pytest.mark.parametrize("last", [1, 2, 3, 9])
def test_the_last_rounds_are_the_last_of_all(last: int, tmp_path: Path) -> None:
    rules = "supervisor S1 set-rules house\n"
    path = write(tmp_path / "j", ROUND + rules + ROUND + OPEN)
    assert summaries(path, last) == summaries(path)[-last:]
    assert [each.ruleset for each in summaries(path)] == ["colorado", "house", "house"]


def test_between_rounds_the_last_ones_are_those_that_ended(tmp_path: Path) -> None:
    path = write(tmp_path / "j", ROUND * 3)
    assert [each.round for each in summaries(path, 2)] == [2, 3]
    assert summaries(write(tmp_path / "none", "wait 1")) == ()


# --- Times -------------------------------------------------------------------


def test_times_are_the_tables_own(path: Path) -> None:
    zone = time_zone(path)
    assert zone.key == "America/Denver"
    assert day_and_time("2026-01-31T18:00:01.500000Z", zone) == "2026-01-31 11:00:01"
    assert time_of_day("2026-01-31T18:00:01.560000Z", zone) == "11:00:01.5"


@pytest.mark.parametrize("name", ["", "Mars/Olympus", "/etc/passwd"])
def test_a_zone_that_is_not_known_is_utc(name: str, path: Path) -> None:
    forge_bodies(path, "journal_opened", lambda body: body.update(time_zone=name))
    assert time_zone(path).key == "UTC"


def test_without_records_the_zone_is_utc(path: Path) -> None:
    forge(path, [])
    assert time_zone(path).key == "UTC"


def test_a_running_table_can_be_asked(tmp_path: Path) -> None:
    path = tmp_path / "j"
    with recorded(path, OPEN) as table:
        assert isinstance(reconstruct(path, 1), RoundAccount)
        table.do_text("press 1 stand\ncard 5h\ndealer pickup")
        assert reconstruct(path, 1).ended_at is not None
