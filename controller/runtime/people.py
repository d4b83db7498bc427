"""Who a person is: the runtime vouches for ids and roles, the core checks them.

A table knows the people of a file that its hardware file names (docs/people.md). Who
is listed there speaks only after giving a PIN (`controller.runtime.logins`). Without
such a file nobody logs in: a live table knows dealers alone, by the first letter of
their ids, so that it can be dealt at but nobody can decide an irregularity; a
simulated one knows everybody by that letter, as scenarios do.
"""

import os
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from controller.core.commands import Person
from controller.core.ids import Role
from controller.runtime.errors import PeopleFileError
from controller.runtime.pins import is_kept
from controller.words.names import person_of
from hw_config.errors import Fault
from hw_config.fields import read_fields
from hw_config.schema import Kind, TableHardware

ROLES: Final = tuple(role for role in Role if role is not Role.UNKNOWN)
"""The roles that a person can be listed with."""

NAME_MAX_CHARACTERS: Final = 100

DEALER_LETTER: Final = {"D": Role.DEALER}
LETTERS: Final = {"S": Role.SUPERVISOR, "D": Role.DEALER, "T": Role.TECHNICIAN}

_KEY: Final = "people"
_ONE_OF: Final = "one of " + ", ".join(role.value for role in ROLES)
_NOT_FOR_OTHERS: Final = stat.S_IWGRP | stat.S_IRWXO
"""Who reads what is kept of PINs can guess at them in peace; who writes it is in."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a file says of one person; without `pin` they cannot log in yet."""

    role: Annotated[Role, Meta(description=_ONE_OF)]
    name: Annotated[
        str, Meta(max_length=NAME_MAX_CHARACTERS, description="a name in words")
    ] = ""
    pin: Annotated[str, Meta(description="what tablectl people set-pin writes")] = ""


_NOBODY: Final = Entry(Role.UNKNOWN)


class People(msgspec.Struct, frozen=True):
    """The people of a table: those listed, and roles by letter for those who are not.

    `file` is where they are listed, None where nobody is.
    """

    listed: Mapping[str, Entry]
    by_letter: Mapping[str, Role]
    file: Path | None = None

    @property
    def log_in(self) -> bool:
        """Whether people must log in before their lines count."""
        return self.file is not None

    def person(self, name: str) -> Person:
        """Return who this id is, with the role that we vouch for."""
        if name in self.listed:
            return Person(name, self.listed[name].role)
        return Person(name, self.by_letter.get(name[:1], Role.UNKNOWN))

    def read_again(self) -> "People":
        """Return the people as they are listed now.

        Raises:
            PeopleFileError: The file cannot be used any more.

        """
        return self if self.file is None else People(load(self.file), {}, self.file)


def people_at(hardware: TableHardware) -> People:
    """Return the people of the table that a hardware file describes.

    Raises:
        PeopleFileError: The file it names cannot be used; a line for each fault.

    """
    return people_of(hardware.kind, Path(hardware.people) if hardware.people else None)


def people_of(kind: Kind, file: Path | None) -> People:
    """Return the people of a table of this kind.

    Raises:
        PeopleFileError: The file cannot be used; a line for each fault.

    """
    if file is not None:
        return People(load(file), {}, file)
    return People({}, LETTERS if kind is Kind.SIMULATION else DEALER_LETTER)


def load(file: Path) -> dict[str, Entry]:
    """Return who is listed in a file, by id.

    Raises:
        PeopleFileError: It cannot be used; a line for each fault.

    """
    document, mode = _read(file)
    faults = [
        Fault(key, f"unknown key; expected a table for each person, [{_KEY}.ID]")
        for key in document.keys() - {_KEY}
    ]
    people = document.get(_KEY)
    if not isinstance(people, dict) or not people:
        faults.append(Fault(_KEY, f"expected a table for each person, [{_KEY}.ID]"))
        people = {}
    listed: dict[str, Entry] = {}
    for name, values in people.items():
        entry, wrong = _entry(name, values)
        listed[name] = entry
        faults += wrong
    if mode & _NOT_FOR_OTHERS and any(entry.pin for entry in listed.values()):
        faults.append(Fault(_KEY, f"PINs are open to others; chmod 600 {file}"))
    if faults:
        raise PeopleFileError(
            "\n".join(f"{file}: {fault.key}: {fault.text}" for fault in faults)
        )
    return listed


def _entry(name: str, values: object) -> tuple[Entry, list[Fault]]:
    key = f"{_KEY}.{name}"
    if person_of(name) is None:
        return _NOBODY, [Fault(key, "expected an id such as S1 or miller-2")]
    if not isinstance(values, dict):
        return _NOBODY, [Fault(key, 'expected a table with role = "…"')]
    # A PIN that somebody wrote down in clear shall not be quoted by any message.
    pin = values.get("pin", "")
    others = {name: value for name, value in values.items() if name != "pin"}
    found, faults = read_fields(Entry, others, f"{key}.")
    role = found.get(f"{key}.role")
    if role is Role.UNKNOWN:
        faults.append(Fault(f"{key}.role", f"expected {_ONE_OF}"))
    if pin != "" and not (isinstance(pin, str) and is_kept(pin)):
        expected = "expected what tablectl people set-pin writes"
        faults.append(Fault(f"{key}.pin", expected))
    if faults:
        return _NOBODY, faults
    assert isinstance(role, Role)
    return Entry(role, str(found.get(f"{key}.name", "")), str(pin)), []


def _read(file: Path) -> tuple[dict[str, object], int]:
    """Return what a file holds, and its mode."""
    try:
        with file.open("rb") as opened:
            return tomllib.load(opened), os.fstat(opened.fileno()).st_mode
    except OSError as error:
        raise PeopleFileError(f"{file}: cannot be read: {error.strerror}") from error
    # Beside what is no TOML, endless digits and brackets make these two.
    except (ValueError, RecursionError) as error:
        raise PeopleFileError(f"{file}: expected TOML in UTF-8: {error}") from error
