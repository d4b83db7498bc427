"""A table that is stopped in good order leaves no lamp on, whatever its panels are."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from time import monotonic
from typing import Final

import pytest

from drivers.panel.messages import Button
from simulators.devices.panel import DARK_AFTER_S
from simulators.rigs.control_client import ask
from simulators.rigs.controller_process import ControllerProcess
from simulators.rigs.simulation import Simulation
from simulators.rigs.table_folder import TableFolder, lay_out

BOUND_S: Final = 30.0
SEATS: Final = 3
STOP_MAX_S: Final = 5.0
"""The process ends with all else that a stop does; the lamps may take one second."""

LOADED_MACHINE_S: Final = 120
NOT_OUT: Final = "lamps may still be on"

pytestmark = pytest.mark.timeout(LOADED_MACHINE_S)


@pytest.fixture(autouse=True)
async def helpers() -> AsyncIterator[None]:
    """Give the loop a helper thread that ends with the test."""
    with ThreadPoolExecutor(1) as threads:
        asyncio.get_running_loop().set_default_executor(threads)
        yield


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(BOUND_S):
        while not condition():  # noqa: ASYNC110 - another process sets no event
            await asyncio.sleep(0.005)


def lit(devices: Simulation) -> bool:
    """Return whether every seat whose panel has power may bet."""
    panels = [devices.any_panels[seat] for seat in range(1, SEATS + 1)]
    return all(Button.BET in panel.lamps for panel in panels if panel.powered)


def dark(devices: Simulation) -> bool:
    return not any(panel.lamps for panel in devices.any_panels.values())


@contextlib.asynccontextmanager
async def at_play(
    folder: TableFolder, *, without: int | None = None
) -> AsyncIterator[tuple[Simulation, ControllerProcess]]:
    """Have a table run at which everybody may bet, but for a seat without power."""
    process = ControllerProcess(folder.hardware_file, folder.journal, folder.log)
    async with Simulation(folder.hardware, Random(1)) as devices:
        if without is not None:
            devices.any_panels[without].lose()
        process.start()
        try:
            await until(folder.control_socket.exists)
            opened = await ask(folder.control_socket, "shift open D1 right-to-left")
            assert opened.accepted
            await until(lambda: lit(devices))
            yield devices, process
        finally:
            process.kill()


def folder_of(shipped: str, place: Path) -> TableFolder:
    return lay_out(place, seats=SEATS, panel_lost_after_s=0.5, shipped=shipped)


async def test_modules_are_dark_when_the_process_has_ended(tmp_path: Path) -> None:
    folder = folder_of("simulation-modbus", tmp_path)
    async with at_play(folder) as (devices, table):
        await asyncio.to_thread(table.stop)
        assert dark(devices)
    assert NOT_OUT not in folder.log.read_text()


async def test_a_dead_module_does_not_hold_up_the_stop(tmp_path: Path) -> None:
    folder = folder_of("simulation-modbus", tmp_path)
    async with at_play(folder, without=2) as (devices, table):
        await until(lambda: "device lost" in folder.log.read_text())
        before = monotonic()
        await asyncio.to_thread(table.stop)
        assert monotonic() - before < STOP_MAX_S
        assert dark(devices)
    assert NOT_OUT not in folder.log.read_text()


@pytest.mark.prove
async def test_a_bus_that_stalls_at_the_stop_holds_it_up_for_a_second_only(
    tmp_path: Path,
) -> None:
    folder = folder_of("simulation-modbus", tmp_path)
    async with at_play(folder) as (devices, table):
        for module in devices.modules.values():
            module.powered = False
        before = monotonic()
        await asyncio.to_thread(table.stop)
        assert monotonic() - before < STOP_MAX_S
    assert NOT_OUT in folder.log.read_text()


@pytest.mark.prove
async def test_modules_keep_their_lamps_when_the_process_is_killed(
    tmp_path: Path,
) -> None:
    # This is why a module's own watchdog is to be set.
    async with at_play(folder_of("simulation-modbus", tmp_path)) as (devices, table):
        table.kill()
        killed_at = monotonic()
        await until(lambda: monotonic() > killed_at + 2 * DARK_AFTER_S)
        assert lit(devices)


@pytest.mark.prove
async def test_panels_of_the_reference_protocol_go_dark_by_themselves(
    tmp_path: Path,
) -> None:
    async with at_play(folder_of("simulation-seven", tmp_path)) as (devices, table):
        table.kill()
        await until(lambda: dark(devices))
