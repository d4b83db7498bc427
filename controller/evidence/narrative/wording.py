"""Cards, hands, totals and buttons as they are said aloud."""

from collections.abc import Iterable
from math import ceil
from typing import Final

from controller.core.cards import UNKNOWN, Card
from controller.core.ids import DEALER, HandId
from controller.core.rules import Ratio, ratio
from controller.core.state import Hand, TableState
from controller.core.totals import is_blackjack, total_of
from controller.words.amounts import amount_text

EVEN: Final = Ratio("1:1")
INSURANCE: Final = Ratio("2:1")

_RANKS: Final = {
    "A": "ace",
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "T": "ten",
    "J": "jack",
    "Q": "queen",
    "K": "king",
}
_SUITS: Final = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}


def card_words(card: Card) -> str:
    """Return `the ten of hearts`, or what can be said of a card not shown."""
    if card == UNKNOWN:
        return "a card that is not known"
    rank, suit = card[0], card[1:]
    if rank == "X":
        return f"joker {suit}"
    return f"the {_RANKS[rank]} of {_SUITS[suit]}"


def hand_words(hand: HandId) -> str:
    """Return `hand 3.2`, or `the dealer`."""
    return "the dealer" if hand == DEALER else f"hand {hand}"


def sentence(text: str) -> str:
    """Return a text with its first letter as a sentence begins."""
    return text[:1].upper() + text[1:]


def listed(words: Iterable[str]) -> str:
    """Return `a, b and c`; `nothing` where there is none."""
    *most, last = list(words) or ["nothing"]
    return f"{', '.join(most)} and {last}" if most else last


def total_words(cards: tuple[Card, ...], state: TableState) -> str:
    """Return `soft 17`, `14`, or `nothing` where no face shows."""
    seen = tuple(card for card in cards if card != UNKNOWN)
    if not seen:
        return "nothing"
    total = total_of(seen, state.rules.joker_value)
    return f"soft {total.points}" if total.soft else f"{total.points}"


def holding(cards: tuple[Card, ...], state: TableState) -> str:
    """Return cards and total: `9h Th, 19`."""
    return f"{' '.join(cards)}, {total_words(cards, state)}"


def strength(hand: Hand, state: TableState) -> str:
    """Return what a player's hand counts in the comparison: `20` or `blackjack`."""
    if is_natural(hand, state):
        return "blackjack"
    return total_words(hand.cards, state)


def is_natural(hand: Hand, state: TableState) -> bool:
    """Say whether a player's hand is a blackjack: no hand of a split is (BJ)."""
    return hand.part == 0 and is_blackjack(hand.cards, state.rules.joker_value)


def dealer_strength(state: TableState) -> str:
    """Return what the dealer's hand counts in the comparison."""
    cards = state.play.dealer.cards
    if is_blackjack(cards, state.rules.joker_value):
        return "blackjack"
    return total_words(cards, state)


def pays(wager_cents: int, on_the_felt: Ratio) -> str:
    """Return the arithmetic of a payment: `25 at 3:2 pays 37.50` (PAY)."""
    paid_cents = ceil(wager_cents * ratio(on_the_felt))
    wager, paid = amount_text(wager_cents), amount_text(paid_cents)
    return f"{wager} at {on_the_felt} pays {paid}"


def lamps_words(buttons: Iterable[str]) -> str:
    """Return `shows hit, stand and double`, or `is dark`."""
    lit = tuple(buttons)
    return f"shows {listed(lit)}" if lit else "is dark"
