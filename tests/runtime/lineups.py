"""Who may speak at these tables, and the way in, with PINs that cost little."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from controller.core.ids import Role
from controller.runtime.commander import Commander
from controller.runtime.logins import Logins
from controller.runtime.logs import TableLogger, json_lines, logger_to
from controller.runtime.people import Entry, People
from controller.runtime.people_file import save
from controller.runtime.pins import Cost, Pin, kept
from controller.runtime.speakers import Speakers
from tests.runtime.clocks import StandingClock
from tests.runtime.sinks import Lines

CHEAP: Final = Cost(memory_kib=8, iterations=1)

PINS: Final[Mapping[str, str]] = {
    "S1": "482913",
    "S2": "730451",
    "D1": "915026",
    "D2": "360718",
    "T1": "604172",
    "V1": "278305",
}
"""The PIN of each person who is listed."""

ROLES: Final = {
    "S": Role.SUPERVISOR,
    "D": Role.DEALER,
    "T": Role.TECHNICIAN,
    "V": Role.SURVEILLANCE,
}


def list_people(file: Path, *, without_pin: str = "") -> Path:
    """Write the list of these people, one perhaps without a PIN."""
    listed = {
        name: Entry(
            ROLES[name[0]],
            pin="" if name == without_pin else kept(Pin(pin), CHEAP),
        )
        for name, pin in PINS.items()
    }
    save(file, listed)
    return file


def speakers(
    people: People,
    commander: Commander,
    say: TableLogger | None = None,
    now: Callable[[], float] | None = None,
) -> Speakers:
    """Return what lets these people speak at a table."""
    clock = now or asyncio.get_running_loop().time
    log = say or logger_to(Lines(), json_lines(StandingClock()))
    logins = Logins(people, commander, log, clock, kept(Pin("nobody"), CHEAP))
    return Speakers(logins, commander, clock)
