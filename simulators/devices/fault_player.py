"""Makes the faults of a plan happen to simulated devices when their time comes."""

import heapq
from collections.abc import Mapping
from typing import Protocol, assert_never

import msgspec

from drivers.identity import DeviceType
from drivers.panel.messages import Button
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
from simulators.devices.panel import PanelSimulator
from simulators.devices.shoe import ShoeSimulator


class Line(Protocol):
    """A line that can be pulled and can stall, in memory or on a terminal."""

    def unplug(self) -> None:
        """Pull the cable."""

    def plug_in(self, *, mid_frame: bool = False) -> None:
        """Put it back; `mid_frame` the first that arrives is the end of a frame."""

    def block(self, until_s: float) -> None:
        """Take no bytes from the host before `until_s`."""

    def stall(self, until_s: float) -> None:
        """Let nothing through before `until_s`."""


class Panel(Protocol):
    """A panel of whatever kind that can lose its power, and whose buttons can stick."""

    @property
    def buttons(self) -> frozenset[Button]:
        """The buttons that it has."""

    def lose(self) -> None:
        """Take its power."""

    def come_back(self) -> None:
        """Give it its power back."""

    def press(self, button: Button, now: float) -> object:
        """Push a button and let it go."""

    def hold(self, button: Button, now: float) -> object:
        """Push a button and keep it down."""

    def release(self, button: Button, now: float) -> None:
        """Let a held button go."""


class Shoe(Protocol):
    """A shoe of whatever kind that can lose its power."""

    def pause(self) -> None:
        """Take its power; what it remembers it keeps."""

    def lose(self) -> None:
        """Take its power, and with it what it remembers."""

    def come_back(self) -> None:
        """Give it its power back."""


class Hardware(msgspec.Struct, frozen=True):
    """The devices of one simulated table and the lines they hang on.

    `panels` are by their addresses.
    """

    panels: Mapping[int, Panel]
    shoe: Shoe
    panel_line: Line
    shoe_line: Line

    def line(self, cable: Cable) -> Line:
        """Return the line of that name."""
        match cable:
            case Cable.PANELS:
                return self.panel_line
            case Cable.SHOE:
                return self.shoe_line
            case _:
                assert_never(cable)


class FaultPlayer:
    """Works through a schedule: each fault begins, and most of them end."""

    def __init__(self, plan: FaultPlan, hardware: Hardware) -> None:
        self._hardware = hardware
        self._beginnings = sorted(plan.schedule, key=lambda fault: -fault.at_s)
        self._ends: list[tuple[float, int, DeviceFault]] = []
        self._begun = 0

    @property
    def deadline(self) -> float | None:
        """When the next fault begins or ends, or None after the last."""
        dues = [fault.at_s for fault in self._beginnings[-1:]]
        dues += [at_s for at_s, _, _ in self._ends[:1]]
        return min(dues, default=None)

    def handle_timer(self, now: float) -> None:
        """Begin and end what is due, in the order of the schedule."""
        while self.deadline is not None and self.deadline <= now:
            if self._ends and self._ends[0][0] <= self.deadline:
                end(heapq.heappop(self._ends)[2], self._hardware, now)
            else:
                self._begin(self._beginnings.pop(), now)

    def _begin(self, fault: DeviceFault, now: float) -> None:
        begin(fault, self._hardware, now)
        if isinstance(fault, PressStorm | ShoeGap | Stall | Block):
            return
        # The count keeps faults that end together in the order they began.
        self._begun += 1
        heapq.heappush(self._ends, (now + fault.for_s, self._begun, fault))


def begin(fault: DeviceFault, hardware: Hardware, now: float) -> None:
    """Let a fault happen."""
    match fault:
        case Stall(_, for_s, cable):
            hardware.line(cable).stall(now + for_s)
        case Block(_, for_s, cable):
            hardware.line(cable).block(now + for_s)
        case Unplug(cable=cable):
            hardware.line(cable).unplug()
        case PanelReboot(_, _, address):
            hardware.panels[address].lose()
        case OtherPanel(_, _, address, role):
            _own_panel(hardware, address).be_taken_for(role)
        case StuckButton(_, _, address, button):
            hardware.panels[address].hold(button, now)
        case PressStorm():
            press_all(fault, hardware.panels, now)
        case ShoeReboot(_, _, keeps_numbers):
            hardware.shoe.pause() if keeps_numbers else hardware.shoe.lose()
        case OtherShoe():
            _own_shoe(hardware).be_taken_for(DeviceType.PANEL)
        case ShoeGap(_, reports, can_resend=True):
            _own_shoe(hardware).withhold(reports)
        case ShoeGap(_, reports):
            _own_shoe(hardware).draw_lost(reports)
        case _:
            assert_never(fault)


def end(fault: DeviceFault, hardware: Hardware, now: float) -> None:
    """Put an end to a fault that lasts."""
    match fault:
        case Unplug(_, _, cable, mid_frame):
            hardware.line(cable).plug_in(mid_frame=mid_frame)
        case PanelReboot(_, _, address):
            hardware.panels[address].come_back()
        case OtherPanel(_, _, address):
            panel = _own_panel(hardware, address)
            panel.be_taken_for(panel.role)
        case StuckButton(_, _, address, button):
            hardware.panels[address].release(button, now)
        case ShoeReboot():
            hardware.shoe.come_back()
        case OtherShoe():
            _own_shoe(hardware).be_taken_for(DeviceType.SHOE)
        case Stall() | Block() | PressStorm() | ShoeGap():
            # The first two end by themselves; the others are over at once.
            pass
        case _:
            assert_never(fault)


def press_all(storm: PressStorm, panels: Mapping[int, Panel], now: float) -> None:
    """Press the button of every panel in the storm, as often as it says."""
    for address in storm.addresses:
        for _ in range(storm.presses):
            panels[address].press(storm.button, now)


def _own_panel(hardware: Hardware, address: int) -> PanelSimulator:
    """Return a panel that says who it is, and so can say that it is another."""
    panel = hardware.panels[address]
    assert isinstance(panel, PanelSimulator), "a module never says who it is"
    return panel


def _own_shoe(hardware: Hardware) -> ShoeSimulator:
    """Return a shoe that numbers its reports and says who it is."""
    shoe = hardware.shoe
    assert isinstance(shoe, ShoeSimulator), "a line shoe says nothing of itself"
    return shoe
