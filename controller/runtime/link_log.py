"""What the log says of the links: once a minute, and at each fault of theirs.

The log of a year shall still hold last spring's faults. So minutes in which nothing
but sound traffic passed are said together, once an hour; any other minute has its
line. Pure but for the log: the caller passes `now_s`, monotonic.
"""

from collections.abc import Callable
from typing import Final

import msgspec

from controller.runtime.links import PANELS, SHOE
from controller.runtime.logs import TableLogger
from controller.runtime.translate import Addresses
from controller.runtime.view import LinkView
from drivers.events import (
    Device,
    DeviceBack,
    DeviceIdentified,
    DeviceLost,
    DeviceMismatched,
    DriverEvent,
    ScanChanged,
    ShoeGapFound,
)
from drivers.identity import DeviceType

MINUTE_S: Final = 60.0
QUIET_MINUTES_MAX: Final = 60
"""So many quiet minutes of one link are said on one line."""

_FAULTS: Final = ("errors", "strays", "gaps", "resends", "reopens")
_TRAFFIC: Final = ("frames_received", "frames_sent", "bytes_received", "bytes_sent")
_WORST: Final = ("worst_answer_ms", "worst_scan_ms")

Facts = dict[str, int | float | str]


class _Said(msgspec.Struct, frozen=True):
    """A link as it was last said, and how many minutes have passed since."""

    link: LinkView
    minutes: int = 0


class LinkLog:
    """Says how the links of one table fare.

    Args:
        log: where it is said.
        links: how each port fares now, counted since the start.
        addresses: which seat has which address.
        now_s: when the counting began.
    """

    def __init__(
        self,
        log: TableLogger,
        links: Callable[[], tuple[LinkView, ...]],
        addresses: Addresses,
        now_s: float,
    ) -> None:
        self._log = log
        self._links = links
        self._addresses = addresses
        self._due_s = now_s + MINUTE_S
        self._said = {link.name: _Said(link) for link in links()}
        self._wrong: dict[Device, str] = {}

    # --- Once a minute ----------------------------------------------------------------

    def look(self, now_s: float) -> None:
        """Say what a minute brought, if it is over; a stall of many is one."""
        if now_s < self._due_s:
            return
        passed = 1 + int((now_s - self._due_s) // MINUTE_S)
        self._due_s += passed * MINUTE_S
        for link in self._links():
            self._minutes_passed(link, passed)

    def _minutes_passed(self, link: LinkView, passed: int) -> None:
        said = self._said[link.name]
        minutes = said.minutes + passed
        if is_quiet(said.link, link) and minutes < QUIET_MINUTES_MAX:
            self._said[link.name] = _Said(said.link, minutes)
            return
        self._said[link.name] = _Said(link)
        added = added_since(said.link, link)
        self._log.info("link", link=link.name, port=link.port, minutes=minutes, **added)

    # --- At each fault ----------------------------------------------------------------

    def heard(self, event: DriverEvent) -> None:
        """Say once that a device is lost or back, or what else a link failed at."""
        match event:
            case DeviceLost():
                self._log.warning("device lost", **self._of(event.device))
            case DeviceBack():
                self._log.info("device answers", **self._of(event.device))
            case DeviceMismatched() if self._wrong.get(event.device) != event.message:
                self._wrong[event.device] = event.message
                facts = self._of(event.device)
                self._log.warning("wrong device", words=event.message, **facts)
            case ScanChanged(is_slow=True):
                self._log.warning("panels slow", **self._at(PANELS))
            case ScanChanged():
                self._log.info("panels timely", **self._at(PANELS))
            case ShoeGapFound():
                # How many cards it hid, the log does not say (COUNT).
                self._log.warning("shoe gap", **self._at(SHOE))
            case DeviceIdentified():
                self._wrong.pop(event.device, None)
            case _:
                pass

    def port_changed(self, name: str) -> None:
        """Say once that the port of a link cannot be used, or can be again."""
        link = self._link(name)
        if link.error:
            self._log.warning("port lost", words=link.error, **self._at(name))
        else:
            self._log.info("port open again", link=name, port=link.port)

    def _at(self, name: str) -> Facts:
        link = self._link(name)
        where: Facts = {"link": name, "port": link.port}
        return where | counted(link)

    def _of(self, device: Device) -> Facts:
        shoe = device.device_type is DeviceType.SHOE
        link = self._link(SHOE if shoe else PANELS)
        where: Facts = {
            "device": "shoe" if shoe else self._panel_name(device.address),
            "port": link.port,
            "address": device.address,
        }
        return where | counted(link)

    def _panel_name(self, address: int) -> str:
        seat = self._addresses.seat_of(address)
        return f"panel of seat {seat}" if seat else "dealer's panel"

    def _link(self, name: str) -> LinkView:
        return next(link for link in self._links() if link.name == name)


def is_quiet(before: LinkView, now: LinkView) -> bool:
    """Return whether a link saw nothing but sound traffic since an earlier look."""
    return all(
        getattr(before, name) == getattr(now, name) for name in (*_FAULTS, *_WORST)
    )


def added_since(before: LinkView, now: LinkView) -> Facts:
    """Return what a link counted since an earlier look; the worst is since the start.

    What is not shown of a link (COUNT) is left out.
    """
    added: Facts = {
        name: getattr(now, name) - getattr(before, name)
        for name in (*_FAULTS, *_TRAFFIC)
        if getattr(now, name) is not None
    }
    return added | _worst(now)


def counted(link: LinkView) -> Facts:
    """Return what a link counted since the start, its traffic left out."""
    faults: Facts = {name: getattr(link, name) for name in _FAULTS}
    return faults | _worst(link)


def _worst(link: LinkView) -> Facts:
    return {
        name: value for name in _WORST if (value := getattr(link, name)) is not None
    }
