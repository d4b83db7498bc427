"""A round rebuilt from the journal alone: what lay where, who did what, and why.

The records of one round are found by the journal's index, so a long journal does
not slow it.
"""

from itertools import chain
from pathlib import Path
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace

from controller.core import events as ev
from controller.core.cards import UNKNOWN
from controller.core.evolve import Record as Fact
from controller.core.evolve import evolve
from controller.core.ruleset_digest import ruleset_digest
from controller.core.state import Hand, Play, TableState, new_table
from controller.core.totals import total_of
from controller.evidence.account import (
    DealerAccount,
    Entry,
    HandAccount,
    InsuranceAccount,
    RoundAccount,
)
from controller.evidence.clock_trust import clock_account
from controller.evidence.narrative.moment import Moment
from controller.evidence.narrative.telling import tell
from controller.evidence.page.data import (
    Driven,
    PublicTable,
    driven_by,
    public_table,
)
from controller.evidence.panels import Panels
from controller.evidence.parts import Part, part_of
from controller.evidence.press_book import PressBook
from controller.evidence.rack import RackBook
from controller.evidence.times import time_zone
from controller.journal import reader
from controller.journal.errors import MalformedJournalError
from controller.journal.records import Record as Row
from controller.journal.table_codec import CODEC


class Step(msgspec.Struct, frozen=True):
    """The table as people saw it after one record, and what that record tells.

    `entries` is empty where other records tell the same.
    """

    sequence: int
    type: str
    table: PublicTable
    entries: tuple[Entry, ...]


class Replayed(msgspec.Struct, frozen=True):
    """A round rebuilt, and the way to it, a step for each of its records."""

    account: RoundAccount
    steps: tuple[Step, ...]


def reconstruct(path: Path, number: int, seat: int | None = None) -> RoundAccount:
    """Rebuild a round; with `seat`, only what concerns that player's dispute.

    Raises:
        RoundNotFoundError: the journal has no such round.
        JournalError: it cannot be read.
    """
    account = _rebuilt(path, number)[1]
    return account if seat is None else narrowed(account, seat)


def replayed(path: Path, number: int, seat: int | None = None) -> Replayed:
    """Rebuild a round with the table after each of its records.

    With `seat`, the account is narrowed to what concerns that player's dispute; the
    steps are the whole table's.

    Raises:
        RoundNotFoundError: the journal has no such round.
        JournalError: it cannot be read.
    """
    table, account = _rebuilt(path, number)
    return Replayed(
        account if seat is None else narrowed(account, seat), tuple(table.steps)
    )


def _rebuilt(path: Path, number: int) -> tuple["_Rebuilt", RoundAccount]:
    rows = reader.round_records(path, number)
    table = _Rebuilt(time_zone(path), _record_before(path, rows[0]))
    for row, following in zip(rows, (*rows[1:], None), strict=True):
        # A decision is whole where the next record is an input again.
        whole = following is None or following.cause is None
        table.take(row, CODEC.decode(row), whole=whole)
    account = replace(table.account(number), clock=clock_account(path, rows))
    return table, account


def narrowed(account: RoundAccount, seat: int) -> RoundAccount:
    """Return a round with one seat's hands, and what is its or the whole table's."""
    return replace(
        account,
        seats=tuple(s for s in account.seats if s == seat),
        hands=tuple(hand for hand in account.hands if hand.seat == seat),
        insurance=tuple(answer for answer in account.insurance if answer.seat == seat),
        timeline=tuple(e for e in account.timeline if e.seat in {None, seat}),
        prompts=tuple(prompt for prompt in account.prompts if prompt.seat == seat),
        presses=tuple(press for press in account.presses if press.seat == seat),
    )


def _record_before(path: Path, first: Row) -> Row | None:
    """Return the `table_state` that a round continues; None for the first round.

    Raises:
        MalformedJournalError: another record stands there.
    """
    if first.sequence == 1:
        return None
    found = reader.record_at(path, first.sequence - 1)
    if found is None or found.type != "table_state":
        raise MalformedJournalError(
            f"{path}: expected table_state as record {first.sequence - 1}; verify it"
        )
    return found


class _Rebuilt:
    """The table as the records of a round make it, and what they tell."""

    def __init__(self, zone: ZoneInfo, before: Row | None) -> None:
        self._zone = zone
        self._state: TableState | None = None
        self._panels = Panels()
        self._presses = PressBook()
        self._rack = RackBook()
        self.steps: list[Step] = []
        self._driven: Driven | None = None
        self._began_at: str | None = None
        self._ended_at: str | None = None
        self._undone = False
        if before is not None:
            recorded = CODEC.decode(before)
            assert isinstance(recorded, ev.TableStateRecorded)
            self._state = recorded.state
            # The lamps of a betting period are lit with the end of the round before.
            self._panels.begin(before, recorded.state)
            self._driven = driven_by(recorded.state)

    def take(self, row: Row, fact: Fact, *, whole: bool) -> None:
        """Let one record happen; `whole` says that it ends a decision."""
        before = self._state or self._first(row, fact)
        after = evolve(before, fact)
        entries = self._told(row, fact, before, after)
        self._presses.take(row, fact, before, self._panels.lit, entries)
        self._panels.take(row, fact)
        self._note_phase(row, fact)
        laid = self._laid(after)
        self._rack.take(row, laid.rack)
        self._state = after
        if whole or self._driven is None:
            self._driven = driven_by(after)
        seen = public_table(replace(after, play=laid), self._driven)
        self.steps.append(Step(row.sequence, row.type, seen, tuple(entries)))

    def _first(self, row: Row, fact: Fact) -> TableState:
        state = _empty(fact)
        self._panels.begin(row, state)
        return state

    def _told(
        self, row: Row, fact: Fact, before: TableState, after: TableState
    ) -> list[Entry]:
        moment = Moment(
            before,
            after,
            self._panels.lit,
            row=row,
            zone=self._zone,
            earlier=self._panels.done,
            press=self._presses.last_press,
        )
        # Once the pickup is complete the table is open for bets, of the next round.
        over = self._ended_at is not None and not self._undone
        part = Part.PICKUP if over else part_of(fact, before, after)
        return [
            Entry(
                row.sequence,
                row.recorded_at,
                row.type,
                line.seat,
                line.text,
                line.clause,
                row.cause,
                part,
            )
            for line in tell(fact, moment)
        ]

    def _note_phase(self, row: Row, fact: Fact) -> None:
        match fact:
            case ev.BetsClosed():
                self._began_at = row.recorded_at
            case ev.RoundClosed():
                self._ended_at = row.recorded_at
            case ev.DealUndone():
                self._ended_at = row.recorded_at
                self._undone = True
            case _:
                pass

    def account(self, number: int) -> RoundAccount:
        """Return the round as it now stands."""
        state = self._state
        assert state is not None
        play = self._play(state)
        shift = state.shift
        timeline = tuple(chain.from_iterable(step.entries for step in self.steps))
        return RoundAccount(
            round=number,
            table=state.table,
            ruleset=state.rules.name,
            ruleset_digest=ruleset_digest(state.rules),
            time_zone=self._zone.key,
            dealer_person=shift.dealer if shift else state.last_dealer,
            started_at=self._began_at,
            ended_at=self._ended_at,
            undone=self._undone,
            seats=tuple(sorted({hand.seat for hand in play.hands})),
            dealer=_dealer(play, state),
            hands=tuple(_hand(hand, state) for hand in play.hands),
            insurance=tuple(
                InsuranceAccount(
                    answer.seat,
                    answer.amount_cents,
                    answer.result.value if answer.result else None,
                    answer.net_cents,
                )
                for answer in play.insured
            ),
            rack=tuple(group.cards for group in play.rack),
            timeline=timeline,
            direction=shift.direction.value if shift else None,
            rack_groups=self._rack.groups({hand.id: hand.seat for hand in play.hands}),
            prompts=self._panels.prompts(),
            presses=self._presses.presses(timeline),
        )

    def _play(self, state: TableState) -> Play:
        """Return this round on the layout; before DEAL, its hands are the wagers."""
        laid = self._laid(state)
        if laid.hands:
            return laid
        hands = tuple(
            Hand(spot=wager.spot, seat=wager.seat, wager_cents=wager.amount_cents)
            for wager in state.wagers
        )
        return replace(laid, wagers=state.wagers, hands=hands)

    def _laid(self, state: TableState) -> Play:
        """Return what was laid in this round: until DEAL, burned cards alone.

        Until then the state still shows the round before.
        """
        if self._began_at is not None and not self._undone:
            return state.play
        return Play(rack=state.early)


def _empty(fact: Fact) -> TableState:
    assert isinstance(fact, ev.JournalOpened), "the reader begins at record 1"
    return new_table(fact.table, fact.seats, fact.rules)


def _dealer(play: Play, state: TableState) -> DealerAccount:
    cards = play.dealer.cards
    seen = tuple(card for card in cards if card != UNKNOWN)
    total = total_of(seen, state.rules.joker_value).points if seen else None
    return DealerAccount(cards, total)


def _hand(hand: Hand, state: TableState) -> HandAccount:
    total = total_of(hand.cards, state.rules.joker_value)
    settled = hand.settled is not None
    return HandAccount(
        hand=hand.id,
        seat=hand.seat,
        cards=hand.cards,
        total=total.points if hand.cards else None,
        soft=total.soft,
        outcome=hand.settled.value if hand.settled is not None else None,
        wager=hand.wager_cents,
        net=hand.net_cents if settled else None,
    )
