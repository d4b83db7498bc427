"""From words to commands: what a line of the staff asks of the core."""

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from controller.core.commands import Command, OpenShift, Person, TakeDecision
from controller.core.decisions import SetRules
from controller.core.errors import RulesetError
from controller.core.rules import Rules
from controller.words.lines import ChangeRules, Line, ShiftOpen, SupervisorDecides


class Meaning(msgspec.Struct, frozen=True):
    """What words alone do not say: who a person is, what a ruleset holds.

    `entered_by` is who says the line, empty where nobody needs to log in.
    `rules` takes a ruleset's name (None: the one in force) and the keys to change.

    Raises (from `rules`):
        RulesetError: There is no such ruleset or key, or it contradicts itself.

    """

    person: Callable[[str], Person]
    rules: Callable[[str | None, dict[str, str]], Rules]
    entered_by: str = ""


def command_of(line: Line, meaning: Meaning) -> Command:
    """Return the command that a line of the staff gives."""
    match line:
        case ShiftOpen():
            dealer = meaning.person(line.dealer)
            return OpenShift(
                dealer=dealer, direction=line.pickup, entered_by=meaning.entered_by
            )
        case SupervisorDecides(decision=decision):
            if isinstance(decision, ChangeRules):
                decision = _set_rules(decision, meaning)
            return TakeDecision(
                person=meaning.person(line.person),
                decision=decision,
                reason=line.reason or "",
                witness=meaning.person(line.witness) if line.witness else None,
            )
        case _:
            return replace(line, entered_by=meaning.entered_by)


def _set_rules(said: ChangeRules, meaning: Meaning) -> SetRules:
    """Make a ruleset of the words; why that fails is the core's to say."""
    try:
        return SetRules(meaning.rules(said.ruleset, dict(said.overrides)))
    except RulesetError as error:
        return SetRules(problem=str(error))
