"""The set-up: what is locked, and what `make` says to a newcomer."""

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any, Final

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).parents[1]
LOCK: Final = ROOT / "requirements.lock"
BENCH_LOCK: Final = ROOT / "requirements-bench.lock"
PI_LOCK: Final = ROOT / "requirements-pi.lock"
LOCKS: Final = [
    pytest.param(LOCK, id="requirements"),
    pytest.param(BENCH_LOCK, id="bench"),
    pytest.param(PI_LOCK, id="pi"),
]
PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text())

ADDRESS: Final = re.compile(r"/|\\\w|--(index|extra-index|find-links)|\bindex-url\b")
PINNED: Final = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>[^\s;]+)")
HASH: Final = re.compile(r"--hash=sha256:[0-9a-f]{64}\b")

WITHOUT_ENSUREPIP: Final = """#!/bin/sh
case "$2" in *ensurepip*) exit 1;; esac
exit 0
"""
TOO_OLD: Final = """#!/bin/sh
case "$1" in -V) echo Python 3.9.2; exit 0;; esac
exit 1
"""


def locked(lock: Path) -> dict[str, str]:
    """Return each package the lock names, with the lines that belong to it."""
    entries: dict[str, str] = {}
    name = ""
    for line in lock.read_text().splitlines():
        if found := PINNED.match(line):
            name = found["name"]
        if name:
            entries[name] = entries.get(name, "") + line + "\n"
    return entries


def needed(*extras: str) -> list[Requirement]:
    """Return what pyproject asks for: to run, and for the extras."""
    project = PROJECT["project"]
    texts = list(project["dependencies"])
    for extra in extras:
        texts += project["optional-dependencies"][extra]
    return [Requirement(text) for text in texts]


def make(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run `make` on our Makefile with `cwd` as the place to work in."""
    return subprocess.run(  # noqa: S603 - our own Makefile
        ["make", "--no-print-directory", "-f", str(ROOT / "Makefile"), *arguments],  # noqa: S607 - as a newcomer finds it
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def bare_clone(tmp_path: Path) -> Path:
    """Return a folder that holds what `make setup` reads, and nothing it made."""
    for name in ("requirements.lock", "pyproject.toml"):
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    return tmp_path


def stand_in(folder: Path, script: str) -> str:
    """Write an interpreter that behaves as `script` does; return its path."""
    path = folder / "python-stand-in"
    path.write_text(script)
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_address_and_no_place(lock: Path) -> None:
    assert [
        line for line in lock.read_text().splitlines() if ADDRESS.search(line)
    ] == []


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_package_carries_hashes(lock: Path) -> None:
    assert [
        name for name, entry in locked(lock).items() if not HASH.search(entry)
    ] == []


@pytest.mark.parametrize(
    ("lock", "extra"),
    [
        pytest.param(LOCK, "dev", id="dev"),
        pytest.param(BENCH_LOCK, "bench", id="bench"),
        pytest.param(PI_LOCK, "pi", id="pi"),
    ],
)
def test_a_lock_satisfies_every_dependency_of_the_project(
    lock: Path, extra: str
) -> None:
    entries = locked(lock)
    for requirement in needed(extra):
        pin = PINNED.match(entries[canonicalize_name(requirement.name)])
        assert pin
        assert requirement.specifier.contains(pin["version"]), requirement


def test_the_build_backend_is_locked_too() -> None:
    backend = {Requirement(text).name for text in PROJECT["build-system"]["requires"]}
    assert backend <= set(locked(LOCK))


@pytest.mark.parametrize("other", [BENCH_LOCK, PI_LOCK], ids=["bench", "pi"])
def test_another_lock_pins_what_the_first_lock_pins(other: Path) -> None:
    def pins(lock: Path) -> dict[str, str]:
        found = map(PINNED.match, locked(lock).values())
        return {pin["name"]: pin["version"] for pin in found if pin}

    first, second = pins(LOCK), pins(other)
    shared = first.keys() & second.keys()
    assert {name: second[name] for name in shared} == {
        name: first[name] for name in shared
    }


def test_make_without_a_target_explains_the_targets() -> None:
    said = make(cwd=ROOT).stdout
    for target in ("setup", "demo", "test", "check", "prove", "bench", "lock"):
        assert re.search(rf"^make {target} +\w", said, re.MULTILINE), target


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        pytest.param(
            WITHOUT_ENSUREPIP,
            "make setup needs the venv and ensurepip of {python};"
            " on Debian: apt install python3-venv.  Stop.",
            id="no-venv",
        ),
        pytest.param(
            TOO_OLD,
            "make setup needs Python 3.11 or newer, and {python} is Python 3.9.2;"
            " name another with PYTHON=.  Stop.",
            id="too-old",
        ),
    ],
)
def test_setup_says_in_one_line_what_the_machine_lacks(
    bare_clone: Path, script: str, expected: str
) -> None:
    python = stand_in(bare_clone, script)
    done = make("setup", f"PYTHON={python}", cwd=bare_clone)
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.endswith(f"*** {expected.format(python=python)}")


def test_setup_says_so_when_there_is_no_python(bare_clone: Path) -> None:
    done = make("setup", "PYTHON=no-such-python", cwd=bare_clone)
    (line,) = done.stderr.splitlines()
    assert "needs Python 3.11 or newer, and there is no no-such-python" in line


def test_ci_ends_in_make_test() -> None:
    assert (ROOT / ".ci/run").read_text().splitlines()[-1] == "exec make test"
