"""What `tablectl check` finds of the mirror: is it there, and what does it hold.

It looks at the two files itself, so that it need not believe the mirror's process.
"""

from pathlib import Path

import msgspec

from controller.journal import reader
from controller.journal.chain import GENESIS, Link
from controller.journal.errors import JournalError
from controller.journal.mirrored import copied_head
from hw_config.schema import TableHardware


class MirrorFinding(msgspec.Struct, frozen=True, kw_only=True):
    """The mirror as it lies there: how many records it holds, of how many.

    `problem` is why it is no mirror just now, `warning` why it may be a poor one; both
    are empty where nothing is wrong.
    """

    name: str = "mirror"
    place: str
    records: int = 0
    of: int = 0
    problem: str = ""
    warning: str = ""


def probe_mirror(hardware: TableHardware) -> MirrorFinding | None:
    """Look at the mirror that a hardware file names; None where it names none."""
    if not hardware.journal.mirror:
        return None
    folder, journal = Path(hardware.journal.mirror), Path(hardware.journal.path)
    if not folder.is_dir():
        problem = "expected a folder, found none; mount its device, then make it"
        return MirrorFinding(place=str(folder), problem=problem)
    copy = folder / journal.name
    try:
        last, held = copied_head(journal), copied_head(copy)
        problem = _problem(journal, last, held)
    except JournalError as error:
        return MirrorFinding(place=str(folder), problem=str(error))
    return MirrorFinding(
        place=str(folder),
        records=held.sequence,
        of=last.sequence,
        problem=problem,
        warning=_warning(folder, journal.absolute().parent),
    )


def _problem(journal: Path, last: Link, held: Link) -> str:
    if held == GENESIS:
        return "" if last == GENESIS else "holds nothing; start tablectl mirror"
    if held.sequence <= last.sequence:
        record = reader.record_at(journal, held.sequence)
        if record is not None and record.hash == held.hash:
            return ""
    return (
        f"holds record {held.sequence}, and {journal} holds another or none; "
        "tablectl mirror says why"
    )


def _warning(folder: Path, journals: Path) -> str:
    if not journals.is_dir() or folder.stat().st_dev != journals.stat().st_dev:
        return ""
    return "on the same device as the journal, and lost with it"
