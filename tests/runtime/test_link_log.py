"""What the log says of the links: not a line too many, and none too few."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from controller.runtime.link_log import QUIET_MINUTES_MAX, LinkLog
from controller.runtime.logs import json_lines, logger_to
from controller.runtime.translate import Addresses
from controller.runtime.view import LinkView
from drivers.events import (
    Device,
    DeviceBack,
    DeviceIdentified,
    DeviceLost,
    DeviceMismatched,
    ScanChanged,
    ShoeCursor,
    ShoeGapFound,
)
from drivers.identity import DeviceType, Identity
from tests.runtime.clocks import StandingClock
from tests.runtime.sinks import Lines

SEAT_2 = Device(DeviceType.PANEL, 12)
DEALER = Device(DeviceType.PANEL, 19)
SHOE = Device(DeviceType.SHOE, 0)
IDENTITY = Identity(1, DeviceType.PANEL, 2, 5, "P", "77", "1.0")


def link(name: str) -> LinkView:
    return LinkView(
        name=name,
        port=f"/dev/{name}",
        error="",
        errors=0,
        strays=0,
        gaps=0,
        resends=0,
        reopens=0,
    )


class Room:
    """A log of two links whose counts a test sets, and a clock that it moves."""

    def __init__(self) -> None:
        self.clock = StandingClock()
        self.panels = replace(link("panels"), frames_received=0)
        self.shoe = link("shoe")
        self.lines = Lines()
        self.log = LinkLog(
            logger_to(self.lines, json_lines(self.clock)),
            lambda: (self.panels, self.shoe),
            Addresses((11, 12, 13), 19),
            self.clock.now_s(),
        )

    def minutes(self, count: int, *, traffic: int = 0) -> None:
        """Let minutes pass, with a look each second."""
        for _ in range(60 * count):
            self.clock.advance(1.0)
            received = (self.panels.frames_received or 0) + traffic
            self.panels = replace(self.panels, frames_received=received)
            self.log.look(self.clock.now_s())

    def said(self, event: str, **facts: object) -> list[dict[str, Any]]:
        every = [json.loads(line) for line in self.lines.kept]
        return [
            one
            for one in every
            if one["event"] == event and one.items() >= facts.items()
        ]


@pytest.fixture
def room() -> Room:
    return Room()


# --- Once a minute ----------------------------------------------------------------


@pytest.mark.parametrize("count", ["errors", "strays", "gaps", "resends", "reopens"])
def test_a_minute_in_which_something_was_counted_has_its_line(
    room: Room, count: str
) -> None:
    room.panels = replace(room.panels, **{count: 3})
    room.minutes(1)
    (line,) = room.said("link")
    assert line["link"] == "panels"
    assert line["port"] == "/dev/panels"
    assert line["minutes"] == 1
    assert line[count] == 3


def test_a_line_says_what_was_added_since_the_line_before(room: Room) -> None:
    for gaps in (3, 7):
        room.panels = replace(room.panels, gaps=gaps)
        room.minutes(1, traffic=2)
    assert [line["gaps"] for line in room.said("link")] == [3, 4]
    assert [line["frames_received"] for line in room.said("link")] == [120, 120]


@pytest.mark.parametrize("worst", ["worst_scan_ms", "worst_answer_ms"])
def test_a_new_worst_is_said_once(room: Room, worst: str) -> None:
    room.panels = replace(room.panels, **{worst: 40})
    room.minutes(2)
    (line,) = room.said("link")
    assert line[worst] == 40


def test_a_quiet_hour_of_a_busy_link_is_one_line(room: Room) -> None:
    room.minutes(QUIET_MINUTES_MAX - 1, traffic=50)
    assert room.lines.kept == []
    room.minutes(1, traffic=50)
    (panels,) = room.said("link", link="panels")
    assert panels["minutes"] == QUIET_MINUTES_MAX
    assert panels["frames_received"] == 50 * 60 * QUIET_MINUTES_MAX
    assert panels["errors"] == 0
    assert len(room.said("link", link="shoe")) == 1


def test_a_link_that_errs_all_the_time_has_one_line_a_minute(room: Room) -> None:
    for second in range(600):
        room.clock.advance(1.0)
        room.panels = replace(room.panels, errors=second)
        room.log.look(room.clock.now_s())
    assert len(room.said("link", link="panels")) == 10


def test_a_day_without_a_fault_is_a_line_an_hour_for_each_link(room: Room) -> None:
    room.minutes(24 * 60, traffic=1)
    assert len(room.lines.kept) == 2 * 24


def test_minutes_that_passed_unseen_are_said_on_one_line(room: Room) -> None:
    room.panels = replace(room.panels, gaps=1)
    room.clock.advance(200.0)
    room.log.look(room.clock.now_s())
    (line,) = room.said("link")
    assert line["minutes"] == 3
    room.clock.advance(39.0)
    room.panels = replace(room.panels, gaps=2)
    room.log.look(room.clock.now_s())
    assert len(room.said("link")) == 1
    room.clock.advance(1.0)
    room.log.look(room.clock.now_s())
    assert len(room.said("link")) == 2


def test_the_shoe_s_traffic_is_not_said(room: Room) -> None:
    room.shoe = replace(room.shoe, resends=1)
    room.minutes(1)
    (line,) = room.said("link")
    assert not {name for name in line if "frames" in name or "bytes" in name}


# --- At each fault ----------------------------------------------------------------


def test_a_lost_device_is_said_with_what_its_link_counted(room: Room) -> None:
    room.panels = replace(room.panels, gaps=9, worst_answer_ms=3.5)
    room.log.heard(DeviceLost(SEAT_2))
    room.log.heard(DeviceLost(DEALER))
    room.log.heard(DeviceLost(SHOE))
    seat, dealer, shoe = room.said("device lost", level="warning")
    assert (seat["device"], seat["port"]) == ("panel of seat 2", "/dev/panels")
    assert (seat["gaps"], seat["worst_answer_ms"]) == (9, 3.5)
    assert dealer["device"] == "dealer's panel"
    assert (shoe["device"], shoe["gaps"]) == ("shoe", 0)
    room.log.heard(DeviceBack(SEAT_2))
    (back,) = room.said("device answers", level="info")
    assert back["device"] == "panel of seat 2"


def test_a_wrong_device_is_said_once_however_often_it_answers(room: Room) -> None:
    wrong = DeviceMismatched(SEAT_2, "answered as panel 5")
    for _ in range(50):
        room.log.heard(wrong)
    (line,) = room.said("wrong device")
    assert line["words"] == "answered as panel 5"
    room.log.heard(DeviceMismatched(SEAT_2, "answered as panel 6"))
    room.log.heard(DeviceIdentified(SEAT_2, IDENTITY, b""))
    room.log.heard(wrong)
    assert len(room.said("wrong device")) == 3


def test_slow_panels_and_a_gap_of_the_shoe_are_said_with_what_was_counted(
    room: Room,
) -> None:
    room.panels = replace(room.panels, worst_scan_ms=240)
    room.log.heard(ScanChanged(is_slow=True, mean_s=0.12))
    (slow,) = room.said("panels slow", level="warning")
    assert (slow["port"], slow["worst_scan_ms"]) == ("/dev/panels", 240)
    room.log.heard(ScanChanged(is_slow=False, mean_s=0.06))
    assert len(room.said("panels timely", level="info")) == 1
    room.shoe = replace(room.shoe, gaps=1)
    cursor = ShoeCursor(boot_id=1, number=9, next_card_number=31)
    room.log.heard(ShoeGapFound(cursor, 2, 29, 2, b"raw"))
    (gap,) = room.said("shoe gap", level="warning")
    assert gap.keys() == {
        *("event", "level", "timestamp", "link", "port"),
        *("errors", "strays", "gaps", "resends", "reopens"),
    }


def test_a_port_that_is_lost_is_said_with_why_and_then_that_it_is_open(
    room: Room,
) -> None:
    room.panels = replace(room.panels, error="/dev/panels: plug it in", reopens=4)
    room.log.port_changed("panels")
    (lost,) = room.said("port lost", level="warning")
    assert (lost["words"], lost["reopens"]) == ("/dev/panels: plug it in", 4)
    room.panels = replace(room.panels, error="")
    room.log.port_changed("panels")
    (again,) = room.said("port open again", level="info")
    assert again["port"] == "/dev/panels"
