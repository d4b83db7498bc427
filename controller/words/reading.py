"""A line as words, and a reader that takes them one by one.

Words are separated by spaces; `#` starts a comment; double quotes hold a text with
spaces, alone or as the value of `key="…"`. There is no escape: a quoted text holds
no double quote.
"""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from typing import TypeVar

import msgspec

from controller.words.errors import WordsError, nearest

SEATS_MAX = 7
END_OF_LINE = "the end of the line"

_WORD = re.compile(
    r"""(?: (?P<key> [A-Za-z_][A-Za-z0-9_.-]* ) = )?
        (?: "(?P<quoted> [^"]* )" | (?P<plain> [^\s"\#]+ ) )
        (?= \s | \# | \Z )""",
    re.VERBOSE,
)

_Read = TypeVar("_Read")
_Name = TypeVar("_Name", bound=Enum)


class Word(msgspec.Struct, frozen=True):
    """One word of a line.

    Attributes:
        raw: as written, quotes included.
        text: what it says: without quotes, and without `key=` where it has a key.
        key: of an option `key=value`, else None.
    """

    raw: str
    text: str
    key: str | None

    @property
    def spoken(self) -> str:
        """The word as part of a sentence: as written, only without quotes."""
        return self.text if self.key is None else self.raw


def words_of(line: str) -> tuple[Word, ...]:
    """Split one line into words, leaving out its comment.

    Raises:
        WordsError: a control character, or a quote that does not close or does not
            stand at a word's edge.
    """
    line = line.strip()
    _refuse_control_characters(line)
    words = []
    position = 0
    while position < len(line) and line[position] != "#":
        if line[position].isspace():
            position += 1
            continue
        word = _WORD.match(line, position)
        if word is None:
            raise WordsError('a text in double quotes, as in "…"', line[position:])
        words.append(_word(word))
        position = word.end()
    return tuple(words)


def _refuse_control_characters(line: str) -> None:
    for character in line:
        if not (character.isprintable() or character == "\t"):
            raise WordsError("printable text on one line", character)


def _word(found: re.Match[str]) -> Word:
    quoted = found["quoted"]
    text = found["plain"] if quoted is None else quoted
    return Word(raw=found[0], text=text, key=found["key"])


class Reader:
    """Takes the words of a line from left to right and says what it had expected.

    Args:
        line: the text of one line.
        seats: how many seats the table has; higher seat numbers are refused.
    """

    def __init__(self, line: str, seats: int = SEATS_MAX) -> None:
        self.seats = seats
        self._left = list(words_of(line))

    @property
    def next(self) -> Word | None:
        """The word that would be taken next, or None at the end of the line."""
        return self._left[0] if self._left else None

    def take(self, expected: str) -> Word:
        """Take the next word, whatever it is."""
        if not self._left:
            raise WordsError(expected, END_OF_LINE)
        return self._left.pop(0)

    def take_all(self) -> tuple[Word, ...]:
        """Take every word that is left."""
        taken, self._left = self._left, []
        return tuple(taken)

    def read(
        self,
        expected: str,
        convert: Callable[[str], _Read | None],
        meant: Callable[[str], str | None] = lambda _text: None,
    ) -> _Read:
        """Take the next word as a value.

        `convert` returns None for a word that does not fit; `meant` then guesses
        what was meant.
        """
        word = self.take(expected)
        value = convert(word.raw)
        if value is None:
            raise WordsError(expected, word.raw, meant(word.raw))
        return value

    def choose(self, what: str, choices: Mapping[str, _Read]) -> _Read:
        """Take the next word as one of the words known here."""
        return self.read(
            f"{what} ({', '.join(choices)})",
            choices.get,
            lambda word: nearest(word, choices),
        )

    def name(self, what: str, names: type[_Name]) -> _Name:
        """Take the next word as one of an enumeration's."""
        return self.choose(what, {name.value: name for name in names})

    def option(
        self, key: str, expected: str, convert: Callable[[str], _Read | None]
    ) -> _Read | None:
        """Take `key=value` from wherever it stands among the words left, if it does."""
        word = next((word for word in self._left if word.key == key), None)
        if word is None:
            return None
        self._left.remove(word)
        value = convert(word.text)
        if value is None:
            raise WordsError(f"{key}={expected}", word.raw)
        return value

    def pairs(self, expected: str) -> tuple[tuple[str, str], ...]:
        """Take every word that is left as `key=value`, each key once, in file order."""
        pairs: dict[str, str] = {}
        for word in self.take_all():
            if word.key is None:
                raise WordsError(expected, word.raw)
            if word.key in pairs:
                raise WordsError(f"{word.key}= only once", word.raw)
            pairs[word.key] = word.text
        return tuple(pairs.items())

    def end(self) -> None:
        """Refuse words that are left over."""
        if self._left:
            raise WordsError(END_OF_LINE, self._left[0].raw)
