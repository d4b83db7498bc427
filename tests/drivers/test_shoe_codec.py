"""Shoe messages: what fits comes back, what does not is refused or malformed."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.errors import MalformedMessageError, MessageFieldError
from drivers.framing import MAX_PAYLOAD_BYTES, Frame, encode_frame
from drivers.identity import Identify
from drivers.shoe.codec import FrameType, from_frame, to_frame
from drivers.shoe.messages import (
    CARDS,
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

U32 = st.integers(0, 0xFFFF_FFFF)
NUMBERS = st.integers(1, 0xFFFF_FFFF)
FACES = st.sampled_from(sorted(CARDS))
PLAIN: tuple[ShoeEvent, ...] = (
    LidOpened(),
    LidClosed(),
    CutCardReached(),
    ShoeEmptied(),
    ShuffleStarted(),
    Jammed(),
    JamCleared(),
)
EVENTS: st.SearchStrategy[ShoeEvent] = st.one_of(
    st.builds(CardDrawn, NUMBERS, FACES),
    st.builds(CardUnread, NUMBERS),
    st.builds(CardReturned, FACES | st.just(UNREAD)),
    st.builds(ShuffleEnded, st.none() | st.integers(0, 0xFFFE)),
    st.sampled_from(PLAIN),
)


@st.composite
def heartbeats(draw: st.DrawFn) -> Heartbeat:
    acknowledged, last = sorted((draw(U32), draw(U32)))
    flags = draw(st.frozensets(st.sampled_from(ShoeFlag)))
    return Heartbeat(draw(NUMBERS), flags, draw(NUMBERS), last, acknowledged, draw(U32))


MESSAGES: st.SearchStrategy[Message] = st.one_of(
    st.just(Identify()),
    st.builds(Acknowledge, U32, U32),
    st.builds(ResendFrom, U32, U32),
    st.builds(OpenGate, U32, U32),
    st.builds(NotHeld, NUMBERS, NUMBERS, NUMBERS),
    st.builds(EventReport, NUMBERS, NUMBERS, EVENTS),
    heartbeats(),
)


def test_the_examples_here_include_every_kind_of_event() -> None:
    kinds = {CardDrawn, CardUnread, CardReturned, ShuffleEnded, *map(type, PLAIN)}
    assert kinds == set(get_args(ShoeEvent))


@given(MESSAGES, st.integers(0, 255))
def test_a_message_comes_back_as_it_was_sent(message: Message, sequence: int) -> None:
    frame = to_frame(message, sequence)
    encode_frame(frame)
    assert (frame.address, frame.sequence) == (0, sequence)
    assert from_frame(frame) == message


@given(
    st.sampled_from(FrameType) | st.integers(0, 255),
    st.binary(max_size=MAX_PAYLOAD_BYTES) | st.binary(max_size=16),
)
def test_any_payload_is_a_message_or_malformed(frame_type: int, payload: bytes) -> None:
    frame = Frame(0, 1, frame_type, payload)
    try:
        message = from_frame(frame)
    except MalformedMessageError:
        return
    assert to_frame(message, 1) == frame


@given(MESSAGES, st.data())
def test_a_message_with_any_byte_changed_is_a_message_or_malformed(
    message: Message, data: st.DataObject
) -> None:
    frame = to_frame(message, 1)
    payload = bytearray(frame.payload + b"\0")
    payload[data.draw(st.integers(0, len(payload) - 1))] = data.draw(
        st.integers(0, 255)
    )
    changed = Frame(0, 1, frame.type, bytes(payload[: len(frame.payload)]))
    try:
        decoded = from_frame(changed)
    except MalformedMessageError:
        return
    assert to_frame(decoded, 1) == changed


def event_payload(rest: bytes, boot_id: int = 7, number: int = 1) -> bytes:
    return boot_id.to_bytes(4, "big") + number.to_bytes(4, "big") + rest


@pytest.mark.parametrize(
    ("frame_type", "payload", "reason"),
    [
        (FrameType.IDENTIFY, b"x", "expected 0 payload bytes, got 1"),
        (FrameType.OPEN_GATE, b"1234", "expected 8 payload bytes, got 4"),
        (FrameType.NOT_HELD, bytes(12), "boot id is 0"),
        (FrameType.LID_OPENED, event_payload(b"", boot_id=0), "boot id is 0"),
        (FrameType.LID_OPENED, event_payload(b"", number=0), "event number is 0"),
        (FrameType.LID_OPENED, event_payload(b"x"), "expected 0 payload bytes"),
        (FrameType.CARD_DRAWN, event_payload(b"\0\0\0\0Th"), "card number is 0"),
        (FrameType.CARD_DRAWN, event_payload(b"\0\0\0\x01??"), "name no card"),
        (FrameType.CARD_DRAWN, event_payload(b"\0\0\0\x01\xff\xff"), "name no card"),
        (FrameType.CARD_DRAWN, event_payload(b""), "expected 4 payload bytes"),
        (FrameType.CARD_RETURNED, event_payload(b"X0"), "name no card"),
        (0x82, event_payload(b""), "0x82 is no shoe message"),
    ],
)
def test_a_bad_message_says_what_is_wrong(
    frame_type: int, payload: bytes, reason: str
) -> None:
    with pytest.raises(MalformedMessageError, match=reason):
        from_frame(Frame(0, 1, frame_type, payload))


def test_a_heartbeat_cannot_acknowledge_what_never_was() -> None:
    heartbeat = Heartbeat(7, frozenset(), 1, 5, 6, 0)
    with pytest.raises(MalformedMessageError, match="more events are acknowledged"):
        from_frame(to_frame(heartbeat, 1))


@pytest.mark.parametrize("card", ["1h", "T", "Thh", "X0", "??", "th"])
def test_a_drawn_card_that_is_none_is_refused(card: str) -> None:
    with pytest.raises(MessageFieldError, match="rank of A 2 to 9 T J Q K"):
        to_frame(EventReport(7, 1, CardDrawn(1, card)), 1)


def test_there_are_52_cards_and_nine_jokers() -> None:
    assert len(CARDS) == 61


@given(FACES)
def test_no_error_text_holds_a_face(card: str) -> None:
    good = to_frame(EventReport(7, 1, CardDrawn(1, card)), 1)
    for payload in (good.payload + b"x", good.payload[:-1], b"\0" * 4 + good.payload):
        with pytest.raises(MalformedMessageError) as caught:
            from_frame(Frame(0, 1, good.type, payload))
        assert card not in str(caught.value)
