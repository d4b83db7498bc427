"""Reads the values of a file one by one, so that no fault hides another."""

import difflib
import re
from collections.abc import Mapping
from types import UnionType
from typing import Final, TypeGuard, get_args, get_origin

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import FieldInfo

from hw_config.errors import Fault

Found = dict[str, object]
"""The values by dotted key, tables left out: {"panels.baud": Baud.B9600}.

UNSOUND stands for one that is at fault, or whose key is misspelt: something was meant.
"""

UNSOUND: Final = object()

BARE_KEY: Final = re.compile("[A-Za-z0-9_-]+")
SHOWN_MAX: Final = 60


def read_fields(
    schema: type[Struct], values: Mapping[str, object], above: str = ""
) -> tuple[Found, list[Fault]]:
    """Return what was found in `values`, and a fault for all that is not sound.

    `above` is the dotted key of the table that holds the values, with its dot.
    """
    fields = {field.encode_name: field for field in msgspec.structs.fields(schema)}
    meant = {key: _meant(key, fields, values) for key in values.keys() - fields}
    found: Found = {above + name: UNSOUND for name in meant.values() if name}
    faults = [
        _unknown(above + _written(key), meant[key], fields) for key in sorted(meant)
    ]
    for name, field in fields.items():
        if name in values:
            more, wrong = _read(field, values[name], above)
            found |= more
            faults += wrong
        # A misspelt key is one mistake and gets one line.
        elif field.required and name not in meant.values():
            faults.append(Fault(above + name, f"missing; expected {_expected(field)}"))
    return found, faults


def _read(field: FieldInfo, value: object, above: str) -> tuple[Found, list[Fault]]:
    key = above + field.encode_name
    schema, row = _table(field), _row(field)
    if schema and isinstance(value, dict):
        return read_fields(schema, value, f"{key}.")
    if row and isinstance(value, list) and all(isinstance(one, dict) for one in value):
        return _read_rows(row, value, key)
    if schema is None and row is None:
        try:
            return {key: msgspec.convert(value, field.type)}, []
        except msgspec.ValidationError:
            pass
    expected = f"expected {_expected(field)}, got {_shown(value)}"
    return {key: UNSOUND}, [Fault(key, expected)]


def _read_rows(
    schema: type[Struct], rows: list[Mapping[str, object]], key: str
) -> tuple[Found, list[Fault]]:
    """Read a list of tables, the first as number 1; how many there are is a value."""
    found: Found = {key: len(rows)}
    faults: list[Fault] = []
    for number, values in enumerate(rows, start=1):
        more, wrong = read_fields(schema, values, f"{key}.{number}.")
        found |= more
        faults += wrong
    return found, faults


def _meant(
    key: str, fields: Mapping[str, FieldInfo], values: Mapping[str, object]
) -> str | None:
    """Return the field that an unknown key most likely means, if any is alike."""
    close = difflib.get_close_matches(key, fields.keys() - values.keys(), n=1)
    return close[0] if close else None


def _written(key: str) -> str:
    """Return a key as TOML writes it, on one line whatever it holds."""
    return key if BARE_KEY.fullmatch(key) else repr(key)


def _unknown(key: str, meant: str | None, fields: Mapping[str, FieldInfo]) -> Fault:
    if meant:
        return Fault(key, f"unknown key; did you mean {meant}?")
    return Fault(key, f"unknown key; expected one of {', '.join(fields)}")


def _table(field: FieldInfo) -> type[Struct] | None:
    """Return the schema of a field that is a table, or may be left out."""
    kinds = get_args(field.type) if isinstance(field.type, UnionType) else (field.type,)
    return next((kind for kind in kinds if _is_schema(kind)), None)


def _row(field: FieldInfo) -> type[Struct] | None:
    """Return the schema of the tables in a field that is a list of them."""
    listed = get_args(field.type)[:1]
    rows = get_args(listed[0])[:1] if listed and _is_tuple(listed[0]) else ()
    return next((kind for kind in rows if _is_schema(kind)), None)


def _is_schema(kind: object) -> TypeGuard[type[Struct]]:
    return isinstance(kind, type) and issubclass(kind, Struct)


def _is_tuple(kind: object) -> bool:
    return get_origin(kind) is tuple


def _expected(field: FieldInfo) -> str:
    schema = _table(field)
    if schema:
        return table_with(field.encode_name, schema)
    return _description(field)


def table_with(name: str, schema: type[Struct]) -> str:
    """Return how a message asks for a table, with the keys that it may have."""
    return f"a table [{name}] with {', '.join(schema.__struct_encode_fields__)}"


def _description(field: FieldInfo) -> str:
    """Return what the schema says in words of a value; the outermost word counts."""
    notes = [note for note in get_args(field.type)[1:] if isinstance(note, Meta)]
    return next(note.description for note in reversed(notes) if note.description)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN_MAX else f"{text[:SHOWN_MAX]}…"
