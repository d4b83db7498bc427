"""Who a person is: the runtime vouches for ids and roles, the core checks them.

A live table knows the people of a file that its hardware file names:

    [people.S1]
    role = "supervisor"     # or dealer, technician
    name = "A. Miller"      # for the reader of the file; nothing else uses it

Without such a file it knows dealers alone, by the first letter of their ids, so
that it can be dealt at but nobody can decide an irregularity. A simulated table
knows everybody by that letter, as scenarios do.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from controller.core.commands import Person
from controller.core.ids import Role
from controller.runtime.errors import PeopleFileError
from controller.words.names import person_of
from hw_config.errors import Fault
from hw_config.fields import read_fields
from hw_config.schema import Kind

DEALER_LETTER: Final = {"D": Role.DEALER}
LETTERS: Final = {"S": Role.SUPERVISOR, "D": Role.DEALER, "T": Role.TECHNICIAN}

_ROLES: Final = (Role.DEALER, Role.SUPERVISOR, Role.TECHNICIAN)
_KEY: Final = "people"


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a file says of one person."""

    role: Annotated[
        Role, Meta(description="one of " + ", ".join(role.value for role in _ROLES))
    ]
    name: Annotated[str, Meta(max_length=100, description="a name in words")] = ""


class People(msgspec.Struct, frozen=True):
    """The people of a table: those listed, and roles by letter for those who are not.

    A login, with a PIN of its own, will narrow down who may use which id; what it
    vouches for stays a `Person`.
    """

    listed: Mapping[str, Role]
    by_letter: Mapping[str, Role]

    def person(self, name: str) -> Person:
        """Return who this id is, with the role that we vouch for."""
        role = self.listed.get(name) or self.by_letter.get(name[:1], Role.UNKNOWN)
        return Person(name, role)


def people_of(kind: Kind, file: Path | None) -> People:
    """Return the people of a table of this kind.

    Raises:
        PeopleFileError: The file cannot be used; a line for each fault.

    """
    if file is not None:
        return People(_load(file), {})
    return People({}, LETTERS if kind is Kind.SIMULATION else DEALER_LETTER)


def _load(file: Path) -> dict[str, Role]:
    document = _read(file)
    faults = [
        Fault(key, f"unknown key; expected a table for each person, [{_KEY}.ID]")
        for key in document.keys() - {_KEY}
    ]
    people = document.get(_KEY)
    if not isinstance(people, dict) or not people:
        faults.append(Fault(_KEY, f"expected a table for each person, [{_KEY}.ID]"))
        people = {}
    listed: dict[str, Role] = {}
    for name, values in people.items():
        role, wrong = _entry(name, values)
        listed[name] = role
        faults += wrong
    if faults:
        raise PeopleFileError(
            "\n".join(f"{file}: {fault.key}: {fault.text}" for fault in faults)
        )
    return listed


def _entry(name: str, values: object) -> tuple[Role, list[Fault]]:
    key = f"{_KEY}.{name}"
    if person_of(name) is None:
        return Role.UNKNOWN, [Fault(key, "expected an id such as S1 or miller-2")]
    if not isinstance(values, dict):
        return Role.UNKNOWN, [Fault(key, 'expected a table with role = "…"')]
    found, faults = read_fields(Entry, values, f"{key}.")
    role = found.get(f"{key}.role")
    if role is Role.UNKNOWN:
        expected = ", ".join(role.value for role in _ROLES)
        faults.append(Fault(f"{key}.role", f"expected one of {expected}"))
    return role if isinstance(role, Role) else Role.UNKNOWN, faults


def _read(file: Path) -> dict[str, object]:
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise PeopleFileError(f"{file}: cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise PeopleFileError(f"{file}: expected TOML in UTF-8: {error}") from error
