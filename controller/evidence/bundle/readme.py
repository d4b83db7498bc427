"""What a bundle says of itself, in plain words: `readme.txt`, filled in."""

from pathlib import Path
from typing import Final

_TEXT: Final = Path(__file__).with_name("readme.txt")

_SIGNED: Final = """\
head.note      the hash of the last record of the round, signed by the table.
key.pub        the public key of that signature. Compare it with the key that
               you have from somebody you trust: whoever makes up a round also
               makes up a key."""

_UNSIGNED: Final = """\
               This journal was not signed: who could write the file could have
               written it anew as a whole. Only its own hashes hold it together."""


def readme(table: str, number: int, *, signed: bool) -> str:
    """Return the text of README.txt."""
    proof = _SIGNED if signed else _UNSIGNED
    return _TEXT.read_text("utf-8").format(table=table, number=number, proof=proof)
