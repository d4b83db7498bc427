"""The schema of a hardware file: its words are what a technician is told."""

from collections.abc import Iterator
from typing import get_args

import msgspec
from msgspec import Meta, Struct

from hw_config.schema import TableHardware


def leaves(schema: type[Struct]) -> Iterator[msgspec.structs.FieldInfo]:
    """Return every field that holds a value, not a table."""
    for field in msgspec.structs.fields(schema):
        if isinstance(field.type, type) and issubclass(field.type, Struct):
            yield from leaves(field.type)
        else:
            yield field


def test_every_value_says_what_is_expected_of_it() -> None:
    for field in leaves(TableHardware):
        notes = [note for note in get_args(field.type)[1:] if isinstance(note, Meta)]
        assert any(note.description for note in notes), field.name
