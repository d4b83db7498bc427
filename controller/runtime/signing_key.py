"""The key that a table signs its journal with: a file, or a service's credential."""

import errno
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from controller.journal.errors import NoteError
from controller.journal.notes import SecretKey
from controller.journal.regular import require_regular
from controller.journal.signing import Signing
from controller.runtime.errors import SigningKeyError
from hw_config.schema import TableHardware

CREDENTIAL: Final = "signing-key"
"""What the service's unit calls it (LoadCredential=)."""

_DIRECTORY: Final = "CREDENTIALS_DIRECTORY"
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def signing_of(hardware: TableHardware) -> Signing | None:
    """Return what a table signs its journal with; None: it signs nothing.

    Raises:
        SigningKeyError: There is a key, and it cannot be used.

    """
    file = key_file(hardware.journal.signing_key)
    return Signing(hardware.table_id, load_key(file)) if file is not None else None


def require_key(hardware: TableHardware) -> None:
    """Make sure that the key which the hardware file names is there.

    Whether it can be used only the table's own user can tell.

    Raises:
        SigningKeyError: It is not.

    """
    named = hardware.journal.signing_key
    if named and not os.path.lexists(named):
        raise SigningKeyError(
            f"{named}: the key cannot be read: {os.strerror(errno.ENOENT)}"
            " (journal.signing_key in the hardware file)"
        )


def key_file(named: str, environment: Mapping[str, str] = os.environ) -> Path | None:
    """Return where the table's key lies: as named, else the credential, if it is there.

    None where there is neither: then nothing is signed.
    """
    if named:
        return Path(named)
    directory = environment.get(_DIRECTORY)
    credential = Path(directory) / CREDENTIAL if directory else None
    return credential if credential is not None and credential.exists() else None


def load_key(file: Path) -> SecretKey:
    """Return the key in a file.

    Raises:
        SigningKeyError: It cannot be read, others can read it, or it is none.

    """
    try:
        require_regular(file)
        with file.open(encoding="ascii") as opened:
            mode = os.fstat(opened.fileno()).st_mode
            line = opened.readline()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", "") or "it is no text"
        raise SigningKeyError(f"{file}: the key cannot be read: {reason}") from error
    try:
        key = SecretKey.parse(line)
    except NoteError as error:
        raise SigningKeyError(f"{file}: {error}") from error
    if mode & _OTHERS:
        raise SigningKeyError(f"{file}: the key is open to others; chmod 600 {file}")
    return key
