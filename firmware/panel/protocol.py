"""The frame that everything travels in: docs/protocol/framing.md, Frame, Receiving.

No library for COBS and this CRC runs on the board, so both are here.
"""

import struct
from array import array

FRAME_MIN = 5
FRAME_MAX = 133
STUFFED_MAX = 134


def _crc_table() -> "array[int]":
    """Return what each value of the upper byte does to a CRC, polynomial 0x1021."""
    table = array("H", [0] * 256)
    for byte in range(256):
        crc = byte << 8
        for _ in range(8):
            crc = (crc << 1) ^ 0x1021 if crc & 0x8000 else crc << 1
        table[byte] = crc & 0xFFFF
    return table


# With the table a byte costs one step in place of eight: an answer is due within 5 ms.
_CRC = _crc_table()


def crc_of(data: bytes | bytearray) -> int:
    """Return the CRC-16/CCITT-FALSE of some bytes."""
    crc = 0xFFFF
    for byte in data:
        crc = ((crc << 8) & 0xFFFF) ^ _CRC[(crc >> 8) ^ byte]
    return crc


def stuff(data: bytes | bytearray) -> bytearray:
    """Return bytes without zeros for some bytes with them, by COBS.

    A piece longer than 254 would need more; no frame has one.
    """
    out = bytearray(1)
    mark = 0
    for byte in data:
        if byte:
            out.append(byte)
        else:
            out[mark] = len(out) - mark
            mark = len(out)
            out.append(0)
    out[mark] = len(out) - mark
    return out


def encode_frame(address: int, sequence: int, kind: int, payload: bytes) -> bytes:
    """Return a whole frame as it goes over the wire, a zero before and one after."""
    body = bytes([address, sequence, kind]) + payload
    return b"\0" + stuff(body + struct.pack(">H", crc_of(body))) + b"\0"


class Receiver:
    """Finds frames in what comes over the line, byte by byte.

    It uses one buffer for ever and allocates nothing: a line full of noise must not
    make the board pause to tidy its memory. `errors` counts what was no frame.
    """

    def __init__(self) -> None:
        self.errors = 0
        self.frame = bytearray(FRAME_MAX)
        self.length = 0
        """How much of `frame` is the frame that came last, without its CRC."""
        self._begin()

    def take(self, byte: int) -> bool:
        """Take in one byte; return whether it ended a sound frame.

        That frame is in `frame` until the next byte is taken.
        """
        if byte:
            self._collect(byte)
            return False
        sound = self._is_sound()
        if sound:
            self.length = self._unstuffed - 2
        elif self._collected:
            self.errors += 1
        self._begin()
        return sound

    def _begin(self) -> None:
        self._collected = 0
        self._unstuffed = 0
        self._piece = 0
        self._crc = 0xFFFF

    def _is_sound(self) -> bool:
        # The CRC of bytes that end with their own CRC is 0.
        return (
            self._collected <= STUFFED_MAX
            and self._unstuffed >= FRAME_MIN
            and self._piece == 0
            and self._crc == 0
        )

    def _collect(self, byte: int) -> None:
        if self._collected > STUFFED_MAX:
            return
        self._collected += 1
        if self._collected > STUFFED_MAX:
            return
        if self._piece:
            self._piece -= 1
            self._append(byte)
            return
        if self._collected > 1:
            self._append(0)
        self._piece = byte - 1

    def _append(self, byte: int) -> None:
        self.frame[self._unstuffed] = byte
        self._unstuffed += 1
        self._crc = ((self._crc << 8) & 0xFFFF) ^ _CRC[(self._crc >> 8) ^ byte]
