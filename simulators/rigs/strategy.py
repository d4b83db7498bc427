"""Basic strategy for four to eight decks with double after split, for robot players.

It lives with the rigs and nowhere else: the table shows what is legal and never
what is best (clause ADVICE). The tables are read as they are printed: a row for
each total, a column for each upcard from 2 to the ace.
"""

import enum
from collections.abc import Collection
from typing import Final

from controller.core.cards import Card, value
from controller.core.ids import Button
from controller.core.totals import Total, total_of

UPCARDS: Final = (2, 3, 4, 5, 6, 7, 8, 9, 10, 1)
"""The values of the upcard in the order of the columns, an ace as 1."""

_ACE: Final = 1
_EIGHTS: Final = 8


class Move(enum.Enum):
    """A letter of the printed tables."""

    HIT = "H"
    STAND = "S"
    DOUBLE_ELSE_HIT = "D"
    DOUBLE_ELSE_STAND = "s"
    SPLIT = "P"
    BY_TOTAL = "-"


_HARD: Final = {
    **dict.fromkeys(range(4, 9), "HHHHHHHHHH"),
    9: "HDDDDHHHHH",
    10: "DDDDDDDDHH",
    11: "DDDDDDDDDD",
    12: "HHSSSHHHHH",
    **dict.fromkeys(range(13, 17), "SSSSSHHHHH"),
    **dict.fromkeys(range(17, 22), "SSSSSSSSSS"),
}
# Soft 12 is a pair of aces that may not be split: it cannot be hurt by a card.
_SOFT: Final = {
    12: "HHHHHHHHHH",
    **dict.fromkeys((13, 14), "HHHDDHHHHH"),
    **dict.fromkeys((15, 16), "HHDDDHHHHH"),
    17: "HDDDDHHHHH",
    18: "sssssSSHHH",
    19: "SSSSsSSSSS",
    **dict.fromkeys((20, 21), "SSSSSSSSSS"),
}
_PAIRS: Final = {
    **dict.fromkeys((2, 3), "PPPPPP----"),
    4: "---PP-----",
    5: "----------",
    6: "PPPPP-----",
    7: "PPPPPP----",
    8: "PPPPPPPPPP",
    9: "PPPPP-PP--",
    10: "----------",
    _ACE: "PPPPPPPPPP",
}
# Where the dealer stands on soft 17 the tables differ in three places only.
_HARD_S17: Final = {**_HARD, 11: "DDDDDDDDDH"}
_SOFT_S17: Final = {**_SOFT, 18: "SssssSSHHH", 19: "SSSSSSSSSS"}

# Hard totals that are given up, by upcard; eights are a pair before they are 16.
_GIVEN_UP: Final = {15: (10, _ACE), 16: (9, 10, _ACE), 17: (_ACE,)}
_GIVEN_UP_S17: Final = {15: (10,), 16: (9, 10, _ACE)}
_EIGHTS_GIVEN_UP: Final = (_ACE,)

_Rows = dict[int, str]
_TABLES: Final[dict[bool, tuple[_Rows, _Rows]]] = {
    True: (_HARD, _SOFT),
    False: (_HARD_S17, _SOFT_S17),
}

# What is pressed for a letter: the first that is lit. A player who may only take
# or refuse an offered card, or insurance, has PASS where another stands.
_PRESSED: Final[dict[Move, tuple[Button, ...]]] = {
    Move.HIT: (Button.HIT, Button.STAND, Button.PASS),
    Move.STAND: (Button.STAND, Button.PASS),
    Move.DOUBLE_ELSE_HIT: (Button.DOUBLE, Button.HIT, Button.STAND, Button.PASS),
    Move.DOUBLE_ELSE_STAND: (Button.DOUBLE, Button.STAND, Button.PASS),
    Move.SPLIT: (Button.SPLIT,),
}


def move_for(
    total: Total, pair_value: int, upcard_value: int, *, hits_soft_17: bool
) -> Move:
    """Return the letter for a hand against an upcard, never `BY_TOTAL`.

    `pair_value` is the value of one card of a pair that may be split (an ace is
    1), 0 where the hand may not be split; `upcard_value` has an ace as 1 too.
    """
    column = UPCARDS.index(upcard_value)
    if pair_value:
        of_pair = Move(_PAIRS[pair_value][column])
        if of_pair is not Move.BY_TOTAL:
            return of_pair
    hard, soft = _TABLES[hits_soft_17]
    return Move((soft if total.soft else hard)[total.points][column])


def gives_up(
    total: Total, pair_value: int, upcard_value: int, *, hits_soft_17: bool
) -> bool:
    """Return whether a hand that may be surrendered is (late surrender)."""
    if total.soft:
        return False
    if pair_value == _EIGHTS:
        return hits_soft_17 and upcard_value in _EIGHTS_GIVEN_UP
    given_up = _GIVEN_UP if hits_soft_17 else _GIVEN_UP_S17
    return upcard_value in given_up.get(total.points, ())


def choose(
    cards: tuple[Card, ...],
    upcard: Card,
    lit: Collection[Button],
    *,
    hits_soft_17: bool,
) -> Button:
    """Return the lit button that a player of basic strategy presses.

    `cards` are the player's, `lit` what the panel shows. Insurance is never taken.

    Raises:
        ValueError: Nothing is lit that answers a hand of cards.

    """
    total = total_of(cards)
    pair_value = value(cards[0], 0) if Button.SPLIT in lit else 0
    against = value(upcard, 0)
    if Button.SURRENDER in lit and gives_up(
        total, pair_value, against, hits_soft_17=hits_soft_17
    ):
        return Button.SURRENDER
    move = move_for(total, pair_value, against, hits_soft_17=hits_soft_17)
    for button in _PRESSED[move]:
        if button in lit:
            return button
    names = ", ".join(sorted(button.value for button in lit)) or "nothing"
    raise ValueError(f"expected a button that plays a hand to be lit, got {names}")
