"""The rounds of a journal, one line each.

A `table_state` still shows the round that it ends, so a handful of records a round
are enough, and the rest of a long journal is not read.
"""

from pathlib import Path
from typing import Final

import msgspec

from controller.core import events as ev
from controller.core.evolve import Record as Fact
from controller.core.state import Play, Wager
from controller.journal import reader
from controller.journal.records import Record as Row
from controller.journal.table_codec import CODEC

_TYPES: Final = (
    "journal_opened",
    "ruleset_set",
    "bets_closed",
    "deal_undone",
    "round_closed",
    "irregularity_found",
    "table_state",
)


class RoundSummary(msgspec.Struct, frozen=True):
    """A round in one line; amounts are whole cents, `net` as the players see it.

    While it is open, `ended_at`, `net` and `cards` are None. `irregularities`
    counts what was found in it, also before DEAL.
    """

    round: int
    started_at: str
    ended_at: str | None
    undone: bool
    ruleset: str
    seats: tuple[int, ...]
    hands: int
    wagered: int
    net: int | None
    cards: int | None
    irregularities: int


def summaries(path: Path, last: int | None = None) -> tuple[RoundSummary, ...]:
    """Return the rounds that began, the oldest first; `last` bounds how many.

    Raises:
        JournalError: the journal cannot be read.
    """
    since = 1 if last is None else reader.since_rounds(path, last)
    draft = _Draft()
    found: list[RoundSummary] = []
    for row in reader.of_types(path, _TYPES, since):
        found += draft.take(row, CODEC.decode(row))
    found += draft.still_open()
    return tuple(found if last is None else found[max(0, len(found) - last) :])


class _Draft:
    """The round that the records now tell of."""

    def __init__(self) -> None:
        self._ruleset = ""
        self._forget_round()

    def _forget_round(self) -> None:
        self._number = 0
        self._wagers: tuple[Wager, ...] = ()
        self._began_at: str | None = None
        self._ended_at: str | None = None
        self._closed: ev.RoundClosed | None = None
        self._irregularities = 0

    def take(self, row: Row, fact: Fact) -> tuple[RoundSummary, ...]:
        """Take one record; return the round that it ends, if it began."""
        ended: tuple[RoundSummary, ...] = ()
        match fact:
            case ev.JournalOpened(rules=rules) | ev.RulesetSet(rules=rules):
                self._ruleset = rules.name
            case ev.BetsClosed():
                self._began_at = row.recorded_at
                self._number, self._wagers = fact.round, fact.wagers
            case ev.DealUndone():
                self._ended_at = row.recorded_at
            case ev.RoundClosed():
                self._ended_at, self._closed = row.recorded_at, fact
            case ev.TableStateRecorded(state=state):
                ended = self._summary(state.play if self._closed else None)
                self._ruleset = state.rules.name
                self._forget_round()
            case _:
                assert isinstance(fact, ev.IrregularityFound)
                self._irregularities += 1
        return ended

    def still_open(self) -> tuple[RoundSummary, ...]:
        """Return the round that no record has ended yet, if bets are closed."""
        return self._summary(None)

    def _summary(self, play: Play | None) -> tuple[RoundSummary, ...]:
        """Return the round in a line; without its layout, by its wagers alone."""
        if self._began_at is None:
            return ()
        wagered = sum(wager.amount_cents for wager in self._wagers)
        if play is not None:
            wagered = sum(hand.wager_cents for hand in play.hands)
            wagered += sum(answer.amount_cents for answer in play.insured)
        summary = RoundSummary(
            round=self._number,
            started_at=self._began_at,
            ended_at=self._ended_at,
            undone=self._ended_at is not None and self._closed is None,
            ruleset=self._ruleset,
            seats=tuple(sorted({wager.seat for wager in self._wagers})),
            hands=len(play.hands if play is not None else self._wagers),
            wagered=wagered,
            net=self._closed.net_cents if self._closed else None,
            cards=self._closed.cards if self._closed else None,
            irregularities=self._irregularities,
        )
        return (summary,)
