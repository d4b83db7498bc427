"""Where a card of the round lies, and where in its history it was laid."""

from controller.core import events as ev
from controller.core.decide.applicable import NotApplicableError
from controller.core.ids import DEALER, HandId
from controller.core.state import Play, TableState, find_hand


def act_of_card(state: TableState, number: int) -> int:
    """Return where in the round's history a card that lies there was laid."""
    return next(
        at
        for at, record in enumerate(state.history)
        if isinstance(record, ev.CardDealt | ev.HoleCardDealt)
        and record.number == number
    )


def came_into_play(state: TableState, number: int) -> int:
    """Return where a card came into the round: offered, or laid at once.

    Raises:
        NotApplicableError: No card of that number was laid this round.

    """
    for at, record in enumerate(state.history):
        if isinstance(record, ev.CardOffered) and record.number == number:
            return at
    return act_of_card(state, number)


def card_laid_at(play: Play, name: HandId, position: int) -> int:
    """Return the number of a hand's card, counted from 1.

    Raises:
        NotApplicableError: The hand has no such card.

    """
    hand = play.dealer if name == DEALER else find_hand(play, name)
    if hand is None or not 1 <= position <= len(hand.numbers):
        raise NotApplicableError(f"hand {name} has no card {position}")
    return hand.numbers[position - 1]


def last_card_laid(state: TableState) -> int:
    """Return the number of the card that was laid last this round.

    Raises:
        NotApplicableError: No card was laid yet.

    """
    for record in reversed(state.history):
        if isinstance(record, ev.CardDealt | ev.HoleCardDealt):
            return record.number
    raise NotApplicableError("no card was dealt in this round")


def lies_at(play: Play, number: int) -> HandId | None:
    """Return the hand at which a card lies."""
    if number in play.dealer.numbers:
        return DEALER
    return next((hand.id for hand in play.hands if number in hand.numbers), None)


def lies_in_rack(play: Play, number: int) -> bool:
    """Return whether a card is in this round's rack."""
    return any(number in group.numbers for group in play.rack)
