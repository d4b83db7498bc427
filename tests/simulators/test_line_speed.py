"""A bus of seven seats works at every speed that a hardware file may name."""

import random
from typing import Final

import pytest

from drivers.events import Cursor, PressReceived
from drivers.framing import encode_frame
from drivers.identity import (
    PROTOCOL_VERSION,
    DeviceType,
    Expected,
    Identify,
    Identity,
)
from drivers.link import LinkState
from drivers.panel.codec import to_frame
from drivers.panel.messages import Button
from drivers.panel.session import LONGEST_EXCHANGE_BYTES, PanelBusSession, timing_at
from drivers.panel.station import PanelConfig
from hw_config.schema import Baud
from simulators.devices.memory_port import MemoryCable
from simulators.devices.panel import DARK_AFTER_S, PanelBus, PanelSimulator

STEP_S: Final = 0.001
DEALER: Final = 32
SEATS: Final = range(1, 8)
LIT: Final = frozenset({Button.HIT, Button.STAND})
LOST_AFTER_S: Final = 2.0


class SlowBus:
    """Eight panels on a bus at some speed, and the host's session, on virtual time."""

    def __init__(self, baud: Baud) -> None:
        source = random.Random(1)
        roles = {**{seat: seat for seat in SEATS}, DEALER: 0}
        self.bus = PanelBus(
            PanelSimulator(address, role, source) for address, role in roles.items()
        )
        self.cable = MemoryCable(baud=baud)
        self.now = 0.0
        self.session = PanelBusSession(
            (
                PanelConfig(address, Expected(DeviceType.PANEL, role, "", ""))
                for address, role in roles.items()
            ),
            timing_at(baud, LOST_AFTER_S),
            self.now,
        )
        self.session.connection_made(self.now)
        self.taken: list[int] = []
        self.dark_at: list[tuple[float, int]] = []

    def run(self, for_s: float) -> None:
        end_s = self.now + for_s
        while self.now < end_s:
            self._step()
            self.now += STEP_S

    def _step(self) -> None:
        device, host = self.cable.device, self.cable.host
        self.bus.receive_data(device.read(self.now), self.now)
        device.write(self.bus.data_to_send(self.now), self.now)
        self.session.receive_data(host.read(self.now), self.now)
        self.session.handle_timer(self.now)
        host.write(self.session.data_to_send(self.now), self.now)
        while (event := self.session.next_event()) is not None:
            if isinstance(event, PressReceived):
                self.taken.append(event.address)
                self.session.acknowledge(event.address, event.cursor)
        self.dark_at += [
            (self.now, address)
            for address, panel in self.bus.panels.items()
            if panel.powered and not panel.lamps
        ]


@pytest.mark.parametrize("baud", list(Baud))
@pytest.mark.parametrize("away", [(), (4,), (2, 5)])
def test_no_panel_goes_dark_at_any_speed(baud: Baud, away: tuple[int, ...]) -> None:
    bus = SlowBus(baud)
    for address in bus.bus.panels:
        bus.session.set_lamps(address, 1, LIT)
    for address in away:
        bus.bus.panels[address].lose()
    bus.run(4.0)
    bus.dark_at.clear()
    bus.run(6.0)
    ready = {
        address
        for address in bus.bus.panels
        if bus.session.state(address) is LinkState.READY
    }
    assert ready == set(bus.bus.panels) - set(away)
    assert bus.dark_at == [], f"none waits {DARK_AFTER_S} s for a poll"


@pytest.mark.parametrize("baud", list(Baud))
def test_four_presses_that_wait_on_every_panel_are_heard_at_any_speed(
    baud: Baud,
) -> None:
    bus = SlowBus(baud)
    for address in bus.bus.panels:
        bus.session.set_lamps(address, 1, LIT)
    bus.run(2.0)
    for panel in bus.bus.panels.values():
        for button in sorted(panel.buttons, key=lambda one: one.value)[:4]:
            panel.press(button, bus.now)
    bus.run(3.0)
    assert sorted(bus.taken) == sorted([*bus.bus.panels] * 4)
    assert all(not panel.memory.waiting for panel in bus.bus.panels.values())


def test_the_longest_exchange_is_as_long_as_who_a_panel_may_be() -> None:
    text = "x" * 32
    identity = Identity(
        protocol_version=PROTOCOL_VERSION,
        device_type=DeviceType.PANEL,
        role=7,
        boot_id=Cursor(0xFFFF_FFFF, 0).boot_id,
        model=text,
        serial=text,
        firmware=text,
    )
    asked, said = (encode_frame(to_frame(one, 7, 1)) for one in (Identify(), identity))
    assert len(asked) + len(said) == LONGEST_EXCHANGE_BYTES
