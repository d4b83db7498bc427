"""What stands above a round: when, by which clock, by which rules, and the result."""

from collections.abc import Iterator
from typing import Final
from zoneinfo import ZoneInfo

from controller.evidence.account import RoundAccount
from controller.evidence.clock_trust import ClockAccount
from controller.evidence.times import day_and_time, duration_text, span_of_time
from controller.words.amounts import amount_text, net_text

_UTC: Final = ZoneInfo("UTC")
_DRIFT_NOTABLE_MS: Final = 500


def heading(account: RoundAccount, zone: ZoneInfo) -> Iterator[tuple[str, str]]:
    """Yield each fact that stands above a round: its name, and what it is.

    Args:
        account: the round.
        zone: where the table stands; local times are told with it.
    """
    yield from _times(account, zone)
    if account.clock is not None:
        yield "Clock", _clock(account.clock, zone)
    yield "Rules", f"{account.ruleset} ({account.ruleset_digest})"
    way = f", who picks up {way_words(account.direction)}" if account.direction else ""
    yield "Dealer", f"{account.dealer_person}{way}"
    yield from _result(account)


def way_words(direction: str) -> str:
    """Return the direction of a pickup as people say it."""
    return direction.replace("-", " ")


def _times(account: RoundAccount, zone: ZoneInfo) -> Iterator[tuple[str, str]]:
    began, ended = account.started_at, account.ended_at
    if began is None:
        yield "Time", f"the bets are open ({zone.key})"
    elif ended is None:
        local = f"{day_and_time(began, zone)} {_zone_name(began, zone)}"
        yield "Time", f"{local}, still open ({zone.key})"
        yield "UTC", day_and_time(began, _UTC)
    else:
        undone = ", when DEAL was taken back" if account.undone else ""
        yield "Time", f"{span_of_time(began, ended, zone)}{undone} ({zone.key})"
        yield "UTC", span_of_time(began, ended, _UTC).removesuffix(" UTC")


def _zone_name(recorded_at: str, zone: ZoneInfo) -> str:
    """Return what the clock's time is called then: `MST`, in summer `MDT`."""
    return span_of_time(recorded_at, recorded_at, zone).rpartition(" ")[2]


def _clock(clock: ClockAccount, zone: ZoneInfo) -> str:
    parts = [
        f"synchronised at all {clock.records} records"
        if not clock.unsynchronised
        else f"NOT known to be right at {clock.unsynchronised} of {clock.records} "
        "records"
    ]
    if clock.drift_ms is None:
        parts.append("the computer was started in the round")
    elif abs(clock.drift_ms) >= _DRIFT_NOTABLE_MS:
        drift = duration_text(abs(clock.drift_ms))
        way = "more" if clock.drift_ms > 0 else "less"
        parts.append(f"from first to last it counted {drift} {way} than passed")
    parts += [
        f"set {'forward' if step.stepped_ms > 0 else 'back'} by "
        f"{duration_text(abs(step.stepped_ms))} at {day_and_time(step.at, zone)} "
        f"(round {step.round}, record {step.sequence})"
        for step in clock.steps
    ]
    if not clock.steps:
        parts.append("not set in this round or beside it")
    return "; ".join(parts)


def _result(account: RoundAccount) -> Iterator[tuple[str, str]]:
    nets = [hand.net for hand in account.hands]
    if account.ended_at is None or account.undone or not nets:
        return
    wagered = sum(hand.wager for hand in account.hands)
    wagered += sum(answer.amount for answer in account.insurance)
    net = sum(net or 0 for net in nets) + sum(a.net for a in account.insurance)
    text = f"the players wagered {amount_text(wagered)}, net {net_text(net)}"
    yield "Result", text
