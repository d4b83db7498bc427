"""The line to the shoe: every event once and in order, and no gap by guessing."""

from collections import Counter
from collections.abc import Iterator

import pytest

from drivers.errors import AcknowledgedAheadError
from drivers.events import (
    Cursor,
    Device,
    DeviceBack,
    DeviceIdentified,
    DeviceLost,
    DeviceMismatched,
    HostBehind,
    ShoeCursor,
    ShoeEventReceived,
    ShoeGapFound,
    ShoeSessionEvent,
    ShoeStateChanged,
)
from drivers.framing import FrameReader, encode_frame, stuffed
from drivers.identity import DeviceType, Expected, Identify, Identity
from drivers.link import LinkState
from drivers.shoe.codec import FrameType, from_frame, to_frame
from drivers.shoe.messages import (
    Acknowledge,
    CardDrawn,
    CardUnread,
    EventReport,
    Heartbeat,
    LidOpened,
    Message,
    NotHeld,
    OpenGate,
    ResendFrom,
    ShoeEvent,
    ShoeFlag,
    ShoeMessage,
)
from drivers.shoe.session import ShoeSession
from drivers.shoe.voice import ShoeTiming

BOOT = 0x5B0E0001
DEVICE = Device(DeviceType.SHOE, 0)
EXPECTED = Expected(DeviceType.SHOE, 0, "/dev/table/shoe", "a.toml")


def identity(boot_id: int = BOOT) -> Identity:
    return Identity(1, DeviceType.SHOE, 0, boot_id, "RS-6", "000007", "1.0")


class Bench:
    """A shoe session and a hand that speaks for the shoe."""

    def __init__(self, cursor: ShoeCursor | None = None) -> None:
        self.now = 100.0
        self.sequence = 0
        self.session = ShoeSession(EXPECTED, cursor, ShoeTiming(), self.now)
        self.session.connection_made(self.now)

    def said(self) -> list[Message]:
        """Return what the session says now."""
        data = self.session.data_to_send(self.now)
        return [from_frame(frame) for frame in FrameReader().receive_data(data)]

    def hear(self, message: ShoeMessage, sequence: int | None = None) -> bytes:
        """Let the shoe say something; return its frame without delimiters."""
        if sequence is None:
            self.sequence = (self.sequence + 1) % 256
            sequence = self.sequence
        frame = to_frame(message, sequence)
        self.session.receive_data(encode_frame(frame), self.now)
        return stuffed(frame)

    def beat(
        self,
        last: int = 0,
        *,
        next_card: int = 1,
        acknowledged: int = 0,
        flags: frozenset[ShoeFlag] = frozenset(),
        gate: int = 0,
        boot_id: int = BOOT,
    ) -> bytes:
        beat = Heartbeat(boot_id, flags, next_card, last, acknowledged, gate)
        return self.hear(beat)

    def report(self, number: int, event: ShoeEvent, boot_id: int = BOOT) -> bytes:
        return self.hear(EventReport(boot_id, number, event))

    def events(self) -> list[ShoeSessionEvent]:
        return list(iter(self.session.next_event, None))

    def wait(self, seconds: float) -> Iterator[tuple[float, list[Message]]]:
        """Let time pass; yield when what is said."""
        end = self.now + seconds
        while True:
            said = self.said()
            if said:
                yield self.now, said
            deadline = self.session.deadline
            if deadline is None or deadline > end:
                self.now = end
                return
            assert deadline > self.now
            self.now = deadline
            self.session.handle_timer(self.now)

    def pass_time(self, seconds: float) -> list[Message]:
        return [message for _, said in self.wait(seconds) for message in said]

    def make_ready(self, boot_id: int = BOOT, **beat: int) -> None:
        self.hear(identity(boot_id))
        self.beat(boot_id=boot_id, **beat)  # type: ignore[arg-type] # ints only here
        self.said()
        self.events()


def test_the_shoe_is_asked_who_it_is_until_it_answers() -> None:
    bench = Bench()
    assert bench.pass_time(1.2) == [Identify()] * 3
    raw = bench.hear(identity())
    assert bench.events() == [
        DeviceIdentified(DEVICE, identity(), raw),
        DeviceBack(DEVICE),
    ]
    assert bench.session.state is LinkState.READY
    assert Identify() not in bench.pass_time(1.2)


def test_nothing_counts_before_the_identity() -> None:
    bench = Bench()
    bench.report(1, CardDrawn(1, "Th"))
    bench.beat(1)
    assert bench.events() == []
    assert bench.session.counters.strays == 2


def test_nothing_counts_before_it_is_known_where_to_begin() -> None:
    bench = Bench()
    bench.hear(identity())
    bench.events()
    bench.report(1, CardDrawn(1, "Th"))
    bench.hear(NotHeld(BOOT, 5, 5))
    assert bench.events() == []
    bench.beat(1, next_card=2)
    assert ResendFrom(BOOT, 1) in bench.said()


def test_a_card_is_handed_over_once_with_its_raw_bytes() -> None:
    bench = Bench()
    bench.make_ready()
    raw = bench.report(1, CardDrawn(1, "Th"))
    bench.report(1, CardDrawn(1, "Th"))
    cursor = ShoeCursor(BOOT, 1, 2)
    assert bench.events() == [ShoeEventReceived(cursor, CardDrawn(1, "Th"), raw)]


def test_an_event_is_acknowledged_when_the_caller_says_so_and_again_if_repeated() -> (
    None
):
    bench = Bench()
    bench.make_ready()
    bench.report(1, CardDrawn(1, "Th"))
    bench.report(1, CardDrawn(1, "Th"))
    assert bench.said() == []
    bench.session.acknowledge(ShoeCursor(BOOT, 1, 2))
    assert bench.said() == [Acknowledge(BOOT, 1)]
    bench.session.acknowledge(Cursor(BOOT, 1))
    assert bench.said() == []
    bench.report(1, CardDrawn(1, "Th"))
    assert bench.said() == [Acknowledge(BOOT, 1)]


def test_a_heartbeat_that_lags_behind_is_acknowledged_again() -> None:
    bench = Bench(ShoeCursor(BOOT, 5, 3))
    bench.make_ready(last=5, next_card=3, acknowledged=5)
    bench.beat(5, next_card=3, acknowledged=4)
    assert bench.said() == [Acknowledge(BOOT, 5)]


def test_acknowledging_what_never_came_is_a_bug() -> None:
    bench = Bench()
    bench.make_ready()
    with pytest.raises(AcknowledgedAheadError, match="last one handed over is 0"):
        bench.session.acknowledge(Cursor(BOOT, 1))


def test_an_acknowledgement_of_an_unknown_boot_id_says_nothing() -> None:
    bench = Bench()
    bench.make_ready()
    bench.session.acknowledge(Cursor(BOOT + 9, 1))
    assert bench.said() == []


def test_an_event_that_comes_too_early_is_not_taken_but_what_is_missing_asked_for() -> (
    None
):
    bench = Bench()
    bench.make_ready()
    bench.report(2, CardDrawn(2, "As"))
    assert bench.events() == []
    assert bench.said() == [ResendFrom(BOOT, 1)]
    bench.report(3, LidOpened())
    assert bench.said() == []
    bench.report(1, CardDrawn(1, "Th"))
    bench.report(2, CardDrawn(2, "As"))
    bench.report(3, LidOpened())
    numbers = [
        e.cursor.number for e in bench.events() if isinstance(e, ShoeEventReceived)
    ]
    assert numbers == [1, 2, 3]
    assert not any(isinstance(m, ResendFrom) for m in bench.pass_time(1.0))


def test_a_heartbeat_tells_of_an_event_whose_frame_was_lost() -> None:
    bench = Bench()
    bench.make_ready()
    bench.beat(1, next_card=2)
    assert bench.said() == [ResendFrom(BOOT, 1)]


def test_what_is_missing_is_asked_for_again_until_it_comes() -> None:
    bench = Bench()
    bench.make_ready()
    bench.beat(1, next_card=2)
    asked = [at for at, said in bench.wait(1.1) if ResendFrom(BOOT, 1) in said]
    assert asked == pytest.approx([100.0, 100.25, 100.5, 100.75, 101.0])
    assert bench.session.counters.resends == 5


def test_a_line_on_which_asking_never_helps_is_given_up() -> None:
    bench = Bench()
    bench.make_ready()
    states = []
    for _ in range(5):
        bench.beat(1, next_card=2)
        bench.pass_time(1.01)
        states.append(bench.session.state)
    assert states == [LinkState.READY] * 4 + [LinkState.BACKOFF]
    assert bench.events() == []

    # Opened anew it gets as many tries again.
    list(bench.wait(0.6))
    bench.session.connection_made(bench.now)
    bench.hear(identity())
    bench.beat(1, next_card=2)
    bench.pass_time(1.01)
    assert bench.session.state is LinkState.READY


def test_asking_that_helps_a_little_goes_on() -> None:
    bench = Bench()
    bench.make_ready()
    for number in range(1, 30):
        bench.beat(100, next_card=101)
        bench.pass_time(1.0)
        bench.report(number, CardDrawn(number, "2c"))
    assert bench.session.state is LinkState.READY


def test_only_the_shoe_can_say_that_events_are_gone() -> None:
    bench = Bench()
    bench.make_ready()
    bench.report(1, CardDrawn(1, "Th"))
    bench.events()
    bench.beat(5, next_card=5)
    raw = bench.hear(NotHeld(BOOT, 5, 4))
    cursor = ShoeCursor(BOOT, 4, 4)
    assert bench.events() == [ShoeGapFound(cursor, 3, 2, 2, raw)]
    bench.report(5, CardDrawn(4, "As"))
    (received,) = bench.events()
    assert isinstance(received, ShoeEventReceived)
    assert received.cursor == ShoeCursor(BOOT, 5, 5)


def test_a_gap_at_the_very_end_is_known_without_a_card_after_it() -> None:
    bench = Bench()
    bench.make_ready()
    bench.beat(3, next_card=4)
    raw = bench.hear(NotHeld(BOOT, 4, 4))
    cursor = ShoeCursor(BOOT, 3, 4)
    assert bench.events() == [ShoeGapFound(cursor, 3, 1, 3, raw)]
    bench.session.acknowledge(cursor)
    assert Acknowledge(BOOT, 3) in bench.said()


def test_a_gap_without_a_card_in_it_says_so() -> None:
    bench = Bench()
    bench.make_ready()
    bench.beat(2, next_card=1)
    raw = bench.hear(NotHeld(BOOT, 3, 1))
    assert bench.events() == [ShoeGapFound(ShoeCursor(BOOT, 2, 1), 2, 1, 0, raw)]


def test_hearing_of_a_gap_twice_makes_it_one() -> None:
    bench = Bench()
    bench.make_ready()
    bench.beat(2, next_card=3)
    bench.hear(NotHeld(BOOT, 3, 3))
    bench.events()
    bench.hear(NotHeld(BOOT, 3, 3))
    assert bench.events() == []


def test_a_card_number_that_is_skipped_is_a_gap_before_that_card() -> None:
    bench = Bench()
    bench.make_ready()
    raw = bench.report(1, CardDrawn(4, "Th"))
    assert bench.events() == [
        ShoeGapFound(ShoeCursor(BOOT, 0, 4), 0, 1, 3, raw),
        ShoeEventReceived(ShoeCursor(BOOT, 1, 5), CardDrawn(4, "Th"), raw),
    ]


def test_cards_that_left_without_an_event_are_a_gap() -> None:
    bench = Bench()
    bench.make_ready()
    raw = bench.beat(0, next_card=3)
    bench.beat(0, next_card=3)
    assert bench.events() == [ShoeGapFound(ShoeCursor(BOOT, 0, 3), 0, 1, 2, raw)]


def test_a_card_read_at_last_under_its_old_number_is_no_gap() -> None:
    bench = Bench()
    bench.make_ready()
    first = bench.report(1, CardUnread(1))
    second = bench.report(2, CardDrawn(2, "As"))
    third = bench.report(3, CardDrawn(1, "Th"))
    fourth = bench.report(4, CardDrawn(3, "2c"))
    assert bench.events() == [
        ShoeEventReceived(ShoeCursor(BOOT, 1, 2), CardUnread(1), first),
        ShoeEventReceived(ShoeCursor(BOOT, 2, 3), CardDrawn(2, "As"), second),
        ShoeEventReceived(ShoeCursor(BOOT, 3, 3), CardDrawn(1, "Th"), third),
        ShoeEventReceived(ShoeCursor(BOOT, 4, 4), CardDrawn(3, "2c"), fourth),
    ]


def test_a_host_that_restarts_asks_for_what_it_lacks() -> None:
    bench = Bench(ShoeCursor(BOOT, 257, 205))
    bench.hear(identity())
    bench.beat(258, next_card=206, acknowledged=257)
    assert ResendFrom(BOOT, 258) in bench.said()
    bench.events()
    raw = bench.report(258, CardDrawn(205, "As"))
    cursor = ShoeCursor(BOOT, 258, 206)
    assert bench.events() == [ShoeEventReceived(cursor, CardDrawn(205, "As"), raw)]


def test_a_shoe_that_forgot_its_numbers_begins_at_one_and_its_gate_is_locked() -> None:
    bench = Bench(ShoeCursor(BOOT, 257, 205))
    bench.make_ready(last=257, next_card=205, acknowledged=257)
    bench.session.open_gate(BOOT, 205)
    assert bench.said() == [OpenGate(BOOT, 205)]

    bench.report(1, CardDrawn(1, "Th"), BOOT + 1)
    assert bench.events() == []
    assert bench.said() == [Identify()]
    bench.session.open_gate(BOOT, 206)
    bench.hear(identity(BOOT + 1))
    bench.session.open_gate(BOOT, 207)
    assert bench.said() == [OpenGate(BOOT + 1, 0)]
    bench.beat(1, next_card=2, boot_id=BOOT + 1)
    bench.report(1, CardDrawn(1, "Th"), BOOT + 1)
    received = bench.events()[-1]
    assert isinstance(received, ShoeEventReceived)
    assert received.cursor == ShoeCursor(BOOT + 1, 1, 2)


def test_a_late_identity_from_before_a_restart_does_not_repeat_what_was_taken() -> None:
    bench = Bench()
    bench.make_ready()
    bench.report(1, CardDrawn(1, "Th"))
    bench.session.acknowledge(Cursor(BOOT, 1))
    bench.events()
    bench.hear(identity(BOOT + 1))
    bench.hear(identity(BOOT + 1))
    assert bench.session.state is LinkState.READY
    bench.session.acknowledge(Cursor(BOOT, 1))
    bench.beat(1, next_card=2)
    bench.hear(identity(BOOT))
    bench.beat(1, next_card=2)
    bench.report(1, CardDrawn(1, "Th"))
    assert not any(isinstance(e, ShoeEventReceived) for e in bench.events())


def test_only_a_few_boot_ids_are_remembered() -> None:
    bench = Bench()
    for boot_id in range(1, 20):
        bench.hear(identity(boot_id))
        bench.hear(identity(boot_id))
    bench.session.acknowledge(Cursor(1, 0))
    assert bench.session.state is LinkState.READY


def test_a_shoe_that_another_journal_served_is_reported_once() -> None:
    bench = Bench(ShoeCursor(BOOT, 10, 8))
    bench.hear(identity())
    bench.beat(12, next_card=10, acknowledged=12)
    bench.beat(12, next_card=10, acknowledged=12)
    behind = [event for event in bench.events() if isinstance(event, HostBehind)]
    assert behind == [HostBehind(DEVICE, BOOT, acknowledged=12, taken=10)]
    assert ResendFrom(BOOT, 11) in bench.said()


def test_an_unknown_shoe_that_was_served_is_taken_from_where_it_was_left() -> None:
    bench = Bench()
    bench.hear(identity())
    bench.beat(13, next_card=11, acknowledged=12)
    assert HostBehind(DEVICE, BOOT, acknowledged=12, taken=0) in bench.events()
    assert ResendFrom(BOOT, 13) in bench.said()
    bench.report(13, LidOpened())
    (received,) = bench.events()
    assert isinstance(received, ShoeEventReceived)
    assert received.cursor == ShoeCursor(BOOT, 13, None)
    bench.report(14, CardDrawn(11, "Th"))
    (received,) = bench.events()
    assert isinstance(received, ShoeEventReceived)
    assert received.cursor == ShoeCursor(BOOT, 14, 12)


def test_a_shoe_that_counts_backwards_is_refused_when_it_says_so_twice() -> None:
    bench = Bench(ShoeCursor(BOOT, 10, 8))
    bench.hear(identity())
    bench.beat(9, next_card=8, acknowledged=9)
    assert bench.session.state is LinkState.READY
    bench.beat(9, next_card=8, acknowledged=9)
    assert bench.events()[-1] == DeviceMismatched(
        DEVICE,
        "/dev/table/shoe tells of 9 events, 10 came under the same boot id; "
        "restart the shoe so that it takes a new one",
    )
    assert not bench.session.wants_port


def test_a_shoe_that_goes_on_counting_backwards_is_lost_once_and_not_back() -> None:
    bench = Bench(ShoeCursor(BOOT, 10, 8))
    told: Counter[type] = Counter()
    for _ in range(20):
        if bench.session.state is LinkState.CONNECTING:
            bench.session.connection_made(bench.now)
        if bench.session.state is LinkState.IDENTIFYING:
            bench.hear(identity())
            for _ in range(2):
                bench.beat(9, next_card=8, acknowledged=9)
        bench.now += 2.0
        bench.session.handle_timer(bench.now)
        told.update(map(type, bench.events()))
    assert told[DeviceMismatched] == 1
    assert (told[DeviceBack], told[DeviceLost]) == (1, 1)
    # Restarted, it takes another boot id and is taken at once.
    for _ in range(20):
        if not bench.session.wants_port:
            bench.now += 1.0
            bench.session.handle_timer(bench.now)
    bench.session.connection_made(bench.now)
    bench.hear(identity(boot_id=BOOT + 1))
    bench.beat(0, boot_id=BOOT + 1)
    assert DeviceBack(DEVICE) in bench.events()
    assert bench.session.state is LinkState.READY


def test_the_gate_is_repeated_as_a_sign_of_life() -> None:
    bench = Bench()
    bench.hear(identity())
    bench.beat(0, gate=0)
    bench.said()
    said = [(at, message) for at, said in bench.wait(1.6) for message in said]
    assert [message for _, message in said] == [OpenGate(BOOT, 0)] * 3
    assert [at for at, _ in said] == pytest.approx([100.5, 101.0, 101.5])


def test_the_gate_is_told_at_once_and_only_once() -> None:
    bench = Bench()
    bench.make_ready()
    bench.session.open_gate(BOOT, 4)
    bench.session.open_gate(BOOT, 4)
    assert bench.said() == [OpenGate(BOOT, 4)]
    bench.session.open_gate(BOOT, 4)
    assert bench.said() == []


def test_a_gate_that_stands_otherwise_is_told_again() -> None:
    bench = Bench()
    bench.make_ready()
    bench.session.open_gate(BOOT, 4)
    bench.said()
    bench.beat(0, gate=0)
    assert bench.said() == [OpenGate(BOOT, 4)]
    bench.beat(0, gate=4)
    assert bench.said() == []


def test_a_gate_set_while_the_line_is_down_is_told_when_it_is_back() -> None:
    bench = Bench()
    bench.make_ready()
    bench.session.connection_lost(bench.now)
    bench.session.open_gate(BOOT, 4)
    assert bench.said() == []
    bench.pass_time(0.6)
    bench.session.connection_made(bench.now)
    bench.hear(identity())
    assert OpenGate(BOOT, 4) in bench.said()


def test_the_state_is_told_at_first_and_when_a_flag_changes() -> None:
    bench = Bench()
    bench.hear(identity())
    bench.events()
    has_gate = frozenset({ShoeFlag.HAS_GATE})
    first = bench.beat(flags=has_gate)
    bench.beat(flags=has_gate)
    bench.beat(flags=has_gate | {ShoeFlag.GATE_OPEN})
    jammed = has_gate | {ShoeFlag.JAMMED}
    second = bench.beat(flags=jammed)
    nothing_yet = ShoeCursor(BOOT, 0, 1)
    assert bench.events() == [
        ShoeStateChanged(BOOT, has_gate, 1, nothing_yet, first),
        ShoeStateChanged(BOOT, jammed, 1, nothing_yet, second),
    ]


def test_the_state_says_before_which_card_it_was_told() -> None:
    bench = Bench()
    bench.hear(identity())
    bench.beat(next_card=1)
    bench.report(1, CardDrawn(1, "Th"))
    *_, state, card = bench.events()
    assert isinstance(state, ShoeStateChanged)
    assert state.cursor == ShoeCursor(BOOT, 0, 1)
    assert isinstance(card, ShoeEventReceived)
    assert card.cursor == ShoeCursor(BOOT, 1, 2)


def test_the_state_is_told_as_of_the_event_before_it_also_in_a_burst() -> None:
    bench = Bench()
    bench.hear(identity())
    bench.beat(flags=frozenset())
    bench.hear(EventReport(BOOT, 1, CardDrawn(1, "Th")))
    told = [one for one in bench.events() if isinstance(one, ShoeStateChanged)]
    assert [one.cursor for one in told] == [ShoeCursor(BOOT, 0, 1)]


def test_a_frame_that_comes_late_or_twice_changes_nothing() -> None:
    bench = Bench()
    bench.hear(identity())
    bench.beat(flags=frozenset())
    bench.beat(flags=frozenset({ShoeFlag.JAMMED}))
    bench.events()
    for sequence in (bench.sequence, bench.sequence - 1):
        bench.hear(Heartbeat(BOOT, frozenset(), 1, 0, 0, 0), sequence)
    assert bench.events() == []
    assert bench.session.counters.strays == 2


def test_frames_that_did_not_come_are_counted() -> None:
    bench = Bench()
    bench.make_ready()
    bench.sequence += 3
    bench.beat()
    assert bench.session.counters.gaps == 3


def test_a_silent_shoe_has_its_port_opened_anew_and_is_lost_after_its_time() -> None:
    bench = Bench()
    bench.make_ready()
    bench.pass_time(2.1)
    assert bench.session.state is LinkState.BACKOFF
    assert bench.said() == []
    assert bench.events() == []
    bench.pass_time(3.0)
    assert bench.events() == [DeviceLost(DEVICE)]
    assert bench.session.wants_port
    bench.session.connection_made(bench.now)
    bench.hear(identity())
    assert DeviceBack(DEVICE) in bench.events()
    assert bench.session.counters.reopens == 1


def test_a_shoe_that_never_comes_is_lost_after_its_time() -> None:
    session = ShoeSession(EXPECTED, None, ShoeTiming(), now=100.0)
    session.receive_data(b"\x01\x00", 100.0)
    assert session.counters.bytes_received == 0
    session.connection_lost(100.0)
    session.connection_lost(100.0)
    assert session.deadline == 100.5
    session.handle_timer(103.0)
    assert session.next_event() == DeviceLost(DEVICE)
    assert session.deadline is None


def test_a_wrong_device_is_named_once_and_asked_again() -> None:
    bench = Bench()
    panel = Identity(1, DeviceType.PANEL, 3, BOOT, "RP-10", "000317", "1.0")
    for _ in range(2):
        bench.hear(panel)
        assert bench.session.state is LinkState.FAULTED
        bench.pass_time(2.0)
        bench.session.connection_made(bench.now)
    assert bench.events()[0] == DeviceMismatched(
        DEVICE,
        "/dev/table/shoe answered as panel 3, expected the shoe; "
        "swap the cables or edit a.toml",
    )
    assert len([e for e in bench.events() if isinstance(e, DeviceMismatched)]) == 0
    bench.hear(identity())
    assert bench.session.state is LinkState.READY


def test_an_identity_that_changes_nothing_is_a_sign_of_life() -> None:
    bench = Bench()
    bench.make_ready()
    list(bench.wait(1.9))
    bench.hear(identity())
    list(bench.wait(1.9))
    assert bench.session.state is LinkState.READY
    assert bench.events() == []


def test_our_own_words_and_malformed_ones_are_counted() -> None:
    bench = Bench()
    bench.make_ready()
    bench.session.receive_data(encode_frame(to_frame(OpenGate(BOOT, 9), 9)), bench.now)
    malformed = to_frame(EventReport(BOOT, 1, LidOpened()), 200)
    frame = type(malformed)(0, 200, FrameType.CARD_DRAWN, malformed.payload)
    bench.session.receive_data(encode_frame(frame) + b"\x07\x07\x00", bench.now)
    counters = bench.session.counters
    assert (counters.strays, counters.errors) == (1, 2)
    assert bench.events() == []


def test_counters_tell_what_went_over_the_line() -> None:
    bench = Bench()
    assert bench.said() == [Identify()]
    bench.hear(identity())
    counters = bench.session.counters
    assert (counters.frames_sent, counters.bytes_sent) == (1, 8)
    assert counters.frames_received == 1
    assert counters.bytes_received > 30
