import msgspec
from hypothesis import given
from hypothesis import strategies as st

from drivers.panel.messages import DEALER_BUTTONS, SEAT_BUTTONS
from simulators.devices.fault_plans import (
    ALL_KINDS,
    one_by_one,
    random_plan,
    random_schedule,
)
from simulators.devices.faults import (
    Cable,
    FaultPlan,
    PanelReboot,
    PressStorm,
    StuckButton,
    Unplug,
    chance,
    every_line_fault,
)

BUTTONS = {1: SEAT_BUTTONS, 2: SEAT_BUTTONS, 32: DEALER_BUTTONS}


@given(st.integers(), st.integers(0, 30))
def test_one_seed_gives_one_schedule_in_time(seed: int, count: int) -> None:
    schedule = random_schedule(seed, count, 60.0, BUTTONS)
    assert schedule == random_schedule(seed, count, 60.0, BUTTONS)
    assert len(schedule) == count
    assert all(0.0 <= fault.at_s <= 60.0 for fault in schedule)


def test_every_kind_of_fault_is_drawn() -> None:
    virtual = {
        "Stall",
        "Unplug",
        "PanelReboot",
        "StuckButton",
        "PressStorm",
        "ShoeReboot",
        "ShoeGap",
    }
    schedule = random_schedule(1, 300, 60.0, BUTTONS)
    assert {type(fault).__name__ for fault in schedule} == virtual
    schedule = random_schedule(1, 300, 60.0, BUTTONS, ALL_KINDS)
    at_ports = {"Block", "OtherPanel", "OtherShoe"}
    assert {type(fault).__name__ for fault in schedule} == virtual | at_ports
    assert any(isinstance(fault, Unplug) and fault.mid_frame for fault in schedule)


def test_devices_that_come_one_by_one_are_all_away_at_first() -> None:
    schedule = one_by_one(chance(1, "start"), 5.0, BUTTONS)
    assert all(fault.at_s == 0.0 for fault in schedule)
    cables = [fault.cable for fault in schedule if isinstance(fault, Unplug)]
    panels = [fault.address for fault in schedule if isinstance(fault, PanelReboot)]
    assert (cables, panels) == (list(Cable), list(BUTTONS))
    assert len({getattr(fault, "for_s", None) for fault in schedule}) == len(schedule)


def test_only_buttons_that_a_panel_has_are_pressed() -> None:
    for fault in random_schedule(1, 300, 60.0, BUTTONS):
        if isinstance(fault, StuckButton):
            assert fault.button in BUTTONS[fault.address]
        if isinstance(fault, PressStorm):
            assert fault.addresses
            assert all(fault.button in BUTTONS[address] for address in fault.addresses)


def test_a_plan_has_faults_at_its_rate() -> None:
    plan = random_plan(7, 0.1, 50.0, BUTTONS)
    assert plan.rates == every_line_fault(0.1)
    assert len(plan.schedule) == 5
    assert random_plan(7, 0.0, 50.0, BUTTONS) == FaultPlan(7)


def test_a_plan_survives_being_written_down() -> None:
    plan = random_plan(7, 0.5, 50.0, BUTTONS)
    assert msgspec.json.decode(msgspec.json.encode(plan), type=FaultPlan) == plan
