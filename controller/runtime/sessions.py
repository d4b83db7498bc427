"""The sessions of one table's devices, as its hardware file names them.

Each begins where the journal left its device: at the last press or event taken.
"""

from collections.abc import Iterable
from typing import Final, assert_never

from controller.core.ids import DEALER_SEAT
from controller.core.state import TableState
from controller.runtime import translate
from controller.runtime.translate import Addresses
from drivers.gpio.panel import PinPanel
from drivers.gpio.session import PinSession
from drivers.gpio.wiring import wiring_of
from drivers.identity import DeviceType, Expected
from drivers.line_shoe.profiles import PROFILES
from drivers.line_shoe.session import LineShoeSession, LineTiming
from drivers.modbus.session import ModbusSession, timing_at
from drivers.modbus.station import ModuleConfig
from drivers.modbus.wiring import module_wiring
from drivers.panel.session import PanelBusSession
from drivers.panel.session import timing_at as panel_timing_at
from drivers.panel.station import PanelConfig
from drivers.session import BusLink, ShoeLink
from drivers.shoe.session import ShoeSession
from drivers.shoe.voice import ShoeTiming
from hw_config.pins import PinBoard
from hw_config.schema import PanelKind, TableHardware

_SHOE_ROLE: Final = 0


def addresses_of(hardware: TableHardware) -> Addresses:
    """Return how events name the panels; wired ones need no numbers but a name."""
    if hardware.pins is None:
        bus = hardware.bus
        return Addresses(bus.seat_addresses, bus.dealer_address)
    seats = range(1, hardware.seats + 1)
    return Addresses(tuple(seats), dealer=hardware.seats + 1)


def bus_session(
    hardware: TableHardware, source: str, state: TableState, now: float
) -> BusLink:
    """Return the session for panels on a bus, of the kind that they are.

    `source` is the hardware file, for messages to the technician.
    """
    bus = hardware.bus
    match bus.kind:
        case PanelKind.REFERENCE:
            configs = _panel_configs(hardware, source, state)
            pace = panel_timing_at(bus.baud, bus.panel_lost_after_s)
            return PanelBusSession(configs, pace, now)
        case PanelKind.MODBUS:
            modules = _module_configs(hardware, source, state)
            times = timing_at(bus.baud, bus.panel_lost_after_s, bus.answer_within_s)
            return ModbusSession(modules, times, now)
        case _:
            assert_never(bus.kind)


def pin_session(
    hardware: TableHardware, board: PinBoard, state: TableState, now: float
) -> PinSession:
    """Return the session for panels that are wired to the pins of a board."""
    wiring, addresses = wiring_of(board), addresses_of(hardware)
    panels = (
        PinPanel(
            panel,
            addresses.of_seat(panel.seat),
            translate.press_cursor(state, panel.seat),
        )
        for panel in wiring.panels
    )
    return PinSession(wiring, panels, hardware.lost_after_s, now)


def shoe_session(
    hardware: TableHardware, source: str, state: TableState, now: float
) -> ShoeLink:
    """Return the session for the shoe that the hardware file describes."""
    lost_after_s = hardware.lost_after_s
    shoe, cursor = hardware.shoe, translate.shoe_cursor(state)
    if shoe.profile is not None:
        timing = LineTiming(lost_after_s=lost_after_s)
        return LineShoeSession(PROFILES[shoe.profile], cursor, timing, now)
    expected = Expected(DeviceType.SHOE, _SHOE_ROLE, shoe.port, source)
    return ShoeSession(expected, cursor, ShoeTiming(lost_after_s=lost_after_s), now)


def _panel_configs(
    hardware: TableHardware, source: str, state: TableState
) -> Iterable[PanelConfig]:
    for seat, address, place in _stations(hardware):
        yield PanelConfig(
            address,
            Expected(DeviceType.PANEL, seat, place, source),
            translate.press_cursor(state, seat),
        )


def _module_configs(
    hardware: TableHardware, source: str, state: TableState
) -> Iterable[ModuleConfig]:
    bus = hardware.bus
    for seat, address, place in _stations(hardware):
        yield ModuleConfig(
            address,
            module_wiring(bus, seat),
            place,
            source,
            bus.first_input,
            bus.first_coil,
            translate.press_cursor(state, seat),
        )


def _stations(hardware: TableHardware) -> Iterable[tuple[int, int, str]]:
    """Yield each seat, the dealer's as 0, with its address and its place in words."""
    addresses = addresses_of(hardware)
    for seat in range(DEALER_SEAT, hardware.seats + 1):
        address = addresses.of_seat(seat)
        yield seat, address, f"{hardware.bus.port} address {address}"
