"""Counts what a report tells, record by record, in little memory."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.evolve import Record as Fact
from controller.core.state import Play
from controller.evidence.panels import Ended, Panels, PromptAccount
from controller.journal.records import Record as Row

_BETS: Final = frozenset({"bet", "clear", "rebet"})

TYPES: Final = tuple(
    str(kind.__struct_config__.tag)
    for kind in (
        cm.ReportCard,
        ev.BetsClosed,
        ev.CardCorrected,
        ev.CashDropped,
        ev.ChoiceMade,
        ev.ControlResumed,
        ev.DealUndone,
        ev.DecisionTaken,
        ev.InsuranceClosed,
        ev.IrregularityFound,
        ev.JournalOpened,
        ev.OfferRefused,
        ev.PanelBack,
        ev.PanelLost,
        ev.PlayerPassedOver,
        ev.PressAccepted,
        ev.PressRefused,
        ev.PromptsChanged,
        ev.RoundClosed,
        ev.ShiftClosed,
        ev.ShiftOpened,
        ev.TableStateRecorded,
        ev.TableSuspended,
    )
)
"""The types of the records that a report is made of."""


class Waits(msgspec.Struct, frozen=True):
    """How long players' prompts waited for their answers, without those for bets.

    `longest_ms` was in round `longest_round`. `moved_on` were never answered: the
    dealer pressed NEXT. Time in which the controller was down counts with a wait.
    """

    answered: int
    median_ms: int | None
    longest_ms: int | None
    longest_round: int | None
    moved_on: int


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """What was counted.

    `rounds` are those that ended, `hands` and amounts theirs; a round that is `open`
    and a DEAL that was taken back (`undone`) are counted apart. `net` is
    `won_by_players` less `won_by_house`. A round that a successor journal made void
    ended there: it is among the `rounds` and the `void_rounds` of the successor.
    """

    rounds: int
    open: int
    undone: int
    hands: int
    wagered: int
    won_by_players: int
    won_by_house: int
    net: int
    cash_dropped: int
    void_rounds: int
    void_hands: int
    misdeals: int
    irregularities: dict[str, int]
    decisions: dict[str, int]
    cards: int
    misreads: int
    misreads_per_thousand: float | None
    waits: Waits
    presses: int
    refused: dict[str, int]


class Tally:
    """Counts records; of the rounds, those whose bets were closed while it counted."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._irregularities: Counter[str] = Counter()
        self._decisions: Counter[str] = Counter()
        self._refused: Counter[str] = Counter()
        # How many waits there were of each length: a year of them stays small.
        self._waits: Counter[int] = Counter()
        self._longest: tuple[int, int | None] | None = None
        self._panels = Panels()
        self._last_card = 0
        self._round_counts = False
        self._closed = False
        self._predecessor: ev.Predecessor | None = None

    def take(self, row: Row, fact: Fact, *, counts: bool) -> None:
        """Take the next record of the types above; `counts`: it belongs to the report.

        Those that do not must come along where they stand between others, so that
        waits and rounds are seen whole. Of several files of a journal, the oldest
        comes first.
        """
        if isinstance(fact, ev.JournalOpened):
            # Records are numbered anew, and no lamp is lit from one file to the next.
            self._panels = Panels()
        self._panels.take(row, fact)
        ended = self._panels.forget_done()
        self._follow_round(fact, counts=counts)
        self._follow_succession(fact, counts=counts)
        if counts:
            self._count(fact)
            self._count_waits(ended, row.round)

    def _follow_round(self, fact: Fact, *, counts: bool) -> None:
        match fact:
            case ev.BetsClosed():
                self._round_counts, self._closed = counts, False
            case ev.DealUndone():
                self._counts["undone"] += self._round_counts
                self._round_counts = False
            case ev.RoundClosed():
                self._closed = True
            case ev.TableStateRecorded():
                if self._round_counts and self._closed:
                    self._count_round(fact.state.play)
                self._round_counts = False
            case _:
                pass

    def _follow_succession(self, fact: Fact, *, counts: bool) -> None:
        """Count what a journal's first record says of the one before it.

        That waits for the record behind it, the table that was taken over: only there
        it is seen whose shift it was.
        """
        match fact:
            case ev.JournalOpened(succeeds=predecessor):
                self._predecessor = predecessor
            case ev.TableStateRecorded():
                if counts and self._predecessor is not None:
                    self._count_predecessor(self._predecessor)
                self._predecessor = None
            case _:
                pass

    def _count_predecessor(self, old: ev.Predecessor) -> None:
        self._decisions["successor"] += bool(old.found)
        if not old.void_round:
            return
        returned = [wager.amount_cents for wager in old.wagers]
        returned += [answer.amount_cents for answer in old.insurance]
        self._counts["rounds"] += 1
        self._counts["voided_by_successor"] += 1
        self._counts["hands"] += len(old.wagers)
        self._counts["wagered"] += sum(returned)

    def _count_round(self, play: Play) -> None:
        nets = [hand.net_cents for hand in play.hands]
        nets += [answer.net_cents for answer in play.insured]
        wagers = [hand.wager_cents for hand in play.hands]
        wagers += [answer.amount_cents for answer in play.insured]
        self._counts["rounds"] += 1
        self._counts["hands"] += len(play.hands)
        self._counts["wagered"] += sum(wagers)
        self._counts["won_by_players"] += sum(net for net in nets if net > 0)
        self._counts["won_by_house"] -= sum(net for net in nets if net < 0)

    def _count(self, fact: Fact) -> None:
        match fact:
            case cm.ReportCard():
                self._count_card(fact)
            case ev.CardCorrected():
                self._counts["misreads"] += 1
            case ev.CashDropped():
                self._counts["cash_dropped"] += fact.amount_cents
            case ev.IrregularityFound():
                self._irregularities[fact.kind.value] += 1
            case ev.DecisionTaken():
                self._decisions[fact.command] += 1
            case ev.PressAccepted():
                self._counts["presses"] += 1
            case ev.PressRefused():
                self._counts["presses"] += 1
                self._refused[fact.reason.value] += 1
            case (
                ev.PlayerPassedOver()
                | ev.ChoiceMade(passed_over=True)
                | ev.OfferRefused(passed_over=True)
            ):
                self._counts["moved_on"] += 1
            case _:
                pass

    def _count_card(self, report: cm.ReportCard) -> None:
        """Count a card once, also if the shoe read it again under its number."""
        if report.number <= self._last_card:
            return
        self._last_card = report.number
        self._counts["cards"] += 1
        self._counts["misreads"] += report.unread

    def _count_waits(self, ended: Iterable[PromptAccount], number: int | None) -> None:
        for prompt in ended:
            if prompt.ended is not Ended.ANSWERED or prompt.waited_ms is None:
                continue
            if _BETS.isdisjoint(prompt.buttons):
                self._waits[prompt.waited_ms] += 1
                if self._longest is None or prompt.waited_ms > self._longest[0]:
                    self._longest = (prompt.waited_ms, number)

    def figures(self) -> Figures:
        """Return what was counted so far."""
        count = self._counts
        return Figures(
            rounds=count["rounds"],
            open=int(self._round_counts),
            undone=count["undone"],
            hands=count["hands"],
            wagered=count["wagered"],
            won_by_players=count["won_by_players"],
            won_by_house=count["won_by_house"],
            net=count["won_by_players"] - count["won_by_house"],
            cash_dropped=count["cash_dropped"],
            void_rounds=self._decisions["void-round"] + count["voided_by_successor"],
            void_hands=self._decisions["void-hand"],
            misdeals=self._decisions["misdeal"],
            irregularities=_most_first(self._irregularities),
            decisions=_most_first(self._decisions),
            cards=count["cards"],
            misreads=count["misreads"],
            misreads_per_thousand=_per_thousand(count["misreads"], count["cards"]),
            waits=self._waited(),
            presses=count["presses"],
            refused=_most_first(self._refused),
        )

    def _waited(self) -> Waits:
        longest_ms, longest_round = self._longest or (None, None)
        return Waits(
            answered=self._waits.total(),
            median_ms=_median(self._waits),
            longest_ms=longest_ms,
            longest_round=longest_round,
            moved_on=self._counts["moved_on"],
        )


def _most_first(counter: Counter[str]) -> dict[str, int]:
    found = [(name, count) for name, count in counter.items() if count]
    return dict(sorted(found, key=lambda each: (-each[1], each[0])))


def _per_thousand(part: int, whole: int) -> float | None:
    return round(1_000 * part / whole, 2) if whole else None


def _median(counted: Mapping[int, int]) -> int | None:
    """Return the value in the middle; of two, the lower."""
    passed, total = 0, sum(counted.values())
    for value in sorted(counted):
        passed += counted[value]
        if 2 * passed >= total:
            return value
    return None
