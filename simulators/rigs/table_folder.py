"""Files of a simulated table in a folder of its own: hardware, journal, log."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, TypeGuard

import msgspec
from msgspec.structs import replace

from hw_config.loader import load_hardware, shipped_hardware
from hw_config.schema import Baud, TableHardware

SHIPPED: Final = "simulation-seven"


class TableFolder(msgspec.Struct, frozen=True):
    """Where the files of a table are, and what its hardware file says."""

    hardware: TableHardware
    hardware_file: Path
    journal: Path
    log: Path

    @property
    def control_socket(self) -> Path:
        """Where the table listens for lines of the staff."""
        return Path(self.hardware.control_socket)


def lay_out(
    folder: Path,
    *,
    seats: int | None = None,
    ruleset: str | None = None,
    panel_lost_after_s: float | None = None,
    journal: Path | None = None,
    shipped: str = SHIPPED,
) -> TableFolder:
    """Write the hardware file of a simulated table, as shipped but for what is named.

    Every path in it is in `folder`, but for a journal that is named.
    """
    hardware = load_hardware(shipped_hardware(shipped))
    panels, pins = hardware.panels, hardware.pins
    seats = hardware.seats if seats is None else seats
    hardware = replace(
        hardware,
        seats=seats,
        ruleset=ruleset or hardware.ruleset,
        # Short, since the path of a socket is.
        control_socket=str(folder / "control"),
        panels=panels
        and replace(
            panels,
            port=str(folder / "panels"),
            seat_addresses=panels.seat_addresses[:seats],
            panel_lost_after_s=panel_lost_after_s or panels.panel_lost_after_s,
        ),
        pins=pins and replace(pins, seats=pins.seats[:seats]),
        shoe=replace(hardware.shoe, port=str(folder / "shoe")),
        journal=replace(hardware.journal, path=str(journal or folder / "journal")),
    )
    file = folder / "table.toml"
    file.write_text(hardware_text(hardware), "utf-8")
    path = Path(hardware.journal.path)
    path.parent.mkdir(parents=True, exist_ok=True)
    return TableFolder(hardware, file, path, folder / "controller.log")


def at_speed(laid: TableFolder, baud: Baud) -> TableFolder:
    """Write the hardware file anew with this speed for every line."""
    hardware = replace(
        laid.hardware,
        panels=laid.hardware.panels and replace(laid.hardware.panels, baud=baud),
        shoe=replace(laid.hardware.shoe, baud=baud),
    )
    laid.hardware_file.write_text(hardware_text(hardware), "utf-8")
    return replace(laid, hardware=hardware)


def hardware_text(hardware: TableHardware) -> str:
    """Write a hardware file: what is empty is left out, as who has none does."""
    values = msgspec.to_builtins(hardware)
    return "\n".join(_table_lines("", values)) + "\n"


def _table_lines(above: str, values: dict[str, object]) -> Iterator[str]:
    """Yield what a table holds: its own values, then the tables in it."""
    tables = {key: of for key, of in values.items() if isinstance(of, dict)}
    rows = {key: of for key, of in values.items() if _is_rows(of)}
    inner = tables.keys() | rows.keys()
    yield from _lines({key: of for key, of in values.items() if key not in inner})
    for name, table in tables.items():
        yield from ("", f"[{above}{name}]")
        yield from _table_lines(f"{above}{name}.", table)
    for name, listed in rows.items():
        for row in listed:
            yield from ("", f"[[{above}{name}]]", *_lines(row))


def _is_rows(value: object) -> TypeGuard[Sequence[dict[str, object]]]:
    if not isinstance(value, list | tuple) or not value:
        return False
    return all(isinstance(row, dict) for row in value)


def _lines(values: dict[str, object]) -> list[str]:
    # Texts, numbers and lists of numbers are written alike in JSON and TOML.
    return [
        f"{key} = {json.dumps(value, ensure_ascii=False)}"
        for key, value in values.items()
        if value != "" and value is not None
    ]
