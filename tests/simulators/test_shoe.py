import random
from collections.abc import Callable

import pytest

from drivers.framing import DELIMITER, Frame, FrameReader, encode_frame
from drivers.identity import DeviceType, Identify, Identity
from drivers.shoe.codec import from_frame, to_frame
from drivers.shoe.messages import (
    EVENTS_HELD_MIN,
    UNREAD,
    Acknowledge,
    CardDrawn,
    CardReturned,
    CardUnread,
    CutCardReached,
    EventReport,
    Heartbeat,
    JamCleared,
    Jammed,
    LidClosed,
    LidOpened,
    Message,
    NotHeld,
    OpenGate,
    ResendFrom,
    ShoeEmptied,
    ShoeEvent,
    ShoeFlag,
    ShuffleEnded,
    ShuffleStarted,
)
from simulators.devices.shoe import ShoeSimulator


class Bench:
    """A shoe, and what a host hears of it and says to it."""

    def __init__(self, shoe: ShoeSimulator | None = None) -> None:
        self.shoe = shoe or ShoeSimulator(random.Random(7))
        self.reader = FrameReader()
        self.sequence = 0
        self.hear(0.0)

    @property
    def boot_id(self) -> int:
        return self.shoe.memory.boot_id

    def hear(self, now: float) -> list[Message]:
        frames = self.reader.receive_data(self.shoe.data_to_send(now))
        return [from_frame(frame) for frame in frames]

    def say(self, message: Message, now: float) -> list[Message]:
        self.sequence = (self.sequence + 1) % 256
        return self.say_as(message, self.sequence, now)

    def say_as(self, message: Message, sequence: int, now: float) -> list[Message]:
        self.shoe.receive_data(encode_frame(to_frame(message, sequence)), now)
        return self.hear(now)

    def events(self, now: float) -> list[tuple[int, ShoeEvent]]:
        return numbered(self.hear(now))


def numbered(messages: list[Message]) -> list[tuple[int, ShoeEvent]]:
    return [(m.number, m.event) for m in messages if isinstance(m, EventReport)]


def last_heartbeat(messages: list[Message]) -> Heartbeat:
    return [m for m in messages if isinstance(m, Heartbeat)][-1]


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_a_shoe_says_by_itself_who_it_is_and_how_things_stand() -> None:
    shoe = ShoeSimulator(random.Random(7))
    frames = FrameReader().receive_data(shoe.data_to_send(100.0))
    identity, heartbeat = (from_frame(frame) for frame in frames)
    assert isinstance(identity, Identity)
    assert identity.device_type is DeviceType.SHOE
    boot_id = shoe.memory.boot_id
    assert heartbeat == Heartbeat(boot_id, frozenset({ShoeFlag.HAS_GATE}), 1, 0, 0, 0)


def test_a_shoe_that_is_asked_answers_identity_then_heartbeat(bench: Bench) -> None:
    identity, heartbeat = bench.say(Identify(), 0.1)
    assert isinstance(identity, Identity)
    assert isinstance(heartbeat, Heartbeat)


def test_a_heartbeat_comes_every_half_second(bench: Bench) -> None:
    assert bench.shoe.deadline == 0.5
    assert bench.hear(0.49) == []
    (heartbeat,) = bench.hear(0.5)
    assert isinstance(heartbeat, Heartbeat)
    assert bench.shoe.deadline == 1.0


def test_a_card_is_reported_at_once_and_a_heartbeat_follows(bench: Bench) -> None:
    assert bench.shoe.draw("Th") == 1
    report, heartbeat = bench.hear(0.0)
    assert report == EventReport(bench.boot_id, 1, CardDrawn(1, "Th"))
    assert isinstance(heartbeat, Heartbeat)
    assert (heartbeat.next_card_number, heartbeat.last_event) == (2, 1)


def test_an_unread_card_is_read_again_under_its_number(bench: Bench) -> None:
    number = bench.shoe.draw_unread()
    bench.shoe.draw("As")
    bench.shoe.read_again(number, "9c")
    assert bench.events(0.0) == [
        (1, CardUnread(1)),
        (2, CardDrawn(2, "As")),
        (3, CardDrawn(1, "9c")),
    ]
    assert bench.shoe.next_card_number == 3
    assert bench.shoe.cards_drawn == 2


def test_everything_that_happens_at_a_shoe_is_reported_in_order(bench: Bench) -> None:
    shoe = bench.shoe
    shoe.open_lid()
    shoe.close_lid()
    shoe.jam()
    shoe.clear_jam()
    shoe.reach_cut_card()
    shoe.run_empty()
    shoe.return_card("2d")
    shoe.return_card(UNREAD)
    shoe.start_shuffle()
    shoe.end_shuffle(312)
    assert [event for _, event in bench.events(0.0)] == [
        LidOpened(),
        LidClosed(),
        Jammed(),
        JamCleared(),
        CutCardReached(),
        ShoeEmptied(),
        CardReturned("2d"),
        CardReturned("??"),
        ShuffleStarted(),
        ShuffleEnded(312),
    ]


@pytest.mark.parametrize(
    ("happen", "flags"),
    [
        (ShoeSimulator.open_lid, {ShoeFlag.LID_OPEN}),
        (ShoeSimulator.jam, {ShoeFlag.JAMMED}),
        (ShoeSimulator.reach_cut_card, {ShoeFlag.CUT_CARD}),
        (ShoeSimulator.run_empty, {ShoeFlag.EMPTY}),
        (ShoeSimulator.start_shuffle, {ShoeFlag.SHUFFLING}),
    ],
)
def test_a_standing_state_is_a_flag_in_the_heartbeat(
    bench: Bench, happen: Callable[[ShoeSimulator], None], flags: set[ShoeFlag]
) -> None:
    happen(bench.shoe)
    heartbeat = last_heartbeat(bench.hear(0.0))
    assert heartbeat.flags == flags | {ShoeFlag.HAS_GATE}
    bench.shoe.close_lid()
    bench.shoe.clear_jam()
    bench.shoe.end_shuffle()
    assert last_heartbeat(bench.hear(0.0)).flags == {ShoeFlag.HAS_GATE}


def test_an_event_is_repeated_each_half_second_until_it_is_taken(bench: Bench) -> None:
    bench.shoe.draw("Th")
    bench.shoe.draw("As")
    bench.hear(0.0)
    assert bench.events(0.5) == [(1, CardDrawn(1, "Th"))]
    bench.say(Acknowledge(bench.boot_id, 1), 0.6)
    assert bench.events(1.0) == [(2, CardDrawn(2, "As"))]
    bench.say(Acknowledge(bench.boot_id, 2), 1.1)
    assert bench.events(1.5) == []
    assert [report.number for report in bench.shoe.memory.acknowledged] == [1, 2]


@pytest.mark.parametrize("number", [1, 0, 99])
def test_an_acknowledgement_neither_goes_back_nor_ahead(
    bench: Bench, number: int
) -> None:
    for card in ("Th", "As", "2c"):
        bench.shoe.draw(card)
    bench.say(Acknowledge(bench.boot_id, 2), 0.1)
    bench.say(Acknowledge(bench.boot_id, number), 0.2)
    assert last_heartbeat(bench.hear(0.5)).acknowledged == 2
    assert len(bench.shoe.memory.acknowledged) == 2


def test_messages_for_another_boot_id_are_ignored(bench: Bench) -> None:
    bench.shoe.draw("Th")
    bench.hear(0.0)
    other = bench.boot_id ^ 1
    assert bench.say(OpenGate(other, 9), 0.1) == []
    assert bench.say(ResendFrom(other, 1), 0.1) == []
    bench.say(Acknowledge(other, 1), 0.1)
    assert bench.shoe.memory.acknowledged == []
    assert not bench.shoe.gate_is_open


def test_events_are_sent_again_when_asked_for(bench: Bench) -> None:
    for card in ("Th", "As", "2c"):
        bench.shoe.draw(card)
    bench.hear(0.0)
    heard = bench.say(ResendFrom(bench.boot_id, 2), 0.1)
    assert numbered(heard) == [(2, CardDrawn(2, "As")), (3, CardDrawn(3, "2c"))]
    assert bench.say(ResendFrom(bench.boot_id, 4), 0.1) == []


def test_taken_events_are_still_held(bench: Bench) -> None:
    bench.shoe.draw("Th")
    bench.say(Acknowledge(bench.boot_id, 1), 0.1)
    heard = bench.say(ResendFrom(bench.boot_id, 1), 0.2)
    assert heard == [EventReport(bench.boot_id, 1, CardDrawn(1, "Th"))]


def test_a_withheld_event_can_be_given_again(bench: Bench) -> None:
    bench.shoe.withhold(1)
    bench.shoe.draw("Th")
    assert bench.hear(0.0) == []
    bench.shoe.draw("As")
    assert bench.events(0.0) == [(2, CardDrawn(2, "As"))]
    heard = bench.say(ResendFrom(bench.boot_id, 1), 0.1)
    assert numbered(heard) == [(1, CardDrawn(1, "Th")), (2, CardDrawn(2, "As"))]


def test_a_lost_card_is_a_gap_with_its_card_numbers(bench: Bench) -> None:
    bench.shoe.draw("Th")
    bench.say(Acknowledge(bench.boot_id, 1), 0.0)
    bench.shoe.draw_lost(2)
    bench.shoe.draw("As")
    assert bench.events(0.0) == [(4, CardDrawn(4, "As"))]
    heard = bench.say(ResendFrom(bench.boot_id, 2), 0.1)
    assert heard == [
        NotHeld(bench.boot_id, first_held=4, next_card_number=4),
        EventReport(bench.boot_id, 4, CardDrawn(4, "As")),
    ]
    assert [report.number for report in bench.shoe.memory.lost] == [2, 3]
    assert bench.shoe.cards_drawn == 4


def test_a_shoe_that_holds_nothing_says_what_comes_next(bench: Bench) -> None:
    bench.shoe.draw_lost(1)
    bench.hear(0.0)
    heard = bench.say(ResendFrom(bench.boot_id, 1), 0.1)
    assert heard == [NotHeld(bench.boot_id, first_held=2, next_card_number=2)]


def test_a_full_memory_forgets_its_oldest_event(bench: Bench) -> None:
    for _ in range(EVENTS_HELD_MIN + 1):
        bench.shoe.draw("Th")
    bench.hear(0.0)
    heard = bench.say(ResendFrom(bench.boot_id, 1), 0.1)
    assert heard[0] == NotHeld(bench.boot_id, 2, 2)
    assert len(numbered(heard)) == EVENTS_HELD_MIN
    assert [report.number for report in bench.shoe.memory.lost] == [1]


def test_the_gate_lets_cards_out_up_to_a_number(bench: Bench) -> None:
    heartbeat = last_heartbeat(bench.say(OpenGate(bench.boot_id, 2), 0.1))
    assert heartbeat.gate_up_to == 2
    assert ShoeFlag.GATE_OPEN in heartbeat.flags
    bench.shoe.draw("Th")
    assert ShoeFlag.GATE_OPEN in last_heartbeat(bench.hear(0.1)).flags
    bench.shoe.draw("As")
    assert not bench.shoe.gate_is_open
    assert ShoeFlag.GATE_OPEN not in last_heartbeat(bench.hear(0.1)).flags


def test_a_gate_that_is_told_the_same_again_changes_nothing(bench: Bench) -> None:
    bench.say(OpenGate(bench.boot_id, 2), 0.1)
    assert bench.say(OpenGate(bench.boot_id, 2), 0.2) == []
    bench.say(OpenGate(bench.boot_id, 0), 0.3)
    assert not bench.shoe.gate_is_open


def test_the_gate_locks_when_the_host_is_silent(bench: Bench) -> None:
    bench.say(OpenGate(bench.boot_id, 5), 0.1)
    bench.say(Acknowledge(bench.boot_id, 0), 1.0)
    bench.hear(2.99)
    assert bench.shoe.gate_up_to == 5
    assert bench.shoe.deadline == 3.0
    assert last_heartbeat(bench.hear(3.0)).gate_up_to == 0
    assert not bench.shoe.gate_is_open


def test_a_card_leaves_through_a_locked_gate_if_it_is_forced(bench: Bench) -> None:
    bench.shoe.draw("Th")
    assert bench.events(0.0) == [(1, CardDrawn(1, "Th"))]


def test_a_shoe_without_a_gate_is_always_open_and_echoes_the_number() -> None:
    bench = Bench(ShoeSimulator(random.Random(1), has_gate=False))
    assert bench.shoe.gate_is_open
    heartbeat = last_heartbeat(bench.say(OpenGate(bench.boot_id, 4), 0.1))
    assert heartbeat.flags == frozenset()
    assert heartbeat.gate_up_to == 4


@pytest.mark.parametrize("behind", [0, 1, 31])
def test_a_frame_that_came_late_or_twice_is_ignored(bench: Bench, behind: int) -> None:
    bench.say_as(OpenGate(bench.boot_id, 5), 20, 0.1)
    old = (20 - behind) % 256
    assert bench.say_as(OpenGate(bench.boot_id, 0), old, 0.2) == []
    assert bench.shoe.gate_up_to == 5


def test_a_frame_far_behind_is_a_new_one(bench: Bench) -> None:
    bench.say_as(OpenGate(bench.boot_id, 5), 20, 0.1)
    bench.say_as(OpenGate(bench.boot_id, 6), (20 - 32) % 256, 0.2)
    assert bench.shoe.gate_up_to == 6


def test_with_identify_the_counting_of_frames_begins_anew(bench: Bench) -> None:
    bench.say_as(OpenGate(bench.boot_id, 5), 20, 0.1)
    bench.say_as(Identify(), 3, 0.2)
    bench.say_as(OpenGate(bench.boot_id, 0), 4, 0.2)
    assert bench.shoe.gate_up_to == 0


def test_a_shoe_that_forgets_begins_anew_under_another_boot_id(bench: Bench) -> None:
    before = bench.boot_id
    bench.say(OpenGate(before, 5), 0.1)
    bench.shoe.draw("Th")
    bench.shoe.lose()
    bench.shoe.lose()
    assert bench.hear(5.0) == []
    assert bench.shoe.deadline is None
    assert bench.say(Identify(), 5.0) == []
    bench.shoe.come_back()
    bench.shoe.come_back()
    identity, heartbeat = bench.hear(6.0)
    assert isinstance(identity, Identity)
    assert identity.boot_id == bench.boot_id != before
    assert heartbeat == Heartbeat(
        bench.boot_id, frozenset({ShoeFlag.HAS_GATE}), 1, 0, 0, 0
    )
    assert [report.number for report in bench.shoe.memory.lost] == [1]


def test_a_shoe_that_keeps_its_numbers_goes_on_with_a_locked_gate(bench: Bench) -> None:
    before = bench.boot_id
    bench.say(OpenGate(before, 5), 0.1)
    bench.shoe.draw("Th")
    bench.shoe.pause()
    bench.shoe.pause()
    bench.shoe.come_back()
    identity, heartbeat, report = bench.hear(1.0)
    assert isinstance(identity, Identity)
    assert identity.boot_id == before
    assert isinstance(heartbeat, Heartbeat)
    assert (heartbeat.next_card_number, heartbeat.gate_up_to) == (2, 0)
    assert report == EventReport(before, 1, CardDrawn(1, "Th"))


def test_nothing_is_recorded_without_power(bench: Bench) -> None:
    bench.shoe.pause()
    bench.shoe.open_lid()
    bench.shoe.come_back()
    assert bench.events(1.0) == []


def test_noise_and_echoes_are_counted_and_not_obeyed(bench: Bench) -> None:
    bench.shoe.receive_data(DELIMITER + b"\x05noise" + DELIMITER, 0.0)
    bench.shoe.receive_data(encode_frame(Frame(0, 1, 0x7F)), 0.0)
    bench.say(EventReport(1, 1, Jammed()), 0.0)
    assert (bench.shoe.reader.errors, bench.shoe.malformed) == (1, 2)


def test_a_shoe_without_decks_draws_only_what_it_is_told(bench: Bench) -> None:
    assert bench.shoe.draw_next() is None
