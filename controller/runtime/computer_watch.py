"""What the table makes of its computer: what fails it, and what is plugged into it.

Nobody is told of a change: the service has no network, and so no word from the kernel.
The files are read at each look instead (`controller.runtime.computer`).
"""

import asyncio
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from controller.core.commands import Command, ReportComputer, ReportUsb
from controller.core.computer import UsbDevice
from controller.core.ids import ComputerFault
from controller.core.state import TableState
from controller.runtime.clock import Clock
from controller.runtime.computer import (
    Supply,
    read_clock_battery_v,
    read_supply,
    read_usb,
)
from controller.runtime.lasting import Lasting
from controller.runtime.logs import TableLogger
from controller.runtime.owner import Change, Owner

LOOK_EVERY_S: Final = 2.0
"""As often as the kernel asks the firmware; a look costs a thousandth of a second."""

ENDS_AFTER_S: Final = 60.0
"""A weak supply flaps within seconds: one record of it a minute is enough."""

USB_LOOKS: Final = 2
"""A device that is being read in tells more at the next look."""

USB_MOST: Final = 32
"""More devices than this are not told: what invents devices must not fill the disk."""

AT_REST_AFTER_S: Final = 10.0
"""At the computer's start devices come one by one: so long none may have come."""

BATTERY_EVERY_S: Final = 60.0
BATTERY_LOW_V: Final = 2.5
BATTERY_GOOD_V: Final = 2.6
"""The clock's cell has 3 V and is at its end at 2 V; without one there is next to none.
In between it counts as it did."""


class Seen(msgspec.Struct, frozen=True):
    """One look at the computer."""

    supply: Supply
    battery_v: float | None
    usb: tuple[UsbDevice, ...] | None


class ComputerJudge:
    """Makes reports of looks; pure, `now_s` is monotonic.

    Args:
        state: what the table knows already.
        now_s: when that is so.
    """

    def __init__(self, state: TableState, now_s: float) -> None:
        known = state.computer_faults
        self._faults = Lasting(known, now_s, ends_after_s=ENDS_AFTER_S)
        self._usb = Lasting(
            state.usb_devices if state.usb_own is not None else (),
            now_s,
            ends_after_s=ENDS_AFTER_S,
            looks=USB_LOOKS,
            most=USB_MOST,
        )
        self._battery_low = ComputerFault.CLOCK_BATTERY in known
        self._told_faults = set(known)
        self._told_usb = None if state.usb_own is None else set(state.usb_devices)
        self._plugged: tuple[UsbDevice, ...] = ()
        self._plugged_s = now_s

    def judge(self, seen: Seen, now_s: float) -> tuple[Command, ...]:
        """Return what the table must be told, each change once."""
        return (*self._fault_reports(seen, now_s), *self._usb_reports(seen, now_s))

    def _fault_reports(self, seen: Seen, now_s: float) -> Iterator[ReportComputer]:
        faults = set(self._faults.look(tuple(self._faults_in(seen)), now_s))
        for fault in ComputerFault:
            if (fault in faults) is not (fault in self._told_faults):
                yield ReportComputer(fault=fault, present=fault in faults)
        self._told_faults = faults

    def _faults_in(self, seen: Seen) -> Iterable[ComputerFault]:
        if seen.supply.under_voltage:
            yield ComputerFault.UNDER_VOLTAGE
        if seen.supply.throttled:
            yield ComputerFault.THROTTLED
        volts = seen.battery_v
        if volts is not None:
            enough = BATTERY_GOOD_V if self._battery_low else BATTERY_LOW_V
            self._battery_low = volts < enough
        if volts is not None and self._battery_low:
            yield ComputerFault.CLOCK_BATTERY

    def _usb_reports(self, seen: Seen, now_s: float) -> Iterator[ReportUsb]:
        if seen.usb is None:
            return
        plugged = self._usb.look(seen.usb, now_s)
        if plugged != self._plugged:
            self._plugged, self._plugged_s = plugged, now_s
        if self._told_usb is None and now_s - self._plugged_s < AT_REST_AFTER_S:
            return
        if self._told_usb is None or set(plugged) != self._told_usb:
            self._told_usb = set(plugged)
            yield ReportUsb(devices=plugged)


class ComputerWatch:
    """The table's look at its computer, beside the loop that owns the table."""

    def __init__(
        self, owner: Owner, clock: Clock, log: TableLogger, sysfs: Path
    ) -> None:
        self._owner = owner
        self._clock = clock
        self._log = log
        self._sysfs = sysfs
        self._judge: ComputerJudge | None = None
        self._due_s = 0.0
        self._battery_v: float | None = None
        self._battery_due_s = 0.0
        owner.listen(self._changed)

    async def look(self) -> None:
        """Tell the table what changed; a table that has written nothing is not told."""
        now_s = self._clock.now_s()
        if self._judge is None or now_s < self._due_s:
            return
        self._due_s = now_s + LOOK_EVERY_S
        seen = await asyncio.to_thread(self._see, now_s)
        for command in self._judge.judge(seen, now_s):
            self._say(command)
            self._owner.submit(command)

    def _see(self, now_s: float) -> Seen:
        if now_s >= self._battery_due_s:
            self._battery_due_s = now_s + BATTERY_EVERY_S
            self._battery_v = read_clock_battery_v(self._sysfs)
        return Seen(read_supply(self._sysfs), self._battery_v, read_usb(self._sysfs))

    def _say(self, command: Command) -> None:
        match command:
            case ReportComputer(fault=fault, present=True):
                self._log.warning("computer fault", fault=fault, volts=self._battery_v)
            case ReportComputer(fault=fault):
                self._log.info("computer fault ended", fault=fault)
            case ReportUsb(devices=devices):
                ports = [f"{one.port} {one.vendor}:{one.product}" for one in devices]
                self._log.info("usb devices", devices=ports)
            case _:
                pass

    def _changed(self, change: Change) -> None:
        """Begin to judge from what the table knows after its start."""
        if self._judge is None:
            self._judge = ComputerJudge(change.state, self._clock.now_s())
