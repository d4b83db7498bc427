"""A card that left the shoe is laid anew, at the same place or at another.

A face that was once turned up stays so, wherever the card now lies (REVEAL).
"""

from controller.core import events as ev
from controller.core.cards import UNKNOWN
from controller.core.decide.applicable import NotApplicableError
from controller.core.decide.draft import Draft
from controller.core.decide.layout import lies_at
from controller.core.ids import DEALER, HandId, Kind
from controller.core.secrets import SealedCard


def lay_again(
    draft: Draft, act: ev.CardDealt | ev.HoleCardDealt, *, laid_anew: bool
) -> None:
    """Lay a card where it lay, or where it now comes to lie.

    `laid_anew` lays it wherever the list of the deal now says, face up or down.

    Raises:
        NotApplicableError: The place where it lay is not due, and it may not lie at
            another.

    """
    play = draft.state.play
    if lies_at(play, act.number) is not None:
        return  # It was laid by itself, as an offered card may be.
    offered = play.offer is not None and play.offer.number == act.number
    decided = isinstance(act, ev.CardDealt) and act.by_decision
    if offered or decided:
        # Neither needs a place: the card lies where a person put it.
        draft.record(act)
        return
    was = DEALER if isinstance(act, ev.HoleCardDealt) else act.hand
    place = play.places[0] if play.places else None
    face_down = isinstance(act, ev.HoleCardDealt)
    same = place is not None and (place.hand, place.face_down) == (was, face_down)
    if place is None and laid_anew:
        _leave_undecided(draft, act)
        return
    if place is None or not (same or laid_anew):
        raise NotApplicableError(f"card {act.number} was dealt to {was} since")
    if same:
        draft.record(act)
        _show_again(draft, act.number)
    elif isinstance(act, ev.HoleCardDealt):
        _turn_hole_into(draft, act, place.hand)
    elif place.face_down:
        _turn_into_hole(draft, act)
    else:
        draft.record(
            ev.CardDealt(
                number=act.number,
                hand=place.hand,
                card=act.card,
                salt=act.salt,
                raw=act.raw,
            )
        )


def _leave_undecided(draft: Draft, act: ev.CardDealt | ev.HoleCardDealt) -> None:
    """A card for which no place is left on the list of the deal is undecided."""
    face, commitment = UNKNOWN, ""
    if isinstance(act, ev.CardDealt):
        face = act.card
    else:
        shown = _reveal_of(draft, act.number)
        face = UNKNOWN if shown is None else shown.card
        commitment = act.commitment
    unread = isinstance(act, ev.HoleCardDealt) and act.unread
    draft.record(
        ev.CardDrawnInError(
            number=act.number, commitment=commitment, unread=unread, card=face
        )
    )
    draft.find(Kind.CARD_DRAWN_IN_ERROR, number=act.number)


def _turn_hole_into(draft: Draft, act: ev.HoleCardDealt, hand: HandId) -> None:
    """The card taken for the hole card is a hand's: it is public now."""
    card = opened(draft, act.number)
    draft.record(
        ev.CardDealt(
            number=act.number, hand=hand, card=card.card, salt=card.salt, raw=card.raw
        )
    )


def _turn_into_hole(draft: Draft, act: ev.CardDealt) -> None:
    """A card that all have seen lies in the hole: it is an exposed one (IRR-5)."""
    draft.record(ev.HoleCardDealt(number=act.number, commitment=""))
    draft.record(ev.HoleCardRevealed(number=act.number, card=act.card))


def opened(draft: Draft, number: int) -> SealedCard:
    """Return a card's face as it was turned up before, else from the escrow."""
    shown = _reveal_of(draft, number)
    if shown is None:
        return draft.unseal(number)
    return SealedCard(number, draft.state.round, shown.card, shown.salt, shown.raw)


def _show_again(draft: Draft, number: int) -> None:
    """Turn the hole card up again: a reveal is never taken back (REVEAL)."""
    shown = _reveal_of(draft, number)
    if shown is not None:
        draft.record(shown)


def _reveal_of(draft: Draft, number: int) -> ev.HoleCardRevealed | None:
    for record in draft.before.history:
        if isinstance(record, ev.HoleCardRevealed) and record.number == number:
            return record
    return None
