"""Taking play back, and telling it anew with a card changed (rules.md, Taking back).

The round is folded again up to an act; the acts that follow (presses, cards) are
done again one by one, each only if it is still possible, and whatever follows by
itself follows anew. What people did stays: if an act would no longer be possible,
the decision is not.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from msgspec.structs import replace

from controller.core import events as ev
from controller.core.actions import actor, legal
from controller.core.decide.applicable import NotApplicableError, need
from controller.core.decide.draft import Draft
from controller.core.decide.laying import lay_again
from controller.core.decide.layout import lies_at, lies_in_rack
from controller.core.decide.progress import advance_round
from controller.core.evolve.history import ACTS
from controller.core.ids import Button, HandId, Phase
from controller.core.state import TableState, find_hand

Act = ev.Event

_PRESSES: Final[dict[type, Button]] = {
    ev.CardAsked: Button.HIT,
    ev.HandStood: Button.STAND,
    ev.HandDoubled: Button.DOUBLE,
    ev.HandSplit: Button.SPLIT,
    ev.HandSurrendered: Button.SURRENDER,
}


PLAYED: Final = (
    *_PRESSES,
    ev.PlayerPassedOver,
    ev.OfferRefused,
    ev.OfferAccepted,
    ev.ChoiceMade,
    ev.CompletedAsDealt,
    ev.ChoiceOffered,
)
"""What becomes of a hand by its player, or in their place."""

_AFTER_PLAY: Final = frozenset({Phase.DEALER_DRAWING, Phase.SETTLED})
_AGAINST_SIGNAL: Final = (ev.CompletedAsDealt, ev.ChoiceOffered)
_WITH_ITS_CARD: Final = frozenset(
    {
        ev.CardIdentified,
        ev.CardCorrected,
        *_AGAINST_SIGNAL,
    }
)
"""What belongs to the card laid before it: nothing follows from that card alone."""

_OF_A_TURN: Final = frozenset(
    {
        ev.CardDealt,
        ev.HoleCardDealt,
        ev.CardOffered,
        ev.CompletedAsDealt,
        ev.ChoiceOffered,
    }
)
"""What is done while hands act. Once the dealer's turn has come it is out of place,
whatever the hole card is: whether a decision applies hangs on no hidden face."""


def take_back_to(draft: Draft, kept: int) -> tuple[Act, ...]:
    """Take the round back to its first `kept` records; return the acts since."""
    since = draft.state.history[kept:]
    undone = tuple(words for record in since if (words := _undone(record)))
    draft.record(ev.PlayTakenBack(kept=kept, undone=undone))
    return tuple(record for record in since if type(record) in ACTS)


def again(draft: Draft, acts: Sequence[Act], *, laid_anew: bool = False) -> None:
    """Do acts again in their order, each if it is still possible.

    `laid_anew` lays cards on the list of the deal wherever it now says, in the
    order they left the shoe.

    Raises:
        NotApplicableError: Names the act that would no longer be possible.

    """
    in_order = _hole_at_once(acts)
    for act, after in zip_longest(in_order, in_order[1:]):
        if isinstance(act, ev.CardCorrected) and _was_shown_before(draft, act):
            # The hole card was turned up as it had been read, then corrected.
            advance_round(draft, lay_held=False, until=_hole_is_shown)
        elif type(act) not in _WITH_ITS_CARD:
            # A held card was drawn after all of these, or not yet laid (IRR-7).
            advance_round(draft, lay_held=False)
        need(
            type(act) not in _OF_A_TURN or not _comes_too_late(draft, act),
            "the dealer's turn would have come before what was done since",
        )
        if isinstance(act, ev.CardDealt) and isinstance(after, _AGAINST_SIGNAL):
            need(
                may_get_against_signal(draft.state, after.hand),
                f"card {act.number} was given to hand {after.hand} since",
            )
        _once_more(draft, act, laid_anew=laid_anew)
    advance_round(draft)


def may_get_against_signal(state: TableState, name: HandId) -> bool:
    """Return whether a hand may be given a card that it did not ask for (IRR-4)."""
    hand = find_hand(state.play, name)
    if hand is None or hand.ending is not None or hand.picked_up or hand.doubled:
        return False
    return hand.acted or hand.stood or state.play.turn == name


def _hole_is_shown(draft: Draft) -> bool:
    return draft.state.play.dealer.revealed


def _hole_at_once(acts: Sequence[Act]) -> list[Act]:
    """Return the acts with what a hole card was corrected to right behind it.

    It is turned up again with the face that was read (REVEAL), and nothing shall
    follow from that one.
    """
    in_order = list(acts)
    for dealt in acts:
        if isinstance(dealt, ev.HoleCardDealt):
            corrected = [
                act
                for act in acts
                if isinstance(act, ev.CardCorrected) and act.number == dealt.number
            ]
            in_order = [act for act in in_order if act not in corrected]
            at = in_order.index(dealt) + 1
            in_order[at:at] = corrected
    return in_order


def _was_shown_before(draft: Draft, corrected: ev.CardCorrected) -> bool:
    """Return whether a hole card was corrected after it had been turned up."""
    history = draft.before.history
    shown = (
        at
        for at, record in enumerate(history)
        if isinstance(record, ev.HoleCardRevealed) and record.number == corrected.number
    )
    return next(shown, len(history)) < _index_of(history, corrected)


def _comes_too_late(draft: Draft, act: Act) -> bool:
    """Return whether this was done before the dealer's turn, which now has come."""
    if draft.state.play_phase not in _AFTER_PLAY:
        return False
    history = draft.before.history
    began = (
        at
        for at, record in enumerate(history)
        if isinstance(record, ev.DealerTurnBegan | ev.RoundSettled)
    )
    return _index_of(history, act) < next(began, len(history))


def _index_of(history: tuple[object, ...], act: Act) -> int:
    found = (at for at, record in enumerate(history) if record is act)
    return next(found, len(history))


def _once_more(draft: Draft, act: Act, *, laid_anew: bool) -> None:
    match act:
        case ev.CardDealt() | ev.HoleCardDealt():
            lay_again(draft, act, laid_anew=laid_anew)
        case (
            ev.CardAsked()
            | ev.HandStood()
            | ev.HandDoubled()
            | ev.HandSplit()
            | ev.HandSurrendered()
        ):
            need(
                _may_press(draft.state, act.hand, _PRESSES[type(act)]),
                f"{_PRESSES[type(act)].value} was pressed for hand {act.hand} since",
            )
            draft.record(act)
        case ev.PlayerPassedOver() | ev.OfferRefused() | ev.OfferAccepted():
            offered = draft.state.play.offer is not None
            need(
                _in_turn(draft.state, act.hand)
                and offered is not isinstance(act, ev.PlayerPassedOver),
                f"hand {act.hand} was decided since",
            )
            draft.record(act)
        case ev.ChoiceMade():
            hand = find_hand(draft.state.play, act.hand)
            need(
                hand is not None and hand.choosing,
                f"the player of hand {act.hand} chose since",
            )
            draft.record(act)
        case ev.InsuranceTaken() | ev.InsuranceDeclined():
            need(
                draft.state.play_phase is Phase.INSURANCE
                and not draft.state.play.insurance_closed,
                f"seat {act.seat} answered the insurance since",
            )
            draft.record(act)
        case ev.CardBurned() | ev.CardDiscarded():
            if lies_in_rack(draft.state.play, act.number):
                return
            # An offered or held card may have been laid by itself this time.
            laid = lies_at(draft.state.play, act.number) is not None
            need(not laid, f"card {act.number} went to the rack since")
            draft.record(act)
        case ev.CardIdentified() | ev.CardCorrected():
            hand_name = lies_at(draft.state.play, act.number)
            need(hand_name is not None, f"card {act.number} was identified since")
            assert hand_name is not None
            draft.record(replace(act, hand=hand_name))
        case ev.CompletedAsDealt() | ev.ChoiceOffered():
            hand = find_hand(draft.state.play, act.hand)
            need(
                hand is not None and hand.ending is None,
                f"what becomes of hand {act.hand} was decided since",
            )
            draft.record(act)
        case ev.CardOffered():
            need(
                draft.state.play_phase is not Phase.SETTLED,
                f"card {act.number} was offered since",
            )
            draft.record(act)
        case ev.ShoeShuffled():
            raise NotApplicableError("the shoe was shuffled since")
        case _:
            draft.record(act)


def _playing(state: TableState) -> bool:
    return state.play_phase is Phase.PLAYING


def _in_turn(state: TableState, name: HandId) -> bool:
    hand = actor(state) if _playing(state) else None
    return hand is not None and hand.id == name


def _may_press(state: TableState, name: HandId, button: Button) -> bool:
    if not _playing(state):
        return False
    hand = actor(state)
    return hand is not None and hand.id == name and button in legal(state, hand)


def _undone(record: object) -> str:
    match record:
        case ev.HandBusted():
            return f"hand {record.hand} bust"
        case ev.HandPickedUp():
            return f"hand {record.hand} picked up"
        case ev.HandSettled():
            return f"hand {record.hand} settled {record.outcome.value}"
        case ev.InsuranceSettled():
            return f"insurance of seat {record.seat} {record.result.value}"
        case ev.TurnPassed():
            return f"turn passed to {record.hand}"
        case ev.RoundSettled():
            return "round settled"
        case _:
            return ""
