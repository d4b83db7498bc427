"""docs/events.md: every record of a journal, its fields, units and versions."""

import enum
import inspect
import sys
import typing
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import NODEFAULT
from msgspec import inspect as shape

from controller.core.commands import Command, Cursor, Person
from controller.core.computer import UsbDevice
from controller.core.decisions import Decision
from controller.core.events import Event, Predecessor
from controller.core.rules import Approval, Rules
from controller.core.software import Component, ComponentChange, Software
from controller.core.state import Insurance, Place, Prompt, Wager
from tools.field_meanings import FIELD_MEANINGS
from tools.tables import code, table

_INTRO: Final = """# The records of a journal

Made from the code by `make docs`; a test compares. How they stand in the file is in
[journal.md](journal.md): the columns `type` and `version` say which of these it is,
`body` has its fields as JSON. Every field is written out, also where it has the value
that stands behind `=` here. Units are the last part of a name: `_cents`, `_ms`, `_s`,
`_bytes`. A field is never renamed or removed: a record that changes gets a higher
version. Clauses are in [rules.md](rules.md).

## Significant events

What a house asks for first, by names that stay:

{significant}

## What comes in

The first record of each batch is what was asked or reported; those that follow from it
have its sequence as `cause`.

{commands}
{events}
## Fields

{fields}

## Decisions

The field `decision` of `decision_given` is one of these, told apart by its own field
`decision`.

{decisions}

## Values

{values}

## Parts

{parts}

## The ruleset

{rules}
"""

RECORDS: Final[tuple[type[msgspec.Struct], ...]] = typing.get_args(Command | Event)
DECISIONS: Final[tuple[type[msgspec.Struct], ...]] = typing.get_args(Decision)
_PARTS: Final = (
    Wager,
    Insurance,
    Place,
    Prompt,
    Person,
    Cursor,
    Predecessor,
    Software,
    Component,
    ComponentChange,
    UsbDevice,
)

_PART_MEANINGS: Final[Mapping[str, str]] = {
    "Wager.spot": "the betting circle",
    "Wager.seat": "the seat that put it there",
    "Wager.amount_cents": "in cents",
    "Insurance.seat": "the seat that was asked",
    "Insurance.amount_cents": "in cents; 0: declined",
    "Insurance.result": "how it ended; nothing until then",
    "Insurance.net_cents": "what the player won, in cents",
    "Predecessor.file": "its name now, beside its successor",
    "Predecessor.found": "what was wrong with it",
    "Predecessor.sequence": "the last of its records that was taken over; 0: none",
    "Predecessor.hash": "the hash of that record, in hex",
    "Predecessor.supervisor": "who decided it",
    "Predecessor.technician": "who carried it out",
    "Predecessor.reason": "why, in their words",
    "Predecessor.void_round": "the round that was open and is void; 0: none was",
    "Predecessor.wagers": "what goes back, one wager for each hand",
    "Predecessor.insurance": "the insurance that goes back",
    "Software.components": "the parts, by name",
    "Software.digest": "SHA-256 over their digests, in hex ([self-test](self-test.md))",
    "Component.name": "what the part is called",
    "Component.version": "its version, empty: it says none",
    "Component.digest": "SHA-256 over its files, in hex",
    "ComponentChange.name": "what the part is called",
    "ComponentChange.accepted": "the part as accepted; nothing: it was not there",
    "ComponentChange.found": "the part as it is now; nothing: it is not there",
    "UsbDevice.port": "the kernel's name of its socket, as `1-1.2`",
    "UsbDevice.vendor": "the number of its vendor, four hexadecimal digits",
    "UsbDevice.product": "the number of the product, four hexadecimal digits",
    "UsbDevice.name": "what it calls itself; empty: nothing",
    "UsbDevice.serial": "the serial number that it gives; empty: none",
    "UsbDevice.functions": "what it may be used as",
    "Place.hand": "the hand that the card goes to; empty: the rack",
    "Place.face_down": "the card is shown to nobody",
    "Prompt.seat": "the seat; 0: the dealer's panel",
    "Prompt.number": "its number; a press answers one number",
    "Prompt.buttons": "the lamps that are lit",
    "Prompt.hand": "the hand that the buttons are for; empty: none",
    "Person.id": "who it is",
    "Person.role": "the role that the program vouches for",
    "Cursor.boot_id": "which start of the device",
    "Cursor.number": "the last of its reports that is taken",
}

SIGNIFICANT: Final[Mapping[str, tuple[str, ...]]] = {
    "a journal begins": ("journal_opened",),
    "the controller starts": ("control_resumed", "table_recovered"),
    "the controller stops": ("control_stopped",),
    "a power loss is found, or an end without a stop": (
        "power_loss_found",
        "abrupt_end_found",
        "sealed_cards_lost",
    ),
    "the program is looked at, differs, is accepted": (
        "self_test_reported",
        "software_changed",
        "software_accept_asked",
        "software_accepted",
    ),
    "the clock is set": ("clock_stepped",),
    "the enclosure is opened or shut, its key switch turned": (
        "enclosure_opened",
        "enclosure_closed",
        "key_switch_turned",
    ),
    "something is plugged into the computer, or taken away": (
        "usb_devices_found",
        "usb_device_inserted",
        "usb_device_removed",
    ),
    "the computer's supply, speed or clock battery fails, or is good again": (
        "computer_fault_found",
        "computer_fault_ended",
    ),
    "somebody logs in or out": (
        "person_logged_in",
        "person_logged_out",
        "login_delay_lifted",
    ),
    "buttons and lamps are tried by hand": ("test_mode_begun", "test_mode_ended"),
    "something is refused": (
        "login_refused",
        "press_refused",
        "command_refused",
    ),
    "a link is lost, or back": ("panel_lost", "panel_back", "shoe_changed"),
    "a device was started anew": ("panel_adopted", "shoe_adopted"),
    "the configuration changes": (
        "ruleset_set",
        "signing_key_set",
        "shoe_replaced",
        "software_changed",
    ),
    "the table is stopped, decided, goes on": (
        "irregularity_found",
        "table_suspended",
        "decision_taken",
        "irregularity_cleared",
        "table_resumed",
    ),
    "the program fails on an input": ("internal_fault",),
    "the disk fills up, or has room again": ("disk_nearly_full", "disk_roomy"),
    "a shift begins, or ends": ("shift_opened", "shift_closed"),
}
"""The records that tell of what matters outside a round, by what happened."""


def events_document() -> str:
    """Return the document of the records."""
    return _INTRO.format(
        significant=_significant_table(),
        commands=_records_table(typing.get_args(Command)),
        events="".join(
            f"\n## {title}\n\n{_records_table(records)}\n"
            for title, records in sections(typing.get_args(Event)).items()
        ),
        fields=_fields_table(),
        decisions=_decisions_table(),
        values=_values_table(),
        parts=_parts_table(),
        rules=_rules_table(),
    )


def _significant_table() -> str:
    rows = (
        (happened, ", ".join(map(code, records)))
        for happened, records in SIGNIFICANT.items()
    )
    return table(("when", "records"), rows)


def sections(
    records: Iterable[type[msgspec.Struct]],
) -> dict[str, list[type[msgspec.Struct]]]:
    """Return records, each under the first line of its module, in their order."""
    found: dict[str, list[type[msgspec.Struct]]] = {}
    for record in records:
        says = inspect.getdoc(sys.modules[record.__module__]) or ""
        title = says.partition("\n")[0].removesuffix(".")
        found.setdefault(title, []).append(record)
    return found


def tag_of(struct: type[msgspec.Struct]) -> str:
    """Return the type of a record, or the name of a decision."""
    return str(struct.__struct_config__.tag)


def meaning_of(struct: type[msgspec.Struct], field: str) -> str:
    """Return what a field of this record holds."""
    return FIELD_MEANINGS.get(f"{tag_of(struct)}.{field}") or FIELD_MEANINGS[field]


def _records_table(records: Iterable[type[msgspec.Struct]]) -> str:
    rows = (
        (
            code(tag_of(record)),
            str(getattr(record, "VERSION", 1)),
            _says(record),
            ", ".join(_fields(record)),
        )
        for record in records
    )
    return table(("record", "version", "says", "fields"), rows)


def _says(struct: type) -> str:
    """Return a docstring as one line."""
    return " ".join((inspect.getdoc(struct) or "").split())


def _fields(struct: type[msgspec.Struct]) -> Iterator[str]:
    for field in msgspec.structs.fields(struct):
        default = field.default
        if default is NODEFAULT:
            yield code(field.name)
        else:
            plain = msgspec.json.encode(default).decode()
            yield code(f"{field.name}={plain}")


def _decisions_table() -> str:
    rows = (
        (
            code(tag_of(decision)),
            str(getattr(decision, "CLAUSE")),  # noqa: B009 - not every Struct has one
            _says(decision),
            ", ".join(_fields(decision)),
        )
        for decision in DECISIONS
    )
    return table(("decision", "clause", "says", "fields"), rows)


def _fields_table() -> str:
    kinds: dict[tuple[str, str], set[str]] = {}
    for struct in (*RECORDS, *DECISIONS):
        for name, kind in _kinds(struct):
            own = f"{tag_of(struct)}.{name}"
            kinds.setdefault(
                (own if own in FIELD_MEANINGS else name, meaning_of(struct, name)),
                set(),
            ).add(kind)
    rows = (
        (code(name), " or ".join(sorted(kinds[name, meaning])), meaning)
        for name, meaning in sorted(kinds)
    )
    return table(("field", "is", "holds"), rows)


def _kinds(struct: type[msgspec.Struct]) -> Iterator[tuple[str, str]]:
    info = shape.type_info(struct)
    assert isinstance(info, shape.StructType)
    for field in info.fields:
        yield field.name, kind_of(field.type)


_PLAIN: Final[Mapping[type[shape.Type], str]] = {
    shape.IntType: "whole number",
    shape.FloatType: "number",
    shape.BoolType: "yes or no",
    shape.StrType: "text",
    shape.NoneType: "nothing",
}


def kind_of(info: shape.Type) -> str:
    """Return what kind of value a field takes, in words."""
    match info:
        case shape.EnumType(cls=cls) | shape.StructType(cls=cls):
            return code(cls.__name__)
        case shape.LiteralType():
            return "text"
        case shape.VarTupleType(item_type=item):
            return f"list of {kind_of(item)}"
        case shape.DictType(key_type=key, value_type=value):
            return f"{kind_of(value)} by {kind_of(key)}"
        case shape.UnionType(types=types) if all(map(_is_struct, types)):
            return "one of the decisions"
        case shape.UnionType(types=types):
            return " or ".join(kind_of(one) for one in types)
        case _:
            return _PLAIN[type(info)]


def _is_struct(info: shape.Type) -> bool:
    return isinstance(info, shape.StructType)


def _enumerations() -> list[type[enum.Enum]]:
    found: dict[str, type[enum.Enum]] = {}
    structs: tuple[type[msgspec.Struct], ...] = (*RECORDS, *DECISIONS, *_PARTS)
    for struct in structs:
        hints: dict[str, Any] = typing.get_type_hints(struct)
        for field in struct.__struct_fields__:
            kind = hints[field]
            if isinstance(kind, type) and issubclass(kind, enum.Enum):
                found[kind.__name__] = kind
    return [found[name] for name in sorted(found)]


def _values_table() -> str:
    rows = (
        (
            code(kind.__name__),
            _says(kind),
            ", ".join(code(member.value) for member in kind),
        )
        for kind in _enumerations()
    )
    return table(("name", "says", "values"), rows)


def _parts_table() -> str:
    rows = (
        (
            code(f"{part.__name__}.{name}"),
            kind,
            _PART_MEANINGS[f"{part.__name__}.{name}"],
        )
        for part in _PARTS
        for name, kind in _kinds(part)
    )
    return table(("field", "is", "holds"), rows)


def _rules_table() -> str:
    info = shape.type_info(Rules)
    assert isinstance(info, shape.StructType)
    rows = ((code(field.name), *_rule(field.type)) for field in info.fields)
    approval = ", ".join(code(name) for name in Approval.__struct_fields__)
    return table(("key", "is", "says"), rows) + f"\n\nAn approval has {approval}."


def _rule(info: shape.Type) -> tuple[str, str]:
    assert isinstance(info, shape.Metadata)
    schema = info.extra_json_schema or {}
    return kind_of(info.type), str(schema["description"])
