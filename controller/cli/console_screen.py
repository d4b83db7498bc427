"""The terminal of a console: the table's changes above, the line being typed below.

What changes is printed at once, even while somebody types: the line is wiped, the
change is printed, the line is written again. There is no full-screen picture, so
that any terminal will do; and only the latest state is printed, so that a slow
one does not fall behind.
"""

import getpass
import readline
import threading
from typing import Final

from rich.console import Console
from rich.text import Text

from controller.cli.console_decisions import Choice, all_lines, choices, usual_lines
from controller.cli.table_text import Mood, TextLine, table_lines
from controller.runtime.view import View

_STYLES: Final = {
    Mood.PLAIN: "",
    Mood.HEAD: "bold",
    Mood.DUE: "bold cyan",
    Mood.NOTICE: "yellow",
    Mood.ALARM: "bold red",
}
_WIPE_LINE: Final = "\r\x1b[K"
_END_TIMEOUT_S: Final = 2.0


class Screen:
    """Prints the table as it changes, from a thread of its own."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._lock = threading.RLock()
        self._news = threading.Condition()
        self._latest: View | None = None
        self._shown: tuple[TextLine, ...] = ()
        self._offered: tuple[TextLine, ...] = ()
        self._choices: tuple[Choice, ...] = ()
        # The prompt of the line that is waited for, if any.
        self.asking = ""
        self._hidden = False
        self._ended = False
        self._printer = threading.Thread(target=self._run, name="screen", daemon=True)
        self._printer.start()

    def update(self, view: View) -> None:
        """Let a view be shown as soon as the terminal takes it; never waits for it."""
        with self._news:
            self._latest = view
            self._news.notify()

    def end(self) -> None:
        """Print no more; wait for the line that is being printed, within a bound."""
        with self._news:
            self._ended = True
            self._news.notify()
        self._printer.join(_END_TIMEOUT_S)

    def say(self, text: str, style: str = "") -> None:
        """Print a line of the console's own."""
        with self._lock:
            self._console.print(Text(text, style), soft_wrap=True)

    def ask(self, prompt: str) -> str:
        """Let a line be typed.

        Raises:
            EOFError: The terminal has ended.

        """
        self.asking = prompt
        try:
            return input(prompt)
        finally:
            self.asking = ""

    def ask_hidden(self, prompt: str) -> str:
        """Let something be typed that is not shown.

        Raises:
            EOFError: The terminal has ended.

        """
        self.asking, self._hidden = prompt, True
        try:
            return getpass.getpass(prompt)
        finally:
            self.asking, self._hidden = "", False

    def show(self, lines: tuple[TextLine, ...]) -> None:
        """Print lines, whatever of them was shown before."""
        self._print(lines)

    def show_decisions(self, view: View) -> None:
        """Print every decision that applies; their numbers count from now on."""
        with self._lock:
            self._choices = choices(view)
            self._print(all_lines(view))

    def choice(self, number: int) -> Choice | None:
        """Return what has that number in the list that was printed last."""
        with self._lock:
            return next((one for one in self._choices if one.number == number), None)

    def _run(self) -> None:
        while (view := self._next()) is not None:
            lines = table_lines(view)
            self._print(tuple(line for line in lines if line not in self._shown))
            self._shown = lines
            self._offer(view)

    def _offer(self, view: View) -> None:
        """Print the usual decisions where they are others than those printed last."""
        if view.decisions is None:
            return  # They are being worked out, and another view follows.
        lines = usual_lines(view)
        with self._lock:
            if lines != self._offered:
                self._choices = choices(view)
                self._print(lines)
            self._offered = lines

    def _next(self) -> View | None:
        with self._news:
            self._news.wait_for(lambda: self._ended or self._latest is not None)
            view, self._latest = self._latest, None
            return None if self._ended else view

    def _print(self, lines: tuple[TextLine, ...]) -> None:
        if not lines:
            return
        with self._lock:
            if self.asking:
                self._console.file.write(self._wipe())
            for line in lines:
                self._console.print(Text(line.text, _STYLES[line.mood]), soft_wrap=True)
            if self.asking:
                typed = "" if self._hidden else readline.get_line_buffer()
                self._console.file.write(self.asking + typed)
                self._console.file.flush()

    def _wipe(self) -> str:
        return "\n" if self._console.is_dumb_terminal else _WIPE_LINE
