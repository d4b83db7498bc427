import random

import pytest

from drivers.framing import FrameReader
from drivers.identity import DeviceType, Identify, Identity
from drivers.panel import codec as panel_codec
from drivers.panel.messages import Button
from drivers.shoe import codec as shoe_codec
from drivers.shoe.messages import EventReport
from simulators.devices.fault_player import FaultPlayer, Hardware
from simulators.devices.faults import (
    Block,
    Cable,
    DeviceFault,
    FaultPlan,
    OtherPanel,
    OtherShoe,
    PanelReboot,
    PressStorm,
    ShoeGap,
    ShoeReboot,
    Stall,
    StuckButton,
    Unplug,
)
from simulators.devices.memory_port import MemoryCable
from simulators.devices.panel import PanelBus, PanelSimulator
from simulators.devices.shoe import ShoeSimulator


class Table:
    """Seven panels and a shoe on cables, and a schedule of faults for them."""

    def __init__(self, *schedule: DeviceFault) -> None:
        source = random.Random(7)
        self.bus = PanelBus(PanelSimulator(seat, seat, source) for seat in range(1, 8))
        self.shoe = ShoeSimulator(source)
        self.panel_cable, self.shoe_cable = MemoryCable(), MemoryCable()
        hardware = Hardware(
            self.bus.panels, self.shoe, self.panel_cable, self.shoe_cable
        )
        self.player = FaultPlayer(FaultPlan(1, schedule=schedule), hardware)

    def play_until(self, now: float) -> None:
        while self.player.deadline is not None and self.player.deadline <= now:
            self.player.handle_timer(self.player.deadline)

    def panel_runs_at(self, now: float, address: int) -> bool:
        self.play_until(now)
        return self.bus.panels[address].powered

    def shoe_runs_at(self, now: float) -> bool:
        self.play_until(now)
        return self.shoe.powered


def reports(table: Table) -> list[EventReport]:
    return [held.report for held in table.shoe.memory.held]


@pytest.mark.parametrize("cable", list(Cable))
def test_a_pulled_cable_is_put_back(cable: Cable) -> None:
    table = Table(Unplug(1.0, 2.0, cable))
    line = table.panel_cable if cable is Cable.PANELS else table.shoe_cable
    plugged = []
    for now in (0.9, 1.0, 2.9, 3.0):
        table.play_until(now)
        plugged.append(line.plugged)
    assert plugged == [True, False, False, True]
    assert table.panel_cable.plugged
    assert table.shoe_cable.plugged


def test_a_stalled_line_lets_nothing_through_for_a_while() -> None:
    table = Table(Stall(1.0, 2.0, Cable.SHOE))
    table.play_until(1.0)
    table.shoe_cable.device.write(b"card", 1.5)
    assert table.shoe_cable.host.deadline == 3.0
    assert table.player.deadline is None


def test_a_blocked_line_takes_nothing_from_the_host_for_a_while() -> None:
    table = Table(Block(1.0, 2.0, Cable.PANELS))
    table.play_until(1.0)
    table.panel_cable.host.write(b"poll", 1.5)
    table.panel_cable.device.write(b"answer", 1.5)
    assert table.panel_cable.device.deadline == 3.0
    assert table.panel_cable.host.read(1.5) == b"answer"


@pytest.mark.parametrize("cable", list(Cable))
def test_a_cable_put_back_while_its_device_speaks_begins_mid_frame(
    cable: Cable,
) -> None:
    table = Table(Unplug(1.0, 2.0, cable, mid_frame=True))
    line = table.panel_cable if cable is Cable.PANELS else table.shoe_cable
    table.play_until(3.0)
    for said in (b"first!", b"second"):
        line.device.write(said, 3.0)
    assert line.host.read(3.0) == b"st!second"


def role_said(table: Table, address: int) -> int:
    frame = panel_codec.to_frame(Identify(), address, 1)
    answers = FrameReader().receive_data(
        table.bus.panels[address].receive_frame(frame, 2.0)
    )
    said = panel_codec.from_frame(next(iter(answers)))
    assert isinstance(said, Identity)
    return said.role


def test_another_panel_hangs_in_ones_place_and_its_presses_stay_its_own() -> None:
    table = Table(OtherPanel(1.0, 2.0, address=3, role=5))
    panel = table.bus.panels[3]
    panel.press(Button.HIT, 0.5)
    boot_ids = {panel.memory.boot_id}
    table.play_until(1.0)
    assert role_said(table, 3) == 5
    assert panel.memory.waiting == ()
    boot_ids.add(panel.memory.boot_id)
    table.play_until(3.0)
    assert role_said(table, 3) == 3
    boot_ids.add(panel.memory.boot_id)
    assert len(boot_ids) == 3


def test_something_else_at_the_shoes_line_says_that_it_is_no_shoe() -> None:
    table = Table(OtherShoe(1.0, 2.0))
    table.shoe.draw("Th")
    said = []
    for now in (0.0, 1.0, 3.0):
        table.play_until(now)
        for frame in FrameReader().receive_data(table.shoe.data_to_send(now)):
            message = shoe_codec.from_frame(frame)
            if isinstance(message, Identity):
                said.append(message.device_type)
    assert said == [DeviceType.SHOE, DeviceType.PANEL, DeviceType.SHOE]
    assert [report.number for report in reports(table)] == [1]


def test_a_panel_reboots() -> None:
    table = Table(PanelReboot(1.0, 0.5, address=3))
    panel = table.bus.panels[3]
    before = panel.memory.boot_id
    assert [table.panel_runs_at(now, 3) for now in (0.9, 1.2, 1.5)] == [
        True,
        False,
        True,
    ]
    assert panel.memory.boot_id != before


def test_a_button_sticks_for_a_while() -> None:
    table = Table(StuckButton(1.0, 5.0, address=3, button=Button.HIT))
    panel = table.bus.panels[3]
    table.play_until(1.0)
    assert panel.held == {Button.HIT}
    table.play_until(6.0)
    assert panel.held == frozenset()
    assert panel.memory.pressed == 1


def test_a_storm_presses_every_panel_and_overflows_them() -> None:
    table = Table(PressStorm(1.0, tuple(range(1, 8)), Button.STAND, presses=6))
    table.play_until(1.0)
    for panel in table.bus.panels.values():
        assert len(panel.memory.waiting) == 4
        assert panel.memory.without_room == 2


@pytest.mark.parametrize("keeps_numbers", [True, False])
def test_a_shoe_reboots_with_or_without_its_numbers(*, keeps_numbers: bool) -> None:
    table = Table(ShoeReboot(1.0, 0.5, keeps_numbers=keeps_numbers))
    table.shoe.draw("Th")
    before = table.shoe.memory.boot_id
    assert [table.shoe_runs_at(now) for now in (0.9, 1.2, 1.5)] == [True, False, True]
    assert (table.shoe.memory.boot_id == before) is keeps_numbers
    assert bool(reports(table)) is keeps_numbers


def test_a_gap_that_can_be_resent_is_still_held() -> None:
    table = Table(ShoeGap(1.0, reports=1, can_resend=True))
    table.shoe.data_to_send(0.9)
    table.play_until(1.0)
    table.shoe.draw("Th")
    assert table.shoe.data_to_send(1.0) == b""
    assert [report.number for report in reports(table)] == [1]


def test_a_gap_that_cannot_be_resent_is_cards_drawn_unseen() -> None:
    table = Table(ShoeGap(1.0, reports=2, can_resend=False))
    table.play_until(1.0)
    table.shoe.draw("Th")
    assert [report.number for report in reports(table)] == [3]
    assert table.shoe.next_card_number == 4


def test_faults_begin_and_end_in_the_order_of_their_hours() -> None:
    table = Table(
        PanelReboot(2.0, 1.0, address=2),
        PanelReboot(1.0, 3.0, address=1),
        PanelReboot(2.0, 1.0, address=3),
    )
    hours = []
    while table.player.deadline is not None:
        hours.append(table.player.deadline)
        table.player.handle_timer(table.player.deadline)
    assert hours == [1.0, 2.0, 3.0, 4.0]
    assert all(panel.powered for panel in table.bus.panels.values())
