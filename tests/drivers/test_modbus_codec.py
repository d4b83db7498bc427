"""Frames of Modbus RTU: golden bytes, any noise, any split, and a second opinion."""

import itertools
from pathlib import Path
from typing import Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pymodbus.framer import FramerRTU
from pymodbus.pdu import DecodePDU
from pymodbus.pdu.bit_message import (
    ReadDiscreteInputsRequest,
    ReadDiscreteInputsResponse,
    WriteMultipleCoilsRequest,
    WriteMultipleCoilsResponse,
)
from pymodbus.pdu.exceptionresponse import ExceptionResponse
from pymodbus.pdu.pdu import ModbusPDU

from drivers.errors import MalformedMessageError, MessageFieldError
from drivers.modbus.codec import (
    REPLY_LENGTHS,
    REQUEST_LENGTHS,
    decode_reply,
    decode_request,
    encode_reply,
    encode_request,
)
from drivers.modbus.framing import FrameFinder, crc16, encode_frame
from drivers.modbus.messages import (
    CoilsWritten,
    Function,
    InputsRead,
    ReadInputs,
    Refused,
    Reply,
    Request,
    WriteCoils,
    answers,
)

ROOT: Final = Path(__file__).parents[2]


class Golden(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    message: ReadInputs | WriteCoils | InputsRead | CoilsWritten | Refused
    wire: str


GOLDEN: Final = msgspec.json.decode(
    (ROOT / "tests/golden/wire/modbus.json").read_bytes(), type=list[Golden]
)
ADDRESSES: Final = st.integers(1, 247)
FIRSTS: Final = st.integers(0, 0xFFFF - 7)
WRITES: Final = st.builds(
    lambda address, first, count, coils: WriteCoils(
        address, first, count, coils & (1 << count) - 1
    ),
    ADDRESSES,
    FIRSTS,
    st.integers(1, 8),
    st.integers(0, 255),
)
ANY_REQUEST: Final = st.builds(ReadInputs, ADDRESSES, FIRSTS) | WRITES
ANY_REPLY: Final = st.one_of(
    st.builds(InputsRead, ADDRESSES, st.integers(0, 255)),
    st.builds(CoilsWritten, ADDRESSES, FIRSTS, st.integers(1, 8)),
    st.builds(Refused, ADDRESSES, st.sampled_from(Function), st.integers(1, 255)),
)


def encoded(message: Request | Reply) -> bytes:
    if isinstance(message, ReadInputs | WriteCoils):
        return encode_request(message)
    return encode_reply(message)


def read(message: Request | Reply, wire: bytes) -> list[Request | Reply]:
    """Return what some bytes say to the side that such a message is for."""
    if isinstance(message, ReadInputs | WriteCoils):
        found = FrameFinder(REQUEST_LENGTHS).receive_data(wire)
        return [decode_request(content) for content in found]
    return [decode_reply(one) for one in FrameFinder(REPLY_LENGTHS).receive_data(wire)]


@pytest.mark.parametrize(
    ("data", "check"),
    [
        (b"123456789", 0x4B37),  # the check value that catalogues of CRCs give
        (bytes.fromhex("0207"), 0x1241),  # MODBUS over Serial Line V1.02, appendix B
        (b"", 0xFFFF),
    ],
)
def test_the_check_is_that_of_modbus(data: bytes, check: int) -> None:
    assert crc16(data) == check


def test_the_check_goes_low_byte_first() -> None:
    assert encode_frame(bytes.fromhex("0207")) == bytes.fromhex("02074112")


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden.name)
def test_a_golden_frame_encodes_and_decodes_to_what_is_stated(golden: Golden) -> None:
    wire = bytes.fromhex(golden.wire)
    assert encoded(golden.message) == wire
    assert read(golden.message, wire) == [golden.message]


def test_the_document_shows_exactly_the_golden_frames() -> None:
    text = (ROOT / "docs/protocol/modbus-panels.md").read_text()
    block = text.split("```golden\n")[1].split("```")[0]
    lines = [line for line in block.splitlines() if not line.startswith("#")]
    shown = dict(line.split(": ", maxsplit=1) for line in lines)
    assert shown == {golden.name: golden.wire for golden in GOLDEN}


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden.name)
def test_a_frame_with_any_one_bit_flipped_says_nothing(golden: Golden) -> None:
    wire = bytes.fromhex(golden.wire)
    for bit in range(len(wire) * 8):
        flipped = bytearray(wire)
        flipped[bit // 8] ^= 1 << bit % 8
        assert read(golden.message, bytes(flipped)) == []


@given(ANY_REQUEST | ANY_REPLY)
def test_what_is_encoded_is_read_back(message: Request | Reply) -> None:
    assert read(message, encoded(message)) == [message]


def theirs(message: Request | Reply) -> ModbusPDU:
    """Return a message as an independent library writes it."""
    match message:
        case ReadInputs(address, first):
            return ReadDiscreteInputsRequest(dev_id=address, address=first, count=8)
        case WriteCoils(address, first, count, coils):
            bits = [bool(coils >> place & 1) for place in range(count)]
            return WriteMultipleCoilsRequest(dev_id=address, address=first, bits=bits)
        case InputsRead(address, closed):
            bits = [bool(closed >> place & 1) for place in range(8)]
            return ReadDiscreteInputsResponse(dev_id=address, bits=bits)
        case CoilsWritten(address, first, count):
            return WriteMultipleCoilsResponse(
                dev_id=address, address=first, count=count
            )
        case Refused(address, function, code):
            refusal = ExceptionResponse(function, code)
            refusal.dev_id = address
            return refusal


@given(ANY_REQUEST | ANY_REPLY)
def test_an_independent_library_writes_the_same_bytes(message: Request | Reply) -> None:
    framer = FramerRTU(DecodePDU(is_server=False))
    assert framer.buildFrame(theirs(message)) == encoded(message)


@given(st.binary(max_size=40), ANY_REPLY)
def test_noise_before_a_reply_does_not_cost_the_reply(
    noise: bytes, reply: Reply
) -> None:
    finder = FrameFinder(REPLY_LENGTHS)
    found = finder.receive_data(noise + encode_reply(reply))
    assert decode_reply(found[-1]) == reply


def test_the_framer_that_we_do_not_use_loses_that_reply() -> None:
    reply = encode_reply(InputsRead(3, 5))
    framer = FramerRTU(DecodePDU(is_server=False))
    assert framer.handleFrame(reply, 3, 0)[1] is not None
    assert framer.handleFrame(b"\x03" + reply, 3, 0) == (len(reply) + 1, None)


@given(
    st.lists(st.binary(max_size=12) | ANY_REPLY.map(encode_reply), max_size=12),
    st.lists(st.integers(0, 200), max_size=20),
)
def test_any_split_of_any_bytes_gives_the_same_frames(
    pieces: list[bytes], cuts: list[int]
) -> None:
    wire = b"".join(pieces)
    places = sorted({0, *(cut % (len(wire) + 1) for cut in cuts), len(wire)})
    whole, split = FrameFinder(REPLY_LENGTHS), FrameFinder(REPLY_LENGTHS)
    found = whole.receive_data(wire)
    one_by_one = [
        content
        for a, b in itertools.pairwise(places)
        for content in split.receive_data(wire[a:b])
    ]
    whole.clear()
    split.clear()
    assert one_by_one == found
    assert split.errors == whole.errors


def test_a_stretch_of_noise_counts_once_however_it_comes() -> None:
    finder = FrameFinder(REPLY_LENGTHS)
    reply = encode_reply(InputsRead(3, 5))
    for byte in b"\xff" * 40:
        finder.receive_data(bytes([byte]))
    finder.receive_data(reply + b"\xff" * 40)
    finder.receive_data(reply)
    assert finder.errors == 2


def test_half_a_frame_is_not_joined_to_what_comes_after_a_clearing() -> None:
    finder = FrameFinder(REPLY_LENGTHS)
    reply = encode_reply(InputsRead(3, 5))
    assert finder.receive_data(reply[:4]) == []
    finder.clear()
    assert finder.receive_data(reply[4:]) == []
    assert finder.errors == 1


@pytest.mark.parametrize(
    ("reply", "request_", "is_answer"),
    [
        (InputsRead(3, 1), ReadInputs(3, 0), True),
        (InputsRead(4, 1), ReadInputs(3, 0), False),
        (CoilsWritten(3, 0, 8), ReadInputs(3, 0), False),
        (CoilsWritten(3, 0, 8), WriteCoils(3, 0, 8, 1), True),
        (CoilsWritten(3, 0, 7), WriteCoils(3, 0, 8, 1), False),
        (CoilsWritten(3, 16, 8), WriteCoils(3, 0, 8, 1), False),
        (InputsRead(3, 1), WriteCoils(3, 0, 8, 1), False),
        (Refused(3, Function.READ_DISCRETE_INPUTS, 2), ReadInputs(3, 0), True),
        (Refused(3, Function.WRITE_MULTIPLE_COILS, 2), ReadInputs(3, 0), False),
        (Refused(3, Function.WRITE_MULTIPLE_COILS, 2), WriteCoils(3, 0, 8, 1), True),
        (Refused(3, Function.READ_DISCRETE_INPUTS, 2), WriteCoils(3, 0, 8, 1), False),
    ],
)
def test_an_answer_has_the_address_the_function_and_the_echo(
    reply: Reply, request_: Request, *, is_answer: bool
) -> None:
    assert answers(reply, request_) is is_answer


@pytest.mark.parametrize(("count", "coils"), [(0, 0), (9, 0), (3, 0b1000)])
def test_no_more_coils_are_written_than_are_named(count: int, coils: int) -> None:
    with pytest.raises(MessageFieldError, match="expected 1 to 8 coils"):
        encode_request(WriteCoils(3, 0, count, coils))


@pytest.mark.parametrize(
    "content",
    [
        bytes.fromhex("030200000007"),  # seven inputs
        bytes.fromhex("030f000000090100"),  # nine coils in one byte
        bytes.fromhex("030f000000080200"),  # says two bytes and has one
        bytes.fromhex("030f000000030108"),  # a bit beyond the coils named
    ],
)
def test_a_request_that_the_host_never_makes_is_malformed(content: bytes) -> None:
    with pytest.raises(MalformedMessageError):
        decode_request(content)


def test_inputs_that_are_not_one_byte_are_malformed() -> None:
    with pytest.raises(MalformedMessageError, match="one byte of inputs, got 2"):
        decode_reply(bytes.fromhex("03020205"))
