"""Requests and replies as frames and back; both sides, so that a simulator can answer.

Source: docs/protocol/modbus-panels.md, Messages.
"""

import struct
from collections.abc import Mapping
from typing import Final, assert_never

from drivers.errors import MalformedMessageError, MessageFieldError
from drivers.fields import pack
from drivers.modbus.framing import encode_frame
from drivers.modbus.messages import (
    CONTACTS,
    CoilsWritten,
    Function,
    InputsRead,
    ReadInputs,
    Refused,
    Reply,
    Request,
    WriteCoils,
)

_EXCEPTION: Final = 0x80
_ONE_BYTE: Final = 1
_RANGE: Final = struct.Struct(">BBHH")
_WRITE: Final = struct.Struct(">BBHHBB")
_READ_REPLY: Final = struct.Struct(">BBBB")
_EXCEPTION_REPLY: Final = struct.Struct(">BBB")

REQUEST_LENGTHS: Final[Mapping[int, int]] = {
    Function.READ_DISCRETE_INPUTS: 8,
    Function.WRITE_MULTIPLE_COILS: 10,
}
"""Bytes of a whole request; a write of up to eight coils has one byte of them."""

REPLY_LENGTHS: Final[Mapping[int, int]] = {
    Function.READ_DISCRETE_INPUTS: 6,
    Function.WRITE_MULTIPLE_COILS: 8,
    Function.READ_DISCRETE_INPUTS | _EXCEPTION: 5,
    Function.WRITE_MULTIPLE_COILS | _EXCEPTION: 5,
}
"""Bytes of a whole reply to one of these requests."""


def encode_request(request: Request) -> bytes:
    """Return a request as it goes over the wire.

    Raises:
        MessageFieldError: A value does not fit its field.

    """
    match request:
        case ReadInputs(address, first):
            function = Function.READ_DISCRETE_INPUTS
            return encode_frame(pack(_RANGE, address, function, first, CONTACTS))
        case WriteCoils(address, first, count, coils):
            if not 1 <= count <= CONTACTS or coils >> count:
                raise MessageFieldError(
                    f"expected 1 to {CONTACTS} coils and no bit beyond them, "
                    f"got {count} and {coils:#x}"
                )
            function = Function.WRITE_MULTIPLE_COILS
            return encode_frame(
                pack(_WRITE, address, function, first, count, _ONE_BYTE, coils)
            )
        case _:
            assert_never(request)


def decode_request(content: bytes) -> Request:
    """Return the request in a frame without its check.

    Raises:
        MalformedMessageError: It asks for something that the host never asks.

    """
    if content[1] == Function.READ_DISCRETE_INPUTS:
        address, _, first, count = _RANGE.unpack(content)
        if count == CONTACTS:
            return ReadInputs(address, first)
        raise MalformedMessageError(f"expected {CONTACTS} inputs, got {count}")
    address, _, first, count, size, coils = _WRITE.unpack(content)
    if not 1 <= count <= CONTACTS or size != _ONE_BYTE or coils >> count:
        raise MalformedMessageError(
            f"expected 1 to {CONTACTS} coils in one byte, got {count} in {size}"
        )
    return WriteCoils(address, first, count, coils)


def encode_reply(reply: Reply) -> bytes:
    """Return a reply as it goes over the wire.

    Raises:
        MessageFieldError: A value does not fit its field.

    """
    match reply:
        case InputsRead(address, closed):
            function = Function.READ_DISCRETE_INPUTS
            return encode_frame(pack(_READ_REPLY, address, function, _ONE_BYTE, closed))
        case CoilsWritten(address, first, count):
            function = Function.WRITE_MULTIPLE_COILS
            return encode_frame(pack(_RANGE, address, function, first, count))
        case Refused(address, function, code):
            return encode_frame(
                pack(_EXCEPTION_REPLY, address, function | _EXCEPTION, code)
            )
        case _:
            assert_never(reply)


def decode_reply(content: bytes) -> Reply:
    """Return the reply in a frame without its check.

    Raises:
        MalformedMessageError: It has not one byte of inputs.

    """
    address, function = content[0], content[1]
    if function & _EXCEPTION:
        return Refused(address, Function(function & ~_EXCEPTION), content[2])
    if function == Function.READ_DISCRETE_INPUTS:
        _, _, size, closed = _READ_REPLY.unpack(content)
        if size != _ONE_BYTE:
            raise MalformedMessageError(f"expected one byte of inputs, got {size}")
        return InputsRead(address, closed)
    _, _, first, count = _RANGE.unpack(content)
    return CoilsWritten(address, first, count)
