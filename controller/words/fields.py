"""The parts that lines are made of, each taken from a reader by one function."""

from collections.abc import Callable

from controller.core.cards import Card
from controller.core.ids import Button, HandId
from controller.words.amounts import cents_of
from controller.words.names import (
    card_meant,
    card_of,
    hand_of,
    number_of,
    person_of,
    seen_card_of,
)
from controller.words.reading import Reader

SPOT_MAX = 99
"""What can be written. Which spots a table has is the core's to say, with a reason."""

_HAND_CARDS_MAX = 99
_SPOT = f"a spot from 1 to {SPOT_MAX}"


def seat(reader: Reader) -> int:
    """Take the number of one of the table's seats."""
    return reader.read(
        f"a seat from 1 to {reader.seats}",
        lambda text: number_of(text, 1, reader.seats),
    )


def spot(reader: Reader) -> int:
    """Take the number of a spot."""
    return reader.read(_SPOT, _spot_of)


def spot_option(reader: Reader) -> int | None:
    """Take `spot=N` if the line has it."""
    return reader.option("spot", "N, a number from 1 to 99", _spot_of)


def _spot_of(text: str) -> int | None:
    return number_of(text, 1, SPOT_MAX)


def hand(reader: Reader) -> HandId:
    """Take a hand: `3`, `3.2` or `dealer`."""
    return reader.read("a hand such as 3, 3.2 or dealer", hand_of)


def card(reader: Reader) -> Card:
    """Take a card with a face; `??` is refused."""
    return reader.read("a card such as Th", card_of, card_meant)


def seen_card(reader: Reader) -> Card:
    """Take a card that may be `??`."""
    return reader.read("a card such as Th or ??", seen_card_of, card_meant)


def one_or_more(
    reader: Reader, take_card: Callable[[Reader], Card]
) -> tuple[Card, ...]:
    """Take cards up to the end of the line, at least one."""
    cards = [take_card(reader)]
    while reader.next is not None:
        cards.append(take_card(reader))
    return tuple(cards)


def place_in_hand(reader: Reader) -> int:
    """Take the place of a card in its hand, counted from 1."""
    return reader.read(
        "the card's place in the hand, counted from 1",
        lambda text: number_of(text, 1, _HAND_CARDS_MAX),
    )


def amount(reader: Reader) -> int:
    """Take an amount, in cents."""
    return reader.read("an amount such as 25 or 12.50", cents_of)


def button(reader: Reader) -> Button:
    """Take a button of a seat's panel."""
    return reader.name("a button", Button)


def person(reader: Reader, who: str) -> str:
    """Take the id of a person, named in messages by `who`."""
    return reader.read(who, person_of)
