"""The firmware is what MicroPython can run, and knows nothing of the controller."""

import ast
import json
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
FIRMWARE: Final = ROOT / "firmware"
PANEL: Final = sorted((FIRMWARE / "panel").glob("*.py"))

ON_EVERY_BOARD: Final = {"array", "binascii", "gc", "os", "struct", "time"}
OF_ITS_OWN: Final = {source.stem for source in PANEL}
LACKING_STATEMENTS: Final = ("Match", "TryStar", "TypeAlias")
LACKING_METHODS: Final = {
    *("bit_count", "bit_length", "casefold", "is_integer", "isidentifier"),
    *("isascii", "ljust", "maketrans", "removeprefix", "removesuffix", "rjust"),
    *("translate", "zfill"),
}
"""Methods of values that CPython has and MicroPython lacks."""


def findings(source: str, name: str) -> list[str]:
    """Return what in a file of the panel a board could not run, or should not know."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names):
                known = ON_EVERY_BOARD | ({"machine"} if name == "board" else set())
                found += [alias.name for alias in names if alias.name not in known]
            case ast.ImportFrom(module, _, level):
                known = OF_ITS_OWN if level else ON_EVERY_BOARD
                if module not in known and (name, module) != ("board", "machine"):
                    found.append(str(module))
            case ast.Attribute(attr=attribute) if attribute in LACKING_METHODS:
                found.append(attribute)
            case ast.Call(ast.Name("zip" | "sorted"), keywords=[_, *_]):
                found.append("keywords of zip and sorted")
            case _ if type(node).__name__ in LACKING_STATEMENTS:
                found.append(type(node).__name__)
            case _:
                pass
    return found


@pytest.mark.parametrize("source", PANEL, ids=lambda path: path.stem)
def test_a_file_of_the_panel_keeps_to_what_both_pythons_know(source: Path) -> None:
    assert findings(source.read_text(), source.stem) == []


@pytest.mark.parametrize(
    "planted",
    [
        "import machine",
        "import asyncio",
        "from typing import Final",
        "from drivers.framing import Frame",
        "from .codec import Frame",
        "match 1:\n  case 1: pass",
        "size = (5).bit_length()",
        "pairs = zip([], [], strict=True)",
    ],
)
def test_what_a_board_could_not_run_is_found(planted: str) -> None:
    assert len(findings(planted, "panel")) == 1


def test_only_the_board_knows_pins() -> None:
    with_pins = [source.stem for source in PANEL if "machine" in source.read_text()]
    assert with_pins == ["board"]
    assert findings("from machine import Pin", "board") == []


def test_what_runs_it_is_locked_by_hash_and_by_no_address() -> None:
    lock = json.loads((FIRMWARE / "package-lock.json").read_text())
    wanted = json.loads((FIRMWARE / "package.json").read_text())["devDependencies"]
    locked = {name: entry for name, entry in lock["packages"].items() if name}
    assert {
        name.removeprefix("node_modules/"): entry["version"]
        for name, entry in locked.items()
    } == wanted
    for entry in locked.values():
        assert entry["integrity"].startswith("sha512-")
        assert "resolved" not in entry
