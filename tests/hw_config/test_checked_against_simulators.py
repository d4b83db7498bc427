"""Each hardware file that is shipped, checked against simulated devices of its kind."""

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from controller.rulesets.loader import load_ruleset
from controller.runtime.probe import Probe
from controller.runtime.where_to_look import where_to_look
from hw_config.loader import SHIPPED, load_hardware, shipped_hardware
from hw_config.schema import TableHardware
from simulators.rigs.simulation import Simulation

ON_A_BUS = [
    file.stem
    for file in sorted(SHIPPED.glob("*.toml"))
    if load_hardware(file).panels is not None
]


def brought_here(name: str, folder: Path) -> TableHardware:
    """Return a shipped table whose ports are in a folder."""
    table = load_hardware(shipped_hardware(name))
    panels = replace(table.bus, port=str(folder / "panels"), panel_lost_after_s=0.5)
    return replace(
        table, panels=panels, shoe=replace(table.shoe, port=str(folder / "shoe"))
    )


@pytest.mark.parametrize("name", ON_A_BUS)
async def test_every_device_of_a_shipped_file_answers_its_check(
    name: str, tmp_path: Path
) -> None:
    table = brought_here(name, tmp_path)
    rules = load_ruleset(table.ruleset)
    async with Simulation(table, Random(1)):
        probed = await Probe(table, name, rules).run()
        assert [one.problem for one in probed.devices if one.problem] == []
        assert list(where_to_look(table, probed.devices)) == []
        assert len(probed.devices) == table.seats + 2
        panels, _ = probed.links
        assert (panels.errors, panels.error) == (0, "")
        assert panels.worst_answer_ms is not None


@pytest.mark.parametrize("name", ["serial-three", "modbus-three"])
async def test_a_panel_of_a_shipped_file_that_is_gone_is_named(
    name: str, tmp_path: Path
) -> None:
    table = brought_here(name, tmp_path)
    async with Simulation(table, Random(1)) as devices:
        devices.any_panels[2].lose()
        probed = await Probe(table, name, load_ruleset(table.ruleset)).run()
    (place,) = where_to_look(table, probed.devices)
    assert place == "cable, supply and address of: seat 2"
