"""The real controller, `tablectl run`, as a process of its own beside a rig."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

from simulators.rigs.errors import ControllerEndedError

STOP_TIMEOUT_S: Final = 15.0
LAST_WORDS_BYTES: Final = 2_000

# The interpreter and the import path are our own, so that what is started is what
# is installed here, whether or not a `tablectl` is on the PATH.
_TABLECTL: Final = (
    sys.executable,
    "-c",
    "from controller.cli.main import main; main()",
)


class ControllerProcess:
    """`tablectl run HARDWARE --journal JOURNAL`, started, killed and started again.

    Its log goes to a file, so that nobody has to read a pipe.
    """

    def __init__(self, hardware_file: Path, journal: Path, log: Path) -> None:
        self._arguments = ("run", str(hardware_file), "--journal", str(journal))
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self.starts = 0

    @property
    def pid(self) -> int:
        """The process; 0 where none was started."""
        return 0 if self._process is None else self._process.pid

    def start(self) -> None:
        """Start the controller; it resumes from its journal."""
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - our own interpreter and words
                (*_TABLECTL, *self._arguments),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
            )
        self.starts += 1

    def kill(self) -> None:
        """Kill the controller as a power cut does; none running is fine."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def stop(self) -> None:
        """Ask the controller to stop, with everything saved.

        Raises:
            ControllerEndedError: It ran no more, did not end in time, or not cleanly.

        """
        self.check()
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        try:
            status = self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired as error:
            self.kill()
            words = f"did not stop within {STOP_TIMEOUT_S:g} s of SIGTERM"
            raise ControllerEndedError(self._said(words)) from error
        self._process = None
        if status != 0:
            raise ControllerEndedError(self._said(f"stopped with status {status}"))

    def check(self) -> None:
        """Make sure that the controller runs.

        Raises:
            ControllerEndedError: It does not; the message holds its last words.

        """
        if self._process is None:
            raise ControllerEndedError(self._said("was not started"))
        status = self._process.poll()
        if status is not None:
            raise ControllerEndedError(self._said(f"ended with status {status}"))

    def _said(self, what: str) -> str:
        last = b""
        if self._log.exists():
            last = self._log.read_bytes()[-LAST_WORDS_BYTES:]
        words = last.decode("utf-8", "replace").strip()
        return f"tablectl run {what}; its last words: {words or 'none'}"
