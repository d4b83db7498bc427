"""Which disks a live journal may lie on, by what kernels have said of their mounts."""

from pathlib import Path
from typing import Final

import pytest

from controller.runtime.errors import JournalDiskError
from controller.runtime.journal_disk import (
    MOUNTS,
    keeps_order,
    mount_of,
    mounts,
    require_lasting,
)
from tests.journal.small_disks import mounted

GOLDEN: Final = Path(__file__).parents[1] / "golden" / "mountinfo"
JOURNAL: Final = "/var/lib/blackjack-table/table.journal"


def text(name: str) -> str:
    return (GOLDEN / name).read_text("utf-8")


@pytest.mark.parametrize(
    ("machine", "path", "point", "kind"),
    [
        ("raspberry-pi", JOURNAL, "/", "ext4"),
        ("raspberry-pi", "/run/table.journal", "/run", "tmpfs"),
        ("raspberry-pi", "/running/table.journal", "/", "ext4"),
        ("raspberry-pi", "/dev/shm/table.journal", "/dev/shm", "tmpfs"),  # noqa: S108 - a text, no file is made
        ("raspberry-pi", "/media/mirror/t/j", "/media/mirror", "ext4"),
        # A partition of its own for the journal, on a machine whose root is read-only.
        ("overlay-root", JOURNAL, "/var/lib/blackjack-table", "ext4"),
        ("overlay-root", "/home/table.journal", "/", "overlay"),
        # What was mounted later, higher up, hides what was there.
        ("hidden", "/var/lib/table/j", "/var/lib", "tmpfs"),
        # Two at one place: the later one lies on top of the other.
        ("hidden", "/srv/j", "/srv", "ext3"),
        ("hidden", "/srv/the casino's\\disk/j", "/srv/the casino's\\disk", "ramfs"),
        ("hidden", "/home/j", "/", "ext4"),
        ("shut-in", "/run/j", "/run", "tmpfs"),
    ],
)
def test_a_path_is_on_the_mount_that_the_kernel_reaches_first(
    machine: str, path: str, point: str, kind: str
) -> None:
    found = mount_of(Path(path), mounts(text(machine)))
    assert found is not None
    assert (str(found.point), found.type) == (point, kind)


def test_in_a_folder_of_which_no_mount_is_told_none_is_found() -> None:
    assert require_lasting(Path(JOURNAL), text("shut-in")) is None


@pytest.mark.parametrize(
    ("machine", "path", "words"),
    [
        ("raspberry-pi", "/run/j", "/run is tmpfs: what is written is in memory;"),
        ("overlay-root", "/home/j", "/ is overlay: what is written is in the upper"),
        ("hidden", "/var/lib/table/j", "/var/lib is tmpfs"),
        ("hidden", "/srv/the casino's\\disk/j", "is ramfs"),
    ],
)
def test_a_journal_that_would_go_with_the_power_is_refused_in_one_line(
    machine: str, path: str, words: str
) -> None:
    with pytest.raises(JournalDiskError) as refused:
        require_lasting(Path(path), text(machine))
    (line,) = str(refused.value).splitlines()
    assert line.startswith(f"{path}: expected a journal on a disk, ")
    assert words in line


@pytest.mark.parametrize(
    ("machine", "path", "ordered"),
    [
        ("raspberry-pi", JOURNAL, True),
        ("overlay-root", JOURNAL, True),
        ("raspberry-pi", "/media/mirror/t/j", False),
        ("hidden", "/srv/j", False),
    ],
)
def test_a_disk_without_barriers_is_taken_and_told(
    machine: str, path: str, *, ordered: bool
) -> None:
    found = require_lasting(Path(path), text(machine))
    assert found is not None
    assert keeps_order(found) is ordered


def test_the_kernel_of_this_machine_is_understood(tmp_path: Path) -> None:
    with mounted(tmp_path / "a disk", "64k") as disk:
        now = MOUNTS.read_text("utf-8", "surrogateescape")
        with pytest.raises(JournalDiskError, match="/a disk is tmpfs"):
            require_lasting(disk / "table.journal", now)
        (tmp_path / "elsewhere").symlink_to(disk)
        with pytest.raises(JournalDiskError, match="/a disk is tmpfs"):
            require_lasting(tmp_path / "elsewhere" / "table.journal", now)
