"""Frames on a serial line: where one begins and ends, and whether it is whole.

A frame is address, sequence number, type and payload, guarded by a CRC, stuffed so
that it holds no zero byte, with a zero byte before and after it. Any bytes give
frames or counted errors, never an exception. Source: docs/protocol/framing.md.
"""

import binascii
from typing import Final

import msgspec
from cobs import cobs

from drivers.errors import FrameError, MessageFieldError

DELIMITER: Final = b"\x00"
MAX_PAYLOAD_BYTES: Final = 128
_HEADER_BYTES: Final = 3
_CRC_BYTES: Final = 2
_MIN_BODY_BYTES: Final = _HEADER_BYTES + _CRC_BYTES
# Bodies stay below 254 bytes, where COBS adds exactly one byte.
_MAX_BODY_BYTES: Final = _MIN_BODY_BYTES + MAX_PAYLOAD_BYTES
MAX_STUFFED_BYTES: Final = _MAX_BODY_BYTES + 1
MAX_WIRE_BYTES: Final = MAX_STUFFED_BYTES + 2
_CRC_START: Final = 0xFFFF


class Frame(msgspec.Struct, frozen=True):
    """One frame: whose it is, which one it is, what it is, and its payload.

    `address` is the device's in both directions (0 on a point-to-point link).
    `sequence` is 0 to 255; what it means is said by each protocol. `type` is below
    0x80 from the host and 0x80 or above from a device.
    """

    address: int
    sequence: int
    type: int
    payload: bytes = b""


def encode_frame(frame: Frame) -> bytes:
    """Return the bytes of a frame as they go over the wire, delimiters included.

    Raises:
        MessageFieldError: A header field is no byte or the payload is too long.

    """
    if len(frame.payload) > MAX_PAYLOAD_BYTES:
        raise MessageFieldError(
            f"a payload has at most {MAX_PAYLOAD_BYTES} bytes, "
            f"this one has {len(frame.payload)}; send less in one message"
        )
    return DELIMITER + stuffed(frame) + DELIMITER


def stuffed(frame: Frame) -> bytes:
    """Return a frame without its delimiters: what a record of it keeps.

    For bodies as short as ours COBS is one to one, so this is also exactly what
    stood on the wire when the frame was received.
    """
    try:
        header = bytes((frame.address, frame.sequence, frame.type))
    except ValueError as error:
        raise MessageFieldError(
            "address, sequence and type are bytes, "
            f"got {frame.address}, {frame.sequence}, {frame.type}; use 0 to 255"
        ) from error
    body = header + frame.payload
    encoded: bytes = cobs.encode(body + _crc(body).to_bytes(_CRC_BYTES, "big"))
    return encoded


def decode_stuffed(chunk: bytes) -> Frame:
    """Return the frame in the bytes between two delimiters.

    Raises:
        FrameError: They are no frame; the message says in which way.

    """
    try:
        body: bytes = cobs.decode(chunk)
    except cobs.DecodeError as error:
        raise FrameError("expected COBS, its lengths do not add up") from error
    if not _MIN_BODY_BYTES <= len(body) <= _MAX_BODY_BYTES:
        raise FrameError(
            f"a frame has {_MIN_BODY_BYTES} to {_MAX_BODY_BYTES} bytes, got {len(body)}"
        )
    # The CRC over a body and its own CRC is zero.
    if _crc(body) != 0:
        raise FrameError("the CRC does not fit")
    return Frame(body[0], body[1], body[2], body[_HEADER_BYTES:-_CRC_BYTES])


def _crc(data: bytes) -> int:
    """Return the CRC-16/CCITT-FALSE of some bytes."""
    return binascii.crc_hqx(data, _CRC_START)


class FrameReader:
    """Finds frames in a stream that is split, joined and disturbed anywhere.

    Noise costs at most the frame that it hits: the zero byte before the next frame
    ends whatever the noise began.
    """

    def __init__(self) -> None:
        self.errors = 0
        self._buffer = bytearray()
        self._skipping = False

    def receive_data(self, data: bytes) -> list[Frame]:
        """Return the frames that these bytes complete; count what is none."""
        *ended, rest = data.split(DELIMITER)
        frames = []
        for chunk in ended:
            self._append(chunk)
            frame = self._end()
            if frame is not None:
                frames.append(frame)
        self._append(rest)
        return frames

    def clear(self) -> None:
        """Forget a frame that has begun: the port was opened anew."""
        self._buffer.clear()
        self._skipping = False

    def _append(self, chunk: bytes) -> None:
        if self._skipping:
            return
        self._buffer += chunk
        if len(self._buffer) > MAX_STUFFED_BYTES:
            # Nothing this long can become a frame, and memory has a limit.
            self._buffer.clear()
            self._skipping = True
            self.errors += 1

    def _end(self) -> Frame | None:
        chunk = bytes(self._buffer)
        self.clear()
        if not chunk:
            return None
        try:
            return decode_stuffed(chunk)
        except FrameError:
            self.errors += 1
            return None
