"""What the process around the core notices by itself."""

from controller.core.commands.base import CommandBase
from controller.core.computer import UsbDevice
from controller.core.ids import ComputerFault, HouseInput, Kind, MirrorFault, Stage


class ReachTime(CommandBase, frozen=True, tag="time_reached"):
    """A stage of waiting is over (PLAY-3)."""

    wait: int
    stage: Stage


class ReportFault(CommandBase, frozen=True, tag="fault_reported"):
    """The process around the core found a fault of a kind that suspends."""

    kind: Kind
    words: str


class ReportDisk(CommandBase, frozen=True, tag="disk_reported"):
    """The disk of the journal is nearly full, or is so no longer."""

    nearly_full: bool
    free_bytes: int


class ReportMirror(CommandBase, frozen=True, tag="mirror_reported"):
    """How the copy of the journal on the second device fares; no fault: it is good.

    `sequence` is the last record that it is known to hold, 0: none.
    """

    fault: MirrorFault | None
    sequence: int


class ReportHouseInput(CommandBase, frozen=True, tag="house_input_reported"):
    """How a contact of the table stands; `active`: key turned, or door shut."""

    house_input: HouseInput
    active: bool


class ReportScan(CommandBase, frozen=True, tag="scan_reported"):
    """Panels that remember no press are looked at too seldom (`slow`), or no more.

    `scan_ms` is how long they waited from look to look in the last second.
    """

    slow: bool
    scan_ms: int


class ReportClockStep(CommandBase, frozen=True, tag="clock_step_reported"):
    """The wall clock was set by `stepped_ms`, forward or (negative) back."""

    stepped_ms: int


class ReportComputer(CommandBase, frozen=True, tag="computer_reported"):
    """The computer says that something is not as it should be (`present`), or is."""

    fault: ComputerFault
    present: bool


class ReportUsb(CommandBase, frozen=True, tag="usb_reported"):
    """What is plugged into the computer's USB ports: all of it."""

    devices: tuple[UsbDevice, ...]


SurroundingsCommand = (
    ReachTime
    | ReportFault
    | ReportDisk
    | ReportMirror
    | ReportHouseInput
    | ReportScan
    | ReportClockStep
    | ReportComputer
    | ReportUsb
)
