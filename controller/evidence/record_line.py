"""A record as a line of JSON, the same in a bundle and in an export.

Every column is there as it is in the journal, so that a stranger can compute the hash
again from the line alone (docs/export.md).
"""

import msgspec

from controller.journal.records import Record as Row


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A record, with the columns of the journal as they are; the hash in hex.

    `body` is the text that the hash covers, not an object: whoever reads an object and
    writes it again may change the order of its fields, and the hash no longer fits.
    """

    sequence: int
    recorded_at: str
    clock_synchronised: int
    boot_id: str
    monotonic_ns: int
    cause: int | None
    round: int | None
    spot: int | None
    type: str
    version: int
    body: str
    hash: str


def line_of(row: Row) -> Line:
    """Return a record as a bundle's line."""
    columns = msgspec.structs.asdict(row)
    columns |= {
        "clock_synchronised": int(row.clock_synchronised),
        "hash": row.hash.hex(),
    }
    return Line(**columns)
