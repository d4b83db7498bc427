"""`tablectl verify`: whether a journal is what was written, and can be so."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import click
from msgspec.structs import replace

from controller.cli.failures import (
    AnswerIsNoError,
    MisuseError,
    Status,
    reading_a_journal,
)
from controller.cli.finding_line import finding_line
from controller.cli.options import FILE, journal_option, json_option
from controller.cli.output import print_json
from controller.cli.progress import progress
from controller.cli.public_key import key_option, public_key
from controller.evidence.findings import Finding, FindingKind
from controller.evidence.kept_heads import HeadsOf, by_file
from controller.evidence.replay import Counts
from controller.evidence.signatures import KeptHead, Signatures
from controller.evidence.verify import (
    EarlierFile,
    Report,
    earlier,
)
from controller.evidence.verify import verify as verify_journal
from controller.journal.errors import NoteError
from controller.journal.regular import require_regular
from controller.journal.signing import split_notes


@click.command
@click.option(
    "--replay",
    is_flag=True,
    help="Also fold everything, decide it again and compare; takes much longer.",
)
@click.option(
    "--checkpoint",
    "checkpoints",
    type=FILE,
    multiple=True,
    metavar="FILE",
    help="Signed heads that were kept elsewhere; shows an end that was cut off.",
)
@key_option
@journal_option()
@json_option
def verify(
    journal: Path,
    *,
    replay: bool,
    checkpoints: tuple[Path, ...],
    key_line: str | None,
    as_json: bool,
) -> Status:
    """Check that the journal is what was written, and name the first bad record.

    Always looked at: the file and its schema, the sequence, the hash chain, that
    each record is of a known kind and names its cause, hidden cards against their
    reveals, and, where the table signs its journal, every signed head. Whose key
    that is, only --key says; only --checkpoint shows that no end was cut off. The
    files that the journal goes on from are looked at too, as far as they are there.

    With --replay also: that each record says something that can follow, each round's
    table_state against the records before it, and each decision of this program.
    """
    kept = [head for file in checkpoints for head in _kept_in(file)]
    trusted = public_key(key_line)
    with reading_a_journal(foreign=AnswerIsNoError), progress("the chain") as told:
        heads = by_file(journal, kept)
        look = partial(verify_journal, replay=replay, progress=told)
        newest = Signatures(heads.get(journal, ()), trusted)
        report = look(journal, signatures=newest)

        def look_at_earlier(file: Path) -> Report:
            return look(file, signatures=Signatures(heads.get(file, ())))

        files = tuple(
            _with_heads_missed(file, heads)
            for file in _earlier_files(journal, look_at_earlier)
        )
    good = report.good and all(file.good for file in files)
    unproved = tuple(_not_proved(report, files, key_is_known=trusted is not None))
    if as_json:
        beside = {"earlier": files, "not_proved": unproved}
        print_json({"good": good, **_plain(report), **beside})
    else:
        lines = (*_lines(report), *(line for file in files for line in _earlier(file)))
        # Where something is wrong, that is to be read.
        left = (f"not proved: {what}" for what in (unproved if good else ()))
        click.echo("\n".join((*lines, *left)))
    return Status.DONE if good else Status.NO


def _earlier_files(
    journal: Path, look: Callable[[Path], Report]
) -> Iterator[EarlierFile]:
    """Yield the files that a journal goes on from, the newest first."""
    before = earlier(journal, look)
    while before is not None:
        yield before
        there = before.report is not None
        before = earlier(Path(before.file), look) if there else None


def _with_heads_missed(file: EarlierFile, heads: HeadsOf) -> EarlierFile:
    """Add to a file that is not here that heads cannot be held against it."""
    missed = len(heads.get(Path(file.file), ()))
    if file.report is not None or file.findings or not missed:
        return file
    text = (
        f"it is not here, so that {missed} heads kept elsewhere cannot be held against "
        "it; bring it back"
    )
    return replace(file, findings=(Finding(FindingKind.SIGNATURE, None, text),))


def _earlier(file: EarlierFile) -> Iterator[str]:
    if file.report is None and not file.findings:
        yield f"{file.file}: it goes on from this file, which is not here"
    for finding in file.findings:
        yield finding_line(file.file, finding)
    if not file.archived:
        yield f"{file.file}: it was no good when it was put aside"
    if file.report is not None:
        yield from _lines(file.report)


def _kept_in(file: Path) -> list[KeptHead]:
    """Return the heads in a file of notes."""
    try:
        require_regular(file)
        notes = split_notes(file.read_text("utf-8"))
        kept = [KeptHead.parse(note) for note in notes]
    except OSError as error:
        raise MisuseError(f"{file}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise MisuseError(f"{file}: expected signed heads, got no text") from error
    except NoteError as error:
        raise MisuseError(f"{file}: expected signed heads: {error}") from error
    if not kept:
        raise MisuseError(f"{file}: expected signed heads, found none")
    return kept


def _plain(report: Report) -> dict[str, object]:
    return {name: getattr(report, name) for name in report.__struct_fields__}


def _lines(report: Report) -> Iterator[str]:
    for finding in report.findings:
        yield finding_line(report.journal, finding)
    what = f"{report.records:,} records, the chain holds up to {report.head}"
    if report.good:
        yield click.style(f"{report.journal}: good, {what}", fg="green")
    else:
        yield f"{report.journal}: not good, {what}"
    for key in report.keys:
        yield f"signed heads: {report.heads:,}, by the key {key}"
    if not report.keys:
        yield "the heads are not signed"
    if report.kept:
        yield f"heads kept elsewhere: {_agree(report)}"
    if report.replayed is not None:
        yield from _counted(report.replayed)


def _not_proved(
    report: Report, earlier_ones: Sequence[EarlierFile], *, key_is_known: bool
) -> Iterator[str]:
    """Yield what may be otherwise although nothing is wrong."""
    if not report.keys:
        yield "who wrote it; nobody signed its heads"
    elif not key_is_known:
        yield "whose key that is; give the one that you know by --key"
    if not report.kept:
        yield "that no end was cut off; --checkpoint with heads kept elsewhere shows it"
    for file in earlier_ones:
        if file.report is None and not file.findings:
            yield f"what was before; {file.file} is not here"


def _agree(report: Report) -> str:
    until = f", up to record {report.compared_until:,}" if report.compared else ""
    return f"{report.compared:,} of {report.kept:,} agree{until}"


def _counted(counts: Counts) -> Iterator[str]:
    yield f"decided again: {counts.compared:,} inputs"
    if counts.still_sealed:
        yield f"not compared: {counts.still_sealed:,} rest on a card still sealed"
    for program in counts.other_programs:
        yield f"folded only: decisions of the program {program or 'without a digest'}"
