"""Ending one file of a table's journal at a shift's end, and going on in the next."""

from pathlib import Path

from controller.core.events import JournalOpened, Predecessor
from controller.core.ids import Phase
from controller.core.state import TableState
from controller.journal import reader
from controller.journal.fold import state_at_end
from controller.journal.records import JournalKind, Stamp
from controller.journal.recovery import recover
from controller.journal.signing import Signing
from controller.journal.succession import Succession
from controller.runtime.errors import NotArchivedError


def archive(
    path: Path, opened: JournalOpened, stamp: Stamp, signing: Signing | None
) -> Predecessor:
    """Put a journal aside, under a last signature, and begin the next with its table.

    `opened` is the first record of a journal of this table.

    Raises:
        NotArchivedError: A shift is open, or the table is stopped.
        JournalError, OSError: A file cannot be used.

    """
    kind = JournalKind(opened.kind)
    with recover(path, kind).journal as journal:
        if signing is not None:
            journal.sign_with(signing, stamp)
            journal.sign_head(stamp)
    with Succession(path, kind) as succession:
        state = state_at_end(path)
        _require_between_shifts(path, state)
        head = reader.head(path)
        predecessor = Predecessor(
            file=succession.archived(state.round - 1),
            found="",
            sequence=head.sequence,
            hash=head.hash.hex(),
            reason="archived",
        )
        succession.carry_out(opened, predecessor, state, stamp)
    if signing is not None:
        # The key goes on at once: another one could not be told from it later.
        with recover(path, kind).journal as journal:
            journal.sign_with(signing, stamp)
    return predecessor


def _require_between_shifts(path: Path, state: TableState) -> None:
    if state.phase is not Phase.CLOSED:
        raise NotArchivedError(
            f"{path}: expected a closed table without a fault, it is "
            f"{state.phase.value}; close the shift first"
        )
