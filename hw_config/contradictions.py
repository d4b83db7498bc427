"""What no single value shows: values of a hardware file that do not go together.

Each check takes the values by key and is silent where one that it needs is UNSOUND:
at fault already.
"""

import difflib
import os
import zoneinfo
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from hw_config.errors import Fault
from hw_config.module_faults import module_contradictions, wiring_keys
from hw_config.pin_faults import pin_contradictions
from hw_config.schema import (
    MODULE_ANSWERS_WITHIN_S,
    SHOE_BAUDS,
    Baud,
    Kind,
    PanelKind,
    ShoeKind,
    ShoeProfile,
)

Check = Callable[[Mapping[str, object]], Iterator[Fault]]

PORTS: Final = ("panels.port", "shoe.port")
PLACES: Final = (*PORTS, "journal.path", "journal.mirror", "control_socket", "people")
DEVICES: Final = Path("/dev")
PTYS: Final = (Path("/dev/pts"), Path("/dev/ptmx"))
SOCKET_PATH_MAX_BYTES: Final = 107
"""The longest path that Linux takes for a Unix socket, without the closing zero."""

SCAN_MAX_S: Final = 0.1
"""A finger's tap lasts about so long at least; a module remembers none."""
MODULE_THINKS_S: Final = 0.002
_ONLY_MODULES: Final = 'belongs to Modbus modules; add kind = "modbus"'


def contradictions(found: Mapping[str, object]) -> Iterator[Fault]:
    """Return every fault that lies between the values, not in one of them."""
    for check in CHECKS:
        yield from check(found)


def _time_zone_exists(found: Mapping[str, object]) -> Iterator[Fault]:
    name = found.get("time_zone")
    if isinstance(name, str) and not _is_time_zone(name):
        known = zoneinfo.available_timezones()
        close = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {close[0]}?" if close else _zones_in_short(known)
        yield Fault("time_zone", f"unknown time zone {name!r}; {hint}")


def _is_time_zone(name: str) -> bool:
    """Return whether this machine knows it; to list all that it knows takes longer."""
    try:
        zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True


def _zones_in_short(known: set[str]) -> str:
    if not known:
        return "this machine knows none; install tzdata"
    return "expected a name such as America/Denver"


def _socket_path_fits(found: Mapping[str, object]) -> Iterator[Fault]:
    path = found.get("control_socket")
    if isinstance(path, str) and len(os.fsencode(path)) > SOCKET_PATH_MAX_BYTES:
        yield Fault(
            "control_socket",
            f"expected at most {SOCKET_PATH_MAX_BYTES} bytes,"
            f" got {len(os.fsencode(path))}; choose a shorter path",
        )


def _each_seat_has_an_address(found: Mapping[str, object]) -> Iterator[Fault]:
    seats, addresses = found.get("seats"), found.get("panels.seat_addresses")
    if not (isinstance(seats, int) and isinstance(addresses, tuple)):
        return
    if len(addresses) != seats:
        yield Fault(
            "panels.seat_addresses",
            f"expected {seats} addresses, one for each seat, got {len(addresses)}",
        )


def _addresses_differ(found: Mapping[str, object]) -> Iterator[Fault]:
    owners = defaultdict[object, list[str]](list)
    addresses = found.get("panels.seat_addresses")
    if isinstance(addresses, tuple):
        for seat, address in enumerate(addresses, start=1):
            owners[address].append(f"seat {seat}")
    if "panels.dealer_address" in found:
        owners[found["panels.dealer_address"]].append("the dealer")
    for address, sharing in owners.items():
        if len(sharing) > 1:
            yield Fault(
                "panels",
                f"address {address} belongs to {' and '.join(sharing)};"
                " expected an address of its own for each panel",
            )


def _places_differ(found: Mapping[str, object]) -> Iterator[Fault]:
    keys = defaultdict[Path, list[str]](list)
    for key in PLACES:
        place = found.get(key)
        if isinstance(place, str):
            keys[Path(place).absolute()].append(key)
    for first, *others in keys.values():
        for other in others:
            yield Fault(
                other, f"{found[other]} is {first} already; expected another path"
            )


def _mirror_lies_elsewhere(found: Mapping[str, object]) -> Iterator[Fault]:
    journal, mirror = found.get("journal.path"), found.get("journal.mirror")
    if not (isinstance(journal, str) and isinstance(mirror, str)):
        return
    if Path(os.path.realpath(mirror)) == Path(os.path.realpath(journal)).parent:
        yield Fault(
            "journal.mirror",
            "expected a folder on a second device, got the journal's own folder",
        )


def _ports_suit_the_kind(found: Mapping[str, object]) -> Iterator[Fault]:
    for key in PORTS:
        match found.get("kind"), found.get(key):
            case Kind.LIVE, str(port) if not _is_real(Path(port)):
                yield Fault(
                    key,
                    "expected a serial device under /dev on a live table,"
                    f" got {port}, where only a simulation answers",
                )
            case Kind.SIMULATION, str(port) if Path(port).is_relative_to(DEVICES):
                yield Fault(
                    key,
                    "expected a path outside /dev, where the simulation may put"
                    f" a link to its pty, got {port}",
                )
            case _:
                pass  # The port suits, or it or the kind is at fault already.


def _is_real(port: Path) -> bool:
    """Say whether a port can be a real device, whatever links lead to it."""
    return all(
        path.is_relative_to(DEVICES)
        and not any(path.is_relative_to(pty) for pty in PTYS)
        for path in (port, Path(os.path.realpath(port)))
    )


def _profile_suits_the_shoe(found: Mapping[str, object]) -> Iterator[Fault]:
    # Where the file does not name the kind, it is the reference shoe's.
    kind = found.get("shoe.kind", ShoeKind.REFERENCE)
    match kind, found.get("shoe.profile"):
        case ShoeKind.LINE, None:
            names = ", ".join(f'"{profile.value}"' for profile in ShoeProfile)
            yield Fault("shoe.profile", f"a line shoe needs one; expected {names}")
        case ShoeKind.REFERENCE, ShoeProfile():
            yield Fault(
                "shoe.profile",
                'belongs to a line shoe; add kind = "line", or leave it out',
            )
        case _:
            pass  # They suit, or one of them is at fault already.


def _baud_suits_the_profile(found: Mapping[str, object]) -> Iterator[Fault]:
    profile, baud = found.get("shoe.profile"), found.get("shoe.baud")
    if not (isinstance(profile, ShoeProfile) and isinstance(baud, Baud)):
        return
    if baud is not SHOE_BAUDS[profile]:
        yield Fault(
            "shoe.baud",
            f"expected {SHOE_BAUDS[profile].value}, as a shoe of profile"
            f" {profile.value} prints, got {baud.value}",
        )


def _only_modules_have_their_settings(found: Mapping[str, object]) -> Iterator[Fault]:
    if found.get("panels.kind", PanelKind.REFERENCE) is not PanelKind.REFERENCE:
        return
    for key, usual in (
        ("panels.first_input", 0),
        ("panels.first_coil", 0),
        ("panels.answer_within_s", MODULE_ANSWERS_WITHIN_S),
    ):
        if found.get(key, usual) != usual:
            yield Fault(key, _ONLY_MODULES)
    for table in wiring_keys(found):
        yield Fault(table, _ONLY_MODULES)


def _modules_are_looked_at_often_enough(
    found: Mapping[str, object],
) -> Iterator[Fault]:
    seats, baud = found.get("seats"), found.get("panels.baud")
    is_modbus = found.get("panels.kind") is PanelKind.MODBUS
    if not (is_modbus and isinstance(seats, int) and isinstance(baud, Baud)):
        return
    if scan_s(seats, baud) > SCAN_MAX_S:
        enough = next(rate for rate in Baud if scan_s(seats, rate) <= SCAN_MAX_S)
        yield Fault(
            "panels.baud",
            f"expected {enough.value} or more, since a press that is shorter than a"
            f" look at {seats + 1} modules is lost, got {baud.value}",
        )


def scan_s(seats: int, baud: Baud) -> float:
    """Return how long one look at each Modbus module of a table takes, in seconds.

    The question has 8 bytes and the answer 6, of ten bits; a pause stands before each,
    and a module needs MODULE_THINKS_S (docs/protocol/modbus-panels.md, Timing).
    """
    byte_s = 10 / baud
    pause_s = max(3.5 * byte_s, 0.00175)
    return (seats + 1) * ((8 + 6) * byte_s + 2 * pause_s + MODULE_THINKS_S)


CHECKS: Final[tuple[Check, ...]] = (
    _time_zone_exists,
    _socket_path_fits,
    _each_seat_has_an_address,
    _addresses_differ,
    _places_differ,
    _mirror_lies_elsewhere,
    _ports_suit_the_kind,
    _profile_suits_the_shoe,
    _baud_suits_the_profile,
    pin_contradictions,
    _only_modules_have_their_settings,
    module_contradictions,
    _modules_are_looked_at_often_enough,
)
