"""A table of three seats whose devices, journal and socket are of the test alone."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from hw_config.loader import load_hardware, moved_to, shipped_hardware
from hw_config.schema import TableHardware
from simulators.rigs.simulation import Simulation


@pytest.fixture
def hardware(tmp_path: Path) -> TableHardware:
    shipped = load_hardware(shipped_hardware("simulation-seven"))
    panels = replace(shipped.bus, seat_addresses=(1, 2, 3), panel_lost_after_s=0.5)
    return moved_to(replace(shipped, seats=3, panels=panels), tmp_path)


@pytest.fixture
def journal_path(hardware: TableHardware) -> Path:
    path = Path(hardware.journal.path)
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


@pytest.fixture
async def devices(hardware: TableHardware) -> AsyncIterator[Simulation]:
    async with Simulation(hardware, Random(7)) as devices:
        yield devices


@pytest.fixture(autouse=True)
async def helpers() -> AsyncIterator[None]:
    """Give the loop helper threads that end with the test."""
    with ThreadPoolExecutor(2) as threads:
        asyncio.get_running_loop().set_default_executor(threads)
        yield
