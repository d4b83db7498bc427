"""How the devices of a table that runs fare, as it says itself."""

from collections.abc import Iterable
from pathlib import Path

from controller.cli.check_found import Found, RunningTable
from controller.cli.control_client import ControlClient
from controller.runtime.device_names import panel_name
from controller.runtime.view import View
from hw_config.schema import TableHardware


def ask_running(hardware: TableHardware) -> Found:
    """Ask the table that runs by a hardware file.

    Raises:
        NoTableError: It left.

    """
    with ControlClient(Path(hardware.control_socket)) as client:
        # A table of an earlier version cannot be asked for its devices: it names none.
        devices = client.request({"devices": True}).devices
        view = next(client.follow())
    return Found(
        running=True,
        table=RunningTable(view.table, view.phase, view.test_mode),
        problems=tuple(_problems(view)),
        devices=devices,
        links=view.links,
    )


def _problems(view: View) -> Iterable[str]:
    for seat in view.seats:
        if seat.panel_lost:
            yield f"{panel_name(seat.seat)}: lost; look at its cable and its supply"
        for button in seat.stuck:
            yield f"{panel_name(seat.seat)}: {button} is stuck"
    if view.shoe.lost or view.shoe.fault:
        yield f"shoe: {view.shoe.fault or 'lost; look at its cable and its supply'}"
    for link in view.links:
        if link.error:
            yield f"{link.name}: {link.error}"
