"""Buttons and lamps tried by hand from a terminal: each shown, each lit by a line.

At a table that is stopped the ports are opened here; one that runs has them, and does
it in its test mode, which ends with this program.
"""

import asyncio
import contextlib
import signal
import sys
import threading
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from controller.cli.control_client import ControlClient, NoTableError, Reply, look
from controller.cli.failures import AnswerIsNoError, MisuseError, Status
from controller.cli.table_text import link_words
from controller.cli.typed_lines import typed_lines
from controller.core.ids import EndOfTestMode
from controller.core.rules import Rules
from controller.runtime.lamp_board import HELP, LINKS, LampBoard
from controller.runtime.seen import Seen, seen_words
from controller.runtime.trial import Trial
from controller.runtime.view import LinkView
from controller.words.errors import WordsError
from hw_config.schema import TableHardware

SIGN_OF_LIFE_EVERY_S: Final = 2.0
_END_WITHIN_S: Final = 15.0
STILL_ON: Final = "lamps may still be on: a module fell silent as they were put out"


class ForPeople:
    """Tells a technician in words."""

    def see(self, seen: Seen) -> None:
        """Tell what was seen of a device."""
        click.echo(seen_words(seen))

    def say(self, words: str) -> None:
        """Tell them something in words."""
        click.echo(words)

    def links(self, links: Iterable[LinkView]) -> None:
        """Tell how the ports fare, a line each."""
        for link in links:
            click.echo(link_words(link))


class ForPrograms(ForPeople):
    """Tells a program, one JSON object a line."""

    def see(self, seen: Seen) -> None:
        """Tell what was seen of a device."""
        _print_line({"seen": seen})

    def say(self, words: str) -> None:
        """Tell something in words."""
        _print_line({"said": words})

    def links(self, links: Iterable[LinkView]) -> None:
        """Tell how the ports fare."""
        _print_line({"links": tuple(links)})


def _print_line(told: dict[str, object]) -> None:
    click.echo(msgspec.json.encode(told).decode())


def telling_for(*, as_json: bool) -> ForPeople:
    """Return how to tell a person, or a program."""
    return ForPrograms() if as_json else ForPeople()


# --- A table that is stopped ------------------------------------------------------


async def try_stopped(
    hardware: TableHardware, file: Path, rules: Rules, telling: ForPeople
) -> Status:
    """Let buttons and lamps be tried until the lines end or somebody interrupts."""
    trial = Trial(hardware, str(file), rules, telling)
    work = asyncio.ensure_future(trial.run(typed_lines(sys.stdin.fileno())))
    with _ended_by_signals(work), contextlib.suppress(asyncio.CancelledError):
        telling.say(f"by hand: {HELP}")
        await work
    telling.say("all lamps are out" if trial.is_dark else STILL_ON)
    if trial.presses:
        telling.say(
            f"presses seen: {trial.presses}; those that panels keep are taken as tried "
            "when the table starts, and count for nothing"
        )
    return Status.DONE


@contextlib.contextmanager
def _ended_by_signals(work: asyncio.Future[None]) -> Iterator[None]:
    loop, names = asyncio.get_running_loop(), (signal.SIGINT, signal.SIGTERM)
    for name in names:
        loop.add_signal_handler(name, work.cancel)
    try:
        yield
    finally:
        for name in names:
            loop.remove_signal_handler(name)


# --- A table that runs ------------------------------------------------------------


async def try_running(
    hardware: TableHardware, person: str, telling: ForPeople
) -> Status:
    """Let buttons and lamps be tried in the test mode of a running table.

    It is not as it should be where the table itself ended it.

    Raises:
        AnswerIsNoError: The table does not let this person, or not now, or it left.
        MisuseError: Nobody is named.

    """
    if not person:
        raise MisuseError("a table is running here: name who tries it, --person ID")
    lines = typed_lines(sys.stdin.fileno())
    try:
        with ControlClient(Path(hardware.control_socket)) as client:
            if client.must_log_in():
                pin = await _pin_of(person, lines)
                _require(client.request({"login": person, "pin": pin}))
            by_hand = _TestMode(client, hardware, person, telling)
            ended = await by_hand.run(lines)
    except NoTableError as error:
        raise AnswerIsNoError(str(error)) from error
    finally:
        await lines.aclose()
    telling.say(f"the test mode has ended: {ended}")
    return Status.DONE if ended == EndOfTestMode.ASKED.value else Status.NO


async def _pin_of(person: str, lines: AsyncIterator[str]) -> str:
    """Ask at a terminal, unseen; what comes from a pipe is its first line."""
    if sys.stdin.isatty():
        with _interruptible():
            return str(click.prompt(f"PIN of {person}", hide_input=True, err=True))
    return (await anext(lines, "")).rstrip("\r\n")


@contextlib.contextmanager
def _interruptible() -> Iterator[None]:
    """Let an interrupt end a wait in here: the loop would take it and wait on."""
    loops_own = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, loops_own)


def _require(reply: Reply) -> None:
    if not reply.accepted:
        raise AnswerIsNoError(reply.text())


class _TestMode:
    """The test mode of a running table, as this program holds it."""

    def __init__(
        self,
        client: ControlClient,
        hardware: TableHardware,
        person: str,
        telling: ForPeople,
    ) -> None:
        self._client, self._person, self._telling = client, person, telling
        self._socket = Path(hardware.control_socket)
        self._board = LampBoard(hardware.seats)
        self._loop = asyncio.get_running_loop()
        self._begun: asyncio.Future[None] = self._loop.create_future()
        self._ended: asyncio.Future[str] = self._loop.create_future()
        self._hearer = threading.Thread(target=self._hear, name="hearer", daemon=True)

    async def run(self, lines: AsyncIterator[str]) -> str:
        """Begin it, show and light until the lines end, end it, and return why it did.

        Raises:
            AnswerIsNoError: The table refused it.
            NoTableError: The table left.

        """
        self._hearer.start()
        try:
            self._client.tell({"test_mode": "begin", "person": self._person})
            await self._begun
            await self._while_it_lasts(lines)
            return await self._ended
        finally:
            self._client.close()
            self._hearer.join()
            for future in (self._begun, self._ended):
                future.cancel()

    async def _while_it_lasts(self, lines: AsyncIterator[str]) -> None:
        work = asyncio.ensure_future(self._do_all(lines))
        alive = asyncio.create_task(self._stay_alive())
        try:
            with _ended_by_signals(work):
                self._telling.say(f"TEST MODE, by hand: {HELP}")
                ends: set[asyncio.Future[Any]] = {work, self._ended}
                await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            alive.cancel()
            work.cancel()
            await asyncio.gather(work, alive, return_exceptions=True)
        if not self._ended.done():
            self._client.tell({"test_mode": "end", "person": self._person})
            done, _ = await asyncio.wait({self._ended}, timeout=_END_WITHIN_S)
            if not done:
                raise NoTableError(f"{self._socket}: no answer; the journal knows")

    async def _do_all(self, lines: AsyncIterator[str]) -> None:
        async for line in lines:
            if line.strip() == "end":
                break
            self._do(line)

    def _do(self, line: str) -> None:
        if line.strip() == LINKS:
            self._telling.links(look(self._socket).links)
            return
        try:
            lamps = self._board.after(line)
        except WordsError as error:
            self._telling.say(str(error))
            return
        for seat, lit in lamps.items():
            buttons = sorted(button.value for button in lit)
            self._client.tell({"light": {"seat": seat, "buttons": buttons}})

    async def _stay_alive(self) -> None:
        while True:
            await asyncio.sleep(SIGN_OF_LIFE_EVERY_S)
            self._client.tell({"test_mode": "alive"})

    # --- What the table says ------------------------------------------------------

    def _hear(self) -> None:
        """Hand on what the table says, in a thread of its own, until one has left."""
        with contextlib.suppress(RuntimeError):  # The loop may have ended before us.
            try:
                for reply in self._client.replies():
                    self._loop.call_soon_threadsafe(self._heard, reply)
            except NoTableError as error:
                self._loop.call_soon_threadsafe(self._left, error)

    def _heard(self, reply: Reply) -> None:
        if reply.seen is not None:
            self._telling.see(reply.seen)
        elif reply.test_mode_ended:
            _settle(self._ended, reply.test_mode_ended)
        elif not self._begun.done():
            self._answered(reply)
        elif not reply.accepted:
            self._telling.say(reply.text())

    def _answered(self, reply: Reply) -> None:
        if reply.accepted:
            self._begun.set_result(None)
        else:
            self._begun.set_exception(AnswerIsNoError(reply.text()))

    def _left(self, error: NoTableError) -> None:
        for future in (self._begun, self._ended):
            if not future.done():
                future.set_exception(error)
                # Where nobody waits for it any more, it is no error of anybody's.
                future.exception()


def _settle(future: asyncio.Future[str], result: str) -> None:
    if not future.done():
        future.set_result(result)
