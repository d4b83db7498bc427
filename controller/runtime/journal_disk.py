"""Whether what is on the journal's disk is still there after the power fails.

The kernel says in `/proc/self/mountinfo` what is mounted where (proc_pid_mountinfo(5)).
The functions take its text, so that they judge any machine's.
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path, PurePath
from typing import Final

import msgspec

from controller.runtime.errors import JournalDiskError

MOUNTS: Final = Path("/proc/self/mountinfo")

FLEETING: Final = {
    "tmpfs": "in memory",
    "ramfs": "in memory",
    "overlay": "in the upper layer of an overlay, which is often kept in memory",
    "aufs": "in the upper layer of an overlay, which is often kept in memory",
}
"""File systems that may be gone with the power, and what is where on them."""

WITHOUT_BARRIERS: Final = frozenset({"nobarrier", "barrier=0"})
"""How a file system says that a sync does not reach past the disk's cache, as ext4."""

_POINT, _OPTIONS = 4, 5
_ESCAPED: Final = re.compile(r"\\([0-7]{3})")


class Mount(msgspec.Struct, frozen=True):
    """A file system at its place in the tree.

    `parent` is the number of the mount that it was put onto, 0 where that is itself.
    """

    number: int
    parent: int
    point: PurePath
    type: str
    options: frozenset[str]


def require_lasting(journal: Path, mountinfo: str) -> Mount | None:
    """Return the mount that a journal is on; None where it is not told.

    Raises:
        JournalDiskError: What is written there may be gone with the power.

    """
    found = mount_of(Path(os.path.realpath(journal)), mounts(mountinfo))
    if found is not None and found.type in FLEETING:
        raise JournalDiskError(
            f"{journal}: expected a journal on a disk, {found.point} is {found.type}: "
            f"what is written is {FLEETING[found.type]}; name a place on a disk"
        )
    return found


def keeps_order(mount: Mount) -> bool:
    """Return whether a sync reaches the disk itself, past its cache."""
    return not mount.options & WITHOUT_BARRIERS


def mount_of(path: PurePath, found: Iterable[Mount]) -> Mount | None:
    """Return the mount that an absolute path without links is on.

    As the kernel walks: from the root down, at each mount to the first one that was put
    onto it on the way. What lies under a later mount is hidden. None where not even the
    root is told, as to a process that is shut into a plain folder.
    """
    above = [mount for mount in found if path.is_relative_to(mount.point)]
    numbers = {mount.number for mount in above}
    here = _nearest(mount for mount in above if mount.parent not in numbers)
    while here is not None:
        number = here.number
        further = _nearest(mount for mount in above if mount.parent == number)
        if further is None:
            return here
        here = further
    return None


def _nearest(found: Iterable[Mount]) -> Mount | None:
    return min(found, key=lambda mount: len(mount.point.parts), default=None)


def mounts(mountinfo: str) -> tuple[Mount, ...]:
    """Return the mounts that a text of `/proc/self/mountinfo` lists."""
    return tuple(map(_mount, mountinfo.splitlines()))


def _mount(line: str) -> Mount:
    # Optional fields stand before the dash, as many as there are.
    of_mount, _, of_system = line.partition(" - ")
    fields, (kind, _source, *options) = of_mount.split(" "), of_system.split(" ")
    number, parent = map(int, fields[:2])
    return Mount(
        number=number,
        parent=0 if parent == number else parent,
        point=PurePath(_unescaped(fields[_POINT])),
        type=kind,
        options=frozenset(",".join((fields[_OPTIONS], *options)).split(",")),
    )


def _unescaped(name: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1], base=8)), name)
