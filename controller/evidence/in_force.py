"""Which rules a journal says are in force now."""

from pathlib import Path

from controller.core import events as ev
from controller.core.rules import Rules
from controller.journal import reader
from controller.journal.errors import MalformedJournalError
from controller.journal.table_codec import CODEC


def rules_in_force(path: Path) -> Rules:
    """Return the ruleset that the next round is played by (VAR).

    Raises:
        JournalError: the journal cannot be read, or is empty.
    """
    found: Rules | None = None
    for record in reader.tail(path).records:
        if record.type in {"journal_opened", "table_state", "ruleset_set"}:
            match CODEC.decode(record):
                case ev.JournalOpened(rules=rules) | ev.RulesetSet(rules=rules):
                    found = rules
                case ev.TableStateRecorded(state=state):
                    found = state.rules
                case _:
                    pass
    if found is None:
        raise MalformedJournalError(
            f"{path}: expected journal_opened as record 1, found no ruleset; verify it"
        )
    return found
