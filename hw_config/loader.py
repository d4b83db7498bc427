"""Reads a hardware file, or says all that is wrong with it."""

import difflib
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from hw_config.contradictions import contradictions
from hw_config.errors import Fault, HardwareFileError
from hw_config.fields import read_fields, table_with
from hw_config.schema import PanelBus, TableHardware

SHIPPED: Final = Path(__file__).parent / "tables"


def load_hardware(file: Path) -> TableHardware:
    """Return the table that a hardware file describes.

    Raises:
        HardwareFileError: The file cannot be read, or says what cannot be; the
            message has a line for each fault, all of them at once.

    """
    document = _read_toml(file)
    found, faults = read_fields(TableHardware, document)
    faults += [*_buttons_somewhere(document), *contradictions(found)]
    if faults:
        raise HardwareFileError(file, tuple(faults))
    return msgspec.convert(document, TableHardware)


def shipped_hardware(name: str) -> Path:
    """Return where a hardware file that we ship lies: `simulation-seven`.

    Raises:
        HardwareFileError: There is no such file; the message names those there are.

    """
    file = SHIPPED / f"{name}.toml"
    if not file.is_file():
        names = ", ".join(sorted(path.stem for path in SHIPPED.glob("*.toml")))
        raise HardwareFileError(file, (Fault("", f"not shipped; expected {names}"),))
    return file


def moved_to(table: TableHardware, folder: Path) -> TableHardware:
    """Return the table with its relative paths counted from `folder`.

    So a demonstration or a test plays a shipped table in a folder of its own.
    """

    def under(place: str) -> str:
        return str(folder / place)

    panels = table.panels
    return replace(
        table,
        control_socket=under(table.control_socket),
        people=under(table.people) if table.people else "",
        journal=replace(
            table.journal,
            path=under(table.journal.path),
            mirror=under(table.journal.mirror) if table.journal.mirror else "",
        ),
        panels=panels and replace(panels, port=under(panels.port)),
        shoe=replace(table.shoe, port=under(table.shoe.port)),
    )


def _buttons_somewhere(document: Mapping[str, object]) -> Iterator[Fault]:
    """Find a table without buttons, or with two sets of them."""
    places = document.keys() & {"panels", "pins"}
    if len(places) > 1:
        yield Fault(
            "pins", "the buttons are on [panels] already; leave one of the two out"
        )
    # A misspelt key is one mistake and gets one line.
    misspelt = any(
        difflib.get_close_matches(name, document.keys()) for name in ("panels", "pins")
    )
    if not places and not misspelt:
        wanted = table_with("panels", PanelBus)
        yield Fault("panels", f"missing; expected {wanted}, or a table [pins]")


def _read_toml(file: Path) -> dict[str, object]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        fault = Fault("", f"cannot be read: {error.strerror}")
    except UnicodeDecodeError as error:
        fault = Fault("", f"expected UTF-8 text, got a wrong byte at {error.start}")
    # Beside TOMLDecodeError, endless digits and brackets make these two.
    except (ValueError, RecursionError) as error:
        fault = Fault("", f"expected TOML: {error}")
    raise HardwareFileError(file, (fault,))
