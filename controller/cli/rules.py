"""`tablectl rules`: a ruleset clause by clause, its digest and its approval."""

import re
from pathlib import Path

import click
import msgspec

from controller.cli.failures import MisuseError, reading_a_journal
from controller.cli.options import journal_option, json_option
from controller.cli.output import print_heading, print_json, print_table
from controller.core.errors import RulesetError
from controller.core.rules import Rules
from controller.core.ruleset_digest import ruleset_digest
from controller.evidence.in_force import rules_in_force
from controller.rulesets.loader import load_ruleset, shipped_names

_DESCRIPTION = re.compile(r"(?P<words>.*) \((?P<clauses>[^()]*)\)\.")


class Clause(msgspec.Struct, frozen=True):
    """One key of a ruleset: its value, the clauses it settles, what it means."""

    key: str
    value: object
    clauses: tuple[str, ...]
    meaning: str


class Shown(msgspec.Struct, frozen=True):
    """A ruleset as this command shows it."""

    name: str
    digest: str
    approval: object
    clauses: tuple[Clause, ...]


@click.command
@click.argument("name", required=False)
@journal_option(required=False)
@json_option
def rules(name: str | None, journal: Path | None, *, as_json: bool) -> None:
    """Show a ruleset clause by clause, with its digest and approval.

    NAME is a shipped ruleset or a file that ends in .toml. Without it the ruleset
    in force of the journal is shown; without either, the shipped names.
    """
    if name is None and journal is None:
        _list_shipped(as_json=as_json)
        return
    shown = shown_rules(_named(name) if name else _in_force(journal))
    if as_json:
        print_json(shown)
    else:
        _print(shown)


def shown_rules(found: Rules) -> Shown:
    """Return a ruleset with each key's clauses and meaning."""
    plain = msgspec.to_builtins(found)
    described = (
        field
        for field in msgspec.inspect.type_info(Rules).fields  # type: ignore[attr-defined]  # Rules is a Struct, so its info has fields
    )
    clauses = tuple(
        _clause(field.name, plain[field.name], field.type) for field in described
    )
    kept = tuple(c for c in clauses if c.key not in {"name", "approval"})
    return Shown(found.name, ruleset_digest(found), plain["approval"], kept)


def _clause(key: str, value: object, kind: object) -> Clause:
    assert isinstance(kind, msgspec.inspect.Metadata)
    description = str((kind.extra_json_schema or {})["description"])
    match = _DESCRIPTION.fullmatch(description)
    if match is None:
        return Clause(key, value, (), description)
    clauses = tuple(match["clauses"].split(", "))
    return Clause(key, value, clauses, match["words"])


def _named(name: str) -> Rules:
    try:
        return load_ruleset(name)
    except RulesetError as error:
        raise MisuseError(str(error)) from error


def _in_force(journal: Path | None) -> Rules:
    assert journal is not None
    with reading_a_journal():
        return rules_in_force(journal)


def _list_shipped(*, as_json: bool) -> None:
    shipped = [(name, ruleset_digest(load_ruleset(name))) for name in shipped_names()]
    if as_json:
        print_json([{"name": name, "digest": value} for name, value in shipped])
    else:
        print_table(("ruleset", "digest"), shipped)


def _print(shown: Shown) -> None:
    print_heading(f"Ruleset {shown.name}")
    click.echo(f"Digest    {shown.digest}")
    click.echo(f"Approval  {_approval(shown.approval)}\n")
    rows = [
        (", ".join(clause.clauses), clause.key, _value(clause.value), clause.meaning)
        for clause in shown.clauses
    ]
    print_table(("clause", "key", "value", "meaning"), rows)


def _approval(approval: object) -> str:
    if not isinstance(approval, dict):
        return "none needed: no clause of the rules is varied"
    return "{authority}, {reference}, {date}".format_map(approval)


def _value(value: object) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case list() | tuple():
            return " ".join(map(str, value)) or "none"
        case _:
            return str(value)
