"""`tablectl console`: the dealer's and the supervisor's lines to a running table."""

import contextlib
import io
import os
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import FrameType
from typing import Final

import click
from rich.console import Console

from controller.cli.console_choice import NotChosenError, chosen_line
from controller.cli.console_decisions import all_lines
from controller.cli.console_help import CONSOLE_WORDS, words_now
from controller.cli.console_login import LOGIN_WORDS, login_reply
from controller.cli.console_reason import needs_reason, with_reason
from controller.cli.console_screen import Screen
from controller.cli.control_client import ControlClient, NoTableError, look
from controller.cli.failures import Status
from controller.cli.options import FILE
from controller.cli.table_text import link_lines, table_lines
from hw_config.errors import HardwareFileError
from hw_config.loader import load_hardware

_LOOK_FOR_SIGNALS_EVERY_S: Final = 0.25
_LOOK_FOR_TABLE_EVERY_S: Final = 0.5
_REASON_MISSING: Final = 'not sent: a decision needs its reason, as in reason="…"'


@click.command(name="console")
@click.argument("hardware", required=False, type=FILE, metavar="HARDWARE.toml")
@click.option(
    "--socket",
    "socket_path",
    type=FILE,
    help="The control socket, where no hardware file is given.",
)
def command(hardware: Path | None, socket_path: Path | None) -> None:
    """Send dealer's and supervisor's lines to a running table, and show its state.

    On a terminal the state is shown as it changes. Otherwise lines are read from
    standard input and each gets one line of reply; the exit status is 1 if any was
    not accepted.
    """
    path = socket_path or _socket_of(hardware)
    try:
        if sys.stdin.isatty() and sys.stdout.isatty():
            _talk_on(path)
        elif not _answer_all(path, sys.stdin):
            sys.exit(Status.NO)
    except NoTableError as error:
        click.echo(str(error), err=True)
        sys.exit(Status.NO)
    except BrokenPipeError:
        # Whoever read the replies has left; Python's own last flush shall not complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(Status.NO)


def _socket_of(hardware: Path | None) -> Path:
    if hardware is None:
        raise click.UsageError("expected HARDWARE.toml or --socket PATH")
    try:
        return Path(load_hardware(hardware).control_socket)
    except HardwareFileError as error:
        click.echo(str(error), err=True)
        sys.exit(Status.MISUSE)


# --- Lines from a file or a pipe ---------------------------------------------------


def _answer_all(path: Path, lines: Iterable[str]) -> bool:
    """Answer each line with one; return whether all were accepted."""
    if isinstance(lines, io.TextIOWrapper):
        # Bytes that are no UTF-8 cost their own line, not those after it.
        lines.reconfigure(errors="surrogateescape")
    accepted = True
    rest = iter(lines)
    with ControlClient(path) as client:
        for line in rest:
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            if line.strip() == "quit":
                break
            if not _is_text(line):
                accepted = False
                click.echo("error: expected a line in UTF-8, got other bytes")
                continue
            taken, text = _answer(path, client, line.strip(), rest)
            accepted = accepted and taken
            click.echo(text)
            sys.stdout.flush()
    return accepted


def _is_text(line: str) -> bool:
    """Return whether a line's bytes were UTF-8; others were read as half surrogates."""
    return not any("\ud800" <= character <= "\udfff" for character in line)


def _answer(
    path: Path, client: ControlClient, line: str, rest: Iterator[str]
) -> tuple[bool, str]:
    """Return whether a line was accepted, and the reply; a PIN is the next line."""
    reply = login_reply(client, line, lambda: next(rest, "").rstrip("\r\n"))
    if reply is not None:
        return reply.accepted, reply.text()
    match line:
        case "state":
            return True, "; ".join(one.text for one in table_lines(look(path)))
        case "help":
            return True, "; ".join(words_now(look(path)))
        case "decisions":
            return True, "; ".join(one.text.strip() for one in all_lines(look(path)))
        case "links":
            return True, "; ".join(one.text for one in link_lines(look(path)))
        case _ if needs_reason(line):
            return False, _REASON_MISSING
        case _:
            reply = client.ask(line)
            return reply.accepted, reply.text()


# --- A person at a terminal --------------------------------------------------------


def _talk_on(path: Path) -> None:
    """Talk to the table; where it leaves, wait until it is back.

    Raises:
        NoTableError: No table was there to begin with.

    """
    look(path)
    is_back = True
    while is_back:
        try:
            _talk(path)
        except NoTableError as error:
            is_back = _comes_back(path, error)
        else:
            return


def _comes_back(path: Path, left: NoTableError) -> bool:
    """Wait for a table to answer again; return whether one did before an interrupt."""
    try:
        click.echo(f"{left}; waiting until it is back, Ctrl-C ends", err=True)
        while True:
            with contextlib.suppress(NoTableError), ControlClient(path):
                return True
            time.sleep(_LOOK_FOR_TABLE_EVERY_S)
    except KeyboardInterrupt:
        return False


def _talk(path: Path) -> None:
    screen = Screen(Console(highlight=False))
    with (
        ControlClient(path) as client,
        ControlClient(path) as followed,
        _hearing_interrupts(screen),
    ):
        follower = _Follower(followed, screen)
        try:
            if client.must_log_in() and (name := screen.ask("person> ").strip()):
                _do(path, client, screen, f"login {name}")
            while (line := screen.ask("table> ").strip()) != "quit":
                _do(path, client, screen, line)
        except EOFError:
            screen.say("")
        except KeyboardInterrupt:
            screen.say("")
            if follower.gone:
                raise NoTableError(follower.gone) from None
        finally:
            follower.stop()
            screen.end()


@contextlib.contextmanager
def _hearing_interrupts(screen: Screen) -> Iterator[None]:
    """Let the wait for a key end now and then, so that no SIGINT is overlooked.

    One that comes just before the wait begins, or that the kernel gives to another
    thread, does not end the wait: it would be noticed with the next key. And what is
    raised while `input` flushes its streams is dropped: it is raised once more. SIGTERM
    is heard in the same way.
    """
    came: BaseException | None = None
    dropped = False

    def end(number: int, _frame: FrameType | None) -> None:
        nonlocal came
        is_interrupt = number == signal.SIGINT
        came = KeyboardInterrupt() if is_interrupt else SystemExit(128 + number)
        raise came

    def look(_number: int, _frame: FrameType | None) -> None:
        # Python comes here too with an exception on its way, and then nothing may be
        # called or raised: only a second look finds that one was dropped.
        nonlocal dropped
        if dropped and came is not None and screen.asking:
            raise came
        dropped = came is not None

    before = {one: signal.signal(one, end) for one in (signal.SIGINT, signal.SIGTERM)}
    signal.signal(signal.SIGALRM, look)
    every = _LOOK_FOR_SIGNALS_EVERY_S
    signal.setitimer(signal.ITIMER_REAL, every, every)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in before.items():
            signal.signal(number, handler)


def _do(path: Path, client: ControlClient, screen: Screen, line: str) -> None:
    reply = login_reply(client, line, lambda: screen.ask_hidden("PIN> "))
    if reply is not None:
        screen.say(reply.text(), "green" if reply.accepted else "red")
        return
    match line:
        case "":
            return
        case "state":
            screen.show(table_lines(look(path)))
        case "help":
            for words in (*words_now(look(path)), *LOGIN_WORDS, *CONSOLE_WORDS):
                screen.say(f"  {words}", "cyan")
        case "decisions":
            screen.show_decisions(look(path))
        case "links":
            screen.show(link_lines(look(path)))
        case _ if line.isdecimal():
            _choose(client, screen, int(line))
        case _:
            _send(client, screen, line)


def _choose(client: ControlClient, screen: Screen, number: int) -> None:
    """Make the decision of that number in the list that is on the screen."""
    choice = screen.choice(number)
    if choice is None:
        screen.say(f"there is no decision {number} in the list", "yellow")
        return
    try:
        line = chosen_line(choice, screen.ask, screen.say)
    except NotChosenError as not_chosen:
        screen.say(str(not_chosen), "yellow")
        return
    _send(client, screen, line)


def _send(client: ControlClient, screen: Screen, line: str) -> None:
    if needs_reason(line):
        reason = screen.ask("reason> ").strip()
        if not reason:
            screen.say(_REASON_MISSING, "yellow")
            return
        line = with_reason(line, reason)
    reply = client.ask(line)
    screen.say(reply.text(), "green" if reply.accepted else "red")


class _Follower:
    """Passes the table's view on to the screen, until the table leaves or we do."""

    def __init__(self, client: ControlClient, screen: Screen) -> None:
        self.gone = ""
        self._client = client
        self._screen = screen
        self._stopping = False
        self._typing_thread = threading.get_ident()
        self._thread = threading.Thread(target=self._run, name="follower", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Follow no longer."""
        self._stopping = True
        self._client.close()
        self._thread.join()

    def _run(self) -> None:
        try:
            for view in self._client.follow():
                self._screen.update(view)
        except NoTableError as error:
            if not self._stopping:
                self.gone = str(error)
                # Only a signal ends the wait for a line that nobody would answer.
                signal.pthread_kill(self._typing_thread, signal.SIGINT)
