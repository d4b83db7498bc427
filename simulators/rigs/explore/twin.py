"""A twin of what watches a table, for the other way that play can go from there."""

from typing import TypeVar

import msgspec

from simulators.rigs.checkers.checker import Checker, Inspection
from simulators.rigs.checkers.layout import Insured, Layout, Lying
from simulators.rigs.checkers.tabletop import Tabletop

Kept = TypeVar("Kept")

_WATCHING = (Inspection, Checker, Tabletop, Layout, Lying, Insured)
_PLAIN = (str, int, bytes, msgspec.Struct)


def twin(value: Kept, made: dict[int, object] | None = None) -> Kept:
    """Return a copy that remembers the same and shares nothing that changes.

    A whole deep copy would also copy each record, which never changes; that takes
    a hundred times as long.
    """
    made = {} if made is None else made
    if isinstance(value, _PLAIN):
        return value
    if id(value) in made:
        return made[id(value)]  # type: ignore[return-value] # the copy of this very value
    copied = _copied(value, made)
    made[id(value)] = copied
    return copied  # type: ignore[return-value] # of the type of `value`


def _copied(value: object, made: dict[int, object]) -> object:
    match value:
        case dict():
            return {key: twin(kept, made) for key, kept in value.items()}
        case list():
            return [twin(kept, made) for kept in value]
        case tuple():
            return tuple([twin(kept, made) for kept in value])
        case set():
            return set(value)
        case _ if isinstance(value, _WATCHING):
            other = object.__new__(type(value))
            vars(other).update({k: twin(kept, made) for k, kept in vars(value).items()})
            return other
        case _:
            return value
