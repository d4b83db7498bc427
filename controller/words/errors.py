"""What is said of a line that cannot be read."""

from collections.abc import Iterable
from difflib import get_close_matches

_SHOWN_MAX = 60
"""Longer words are cut in a message, which stays one line that a person reads."""


class WordsError(ValueError):
    """A line that is not in the grammar; the message says what was expected there.

    Attributes:
        expected: what could have stood there, in words.
        got: the word that stood there, or "the end of the line".
    """

    def __init__(self, expected: str, got: str, suggestion: str | None = None) -> None:
        self.expected = expected
        self.got = got
        self.suggestion = suggestion
        hint = "" if suggestion is None else f"; did you mean {suggestion}?"
        super().__init__(f"expected {expected}, got {shown(got)}{hint}")


def shown(text: str) -> str:
    """Return a text as a message may quote it: printable, on one line, not too long."""
    whole = printable(text)
    return whole if len(whole) <= _SHOWN_MAX else whole[:_SHOWN_MAX] + "…"


def printable(text: str) -> str:
    """Return a text on one line, what would move a terminal's cursor as its number."""
    return "".join(
        character if character.isprintable() else ascii(character)[1:-1]
        for character in text
    )


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that was most likely meant, or None."""
    matches = get_close_matches(word, list(known), n=1)
    return matches[0] if matches else None
