"""Between the core's values and the columns type, version and body."""

import enum
from typing import ClassVar

import pytest
from msgspec import Struct

from controller.journal.codec import Body, Codec, Written
from controller.journal.errors import CodecError
from controller.journal.records import Record


class Suit(enum.Enum):
    HEARTS = "h"


class CardDealt(Struct, frozen=True, kw_only=True, tag="card_dealt"):
    hand: str
    suit: Suit
    amounts: tuple[int, ...] = ()
    note: str | None = None


class RoundClosed(Struct, frozen=True, tag="round_closed"):
    pass


class WagerPlaced(Struct, frozen=True, tag="wager_placed", tag_field="kind"):
    VERSION: ClassVar[int] = 3
    spot: int
    amount_cents: int
    chips: int


Fact = CardDealt | RoundClosed | WagerPlaced


def to_cents(body: Body) -> Body:
    """Version 1 counted whole units."""
    dollars = body["amount"]
    assert isinstance(dollars, int)
    return {"spot": body["spot"], "amount_cents": dollars * 100}


def with_chips(body: Body) -> Body:
    """Version 2 did not say how many chips."""
    return {**body, "chips": 0}


UPCASTERS = {("wager_placed", 1): to_cents, ("wager_placed", 2): with_chips}
CODEC: Codec[Fact] = Codec(Fact, UPCASTERS)


def record(kind: str, version: int, body: str) -> Record:
    return Record(7, "", True, "", 0, None, None, None, kind, version, body, b"")  # noqa: FBT003  # A column's value.


def read(written: Written) -> Fact:
    return CODEC.decode(record(written.type, written.version, written.body))


def test_the_body_is_the_fields_without_the_tag() -> None:
    fact = CardDealt(hand="3.1", suit=Suit.HEARTS, amounts=(1, 2))
    assert CODEC.encode(fact) == Written(
        type="card_dealt",
        version=1,
        body='{"hand":"3.1","suit":"h","amounts":[1,2],"note":null}',
    )


def test_a_value_without_fields_has_an_empty_body() -> None:
    assert CODEC.encode(RoundClosed()) == Written("round_closed", 1, "{}")


@pytest.mark.parametrize(
    "fact",
    [
        CardDealt(hand="é ♠ {", suit=Suit.HEARTS, note='"card_dealt",'),
        RoundClosed(),
        WagerPlaced(spot=3, amount_cents=2500, chips=5),
    ],
)
def test_what_is_written_reads_the_same(fact: Fact) -> None:
    assert read(CODEC.encode(fact)) == fact


def test_a_class_says_its_version() -> None:
    written = CODEC.encode(WagerPlaced(spot=3, amount_cents=2500, chips=5))
    assert written == Written(
        "wager_placed", 3, '{"spot":3,"amount_cents":2500,"chips":5}'
    )


@pytest.mark.parametrize(
    ("version", "body"),
    [
        (1, '{"spot":3,"amount":25}'),
        (2, '{"spot":3,"amount_cents":2500}'),
        (3, '{"spot":3,"amount_cents":2500,"chips":0}'),
    ],
)
def test_an_older_record_is_brought_up_to_todays_version(
    version: int, body: str
) -> None:
    assert CODEC.decode(record("wager_placed", version, body)) == WagerPlaced(
        spot=3, amount_cents=2500, chips=0
    )


@pytest.mark.parametrize(
    ("kind", "version", "said"),
    [
        ("card_eaten", 1, "record 7: found card_eaten version 1.*no such type"),
        ("card_dealt", 2, "record 7: found card_dealt version 2.*versions 1 to 1"),
        ("wager_placed", 0, "record 7: found wager_placed version 0"),
    ],
)
def test_a_record_of_other_software_is_named(
    kind: str, version: int, said: str
) -> None:
    with pytest.raises(CodecError, match=said):
        CODEC.decode(record(kind, version, "{}"))


@pytest.mark.parametrize(
    ("kind", "version", "body"),
    [
        ("card_dealt", 1, "{}"),
        ("card_dealt", 1, '{"hand":"3","suit":"x"}'),
        ("card_dealt", 1, '{"hand":'),
        ("card_dealt", 1, '{"type":"round_closed","hand":"3","suit":"h"}'),
        ("wager_placed", 1, "[]"),
        ("wager_placed", 2, '{"spot":"three","amount_cents":1}'),
    ],
)
def test_a_body_that_does_not_fit_names_its_record(
    kind: str, version: int, body: str
) -> None:
    with pytest.raises(CodecError, match=f"record 7: expected the body of {kind}"):
        CODEC.decode(record(kind, version, body))


def test_a_union_of_one_class_is_fine() -> None:
    codec: Codec[RoundClosed] = Codec(RoundClosed)
    assert codec.decode(record("round_closed", 1, "{}")) == RoundClosed()


class Untagged(Struct, frozen=True):
    hand: str


class Sparing(Struct, frozen=True, tag="sparing", omit_defaults=True):
    hand: str = ""


class Again(Struct, frozen=True, tag="round_closed"):
    pass


@pytest.mark.parametrize("union", [Untagged, Sparing, RoundClosed | Again])
def test_a_class_that_would_not_read_back_for_years_is_refused(union: object) -> None:
    with pytest.raises(CodecError, match="a tag of its own"):
        Codec(union)


@pytest.mark.parametrize(
    "keys",
    [
        [("wager_placed", 1)],
        [("wager_placed", 1), ("wager_placed", 2), ("wager_placed", 3)],
        [("wager_placed", 1), ("wager_placed", 2), ("card_eaten", 1)],
    ],
)
def test_each_older_version_has_exactly_one_upcaster(
    keys: list[tuple[str, int]],
) -> None:
    with pytest.raises(CodecError, match="one upcaster for each older version"):
        Codec(Fact, dict.fromkeys(keys, with_chips))
