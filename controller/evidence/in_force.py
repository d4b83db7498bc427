"""Which rules a journal says are in force now."""

from pathlib import Path
from typing import Final

from controller.core import events as ev
from controller.core.rules import Rules
from controller.journal import reader
from controller.journal.errors import MalformedJournalError
from controller.journal.table_codec import CODEC

_Recorded = ev.TableStateRecorded
_Telling = ev.JournalOpened | ev.RulesetSet | ev.TableStateRecorded
_TYPES: Final = frozenset({"journal_opened", "ruleset_set", "table_state"})


def rules_in_force(path: Path) -> Rules:
    """Return the ruleset that the next round is played by (VAR).

    Raises:
        JournalError: the journal cannot be read, or is empty.
    """
    found: Rules | None = None
    for record in reader.tail(path).records:
        if record.type in _TYPES:
            fact = CODEC.decode(record)
            assert isinstance(fact, _Telling)
            found = fact.state.rules if isinstance(fact, _Recorded) else fact.rules
    if found is None:
        raise MalformedJournalError(
            f"{path}: expected journal_opened as record 1, found no ruleset; verify it"
        )
    return found
