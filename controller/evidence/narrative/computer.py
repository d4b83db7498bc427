"""What the computer said of itself, and what was plugged into it, in sentences."""

from collections.abc import Iterable
from typing import Final

from controller.core import events as ev
from controller.core.computer import COMPUTER_WORDS, usb_words
from controller.evidence.narrative.moment import Line, Moment, Teller
from controller.evidence.narrative.wording import listed, sentence


def _fault_found(event: ev.ComputerFaultFound, _moment: Moment) -> Iterable[Line]:
    yield Line(None, COMPUTER_WORDS[event.fault], "Faults")


def _fault_ended(event: ev.ComputerFaultEnded, _moment: Moment) -> Iterable[Line]:
    text = f"For a minute it is so no longer: {COMPUTER_WORDS[event.fault]}"
    yield Line(None, text, "Faults")


def _devices_found(event: ev.UsbDevicesFound, _moment: Moment) -> Iterable[Line]:
    devices = listed(usb_words(device) for device in event.devices)
    yield Line(
        None, f"Plugged in at the start, and the table's own: {devices}", "Faults"
    )


def _device_inserted(event: ev.UsbDeviceInserted, _moment: Moment) -> Iterable[Line]:
    whose = ", one of the table's own" if event.own else ""
    yield Line(
        None, sentence(f"{usb_words(event.device)} is plugged in{whose}"), "Faults"
    )


def _device_removed(event: ev.UsbDeviceRemoved, _moment: Moment) -> Iterable[Line]:
    whose = ", one of the table's own" if event.own else ""
    text = f"{usb_words(event.device)} has been away for a minute{whose}"
    yield Line(None, sentence(text), "Faults")


TELLERS: Final[dict[type, Teller]] = {
    ev.ComputerFaultFound: _fault_found,
    ev.ComputerFaultEnded: _fault_ended,
    ev.UsbDevicesFound: _devices_found,
    ev.UsbDeviceInserted: _device_inserted,
    ev.UsbDeviceRemoved: _device_removed,
}
