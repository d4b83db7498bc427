"""Whether an expectation holds, and what the table shows where it does not."""

from typing import TypeAlias, assert_never

from controller.words.amounts import amount_text, net_text
from simulators.rigs.scenario.events import events_text, occurs
from simulators.rigs.scenario.expectations import (
    CausedExpectation,
    DeviceExpectation,
    ExpectAccepted,
    Expectation,
    ExpectBlackjack,
    ExpectBust,
    ExpectCards,
    ExpectEvent,
    ExpectGate,
    ExpectInsurance,
    ExpectIrregularity,
    ExpectLamps,
    ExpectNoEvent,
    ExpectNotice,
    ExpectPhase,
    ExpectPrompt,
    ExpectRack,
    ExpectRefused,
    ExpectSettled,
    ExpectTotal,
    ExpectTurn,
    ExpectWager,
    HandExpectation,
    TableExpectation,
    WordingExpectation,
)
from simulators.rigs.scenario.language import Statement
from simulators.rigs.scenario.view import HandView, TableView
from simulators.rigs.scenario.wording import all_occur
from simulators.rigs.scenario.writing import (
    buttons_text,
    kinds_text,
    rack_text,
    settlement_text,
    total_text,
)

TOTAL_MAX = 21
"""A hand over it is bust (VALUE, PICKUP-1a)."""

_Found: TypeAlias = tuple[bool, str]
"""Whether it holds, and what the table shows."""


def contradiction(expectation: Expectation, view: TableView) -> str | None:
    """Say what the table shows instead, or None if the expectation holds."""
    holds, shows = _found(expectation, view)
    return None if holds else shows or "nothing"


def failure_line(file: str, statement: Statement, shows: str) -> str:
    """Write what a failed expectation reports: `FILE:LINE: expected …, got …`."""
    expected = statement.text.removeprefix("expect ")
    return f"{file}:{statement.line}: expected {expected}, got {shows}"


def _found(expectation: Expectation, view: TableView) -> _Found:
    if isinstance(expectation, TableExpectation):
        return _table(expectation, view)
    if isinstance(expectation, DeviceExpectation):
        return _device(expectation, view)
    if isinstance(expectation, HandExpectation):
        hand = view.hand(expectation.hand)
        if hand is None:
            return False, f"no hand {expectation.hand}"
        return _hand(expectation, hand)
    if isinstance(expectation, CausedExpectation):
        return _caused(expectation, view)
    return _wording(expectation, view)


def _table(expectation: TableExpectation, view: TableView) -> _Found:
    match expectation:
        case ExpectPhase(phase):
            return view.phase is phase, view.phase.name
        case ExpectTurn(hand):
            return view.turn == hand, view.turn or "none"
        case ExpectIrregularity(kind):
            return kind in view.irregularities, kinds_text(view.irregularities)
        case ExpectRack(groups):
            return view.rack == groups, rack_text(view.rack)
        case ExpectInsurance():
            return _insurance(expectation, view)
        case _ as never:
            assert_never(never)


def _device(expectation: DeviceExpectation, view: TableView) -> _Found:
    match expectation:
        case ExpectLamps(seat, buttons):
            lit = view.lit(seat)
            return lit == buttons, buttons_text(lit)
        case ExpectGate(gate):
            return view.gate is gate, view.gate.value
        case _ as never:
            assert_never(never)


def _insurance(expectation: ExpectInsurance, view: TableView) -> _Found:
    settled = [one for one in view.insurance if one.seat == expectation.seat]
    holds = any(
        one.outcome is expectation.outcome and one.net_cents == expectation.net_cents
        for one in settled
    )
    return holds, ", ".join(
        f"{one.outcome.value} {net_text(one.net_cents)}" for one in settled
    )


def _hand(expectation: HandExpectation, hand: HandView) -> _Found:
    match expectation:
        case ExpectCards(cards=cards):
            return hand.cards == cards, " ".join(hand.cards)
        case ExpectTotal(total=total, soft=soft):
            holds = hand.total == total and hand.soft >= soft
            return holds, _total_shown(hand)
        case ExpectBlackjack():
            return hand.blackjack, _total_shown(hand)
        case ExpectBust():
            return (hand.total or 0) > TOTAL_MAX, _total_shown(hand)
        case ExpectWager(amount_cents=cents):
            wager = hand.wager_cents
            shows = "" if wager is None else amount_text(wager)
            return wager == cents, shows
        case ExpectSettled():
            return _settled(expectation, hand)
        case _ as never:
            assert_never(never)


def _total_shown(hand: HandView) -> str:
    total = total_text(hand)
    return f"{total} of {' '.join(hand.cards)}" if total else " ".join(hand.cards)


def _settled(expectation: ExpectSettled, hand: HandView) -> _Found:
    if hand.settled is None:
        return False, "not settled"
    expected = expectation.outcome, expectation.net_cents
    holds = (hand.settled.outcome, hand.settled.net_cents) == expected
    return holds, settlement_text(hand.settled)


def _caused(expectation: CausedExpectation, view: TableView) -> _Found:
    match expectation:
        case ExpectRefused(reason):
            shows = "accepted" if view.refused is None else f"refused {view.refused}"
            return view.refused == reason, shows
        case ExpectAccepted():
            return view.refused is None, f"refused {view.refused}"
        case ExpectEvent(type_, fields):
            holds = any(occurs(event, type_, fields) for event in view.events)
            return holds, events_text(view.events, type_)
        case ExpectNoEvent(type_):
            holds = all(event.type != type_ for event in view.events)
            return holds, events_text(view.events, type_)
        case _ as never:
            assert_never(never)


def _wording(expectation: WordingExpectation, view: TableView) -> _Found:
    match expectation:
        case ExpectNotice(to, words):
            showing = tuple(note.text for note in view.notices if note.to == to)
            return _occur(words, showing)
        case ExpectPrompt(words):
            return _occur(words, (view.prompt,))
        case _ as never:
            assert_never(never)


def _occur(words: tuple[str, ...], showing: tuple[str, ...]) -> _Found:
    holds = any(all_occur(words, text) for text in showing)
    return holds, " / ".join(showing)
