"""What a player's choice, or a decision, makes of a hand."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from controller.core import events as ev
from controller.core.cards import rank
from controller.core.deal import without_hand
from controller.core.evolve.moves import new_wait, with_hand
from controller.core.ids import Button, HandId, Outcome, Stage
from controller.core.state import Hand, Place, Play, TableState, Wait, find_hand


def _changed(
    state: TableState, hand: HandId, change: Callable[[Hand], Hand]
) -> TableState:
    play = state.play
    return replace(state, play=replace(play, hands=with_hand(play, hand, change)))


def _ended(
    state: TableState, hand: HandId, change: Callable[[Hand], Hand]
) -> TableState:
    """Return the table with a hand over: what it had asked for is not due (GATE)."""
    play = _changed(state, hand, change).play
    return replace(state, play=replace(play, places=without_hand(play.places, hand)))


def _due(state: TableState, hand: HandId) -> TableState:
    """Return the table with one card due at this hand (DUE, GATE)."""
    places = (*state.play.places, Place(hand))
    return replace(state, play=replace(state.play, places=places))


def _card_asked(state: TableState, event: ev.CardAsked) -> TableState:
    acted = _changed(state, event.hand, lambda hand: replace(hand, acted=True))
    return _due(acted, event.hand)


def _hand_stood(state: TableState, event: ev.HandStood) -> TableState:
    return _changed(
        state, event.hand, lambda hand: replace(hand, acted=True, stood=True)
    )


def _hand_doubled(state: TableState, event: ev.HandDoubled) -> TableState:
    doubled = _changed(
        state,
        event.hand,
        lambda hand: replace(
            hand, acted=True, doubled=True, wager_cents=event.wager_cents
        ),
    )
    return _due(doubled, event.hand)


def _hand_split(state: TableState, event: ev.HandSplit) -> TableState:
    """Put the new hand right after the old one; later numbers move up (SPLIT)."""
    play = state.play
    old = find_hand(play, event.hand)
    assert old is not None
    part = old.part or 1
    aces = rank(old.cards[0]) == "A"
    first = replace(
        old,
        part=part,
        cards=old.cards[:1],
        numbers=old.numbers[:1],
        split_aces=aces,
        acted=True,
    )
    second = replace(
        old,
        part=part + 1,
        wager_cents=event.wager_cents,
        cards=old.cards[1:],
        numbers=old.numbers[1:],
        split_aces=aces,
        acted=False,
    )
    hands: list[Hand] = []
    for hand in play.hands:
        if hand.id == event.hand:
            hands += (first, second)
        elif hand.spot == old.spot and hand.part > part:
            hands.append(replace(hand, part=hand.part + 1))
        else:
            hands.append(hand)
    split = replace(state, play=_with_turn(play, tuple(hands), first.id))
    return _due(split, first.id)


def _with_turn(play: Play, hands: tuple[Hand, ...], turn: HandId) -> Play:
    return replace(play, hands=hands, turn=turn)


def _hand_surrendered(state: TableState, event: ev.HandSurrendered) -> TableState:
    return _ended(
        state,
        event.hand,
        lambda hand: replace(hand, acted=True, ending=Outcome.SURRENDER),
    )


def _player_asked(state: TableState, _event: ev.PlayerAsked) -> TableState:
    return replace(state, wait=Wait(state.wait.number, Stage.MOVE_ON))


def _move_on_allowed(state: TableState, _event: ev.MoveOnAllowed) -> TableState:
    return replace(state, wait=Wait(state.wait.number, Stage.OVER))


def _player_passed_over(state: TableState, event: ev.PlayerPassedOver) -> TableState:
    return _changed(state, event.hand, lambda hand: replace(hand, stood=True))


def _hand_busted(state: TableState, event: ev.HandBusted) -> TableState:
    return _ended(state, event.hand, lambda hand: replace(hand, ending=Outcome.BUST))


def _choice_offered(state: TableState, event: ev.ChoiceOffered) -> TableState:
    offered = _changed(
        state,
        event.hand,
        lambda hand: replace(hand, choosing=True, stood=False, acted=True),
    )
    return replace(offered, wait=new_wait(state))


def _choice_made(state: TableState, event: ev.ChoiceMade) -> TableState:
    def choose(hand: Hand) -> Hand:
        chosen = replace(hand, choosing=False)
        if event.button is Button.PASS:
            return replace(chosen, ending=Outcome.PUSH)
        if event.button is Button.HIT:
            return replace(chosen, acts_later=True)
        return replace(chosen, stood=True)

    made = _ended if event.button is Button.PASS else _changed
    # A hand that takes more cards later has a turn of its own then (PLAY-3).
    return replace(made(state, event.hand, choose), wait=new_wait(state))


def _completed_as_dealt(state: TableState, event: ev.CompletedAsDealt) -> TableState:
    return _changed(
        state,
        event.hand,
        lambda hand: replace(
            hand, stood=True, settled=None, net_cents=0, choosing=False
        ),
    )


def _offer_refused(state: TableState, event: ev.OfferRefused) -> TableState:
    refused = _changed(
        state, event.hand, lambda hand: replace(hand, acted=True, stood=True)
    )
    return replace(refused, wait=new_wait(state))


def _offer_accepted(state: TableState, event: ev.OfferAccepted) -> TableState:
    return _changed(state, event.hand, lambda hand: replace(hand, acted=True))


def _hand_voided(state: TableState, event: ev.HandVoided) -> TableState:
    """End a hand by decision; a settlement it had is taken back with it."""
    return _ended(
        state,
        event.hand,
        lambda hand: replace(
            hand, ending=event.outcome, settled=None, net_cents=0, choosing=False
        ),
    )


APPLY: Final[dict[type, Callable[[TableState, Any], TableState]]] = {
    ev.CardAsked: _card_asked,
    ev.HandStood: _hand_stood,
    ev.HandDoubled: _hand_doubled,
    ev.HandSplit: _hand_split,
    ev.HandSurrendered: _hand_surrendered,
    ev.PlayerAsked: _player_asked,
    ev.MoveOnAllowed: _move_on_allowed,
    ev.PlayerPassedOver: _player_passed_over,
    ev.HandBusted: _hand_busted,
    ev.ChoiceOffered: _choice_offered,
    ev.ChoiceMade: _choice_made,
    ev.CompletedAsDealt: _completed_as_dealt,
    ev.OfferRefused: _offer_refused,
    ev.OfferAccepted: _offer_accepted,
    ev.HandVoided: _hand_voided,
}
