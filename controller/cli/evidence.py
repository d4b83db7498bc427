"""`tablectl evidence` and `verify-evidence`: one round, with its proof, in a file."""

from pathlib import Path

import click

from controller.cli.failures import (
    AnswerIsNoError,
    MisuseError,
    Status,
    reading_a_journal,
)
from controller.cli.new_file import new_file
from controller.cli.options import FILE, NUMBER, journal_option, json_option
from controller.cli.output import print_json
from controller.cli.public_key import key_option, public_key
from controller.evidence.bundle.check import Checked, check, check_content
from controller.evidence.bundle.write import bundle
from controller.evidence.errors import NoBundleError, RoundOpenError
from controller.words.errors import printable


@click.command("evidence")
@click.argument("number", type=NUMBER, metavar="N")
@click.option(
    "-o",
    "--output",
    type=FILE,
    required=True,
    metavar="FILE",
    help="The file to write; it must not be there yet.",
)
@journal_option()
def evidence(number: int, output: Path, journal: Path) -> None:
    """Put round N into one file: all that proves it, and nothing of other rounds.

    It is checked before it is written: a round that somebody has changed since makes
    no file.
    """
    with reading_a_journal():
        try:
            content = bundle(journal, number)
        except RoundOpenError as error:
            raise AnswerIsNoError(str(error)) from error
    problems = check_content(output, content).problems
    if problems:
        raise AnswerIsNoError(
            f"{journal}: round {number} is not what the table wrote: {problems[0]}; no "
            "file is written, keep the journal as evidence and verify it"
        )
    with new_file(output) as opened:
        opened.write(content)


@click.command("verify-evidence")
@click.argument("file", type=FILE)
@key_option
@click.option(
    "--against",
    type=FILE,
    metavar="JOURNAL",
    help="Also make it again from the journal: its page must come out the same.",
)
@json_option
def verify_evidence(
    file: Path, *, key_line: str | None, against: Path | None, as_json: bool
) -> Status:
    """Check a round's file: that its records are what the table wrote and signed.

    Whose key that was, only --key says: the file's own key proves nothing about who
    made it. What the file alone does not prove, such as its page, is named even if
    nothing is wrong; --against proves it, where the journal is at hand.
    """
    trusted = public_key(key_line)
    try:
        with reading_a_journal():
            checked = check(file, trusted, against)
    except NoBundleError as error:
        raise MisuseError(str(error)) from error
    except RoundOpenError as error:
        raise AnswerIsNoError(str(error)) from error
    name = printable(str(file))
    if as_json:
        plain = {name: getattr(checked, name) for name in checked.__struct_fields__}
        print_json({"good": checked.good, **plain})
    else:
        for problem in checked.problems:
            # A file of somebody else may name its files and keys as it likes.
            click.echo(click.style(f"{name}: {printable(problem)}", fg="red"))
        click.echo(f"{name}: {_verdict(checked)}")
        for each in checked.not_proved:
            click.echo(f"not proved: {each.what}: {each.why}")
    return Status.DONE if checked.good else Status.NO


def _verdict(checked: Checked) -> str:
    if checked.table is None:
        return "not good, and it does not say of which round"
    what = f"round {checked.round} of table {printable(checked.table)}"
    key = printable(checked.key)
    signed = f"signed by {key}" if key else "not signed by anybody"
    verdict = "good" if checked.good else "not good"
    return f"{verdict}, {what}, {checked.records} records, {signed}"
