"""Play."""

from controller.core.cards import Card
from controller.core.events.base import EventBase
from controller.core.ids import NO_HAND, Button, HandId, Reason


class PlayOpened(EventBase, frozen=True, tag="play_opened"):
    """The players act from now on, one hand at a time (ORDER)."""


class TurnPassed(EventBase, frozen=True, tag="turn_passed"):
    """Whose turn begins; `dealer` after the last player."""

    hand: HandId


class PressAccepted(EventBase, frozen=True, tag="press_accepted"):
    """A press answered its prompt."""

    seat: int
    button: Button
    prompt: int
    hand: HandId = NO_HAND
    by_dealer: bool = False


class PressRefused(EventBase, frozen=True, tag="press_refused"):
    """A press changed nothing, and why."""

    seat: int
    button: Button
    prompt: int
    reason: Reason
    by_dealer: bool = False


class CardAsked(EventBase, frozen=True, tag="card_asked"):
    """HIT: one card is due at this hand."""

    hand: HandId


class HandStood(EventBase, frozen=True, tag="hand_stood"):
    """STAND."""

    hand: HandId


class HandDoubled(EventBase, frozen=True, tag="hand_doubled"):
    """DOUBLE: the wager is doubled and exactly one card is due."""

    hand: HandId
    wager_cents: int


class HandSplit(EventBase, frozen=True, tag="hand_split"):
    """SPLIT: two hands with an equal wager; later numbers move up."""

    hand: HandId
    wager_cents: int


class HandSurrendered(EventBase, frozen=True, tag="hand_surrendered"):
    """SURRENDER: half the wager back."""

    hand: HandId


class PlayerAsked(EventBase, frozen=True, tag="player_asked"):
    """The player has been silent for `ask_after_s`; the dealer asks (PLAY-3)."""

    seat: int
    hand: HandId


class MoveOnAllowed(EventBase, frozen=True, tag="move_on_allowed"):
    """The dealer may press NEXT (PLAY-3)."""

    seat: int
    hand: HandId


class PlayerPassedOver(EventBase, frozen=True, tag="player_passed_over"):
    """The dealer moved on; the hand stands as it is (PLAY-3)."""

    seat: int
    hand: HandId


class HandBusted(EventBase, frozen=True, tag="hand_busted"):
    """A hand went over 21."""

    hand: HandId
    points: int


class ChoiceOffered(EventBase, frozen=True, tag="choice_offered"):
    """The player of this hand chooses what becomes of it (IRR-4)."""

    hand: HandId


class ChoiceMade(EventBase, frozen=True, tag="choice_made"):
    """What the player chose: STAND, PASS (a push), or HIT (acts again later)."""

    hand: HandId
    button: Button
    passed_over: bool = False


class CompletedAsDealt(EventBase, frozen=True, tag="completed_as_dealt"):
    """A hand is complete by decision (IRR-4)."""

    hand: HandId


class CardOffered(EventBase, frozen=True, tag="card_offered"):
    """An exposed card is offered to the hands still to act, in order (IRR-8)."""

    number: int
    card: Card
    salt: str = ""
    raw: str = ""


class OfferRefused(EventBase, frozen=True, tag="offer_refused"):
    """A hand refused the offered card and takes no more cards this round."""

    hand: HandId
    passed_over: bool = False


class OfferAccepted(EventBase, frozen=True, tag="offer_accepted"):
    """A hand took the offered card."""

    hand: HandId


PlayEvent = (
    PlayOpened
    | TurnPassed
    | PressAccepted
    | PressRefused
    | CardAsked
    | HandStood
    | HandDoubled
    | HandSplit
    | HandSurrendered
    | PlayerAsked
    | MoveOnAllowed
    | PlayerPassedOver
    | HandBusted
    | ChoiceOffered
    | ChoiceMade
    | CompletedAsDealt
    | CardOffered
    | OfferRefused
    | OfferAccepted
)
