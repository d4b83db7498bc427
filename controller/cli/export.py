"""`tablectl export`: the records of a journal as lines of JSON, for other programs."""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

import click

from controller.cli.failures import AnswerIsNoError, MisuseError, reading_a_journal
from controller.cli.new_file import new_file
from controller.cli.options import FILE, NUMBER, journal_option
from controller.cli.output import on_a_terminal
from controller.cli.progress import Progress, progress
from controller.evidence.errors import NothingToExportError
from controller.evidence.export import (
    Export,
    Rounds,
    Selection,
    Times,
    Whole,
    export,
)
from controller.evidence.round_at import last_time
from controller.evidence.spoken_time import Interval, SpokenTimeError, intervals_of
from controller.evidence.times import time_zone

_EVERY: Final = 1_000
"""After how many lines the progress is shown anew."""


def _rounds(
    _context: click.Context, _option: click.Parameter, text: str | None
) -> Rounds | None:
    """Return the rounds that `A-B` means.

    Raises:
        click.BadParameter: it is not of that form.
    """
    if text is None:
        return None
    written = re.fullmatch(r"([1-9][0-9]{0,17})-([1-9][0-9]{0,17})", text)
    if written is None:
        raise click.BadParameter(f"{text!r}: expected A-B, such as 3-7.")
    first, last = (int(number) for number in written.groups())
    if first > last:
        raise click.BadParameter(f"{text!r}: expected the lower number first.")
    return Rounds(first, last)


@click.command("export")
@click.option(
    "--round",
    "number",
    type=NUMBER,
    metavar="N",
    help="Round N, with its wagers before DEAL.",
)
@click.option("--rounds", callback=_rounds, metavar="A-B", help="Rounds A to B.")
@click.option(
    "--since",
    metavar="TIME",
    help="From then on: HH:MM[:SS] in the table's local time, with YYYY-MM-DD before "
    "it for another day than the last, or RFC 3339.",
)
@click.option(
    "--until",
    metavar="TIME",
    help="Up to then: all of that minute, second or fraction, as far as it is named.",
)
@click.option(
    "-o",
    "--output",
    type=FILE,
    metavar="FILE",
    help="The file to write instead of printing; it must not be there yet.",
)
@journal_option()
def command(
    journal: Path,
    *,
    number: int | None,
    rounds: Rounds | None,
    since: str | None,
    until: str | None,
    output: Path | None,
) -> None:
    """Print the records of a journal as JSON, one line each, every column.

    The first line says what they are of. Without a choice of rounds or of a time, it
    is the whole file; of a round still open, what is on disk so far. Earlier files
    are exported each by itself. The format is described in docs/export.md.
    """
    with reading_a_journal():
        selection = _selection(journal, number, rounds, since, until)
        try:
            found = export(journal, selection)
        except NothingToExportError as error:
            raise AnswerIsNoError(str(error)) from error
        if output is not None:
            with new_file(output) as opened, progress("records") as told:
                _write(_counted(found, told), opened)
        elif on_a_terminal():
            # Lines that scroll by say how far it is, and a bar would mix with them.
            _write(found.lines(), sys.stdout.buffer)
        else:
            with progress("records") as told:
                _write(_counted(found, told), sys.stdout.buffer)


def _selection(
    journal: Path,
    number: int | None,
    rounds: Rounds | None,
    since: str | None,
    until: str | None,
) -> Selection:
    """Return which records are asked for.

    Raises:
        click.UsageError: they are named in two ways, or by a time that ends too early.
        MisuseError: a text is no time.
        JournalError: the journal cannot be read.
    """
    by_time = since is not None or until is not None
    if (number is not None) + (rounds is not None) + by_time > 1:
        raise click.UsageError(
            "Give one of --round N, --rounds A-B, and a time with --since or --until."
        )
    if number is not None:
        return Rounds(number, number)
    if rounds is not None:
        return rounds
    return _times(journal, since, until) if by_time else Whole()


def _times(journal: Path, since: str | None, until: str | None) -> Times:
    zone, latest = time_zone(journal), last_time(journal)

    def meant(option: str, text: str | None) -> tuple[Interval, ...]:
        try:
            return () if text is None else intervals_of(text, zone, latest)
        except SpokenTimeError as error:
            raise MisuseError(f"tablectl export {option}: {error}") from error

    # A time in the hour that is gone through twice means both: then it is the longer
    # part that is given.
    first, last = meant("--since", since), meant("--until", until)
    if first and last and first[0].begin >= last[-1].end:
        raise click.UsageError(
            f"--since {first[0].text} is not before --until {last[-1].text}."
        )
    return Times(
        first[0].begin if first else None,
        last[-1].end if last else None,
    )


def _write(lines: Iterable[bytes], to: BinaryIO) -> None:
    to.writelines(lines)
    to.flush()


def _counted(found: Export, told: Progress) -> Iterator[bytes]:
    """Yield the lines, and tell now and then how many records were written."""
    for done, line in enumerate(found.lines()):
        yield line
        if done % _EVERY == 0:
            told("records", done, found.about.records)
