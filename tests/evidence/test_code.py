"""The digest of the decision code changes with every byte of it."""

import shutil
from pathlib import Path

import pytest

from controller import core, rulesets
from controller.evidence.code import code_digest, digest_of


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Copies of the core and the rulesets."""
    made = (tmp_path / "core", tmp_path / "rulesets")
    for package, folder in zip((core, rulesets), made, strict=True):
        shutil.copytree(package.__path__[0], folder)
    return made


def test_a_copy_of_the_same_sources_has_the_same_digest(
    folders: tuple[Path, Path],
) -> None:
    assert digest_of(folders) == code_digest()
    assert len(bytes.fromhex(code_digest())) == 32


def test_caches_and_other_files_are_no_sources(folders: tuple[Path, Path]) -> None:
    (folders[0] / "__pycache__").mkdir(exist_ok=True)
    (folders[0] / "__pycache__" / "deal.cpython-311.pyc").write_bytes(b"compiled")
    (folders[1] / "notes.txt").write_text("nothing that decides")
    assert digest_of(folders) == code_digest()


@pytest.mark.parametrize("name", ["decide/presses.py", "payouts.py"])
def test_every_byte_counts(name: str, folders: tuple[Path, Path]) -> None:
    with (folders[0] / name).open("a") as file:
        file.write("\n")
    assert digest_of(folders) != code_digest()


def test_a_ruleset_counts(folders: tuple[Path, Path]) -> None:
    (folders[1] / "reno.toml").write_text('name = "reno"\n')
    assert digest_of(folders) != code_digest()


def test_names_count_and_nothing_moves_from_one_file_to_another(
    tmp_path: Path,
) -> None:
    digests = set()
    for at, files in enumerate(
        [{"a.py": "xy", "b.py": "z"}, {"a.py": "x", "b.py": "yz"}, {"a.py": "xyz"}]
    ):
        folder = tmp_path / str(at) / "core"
        folder.mkdir(parents=True)
        for name, text in files.items():
            (folder / name).write_text(text)
        digests.add(digest_of([folder]))
    assert len(digests) == 3
