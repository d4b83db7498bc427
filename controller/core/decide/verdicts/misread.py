"""What lies on the felt is not what was read: MISREAD and POSITION."""

from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.cards import Card
from controller.core.commands import TakeDecision
from controller.core.decide.applicable import need
from controller.core.decide.draft import Draft
from controller.core.decide.layout import card_laid_at, lies_at
from controller.core.decide.retell import again, take_back_to
from controller.core.decide.verdicts.common import (
    face_of,
    lay_sealed,
    others,
    round_is_open,
)
from controller.core.ids import (
    Kind,
)
from controller.core.irregularities import first_unread
from controller.core.rules import composition
from controller.core.secrets import SealedCard
from controller.core.state import TableState, hole_number
from controller.core.totals import is_blackjack


def key_target(state: TableState) -> tuple[int, bool] | None:
    """Return which card number `key-card` would name, and whether it stays secret."""
    if state.missing:
        return state.missing[0], _lies_hidden(state)
    unread = first_unread(state.play)
    if unread is not None:
        return unread[0], False
    dealer = state.play.dealer
    if dealer.hole_unread and not dealer.revealed:
        return hole_number(state.play), True
    if state.shoe.uncounted:
        return state.shoe.last_card + 1, _lies_hidden(state)
    return None


def _lies_hidden(state: TableState) -> bool:
    """Return whether a card that was not reported stays secret where it lies."""
    return not state.play.places or state.play.places[0].face_down


def key_card(draft: Draft, decision: dc.KeyCard, command: TakeDecision) -> None:
    """Take the face of an unread or missing card as two people read it (MISREAD)."""
    state = draft.state
    target = key_target(state)
    need(target is not None, "no card is unread")
    _exists(state, decision.card)
    assert target is not None
    number, secret = target
    sealed = SealedCard(number, state.round, decision.card, command.salt)
    if number > state.shoe.last_card:
        draft.record(ev.UnseenCardNumbered(number=number))
    if draft.state.missing:
        _key_missing(draft, sealed, command.commitment)
    elif secret:
        draft.seal(sealed)
        draft.record(ev.HoleCardKeyed(number=number, commitment=command.commitment))
    else:
        hand = lies_at(state.play, number)
        assert hand is not None
        draft.record(ev.CardIdentified(number=number, hand=hand, card=decision.card))


def _key_missing(draft: Draft, card: SealedCard, commitment: str) -> None:
    """A card that was not reported lies there: deal it, in its order (POSITION)."""
    draft.seal(card)
    draft.record(ev.MissingCardKnown(number=card.number, drawn=True))
    if draft.state.play.places:
        lay_sealed(draft, card.number, commitment)
        return
    draft.record(ev.CardDrawnInError(number=card.number, commitment=commitment))
    draft.find(Kind.CARD_DRAWN_IN_ERROR, number=card.number)


def _exists(state: TableState, card: Card) -> None:
    need(card in composition(state.rules), f"{card} is not in this shoe's decks")


def correct_card(
    draft: Draft, decision: dc.CorrectCard, _command: TakeDecision
) -> None:
    """Change a laid card's face and let what follows follow anew (MISREAD)."""
    state = draft.state
    round_is_open(state)
    number = card_laid_at(state.play, decision.hand, decision.position)
    dealer = state.play.dealer
    hole = number == hole_number(state.play)
    need(not hole or dealer.revealed, "the hole card is not revealed")
    was = face_of(draft, number).card
    need(was != decision.card, f"the record says {was} already")
    _exists(state, decision.card)
    acts = take_back_to(draft, _where_its_face_told(state, number, decision.card))
    # Before a split the card lay at the hand that was split.
    hand = lies_at(draft.state.play, number)
    assert hand is not None
    draft.record(
        ev.CardCorrected(number=number, hand=hand, was=was, card=decision.card)
    )
    again(draft, others(acts, number))


def _where_its_face_told(state: TableState, number: int, card: Card) -> int:
    """Return where in the history the first consequence of a laid card's face stands.

    That is where it became public. A hole card may have told before, at the peek, if
    it says there something else as this card (PEEK).
    """
    is_hole = number == hole_number(state.play)
    return next(
        at if isinstance(record, ev.DealerPeeked) else at + 1
        for at, record in enumerate(state.history)
        if (
            isinstance(record, ev.CardDealt | ev.HoleCardRevealed)
            and record.number == number
        )
        or (
            is_hole
            and isinstance(record, ev.DealerPeeked)
            and record.blackjack is not _would_make_blackjack(state, card)
        )
    )


def _would_make_blackjack(state: TableState, hole: Card) -> bool:
    dealer = state.play.dealer
    upcard = dealer.cards[1 - dealer.hole]
    return is_blackjack((upcard, hole), state.rules.joker_value)
