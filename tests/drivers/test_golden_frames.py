"""Every golden frame, in the data files and in the documents, says what it says."""

import contextlib
from pathlib import Path
from typing import Final

import msgspec
import pytest

from drivers.errors import MalformedMessageError
from drivers.framing import Frame, FrameReader, encode_frame
from drivers.panel import codec as panel_codec
from drivers.panel import messages as panel
from drivers.shoe import codec as shoe_codec
from drivers.shoe import messages as shoe

ROOT: Final = Path(__file__).parents[2]
GOLDEN: Final = ROOT / "tests" / "golden" / "wire"
DOCUMENTS: Final = ROOT / "docs" / "protocol"


class PanelGolden(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    address: int
    sequence: int
    message: panel.Message
    wire: str

    def frame(self) -> Frame:
        return panel_codec.to_frame(self.message, self.address, self.sequence)

    def decoded(self, frame: Frame) -> object:
        return panel_codec.from_frame(frame)


class ShoeGolden(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    address: int
    sequence: int
    message: shoe.Message
    wire: str

    def frame(self) -> Frame:
        return shoe_codec.to_frame(self.message, self.sequence)

    def decoded(self, frame: Frame) -> object:
        return shoe_codec.from_frame(frame)


Golden = PanelGolden | ShoeGolden
PANEL: Final[list[Golden]] = [
    *msgspec.json.decode((GOLDEN / "panel.json").read_bytes(), type=list[PanelGolden])
]
SHOE: Final[list[Golden]] = [
    *msgspec.json.decode((GOLDEN / "shoe.json").read_bytes(), type=list[ShoeGolden])
]


@pytest.mark.parametrize(
    "golden", PANEL + SHOE, ids=lambda golden: f"{type(golden).__name__}-{golden.name}"
)
def test_a_golden_frame_encodes_and_decodes_to_what_is_stated(golden: Golden) -> None:
    wire = bytes.fromhex(golden.wire)
    assert encode_frame(golden.frame()) == wire

    (frame,) = FrameReader().receive_data(wire)
    assert (frame.address, frame.sequence) == (golden.address, golden.sequence)
    assert golden.decoded(frame) == golden.message


def heard(golden: Golden, wire: bytes) -> list[object]:
    """Return the messages in some bytes, as the golden frame's protocol reads them."""
    messages = []
    for frame in FrameReader().receive_data(wire):
        with contextlib.suppress(MalformedMessageError):
            messages.append(golden.decoded(frame))
    return messages


@pytest.mark.parametrize(
    "golden", PANEL + SHOE, ids=lambda golden: f"{type(golden).__name__}-{golden.name}"
)
def test_a_frame_with_any_one_bit_flipped_never_says_something_else(
    golden: Golden,
) -> None:
    wire = bytes.fromhex(golden.wire)
    for bit in range(len(wire) * 8):
        flipped = bytearray(wire)
        flipped[bit // 8] ^= 1 << bit % 8
        # The zero of a next frame follows, else a spoilt last zero would hide much.
        assert heard(golden, bytes(flipped) + b"\0") in ([], [golden.message])


def documented(page: str) -> dict[str, str]:
    """Return the golden frames of a page of the documents, by name."""
    text = (DOCUMENTS / page).read_text()
    block = text.split("```golden\n")[1].split("```")[0]
    lines = [line for line in block.splitlines() if not line.startswith("#")]
    return dict(line.split(": ", maxsplit=1) for line in lines)


@pytest.mark.parametrize(("page", "data"), [("panel.md", PANEL), ("shoe.md", SHOE)])
def test_the_documents_show_exactly_the_golden_frames(
    page: str, data: list[Golden]
) -> None:
    assert documented(page) == {golden.name: golden.wire for golden in data}


@pytest.mark.parametrize(
    ("page", "types"),
    [("panel.md", panel_codec.FrameType), ("shoe.md", shoe_codec.FrameType)],
)
def test_every_frame_type_stands_in_its_document_and_in_a_golden_frame(
    page: str,
    types: type[panel_codec.FrameType | shoe_codec.FrameType],
) -> None:
    text = (DOCUMENTS / page).read_text()
    shown = {golden.frame().type for golden in (PANEL if page == "panel.md" else SHOE)}
    assert shown == set(types)
    assert [code for code in types if f"0x{code:02X}" not in text] == []


def test_every_button_has_its_documented_code() -> None:
    text = (DOCUMENTS / "panel.md").read_text()
    for button, code in panel_codec.BUTTON_CODES.items():
        assert f"| {code} | {button.value.replace('-', ' ')} |" in text


def test_the_largest_frame_is_as_long_as_documented() -> None:
    frame = Frame(3, 1, 0x82, bytes(range(1, 129)))
    assert len(encode_frame(frame)) == 136
    assert "More than 134 bytes" in (DOCUMENTS / "framing.md").read_text()
