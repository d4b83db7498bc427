"""What a supervisor may decide, in words (the chapter on irregularities).

Each class is one command of the supervisor; its docstring names the clause.
"""

from typing import TypeAlias

import msgspec

from controller.words.values import Said


class CardPlace(msgspec.Struct, frozen=True):
    """A card on the layout: the hand, and its place there counted from 1."""

    hand: str
    place: int


class Resume(Said, frozen=True):
    """The game goes on (IRR-1)."""


class VoidHand(Said, frozen=True):
    """One hand is void (IRR-1)."""

    hand: str


class VoidRound(Said, frozen=True):
    """Every hand is void (IRR-1)."""


class MissedFirst(Said, frozen=True):
    """A spot got no first card (IRR-2)."""

    spot: int


class MissedSecond(Said, frozen=True):
    """A spot got no second card (IRR-3); the dealer's may be out already."""

    spot: int
    after_dealer: bool


class PlayAsDealt(Said, frozen=True):
    """The card dealt against the signal stays with the hand (IRR-4)."""

    hand: str


class OfferChoice(Said, frozen=True):
    """The player chooses what becomes of that card (IRR-4)."""

    hand: str


class LiesAt(Said, frozen=True):
    """The last card lies at that hand (WRONG-HAND)."""

    hand: str


class ExposeHole(Said, frozen=True):
    """The hole card is turned up for all (IRR-5)."""


class DiscardCard(Said, frozen=True):
    """A card goes to the rack unused (IRR-6); without a place the one in question."""

    at: CardPlace | None


class UseCard(Said, frozen=True):
    """A card drawn in error is dealt at the next need (IRR-7)."""


class OfferCard(Said, frozen=True):
    """A card drawn in error and exposed is offered to the players (IRR-8)."""


class BurnCard(Said, frozen=True):
    """A card is burned to the rack (IRR-9)."""


class DealerMissedFirst(Said, frozen=True):
    """The dealer missed the dealer's first card (IRR-10)."""


class DealerMissedSecond(Said, frozen=True):
    """The dealer missed the dealer's second card (IRR-10); it may lie at a hand."""

    hand: str | None


class Misdeal(Said, frozen=True):
    """The deal is void (MISDEAL)."""


class KeyCard(Said, frozen=True):
    """The supervisor states the face of a card (MISREAD, POSITION)."""

    card: str


class CorrectCard(Said, frozen=True):
    """The card at that place is another one (MISREAD)."""

    at: CardPlace
    card: str


class NoCard(Said, frozen=True):
    """A card was never drawn (MISREAD); without a place the one in question."""

    at: CardPlace | None


class NewShoe(Said, frozen=True):
    """The shoe is replaced (SHOE)."""

    decks: int


class AllowDealerEntry(Said, frozen=True):
    """The dealer may enter that seat's choices while its panel is away (PANEL)."""

    seat: int


class SetRules(Said, frozen=True):
    """Rules change between rounds (VAR): keys and values as written."""

    ruleset: str | None
    overrides: tuple[tuple[str, str], ...]


Decision: TypeAlias = (
    Resume
    | VoidHand
    | VoidRound
    | MissedFirst
    | MissedSecond
    | PlayAsDealt
    | OfferChoice
    | LiesAt
    | ExposeHole
    | DiscardCard
    | UseCard
    | OfferCard
    | BurnCard
    | DealerMissedFirst
    | DealerMissedSecond
    | Misdeal
    | KeyCard
    | CorrectCard
    | NoCard
    | NewShoe
    | AllowDealerEntry
    | SetRules
)
