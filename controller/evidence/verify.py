"""Whether a journal is what was written, and whether what it says can be so.

The chain shows that nobody changed a record afterwards. Whoever can write the
file can also compute hashes, so the records are looked at as well: what each names
as its cause, and hidden cards against their reveals. With `replay` everything is
folded again from the first record: each `table_state` against what came before it,
and every decision against deciding again.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from controller.core import events as ev
from controller.evidence.causes import Causes
from controller.evidence.code import code_digest
from controller.evidence.commitments import CommitmentBook, concerns_cards
from controller.evidence.findings import (
    Finding,
    FindingError,
    FindingKind,
    require_known,
    understood,
)
from controller.evidence.fold import first_difference
from controller.evidence.replay import Counts, Replay
from controller.evidence.signatures import Signatures
from controller.journal import reader
from controller.journal import verify as chain
from controller.journal.chain import GENESIS, Link
from controller.journal.errors import JournalError, MalformedJournalError
from controller.journal.fold import state_at_end
from controller.journal.reader import Columns
from controller.journal.records import TAKEN_OVER
from controller.journal.records import Record as Row
from controller.journal.signing import current_key

Progress = Callable[[str, int, int | None], None]
"""Told what is looked at, how many records were, and how many there are, if known."""


class Report(msgspec.Struct, frozen=True):
    """What was found: nothing, if the journal is good.

    `records` and `head` (in hex) say how far the chain holds. The first bad record
    comes first; those behind it were not looked at. `heads` were signed, by `keys` one
    after the other. Of the heads `kept` elsewhere, `compared` so many agree, up to
    record `compared_until`. `replayed` is None unless decisions were compared.
    """

    journal: str
    records: int
    head: str
    findings: tuple[Finding, ...]
    heads: int = 0
    keys: tuple[str, ...] = ()
    kept: int = 0
    compared: int = 0
    compared_until: int = 0
    replayed: Counts | None = None

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


def no_progress(_what: str, _done: int, _all: int | None) -> None:
    """Tell nobody how far a look at a journal has come."""


def verify(
    path: Path,
    *,
    replay: bool = False,
    signatures: Signatures | None = None,
    progress: Progress = no_progress,
) -> Report:
    """Verify a whole journal, the open round included.

    `signatures` may know heads that were kept elsewhere, and the table's key.

    Raises:
        JournalError: the file cannot be read as a journal at all.
    """
    signed = signatures or Signatures()
    look = _Look(path, signed, progress)
    found = chain.verify(path, look.take)
    if found.head == GENESIS and any(map(_unreadable, found.faults)):
        raise MalformedJournalError(found.faults[0].text)
    finding, counts = look.finding, None
    if replay:
        finding, counts = _decided_again(path, look, found, progress)
    findings = (
        *((finding,) if finding is not None else ()),
        *(Finding(FindingKind.CHAIN, f.sequence, f.text) for f in found.faults),
    )
    head = found.head
    return Report(
        journal=str(path),
        records=head.sequence,
        head=head.hash.hex(),
        # Where something is wrong before it, the end shows nothing.
        findings=findings or signed.end(),
        heads=signed.count,
        keys=tuple(key.line for key in signed.keys),
        kept=signed.kept,
        compared=signed.compared,
        compared_until=signed.compared_until,
        replayed=counts,
    )


def _unreadable(fault: chain.Fault) -> bool:
    return fault.kind is chain.FaultKind.UNREADABLE


class _Look:
    """One look at the records for which the chain holds, as they are read."""

    def __init__(self, path: Path, signatures: Signatures, progress: Progress) -> None:
        self.book = CommitmentBook()
        self.finding: Finding | None = None
        self._path = path
        self._signatures = signatures
        self._progress = progress
        self._all = _records_in(path)
        self._causes = Causes()
        self._known: set[tuple[str, int]] = set()

    def take(self, reached: Link, rows: Sequence[Columns]) -> None:
        """Look at some records, unless one before them is wrong already."""
        self._progress("the chain", reached.sequence, self._all)
        if self.finding is not None:
            return
        try:
            for row in reader.records_of(self._path, rows):
                self._look_at(row)
        except FindingError as error:
            self.finding = error.finding

    def _look_at(self, row: Row) -> None:
        self._causes.take(row)
        self._signatures.take(row)
        if concerns_cards(row):
            self.book.take(row, understood(row))
        elif (row.type, row.version) not in self._known:
            # Its body stays unread here: most records are such, and a journal is long.
            require_known(row)
            self._known.add((row.type, row.version))


def _records_in(path: Path) -> int | None:
    """Return how many records there are to look at, if that can be read at all."""
    try:
        return reader.head(path).sequence
    except JournalError:
        return None


def _decided_again(
    path: Path, look: _Look, found: chain.Verification, progress: Progress
) -> tuple[Finding | None, Counts]:
    """Return the first record that is wrong, and how many decisions were compared."""
    replay, until = Replay(look.book.openings, code_digest()), found.head.sequence
    if look.finding is not None:
        return look.finding, replay.counts
    finding = first_difference(
        path,
        until,
        replay,
        told=lambda done: progress("decisions", done, until),
        # Where the chain breaks, the last step may have lost its end.
        whole=all(fault.sequence is None for fault in found.faults),
    )
    return finding, replay.counts


# --- Through the files of a journal -----------------------------------------------


class EarlierFile(msgspec.Struct, frozen=True):
    """The file that a journal goes on from, and what follows from it.

    `report` is None where the file is not there to be looked at, or is no journal.
    `archived`: nothing was wrong with it then, so that it must be good now.
    """

    file: str
    archived: bool
    findings: tuple[Finding, ...] = ()
    report: Report | None = None

    @property
    def good(self) -> bool:
        """Whether nothing is wrong with it that was not known when it was put aside."""
        if self.findings or self.report is None:
            return not (self.findings and self.archived)
        return self.report.good or not self.archived


def earlier(path: Path, look: Callable[[Path], Report]) -> EarlierFile | None:
    """Return the file that a journal goes on from, looked at; None for the first one.

    Raises:
        JournalError: the journal itself cannot be read.
    """
    first = reader.record_at(path, 1)
    opened = understood(first) if first is not None else None
    old = opened.succeeds if isinstance(opened, ev.JournalOpened) else None
    if old is None:
        return None
    file, archived = path.with_name(old.file), old.found == ""
    if not file.exists():
        return EarlierFile(str(file), archived)
    try:
        report = look(file)
        findings = tuple(_link_findings(path, file, old))
    except JournalError as error:
        if archived:
            raise
        text = f"it was no good, and cannot be read: {error}"
        return EarlierFile(
            str(file), archived, (Finding(FindingKind.CHAIN, None, text),)
        )
    return EarlierFile(str(file), archived, findings, report)


def _link_findings(path: Path, file: Path, old: ev.Predecessor) -> Iterator[Finding]:
    """Hold what a journal says of the one before it against that one."""
    if not old.sequence:
        return
    last = reader.record_at(file, old.sequence)
    if last is None or last.hash.hex() != old.hash:
        text = f"its record {old.sequence} is not the one that {path} goes on from"
        yield Finding(FindingKind.CHAIN, old.sequence, text)
        return
    if old.found:
        return
    if reader.head(file).sequence != old.sequence:
        text = f"it goes on behind record {old.sequence}, where {path} goes on from it"
        yield Finding(FindingKind.CHAIN, old.sequence + 1, text)
    keys, next_keys = current_key(file), reader.signing_keys(path)
    if keys is not None and (not next_keys or keys.line not in next_keys[0].body):
        text = f"its key {keys.line} is not the one that signs {path} at first"
        yield Finding(FindingKind.SIGNATURE, None, text)
    taken_over = reader.record_at(path, TAKEN_OVER)
    state = understood(taken_over) if taken_over is not None else None
    recorded = state.state if isinstance(state, ev.TableStateRecorded) else None
    if recorded != state_at_end(file):
        text = f"the table that {path} begins with is not the one that it ends with"
        yield Finding(FindingKind.CHECKPOINT, None, text)
