"""`tablectl rounds`: the rounds of a journal, one line each."""

from pathlib import Path
from zoneinfo import ZoneInfo

import click

from controller.cli.failures import reading_a_journal
from controller.cli.options import NUMBER, journal_option, json_option
from controller.cli.output import print_json, print_table
from controller.evidence.summaries import RoundSummary, summaries
from controller.evidence.times import day_and_time, time_zone
from controller.journal.lineage import earlier_files
from controller.words.amounts import amount_text, net_text

_TIMES = ("started", "ended")
_COLUMNS = (
    "round",
    "started",
    "ended",
    "rules",
    "seats",
    "hands",
    "wagered",
    "net",
    "cards",
    "irregularities",
)


@click.command
@click.option(
    "--last",
    type=NUMBER,
    metavar="N",
    help="Only the last N rounds; without it, all.",
)
@journal_option()
@json_option
def rounds(journal: Path, *, last: int | None, as_json: bool) -> None:
    """List the rounds of the journal, the oldest first; the last may be open.

    Amounts are what the players wagered and what they won or lost together.
    """
    with reading_a_journal():
        found = summaries(journal, last)
        zone = time_zone(journal)
        since = "" if found else _since(journal)
    if as_json:
        print_json(found)
    elif found:
        columns = [_heading(name, zone) for name in _COLUMNS]
        print_table(columns, [_row(each, zone) for each in found])
    else:
        click.echo(f"{journal}: no round was dealt yet{since}")


def _since(journal: Path) -> str:
    """Return where the rounds before this file are; nothing if there were none."""
    for old in earlier_files(journal):
        return f" since this file was begun; those before it are in {old.file}"
    return ""


def _heading(name: str, zone: ZoneInfo) -> str:
    return f"{name} ({zone.key})" if name in _TIMES else name


def _row(each: RoundSummary, zone: ZoneInfo) -> tuple[str, ...]:
    ended = day_and_time(each.ended_at, zone) if each.ended_at else "open"
    return (
        str(each.round),
        day_and_time(each.started_at, zone),
        "undone" if each.undone else ended,
        each.ruleset,
        " ".join(map(str, each.seats)),
        str(each.hands),
        amount_text(each.wagered),
        "" if each.net is None else net_text(each.net),
        "" if each.cards is None else str(each.cards),
        str(each.irregularities or ""),
    )
