"""Cards as they are drawn: rank and suit as text, a back, or a face not read."""

from typing import Final

from controller.core.cards import UNKNOWN, Card
from controller.evidence.narrative.wording import card_words
from controller.evidence.page.markup import NOTHING, Html, tag, text

# The variation selector keeps phones from drawing suits as coloured pictures.
_AS_TEXT: Final = "\N{VARIATION SELECTOR-15}"
_SUITS: Final = {
    suit: sign + _AS_TEXT
    for suit, sign in {
        "s": "\N{BLACK SPADE SUIT}",
        "h": "\N{BLACK HEART SUIT}",
        "d": "\N{BLACK DIAMOND SUIT}",
        "c": "\N{BLACK CLUB SUIT}",
    }.items()
}
_RED: Final = "hd"


def face(card: Card) -> Html:
    """Return a card that lies open; one whose face is not known says so."""
    if card == UNKNOWN:
        return _drawn("unread", "a card whose face is not known", text("?"))
    rank, suit = card[0], card[1:]
    if rank == "X":
        return _drawn("joker", card_words(card), text(f"J{suit}"))
    colour = "red" if suit in _RED else "black"
    pip = tag("i", text(_SUITS[suit]))
    return _drawn(colour, card_words(card), text("10" if rank == "T" else rank), pip)


def back(words: str = "a card face down") -> Html:
    """Return a card that lies face down."""
    return _drawn("back", words, NOTHING)


def _drawn(kind: str, words: str, *content: Html) -> Html:
    return tag("span", *content, class_=f"card {kind}", role="img", aria_label=words)
