"""The real controller in this very process, for a table whose pins are here too.

A power cut leaves the files as the unclosed engine had them: they are copied first, and
put back once the engine has ended.
"""

import asyncio
import os
import shutil
from pathlib import Path
from typing import Final

from controller.core.software import Component, Software
from controller.core.state import TableState
from controller.journal.records import JournalKind
from controller.journal.recovery import Recovered, recover
from controller.runtime.clock import SystemClock
from controller.runtime.engine import Engine
from controller.runtime.logs import json_lines, logger_to
from controller.runtime.people import people_at
from controller.runtime.table import RunningTable, Site, new_salt
from controller.version import VERSION
from drivers.gpio.lines import Chips
from simulators.rigs.errors import ControllerEndedError
from simulators.rigs.table_folder import TableFolder
from simulators.rigs.virtual.keeping import files_of

STOP_TIMEOUT_S: Final = 15.0
_PROGRAM: Final = Software(
    (Component("in one process", VERSION, "00" * 32),), "00" * 32
)
"""What the self-test found: nothing here is looked at for long."""


class _LastLine:
    """Keeps what the log said last."""

    def __init__(self) -> None:
        self.text = ""

    def put(self, line: str) -> None:
        """Take a line."""
        self.text = line

    def drop(self) -> None:
        """Do nothing for a line that could not be made."""


class ControllerHere:
    """One table in the loop of a runner: started, killed and started again."""

    def __init__(
        self, files: TableFolder, chips: Chips, runner: asyncio.Runner
    ) -> None:
        self._files = files
        self._chips = chips
        self._runner = runner
        self._log = _LastLine()
        self._task: asyncio.Task[None] | None = None
        self._recovered: Recovered | None = None
        self._engine: Engine | None = None
        self._stop = asyncio.Event()
        self.starts = 0

    @property
    def pid(self) -> int:
        """The process: the rig's own."""
        return os.getpid()

    def start(self) -> None:
        """Start the controller; it resumes from its journal."""
        self.starts += 1
        self._stop = asyncio.Event()
        self._runner.run(self._start())

    def kill(self) -> None:
        """End the controller as a power cut does; none running is fine."""
        if self._task is None:
            return
        journal = self._files.journal
        kept = journal.parent / "as the power went"
        kept.mkdir()
        for file in files_of(journal):
            shutil.copy2(file, kept / file.name)
        self._end()
        for file in _all_files_of(journal):
            file.unlink()
        for file in kept.iterdir():
            shutil.copy2(file, journal.parent / file.name)
        shutil.rmtree(kept)

    def stop(self) -> None:
        """Ask the controller to stop, with everything saved.

        Raises:
            ControllerEndedError: It ran no more, did not end in time, or not cleanly.

        """
        self.check()
        self._end()

    def check(self) -> None:
        """Make sure that the controller runs.

        Raises:
            ControllerEndedError: It does not; the message holds its last words.

        """
        if self._task is None or self._task.done():
            raise ControllerEndedError(self._said("ended by itself"))

    def is_at(self, state: TableState) -> bool:
        """Return whether the table stands, and shows, what its journal says."""
        return self._engine is not None and self._engine.state == state

    async def _start(self) -> None:
        files, clock = self._files, SystemClock()
        self._recovered = recovered = recover(files.journal, JournalKind.SIMULATION)
        site = Site(
            files.hardware,
            str(files.hardware_file),
            files.journal,
            people_at(files.hardware),
            _PROGRAM,
            chips=self._chips,
        )
        log = logger_to(self._log, json_lines(clock))
        self._engine = Engine(recovered, clock, new_salt)
        table = RunningTable(site, self._engine, clock, log)
        self._task = asyncio.create_task(table.run(self._stop), name="table")

    def _end(self) -> None:
        task, self._task = self._task, None
        recovered, self._recovered = self._recovered, None
        if task is None or recovered is None:
            return
        try:
            self._runner.run(self._ended(task))
        finally:
            recovered.journal.close()

    async def _ended(self, task: asyncio.Task[None]) -> None:
        self._stop.set()
        done, _ = await asyncio.wait({task}, timeout=STOP_TIMEOUT_S)
        if not done:
            task.cancel()
            raise ControllerEndedError(self._said("did not stop in time"))
        error = task.exception()
        if error is not None:
            raise ControllerEndedError(self._said(f"failed: {error}")) from error

    def _said(self, what: str) -> str:
        return f"the table {what}; its last words: {self._log.text.strip() or 'none'}"


def _all_files_of(journal: Path) -> tuple[Path, ...]:
    """Return the files of a journal with those that SQLite makes anew."""
    shared = (
        file.with_name(f"{file.name}-shm")
        for file in files_of(journal)
        if not file.name.endswith("-wal")
    )
    return (*files_of(journal), *(file for file in shared if file.exists()))
