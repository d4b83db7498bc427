"""Panel messages as frames and back, for both ends of the bus.

Source: docs/protocol/panel.md.
"""

import enum
import struct
from itertools import pairwise
from typing import Final, assert_never

from drivers.errors import MalformedMessageError, MessageFieldError
from drivers.fields import BitSet, pack, present, unpack
from drivers.framing import Frame
from drivers.identity import (
    TYPE_IDENTIFY,
    TYPE_IDENTITY,
    Identify,
    Identity,
    decode_identity,
    encode_identity,
)
from drivers.panel.messages import (
    PRESSES_HELD_MAX,
    Button,
    Message,
    Poll,
    Press,
    Report,
)


class FrameType(enum.IntEnum):
    """What a frame on the panel bus carries."""

    IDENTIFY = TYPE_IDENTIFY
    POLL = 0x02
    IDENTITY = TYPE_IDENTITY
    REPORT = 0x82


# Codes count from 1 in the order of the enum, so new buttons go to its end.
# Bit 0 of lamps and held buttons is code 1.
BUTTON_CODES: Final = {button: code for code, button in enumerate(Button, start=1)}
_BUTTONS: Final = {code: button for button, code in BUTTON_CODES.items()}
_LAMPS: Final = BitSet({button: code - 1 for button, code in BUTTON_CODES.items()})
_EMPTY: Final = struct.Struct(">")
_POLL: Final = struct.Struct(">IHII")
_REPORT: Final = struct.Struct(">IIHHB")
_PRESS: Final = struct.Struct(">IBIHIB")


def to_frame(message: Message, address: int, sequence: int) -> Frame:
    """Return the frame that carries a message.

    Raises:
        MessageFieldError: A value does not fit its field.

    """
    match message:
        case Identify():
            return Frame(address, sequence, FrameType.IDENTIFY)
        case Identity():
            return Frame(
                address, sequence, FrameType.IDENTITY, encode_identity(message)
            )
        case Poll():
            return Frame(address, sequence, FrameType.POLL, _encode_poll(message))
        case Report():
            return Frame(address, sequence, FrameType.REPORT, _encode_report(message))
        case _:
            assert_never(message)


def from_frame(frame: Frame) -> Message:
    """Return the message in a frame.

    Raises:
        MalformedMessageError: There is none.

    """
    match frame.type:
        case FrameType.IDENTIFY:
            unpack(_EMPTY, frame.payload)
            return Identify()
        case FrameType.IDENTITY:
            return decode_identity(frame.payload)
        case FrameType.POLL:
            return _decode_poll(frame.payload)
        case FrameType.REPORT:
            return _decode_report(frame.payload)
        case _:
            raise MalformedMessageError(f"type {frame.type:#04x} is no panel message")


def _encode_poll(poll: Poll) -> bytes:
    lamps = _LAMPS.mask(poll.lamps)
    return pack(_POLL, poll.prompt_number, lamps, poll.taken_boot_id, poll.taken_number)


def _decode_poll(payload: bytes) -> Poll:
    prompt_number, lamps, boot_id, number = unpack(_POLL, payload)
    return Poll(prompt_number, _LAMPS.members(lamps), boot_id, number)


def _encode_report(report: Report) -> bytes:
    if len(report.presses) > PRESSES_HELD_MAX:
        raise MessageFieldError(
            f"a report has at most {PRESSES_HELD_MAX} presses, "
            f"this one has {len(report.presses)}; count the others as dropped"
        )
    head = pack(
        _REPORT,
        report.boot_id,
        report.acknowledged,
        _LAMPS.mask(report.held),
        report.dropped,
        len(report.presses),
    )
    return head + b"".join(_encode_press(press) for press in report.presses)


def _encode_press(press: Press) -> bytes:
    return pack(
        _PRESS,
        press.number,
        BUTTON_CODES[press.button],
        press.prompt_number,
        press.age_ms,
        press.amount_cents,
        press.spot,
    )


def _decode_report(payload: bytes) -> Report:
    head, rest = payload[: _REPORT.size], payload[_REPORT.size :]
    boot_id, acknowledged, held, dropped, count = unpack(_REPORT, head)
    if count > PRESSES_HELD_MAX or len(rest) != count * _PRESS.size:
        raise MalformedMessageError(
            f"a report of {count} presses came with {len(rest)} bytes of them"
        )
    starts = range(0, len(rest), _PRESS.size)
    presses = tuple(_decode_press(rest[at : at + _PRESS.size]) for at in starts)
    numbers = [acknowledged, *(press.number for press in presses)]
    if any(later <= earlier for earlier, later in pairwise(numbers)):
        raise MalformedMessageError("the numbers of waiting presses do not rise")
    boot_id = present("boot id", boot_id)
    return Report(boot_id, acknowledged, _LAMPS.members(held), dropped, presses)


def _decode_press(payload: bytes) -> Press:
    number, code, prompt_number, age_ms, amount_cents, spot = unpack(_PRESS, payload)
    if code not in _BUTTONS:
        raise MalformedMessageError(f"button {code} is not known")
    return Press(number, _BUTTONS[code], prompt_number, age_ms, amount_cents, spot)
