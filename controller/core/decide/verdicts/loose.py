"""Exposed and undecided cards: IRR-5 to IRR-9, and a card that was never drawn."""

from typing import Final

from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.commands import TakeDecision
from controller.core.decide.applicable import need
from controller.core.decide.draft import Draft
from controller.core.decide.hole import turn_up
from controller.core.decide.layout import (
    came_into_play,
    card_laid_at,
    last_card_laid,
    lies_at,
)
from controller.core.decide.retell import again, take_back_to
from controller.core.decide.verdicts.common import (
    burned,
    discarded,
    face_of,
    open_oldest_to_rack,
    others,
    round_is_open,
)
from controller.core.ids import (
    DEALER,
    HandId,
    Phase,
)
from controller.core.secrets import face_down_numbers
from controller.core.state import TableState


def expose_hole(draft: Draft, _decision: dc.ExposeHole, _command: TakeDecision) -> None:
    """Turn the hole card up for all (IRR-5)."""
    dealer = draft.state.play.dealer
    need(
        dealer.hole >= 0 and not dealer.revealed and not dealer.picked_up,
        "no hole card lies face down",
    )
    need(not dealer.hole_unread, "the hole card is not read: key it first")
    turn_up(draft)


def discard_card(
    draft: Draft, decision: dc.DiscardCard, _command: TakeDecision
) -> None:
    """Put a card to the rack unused; the next takes its place (IRR-6)."""
    state = draft.state
    if state.undecided and not decision.hand:
        open_oldest_to_rack(draft)
        return
    number, laid_anew = _named_card(state, decision.hand, decision.position)
    face = face_of(draft, number)
    acts = take_back_to(draft, came_into_play(state, number))
    draft.record(discarded(face))
    again(draft, others(acts, number), laid_anew=laid_anew)


def no_card(draft: Draft, decision: dc.NoCard, _command: TakeDecision) -> None:
    """Take a reported card back: it was never drawn (MISREAD, POSITION)."""
    state = draft.state
    if not decision.hand and state.missing:
        draft.record(ev.MissingCardKnown(number=state.missing[0], drawn=False))
        return
    if not decision.hand and state.undecided:
        draft.record(ev.CardWithdrawn(number=state.undecided[0].number))
        return
    number, laid_anew = _named_card(state, decision.hand, decision.position)
    hand = lies_at(state.play, number) or DEALER
    dealer = state.play.dealer
    unseen = number in face_down_numbers(state)
    acts = take_back_to(draft, came_into_play(state, number))
    draft.record(
        ev.CardWithdrawn(
            number=number, hand=hand, commitment=dealer.commitment if unseen else ""
        )
    )
    again(draft, others(acts, number), laid_anew=laid_anew)


def _named_card(state: TableState, hand: HandId, position: int) -> tuple[int, bool]:
    """Return the number of the card meant, and whether the deal is still on."""
    round_is_open(state)
    number = card_laid_at(state.play, hand, position) if hand else last_card_laid(state)
    return number, state.play_phase is Phase.DEALING


def use_card(draft: Draft, _decision: dc.UseCard, _command: TakeDecision) -> None:
    """Keep a card face down until the next need (IRR-7)."""
    need(draft.state.undecided, "no card is undecided")
    card = draft.state.undecided[0]
    draft.record(ev.CardHeld(number=card.number, commitment=card.commitment))


_AFTER_TWO_CARDS: Final = frozenset(
    {Phase.INSURANCE, Phase.PLAYING, Phase.DEALER_DRAWING}
)


def offer_card(draft: Draft, _decision: dc.OfferCard, _command: TakeDecision) -> None:
    """Offer an exposed card to the hands still to act (IRR-8)."""
    state = draft.state
    need(state.undecided, "no card is undecided")
    need(
        state.play_phase in _AFTER_TWO_CARDS,
        "a card is offered only after the first two cards and before the settlement",
    )
    need(state.play.offer is None, "a card is on offer already")
    need(not state.undecided[0].unread, "the card is not read")
    card = draft.unseal(state.undecided[0].number)
    draft.record(
        ev.CardOffered(number=card.number, card=card.card, salt=card.salt, raw=card.raw)
    )


def burn_card(draft: Draft, _decision: dc.BurnCard, _command: TakeDecision) -> None:
    """Burn a card that the dealer should not have drawn (IRR-9)."""
    state = draft.state
    need(state.undecided, "no card is undecided")
    need(
        state.play_phase not in _AFTER_TWO_CARDS,
        "IRR-8 holds here: the card is offered, used or discarded",
    )
    draft.record(burned(draft.unseal(state.undecided[0].number)))
