"""`tablectl simulate HARDWARE.toml`: the devices of a table, without the table."""

import asyncio
import contextlib
import fcntl
import random
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import click

from controller.cli.failures import MisuseError
from controller.cli.options import FILE
from controller.cli.typed_lines import typed_lines
from controller.cli.values import WholeNumber
from controller.core.errors import RulesetError
from controller.rulesets.loader import ruleset_of
from hw_config.errors import HardwareFileError
from hw_config.loader import load_hardware
from hw_config.schema import Kind, TableHardware
from simulators.devices.decks import Decks, fresh_decks
from simulators.rigs.simulate.playground import Playground
from simulators.rigs.simulation import Simulation


@click.command
@click.argument("hardware_file", type=FILE)
@click.option(
    "--seed", type=WholeNumber(), help="Shuffle the same cards in every time."
)
def simulate(hardware_file: Path, seed: int | None) -> None:
    """Simulate the devices that HARDWARE_FILE names, on ptys at its paths.

    Steps are read from standard input (help lists them); what lamps and gate show is
    printed. It ends with the input, or on SIGTERM.
    """
    try:
        hardware = load_hardware(hardware_file)
        decks = ruleset_of(hardware_file, hardware.ruleset).decks
    except (HardwareFileError, RulesetError) as error:
        raise MisuseError(str(error)) from error
    if hardware.kind is not Kind.SIMULATION:
        raise MisuseError(
            f'{hardware_file}: expected kind = "simulation"; a live table has its'
            " own devices"
        )
    if hardware.pins is not None:
        raise MisuseError(
            f"{hardware_file}: pins can only be simulated where they are held; play "
            "scenarios at them: tablectl scenario --wire --devices simulation-gpio"
        )
    with alone(Path(hardware.bus.port)):
        _simulate(hardware, decks, hardware_file, seed)


@contextlib.contextmanager
def alone(port: Path) -> Iterator[None]:
    """Refuse to take the place of a simulation that is running.

    Raises:
        MisuseError: Another one serves these ports.

    """
    with _opened(port.with_name(f".{port.name}.lock")) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise MisuseError(
                f"{port}: another simulation serves it; stop that one first"
            ) from error
        yield


def _opened(lock: Path) -> IO[str]:
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        return lock.open("w")
    except OSError as error:
        raise MisuseError(f"{lock}: cannot be written: {error.strerror}") from error


def _simulate(
    hardware: TableHardware, decks: int, hardware_file: Path, seed: int | None
) -> None:
    cards = Decks(fresh_decks(decks), random.Random(seed))
    # Their boot ids are new with each start, whatever the cards: devices that begin to
    # count anew under an old one would be refused.
    devices = random.SystemRandom()
    simulation = Simulation(hardware, devices, cards, at_line_speed=True)
    try:
        asyncio.run(_serve(simulation, hardware, hardware_file))
    except OSError as error:
        raise MisuseError(f"{hardware_file}: {error}") from error


async def _serve(
    simulation: Simulation, hardware: TableHardware, hardware_file: Path
) -> None:
    playground = Playground(
        simulation, say=_say, complain=lambda line: click.echo(line, err=True)
    )
    async with simulation:
        _say(f"panels at {hardware.bus.port}, shoe at {hardware.shoe.port}")
        _say(f"next: tablectl run {hardware_file}; here: help")
        played = asyncio.create_task(playground.play(typed_lines(sys.stdin.fileno())))
        watched = asyncio.create_task(playground.watch())
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, played.cancel)
        with contextlib.suppress(asyncio.CancelledError):
            await played
        watched.cancel()
        playground.look()


def _say(line: str) -> None:
    click.echo(line)
