"""A scenario file as values: its head, then steps and expectations in file order."""

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from controller.words.errors import WordsError
from controller.words.lines import ShiftOpen
from controller.words.names import number_of, ruleset_of
from controller.words.reading import SEATS_MAX, Reader, words_of
from simulators.rigs.scenario.errors import ScenarioError
from simulators.rigs.scenario.expectation_grammar import expectation
from simulators.rigs.scenario.expectations import Expectation
from simulators.rigs.scenario.step_grammar import STEPS
from simulators.rigs.scenario.steps import Step

DEFAULT_RULESET = "colorado"


class Head(msgspec.Struct, frozen=True):
    """What is settled before the first step.

    Attributes:
        ruleset: the name of the ruleset.
        overrides: what differs from it, keys and values as written.
        seats: how many seats the table has.
    """

    ruleset: str = DEFAULT_RULESET
    overrides: tuple[tuple[str, str], ...] = ()
    seats: int = SEATS_MAX


class Statement(msgspec.Struct, frozen=True):
    """One line that says something.

    Attributes:
        line: its number in the file, from 1.
        text: as written, without comment and surplus spaces.
        said: what it says.
    """

    line: int
    text: str
    said: Step | Expectation


class Scenario(msgspec.Struct, frozen=True):
    """One file, as it stands: nothing in it has happened yet."""

    file: str
    head: Head
    statements: tuple[Statement, ...]

    @property
    def opens_its_own_shift(self) -> bool:
        """Whether the file opens a shift, so that none is opened before its steps."""
        return any(
            isinstance(statement.said, ShiftOpen) for statement in self.statements
        )


def read_scenario(path: Path) -> Scenario:
    """Read a scenario from a file.

    Raises:
        ScenarioError: the file cannot be read, or a line is not in the language.
    """
    try:
        return parse_scenario(path.read_bytes().decode("utf-8-sig"), str(path))
    except OSError as error:
        cause = WordsError("a file that can be read", error.strerror or str(error))
        raise ScenarioError(str(path), 1, cause) from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        cause = WordsError("text in UTF-8", f"byte {error.object[error.start]:#04x}")
        raise ScenarioError(str(path), line, cause) from error


def parse_scenario(text: str, file: str) -> Scenario:
    """Read a scenario from its text.

    Args:
        text: the lines of the file.
        file: what messages call the file.

    Raises:
        ScenarioError: a line is not in the language; says which, what was expected
            there and what came.
    """
    draft = _Draft()
    for number, line in enumerate(text.split("\n"), start=1):
        try:
            draft.add(number, line)
        except WordsError as cause:
            raise ScenarioError(file, number, cause) from cause
    return Scenario(file, draft.head, tuple(draft.statements))


class _Draft:
    """A scenario while it is read, line by line."""

    def __init__(self) -> None:
        self.head = Head()
        self.statements: list[Statement] = []
        self._head_words: set[str] = set()

    def add(self, number: int, line: str) -> None:
        """Read one line, which may be empty."""
        reader = Reader(line, self.head.seats)
        if reader.next is None:
            return
        word = reader.choose("a statement", _FIRST_WORDS)
        if word in _HEAD:
            self._add_to_head(word, reader)
        else:
            said = _STATEMENTS[word](reader)
            self.statements.append(Statement(number, _without_comment(line), said))
        reader.end()

    def _add_to_head(self, word: str, reader: Reader) -> None:
        if self.statements:
            raise WordsError(f"{word} only before the first step", word)
        if word in self._head_words:
            raise WordsError(f"{word} only once", word)
        self._head_words.add(word)
        self.head = _HEAD[word](self.head, reader)


def _without_comment(line: str) -> str:
    return " ".join(word.raw for word in words_of(line))


def _rules(head: Head, reader: Reader) -> Head:
    ruleset = reader.read("the name of a ruleset such as colorado", ruleset_of)
    overrides = reader.pairs("key=value")
    return msgspec.structs.replace(head, ruleset=ruleset, overrides=overrides)


def _table(head: Head, reader: Reader) -> Head:
    expected = f"N, a number from 1 to {SEATS_MAX}"
    seats = reader.option("seats", expected, _seats_of)
    if seats is None:
        raise WordsError("seats=N", reader.take("seats=N").raw)
    return msgspec.structs.replace(head, seats=seats)


def _seats_of(text: str) -> int | None:
    return number_of(text, 1, SEATS_MAX)


_HEAD: Mapping[str, Callable[[Head, Reader], Head]] = {
    "rules": _rules,
    "table": _table,
}

_STATEMENTS: Mapping[str, Callable[[Reader], Step | Expectation]] = {
    **STEPS,
    "expect": expectation,
}

_FIRST_WORDS: Mapping[str, str] = {word: word for word in (*_HEAD, *_STATEMENTS)}
