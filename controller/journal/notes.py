"""Signed notes: a text that anybody can read, and who signed it.

The public note format of Go's checksum database and of transparency logs
(golang.org/x/mod/sumdb/note): the text, an empty line, and one line a signature, an em
dash, the signer's name, and base64 of four bytes that tell keys apart with the
signature behind them. Signatures are Ed25519.
"""

import base64
import binascii
import hashlib
from typing import Final, Self

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from controller.journal.errors import NoteError

_ED25519: Final = b"\x01"
_KEY_BYTES: Final = 32
_ID_BYTES: Final = 4
DASH: Final = "— "
_SECRET: Final = "PRIVATE+KEY+"  # noqa: S105 - how a key's line begins, no key


class PublicKey(msgspec.Struct, frozen=True):
    """A signer's name, and what their signatures are held against.

    Its line is `NAME+ID+KEY`: ID in hex, KEY in base64 behind its type.
    """

    name: str
    raw: bytes

    @classmethod
    def parse(cls, line: str) -> Self:
        """Read a public key's line.

        Raises:
            NoteError: It is none.

        """
        if line.startswith(_SECRET):
            # Not repeated: who reads the message shall not read the key.
            raise NoteError(
                "expected a public key, NAME+ID+KEY, got a secret key; name the other "
                "half, and let nobody but the table read this one"
            )
        return cls(*_parts(line.strip(), "a public key, NAME+ID+KEY"))

    @property
    def line(self) -> str:
        """The key as a line of text."""
        return f"{self.name}+{self.id.hex()}+{_base64(_ED25519 + self.raw)}"

    @property
    def id(self) -> bytes:
        """Four bytes that tell this key from others of the same name."""
        named = self.name.encode() + b"\n" + _ED25519 + self.raw
        return hashlib.sha256(named).digest()[:_ID_BYTES]


class SecretKey:
    """What signs. Nothing shows it by accident."""

    def __init__(self, name: str, raw: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(raw)
        self.public = PublicKey(name, self._key.public_key().public_bytes_raw())

    @classmethod
    def new(cls, name: str) -> Self:
        """Make a key.

        Raises:
            NoteError: No signer can have that name.

        """
        _require_name(name)
        return cls(name, Ed25519PrivateKey.generate().private_bytes_raw())

    @classmethod
    def parse(cls, line: str) -> Self:
        """Read a secret key's line.

        Raises:
            NoteError: It is none; the message does not show it.

        """
        expected = "a secret key, as tablectl key new writes it"
        if not line.startswith(_SECRET):
            raise NoteError(f"expected {expected}")
        name, raw = _parts(line.strip().removeprefix(_SECRET), expected, secret=True)
        return cls(name, raw)

    @property
    def line(self) -> str:
        """The key as a line of text, for the table's eyes only."""
        public = self.public
        raw = _base64(_ED25519 + self._key.private_bytes_raw())
        return f"{_SECRET}{public.name}+{public.id.hex()}+{raw}"

    def sign(self, text: str) -> str:
        """Return a note of a text, which ends with a line feed."""
        signature = self.public.id + self._key.sign(text.encode())
        return f"{text}\n{DASH}{self.public.name} {_base64(signature)}\n"


class Note(msgspec.Struct, frozen=True):
    """A note taken apart: its text, and its signatures by signer's name."""

    text: str
    signatures: tuple[tuple[str, bytes], ...]

    @classmethod
    def parse(cls, note: str) -> Self:
        """Take a note apart; nothing is verified yet.

        Raises:
            NoteError: It is none.

        """
        text, gap, lines = note.rpartition("\n\n")
        if not gap or not lines.endswith("\n"):
            raise NoteError("expected a text, an empty line and signatures")
        return cls(text + "\n", tuple(map(_signature, lines.splitlines())))

    def is_signed_by(self, key: PublicKey) -> bool:
        """Return whether one of the signatures is this key's, over this text."""
        verifier = Ed25519PublicKey.from_public_bytes(key.raw)
        for name, signature in self.signatures:
            if name == key.name and signature[:_ID_BYTES] == key.id:
                try:
                    verifier.verify(signature[_ID_BYTES:], self.text.encode())
                except InvalidSignature:
                    return False
                return True
        return False


def _signature(line: str) -> tuple[str, bytes]:
    name, gap, value = line.removeprefix(DASH).partition(" ")
    if not line.startswith(DASH) or not gap:
        raise NoteError(f"expected a signature, {DASH}NAME BASE64")
    return name, _bytes(value, "a signature in base64")


def _parts(line: str, expected: str, *, secret: bool = False) -> tuple[str, bytes]:
    """Return the name and the raw key of a key's line."""
    name, _, rest = line.partition("+")
    key_id, _, value = rest.partition("+")
    _require_name(name)
    key = _bytes(value, expected)
    if key[:1] != _ED25519 or len(key) != 1 + _KEY_BYTES:
        raise NoteError(f"expected {expected}")
    raw = key[1:]
    public = SecretKey(name, raw).public if secret else PublicKey(name, raw)
    if public.id.hex() != key_id:
        raise NoteError(f"expected {expected}; its id is not of this key")
    return name, raw


def _require_name(name: str) -> None:
    if not name or not name.isprintable() or set(name) & set(" +"):
        raise NoteError(f"expected a signer's name without space and +, got {name!r}")


def _base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def _bytes(text: str, expected: str) -> bytes:
    try:
        raw = base64.b64decode(text, validate=True)
    except binascii.Error:
        raise NoteError(f"expected {expected}") from None
    if _base64(raw) != text:
        # Two texts for one value: somebody changed what nobody would notice.
        raise NoteError(f"expected {expected}")
    return raw
