"""Cards as the table speaks of them: `Th`, `As`, `X1` for a joker.

`??` is a face that is not known or not shown.

A card is a short string under a type of its own: it reads in a journal as it
reads in a scenario, compares and counts at the speed of a string, and costs no
second representation on disk. Everything that needs a card's value asks here.
"""

import re
from typing import Annotated, Final, NewType

import msgspec

RANKS: Final = "A23456789TJQK"
SUITS: Final = "shdc"
_PATTERN: Final = r"^(?:[A2-9TJQK][shdc]|X[1-9]|\?\?)$"

Card = NewType("Card", Annotated[str, msgspec.Meta(pattern=_PATTERN)])

UNKNOWN: Final = Card("??")

_FACE: Final = re.compile(r"[A2-9TJQK][shdc]|X[1-9]")
_VALUES: Final = {
    "A": 1,
    **{str(pip): pip for pip in range(2, 10)},
    **dict.fromkeys("TJQK", 10),
}


def is_face(text: str) -> bool:
    """Return whether `text` names one card: a rank and a suit, or a joker."""
    return _FACE.fullmatch(text) is not None


def rank(card: Card) -> str:
    """Return the rank, one of `RANKS`; `X` for a joker, `?` for an unknown face."""
    return card[0]


def value(card: Card, joker_value: int) -> int:
    """Return the points of one card with an ace as 1; an unknown face has none.

    Clause VALUE: 2-10 face value, J Q K ten, ace 1 or 11. A joker counts what
    the ruleset says.
    """
    if card[0] == "X":
        return joker_value
    return _VALUES.get(card[0], 0)


def deck(jokers: int, dropped_ranks: tuple[str, ...]) -> tuple[Card, ...]:
    """Return one deck: 52 cards, less the dropped ranks, and `jokers` jokers.

    Clause DECK.
    """
    plain = tuple(
        Card(rank + suit)
        for suit in SUITS
        for rank in RANKS
        if rank not in dropped_ranks
    )
    return plain + tuple(Card(f"X{number}") for number in range(1, jokers + 1))
