"""Whether the words of an expectation occur in a text that people read."""

import re
from collections.abc import Iterable

_WORD = re.compile(r"[0-9]+(?:\.[0-9]+)+|\w+")


def said_words(text: str) -> frozenset[str]:
    """Return the whole words of a text, punctuation and case aside.

    A point between digits belongs to its word: `3.2` and `12.50` are one each.
    """
    return frozenset(_WORD.findall(text.casefold()))


def all_occur(words: Iterable[str], text: str) -> bool:
    """Say whether each word occurs in the text as a whole word, in any order."""
    return said_words(" ".join(words)) <= said_words(text)
