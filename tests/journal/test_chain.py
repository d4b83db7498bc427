"""The hash chain against values that were computed without this software."""

import json
import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.journal.chain import GENESIS, record_hash

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden" / "journal" / "chain.json"
DOCUMENT = ROOT / "docs" / "journal.md"

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


def the_documents_program() -> Callable[[bytes, tuple[int | str | None, ...]], bytes]:
    """Run the program that docs/journal.md gives to strangers."""
    (program,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(), re.DOTALL)
    names: dict[str, Any] = {}
    exec(program, names)  # noqa: S102  # Our own document; that it runs is the test.
    return cast(
        "Callable[[bytes, tuple[int | str | None, ...]], bytes]", names["record_hash"]
    )


by_the_document = the_documents_program()


def test_the_golden_chain_is_computed_as_written() -> None:
    previous = GENESIS.hash
    for record in json.loads(GOLDEN.read_text()):
        assert previous.hex() == record["previous_hash"]
        hashed = bytes.fromhex(record["hashed_bytes"])
        assert sha256(hashed).hexdigest() == record["hash"]
        previous = record_hash(previous, *record["columns"].values())
        assert previous.hex() == record["hash"]


def test_the_documents_program_computes_the_golden_chain() -> None:
    previous = bytes(32)
    for record in json.loads(GOLDEN.read_text()):
        previous = by_the_document(previous, tuple(record["columns"].values()))
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
