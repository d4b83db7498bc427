"""docs/self-test.md: it names the parts, and its commands give their digests."""

import hashlib
import importlib
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

import controller
import drivers
import hw_config
from controller.cli.from_sources import NOWHERE
from controller.runtime import self_test
from controller.runtime.self_test import examine
from controller.version import DISTRIBUTION
from tools.documents import DOCS

TEXT: Final = (DOCS / "self-test.md").read_text("utf-8")
PARTS: Final = (
    DISTRIBUTION,
    self_test.PYTHON,
    self_test.STANDARD_LIBRARY,
    self_test.START_UP,
    self_test.SYSTEM,
    self_test.OTHERS,
    self_test.RULESET,
    self_test.HARDWARE_FILE,
)
SIX: Final = importlib.import_module("six")
MODULES: Final = {one.__name__: one for one in (controller, drivers, hw_config, SIX)}


@pytest.mark.parametrize("part", PARTS)
def test_each_part_is_described(part: str) -> None:
    assert f"\n| `{part}` |" in TEXT


def test_the_unit_names_the_place_that_the_program_knows() -> None:
    assert f"Environment=PYTHONPYCACHEPREFIX={NOWHERE}\n" in TEXT


def outside(words: str, folder: Path) -> str:
    """Return the digest that a line of the document prints there."""
    made = subprocess.run(  # noqa: S603 - what the document says to type
        ["/bin/sh", "-c", words], cwd=folder, capture_output=True, check=True, text=True
    )
    return made.stdout.split()[0]


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="no sha256sum here")
@pytest.mark.parametrize(
    ("part", "begins", "folder"),
    [
        (DISTRIBUTION, "find -L controller drivers", DOCS.parent),
        ("six", "sha256sum six.py", Path(str(SIX.__file__)).parent),
    ],
)
def test_what_the_document_says_to_type_gives_the_digest_of_the_part(
    part: str, begins: str, folder: Path
) -> None:
    found = re.search(rf"{re.escape(begins)}.*?(\n .*?)?\| sha256sum\n", TEXT)
    assert found is not None
    parts = {
        one.name: one.digest for one in examine(modules=MODULES).software.components
    }
    assert outside(found[0], folder) == parts[part]


def test_the_digest_over_all_parts_is_of_the_same_kind_of_list() -> None:
    software = examine(modules=MODULES).software
    lines = "".join(f"{part.digest}  {part.name}\n" for part in software.components)
    assert hashlib.sha256(lines.encode()).hexdigest() == software.digest
