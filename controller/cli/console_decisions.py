"""The decisions that apply, as a numbered list that a supervisor chooses from.

Variants of one decision that are many stand on one line; which is meant is asked
then. So the list is short enough to be read with seven players looking on.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from controller.cli.table_text import Mood, TextLine
from controller.core.guidance import Use
from controller.core.views import IrregularityView
from controller.runtime.view import DecisionView, View

_FEW: Final = 2
"""So many variants of one decision have lines of their own."""

_HOW: Final = 'Type a number, or "decisions" for all, or the words; nothing is sent yet'


class Choice(msgspec.Struct, frozen=True):
    """One line of the list: a decision, or variants of one; which is asked later."""

    number: int
    options: tuple[DecisionView, ...]

    @property
    def first(self) -> DecisionView:
        """The decision, or the first of the variants."""
        return self.options[0]

    def line(self) -> TextLine:
        """Return the line of the list."""
        if len(self.options) == 1:
            return TextLine(f"{self.number:4}  {told(self.first)}", Mood.DUE)
        which = ", ".join(variant(option) for option in self.options)
        return TextLine(
            f"{self.number:4}  {self.first.command} ({self.first.clause}), one of"
            f" {which}; the first: {self.first.does}",
            Mood.DUE,
        )


def told(decision: DecisionView) -> str:
    """Return a decision with its clause and what it will do."""
    return f"{decision.words} ({decision.clause}): {decision.does}"


def variant(decision: DecisionView) -> str:
    """Return what tells a decision from others of its name: `3 2 CARD`."""
    return decision.words.removeprefix(decision.command).strip() or "alone"


def choices(view: View) -> tuple[Choice, ...]:
    """Return all that applies, numbered; the usual answers have the first numbers."""
    groups: dict[tuple[object, ...], list[DecisionView]] = {}
    for decision in view.decisions or ():
        of_a_name = (decision.use, decision.answers, decision.command)
        groups.setdefault(of_a_name, []).append(decision)
    lines: list[tuple[DecisionView, ...]] = []
    for options in groups.values():
        few = len(options) <= _FEW
        lines += [(option,) for option in options] if few else [tuple(options)]
    return tuple(Choice(number, of) for number, of in enumerate(lines, start=1))


def usual_lines(view: View) -> tuple[TextLine, ...]:
    """Return the list as it is shown by itself: answers and ways out of a stop."""
    if view.interrupted is None or not view.decisions:
        return ()
    return (*_answers(view), *_under(view, "or end it", Use.WAY_OUT), TextLine(_HOW))


def all_lines(view: View) -> tuple[TextLine, ...]:
    """Return the whole list."""
    if view.decisions is None:
        return (TextLine("the decisions are still being worked out: ask again"),)
    if not view.decisions:
        return (TextLine("no decision of a supervisor applies now"),)
    return (
        *_answers(view),
        *_under(view, "or end it", Use.WAY_OUT),
        *_under(view, "also possible", Use.ALSO),
    )


def _answers(view: View) -> Iterator[TextLine]:
    """Yield under each irregularity what usually answers it."""
    said: set[int] = set()
    for found in view.irregularities:
        mine = [
            choice
            for choice in choices(view)
            if found.irregularity in choice.first.answers and choice.number not in said
        ]
        if mine:
            said |= {choice.number for choice in mine}
            yield TextLine(f"{_name(found)}: {found.what_to_do}", Mood.HEAD)
            yield from (choice.line() for choice in mine)


def _name(found: IrregularityView) -> str:
    where = f", hand {found.hand}" if found.hand else ""
    where += f", seat {found.seat}" if found.seat else ""
    return f"{found.kind.value}{where} ({found.clause})"


def _under(view: View, heading: str, use: Use) -> Iterator[TextLine]:
    lines = [choice.line() for choice in choices(view) if choice.first.use is use]
    if lines:
        yield TextLine(f"{heading}:", Mood.HEAD)
        yield from lines
