"""What the mirror's process says of itself, in a small file beside the control socket.

The table reads it, and believes none of it that its own journal does not bear out.
"""

import contextlib
import os
import stat
from pathlib import Path
from typing import Final

import msgspec

from controller.core.ids import MirrorFault

SIZE_MAX: Final = 4096
_WORDS_MAX: Final = 500


class MirrorStatus(msgspec.Struct, frozen=True, kw_only=True):
    """How far the mirror is, when it last said so, and what keeps it.

    `sequence` and `hash` (hex) are its last record of the journal's present file, 0:
    none yet. `beat` counts on with every renewal. `checked_at` is when the mirror was
    last found whole, empty: not yet.
    """

    folder: str
    beat: int
    at: str
    sequence: int
    hash: str
    fault: MirrorFault | None = None
    words: str = ""
    checked_at: str = ""


def status_file(control_socket: Path) -> Path:
    """Return where the mirror's process says how it fares."""
    return control_socket.with_name(control_socket.name + ".mirror")


def write_status(file: Path, status: MirrorStatus) -> None:
    """Replace the status, so that a reader sees the old or the new one.

    Raises:
        OSError: It cannot be written.

    """
    short = msgspec.structs.replace(status, words=status.words[:_WORDS_MAX])
    made = file.with_name(file.name + ".new")
    made.write_bytes(msgspec.json.encode(short) + b"\n")
    made.replace(file)


def read_status(file: Path) -> MirrorStatus | None:
    """Return the status; None where there is none that can be understood.

    Whatever lies there is read only so far, and never waited for.
    """
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(file, flags)
    except OSError:
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        text = os.read(descriptor, SIZE_MAX)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    with contextlib.suppress(msgspec.DecodeError):
        return msgspec.json.decode(text, type=MirrorStatus)
    return None
