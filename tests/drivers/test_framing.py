"""Frames: any bytes give frames or counted errors, and noise costs little."""

import binascii
import itertools
from collections.abc import Iterable

import pytest
from cobs import cobs
from hypothesis import example, given
from hypothesis import strategies as st

from drivers.errors import FrameError, MessageFieldError
from drivers.framing import (
    MAX_PAYLOAD_BYTES,
    MAX_STUFFED_BYTES,
    MAX_WIRE_BYTES,
    Frame,
    FrameReader,
    decode_stuffed,
    encode_frame,
    stuffed,
)

BYTES = st.integers(0, 255)
FRAMES = st.builds(Frame, BYTES, BYTES, BYTES, st.binary(max_size=MAX_PAYLOAD_BYTES))
CUTS = st.lists(st.integers(0, 400), max_size=12)


def cut(data: bytes, cuts: Iterable[int]) -> list[bytes]:
    """Return the data in pieces; places beyond its end cut nothing."""
    places = [0, *sorted(place for place in cuts if place < len(data)), len(data)]
    return [data[a:b] for a, b in itertools.pairwise(places)]


def read_all(pieces: Iterable[bytes]) -> tuple[list[Frame], int]:
    reader = FrameReader()
    frames = [frame for piece in pieces for frame in reader.receive_data(piece)]
    return frames, reader.errors


def test_the_crc_has_the_documented_check_value() -> None:
    assert binascii.crc_hqx(b"123456789", 0xFFFF) == 0x29B1


def test_stuffing_is_as_in_the_documented_example() -> None:
    assert cobs.encode(bytes.fromhex("11 00 33")) == bytes.fromhex("02 11 02 33")


@given(FRAMES)
def test_a_frame_comes_back_as_it_was_sent(frame: Frame) -> None:
    wire = encode_frame(frame)
    assert len(wire) <= MAX_WIRE_BYTES
    assert wire.count(0) == 2
    assert read_all([wire]) == ([frame], 0)


@given(st.binary(max_size=600), CUTS)
def test_any_bytes_cut_anywhere_give_the_same_frames_and_errors(
    data: bytes, cuts: list[int]
) -> None:
    assert read_all(cut(data, cuts)) == read_all([data])


@given(st.lists(FRAMES, max_size=4), CUTS)
def test_any_split_of_a_stream_gives_the_same_frames(
    frames: list[Frame], cuts: list[int]
) -> None:
    wire = b"".join(map(encode_frame, frames))
    assert read_all(cut(wire, cuts)) == (frames, 0)


@given(
    st.lists(st.binary(min_size=1, max_size=200).map(lambda b: b.replace(b"\0", b"z")))
)
def test_every_chunk_that_is_no_frame_is_counted_once(chunks: list[bytes]) -> None:
    frames, errors = read_all([b"\0".join(chunks) + b"\0"])
    assert len(frames) + errors == len(chunks)


@given(st.binary(max_size=300), FRAMES)
def test_a_frame_after_noise_is_found(noise: bytes, frame: Frame) -> None:
    frames, _ = read_all([noise, encode_frame(frame)])
    assert frames[-1] == frame


@given(st.lists(FRAMES, min_size=3, max_size=3), st.binary(max_size=40), st.data())
def test_noise_anywhere_costs_at_most_the_frame_it_hits(
    frames: list[Frame], noise: bytes, data: st.DataObject
) -> None:
    wire = b"".join(map(encode_frame, frames))
    place = data.draw(st.integers(0, len(wire)))
    found, _ = read_all([wire[:place] + noise + wire[place:]])
    assert sum(frame in found for frame in frames) >= len(frames) - 1


@given(st.binary(min_size=1, max_size=MAX_STUFFED_BYTES))
@example(bytes.fromhex("01 01 01 01 01 01"))
def test_a_received_frame_is_kept_exactly_as_it_stood_on_the_wire(chunk: bytes) -> None:
    try:
        frame = decode_stuffed(chunk)
    except FrameError:
        return
    assert stuffed(frame) == chunk


def test_a_chunk_too_long_for_a_frame_is_one_error_and_skipped() -> None:
    frame = Frame(3, 1, 2, b"x")
    wire = b"\xff" * 10_000 + encode_frame(frame)
    assert read_all([wire]) == ([frame], 1)
    assert read_all(cut(wire, range(0, 10_000, 7))) == ([frame], 1)


def test_a_cleared_reader_has_forgotten_what_had_begun() -> None:
    frame = Frame(3, 1, 2, b"x")
    reader = FrameReader()
    for begun in (b"\x05\x01", b"\xff" * 200):
        reader.receive_data(begun)
        errors = reader.errors
        reader.clear()
        assert reader.receive_data(encode_frame(frame)) == [frame]
        assert reader.errors == errors


@pytest.mark.parametrize(
    ("body", "reason"),
    [(b"1234", "5 to 133 bytes, got 4"), (b"1" * 134, "got 134"), (b"12345", "CRC")],
)
def test_a_body_that_is_no_frame_says_why(body: bytes, reason: str) -> None:
    with pytest.raises(FrameError, match=reason):
        decode_stuffed(cobs.encode(body))


def test_a_chunk_that_is_not_stuffed_says_so() -> None:
    with pytest.raises(FrameError, match="COBS"):
        decode_stuffed(b"\x09\x01")


def test_a_payload_that_is_too_long_is_refused() -> None:
    with pytest.raises(MessageFieldError, match="at most 128 bytes, this one has 129"):
        encode_frame(Frame(1, 1, 1, bytes(129)))


def test_a_header_that_does_not_fit_is_refused() -> None:
    with pytest.raises(MessageFieldError, match="got 256, 0, 1; use 0 to 255"):
        encode_frame(Frame(256, 0, 1))
