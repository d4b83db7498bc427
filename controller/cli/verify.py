"""`tablectl verify`: whether a journal is what was written, and can be so."""

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from controller.cli.failures import AnswerIsNoError, Status, reading_a_journal
from controller.cli.options import journal_option, json_option
from controller.cli.output import print_json
from controller.evidence.replay import Counts
from controller.evidence.verify import Progress, Report, no_progress
from controller.evidence.verify import verify as verify_journal


@click.command
@click.option(
    "--replay",
    is_flag=True,
    help="Also fold everything, decide it again and compare; takes much longer.",
)
@journal_option()
@json_option
def verify(journal: Path, *, replay: bool, as_json: bool) -> Status:
    """Check that the journal is what was written, and name the first bad record.

    Always looked at: the file and its schema, the sequence, the hash chain, that
    each record is of a known kind and names its cause, and hidden cards against
    their reveals.

    With --replay also: that each record says something that can follow, each round's
    table_state against the records before it, and each decision of this program.
    """
    with reading_a_journal(foreign=AnswerIsNoError), _progress() as progress:
        report = verify_journal(journal, replay=replay, progress=progress)
    if as_json:
        print_json({"good": report.good, **_plain(report)})
    else:
        click.echo("\n".join(_lines(report)))
    return Status.DONE if report.good else Status.NO


def _plain(report: Report) -> dict[str, object]:
    return {name: getattr(report, name) for name in report.__struct_fields__}


def _lines(report: Report) -> Iterator[str]:
    for finding in report.findings:
        yield click.style(f"{report.journal}: {finding.text}", fg="red")
    what = f"{report.records:,} records, the chain holds up to {report.head}"
    if report.good:
        yield click.style(f"{report.journal}: good, {what}", fg="green")
    else:
        yield f"{report.journal}: not good, {what}"
    if report.replayed is not None:
        yield from _counted(report.replayed)


def _counted(counts: Counts) -> Iterator[str]:
    yield f"decided again: {counts.compared:,} inputs"
    if counts.still_sealed:
        yield f"not compared: {counts.still_sealed:,} rest on a card still sealed"
    for program in counts.other_programs:
        yield f"folded only: decisions of the program {program or 'without a digest'}"


@contextlib.contextmanager
def _progress() -> Iterator[Progress]:
    """Show how far it is, to a person who waits at a terminal."""
    if not sys.stderr.isatty():
        yield no_progress
        return
    # Rich takes long to import: only a terminal pays for it.
    from rich.console import Console  # noqa: PLC0415 - said above
    from rich.progress import Progress as Bar  # noqa: PLC0415 - said above

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("the chain", total=None)

        def show(what: str, done: int, total: int | None) -> None:
            bar.update(task, description=what, completed=done, total=total)

        yield show
