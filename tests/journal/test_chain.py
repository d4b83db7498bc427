"""The hash chain against values that were computed without this software."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.journal.chain import GENESIS, record_hash

GOLDEN = Path(__file__).parents[1] / "golden" / "journal" / "chain.json"

INTEGERS = st.integers(-(2**63), 2**63 - 1)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
COLUMNS = st.tuples(
    INTEGERS,
    TEXTS,
    st.integers(0, 1),
    TEXTS,
    INTEGERS,
    st.none() | INTEGERS,
    st.none() | INTEGERS,
    st.none() | INTEGERS,
    TEXTS,
    INTEGERS,
    TEXTS,
)


def by_the_document(previous: bytes, columns: tuple[int | str | None, ...]) -> bytes:
    """Encode as docs/journal.md says it, one column after the other."""
    encoded = previous
    for column in columns:
        match column:
            case None:
                encoded += b"N" + bytes(8)
            case int():
                content = column.to_bytes(8, "big", signed=True)
                encoded += b"I" + len(content).to_bytes(8, "big") + content
            case str():
                content = column.encode()
                encoded += b"T" + len(content).to_bytes(8, "big") + content
    return sha256(encoded).digest()


def test_the_golden_chain_is_computed_as_written() -> None:
    previous = GENESIS.hash
    for record in json.loads(GOLDEN.read_text()):
        assert previous.hex() == record["previous_hash"]
        hashed = bytes.fromhex(record["hashed_bytes"])
        assert sha256(hashed).hexdigest() == record["hash"]
        previous = record_hash(previous, *record["columns"].values())
        assert previous.hex() == record["hash"]


def test_the_first_record_continues_thirty_two_zero_bytes() -> None:
    assert GENESIS.sequence == 0
    assert GENESIS.hash == bytes(32)


@given(st.binary(min_size=32, max_size=32), COLUMNS)
def test_any_record_is_hashed_as_the_document_says(
    previous: bytes,
    columns: tuple[
        int, str, int, str, int, int | None, int | None, int | None, str, int, str
    ],
) -> None:
    assert record_hash(previous, *columns) == by_the_document(previous, columns)


@pytest.mark.parametrize("text", ["\ud800", "a\udfff"])
def test_a_text_that_is_no_utf_8_has_no_hash(text: str) -> None:
    with pytest.raises(UnicodeEncodeError):
        record_hash(bytes(32), 1, text, 1, "", 0, None, None, None, "", 1, "{}")
