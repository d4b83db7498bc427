"""The reason that every decision has: whether a line says it, and how it is added."""

from controller.words.errors import WordsError
from controller.words.grammar import parse_line
from controller.words.reading import words_of


def needs_reason(line: str) -> bool:
    """Return whether this is a supervisor's decision without its reason.

    A line that cannot be read needs none: the table says what is wrong with it.
    """
    try:
        parse_line(line)
        words = words_of(line)
    except WordsError:
        return False
    return words[0].raw == "supervisor" and all(word.key != "reason" for word in words)


def with_reason(line: str, reason: str) -> str:
    """Return the line with a reason; the language has no way to quote a quote."""
    spoken = "".join(c if c.isprintable() else " " for c in reason).replace('"', "'")
    return f'{without_comment(line)} reason="{spoken}"'


def without_comment(line: str) -> str:
    """Return a line's words, without a comment behind which nothing would be read."""
    return " ".join(word.raw for word in words_of(line))
