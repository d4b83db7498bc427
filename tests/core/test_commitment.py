"""The commitment to a card that nobody may know yet."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from controller.core.commitment import commitment

GOLDEN = Path(__file__).parents[1] / "golden" / "journal" / "commitment.json"
SALT = bytes(range(32))


def test_golden_commitments_are_computed_as_written() -> None:
    for golden in json.loads(GOLDEN.read_text()):
        hashed = bytes.fromhex(golden["hashed_bytes"])
        assert sha256(hashed).hexdigest() == golden["commitment"]
        computed = commitment(
            bytes.fromhex(golden["salt"]),
            golden["table"],
            golden["round"],
            golden["number"],
            golden["face"],
        )
        assert computed.hex() == golden["commitment"]


def test_every_part_of_a_card_changes_its_commitment() -> None:
    base = commitment(SALT, "BJ-01", 7, 4, "Th")
    others = {
        commitment(bytes(32), "BJ-01", 7, 4, "Th"),
        commitment(SALT, "BJ-02", 7, 4, "Th"),
        commitment(SALT, "BJ-01", 8, 4, "Th"),
        commitment(SALT, "BJ-01", 7, 5, "Th"),
        commitment(SALT, "BJ-01", 7, 4, "Ts"),
    }
    assert len(others | {base}) == 6


def test_what_moves_from_one_part_to_the_next_changes_the_commitment() -> None:
    assert commitment(SALT, "BJ-0", 17, 4, "Th") != commitment(
        SALT, "BJ-01", 7, 4, "Th"
    )
    assert commitment(SALT, "BJ", 7, 4, "Th") != commitment(SALT, "B", 7, 4, "JTh")


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_salt_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"32 random bytes, got {length}"):
        commitment(bytes(length), "BJ-01", 7, 4, "Th")


def test_a_number_that_exceeds_64_bits_is_refused() -> None:
    with pytest.raises(OverflowError):
        commitment(SALT, "BJ-01", 2**63, 4, "Th")
