"""A real controller over pseudo-terminals loses and invents nothing, whatever happens.

The long ones are the proof: a thousand rounds with all faults, in slices that can run
side by side.
"""

from pathlib import Path
from typing import Final

import pytest

from drivers.panel.messages import Button, Press
from drivers.shoe.messages import EventReport, LidOpened
from hw_config.schema import Baud
from simulators.devices.faults import (
    Block,
    Cable,
    DeviceFault,
    OtherPanel,
    OtherShoe,
    PanelReboot,
    ShoeReboot,
    Stall,
    Unplug,
)
from simulators.devices.panel import PanelSimulator
from simulators.devices.presses import MadePress
from simulators.rigs.live.soak import LivePlan, LiveReport, LiveSoak
from simulators.rigs.virtual.felt import TableShoe
from simulators.rigs.virtual.scene import Scene
from simulators.rigs.virtual.testimony import EVENTS_ONCE, PRESSES_ONCE
from tests.rigs.virtual.soaks import plan_of

LOADED_MACHINE_S: Final = 120
SLICE_TIMEOUT_S: Final = 3_600

ONE_OF_EACH: Final[tuple[DeviceFault, ...]] = (
    Unplug(1.2, 0.2, Cable.PANELS),
    Unplug(1.6, 0.2, Cable.SHOE, mid_frame=True),
    Block(2.0, 0.3, Cable.PANELS),
    Block(2.2, 0.3, Cable.SHOE),
    PanelReboot(2.4, 0.2, address=1),
    OtherPanel(2.6, 0.2, address=2, role=3),
    ShoeReboot(2.8, 0.2, keeps_numbers=True),
    Stall(3.0, 0.3, Cable.PANELS),
    OtherShoe(3.2, 0.2),
    ShoeReboot(3.6, 0.2, keeps_numbers=False),
)
ROUNDS: Final = 3

SLICES: Final = 10
ROUNDS_A_SLICE: Final = 100
FAULTS: Final = 0.1
GROWS_AT_MOST_BYTES: Final = 4 * 1024 * 1024


class OnePowerCut:
    """Kills the controller once, in the middle of a round."""

    def __init__(self) -> None:
        self.wake_at: float | None = None
        self._happened = False

    def look_up(self, scene: Scene) -> None:
        if scene.state.play.hands and not self._happened:
            self.wake_at = scene.now

    def act(self, scene: Scene) -> None:
        self._happened, self.wake_at = True, None
        scene.cut_power(0.0)


@pytest.mark.timeout(LOADED_MACHINE_S)
async def test_a_table_plays_on_through_one_of_each_fault(tmp_path: Path) -> None:
    run = LiveSoak(
        tmp_path,
        LivePlan(table=plan_of(1, seats=2), come_within_s=0.5, also=ONE_OF_EACH),
    )
    run.table.people.append(OnePowerCut())
    await run.play(ROUNDS)
    report = run.report()
    assert report.violations == ()
    assert report.rounds >= ROUNDS
    assert report.starts == 2
    assert report.presses > ROUNDS
    assert run.table.devices.chapters.counts.total() > len(ONE_OF_EACH)


class Liar:
    """Makes devices testify, once, to what never was."""

    def __init__(self) -> None:
        self.wake_at: float | None = 0.0

    def look_up(self, scene: Scene) -> None:
        """See nothing."""

    def act(self, scene: Scene) -> None:
        self.wake_at = None
        panel = scene.panel_of(1)
        assert isinstance(panel, PanelSimulator)
        memory = panel.memory
        press = Press(number=999, button=Button.HIT, prompt_number=1)
        memory.acknowledged.append(MadePress(memory.boot_id, press, scene.now))
        assert isinstance(scene.shoe, TableShoe)
        shoe = scene.shoe.memory
        shoe.acknowledged.append(EventReport(shoe.boot_id, 999, LidOpened()))


@pytest.mark.timeout(LOADED_MACHINE_S)
async def test_what_was_acknowledged_and_is_not_on_disk_is_found(
    tmp_path: Path,
) -> None:
    run = LiveSoak(tmp_path, LivePlan(table=plan_of(1, seats=1), come_within_s=0.0))
    run.table.people.append(Liar())
    await run.play(1)
    found = sorted(one.checker for one in run.report().violations)
    assert found == sorted([PRESSES_ONCE, EVENTS_ONCE])


def slice_of(part: int) -> LivePlan:
    """Return one tenth of the proof: of each kind of line and of life some.

    Where the controller is never killed it is watched for growth.
    """
    return LivePlan(
        table=plan_of(3_000 + part, FAULTS, seats=(3, 5, 7)[part % 3]),
        baud=Baud.B9600 if part in {3, 6} else Baud.B115200,
        kills=bool(part % 2),
        long_stall=part in {0, 1, 2, 5},
    )


def is_flat(report: LiveReport) -> bool:
    """Return whether the controller needs no more at the end than early on."""
    grown_bytes = report.late.rss_bytes - report.early.rss_bytes
    is_as_open = report.late.descriptors <= report.early.descriptors
    return grown_bytes <= GROWS_AT_MOST_BYTES and is_as_open


@pytest.mark.prove
@pytest.mark.timeout(SLICE_TIMEOUT_S)
@pytest.mark.parametrize("part", range(SLICES))
async def test_a_thousand_rounds_with_all_faults_lose_and_invent_nothing(
    tmp_path: Path, part: int
) -> None:
    plan = slice_of(part)
    run = LiveSoak(tmp_path, plan)
    await run.play(ROUNDS_A_SLICE)
    report = run.report()
    assert report.violations == ()
    assert report.rounds >= ROUNDS_A_SLICE
    assert plan.kills is (report.starts > 1)
    assert plan.kills or is_flat(report), report
