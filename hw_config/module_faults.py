"""What no single line of a wired module shows: places that do not go together."""

from collections.abc import Iterator, Mapping
from typing import Final

from hw_config.buttons import Called, Wired, unclear_buttons
from hw_config.errors import Fault
from hw_config.modules import MODULE_CONTACTS, DealerWiring, SeatWiring

MODULE: Final = Called("input", "coil")
WIRED: Final = {
    "panels.seat_wiring": SeatWiring,
    "panels.dealer_wiring": DealerWiring,
}
"""The tables of a file that say how modules are wired."""

_CONTACTS: Final = "contacts"


def module_contradictions(found: Mapping[str, object]) -> Iterator[Fault]:
    """Return every fault that lies between the places of a module."""
    for table, schema in WIRED.items():
        names = schema.__struct_encode_fields__
        panel = list(_buttons(found, table, names))
        yield from unclear_buttons(panel, MODULE)
        yield from _lamps_differ(panel)


def wiring_keys(found: Mapping[str, object]) -> Iterator[str]:
    """Return the tables of a file that say how modules are wired, those there are."""
    for table in WIRED:
        if any(key.startswith(f"{table}.") for key in found):
            yield table


def _buttons(
    found: Mapping[str, object], table: str, names: tuple[str, ...]
) -> Iterator[Wired]:
    for name in names:
        key = f"{table}.{name}"
        pair = found.get(key)
        if isinstance(pair, tuple):
            yield Wired(key, name, pair)


def _lamps_differ(panel: list[Wired]) -> Iterator[Fault]:
    """Find a coil that is the lamp of two buttons, and name one that is free."""
    owners: dict[int, Wired] = {}
    for one in panel:
        button, lamp = one.pair
        owner = owners.setdefault(lamp, one)
        if owner.pair[0] != button:
            yield Fault(
                one.key,
                f"coil {lamp} is the lamp of {owner.name} at input {owner.pair[0]}"
                f" already; expected {_free(panel)}",
            )


def _free(panel: list[Wired]) -> str:
    taken = {one.pair[1] for one in panel}
    free = [coil for coil in range(1, MODULE_CONTACTS + 1) if coil not in taken]
    return f"another, such as {free[0]}" if free else "a coil of its own"
