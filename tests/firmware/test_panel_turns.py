"""What a panel does, as docs/protocol/panel.md demands it; the host's codec reads it.

Time is the bench's and goes on by one millisecond a turn.
"""

from collections.abc import Callable
from typing import Final

import pytest

from drivers.framing import FrameReader, encode_frame
from drivers.identity import DeviceType, Identify, Identity
from drivers.panel.codec import from_frame, to_frame
from drivers.panel.messages import Button, HostMessage, Poll, Report
from firmware.panel.loop import Complaint, Loop, start
from firmware.panel.messages import Who
from tests.firmware.bench import ADDRESS, WHO, Bench

BOOT: Final = 7
HIT: Final = 1 << 3
STAND: Final = 1 << 4
LIT: Final = frozenset({Button.HIT, Button.STAND})
DARK: Final = Poll(0, frozenset(), 0, 0)
SHOWN: Final = Poll(58, LIT, 0, 0)


class Played:
    """A panel with its board, and a host that asks when the test says so."""

    def __init__(self, contacts: int = 0, who: Who = WHO) -> None:
        self.bench = Bench()
        self.bench.contacts = contacts
        loop = start(self.bench, who, BOOT)
        assert isinstance(loop, Loop)
        self.loop = loop
        self.sequence = 0

    def turns(self, count: int) -> None:
        for _ in range(count):
            self.bench.now += 1
            self.loop.turn()

    def ask(self, message: HostMessage, address: int = ADDRESS) -> list[bytes]:
        """Return what it sends when it is asked."""
        self.sequence = (self.sequence + 1) % 256
        return self.hear(encode_frame(to_frame(message, address, self.sequence)))

    def hear(self, data: bytes) -> list[bytes]:
        self.bench.inward += data
        while self.bench.inward:
            self.turns(1)
        sent, self.bench.sent = self.bench.sent, []
        return sent

    def report(self, poll: Poll = DARK) -> Report:
        (sent,) = self.ask(poll)
        (frame,) = FrameReader().receive_data(sent)
        assert (frame.address, frame.sequence) == (ADDRESS, self.sequence)
        message = from_frame(frame)
        assert isinstance(message, Report)
        return message

    def press(self, *masks: int) -> None:
        for mask in masks:
            self.bench.contacts = mask
            self.turns(12)
            self.bench.contacts = 0
            self.turns(12)

    @property
    def lamps(self) -> int:
        return self.bench.shown[-1]


@pytest.fixture
def played() -> Played:
    return Played()


def numbers(report: Report) -> list[int]:
    return [press.number for press in report.presses]


def test_a_panel_says_who_it_is(played: Played) -> None:
    (sent,) = played.ask(Identify())
    (frame,) = FrameReader().receive_data(sent)
    identity = from_frame(frame)
    assert identity == Identity(
        1, DeviceType.PANEL, 3, BOOT, "RP2040-10", "E660583883724A32", "1.0.0"
    )


def test_a_poll_sets_lamps_and_is_answered_with_the_state(played: Played) -> None:
    assert played.report(SHOWN) == Report(BOOT, 0)
    assert played.lamps == HIT | STAND


def test_a_press_is_in_every_report_until_it_is_taken(played: Played) -> None:
    played.report(SHOWN)
    played.press(HIT)
    for _ in range(3):
        report = played.report(SHOWN)
        (press,) = report.presses
        assert (press.number, press.button) == (1, Button.HIT)
        assert press.prompt_number == 58
    assert played.report(Poll(59, LIT, BOOT, 1)) == Report(BOOT, 1)


def test_the_age_counts_from_the_moment_the_contact_closed(played: Played) -> None:
    played.bench.contacts = HIT
    played.turns(1)
    played.turns(98)
    (press,) = played.report().presses
    assert press.age_ms == 99
    played.turns(70_000)
    (press,) = played.report().presses
    assert press.age_ms == 65535


@pytest.mark.parametrize(
    ("taken", "acknowledged", "waiting"),
    [
        ((BOOT, 2), 2, [3]),
        ((BOOT, 4), 0, [1, 2, 3]),
        ((BOOT + 1, 2), 0, [1, 2, 3]),
        ((0, 0), 0, [1, 2, 3]),
    ],
    ids=["its own", "not given", "another boot id", "none"],
)
def test_only_a_given_number_of_its_own_boot_id_is_taken(
    played: Played, taken: tuple[int, int], acknowledged: int, waiting: list[int]
) -> None:
    played.press(HIT, STAND, HIT)
    report = played.report(Poll(0, frozenset(), *taken))
    assert (report.acknowledged, numbers(report)) == (acknowledged, waiting)


def test_what_is_taken_never_goes_back(played: Played) -> None:
    played.press(HIT, STAND)
    played.report(Poll(0, frozenset(), BOOT, 2))
    assert played.report(Poll(0, frozenset(), BOOT, 1)) == Report(BOOT, 2)


def test_a_fifth_press_gets_no_number_and_is_counted_as_dropped(
    played: Played,
) -> None:
    played.press(*[HIT] * 6)
    report = played.report()
    assert (numbers(report), report.dropped) == ([1, 2, 3, 4], 2)
    played.report(Poll(0, frozenset(), BOOT, 4))
    played.press(STAND)
    assert numbers(played.report()) == [5]


def test_a_panel_goes_dark_half_a_second_after_the_last_poll(played: Played) -> None:
    played.report(SHOWN)
    played.turns(499)
    assert played.lamps == HIT | STAND
    played.turns(1)
    assert played.lamps == 0
    played.press(HIT)
    (press,) = played.report(SHOWN).presses
    assert press.prompt_number == 0
    assert played.lamps == HIT | STAND


def test_being_asked_who_it_is_does_not_keep_it_lit(played: Played) -> None:
    played.report(SHOWN)
    for _ in range(10):
        played.turns(49)
        played.ask(Identify())
    assert played.lamps == 0


def test_lamps_that_a_panel_lacks_are_nothing_to_it(played: Played) -> None:
    played.report(Poll(5, frozenset({Button.HIT, Button.DEAL}), 0, 0))
    assert played.lamps == HIT


def test_the_dealers_panel_has_the_last_five_buttons() -> None:
    dealer = Played(who=Who(ADDRESS, 0, "RP2040-5", "1"))
    dealer.press(1 << 10, HIT, 1 << 14)
    pressed = [press.button for press in dealer.report().presses]
    assert pressed == [Button.DEAL, Button.CALL]


def test_a_button_down_at_the_start_is_held_and_no_press() -> None:
    played = Played(contacts=HIT)
    assert played.report() == Report(BOOT, 0, held=frozenset({Button.HIT}))
    played.bench.contacts = 0
    played.turns(1020)
    played.press(HIT)
    assert numbers(played.report()) == [1]


def wire(message: HostMessage, address: int = ADDRESS) -> bytearray:
    return bytearray(encode_frame(to_frame(message, address, 1)))


def spoilt() -> bytes:
    frame = wire(SHOWN)
    frame[-3] ^= 0x10
    return bytes(frame)


@pytest.mark.parametrize(
    ("make", "errors"),
    [
        (lambda: bytes(wire(SHOWN, ADDRESS + 1)), 0),
        (lambda: bytes(wire(Identify(), 0)), 0),
        (spoilt, 1),
        (lambda: b"\0" + b"\x55" * 400 + b"\0", 1),
        (lambda: b"\0" * 50, 0),
        # A frame of 134 bytes with a right CRC would be one byte too long.
        (lambda: b"\0" + b"\x01" * 135 + b"\0", 1),
        # IDENTIFY with a payload of one zero: 03 01 01 00 and its CRC.
        (lambda: encode_raw(b"\x03\x01\x01\0"), 1),
        # POLL with lamp 16, which no page has, and with a byte too few.
        (lambda: encode_raw(b"\x03\x01\x02" + bytes(4) + b"\x80" + bytes(9)), 1),
        (lambda: encode_raw(b"\x03\x01\x02" + bytes(13)), 1),
        (lambda: encode_raw(b"\x03\x01\x7f"), 1),
        # What another panel with our address would say.
        (lambda: encode_raw(b"\x03\x01\x82" + bytes(13)), 0),
        (lambda: encode_raw(b"\x03\x01"), 1),
    ],
    ids=[
        "another address",
        "address 0",
        "a spoilt bit",
        "overlong noise",
        "zeros",
        "just too long",
        "a payload too long",
        "a lamp that is none",
        "a poll too short",
        "an unknown type",
        "a panel's words",
        "a frame too short",
    ],
)
def test_what_is_no_question_to_it_is_not_answered_and_costs_nothing(
    played: Played, make: Callable[[], bytes], errors: int
) -> None:
    assert played.hear(make()) == []
    assert played.loop.panel.errors == errors
    assert played.loop.panel.prompt == 0
    assert played.report(SHOWN) == Report(BOOT, 0)


def encode_raw(body: bytes) -> bytes:
    """Return a frame with a right CRC around bytes that may say anything."""
    crc = 0xFFFF
    for byte in body:
        crc ^= byte << 8
        for _ in range(8):
            crc = ((crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1) & 0xFFFF
    pieces = (body + crc.to_bytes(2) + b"\0").split(b"\0")[:-1]
    return b"\0" + b"".join(bytes([len(p) + 1]) + p for p in pieces) + b"\0"


def test_noise_before_a_question_costs_it_nothing(played: Played) -> None:
    played.bench.inward = b"\x55\xaa\x13"
    assert played.report() == Report(BOOT, 0)


def test_of_two_questions_at_once_only_the_last_is_answered(played: Played) -> None:
    first = encode_frame(to_frame(Poll(1, LIT, 0, 0), ADDRESS, 8))
    second = encode_frame(to_frame(Poll(2, frozenset(), 0, 0), ADDRESS, 9))
    (sent,) = played.hear(first + second)
    (frame,) = FrameReader().receive_data(sent)
    assert frame.sequence == 9
    assert played.loop.panel.prompt == 2


def test_a_question_found_too_late_is_obeyed_and_not_answered(played: Played) -> None:
    played.turns(1)
    played.bench.now += 5
    assert played.ask(SHOWN) == []
    assert played.lamps == HIT | STAND
    assert played.report(SHOWN) == Report(BOOT, 0)


def test_the_light_blinks_while_nobody_polls_and_stays_on_while_somebody_does(
    played: Played,
) -> None:
    seen = set()
    for _ in range(1000):
        played.turns(1)
        seen.add(played.bench.is_lit)
    assert seen == {True, False}
    for _ in range(10):
        played.report()
        for _ in range(100):
            played.turns(1)
            assert played.bench.is_lit
    assert played.bench.fed == played.bench.now


@pytest.mark.parametrize(("address", "role"), [(0, 3), (248, 3), (3, 8), (3, -1)])
def test_settings_that_cannot_be_leave_it_silent_and_blinking_fast(
    address: int, role: int
) -> None:
    bench = Bench()
    turns = start(bench, Who(address, role, "RP2040-10", "1"), BOOT)
    assert isinstance(turns, Complaint)
    changes = 0
    for _ in range(1000):
        before = bench.is_lit
        bench.now += 1
        turns.turn()
        changes += bench.is_lit != before
    # On at first, then ten times a second something else.
    assert changes == 11
    assert bench.shown == [0]
    assert bench.sent == []
    assert bench.fed == 1000
