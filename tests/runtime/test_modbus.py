"""A table whose panels are Modbus modules: what the desk and the probe make of them."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from random import Random

from msgspec.structs import replace

from controller.cli.table_text import link_lines
from controller.core import commands as cm
from controller.rulesets.loader import load_ruleset
from controller.runtime.answers import NAMELESS_PANEL, Finding
from controller.runtime.desk import Desk
from controller.runtime.links import panel_link
from controller.runtime.probe import Probe
from controller.runtime.pump import Pump
from controller.runtime.seen import Seen
from controller.runtime.trial import Trial
from controller.runtime.view import NOTHING_AROUND, LinkView, view_of
from drivers import events as de
from drivers.identity import DeviceType
from drivers.modbus.session import ModbusSession
from drivers.panel.messages import Button
from hw_config.schema import PanelKind, TableHardware
from simulators.rigs.simulation import Simulation
from simulators.rigs.table_folder import lay_out
from tests.core.table import open_table
from tests.runtime.equipment import SEAT_ADDRESSES, hardware

NOW = 1000.0
SECOND = de.Device(DeviceType.PANEL, SEAT_ADDRESSES[1])


def with_modules() -> TableHardware:
    table = hardware()
    return replace(table, panels=replace(table.bus, kind=PanelKind.MODBUS))


def desk() -> Desk:
    return Desk(with_modules(), "a.toml", open_table(seats=3).state, NOW)


def taken(here: Desk, event: de.DriverEvent) -> list[cm.Command | None]:
    return [one.command for one in here.take(event, NOW)]


def test_the_hardware_file_says_who_speaks_to_the_panels() -> None:
    assert isinstance(desk().bus, ModbusSession)


def test_scans_that_are_too_long_are_a_command() -> None:
    changed = de.ScanChanged(is_slow=True, mean_s=0.1234)
    assert taken(desk(), changed) == [cm.ReportScan(slow=True, scan_ms=123)]


def test_what_a_module_holds_down_as_it_begins_is_stuck_at_once() -> None:
    here = desk()
    assert taken(here, de.DeviceAnswered(SECOND)) == []
    held = de.HeldButtonsChanged(SECOND.address, frozenset({Button.HIT}))
    assert taken(here, held) == []
    (stuck,) = here.handle_timer(NOW)
    assert stuck.command == cm.ReportStuckButton(seat=2, button="hit", stuck=True)


async def found(hardware_: TableHardware, file: Path) -> dict[str, Finding]:
    probe = Probe(hardware_, str(file), load_ruleset("colorado"))
    return {finding.name: finding for finding in (await probe.run()).devices}


async def test_a_probe_says_which_modules_answer_and_what_to_try(
    tmp_path: Path,
) -> None:
    folder = lay_out(
        tmp_path, seats=3, panel_lost_after_s=0.5, shipped="simulation-modbus"
    )
    async with Simulation(folder.hardware, Random(1)) as devices:
        devices.modules[2].lose()
        findings = await found(folder.hardware, folder.hardware_file)
    assert findings["seat 1"].note == NAMELESS_PANEL
    assert findings["dealer's panel"].note == NAMELESS_PANEL
    assert findings["seat 2"].problem == "no answer; check its cable and its power"
    assert findings["shoe"].found is not None


async def test_the_worst_scan_is_shown_where_panels_have_no_memory(
    tmp_path: Path,
) -> None:
    folder = lay_out(tmp_path, seats=1, shipped="simulation-modbus")
    panels = folder.hardware.bus
    async with Simulation(folder.hardware, Random(1)):
        here = Desk(folder.hardware, "a.toml", open_table(seats=1).state, now())
        told: list[de.DriverEvent] = []
        pump = Pump(Path(panels.port), panels.baud, here.bus, told.append)
        assert panel_link(pump).worst_scan_ms is None
        pump.start()
        here.bus.set_lamps(1, 7, frozenset({Button.HIT}))
        while not panel_link(pump).worst_scan_ms:  # noqa: ASYNC110 - a timer does it
            await asyncio.sleep(0.01)
        pump.stop()
    link = panel_link(pump)
    assert f"worst scan in ms {link.worst_scan_ms}" in link_words(link)


async def test_a_trial_of_modules_ends_in_the_dark(tmp_path: Path) -> None:
    folder = lay_out(tmp_path, seats=2, shipped="simulation-modbus")
    rules = load_ruleset("colorado")
    async with Simulation(folder.hardware, Random(1)) as devices:
        modules = devices.modules.values()

        async def lines() -> AsyncIterator[str]:
            yield "lamps all"
            while not all(module.coils for module in modules):  # noqa: ASYNC110 - a terminal's bytes set no event
                await asyncio.sleep(0.002)

        trial = Trial(folder.hardware, "a.toml", rules, Unheard())
        await trial.run(lines())
        assert [module.coils for module in modules] == [0, 0, 0]
        assert trial.is_dark


class Unheard:
    """Nobody listens to the trial."""

    def see(self, seen: Seen) -> None:
        """Hear nothing."""

    def say(self, words: str) -> None:
        """Hear nothing."""

    def links(self, links: Iterable[LinkView]) -> None:
        """Hear nothing."""


def now() -> float:
    return asyncio.get_running_loop().time()


def link_words(link: LinkView) -> str:
    around = replace(NOTHING_AROUND, links=(link,))
    (line,) = link_lines(view_of(open_table(seats=1).state, None, around))
    return line.text
