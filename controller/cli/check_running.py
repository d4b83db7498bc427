"""How the devices of a table that runs fare, as it says itself."""

from collections.abc import Container, Iterable
from pathlib import Path

from controller.cli.check_found import Found, RunningTable
from controller.cli.control_client import ControlClient
from controller.runtime.device_names import SHOE_NAME, panel_name
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
        problems=tuple(_problems(view, {one.name for one in devices if one.problem})),
        devices=devices,
        links=view.links,
    )


def _problems(view: View, told: Container[str]) -> Iterable[str]:
    """Yield what the table knows of devices, but for those whose own line tells it."""
    for seat in view.seats:
        if seat.panel_lost and panel_name(seat.seat) not in told:
            yield f"{panel_name(seat.seat)}: lost; look at its cable and its supply"
        for button in seat.stuck:
            yield f"{panel_name(seat.seat)}: {button} is stuck"
    if view.shoe.lost:
        if SHOE_NAME not in told:
            yield f"{SHOE_NAME}: lost; look at its cable and its supply"
    elif view.shoe.fault:
        yield f"{SHOE_NAME}: {view.shoe.fault}"
