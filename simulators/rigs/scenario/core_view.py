"""What a scenario sees of the core's state, as a player may see it."""

from collections.abc import Iterable

import msgspec

from controller.core import events as ev
from controller.core.cards import UNKNOWN, Card
from controller.core.evolve import Record
from controller.core.ids import DEALER, Button, HandId
from controller.core.outputs import Outputs, outputs, turn_of, wager_shown
from controller.core.payouts import has_blackjack
from controller.core.state import Hand, TableState
from controller.core.totals import is_blackjack, total_of
from simulators.rigs.scenario.view import (
    EventView,
    FieldValue,
    HandView,
    InsuranceView,
    NoticeView,
    SeatLamps,
    Settlement,
    TableView,
)
from simulators.rigs.scenario.vocabulary import Gate, Staff


def view_of(state: TableState, caused: Iterable[Record]) -> TableView:
    """Return the table as a scenario sees it; `caused` is what the last step led to."""
    shown, records = outputs(state), tuple(caused)
    return TableView(
        phase=state.phase,
        turn=turn_of(state) or None,
        lamps=lamps_of(state, shown),
        gate=Gate.OPEN if shown.gate_up_to else Gate.LOCKED,
        hands=tuple(_hands(state)),
        dealer=_dealer(state),
        insurance=tuple(
            InsuranceView(a.seat, a.result, a.net_cents)
            for a in state.play.insured
            if a.result is not None
        ),
        rack=tuple(group.cards for group in (*state.play.rack, *state.early)),
        irregularities=tuple(found.kind for found in state.irregularities),
        notices=tuple(
            NoticeView(
                Staff(note.to) if not note.to.isdigit() else int(note.to), note.words
            )
            for note in shown.notices
        ),
        prompt=shown.dealer.words,
        refused=refused_reason(records),
        events=tuple(_event(record) for record in records),
    )


def lamps_of(state: TableState, shown: Outputs) -> tuple[SeatLamps, ...]:
    """Return the lamps of the seats' panels; a lost one is dark (Faults)."""
    return tuple(
        SeatLamps(
            prompt.seat,
            frozenset()
            if seat.panel_lost
            else frozenset(Button(button) for button in prompt.buttons),
        )
        for prompt, seat in zip(shown.prompts[1:], state.seats, strict=True)
    )


def refused_reason(records: Iterable[Record]) -> str | None:
    """Return why the last step was refused, None where it was accepted."""
    refusals = [
        record.reason.value
        for record in records
        if isinstance(record, ev.PressRefused | ev.CommandRefused)
    ]
    return refusals[-1] if refusals else None


def _hands(state: TableState) -> Iterable[HandView]:
    visible = {hand.id for hand in state.play.hands}
    for hand in state.play.hands:
        yield _hand(state, hand)
    for wager in state.wagers:
        name = HandId(str(wager.spot))
        if name not in visible:
            yield HandView(hand=name, cards=(), wager_cents=wager.amount_cents)


def _hand(state: TableState, hand: Hand) -> HandView:
    total = total_of(hand.cards, state.rules.joker_value)
    settled = None
    if hand.settled is not None:
        settled = Settlement(hand.settled, hand.net_cents)
    return HandView(
        hand=hand.id,
        cards=hand.cards,
        total=total.points if hand.cards else None,
        soft=total.soft,
        blackjack=has_blackjack(hand, state.rules),
        wager_cents=wager_shown(state, hand.id),
        settled=settled,
    )


def _dealer(state: TableState) -> HandView | None:
    cards = state.play.dealer.cards
    if not cards:
        return None
    joker = state.rules.joker_value
    seen: tuple[Card, ...] = tuple(card for card in cards if card != UNKNOWN)
    total = total_of(seen, joker)
    return HandView(
        hand=DEALER,
        cards=cards,
        total=total.points if seen else None,
        soft=total.soft,
        blackjack=is_blackjack(cards, joker),
    )


def _event(record: Record) -> EventView:
    plain = msgspec.to_builtins(record)
    tag = plain.pop("type")
    fields: dict[str, FieldValue] = {
        name: value
        for name, value in plain.items()
        if value is None or isinstance(value, bool | int | str)
    }
    return EventView(tag, fields)
