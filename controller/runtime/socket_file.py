"""The file at which a Unix socket listens: whose it is, and who may use it."""

import contextlib
import grp
import os
import socket
import stat
from pathlib import Path
from typing import Final, Self

from controller.runtime.errors import ControlSocketError

_MODE: Final = 0o660
_BACKLOG: Final = 16
_PROBE_TIMEOUT_S: Final = 1.0


class SocketFile:
    """A listening socket and its file, which goes when the socket does."""

    def __init__(self, path: Path, listener: socket.socket) -> None:
        self.listener = listener
        self._path = path
        self._identity = _identity_of(path)

    @classmethod
    def listening(cls, path: Path, group: str = "") -> Self:
        """Listen at `path`, for the user of this process and one group.

        A file that a killed process left behind is replaced.

        Raises:
            ControlSocketError: Something listens there already, the path is
                something else, or the system refused.

        """
        with contextlib.ExitStack() as undo:
            try:
                _make_way(path)
                path.parent.mkdir(parents=True, exist_ok=True)
                listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                undo.callback(listener.close)
                # Before the bind, so that nobody else can connect in between.
                os.fchmod(listener.fileno(), _MODE)
                listener.bind(str(path))
                undo.callback(path.unlink, missing_ok=True)
                path.chmod(_MODE)
                _give_to(path, group)
                listener.listen(_BACKLOG)
                listener.settimeout(0)
                file = cls(path, listener)
            except ControlSocketError:
                raise
            except OSError as error:
                raise ControlSocketError(
                    f"{path}: the control socket cannot be opened: {error.strerror}"
                    " (control_socket in the hardware file)"
                ) from error
            undo.pop_all()
            return file

    def remove(self) -> None:
        """Take the file away, unless another socket has come in its place."""
        with contextlib.suppress(OSError):
            if _identity_of(self._path) == self._identity:
                self._path.unlink()


def _identity_of(path: Path) -> tuple[int, int, int]:
    """Return what tells a file from its successor, which may get the same inode."""
    found = path.lstat()
    return found.st_dev, found.st_ino, found.st_ctime_ns


def _make_way(path: Path) -> None:
    """Remove a socket at which nobody listens any more."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise ControlSocketError(
            f"{path}: expected a socket or nothing, found something else;"
            " name another control_socket in the hardware file"
        )
    require_free(path)
    path.unlink(missing_ok=True)


def require_free(path: Path) -> None:
    """Refuse a place at which a table listens.

    Raises:
        ControlSocketError: One does.

    """
    if is_answered(path):
        raise ControlSocketError(
            f"{path}: a table is running here already;"
            " stop it, or name another control_socket in the hardware file"
        )


def is_answered(path: Path) -> bool:
    """Return whether somebody listens; a full queue of callers is somebody too.

    Raises:
        ControlSocketError: This user may not know, or the path cannot be one.

    """
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(_PROBE_TIMEOUT_S)
        try:
            probe.connect(str(path))
        except (TimeoutError, BlockingIOError):
            return True
        except (ConnectionRefusedError, FileNotFoundError):
            return False
        except PermissionError:
            raise ControlSocketError(
                f"{path}: this user may not ask the table there; be in its group"
                " (control_group in the hardware file), or be root"
            ) from None
        except OSError as error:
            raise ControlSocketError(
                f"{path}: the control socket cannot be asked: {error.strerror}"
                " (control_socket in the hardware file)"
            ) from error
    return True


def group_id(path: Path, group: str) -> int:
    """Return the number of the group that may use the socket at a path.

    Raises:
        ControlSocketError: There is none of that name.

    """
    try:
        return grp.getgrnam(group).gr_gid
    except KeyError:
        raise ControlSocketError(
            f"{path}: there is no group {group} on this machine;"
            " make it, or change control_group in the hardware file"
        ) from None


def _give_to(path: Path, group: str) -> None:
    if not group:
        return
    try:
        os.chown(path, -1, group_id(path, group))
    except PermissionError:
        raise ControlSocketError(
            f"{path}: this user may not give it to the group {group};"
            " add the user to the group, or change control_group in the hardware file"
        ) from None
