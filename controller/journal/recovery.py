"""A start: journal and escrow are opened again, and the table is as it was.

Whatever a crash left over is harmless. A secret that no record counts on yet is
dropped; one whose deletion was still to come goes the same way.
"""

import contextlib
from pathlib import Path

import msgspec

from controller.core import events as ev
from controller.core.secrets import Secrets, commitments
from controller.core.state import TableState
from controller.journal import reader
from controller.journal.chain import GENESIS
from controller.journal.errors import EscrowDamagedError, EscrowMissingError
from controller.journal.escrow import Escrow
from controller.journal.fold import state_after
from controller.journal.records import TAKEN_OVER, JournalKind
from controller.journal.sealed_cards import card_of, escrow_path, stands_for
from controller.journal.store import Store
from controller.journal.table_codec import CODEC
from controller.journal.table_journal import TableJournal

_OF_SIGNING = frozenset(
    str(kind.__struct_config__.tag) for kind in (ev.SigningKeySet, ev.HeadSigned)
)
_STATE = str(ev.TableStateRecorded.__struct_config__.tag)


class Recovered(msgspec.Struct, frozen=True):
    """A journal as a start finds it: the table exactly as it was.

    `is_new`: this start began it, or it takes another's place and nothing was played
    by it yet. Devices may be ahead of it.
    """

    journal: TableJournal
    state: TableState
    secrets: Secrets
    is_new: bool = False


def holds_records(path: Path, kind: JournalKind) -> bool:
    """Return whether a journal was begun there.

    A power cut can leave its file without the first record, or quite empty; the next
    start begins it.

    Raises:
        JournalError: It is locked, of the other kind, or no journal.

    """
    if not path.exists():
        return False
    with Store.open(path, kind) as store:
        return store.head != GENESIS


def recover(path: Path, kind: JournalKind) -> Recovered:
    """Open a journal that exists and fold the table from its last round's end.

    Everything since then is verified on the way. A missing or damaged escrow is
    begun anew: what it held is then unread.

    Raises:
        JournalError: It is locked, of the other kind, or does not verify; the
            message names the record.

    """
    with contextlib.ExitStack() as undo:
        store = undo.enter_context(Store.open(path, kind))
        tail = reader.tail(path)
        state = state_after(path, tail)
        escrow = undo.enter_context(_open_escrow(path))
        known = commitments(state)
        escrow.drop_unknown(lambda row: stands_for(row, state.table, known))
        kept = escrow.rows()
        secrets = Secrets(tuple(card_of(row) for row in kept))
        journal = TableJournal(path, store, escrow, kept)
        is_new = _is_unplayed_successor(path, tail)
        undo.pop_all()
    return Recovered(journal, state, secrets, is_new)


def _is_unplayed_successor(path: Path, tail: reader.Tail) -> bool:
    """Return whether a journal holds no more than what is sure of a bad one."""
    (first, *more) = tail.records
    if (first.sequence, first.type) != (TAKEN_OVER, _STATE):
        return False
    if any(record.type not in _OF_SIGNING for record in more):
        return False
    opened = reader.record_at(path, 1)
    fact = CODEC.decode(opened) if opened is not None else None
    old = fact.succeeds if isinstance(fact, ev.JournalOpened) else None
    return old is not None and old.found != ""


def _open_escrow(path: Path) -> Escrow:
    try:
        return Escrow.open(escrow_path(path))
    except (EscrowMissingError, EscrowDamagedError):
        return Escrow.create(escrow_path(path))
