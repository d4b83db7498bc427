"""Modules that are wired as a hardware file says, not as they come."""

from typing import Final

import pytest

from drivers.events import HeldButtonsChanged
from drivers.modbus.session import ModbusSession, timing_at
from drivers.modbus.station import ModuleConfig
from drivers.modbus.wiring import DEALER, SEAT, Wiring, module_wiring, wiring_of
from drivers.panel.messages import DEALER_BUTTONS, SEAT_BUTTONS, Button
from hw_config.loader import load_hardware, shipped_hardware
from hw_config.modules import Contact, DealerWiring, SeatWiring
from simulators.devices.modbus import ModbusModule
from tests.drivers.modbus_bus import BAUD, FIRST_DECISION, Bus, presses

BACKWARDS: Final = SeatWiring(
    bet=(8, 1),
    clear=(7, 2),
    rebet=(6, 3),
    hit=(8, 1),
    stand=(7, 2),
    double=(5, 4),
    split=(4, 5),
    surrender=(3, 6),
    insure=(2, 7),
    pass_=(1, 8),
)
OPENING: Final = DealerWiring(
    deal=(1, 2), next=(2, 1), contacts=Contact.NORMALLY_CLOSED
)
ALL_CLOSED: Final = 0b1111_1111


def bus_with(wiring: Wiring, closed: int = 0) -> Bus:
    config = ModuleConfig(1, wiring, "bus address 1", "a.toml")
    bus = Bus((1,))
    bus.modules[1].closed = closed
    bus.session = ModbusSession([config], timing_at(BAUD, 3.0), bus.now)
    bus.session.connection_made(bus.now)
    return bus


def test_a_file_that_says_nothing_means_the_documents_wiring() -> None:
    bus = load_hardware(shipped_hardware("modbus-three")).bus
    assert module_wiring(bus, 0) is DEALER
    assert module_wiring(bus, 3) is SEAT


def test_every_lamp_lights_at_its_own_coil() -> None:
    wiring = wiring_of(BACKWARDS)
    coils = {button: wiring.coils(frozenset({button})) for button in SEAT_BUTTONS}
    assert coils[Button.HIT] == coils[Button.BET] == 0b0000_0001
    assert coils[Button.SURRENDER] == 0b0010_0000
    assert coils[Button.PASS] == 0b1000_0000


@pytest.mark.parametrize(
    ("closed", "button"),
    [(0b1000_0000, Button.HIT), (0b0100_0000, Button.STAND), (0b100, Button.SURRENDER)],
)
def test_a_press_is_for_what_is_wired_to_its_input(closed: int, button: Button) -> None:
    bus = bus_with(wiring_of(BACKWARDS))
    bus.light(1, 7, FIRST_DECISION)
    bus.run(0.5)
    assert bus.modules[1].coils == 0b0011_1011
    bus.modules[1].closed = closed
    assert presses(bus.run(0.2)) == [(1, button, 7)]


def test_a_contact_that_opens_is_a_press_where_it_is_normally_closed() -> None:
    bus = bus_with(wiring_of(OPENING), ALL_CLOSED)
    bus.light(1, 3, frozenset({Button.DEAL}))
    told = bus.run(0.5)
    assert presses(told) == []
    assert [one.held for one in told if isinstance(one, HeldButtonsChanged)] == [
        frozenset()
    ]
    bus.modules[1].closed = ALL_CLOSED & ~0b1
    assert presses(bus.run(0.2)) == [(1, Button.DEAL, 3)]


def test_a_cut_wire_of_such_a_contact_is_a_held_button() -> None:
    bus = bus_with(wiring_of(OPENING), closed=0b01)
    told = bus.run(0.5)
    assert presses(told) == []
    assert HeldButtonsChanged(1, frozenset({Button.NEXT})) in told


def test_an_input_without_a_button_is_not_looked_at() -> None:
    wiring = wiring_of(OPENING)
    # Six inputs with nothing behind them say "open", as a pressed one does.
    assert wiring.pressed(closed=0b11) == 0
    assert wiring_of(BACKWARDS).pressed(ALL_CLOSED) == ALL_CLOSED
    assert DEALER.pressed(ALL_CLOSED) == 0b1_1111


def test_a_simulated_module_is_wired_by_the_same_file() -> None:
    module = ModbusModule(1, 0, wiring=wiring_of(OPENING))
    assert module.closed == 0b11
    module.push_down(Button.NEXT)
    assert module.closed == 0b01
    assert module.buttons < DEALER_BUTTONS
    module.coils = 0b10
    assert module.lamps == {Button.DEAL}
