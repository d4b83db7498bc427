"""`tablectl people FILE …`: who may do what at a table, and their PINs.

A PIN is asked for twice without being shown, or read from standard input where no
person sits at a terminal. It is never an argument: those are seen by every user of
the machine.
"""

import contextlib
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import click
from msgspec.structs import replace

from controller.cli.failures import MisuseError
from controller.cli.options import FILE, json_option
from controller.cli.output import print_json, print_table
from controller.core.ids import Role
from controller.runtime.errors import PeopleFileError
from controller.runtime.people import NAME_MAX_CHARACTERS, ROLES, Entry, load
from controller.runtime.people_file import save
from controller.runtime.pins import Pin, kept, why_not
from controller.words.names import person_of

_ROLE: Final = click.Choice([role.value for role in ROLES])


class _Listed:
    """The file of people that the command line names."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def people(self, *, must_exist: bool = False) -> dict[str, Entry]:
        """Return who is listed; nobody where there is no file yet and need be none."""
        with _told_in_a_line():
            return load(self._file) if must_exist or self._file.exists() else {}

    def entry(self, name: str) -> Entry:
        """Return what is listed of somebody."""
        try:
            return self.people()[name]
        except KeyError:
            raise MisuseError(f"{self._file}: nobody is listed as {name}") from None

    def put(self, name: str, entry: Entry | None) -> None:
        """List somebody as this; None: no longer."""
        people = {**self.people(), name: entry}
        left = {name: one for name, one in people.items() if one is not None}
        if not left:
            raise MisuseError(f"{self._file}: a list needs somebody; remove the file")
        with _told_in_a_line():
            save(self._file, left)


@click.group("people")
@click.argument("file", type=FILE)
@click.pass_context
def command(context: click.Context, file: Path) -> None:
    """List in FILE who may do what at a table (`people` in the hardware file).

    A running table takes a change with the next login or decision.
    """
    context.obj = _Listed(file)


@command.command("list")
@json_option
@click.pass_obj
def list_(listed: _Listed, *, as_json: bool) -> None:
    """Show who is listed, and whether they have a PIN."""
    people = listed.people(must_exist=True)
    if as_json:
        print_json([_shown(name, people[name]) for name in sorted(people)])
        return
    print_table(
        ("id", "role", "PIN", "name"),
        [
            (name, entry.role.value, "set" if entry.pin else "none", entry.name)
            for name, entry in sorted(people.items())
        ],
    )


@command.command("add")
@click.argument("person")
@click.argument("role", type=_ROLE)
@click.option("--name", default="", help="A name in words, for who reads the list.")
@click.option("--no-pin", is_flag=True, help="Leave the PIN for later.")
@click.pass_obj
def add(listed: _Listed, person: str, role: str, name: str, *, no_pin: bool) -> None:
    """List PERSON in ROLE, with a PIN."""
    if person_of(person) is None:
        raise MisuseError(f"expected an id such as S1 or miller-2, got {person!r}")
    if person in listed.people():
        raise MisuseError(f"{person} is listed already; set-role or set-pin changes it")
    if len(name) > NAME_MAX_CHARACTERS or not name.isprintable():
        raise MisuseError(f"expected a name of at most {NAME_MAX_CHARACTERS} letters")
    pin = "" if no_pin else kept(_new_pin())
    listed.put(person, Entry(Role(role), name, pin))


@command.command("remove")
@click.argument("person")
@click.pass_obj
def remove(listed: _Listed, person: str) -> None:
    """List PERSON no longer."""
    listed.entry(person)
    listed.put(person, None)


@command.command("set-pin")
@click.argument("person")
@click.pass_obj
def set_pin(listed: _Listed, person: str) -> None:
    """Give PERSON another PIN."""
    listed.entry(person)
    pin = kept(_new_pin())
    listed.put(person, replace(listed.entry(person), pin=pin))


@command.command("set-role")
@click.argument("person")
@click.argument("role", type=_ROLE)
@click.pass_obj
def set_role(listed: _Listed, person: str, role: str) -> None:
    """Let PERSON be something else; the PIN stays."""
    listed.put(person, replace(listed.entry(person), role=Role(role)))


def _new_pin() -> Pin:
    pin = Pin(_typed() if sys.stdin.isatty() else _piped())
    if problem := why_not(pin):
        raise MisuseError(f"the PIN is not taken: {problem}")
    return pin


def _typed() -> str:
    return str(
        click.prompt("PIN", hide_input=True, confirmation_prompt="PIN again", err=True)
    )


def _piped() -> str:
    """Return the first line of standard input."""
    try:
        return sys.stdin.readline().rstrip("\r\n")
    except UnicodeDecodeError:
        raise MisuseError("the PIN is not taken: expected UTF-8") from None


def _shown(name: str, entry: Entry) -> Mapping[str, object]:
    return {
        "id": name,
        "role": entry.role.value,
        "name": entry.name,
        "has_pin": bool(entry.pin),
    }


@contextlib.contextmanager
def _told_in_a_line() -> Iterator[None]:
    try:
        yield
    except PeopleFileError as error:
        raise MisuseError(str(error)) from error
