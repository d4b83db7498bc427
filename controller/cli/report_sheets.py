"""A report as small tables, the same on a terminal and on a page."""

from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from controller.core.ids import Kind, Reason
from controller.core.irregularities import KINDS
from controller.evidence.narrative.refusals import REFUSED
from controller.evidence.report import Report
from controller.evidence.tally import Figures, Waits
from controller.evidence.times import day_and_time, duration_text, span_of_time
from controller.words.amounts import amount_text, net_text

_COUNT: Final = "count"


class Sheet(NamedTuple):
    """A table with its title; a text for when it has no rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    empty: str


def title_of(report: Report) -> str:
    """Return what is reported on, in a line."""
    if report.shift is None:
        return f"{report.day} at table {report.table}"
    return f"Shift {report.shift} at table {report.table}, dealer {report.dealer}"


def times_of(report: Report) -> str:
    """Return from when to when, in the time zone of the table."""
    zone = ZoneInfo(report.time_zone)
    if report.shift is None:
        return f"from midnight to midnight ({zone.key})"
    began, ended = report.began_at, report.ended_at
    match began, ended:
        case str(), str():
            return f"{span_of_time(began, ended, zone)} ({zone.key})"
        case str(), None:
            return f"since {day_and_time(began, zone)}, still open ({zone.key})"
        case None, str():
            return f"up to {day_and_time(ended, zone)}; begun in an earlier journal"
        case _:
            return "begun in an earlier journal, still open"


def lacking_of(report: Report) -> str:
    """Return in which file the rest lies, where the figures are those of a part."""
    if report.lacks is None:
        return ""
    return (
        f"NOT THE WHOLE DAY: the rest of {report.day} lies in {report.lacks}, which is "
        "not here or cannot be read; bring it back and ask again"
    )


def sheets_of(report: Report) -> tuple[Sheet, ...]:
    """Return the tables of a report."""
    figures = report.figures
    return (
        Sheet("Play and money", ("what", "figure"), _money(figures), ""),
        Sheet("Players' waits", ("what", "figure"), _waits(figures.waits), ""),
        Sheet(
            "Irregularities",
            ("kind", "clause", "what", _COUNT),
            tuple(_irregularity(*each) for each in figures.irregularities.items()),
            "None was found.",
        ),
        Sheet(
            "Decisions of supervisors",
            ("decision", _COUNT),
            tuple((name, str(n)) for name, n in figures.decisions.items()),
            "None was taken.",
        ),
        Sheet(
            f"Refused presses, of {figures.presses}",
            ("reason", "clause", "why", _COUNT),
            tuple(_refused(*each) for each in figures.refused.items()),
            "None was refused.",
        ),
    )


def _money(figures: Figures) -> tuple[tuple[str, ...], ...]:
    rate = figures.misreads_per_thousand
    of_thousand = "" if rate is None else f", {rate:g} of a thousand"
    return (
        ("rounds", str(figures.rounds)),
        ("rounds still open", str(figures.open)),
        ("deals taken back", str(figures.undone)),
        ("hands", str(figures.hands)),
        ("wagered", amount_text(figures.wagered)),
        ("won by players", amount_text(figures.won_by_players)),
        ("won by the house", amount_text(figures.won_by_house)),
        ("net of the players", net_text(figures.net)),
        ("cash dropped", amount_text(figures.cash_dropped)),
        ("void rounds", str(figures.void_rounds)),
        ("void hands", str(figures.void_hands)),
        ("misdeals", str(figures.misdeals)),
        ("cards drawn", str(figures.cards)),
        ("misread cards", f"{figures.misreads}{of_thousand}"),
    )


def _waits(waits: Waits) -> tuple[tuple[str, ...], ...]:
    where = f", in round {waits.longest_round}" if waits.longest_round else ""
    return (
        ("prompts answered", str(waits.answered)),
        ("median wait", _wait(waits.median_ms)),
        ("longest wait", f"{_wait(waits.longest_ms)}{where}"),
        ("moved on by NEXT, unanswered", str(waits.moved_on)),
    )


def _wait(ms: int | None) -> str:
    return "none" if ms is None else duration_text(ms)


def _irregularity(name: str, count: int) -> tuple[str, ...]:
    kind = KINDS[Kind(name)]
    return name, kind.clause, kind.words, str(count)


def _refused(name: str, count: int) -> tuple[str, ...]:
    why = REFUSED[Reason(name)]
    return name, why.clause, why.words, str(count)
