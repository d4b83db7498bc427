"""What `tablectl check` finds of the disk that the journal is on, or will be."""

import os
from pathlib import Path
from typing import Final

import msgspec

from controller.runtime.health import ROOM_MIN_BYTES, free_bytes
from controller.runtime.journal_disk import FLEETING, keeps_order, mount_of, mounts
from hw_config.schema import Kind, TableHardware

_BYTES_PER_MIB: Final = 1_048_576


class DiskFinding(msgspec.Struct, frozen=True, kw_only=True):
    """The disk of the journal, as the kernel tells it.

    `mounted_at` and `file_system` are empty where that is not told. `barriers`: a sync
    reaches past the disk's own cache. `problem` is why a table cannot be played there,
    `warning` what to think of all the same; both are empty where nothing is wrong.
    """

    name: str = "journal"
    place: str
    mounted_at: str = ""
    file_system: str = ""
    read_only: bool = False
    barriers: bool = True
    free_bytes: int
    problem: str = ""
    warning: str = ""

    def words(self) -> str:
        """Return it as one line."""
        on = "which file system is not told"
        if self.file_system:
            on = f"{self.file_system} mounted at {self.mounted_at}"
        parts = [f"{self.name} at {self.place}: {on}"]
        parts.append("read-only" if self.read_only else "writable")
        parts.append("with barriers" if self.barriers else "without barriers")
        parts.append(f"{self.free_bytes // _BYTES_PER_MIB} MiB free")
        parts += [self.problem] if self.problem else []
        parts += [f"warning: {self.warning}"] if self.warning else []
        return "; ".join(parts)


def probe_disk(hardware: TableHardware, mountinfo: str) -> DiskFinding:
    """Look at the disk of a table's journal; `mountinfo` lists what is mounted."""
    journal = Path(os.path.realpath(hardware.journal.path))
    free = free_bytes(_nearest_there(journal.parent))
    found = mount_of(journal, mounts(mountinfo))
    known = DiskFinding(place=str(journal), free_bytes=free)
    if found is not None:
        known = msgspec.structs.replace(
            known,
            mounted_at=str(found.point),
            file_system=found.type,
            read_only="ro" in found.options,
            barriers=keeps_order(found),
        )
    known = msgspec.structs.replace(known, problem=_problem(hardware, known))
    return msgspec.structs.replace(known, warning=_warning(hardware, known))


def _nearest_there(folder: Path) -> Path:
    """Return the folder, or the nearest one above it that there is already."""
    return next(one for one in (folder, *folder.parents) if one.exists())


def _problem(hardware: TableHardware, disk: DiskFinding) -> str:
    if why := _no_file(Path(disk.place)):
        return why
    if disk.read_only:
        return "nothing can be written there; look at why it was mounted read-only"
    if disk.file_system in FLEETING and hardware.kind is Kind.LIVE:
        where = FLEETING[disk.file_system]
        return f"what is written is {where}; name a place on a disk"
    if disk.free_bytes < ROOM_MIN_BYTES:
        return "no room for the journal; make room"
    return ""


def _no_file(journal: Path) -> str:
    """Return why no file can be there; nothing where one can."""
    if journal.is_dir():
        return "a folder is there; name a file"
    above = _nearest_there(journal.parent)
    return "" if above.is_dir() else f"{above} is no folder; name another place"


def _warning(hardware: TableHardware, disk: DiskFinding) -> str:
    if disk.problem:
        return ""
    if not os.access(_nearest_there(Path(disk.place).parent), os.W_OK | os.X_OK):
        return "this user may not write there; the table's user must"
    least_mib = hardware.journal.disk_free_min_mib
    if disk.free_bytes < least_mib * _BYTES_PER_MIB:
        return f"less than {least_mib} MiB: no new deal"
    if disk.file_system in FLEETING:
        return f"what is written is {FLEETING[disk.file_system]}"
    if not disk.barriers:
        return "what was written last may be gone after a loss of power"
    return ""
