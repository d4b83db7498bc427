"""Files of a simulated table in a folder of its own: hardware, journal, log."""

import json
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from hw_config.loader import load_hardware, shipped_hardware
from hw_config.schema import TableHardware

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
    panels = hardware.bus
    seats = hardware.seats if seats is None else seats
    hardware = replace(
        hardware,
        seats=seats,
        ruleset=ruleset or hardware.ruleset,
        # Short, since the path of a socket is.
        control_socket=str(folder / "control"),
        panels=replace(
            panels,
            port=str(folder / "panels"),
            seat_addresses=panels.seat_addresses[:seats],
            panel_lost_after_s=panel_lost_after_s or panels.panel_lost_after_s,
        ),
        shoe=replace(hardware.shoe, port=str(folder / "shoe")),
        journal=replace(hardware.journal, path=str(journal or folder / "journal")),
    )
    file = folder / "table.toml"
    file.write_text(hardware_text(hardware), "utf-8")
    path = Path(hardware.journal.path)
    path.parent.mkdir(parents=True, exist_ok=True)
    return TableFolder(hardware, file, path, folder / "controller.log")


def hardware_text(hardware: TableHardware) -> str:
    """Write a hardware file: what is empty is left out, as who has none does."""
    values = msgspec.to_builtins(hardware)
    tables = {key: of for key, of in values.items() if isinstance(of, dict)}
    lines = _lines({key: of for key, of in values.items() if key not in tables})
    for name, table in tables.items():
        lines += ["", f"[{name}]", *_lines(table)]
    return "\n".join(lines) + "\n"


def _lines(values: dict[str, object]) -> list[str]:
    # Texts, numbers and lists of numbers are written alike in JSON and TOML.
    return [
        f"{key} = {json.dumps(value, ensure_ascii=False)}"
        for key, value in values.items()
        if value != "" and value is not None
    ]
