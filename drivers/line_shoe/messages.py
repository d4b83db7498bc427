"""What a line shoe can say; none of it bears a number.

Source: docs/protocol/line-shoe.md.
"""

import msgspec


class CardRead(msgspec.Struct, frozen=True, tag="card_read"):
    """A card left the shoe. `card` is two letters as at the reference shoe: Th, As."""

    card: str


class CardNotRead(msgspec.Struct, frozen=True, tag="card_not_read"):
    """A card left the shoe and its face could not be read."""


class Alarm(msgspec.Struct, frozen=True, tag="alarm"):
    """The shoe is in trouble; `code` is its own, such as E5."""

    code: str


class Warned(msgspec.Struct, frozen=True, tag="warned"):
    """The shoe warns; `code` is its own, such as W0x01."""

    code: str


class Unknown(msgspec.Struct, frozen=True, tag="unknown"):
    """A line that fits no form of the profile.

    `opening` is the longest head of a form that it begins with, empty if none. No
    more of it is told, since the rest may be the face of a hole card.
    """

    opening: str


Known = CardRead | CardNotRead | Alarm | Warned
LineMessage = Known | Unknown
