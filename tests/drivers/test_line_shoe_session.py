"""The host's side of a line shoe: cards counted by us, and every doubt told."""

import itertools
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.events import (
    Device,
    DeviceBack,
    DeviceLost,
    LineShoeEvent,
    Remark,
    ShoeCursor,
    ShoeEventReceived,
    ShoeRemarked,
    ShoeStateChanged,
)
from drivers.identity import DeviceType
from drivers.line_shoe.lines import Doubt, LineReader
from drivers.line_shoe.profiles import BEETEK
from drivers.line_shoe.session import LineShoeSession, LineTiming
from drivers.link import LinkState
from drivers.shoe.messages import CardDrawn, CardUnread

START: Final = 1000.0
SHOE: Final = Device(DeviceType.SHOE, 0)
FOUR: Final = b"[Game]<Card:4S>\r\n"
FIVE: Final = b"[Game]<Card:5H>\r\n"
NOT_READ: Final = b"[Game]<Game>\r\n"


def opened(cursor: ShoeCursor | None = None) -> LineShoeSession:
    """Return a session whose port is open, and that has told of it."""
    session = LineShoeSession(BEETEK, cursor, LineTiming(), START)
    session.connection_made(START)
    told(session)
    return session


def told(session: LineShoeSession) -> list[LineShoeEvent]:
    return list(iter(session.next_event, None))


def heard(
    session: LineShoeSession, data: bytes, now: float = START
) -> list[LineShoeEvent]:
    session.receive_data(data, now)
    return told(session)


def cards(events: list[LineShoeEvent]) -> list[CardDrawn | CardUnread]:
    found = []
    for one in events:
        if isinstance(one, ShoeEventReceived):
            assert isinstance(one.event, CardDrawn | CardUnread)
            found.append(one.event)
    return found


def anew(boot_id: int) -> ShoeStateChanged:
    """Return what is told when the count begins anew under a boot id."""
    return ShoeStateChanged(boot_id, frozenset(), 1, ShoeCursor(boot_id, 0, 1), b"")


def garbled(boot_id: int, number: int, next_card: int, doubt: Doubt) -> ShoeRemarked:
    cursor = ShoeCursor(boot_id, number, next_card)
    return ShoeRemarked(cursor, Remark.GARBLED_LINE, doubt.value)


# --- Cards ------------------------------------------------------------------------


def test_a_card_is_numbered_by_us_and_its_line_is_padded() -> None:
    raw = b"[Game]<Card:4S>".ljust(BEETEK.line_max_bytes, b"\0")
    event = ShoeEventReceived(ShoeCursor(1, 1, 2), CardDrawn(1, "4s"), raw)
    assert heard(opened(), FOUR) == [event]


def test_two_equal_cards_in_a_row_are_two_cards() -> None:
    assert cards(heard(opened(), FOUR * 2)) == [CardDrawn(1, "4s"), CardDrawn(2, "4s")]


def test_a_card_after_a_failed_read_is_another_card() -> None:
    seen = cards(heard(opened(), NOT_READ + FOUR))
    assert seen == [CardUnread(1), CardDrawn(2, "4s")]


def test_a_failed_read_and_its_alarm_are_not_taken_for_one() -> None:
    alarm = b"[Game]<Alarm:E3 Card Not Read>\r\n"
    assert cards(heard(opened(), NOT_READ + alarm)) == [CardUnread(1), CardUnread(2)]


def test_nothing_is_ever_said_to_the_shoe() -> None:
    session = opened()
    (card,) = heard(session, FOUR)
    assert isinstance(card, ShoeEventReceived)
    session.acknowledge(card.cursor)
    session.open_gate(card.cursor.boot_id, 5)
    assert session.data_to_send(START) == b""
    assert told(session) == []
    assert session.counters.bytes_sent == 0


def test_a_ten_tells_nothing_by_the_length_of_its_record() -> None:
    lines = (b"[Game]<Card:TS>\r\n", b"[Game]<Card:10S>\r\n", b" [Game]<Card:10S> \r\n")
    sizes = {
        len(one.raw)
        for line in lines
        for one in heard(opened(), line)
        if isinstance(one, ShoeEventReceived)
    }
    assert sizes == {BEETEK.line_max_bytes}


# --- Openings ---------------------------------------------------------------------


def test_an_opening_begins_the_count_anew() -> None:
    session = LineShoeSession(BEETEK, None, LineTiming(), START)
    session.connection_made(START)
    assert told(session) == [anew(1), DeviceBack(SHOE)]
    assert session.state is LinkState.READY


def test_boot_ids_count_on_from_the_journal() -> None:
    session = LineShoeSession(BEETEK, ShoeCursor(41, 9, 7), LineTiming(), START)
    session.connection_made(START)
    assert told(session) == [anew(42), DeviceBack(SHOE)]


def test_boot_ids_are_never_zero() -> None:
    session = LineShoeSession(
        BEETEK, ShoeCursor(0xFFFF_FFFF, 9, 7), LineTiming(), START
    )
    session.connection_made(START)
    assert told(session)[0] == anew(1)


def test_a_reopening_begins_the_count_anew_each_time() -> None:
    session = opened()
    heard(session, FOUR)
    session.connection_lost(START)
    session.handle_timer(START + 0.5)
    assert session.wants_port
    session.connection_made(START + 0.6)
    assert told(session) == [anew(2)]
    assert cards(heard(session, FIVE)) == [CardDrawn(1, "5h")]
    assert session.counters.reopens == 1


def test_what_a_lost_line_had_begun_does_not_join_the_next() -> None:
    session = opened()
    heard(session, FOUR[:9])
    session.connection_lost(START)
    session.handle_timer(START + 0.5)
    session.connection_made(START + 0.6)
    told(session)
    unknown = heard(session, FOUR[9:])[0]
    assert isinstance(unknown, ShoeRemarked)
    assert unknown.remark is Remark.UNKNOWN_LINE


def test_a_shoe_that_is_away_is_lost_once_and_back_once() -> None:
    session = LineShoeSession(BEETEK, None, LineTiming(lost_after_s=2.0), START)
    session.connection_lost(START)
    session.handle_timer(START + 2.0)
    session.handle_timer(START + 3.0)
    assert told(session) == [DeviceLost(SHOE)]
    session.connection_made(START + 3.1)
    assert told(session) == [anew(1), DeviceBack(SHOE)]


def test_silence_is_no_loss() -> None:
    session = opened()
    session.handle_timer(START + 86_400.0)
    assert told(session) == []
    assert session.deadline is None
    assert session.state is LinkState.READY


# --- Doubts -----------------------------------------------------------------------


def test_half_a_line_at_open_is_unknown_and_not_ignored() -> None:
    events = heard(opened(), b"ame]<Card:4S>\r\n" + FIVE)
    cursor = ShoeCursor(1, 1, 1)
    assert events[:2] == [ShoeRemarked(cursor, Remark.UNKNOWN_LINE, ""), anew(2)]
    assert cards(events) == [CardDrawn(1, "5h")]


@pytest.mark.parametrize(
    ("data", "doubt"),
    [
        (b"x" * 66, Doubt.OVERLONG),
        (b"x" * 66 * 4 + b"\r\n", Doubt.OVERLONG),
        (b"[Game]<Card:4S>\n", Doubt.UNCLEAN),
        (b"[Game]<Card:4S>\r[Game]<Card:4S>\r\n", Doubt.UNCLEAN),
        (b"\x00[Game]<Card:4S>\r\n", Doubt.UNCLEAN),
        (b"[Game]<Card:\xb4S>\r\n", Doubt.UNCLEAN),
    ],
)
def test_a_line_in_doubt_is_told_and_the_count_begins_anew(
    data: bytes, doubt: Doubt
) -> None:
    session = opened()
    heard(session, FOUR)
    assert heard(session, data) == [garbled(1, 2, 2, doubt), anew(2)]
    assert session.counters.errors == 1 + len(data) // 67
    assert cards(heard(session, b"\r\n" + FIVE)) == [CardDrawn(1, "5h")]


def test_a_line_of_the_longest_length_is_not_overlong() -> None:
    (remark, _) = heard(opened(), b"x" * 64 + b"\r\n")
    assert isinstance(remark, ShoeRemarked)
    assert remark.remark is Remark.UNKNOWN_LINE


def test_a_line_that_does_not_end_is_in_doubt() -> None:
    session = opened()
    heard(session, FOUR[:9])
    assert session.deadline == START + 1.0
    session.handle_timer(START + 0.9)
    assert told(session) == []
    session.handle_timer(START + 1.0)
    assert told(session) == [garbled(1, 1, 1, Doubt.CUT), anew(2)]
    assert session.deadline is None


def test_a_line_that_trickles_is_whole() -> None:
    session = opened()
    for at in range(len(FOUR)):
        now = START + at * 0.9
        session.handle_timer(now)
        session.receive_data(FOUR[at : at + 1], now)
    assert cards(told(session)) == [CardDrawn(1, "4s")]


def test_an_overlong_line_that_does_not_end_is_told_once() -> None:
    session = opened()
    heard(session, b"x" * 66)
    session.handle_timer(START + 1.0)
    assert told(session) == []
    assert cards(heard(session, FOUR, START + 1.0)) == [CardDrawn(1, "4s")]


def test_a_card_at_the_end_of_an_overlong_line_is_a_doubt_of_its_own() -> None:
    session = opened()
    heard(session, b"x" * 66)
    # Bets may have been closed since.
    assert heard(session, FOUR, START + 0.5) == []
    session.handle_timer(START + 1.0)
    assert told(session) == [garbled(2, 1, 1, Doubt.OVERLONG), anew(3)]


def test_a_line_without_an_end_is_a_doubt_again_and_again() -> None:
    session = opened()
    anews = [
        event
        for half in range(20)
        for event in heard(session, FOUR.strip() * 5, START + half / 2)
        if isinstance(event, ShoeStateChanged)
    ]
    assert len(anews) == 10
    for boot_id, now in ((11, START + 10.5), (12, START + 11.5)):
        session.handle_timer(now)
        doubt = garbled(boot_id, 1, 1, Doubt.OVERLONG)
        assert told(session) == [doubt, anew(boot_id + 1)]
    assert session.deadline is None


def test_the_rest_of_a_line_that_comes_too_late_is_no_card() -> None:
    session = opened()
    heard(session, FOUR[:13])
    events = heard(session, FOUR[13:], START + 1.0)
    assert events[:2] == [garbled(1, 1, 1, Doubt.CUT), anew(2)]
    assert cards(events) == []


@pytest.mark.parametrize("at", range(len(b"[Game]<Alarm:E3 Card Not Read>")))
def test_a_failed_read_told_as_an_alarm_that_loses_a_byte_is_a_doubt(at: int) -> None:
    line = b"[Game]<Alarm:E3 Card Not Read>"
    events = heard(opened(), line[:at] + line[at + 1 :] + b"\r\n")
    assert anew(2) in events


def test_an_empty_line_says_nothing_and_is_counted() -> None:
    session = opened()
    assert heard(session, b"\r\n\r\n") == []
    assert session.counters.strays == 2


def test_an_unknown_line_is_told_without_what_may_be_a_face() -> None:
    events = [
        heard(opened(), b"[Game]<Card:%s>\r\n" % face) for face in (b"S4", b"H10")
    ]
    cursor = ShoeCursor(1, 1, 1)
    unknown = ShoeRemarked(cursor, Remark.UNKNOWN_LINE, "[Game]<Card:")
    assert events == [[unknown, anew(2)]] * 2


def test_alarms_and_warnings_leave_the_count_as_it_is() -> None:
    session = opened()
    events = heard(session, FOUR + b"<W0x01>\r\n[GameAlarm]<Alarm:E5 Motor>\r\n" + FIVE)
    assert events[1:3] == [
        ShoeRemarked(ShoeCursor(1, 2, 2), Remark.WARNING, "W0x01"),
        ShoeRemarked(ShoeCursor(1, 3, 2), Remark.ALARM, "E5"),
    ]
    assert cards(events) == [CardDrawn(1, "4s"), CardDrawn(2, "5h")]
    assert session.counters.errors == 0


# --- Storms -----------------------------------------------------------------------


def test_a_rattling_cable_is_told_once_a_second() -> None:
    session = opened()
    events = [
        event
        for tenth in range(25)
        for event in heard(session, b"\xff\r\n" * 10, START + tenth / 10)
    ]
    assert [one for one in events if isinstance(one, ShoeStateChanged)] == [
        anew(2),
        anew(3),
        anew(4),
    ]
    assert session.counters.errors == 250


def test_a_doubt_after_a_card_is_always_told() -> None:
    events = heard(opened(), (b"\xff\r\n" + FOUR) * 3)
    boots = [one.boot_id for one in events if isinstance(one, ShoeStateChanged)]
    assert boots == [2, 3, 4]


def test_a_doubt_that_was_not_told_at_once_is_told_when_the_second_is_over() -> None:
    session = opened()
    heard(session, b"\xff\r\n")
    # A round may have begun since, and this may have been its first card.
    assert heard(session, b"\xff\r\n", START + 0.9) == []
    assert session.deadline == START + 1.0
    session.handle_timer(START + 0.99)
    assert told(session) == []
    session.handle_timer(START + 1.0)
    assert told(session) == [garbled(2, 1, 1, Doubt.UNCLEAN), anew(3)]
    assert session.deadline is None


def test_a_doubt_that_was_not_told_at_once_is_told_before_a_card() -> None:
    session = opened()
    heard(session, b"\xff\r\n")
    assert heard(session, b"\xff\r\n", START + 0.2) == []
    events = heard(session, FOUR, START + 0.3)
    assert events[:2] == [garbled(2, 1, 1, Doubt.UNCLEAN), anew(3)]
    assert cards(events) == [CardDrawn(1, "4s")]
    assert session.deadline is None


def test_an_alarm_that_was_not_told_at_once_is_told_even_if_the_port_goes() -> None:
    session = opened()
    alarm = b"[GameAlarm]<Alarm:E5 Motor>\r\n"
    heard(session, alarm)
    assert heard(session, alarm, START + 0.1) == []
    session.connection_lost(START + 0.2)
    session.handle_timer(START + 0.9)
    session.connection_made(START + 0.9)
    again = ShoeRemarked(ShoeCursor(1, 2, 1), Remark.ALARM, "E5")
    assert told(session) == [again, anew(2)]


# --- Any bytes, any split ---------------------------------------------------------

PIECES = st.sampled_from(
    [
        FOUR,
        FIVE,
        NOT_READ,
        b"<W0x01>\r\n",
        b"[Game]<Alarm:E9>\r\n",
        b"[Game]<Card:S4>\r\n",
        b"\r\n",
        b"\n",
        b"\r",
        b"x" * 70,
    ]
)


@given(st.lists(PIECES | st.binary(max_size=20)), st.lists(st.integers(0, 300)))
def test_any_split_of_any_bytes_tells_the_same(
    pieces: list[bytes], cuts: list[int]
) -> None:
    data = b"".join(pieces)
    places = sorted({0, *(cut % (len(data) + 1) for cut in cuts), len(data)})
    split = opened()
    for a, b in itertools.pairwise(places):
        split.receive_data(data[a:b], START)
    whole = opened()
    assert told(split) == heard(whole, data)
    assert split.counters == whole.counters


@given(st.lists(PIECES | st.binary(max_size=20)))
def test_every_line_is_a_line_a_doubt_or_empty(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    reader = LineReader(64)
    found = reader.receive_data(data)
    *lines, rest = data.split(b"\n")
    # One that is too long is told each time that 66 bytes of it have passed.
    doubts = sum(len(line) // 66 for line in (*lines, rest))
    ends = sum(
        len(line) < 66 or line[len(line) // 66 * 66 :] not in {b"", b"\r"}
        for line in lines
    )
    assert len(found) + reader.empty_lines == ends + doubts


@given(
    st.lists(
        st.tuples(
            PIECES | st.binary(max_size=20), st.sampled_from([0.0, 0.1, 0.6, 9.0])
        )
    )
)
def test_card_numbers_run_without_a_gap_under_each_boot_id(
    chunks: list[tuple[bytes, float]],
) -> None:
    session, now = opened(), START
    boot_id, number, card = 1, 0, 0
    for data, step in chunks:
        session.receive_data(data, now)
        now += step
        session.handle_timer(now)
        assert session.deadline is None or session.deadline > now
        for event in told(session):
            match event:
                case ShoeStateChanged():
                    assert event == anew(boot_id + 1)
                    boot_id, number, card = boot_id + 1, 0, 0
                case ShoeRemarked() | ShoeEventReceived():
                    number += 1
                    card += isinstance(event, ShoeEventReceived)
                    assert event.cursor == ShoeCursor(boot_id, number, card + 1)
                case _:
                    raise AssertionError(event)


def test_bytes_that_come_while_the_port_is_closed_are_none() -> None:
    session = LineShoeSession(BEETEK, None, LineTiming(), START)
    assert heard(session, FOUR) == []
