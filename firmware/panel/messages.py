"""The messages: docs/protocol/framing.md, Identity; panel.md, Messages."""

import struct

PROTOCOL_VERSION = 1
DEVICE_TYPE_PANEL = 1

IDENTIFY = 0x01
POLL = 0x02
IDENTITY = 0x81
REPORT = 0x82

BUTTON_FIRST_SEAT = 1
BUTTON_LAST_SEAT = 10
BUTTON_FIRST_DEALER = 11
BUTTON_LAST_DEALER = 15
ROLE_DEALER = 0

AGE_MAX_MS = 65535
_HEADER_SIZE = 3
_POLL_FORMAT = ">IHII"
_POLL_SIZE = 14
_MASK_ALL = 0x7FFF


class Who:
    """Who a panel says it is; `role` is its seat, 0 for the dealer's panel."""

    def __init__(self, address: int, role: int, model: str, serial: str) -> None:
        self.address = address
        self.role = role
        self.model = model
        self.serial = serial


class Poll:
    """What the host says in a POLL."""

    def __init__(self, prompt: int, lamps: int, boot_id: int, taken: int) -> None:
        self.prompt = prompt
        self.lamps = lamps
        self.boot_id = boot_id
        self.taken = taken


class Press:
    """A press that waits to be taken; `at` is when it was, in ms of our own clock."""

    def __init__(self, number: int, button: int, prompt: int, at: int) -> None:
        self.number = number
        self.button = button
        self.prompt = prompt
        self.at = at
        self.amount = 0
        self.spot = 0


def is_identify(frame: bytearray, length: int) -> bool:
    """Return whether a frame is an IDENTIFY, which has no payload."""
    return frame[2] == IDENTIFY and length == _HEADER_SIZE


def read_poll(frame: bytearray, length: int) -> Poll | None:
    """Return the POLL in a frame, or None if it is none as the document has it."""
    if frame[2] != POLL or length != _HEADER_SIZE + _POLL_SIZE:
        return None
    poll = Poll(*struct.unpack_from(_POLL_FORMAT, frame, _HEADER_SIZE))
    return None if poll.lamps & ~_MASK_ALL else poll


def identity_payload(who: Who, boot_id: int, firmware: str) -> bytes:
    """Return the payload of an IDENTITY."""
    head = struct.pack(">BBBI", PROTOCOL_VERSION, DEVICE_TYPE_PANEL, who.role, boot_id)
    return head + _text(who.model) + _text(who.serial) + _text(firmware)


def report_payload(
    head: tuple[int, int, int, int], presses: list[Press], now: int
) -> bytes:
    """Return the payload of a REPORT at `now` (ms).

    `head` is boot id, acknowledged, held and dropped.
    """
    payload = struct.pack(">IIHHB", *head, len(presses))
    for press in presses:
        payload += struct.pack(
            ">IBIHIB",
            press.number,
            press.button,
            press.prompt,
            min(now - press.at, AGE_MAX_MS),
            press.amount,
            press.spot,
        )
    return payload


def _text(text: str) -> bytes:
    return bytes([len(text)]) + text.encode()
