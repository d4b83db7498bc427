"""Frames of Modbus RTU in a stream: where one is, whatever stands before it.

Any bytes give frames or are counted, never an exception; how they were split on the
way changes nothing. The pauses by which the specification tells frames apart do not
survive a USB adapter, so a frame is found by its length and its check alone. Source:
docs/protocol/modbus-panels.md, Frames.
"""

from collections.abc import Mapping
from typing import Final

_POLYNOMIAL: Final = 0xA001
_CHECK_BYTES: Final = 2
_FUNCTION_PLACE: Final = 1


def _table_entry(byte: int) -> int:
    for _ in range(8):
        byte = byte >> 1 ^ (_POLYNOMIAL if byte & 1 else 0)
    return byte


_TABLE: Final = tuple(_table_entry(byte) for byte in range(256))


def crc16(data: bytes) -> int:
    """Return the check of a frame's bytes: CRC-16 as Modbus has it.

    Reflected polynomial A001, begun with FFFF.
    """
    check = 0xFFFF
    for byte in data:
        check = check >> 8 ^ _TABLE[(check ^ byte) & 0xFF]
    return check


def encode_frame(content: bytes) -> bytes:
    """Return address, function and data with their check, low byte first."""
    return content + crc16(content).to_bytes(_CHECK_BYTES, "little")


class FrameFinder:
    """Finds frames of known lengths, at whatever byte they begin.

    `lengths` gives the bytes of a whole frame by its function code. `errors` counts
    the stretches of bytes that belonged to no frame.
    """

    def __init__(self, lengths: Mapping[int, int]) -> None:
        self.errors = 0
        self._lengths = lengths
        self._kept_max = max(lengths.values()) - 1
        self._buffer = bytearray()
        self._in_noise = False

    def receive_data(self, data: bytes) -> list[bytes]:
        """Return the frames that these bytes complete, without their checks."""
        self._buffer += data
        found = []
        place = 0
        while place < len(self._buffer):
            length = self._length_of_frame_at(place)
            if not length:
                place += 1
                continue
            self._drop(place)
            found.append(bytes(self._buffer[: length - _CHECK_BYTES]))
            del self._buffer[:length]
            self._in_noise = False
            place = 0
        # What is left may be the beginning of a frame, if it is short enough.
        self._drop(len(self._buffer) - self._kept_max)
        return found

    def clear(self) -> None:
        """Forget what has begun: it must not be joined to what comes from now on."""
        self._drop(len(self._buffer))
        self._in_noise = False

    def _length_of_frame_at(self, place: int) -> int:
        """Return how long the frame is that begins here, 0 if none does."""
        head = self._buffer[place : place + _FUNCTION_PLACE + 1]
        if len(head) <= _FUNCTION_PLACE:
            return 0
        length = self._lengths.get(head[_FUNCTION_PLACE], 0)
        frame = bytes(self._buffer[place : place + length])
        # Over a frame with its check the check comes to nothing.
        return length if length and len(frame) == length and not crc16(frame) else 0

    def _drop(self, count: int) -> None:
        if count <= 0:
            return
        if not self._in_noise:
            self.errors += 1
        self._in_noise = True
        del self._buffer[:count]
