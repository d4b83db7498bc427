"""The schema of a hardware file: its words are what a technician is told."""

from collections.abc import Iterator
from types import UnionType
from typing import get_args

import msgspec
from msgspec import Meta, Struct

from hw_config.schema import TableHardware


def leaves(schema: type[Struct]) -> Iterator[msgspec.structs.FieldInfo]:
    """Return every field that holds a value, not a table."""
    for field in msgspec.structs.fields(schema):
        inner = [kind for kind in kinds(field.type) if issubclass(kind, Struct)]
        for table in inner:
            yield from leaves(table)
        # What is a table, or may be left out, is asked for with its keys.
        if field.type not in inner and not isinstance(field.type, UnionType):
            yield field


def kinds(annotation: object) -> Iterator[type]:
    """Return the classes in an annotation: of a list, or of what may be left out."""
    if isinstance(annotation, type):
        yield annotation
    for part in get_args(annotation):
        yield from kinds(part)


def test_every_value_says_what_is_expected_of_it() -> None:
    for field in leaves(TableHardware):
        notes = [note for note in get_args(field.type)[1:] if isinstance(note, Meta)]
        assert any(note.description for note in notes), field.name
