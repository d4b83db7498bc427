"""What is wrong with the values of a ruleset, key by key, in words."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec
from msgspec import inspect

from controller.core.cards import RANKS

_SHOWN_MAX: Final = 40


def faults(rules: type[msgspec.Struct], plain: dict[str, Any]) -> Iterator[str]:
    """Yield a line for each key that is missing, unknown or of another kind."""
    fields = {field.name: field for field in msgspec.structs.fields(rules)}
    for key in plain.keys() - fields.keys():
        yield f"{key}: unknown key, expected one of {', '.join(fields)}"
    for key, field in fields.items():
        if key not in plain:
            if field.required:
                yield f"{key}: missing, expected {_expected(field.type)}"
            continue
        try:
            msgspec.convert(plain[key], field.type, strict=False)
        except msgspec.ValidationError:
            yield f"{key}: expected {_expected(field.type)}, got {_shown(plain[key])}"


def _expected(kind: Any) -> str:  # noqa: ANN401 - a type may be any form
    """Return in words what a key takes."""
    match inspect.type_info(kind):
        case inspect.Metadata(
            type=inspect.StrType(), extra_json_schema={"title": words}
        ):
            return str(words)
        case inspect.Metadata(type=inner):
            return _words(inner)
        case plain:
            return _words(plain)


def _words(info: inspect.Type) -> str:
    match info:
        case inspect.BoolType():
            return "true or false"
        case inspect.IntType(ge=least, le=most):
            return f"a whole number from {least} to {most}"
        case inspect.FloatType(ge=least, le=most):
            return f"a number from {least} to {most}"
        case inspect.EnumType(cls=cls):
            return f"one of {', '.join(member.value for member in cls)}"
        case inspect.UnionType():
            return "authority/reference/date"
        case inspect.VarTupleType():
            return f"ranks in a row, of {RANKS}"
        case _:
            return "text"


def _shown(value: object) -> str:
    parts = value.values() if isinstance(value, dict) else (value,)
    text = "/".join(map(str, parts)) or '""'
    return text if len(text) <= _SHOWN_MAX else f"{text[:_SHOWN_MAX]}…"
