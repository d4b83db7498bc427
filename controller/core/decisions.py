"""What a supervisor can decide (rules.md, Irregularities), as values.

Each names its command as scenarios and the console spell it, and its clause.
Whether one applies now, and what it does, is in `controller.core.decide`.
"""

from typing import ClassVar

import msgspec

from controller.core.cards import Card
from controller.core.ids import NO_HAND, HandId
from controller.core.rules import Rules


class _Decision(msgspec.Struct, frozen=True, tag_field="decision"):
    CLAUSE: ClassVar[str] = ""


class Resume(_Decision, frozen=True, tag="resume"):
    """Go on where the table stopped."""

    CLAUSE: ClassVar[str] = "IRR-1"


class VoidHand(_Decision, frozen=True, tag="void-hand"):
    """Call one hand a push."""

    CLAUSE: ClassVar[str] = "IRR-1"
    hand: HandId


class VoidRound(_Decision, frozen=True, tag="void-round"):
    """Call every hand a push."""

    CLAUSE: ClassVar[str] = "IRR-1"


class MissedFirst(_Decision, frozen=True, tag="missed-first"):
    """A player got no first card and sits out."""

    CLAUSE: ClassVar[str] = "IRR-2"
    spot: int


class MissedSecond(_Decision, frozen=True, tag="missed-second"):
    """A player got no second card; it comes after all others."""

    CLAUSE: ClassVar[str] = "IRR-3"
    spot: int
    after_dealer: bool = False


class PlayAsDealt(_Decision, frozen=True, tag="play-as-dealt"):
    """A card dealt against the signal belongs to the hand, which is complete."""

    CLAUSE: ClassVar[str] = "IRR-4"
    hand: HandId


class OfferChoice(_Decision, frozen=True, tag="offer-choice"):
    """A card dealt against the signal: the player chooses what becomes of the hand."""

    CLAUSE: ClassVar[str] = "IRR-4"
    hand: HandId


class LiesAt(_Decision, frozen=True, tag="lies-at"):
    """The last card dealt lies at another hand."""

    CLAUSE: ClassVar[str] = "WRONG-HAND"
    hand: HandId


class ExposeHole(_Decision, frozen=True, tag="expose-hole"):
    """The hole card was seen and is turned up for all."""

    CLAUSE: ClassVar[str] = "IRR-5"


class DiscardCard(_Decision, frozen=True, tag="discard-card"):
    """A card that was face up in the shoe goes to the rack unused.

    `position` counts the cards of the hand from 1; 0: the undecided card, else
    the last one dealt.
    """

    CLAUSE: ClassVar[str] = "IRR-6"
    hand: HandId = NO_HAND
    position: int = 0


class UseCard(_Decision, frozen=True, tag="use-card"):
    """A card drawn in error, its face not seen, is dealt at the next need."""

    CLAUSE: ClassVar[str] = "IRR-7"


class OfferCard(_Decision, frozen=True, tag="offer-card"):
    """A card drawn in error and seen is offered to the hands still to act."""

    CLAUSE: ClassVar[str] = "IRR-8"


class BurnCard(_Decision, frozen=True, tag="burn-card"):
    """A card the dealer should not have drawn is burned."""

    CLAUSE: ClassVar[str] = "IRR-9"


class DealerMissed(_Decision, frozen=True, tag="dealer-missed"):
    """The dealer's first or second card was left out."""

    CLAUSE: ClassVar[str] = "IRR-10"
    second: bool
    hand: HandId = NO_HAND


class Misdeal(_Decision, frozen=True, tag="misdeal"):
    """The deal was wrong as a whole: all hands dead, all wagers returned."""

    CLAUSE: ClassVar[str] = "MISDEAL"


class KeyCard(_Decision, frozen=True, tag="key-card"):
    """The face of an unread card, as two people read it."""

    CLAUSE: ClassVar[str] = "MISREAD"
    card: Card


class CorrectCard(_Decision, frozen=True, tag="correct-card"):
    """A card was read wrongly; this is what lies there."""

    CLAUSE: ClassVar[str] = "MISREAD"
    hand: HandId
    position: int
    card: Card


class NoCard(_Decision, frozen=True, tag="no-card"):
    """A reported card was never drawn; `position` as in `DiscardCard`."""

    CLAUSE: ClassVar[str] = "MISREAD"
    hand: HandId = NO_HAND
    position: int = 0


class NewShoe(_Decision, frozen=True, tag="new-shoe"):
    """Another shoe takes the place of this one; its inventory starts anew."""

    CLAUSE: ClassVar[str] = "SHOE"
    decks: int


class AllowDealerEntry(_Decision, frozen=True, tag="allow-dealer-entry"):
    """The dealer may enter the choices of a seat while its panel is lost."""

    CLAUSE: ClassVar[str] = "PANEL"
    seat: int


class SetRules(_Decision, frozen=True, tag="set-rules"):
    """Other limits or another ruleset, between rounds.

    `problem` says why no ruleset could be made of the words; then it is refused.
    """

    CLAUSE: ClassVar[str] = "VAR"
    rules: Rules | None = None
    problem: str = ""


Decision = (
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
    | DealerMissed
    | Misdeal
    | KeyCard
    | CorrectCard
    | NoCard
    | NewShoe
    | AllowDealerEntry
    | SetRules
)
