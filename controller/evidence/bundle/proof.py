"""What of a bundle is proved, apart from its records, and what is only told.

Signed are the records alone. They name the ruleset by its digest. The page and what
else is for reading is proved by making it again, which takes the journal.
"""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from controller.core import events as ev
from controller.evidence.bundle.contents import (
    ABOUT,
    PAGE,
    README,
    RECORDS,
    ROUND,
    RULESET,
    About,
    body_of,
)
from controller.evidence.bundle.write import files_of
from controller.evidence.record_line import Line
from controller.journal.notes import PublicKey
from controller.version import VERSION

_CLOSED: Final = str(ev.BetsClosed.__struct_config__.tag)
_FOR_READING: Final = (PAGE, ROUND, README)
_SOFTWARE: Final = f"{ABOUT}: software"


class NotProved(msgspec.Struct, frozen=True):
    """Something about a bundle, such as a file in it, that may be another, and why."""

    what: str
    why: str


def wrong_ruleset(files: dict[str, bytes], lines: Sequence[Line]) -> Iterator[str]:
    """Yield that the ruleset is not the one that the round's records name."""
    named = _named_ruleset(lines)
    if named and hashlib.sha256(files[RULESET]).hexdigest() != named:
        yield f"{RULESET} is not the ruleset that the records name"


def told_only(
    about: About, lines: Sequence[Line], trusted: PublicKey | None
) -> Iterator[NotProved]:
    """Yield what a good bundle by itself does not prove."""
    if about.signed:
        yield from _told_of_the_head(trusted)
    else:
        why = "nobody signed them; who computes the hashes anew can write others"
        yield NotProved(RECORDS, why)
    if about.before_sequence != 0:
        why = (
            "records before the first may be left out, such as wagers and presses; "
            "--against a journal shows it"
        )
        yield NotProved("where the round begins", why)
    if not _named_ruleset(lines):
        why = "the records are of a version that did not name the rules"
        yield NotProved(RULESET, why)
    for name in _FOR_READING:
        yield NotProved(name, "it is for reading; only the records are signed")
    yield NotProved(_SOFTWARE, "it is told, not signed")


def _told_of_the_head(trusted: PublicKey | None) -> Iterator[NotProved]:
    if trusted is None:
        why = "who makes up a round makes up a key; give the one that you know by --key"
        yield NotProved("whose key this is", why)
    why = "the head covers the records before it; of its own, only the time"
    yield NotProved("the last record's clocks", why)


def compared(
    about: About,
    files: dict[str, bytes],
    journal: Path,
    not_proved: Sequence[NotProved],
) -> tuple[list[str], tuple[NotProved, ...]]:
    """Return what is wrong, held against the journal, and what is still not proved.

    What is for reading may look otherwise where another version made it: then it stays
    unproved.

    Raises:
        JournalError, RoundOpenError: the journal cannot be read, or has no such round.
    """
    made = files_of(journal, about.round)
    unlike = [name for name in sorted(files) if made.get(name) != files[name]]
    if about.software == VERSION:
        wrong, left = unlike, []
    else:
        told = msgspec.json.decode(made[ABOUT], type=About)
        same = replace(about, software=told.software, files=told.files) == told
        reading = {*_FOR_READING, *((ABOUT,) if same else ())}
        wrong = [name for name in unlike if name not in reading]
        why = f"it was made by version {about.software}, and this is {VERSION}"
        left = [NotProved(name, why) for name in unlike if name in _FOR_READING]
        left += [each for each in not_proved if each.what == _SOFTWARE]
    problems = [f"{name} is not what {journal} gives" for name in wrong]
    return problems, tuple(left)


def _named_ruleset(lines: Sequence[Line]) -> object:
    """Return the digest of the rules by which bets were closed; None where none is."""
    closed = [line for line in lines if line.type == _CLOSED]
    return body_of(closed[-1]).get("ruleset_digest") or None if closed else None
