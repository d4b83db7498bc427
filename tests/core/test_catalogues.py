"""What a module of events or commands defines is in the catalogue of its package."""

import importlib
import pkgutil
import typing
from collections.abc import Iterator
from types import ModuleType

import msgspec
import pytest

from controller.core import commands, events
from controller.core.commands import Command
from controller.core.events import Event

Union = tuple[type[msgspec.Struct], ...]

each_catalogue = pytest.mark.parametrize(
    ("package", "union"),
    [
        pytest.param(events, typing.get_args(Event), id="events"),
        pytest.param(commands, typing.get_args(Command), id="commands"),
    ],
)


def defined_in(package: ModuleType) -> Iterator[type[msgspec.Struct]]:
    """Return what has a tag of its own in the modules of a package."""
    for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        module = importlib.import_module(info.name)
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, msgspec.Struct):
                own = value.__module__ == module.__name__
                if own and value.__struct_config__.tag is not None:
                    yield value


@each_catalogue
def test_all_that_is_defined_is_in_the_union(package: ModuleType, union: Union) -> None:
    assert set(defined_in(package)) == set(union)


@each_catalogue
def test_all_in_the_union_go_by_their_name(package: ModuleType, union: Union) -> None:
    for kind in union:
        assert getattr(package, kind.__name__) is kind


@each_catalogue
def test_no_two_have_the_same_tag(package: ModuleType, union: Union) -> None:
    assert len({kind.__struct_config__.tag for kind in union}) == len(union), package
