"""What a decision will do at the table as it now is, in one line for a supervisor.

Made of what is public alone: a card that nobody may see is "the card", the hole card
"the hole card".
"""

from collections.abc import Callable
from typing import Any, Final

from controller.core import decisions as dc
from controller.core.amounts import spoken_cents
from controller.core.cards import UNKNOWN, Card
from controller.core.decide.layout import card_laid_at, last_card_laid, lies_at
from controller.core.decide.verdicts import key_target
from controller.core.ids import DEALER, HandId, Phase
from controller.core.state import Place, TableState, find_hand, hole_number


def foretold(state: TableState, decision: dc.Decision) -> str:
    """Return what a decision that applies now will do."""
    return _WORDS[type(decision)](state, decision)


# --- Hands and cards in words --------------------------------------------------------


def _hand(name: HandId) -> str:
    return "the dealer" if name == DEALER else f"hand {name}"


def _start(words: str) -> str:
    return words[:1].upper() + words[1:]


def _face(state: TableState, number: int) -> Card:
    """Return a laid card's face as it shows."""
    play = state.play
    lying = [(play.dealer.numbers, play.dealer.cards)]
    lying += [(hand.numbers, hand.cards) for hand in play.hands]
    return next(
        cards[numbers.index(number)] for numbers, cards in lying if number in numbers
    )


def _card(state: TableState, number: int) -> str:
    """Return a laid card in words: its face, and where it lies."""
    face = _face(state, number)
    if face == UNKNOWN and number == hole_number(state.play):
        return "the hole card"
    at = lies_at(state.play, number)
    assert at is not None
    name = "unread card" if face == UNKNOWN else face
    return f"the {name} of {_hand(at)}"


def _named(state: TableState, hand: HandId, position: int) -> str:
    number = card_laid_at(state.play, hand, position) if hand else last_card_laid(state)
    return _card(state, number)


def _place(place: Place) -> str:
    if place.is_burn:
        return "the rack"
    return "the hole" if place.face_down else _hand(place.hand)


# --- One line a decision -------------------------------------------------------------


def _resume(state: TableState, _decision: dc.Resume) -> str:
    if state.waiting:
        return "The card that showed the gap is dealt, and the table goes on"
    return "Nothing is changed: the table goes on where it stopped"


def _void_hand(state: TableState, decision: dc.VoidHand) -> str:
    hand = find_hand(state.play, decision.hand)
    assert hand is not None
    words = f"Hand {hand.id} is a push: its {spoken_cents(hand.wager_cents)} stay"
    words += " the player's"
    if state.undecided:
        words += "; the undecided card goes to the rack"
    return words


def _void_round(state: TableState, _decision: dc.VoidRound) -> str:
    return f"Every hand is a push: all wagers go back{_hole_shown(state)}"


def _misdeal(state: TableState, _decision: dc.Misdeal) -> str:
    words = "Every hand is dead: all wagers and insurance go back"
    return words + _hole_shown(state)


def _hole_shown(state: TableState) -> str:
    hidden = state.play.dealer.hole >= 0 and not state.play.dealer.revealed
    return ", the hole card is turned up" if hidden else ""


def _missed_first(_state: TableState, decision: dc.MissedFirst) -> str:
    return (
        f"Spot {decision.spot} got no first card: it sits this round out, its wager"
        " goes back"
    )


def _missed_second(_state: TableState, decision: dc.MissedSecond) -> str:
    if decision.after_dealer:
        return (
            f"Spot {decision.spot} got no second card, the dealer did: it comes after"
            " the dealer's"
        )
    return (
        f"Spot {decision.spot} got no second card: it comes after all other players',"
        " before the dealer's"
    )


def _dealer_missed(_state: TableState, decision: dc.DealerMissed) -> str:
    if not decision.second:
        return (
            "The dealer got no first card: it comes after the players'; the cards play"
            " where they lie"
        )
    to = f"hand {decision.hand}" if decision.hand else "the first hand in turn"
    return f"The hole card is {to}'s, face up; the dealer's second card comes next"


def _given(state: TableState) -> str:
    """Return what IRR-4 calls the card."""
    if state.undecided:
        return "the card, which is shown,"
    return _card(state, last_card_laid(state))


def _play_as_dealt(state: TableState, decision: dc.PlayAsDealt) -> str:
    return f"Hand {decision.hand} keeps {_given(state)} and is complete"


def _offer_choice(state: TableState, decision: dc.OfferChoice) -> str:
    return (
        f"Hand {decision.hand} keeps {_given(state)} and its player chooses: stand,"
        " pass for a push, or below 21 hit"
    )


def _lies_at(state: TableState, decision: dc.LiesAt) -> str:
    words = _start(_card(state, last_card_laid(state)))
    return f"{words} is {_hand(decision.hand)}'s; its place gets the next card"


def _expose_hole(_state: TableState, _decision: dc.ExposeHole) -> str:
    return "The hole card was seen: it is turned up for all, play goes on unchanged"


def _discard_card(state: TableState, decision: dc.DiscardCard) -> str:
    if state.undecided and not decision.hand:
        return "The undecided card is shown and goes to the rack unused"
    card = _start(_named(state, decision.hand, decision.position))
    return f"{card} was not to be played: it goes to the rack, the next takes its place"


def _no_card(state: TableState, decision: dc.NoCard) -> str:
    if not decision.hand and state.missing:
        return "The oldest missing card was never drawn: its number is empty"
    if not decision.hand and state.undecided:
        return "The undecided card was never drawn: the shoe reported none"
    card = _start(_named(state, decision.hand, decision.position))
    return f"{card} was never drawn; the next card takes its place"


def _use_card(state: TableState, _decision: dc.UseCard) -> str:
    if state.play.places:
        return f"Nobody saw the card: it goes to {_place(state.play.places[0])} now"
    return "Nobody saw the card: it waits face down and is dealt at the next need"


def _offer_card(state: TableState, _decision: dc.OfferCard) -> str:
    if state.play_phase is Phase.DEALER_DRAWING:
        return "The card was seen: it is the dealer's first draw if a draw is due"
    return (
        "The card was seen: it is offered to the hand in turn, then to each hand still"
        " to act, then to the dealer"
    )


def _burn_card(_state: TableState, _decision: dc.BurnCard) -> str:
    return "The card is shown and burned to the rack"


def _key_card(state: TableState, _decision: dc.KeyCard) -> str:
    target = key_target(state)
    assert target is not None
    number, secret = target
    if state.missing or number > state.shoe.last_card:
        if not state.play.places:
            return "The missing card lies there; what becomes of it is decided next"
        return f"The missing card lies at {_place(state.play.places[0])}"
    if secret:
        return "The hole card is what you two read; it stays secret"
    return f"{_start(_card(state, number))} is what you two read"


def _correct_card(state: TableState, decision: dc.CorrectCard) -> str:
    card = _start(_named(state, decision.hand, decision.position))
    return f"{card} is another card on the felt; what followed is worked out anew"


def _new_shoe(_state: TableState, decision: dc.NewShoe) -> str:
    return (
        f"Another shoe takes its place ({decision.decks} decks); its count starts anew"
    )


def _allow_dealer_entry(_state: TableState, decision: dc.AllowDealerEntry) -> str:
    return f"The dealer enters seat {decision.seat}'s choices until its panel is back"


def _set_rules(_state: TableState, _decision: dc.SetRules) -> str:
    return "Other limits or another ruleset from now on, announced to all"


_WORDS: Final[dict[type, Callable[[TableState, Any], str]]] = {
    dc.Resume: _resume,
    dc.VoidHand: _void_hand,
    dc.VoidRound: _void_round,
    dc.Misdeal: _misdeal,
    dc.MissedFirst: _missed_first,
    dc.MissedSecond: _missed_second,
    dc.DealerMissed: _dealer_missed,
    dc.PlayAsDealt: _play_as_dealt,
    dc.OfferChoice: _offer_choice,
    dc.LiesAt: _lies_at,
    dc.ExposeHole: _expose_hole,
    dc.DiscardCard: _discard_card,
    dc.NoCard: _no_card,
    dc.UseCard: _use_card,
    dc.OfferCard: _offer_card,
    dc.BurnCard: _burn_card,
    dc.KeyCard: _key_card,
    dc.CorrectCard: _correct_card,
    dc.NewShoe: _new_shoe,
    dc.AllowDealerEntry: _allow_dealer_entry,
    dc.SetRules: _set_rules,
}
