"""The asking end of the control socket, for commands that a person starts."""

import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Self

import msgspec

from controller.evidence.narrative.refusals import REFUSED
from controller.runtime.answers import Finding
from controller.runtime.seen import Seen
from controller.runtime.view import View

ANSWER_TIMEOUT_S: Final = 15.0
"""A stalled disk may hold an answer up for seconds; longer is a table that hangs."""


class NoTableError(OSError):
    """No table answers, or it left; the message says what to do."""


class Reply(msgspec.Struct, frozen=True):
    """An answer of the table, whichever it is."""

    accepted: bool = False
    refused: str = ""
    because: str = ""
    error: str = ""
    sequence: int | None = None
    role: str = ""
    login_required: bool = False
    person: str = ""
    view: View | None = None
    devices: tuple[Finding, ...] = ()
    seen: Seen | None = None
    test_mode_ended: str = ""

    def text(self) -> str:
        """Return the answer as one line for a person or a script."""
        if self.role:
            return f"accepted as {self.role}"
        if self.accepted:
            return "accepted" if self.sequence is None else f"accepted {self.sequence}"
        if self.refused:
            why = self._why()
            return f"refused {self.refused}" + (f": {why}" if why else "")
        return f"error: {self.error}"

    def _why(self) -> str:
        """Return the reason in words; a later table may have one that is new here."""
        known = {reason.value: why.words for reason, why in REFUSED.items()}
        words = known.get(self.refused, "")
        return "; ".join(dict.fromkeys(part for part in (words, self.because) if part))


_decoder: Final = msgspec.json.Decoder(Reply)


class ControlClient:
    """One connection to a running table; a context manager.

    Raises:
        NoTableError: Nobody answers at the path.

    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(ANSWER_TIMEOUT_S)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            self._socket.close()
            raise NoTableError(
                f"{path}: no table answers here ({error.strerror or error});"
                " start it with tablectl run, or name its socket with --socket"
            ) from error
        self._lines = self._socket.makefile("rb")

    def ask(self, words: str) -> Reply:
        """Send one line of the staff and return what the table answers.

        Raises:
            NoTableError: The table left, or did not answer in time.

        """
        return self.request({"command": words})

    def request(self, asked: dict[str, object]) -> Reply:
        """Send one object of the protocol and return what the table answers.

        Raises:
            NoTableError: The table left, or did not answer in time.

        """
        self._send(asked)
        return self._hear()

    def tell(self, asked: dict[str, object]) -> None:
        """Send one object of the protocol; what is answered is among the `replies`.

        Raises:
            NoTableError: The table left.

        """
        self._send(asked)

    def replies(self) -> Iterator[Reply]:
        """Yield whatever the table says from now on, however long it takes.

        Raises:
            NoTableError: The table left.

        """
        self._socket.settimeout(None)
        while True:
            yield self._hear()

    def must_log_in(self) -> bool:
        """Return whether lines count only from who is logged in, and nobody is here.

        Raises:
            NoTableError: The table left, or did not answer in time.

        """
        reply = self.request({"who": True})
        return reply.login_required and not reply.person

    def follow(self) -> Iterator[View]:
        """Yield the table's view, now and whenever it changes.

        Raises:
            NoTableError: The table left.

        """
        self._send({"subscribe": True})
        while True:
            view = self._hear().view
            # The first may wait for an answer; a table at rest says nothing for hours.
            self._socket.settimeout(None)
            if view is not None:
                yield view

    def close(self) -> None:
        """Leave; twice is fine. A thread that is listening hears the end."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._lines.close()
        self.close()

    def _send(self, asked: dict[str, object]) -> None:
        try:
            self._socket.sendall(msgspec.json.encode(asked) + b"\n")
        except OSError as error:
            raise NoTableError(f"{self._path}: the table has left") from error

    def _hear(self) -> Reply:
        try:
            line = self._lines.readline()
        except TimeoutError as error:
            raise NoTableError(
                f"{self._path}: no answer in {ANSWER_TIMEOUT_S:g} seconds; whether the"
                " line was taken, the journal knows"
            ) from error
        except (OSError, ValueError) as error:
            raise NoTableError(f"{self._path}: the table has left") from error
        if not line.endswith(b"\n"):
            raise NoTableError(f"{self._path}: the table has left")
        try:
            return _decoder.decode(line)
        except msgspec.DecodeError as error:
            raise NoTableError(
                f"{self._path}: an answer that this console cannot read ({error});"
                " use the console of the table's own version"
            ) from error


def look(path: Path) -> View:
    """Return the view of the table that answers at `path`.

    Raises:
        NoTableError: Nobody answers there.

    """
    with ControlClient(path) as client:
        return next(client.follow())
