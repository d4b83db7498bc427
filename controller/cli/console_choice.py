"""From a number in the list to the line that is sent: what is asked, in which order.

Which variant, the card where one is to be typed, who decides, who witnesses, and
always the reason. An empty answer at any of these sends nothing.
"""

from collections.abc import Callable
from typing import Final

from controller.cli.console_decisions import Choice, told
from controller.cli.console_reason import with_reason
from controller.core.cards import Card
from controller.runtime.view import DecisionView
from controller.words.names import card_meant, card_of, person_of

Ask = Callable[[str], str]
"""Lets one line be typed after a prompt."""

Say = Callable[[str], None]
"""Shows a line."""

CARD: Final = "CARD"
_NOT_SENT: Final = "nothing was sent"


class NotChosenError(Exception):
    """Somebody thought better of it, or typed what cannot be; says which."""


def chosen_line(choice: Choice, ask: Ask, say: Say) -> str:
    """Return the supervisor's line for a choice, complete with its reason.

    Raises:
        NotChosenError: Nothing is to be sent.

    """
    decision = _one_of(choice, ask, say)
    say(told(decision))
    words = _filled(decision, ask)
    person = _person("supervisor> ", ask)
    line = f"supervisor {person} {words}"
    if decision.witness:
        line += f" witness={_person('witness> ', ask)}"
    return with_reason(line, _answer("reason> ", ask))


def _answer(prompt: str, ask: Ask) -> str:
    typed = ask(prompt).strip()
    if not typed:
        raise NotChosenError(_NOT_SENT)
    return typed


def _one_of(choice: Choice, ask: Ask, say: Say) -> DecisionView:
    if len(choice.options) == 1:
        return choice.first
    for number, option in enumerate(choice.options, start=1):
        say(f"{number:8}  {told(option)}")
    typed = _answer("which> ", ask)
    if not typed.isdecimal() or not 1 <= int(typed) <= len(choice.options):
        raise NotChosenError(
            f"{_NOT_SENT}: expected a number from 1 to {len(choice.options)},"
            f" got {typed}"
        )
    return choice.options[int(typed) - 1]


def _filled(decision: DecisionView, ask: Ask) -> str:
    """Return the words with what is typed in the place of what stands in capitals."""
    if decision.command == "set-rules":
        return f"{decision.command} {_answer('ruleset or key=value> ', ask)}"
    if CARD not in decision.words.split():
        return decision.words
    return decision.words.replace(CARD, _card(_answer("card> ", ask)))


def _card(typed: str) -> Card:
    card = card_of(typed)
    if card is None:
        meant = card_meant(typed)
        guess = f"; did you mean {meant}?" if meant else ""
        raise NotChosenError(
            f"{_NOT_SENT}: expected a card such as Th or 9s, got {typed}{guess}"
        )
    return card


def _person(prompt: str, ask: Ask) -> str:
    typed = _answer(prompt, ask)
    if person_of(typed) is None:
        raise NotChosenError(
            f"{_NOT_SENT}: expected the id of a person such as S1, got {typed}"
        )
    return typed
