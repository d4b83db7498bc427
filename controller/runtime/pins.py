"""PINs, kept as what only the right PIN leads to.

Argon2id of the cryptography package, written as the PHC string format writes it: the
cost stands in each entry, so that it may rise for new PINs while old ones still count.
Working it out takes tens of milliseconds of one core and holds no lock of Python's
meanwhile; it belongs in a thread all the same.
"""

import os
import re
from typing import Final

import msgspec
from cryptography.exceptions import InvalidKey
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

PIN_MIN_CHARACTERS: Final = 6
PIN_MAX_CHARACTERS: Final = 64

_SALT_BYTES: Final = 16
_KEY_BYTES: Final = 32
_MEMORY_KIB: Final = range(8, 65_537)
_ITERATIONS_MAX: Final = 10
_PHC: Final = re.compile(
    r"\$argon2id\$v=19\$m=(?P<memory>[0-9]{1,5}),t=(?P<iterations>[1-9][0-9]?),p=1"
    r"\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}"
)
_RUNS: Final = ("0123456789", "9876543210", "abcdefghijklmnopqrstuvwxyz")


class Pin(msgspec.Struct, frozen=True):
    """What somebody typed as their PIN; nothing shows it by accident."""

    text: str

    def __repr__(self) -> str:
        """Return the same for every PIN."""
        return "Pin(not shown)"


class Cost(msgspec.Struct, frozen=True):
    """What one try costs, whoever tries: memory and how often it is gone over."""

    memory_kib: int = 19_456
    iterations: int = 2


COST: Final = Cost()
"""19 MiB twice over: some 50 ms of a server's core, 100 to 150 ms of a Raspberry Pi's.
A PIN is short, so what stops a thief of the file is this; at the table it is the wait
after each refusal."""

DECOY: Final = (
    f"$argon2id$v=19$m={COST.memory_kib},t={COST.iterations},p=1"
    "$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
)
"""What the PIN of somebody who is not listed is held against, so that it takes as long
to be refused. No PIN that anybody could find leads to it."""


def kept(pin: Pin, cost: Cost = COST) -> str:
    """Return what to keep of a PIN, with a salt of its own."""
    kdf = Argon2id(
        salt=os.urandom(_SALT_BYTES),
        length=_KEY_BYTES,
        iterations=cost.iterations,
        lanes=1,
        memory_cost=cost.memory_kib,
    )
    return kdf.derive_phc_encoded(pin.text.encode())


def is_right(pin: Pin, kept_of_it: str) -> bool:
    """Return whether this is the PIN; compares in constant time."""
    try:
        Argon2id.verify_phc_encoded(pin.text.encode(), kept_of_it)
    except InvalidKey:
        return False
    return True


def is_kept(text: str) -> bool:
    """Return whether a text is what `kept` writes, at a cost that a table can bear."""
    found = _PHC.fullmatch(text)
    return (
        found is not None
        and int(found["memory"]) in _MEMORY_KIB
        and int(found["iterations"]) <= _ITERATIONS_MAX
    )


def why_not(pin: Pin) -> str:
    """Return what a new PIN must be that this one is not; empty where it will do."""
    text = pin.text
    if not PIN_MIN_CHARACTERS <= len(text) <= PIN_MAX_CHARACTERS:
        return f"expected {PIN_MIN_CHARACTERS} to {PIN_MAX_CHARACTERS} characters"
    if not text.isprintable():
        return "expected characters that a keyboard shows"
    if len(set(text)) == 1 or any(text.lower() in run for run in _RUNS):
        return "expected a PIN that nobody would try first"
    return ""
