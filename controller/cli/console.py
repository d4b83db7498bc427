"""`tablectl console`: the dealer's and the supervisor's lines to a running table."""

import os
import signal
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

import click
from rich.console import Console

from controller.cli.console_help import CONSOLE_WORDS, words_now
from controller.cli.console_screen import Screen
from controller.cli.control_client import ControlClient, NoTableError, look
from controller.cli.failures import Status
from controller.cli.table_text import table_lines
from controller.words.errors import WordsError
from controller.words.grammar import parse_line
from controller.words.reading import words_of
from hw_config.errors import HardwareFileError
from hw_config.loader import load_hardware

_REASON_MISSING = 'not sent: a decision needs its reason, as in reason="…"'


@click.command(name="console")
@click.argument(
    "hardware", required=False, type=click.Path(path_type=Path), metavar="HARDWARE.toml"
)
@click.option(
    "--socket",
    "socket_path",
    type=click.Path(path_type=Path),
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
            _talk(path)
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
    accepted = True
    with ControlClient(path) as client:
        for line in lines:
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            taken, text = _answer(path, client, line.strip())
            accepted = accepted and taken
            click.echo(text)
            sys.stdout.flush()
    return accepted


def _answer(path: Path, client: ControlClient, line: str) -> tuple[bool, str]:
    match line:
        case "state":
            return True, "; ".join(one.text for one in table_lines(look(path)))
        case "help":
            return True, "; ".join(words_now(look(path)))
        case _ if needs_reason(line):
            return False, _REASON_MISSING
        case _:
            reply = client.ask(line)
            return reply.accepted, reply.text()


# --- A person at a terminal --------------------------------------------------------


def _talk(path: Path) -> None:
    screen = Screen(Console(highlight=False))
    with ControlClient(path) as client, ControlClient(path) as followed:
        follower = _Follower(followed, screen)
        try:
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


def _do(path: Path, client: ControlClient, screen: Screen, line: str) -> None:
    match line:
        case "":
            return
        case "state":
            screen.show(look(path))
        case "help":
            for words in (*words_now(look(path)), *CONSOLE_WORDS):
                screen.say(f"  {words}", "cyan")
        case _:
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


# --- Reasons -----------------------------------------------------------------------


def needs_reason(line: str) -> bool:
    """Return whether this is a supervisor's decision without its reason.

    A line that cannot be read needs none: the table says what is wrong with it.
    """
    try:
        parse_line(line)
        words = words_of(line)
    except WordsError:
        return False
    return words[0].raw == "supervisor" and all(word.key != "reason" for word in words)


def with_reason(line: str, reason: str) -> str:
    """Return the line with a reason; the language has no way to quote a quote."""
    spoken = "".join(c if c.isprintable() else " " for c in reason).replace('"', "'")
    return f'{without_comment(line)} reason="{spoken}"'


def without_comment(line: str) -> str:
    """Return a line's words, without a comment behind which nothing would be read."""
    return " ".join(word.raw for word in words_of(line))
