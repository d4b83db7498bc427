"""What the journal says of a card that nobody may know yet.

The encoding is written down for strangers in docs/journal.md, with golden
values in tests/golden/journal.
"""

from hashlib import sha256

SALT_BYTES = 32
_INTEGER_BYTES = 8


def commitment(
    salt: bytes, table_id: str, round_number: int, number: int, face: str
) -> bytes:
    """Return the 32 bytes that bind the table to a card without showing it.

    SHA-256 over salt, table, round, number of the card at the shoe, and face as
    in scenarios (`Th`), each as type byte, length in 8 bytes, content: no two
    cards share an encoding. `salt` is 32 random bytes of this card alone. With
    fewer, anyone could try the 52 faces; the reveal publishes it.

    Raises:
        ValueError: the salt is not 32 bytes long.
        OverflowError: a number exceeds 64 bits.
    """
    if len(salt) != SALT_BYTES:
        raise ValueError(
            f"expected a salt of {SALT_BYTES} random bytes, got {len(salt)}"
        )
    items = (
        _item(b"B", salt),
        _item(b"T", table_id.encode()),
        _item(b"I", _integer(round_number)),
        _item(b"I", _integer(number)),
        _item(b"T", face.encode()),
    )
    return sha256(b"".join(items)).digest()


def _item(type_byte: bytes, content: bytes) -> bytes:
    return type_byte + len(content).to_bytes(8, "big") + content


def _integer(value: int) -> bytes:
    return value.to_bytes(_INTEGER_BYTES, "big", signed=True)
