"""Lists of files and their digests are what `sha256sum` makes of the same files."""

import shutil
import subprocess
from pathlib import Path

import pytest

from controller.runtime.listing import (
    UNREADABLE,
    digest_of_lines,
    file_digest,
    files_below,
    listing,
)

SHA256SUM = shutil.which("sha256sum")
OUTSIDE = (
    "find -L pack -type f -not -path '*/__pycache__/*' -print0"
    " | LC_ALL=C sort -z | xargs -0 sha256sum"
)


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "pack"
    (folder / "below" / "__pycache__").mkdir(parents=True)
    (folder / "__init__.py").write_text("first\n")
    (folder / "below" / "two.py").write_text("second\n")
    (folder / "below" / "__pycache__" / "two.pyc").write_bytes(b"made")
    return folder


def named(folder: Path) -> dict[str, Path]:
    return dict(files_below(folder, "pack/"))


def test_every_file_is_listed_but_what_is_made_from_others(pack: Path) -> None:
    assert sorted(named(pack)) == ["pack/__init__.py", "pack/below/two.py"]


@pytest.mark.skipif(SHA256SUM is None, reason="this machine has no sha256sum")
@pytest.mark.parametrize(
    "name", ["plain.py", "Käse 🂡.toml", "back\\slash", "two\nlines", "B.py", "a b.py"]
)
def test_the_list_is_byte_for_byte_what_ordinary_tools_make(
    pack: Path, name: str
) -> None:
    (pack / name).write_text("more\n")
    made = subprocess.run(  # noqa: S603 - it is what the documents say to type
        ["/bin/sh", "-c", OUTSIDE], cwd=pack.parent, capture_output=True, check=True
    )
    assert listing(named(pack)) == made.stdout


def test_a_name_that_is_no_text_is_listed_as_its_bytes(pack: Path) -> None:
    odd = pack / b"\xff.py".decode(errors="surrogateescape")
    odd.write_text("odd\n")
    assert b"  pack/\xff.py\n" in listing(named(pack))


def test_links_are_followed_and_a_folder_in_itself_ends(pack: Path) -> None:
    elsewhere = pack.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "linked.py").write_text("linked\n")
    (pack / "folder").symlink_to(elsewhere)
    (pack / "file.py").symlink_to(elsewhere / "linked.py")
    (pack / "again").symlink_to(pack)
    assert {"pack/folder/linked.py", "pack/file.py"} <= named(pack).keys()
    assert not any(name.startswith("pack/again/again") for name in named(pack))


def test_a_link_to_nothing_is_listed_as_unreadable(pack: Path) -> None:
    (pack / "gone.py").symlink_to(pack / "nowhere.py")
    assert f"{UNREADABLE}  pack/gone.py\n".encode() in listing(named(pack))
    assert file_digest(pack / "nowhere.py") == UNREADABLE


@pytest.mark.parametrize("change", ["content", "name", "more", "fewer"])
def test_each_change_changes_the_digest(pack: Path, change: str) -> None:
    before = digest_of_lines(listing(named(pack)))
    file = pack / "below" / "two.py"
    match change:
        case "content":
            file.write_text("Second\n")
        case "name":
            file.rename(file.with_name("three.py"))
        case "more":
            (pack / "planted.so").write_bytes(b"")
        case _:
            file.unlink()
    assert digest_of_lines(listing(named(pack))) != before
