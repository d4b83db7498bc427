"""What a technician is shown of devices: each change once."""

from collections.abc import Iterable

from controller.runtime.device_names import NamedDevice
from controller.runtime.seen import Sight, seen_words
from controller.runtime.translate import Addresses
from drivers.events import (
    Device,
    DeviceAnswered,
    DeviceBack,
    DeviceIdentified,
    DeviceLost,
    DriverEvent,
)
from drivers.identity import DeviceType, Identity

PANEL = Device(DeviceType.PANEL, 3)
WHO = Identity(1, DeviceType.PANEL, 3, 7, "box", "P3", "1.0")


def told(events: Iterable[DriverEvent]) -> list[str]:
    named = (NamedDevice(PANEL, "seat 3", "a port"),)
    sight = Sight(named, Addresses((1, 2, 3), 32))
    return [seen_words(seen) for event in events for seen in sight.see(event)]


def test_a_device_that_says_who_it_is_is_told_of_once() -> None:
    said = DeviceIdentified(PANEL, WHO, b"")
    who = "seat 3 at a port: answers, box serial P3 firmware 1.0"
    gone = "seat 3 at a port: does not answer; look at its cable and its supply"
    events = (said, DeviceBack(PANEL), DeviceLost(PANEL), said, DeviceBack(PANEL))
    assert told(events) == [who, gone, who]


def test_a_device_that_cannot_say_who_it_is_answers_all_the_same() -> None:
    events = (DeviceAnswered(PANEL), DeviceBack(PANEL))
    assert told(events) == ["seat 3 at a port: answers"]
