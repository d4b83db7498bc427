"""The import rules: each fires on a planted import, and the core keeps its few."""

import subprocess
import sys
from pathlib import Path
from typing import Final

import grimp
import pytest

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = ("controller", "drivers", "hw_config", "simulators")

VALUE_MODULES: Final = {
    *("abc", "collections", "dataclasses", "enum", "fractions", "functools"),
    *("bisect", "difflib", "hashlib", "heapq", "itertools", "json", "math"),
    *("numbers", "operator", "re", "string", "struct", "tomllib", "types", "typing"),
    *("msgspec", "transitions"),
}
"""What computes values from values: no clock, no chance, no file, no other process."""

LINT_HERE: Final = """
import sys
sys.path.insert(0, "")  # The copy comes before the installed project.
from importlinter.cli import lint_imports_command
lint_imports_command(["--no-cache"])
"""

PLANTED: Final = {
    "hw_config looks up": ("hw_config/planted.py", "import drivers", "Layers"),
    "a driver knows the game": ("drivers/planted.py", "import controller", "Layers"),
    "the journal knows the runtime": (
        "controller/journal/planted.py",
        "import controller.runtime",
        "Inside the controller",
    ),
    "a package without a place": (
        "controller/planted/__init__.py",
        "",
        "Inside the controller",
    ),
    "the core reads a clock": (
        "controller/core/planted.py",
        "from time import monotonic",
        "The core",
    ),
    "the core knows the hardware": (
        "controller/core/planted.py",
        "import hw_config",
        "The core",
    ),
    "a session reads a clock": (
        "drivers/panel/planted.py",
        "import time",
        "Sessions",
    ),
    "a session knows the ports": (
        "drivers/panel/planted.py",
        "import drivers.ports",
        "Inside drivers",
    ),
    "the runtime reaches for pins itself": (
        "controller/runtime/planted.py",
        "import gpiozero",
        "Only the pins' driver",
    ),
    "a simulated device makes its own pins": (
        "simulators/devices/planted.py",
        "from gpiozero.pins.mock import MockFactory",
        "Only the pins' driver",
    ),
    "framing knows the ports": (
        "drivers/framing.py",
        "import drivers.ports",
        "Inside drivers",
    ),
    "the panel knows the shoe": (
        "drivers/panel/planted.py",
        "import drivers.shoe",
        "One device",
    ),
    "a simulated device knows the controller": (
        "simulators/devices/planted.py",
        "import controller.core",
        "Simulated devices",
    ),
}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return the packages without their modules, but ports, and the import rules."""
    for package in PACKAGES:
        for source in (ROOT / package).rglob("__init__.py"):
            target = tmp_path / source.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.touch()
    (tmp_path / "drivers/ports.py").write_text("import asyncio, os, serial")
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    return tmp_path


def broken_rules(project: Path) -> list[str]:
    """Return the lines with which the linter names the rules that are broken."""
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", LINT_HERE],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Contracts:" in done.stdout, done.stdout + done.stderr
    return [line for line in done.stdout.splitlines() if " BROKEN" in line]


def test_ports_that_touch_the_world_break_no_rule(copy: Path) -> None:
    assert broken_rules(copy) == []


@pytest.mark.parametrize(("file", "text", "rule"), PLANTED.values(), ids=PLANTED.keys())
def test_a_planted_import_breaks_its_rule(
    copy: Path, file: str, text: str, rule: str
) -> None:
    planted = copy / file
    planted.parent.mkdir(exist_ok=True)
    planted.write_text(text)
    (broken,) = broken_rules(copy)
    assert broken.startswith(rule)


def test_the_core_imports_value_modules_alone() -> None:
    graph = grimp.build_graph(
        "controller", include_external_packages=True, cache_dir=None
    )
    core = {"controller.core"} | graph.find_descendants("controller.core")
    imported = {
        name
        for module in core
        for name in graph.find_modules_directly_imported_by(module)
        if name not in core
    }
    assert imported <= VALUE_MODULES
