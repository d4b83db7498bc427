"""Who answers at the far end of a link, and whether it is who we expect.

Source: docs/protocol/framing.md, Identity.
"""

import enum
import struct
from typing import Final, assert_never

import msgspec

from drivers.errors import DeviceMismatchError, MalformedMessageError
from drivers.fields import pack, pack_text, present, split_text, unpack

PROTOCOL_VERSION: Final = 1
TYPE_IDENTIFY: Final = 0x01
TYPE_IDENTITY: Final = 0x81
ROLE_DEALER: Final = 0
_HEAD: Final = struct.Struct(">BBBI")


class DeviceType(enum.Enum):
    """What kind of device it is."""

    PANEL = "panel"
    SHOE = "shoe"


DEVICE_TYPE_CODES: Final = {DeviceType.PANEL: 1, DeviceType.SHOE: 2}
_DEVICE_TYPES: Final = {code: kind for kind, code in DEVICE_TYPE_CODES.items()}


class Identify(msgspec.Struct, frozen=True, tag="identify"):
    """Host to device: say who you are."""


class Identity(msgspec.Struct, frozen=True, tag="identity"):
    """Device to host: who it is.

    `role` is the seat of a panel, 0 for the dealer's panel and for a shoe.
    `boot_id` names one run of the device's numbers: 32 bits, never 0.
    """

    protocol_version: int
    device_type: DeviceType
    role: int
    boot_id: int
    model: str
    serial: str
    firmware: str


class Expected(msgspec.Struct, frozen=True):
    """Which device must answer, and where a technician would look if not.

    `place` is the port, with the address on a shared bus; `source` is the hardware
    file; `serial` is empty where any unit will do.
    """

    device_type: DeviceType
    role: int
    place: str
    source: str
    serial: str = ""


def encode_identity(identity: Identity) -> bytes:
    """Return the payload of an identity frame."""
    head = pack(
        _HEAD,
        identity.protocol_version,
        DEVICE_TYPE_CODES[identity.device_type],
        identity.role,
        identity.boot_id,
    )
    texts = (identity.model, identity.serial, identity.firmware)
    return head + b"".join(pack_text(text) for text in texts)


def decode_identity(payload: bytes) -> Identity:
    """Return the identity in a payload.

    Raises:
        MalformedMessageError: It is cut short, too long or names no known device.

    """
    version, code, role, boot_id = unpack(_HEAD, payload[: _HEAD.size])
    if code not in _DEVICE_TYPES:
        raise MalformedMessageError(f"device type {code} is not known")
    model, rest = split_text(payload[_HEAD.size :])
    serial, rest = split_text(rest)
    firmware, rest = split_text(rest)
    if rest:
        raise MalformedMessageError(f"{len(rest)} bytes follow the identity")
    boot_id = present("boot id", boot_id)
    return Identity(
        version, _DEVICE_TYPES[code], role, boot_id, model, serial, firmware
    )


def check_identity(expected: Expected, identity: Identity) -> None:
    """Do nothing if the right device answered.

    Raises:
        DeviceMismatchError: It is another one; the message says what to do.

    """
    if identity.protocol_version != PROTOCOL_VERSION:
        raise DeviceMismatchError(
            f"{expected.place} speaks protocol {identity.protocol_version}, this "
            f"program speaks {PROTOCOL_VERSION}; update the older of the two"
        )
    wanted = _name(expected.device_type, expected.role)
    found = _name(identity.device_type, identity.role)
    if found != wanted:
        raise DeviceMismatchError(
            f"{expected.place} answered as {found}, expected {wanted}; "
            f"swap the cables or edit {expected.source}"
        )
    if expected.serial not in {"", identity.serial}:
        raise DeviceMismatchError(
            f"{expected.place} answered with serial {identity.serial}, expected "
            f"{expected.serial}; put the unit back or edit {expected.source}"
        )


def _name(device_type: DeviceType, role: int) -> str:
    """Return what people call a device: panel 3, the dealer's panel, the shoe."""
    match device_type:
        case DeviceType.SHOE:
            return "the shoe"
        case DeviceType.PANEL:
            return "the dealer's panel" if role == ROLE_DEALER else f"panel {role}"
        case _:
            assert_never(device_type)
