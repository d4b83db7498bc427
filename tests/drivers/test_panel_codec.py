"""Panel messages: what fits comes back, what does not is refused or malformed."""

import struct

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.errors import MalformedMessageError, MessageFieldError
from drivers.framing import MAX_PAYLOAD_BYTES, Frame, encode_frame
from drivers.identity import Identify
from drivers.panel.codec import FrameType, from_frame, to_frame
from drivers.panel.messages import (
    DEALER_BUTTONS,
    SEAT_BUTTONS,
    Button,
    Message,
    Poll,
    Press,
    Report,
)

BYTES = st.integers(0, 255)
U16 = st.integers(0, 0xFFFF)
U32 = st.integers(0, 0xFFFF_FFFF)
BUTTONS = st.frozensets(st.sampled_from(Button))
POLLS = st.builds(Poll, U32, BUTTONS, U32, U32)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    numbers = sorted(draw(st.sets(U32, min_size=1, max_size=5)))
    presses = tuple(
        Press(
            n,
            draw(st.sampled_from(Button)),
            draw(U32),
            draw(U16),
            draw(U32),
            draw(BYTES),
        )
        for n in numbers[1:]
    )
    boot_id = draw(st.integers(1, 0xFFFF_FFFF))
    return Report(boot_id, numbers[0], draw(BUTTONS), draw(U16), presses)


@given(POLLS | reports() | st.just(Identify()), BYTES, BYTES)
def test_a_message_comes_back_as_it_was_sent(
    message: Message, address: int, sequence: int
) -> None:
    frame = to_frame(message, address, sequence)
    encode_frame(frame)
    assert (frame.address, frame.sequence) == (address, sequence)
    assert from_frame(frame) == message


@given(
    st.sampled_from(FrameType) | BYTES,
    st.binary(max_size=MAX_PAYLOAD_BYTES),
)
def test_any_payload_is_a_message_or_malformed(frame_type: int, payload: bytes) -> None:
    frame = Frame(3, 1, frame_type, payload)
    try:
        message = from_frame(frame)
    except MalformedMessageError:
        return
    assert to_frame(message, 3, 1) == frame


@given(reports(), st.data())
def test_a_report_with_any_byte_changed_is_a_report_or_malformed(
    report: Report, data: st.DataObject
) -> None:
    payload = bytearray(to_frame(report, 3, 1).payload)
    payload[data.draw(st.integers(0, len(payload) - 1))] = data.draw(BYTES)
    frame = Frame(3, 1, FrameType.REPORT, bytes(payload))
    try:
        message = from_frame(frame)
    except MalformedMessageError:
        return
    assert to_frame(message, 3, 1) == frame


PRESS = Press(17, Button.HIT, 58, 12)
REPORT = Report(7, 16, presses=(PRESS,))
HEAD = struct.Struct(">IIHHB")
ONE_PRESS = struct.Struct(">IBIHIB")


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (HEAD.pack(7, 16, 0, 0, 5) + bytes(80), "5 presses"),
        (HEAD.pack(7, 16, 0, 0, 1), "1 presses came with 0 bytes"),
        (HEAD.pack(7, 16, 0, 0, 0) + b"x", "0 presses came with 1 bytes"),
        (HEAD.pack(7, 16, 0, 0, 0)[:-1], "expected 13 payload bytes, got 12"),
        (HEAD.pack(0, 16, 0, 0, 0), "boot id is 0"),
        (HEAD.pack(7, 16, 0x8000, 0, 0), "one without a meaning"),
        (
            HEAD.pack(7, 16, 0, 0, 1) + ONE_PRESS.pack(16, 4, 58, 0, 0, 0),
            "do not rise",
        ),
        (
            HEAD.pack(7, 16, 0, 0, 1) + ONE_PRESS.pack(17, 16, 58, 0, 0, 0),
            "button 16",
        ),
        (
            HEAD.pack(7, 16, 0, 0, 1) + ONE_PRESS.pack(17, 0, 58, 0, 0, 0),
            "button 0",
        ),
    ],
)
def test_a_bad_report_says_what_is_wrong(payload: bytes, reason: str) -> None:
    with pytest.raises(MalformedMessageError, match=reason):
        from_frame(Frame(3, 1, FrameType.REPORT, payload))


def test_a_type_of_another_protocol_is_malformed() -> None:
    with pytest.raises(MalformedMessageError, match="0x91 is no panel message"):
        from_frame(Frame(3, 1, 0x91))


@pytest.mark.parametrize(
    "message",
    [
        Poll(1 << 32, frozenset(), 0, 0),
        Report(7, 16, dropped=65536),
        Report(7, 16, presses=(msgspec.structs.replace(PRESS, age_ms=65536),)),
        Report(7, 16, presses=(msgspec.structs.replace(PRESS, amount_cents=-1),)),
    ],
)
def test_a_value_that_does_not_fit_is_refused(message: Message) -> None:
    with pytest.raises(MessageFieldError, match="does not fit layout"):
        to_frame(message, 3, 1)


def test_a_fifth_press_does_not_fit_in_a_report() -> None:
    presses = tuple(Press(number, Button.HIT, 58) for number in range(17, 22))
    with pytest.raises(MessageFieldError, match="at most 4 presses, this one has 5"):
        to_frame(Report(7, 16, presses=presses), 3, 1)


def test_an_amount_of_ten_million_fits() -> None:
    press = msgspec.structs.replace(PRESS, amount_cents=10**9)
    report = Report(7, 16, presses=(press,))
    assert from_frame(to_frame(report, 3, 1)) == report


def test_a_full_report_fits_in_a_frame_of_85_bytes() -> None:
    presses = tuple(Press(number, Button.HIT, 58) for number in range(17, 21))
    frame = to_frame(Report(7, 16, presses=presses), 3, 1)
    assert len(encode_frame(frame)) == 85


def test_every_button_is_a_seats_or_the_dealers() -> None:
    assert frozenset(Button) == SEAT_BUTTONS | DEALER_BUTTONS
    assert not SEAT_BUTTONS & DEALER_BUTTONS
