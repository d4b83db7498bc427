"""What the host asks of a module, and what the module answers.

Source: docs/protocol/modbus-panels.md, Messages; MODBUS Application Protocol
Specification V1.1b3, 6.2 and 6.11.
"""

import enum
from typing import Final

import msgspec

CONTACTS: Final = 8
"""How many inputs and how many coils a module has."""


class Function(enum.IntEnum):
    """The two functions that the host uses."""

    READ_DISCRETE_INPUTS = 0x02
    WRITE_MULTIPLE_COILS = 0x0F


class ReadInputs(msgspec.Struct, frozen=True, tag="read_inputs"):
    """Host to module: which of your eight inputs are closed?"""

    address: int
    first: int


class WriteCoils(msgspec.Struct, frozen=True, tag="write_coils"):
    """Host to module: set the first `count` of your coils so, 1 to 8 of them.

    Bit 0 of `coils` is the first coil.
    """

    address: int
    first: int
    count: int
    coils: int


class InputsRead(msgspec.Struct, frozen=True, tag="inputs_read"):
    """Module to host: these inputs are closed; bit 0 of `closed` is the first."""

    address: int
    closed: int


class CoilsWritten(msgspec.Struct, frozen=True, tag="coils_written"):
    """Module to host: so many coils from this one on are as they were asked to be."""

    address: int
    first: int
    count: int


class Refused(msgspec.Struct, frozen=True, tag="refused"):
    """Module to host: an exception; `code` is the specification's (section 7)."""

    address: int
    function: Function
    code: int


Request = ReadInputs | WriteCoils
Reply = InputsRead | CoilsWritten | Refused


def answers(reply: Reply, request: Request) -> bool:
    """Return whether a reply can be the answer to a request.

    There is no sequence number; address, function and what a write echoes must do.
    """
    if reply.address != request.address:
        return False
    match request, reply:
        case ReadInputs(), InputsRead():
            return True
        case ReadInputs(), Refused(function=function):
            return function is Function.READ_DISCRETE_INPUTS
        case WriteCoils(), CoilsWritten(first=first, count=count):
            return (first, count) == (request.first, request.count)
        case WriteCoils(), Refused(function=function):
            return function is Function.WRITE_MULTIPLE_COILS
        case _:
            return False
