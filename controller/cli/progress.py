"""How far a long look at a journal is, for a person who waits at a terminal."""

import contextlib
import sys
from collections.abc import Callable, Iterator

Progress = Callable[[str, int, int | None], None]
"""Told what is done, how much of it is, and how much there is, if that is known."""


@contextlib.contextmanager
def progress(first: str) -> Iterator[Progress]:
    """Show on standard error how far it is, if that is a terminal.

    `first` says what is done until the first word of it.
    """
    if not sys.stderr.isatty():
        yield _to_nobody
        return
    # Rich takes long to import: only a terminal pays for it.
    from rich.console import Console  # noqa: PLC0415 - said above
    from rich.progress import Progress as Bar  # noqa: PLC0415 - said above

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(first, total=None)

        def show(what: str, done: int, total: int | None) -> None:
            bar.update(task, description=what, completed=done, total=total)

        yield show


def _to_nobody(_what: str, _done: int, _all: int | None) -> None:
    """Tell nobody."""
