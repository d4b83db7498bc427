"""PICKUP: the layout is cleared so that every hand can be shown again."""

from controller.core import events as ev
from controller.core.decide.draft import Draft, Refusal
from controller.core.errors import BrokenInvariantError
from controller.core.ids import DEALER, Phase, Reason
from controller.core.pickup import pickup_order, unracked
from controller.core.state import find_hand

_BEFORE = frozenset(
    {Phase.DEALING, Phase.INSURANCE, Phase.PLAYING, Phase.DEALER_DRAWING}
)


def pick_up(draft: Draft) -> Refusal | None:
    """Pick up every hand still lying and close the round (PICKUP-1b, PICKUP-1c).

    Raises:
        BrokenInvariantError: A dealt card is not in the rack; the round stays open.

    """
    state = draft.state
    if state.phase in _BEFORE:
        return Refusal(Reason.HAND_NOT_SETTLED)
    if state.phase is not Phase.SETTLED:
        return Refusal(Reason.WRONG_PHASE)
    assert state.shift is not None
    for name in pickup_order(state.play, state.shift.direction):
        hand = state.play.dealer if name == DEALER else find_hand(state.play, name)
        assert hand is not None
        draft.record(ev.HandPickedUp(hand=name, cards=hand.cards))
    _close(draft)
    return None


def _close(draft: Draft) -> None:
    play = draft.state.play
    left = unracked(play)
    if left:
        raise BrokenInvariantError(f"cards {sorted(left)} were dealt but not racked")
    net = sum(hand.net_cents for hand in play.hands)
    net += sum(answer.net_cents for answer in play.insured)
    cards = sum(len(group.cards) for group in play.rack)
    draft.record(ev.RoundClosed(round=draft.state.round, net_cents=net, cards=cards))
