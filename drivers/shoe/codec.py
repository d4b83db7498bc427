"""Shoe messages as frames and back, for both ends of the line.

Source: docs/protocol/shoe.md.
"""

import enum
import struct
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
from drivers.shoe.messages import (
    CARDS,
    SHOE_ADDRESS,
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


class FrameType(enum.IntEnum):
    """What a frame on the shoe's line carries."""

    IDENTIFY = TYPE_IDENTIFY
    ACKNOWLEDGE = 0x11
    RESEND_FROM = 0x12
    OPEN_GATE = 0x13
    IDENTITY = TYPE_IDENTITY
    HEARTBEAT = 0x91
    NOT_HELD = 0x92
    CARD_DRAWN = 0xA1
    CARD_UNREAD = 0xA2
    CARD_RETURNED = 0xA3
    LID_OPENED = 0xA4
    LID_CLOSED = 0xA5
    CUT_CARD_REACHED = 0xA6
    SHOE_EMPTIED = 0xA7
    SHUFFLE_STARTED = 0xA8
    SHUFFLE_ENDED = 0xA9
    JAMMED = 0xAA
    JAM_CLEARED = 0xAB


_FLAGS: Final = BitSet({flag: bit for bit, flag in enumerate(ShoeFlag)})
_EMPTY: Final = struct.Struct(">")
_NUMBERED: Final = struct.Struct(">II")
_HEARTBEAT: Final = struct.Struct(">IHIIII")
_NOT_HELD: Final = struct.Struct(">III")
_CARD_NUMBER: Final = struct.Struct(">I")
_COUNT: Final = struct.Struct(">H")
_CARD_LETTERS: Final = 2
_NOT_COUNTED: Final = 0xFFFF

# Events that say all by having happened.
_PLAIN: Final[dict[FrameType, ShoeEvent]] = {
    FrameType.LID_OPENED: LidOpened(),
    FrameType.LID_CLOSED: LidClosed(),
    FrameType.CUT_CARD_REACHED: CutCardReached(),
    FrameType.SHOE_EMPTIED: ShoeEmptied(),
    FrameType.SHUFFLE_STARTED: ShuffleStarted(),
    FrameType.JAMMED: Jammed(),
    FrameType.JAM_CLEARED: JamCleared(),
}
_PLAIN_TYPES: Final = {event: frame_type for frame_type, event in _PLAIN.items()}


def to_frame(message: Message, sequence: int) -> Frame:
    """Return the frame that carries a message.

    Raises:
        MessageFieldError: A value does not fit its field.

    """
    frame_type, payload = _encode(message)
    return Frame(SHOE_ADDRESS, sequence, frame_type, payload)


def _encode(
    message: Message,
) -> tuple[FrameType, bytes]:
    match message:
        case Identify():
            return FrameType.IDENTIFY, b""
        case Acknowledge(boot_id, number):
            return FrameType.ACKNOWLEDGE, pack(_NUMBERED, boot_id, number)
        case ResendFrom(boot_id, number):
            return FrameType.RESEND_FROM, pack(_NUMBERED, boot_id, number)
        case OpenGate(boot_id, up_to):
            return FrameType.OPEN_GATE, pack(_NUMBERED, boot_id, up_to)
        case Identity():
            return FrameType.IDENTITY, encode_identity(message)
        case Heartbeat():
            return FrameType.HEARTBEAT, _encode_heartbeat(message)
        case NotHeld(boot_id, first, next_card):
            return FrameType.NOT_HELD, pack(_NOT_HELD, boot_id, first, next_card)
        case EventReport(boot_id, number, event):
            frame_type, payload = _encode_event(event)
            return frame_type, pack(_NUMBERED, boot_id, number) + payload
        case _:
            assert_never(message)


def _encode_heartbeat(heartbeat: Heartbeat) -> bytes:
    return pack(
        _HEARTBEAT,
        heartbeat.boot_id,
        _FLAGS.mask(heartbeat.flags),
        heartbeat.next_card_number,
        heartbeat.last_event,
        heartbeat.acknowledged,
        heartbeat.gate_up_to,
    )


def _encode_event(event: ShoeEvent) -> tuple[FrameType, bytes]:
    match event:
        case CardDrawn(card_number, card):
            letters = _encode_card(card, CARDS)
            return FrameType.CARD_DRAWN, pack(_CARD_NUMBER, card_number) + letters
        case CardUnread(card_number):
            return FrameType.CARD_UNREAD, pack(_CARD_NUMBER, card_number)
        case CardReturned(card):
            return FrameType.CARD_RETURNED, _encode_card(card, CARDS | {UNREAD})
        case ShuffleEnded(count):
            number = _NOT_COUNTED if count is None else count
            return FrameType.SHUFFLE_ENDED, pack(_COUNT, number)
        case _:
            return _PLAIN_TYPES[event], b""


def _encode_card(card: str, known: frozenset[str]) -> bytes:
    if card not in known:
        raise MessageFieldError(
            "a card is a rank of A 2 to 9 T J Q K and a suit of s h d c, or X1 to X9"
        )
    return card.encode("ascii")


def from_frame(frame: Frame) -> Message:
    """Return the message in a frame.

    Raises:
        MalformedMessageError: There is none.

    """
    payload = frame.payload
    match frame.type:
        case FrameType.IDENTIFY:
            unpack(_EMPTY, payload)
            return Identify()
        case FrameType.ACKNOWLEDGE:
            return Acknowledge(*unpack(_NUMBERED, payload))
        case FrameType.RESEND_FROM:
            return ResendFrom(*unpack(_NUMBERED, payload))
        case FrameType.OPEN_GATE:
            return OpenGate(*unpack(_NUMBERED, payload))
        case FrameType.IDENTITY:
            return decode_identity(payload)
        case FrameType.HEARTBEAT:
            return _decode_heartbeat(payload)
        case FrameType.NOT_HELD:
            boot_id, first_held, next_card_number = unpack(_NOT_HELD, payload)
            return NotHeld(
                present("boot id", boot_id),
                present("first held event", first_held),
                present("card number", next_card_number),
            )
        case _:
            return _decode_report(frame)


def _decode_heartbeat(payload: bytes) -> Heartbeat:
    boot_id, flags, next_card, last, acknowledged, up_to = unpack(_HEARTBEAT, payload)
    if acknowledged > last:
        raise MalformedMessageError("more events are acknowledged than there were")
    return Heartbeat(
        present("boot id", boot_id),
        _FLAGS.members(flags),
        present("card number", next_card),
        last,
        acknowledged,
        up_to,
    )


def _decode_report(frame: Frame) -> EventReport:
    head, rest = frame.payload[: _NUMBERED.size], frame.payload[_NUMBERED.size :]
    event = _decode_event(frame.type, rest)
    boot_id, number = unpack(_NUMBERED, head)
    return EventReport(
        present("boot id", boot_id), present("event number", number), event
    )


def _decode_event(frame_type: int, payload: bytes) -> ShoeEvent:
    match frame_type:
        case FrameType.CARD_DRAWN:
            number, letters = payload[:-_CARD_LETTERS], payload[-_CARD_LETTERS:]
            card_number = _decode_card_number(number)
            return CardDrawn(card_number, _decode_card(letters, CARDS))
        case FrameType.CARD_UNREAD:
            return CardUnread(_decode_card_number(payload))
        case FrameType.CARD_RETURNED:
            return CardReturned(_decode_card(payload, CARDS | {UNREAD}))
        case FrameType.SHUFFLE_ENDED:
            (count,) = unpack(_COUNT, payload)
            return ShuffleEnded(None if count == _NOT_COUNTED else count)
        case _:
            return _decode_plain(frame_type, payload)


def _decode_plain(frame_type: int, payload: bytes) -> ShoeEvent:
    for known, event in _PLAIN.items():
        if known == frame_type:
            unpack(_EMPTY, payload)
            return event
    raise MalformedMessageError(f"type {frame_type:#04x} is no shoe message")


def _decode_card_number(payload: bytes) -> int:
    (number,) = unpack(_CARD_NUMBER, payload)
    return present("card number", number)


def _decode_card(letters: bytes, known: frozenset[str]) -> str:
    card = letters.decode("ascii", errors="replace")
    if card not in known:
        # The letters are not repeated: an error text may never hold a face.
        raise MalformedMessageError("two letters name no card")
    return card
