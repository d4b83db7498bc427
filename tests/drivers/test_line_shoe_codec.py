"""What a line shoe prints, in golden lines, and what is no line of it."""

from pathlib import Path
from typing import Final

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from drivers.line_shoe.codec import from_line, padded, to_line
from drivers.line_shoe.messages import (
    Alarm,
    CardNotRead,
    CardRead,
    Known,
    LineMessage,
    Unknown,
    Warned,
)
from drivers.line_shoe.profiles import BEETEK, PROFILES, FaceOrder, LineProfile
from drivers.shoe.messages import RANKS, SUITS
from hw_config.schema import ShoeProfile

ROOT: Final = Path(__file__).parents[2]


class Golden(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    profile: ShoeProfile
    line: str
    message: LineMessage


GOLDEN: Final = msgspec.json.decode(
    (ROOT / "tests/golden/wire/line_shoe.json").read_bytes(), type=list[Golden]
)
CARDS: Final = [rank + suit for rank in RANKS for suit in SUITS]
KNOWN: Final[list[Known]] = [
    *(CardRead(card) for card in CARDS),
    CardNotRead(),
    Alarm("E5"),
    Alarm("E12"),
    Warned("W0x1F"),
]


def test_every_profile_that_a_hardware_file_may_name_is_there() -> None:
    assert set(PROFILES) == set(ShoeProfile)


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden.name)
def test_a_golden_line_says_what_is_stated(golden: Golden) -> None:
    said = from_line(PROFILES[golden.profile], golden.line.encode("ascii"))
    assert said == golden.message


def test_the_document_shows_exactly_the_golden_lines() -> None:
    text = (ROOT / "docs/protocol/line-shoe.md").read_text()
    block = text.split("```golden\n")[1].split("```")[0]
    shown = dict(line.split(": ", maxsplit=1) for line in block.splitlines())
    assert shown == {golden.name: golden.line for golden in GOLDEN}


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
@pytest.mark.parametrize("message", KNOWN, ids=repr)
def test_what_is_printed_is_read_back(profile: LineProfile, message: Known) -> None:
    assert from_line(profile, to_line(profile, message)) == message


def test_a_profile_reads_one_order_only() -> None:
    other = replace(BEETEK, order=FaceOrder.SUIT_RANK)
    for card in CARDS:
        line = to_line(other, CardRead(card))
        assert from_line(other, line) == CardRead(card)
        assert from_line(BEETEK, line) == Unknown("[Game]<Card:")


def test_a_ten_may_be_written_in_two_digits_in_either_order() -> None:
    other = replace(BEETEK, order=FaceOrder.SUIT_RANK)
    assert from_line(BEETEK, b"[Game]<Card:10S>") == CardRead("Ts")
    assert from_line(other, b"[Game]<Card:S10>") == CardRead("Ts")


@given(st.binary(max_size=80))
def test_any_bytes_say_something(line: bytes) -> None:
    from_line(BEETEK, line)


@given(st.text(st.characters(codec="ascii"), max_size=20))
def test_a_card_is_only_what_is_written_as_one(within: str) -> None:
    said = from_line(BEETEK, f"[Game]<Card:{within}>".encode())
    faces = {to_line(BEETEK, CardRead(card)).decode()[12:-1] for card in CARDS}
    tens = {f"10{suit.upper()}" for suit in SUITS}
    assert isinstance(said, CardRead) is (within in faces | tens)


@pytest.mark.parametrize("head", ["[Game]<Card:", "[Game]<Alarm:", "<W0x", ""])
def test_an_unknown_line_tells_no_face(head: str) -> None:
    told = {from_line(BEETEK, f"{head}{face}>>".encode()) for face in ("4S", "10H")}
    assert told == {Unknown(head)}


def test_what_an_alarm_says_in_words_is_not_told() -> None:
    assert from_line(BEETEK, b"[Game]<Alarm:E7 After 4S>") == Alarm("E7")


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_every_line_is_padded_to_the_same_length(profile: LineProfile) -> None:
    lines = [to_line(profile, message) for message in KNOWN]
    lines += [f" {form.head}10H{form.tail} ".encode() for form in profile.cards]
    lines += [line.encode("ascii") for line in profile.unread]
    assert {len(padded(profile, line)) for line in lines} == {profile.line_max_bytes}
    assert {padded(profile, line).rstrip(b"\0") for line in lines} == set(lines)
