"""What the program says about itself, for a technician. The journal is elsewhere.

Lines are JSON unless a person reads them on a terminal. Saying something can
neither block nor raise, and a line never holds what the journal seals: only plain
values of harmless names get through, and of an exception only its type and where
it came from, since its words may quote a card.
"""

import enum
import logging
import math
import os
import traceback
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import structlog
from structlog.typing import Processor, WrappedLogger

from controller.runtime.clock import Clock, rfc3339
from controller.runtime.log_writer import CLOSE_TIMEOUT_S, LineSink, LogWriter

Facts = MutableMapping[str, object]

SEALED_KEYS: Final = frozenset(
    {
        *("body", "card", "cards", "command", "face", "frame", "hole", "line", "pin"),
        *("raw", "salt", "sealed", "secret", "secrets"),
    }
)
"""Names under which a face, a raw frame or a PIN could stand. None is ever written,
whatever it holds: whether a card is public yet is not for a log to find out."""

_PLAIN: Final = (bool, int, float, str, type(None))
_WHERE_FRAMES: Final = 20


class TableLogger(structlog.BoundLoggerBase):
    """Says what happened, with facts beside it: `say.info("panel back", seat=3)`."""

    _logger: LineSink

    def info(self, event: str, /, **facts: object) -> None:
        """Say what is as it should be."""
        self._say("info", event, facts)

    def warning(self, event: str, /, **facts: object) -> None:
        """Say what somebody should look at."""
        self._say("warning", event, facts)

    def error(self, event: str, /, **facts: object) -> None:
        """Say what went wrong; `error=` may be the exception."""
        self._say("error", event, facts)

    def _say(self, level: str, event: str, facts: dict[str, object]) -> None:
        try:
            (line,), _ = self._process_event(level, event, facts)
            self._logger.put(line)
        except Exception:  # noqa: BLE001 - whatever a line runs into, the game goes on
            self._logger.drop()


class TableLog:
    """The log of one process: a logger, and the thread that writes for it.

    It also takes what libraries say through `logging`, whose own way to standard
    error would block on a reader that stalls.
    """

    def __init__(self, descriptor: int, clock: Clock) -> None:
        processors = _processors(clock, on_terminal=os.isatty(descriptor))
        self._writer = LogWriter(descriptor, lambda n: _dropped_line(processors, n))
        self.say = logger_to(self._writer, processors)
        self._ear = _LibraryEar(self.say)
        logging.getLogger().addHandler(self._ear)

    @property
    def dropped(self) -> int:
        """How many lines were dropped so far."""
        return self._writer.dropped

    def close(self, timeout_s: float = CLOSE_TIMEOUT_S) -> bool:
        """Write what waits, within a bound; return whether the writer came to an end.

        What is said afterwards is counted and nothing else.
        """
        logging.getLogger().removeHandler(self._ear)
        return self._writer.close(timeout_s)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def logger_to(sink: LineSink, processors: list[Processor]) -> TableLogger:
    """Return a logger whose lines go to `sink`."""
    return TableLogger(sink, processors, {})


def json_lines(clock: Clock) -> list[Processor]:
    """Return how a line is made where a program reads it."""
    return _processors(clock, on_terminal=False)


def _processors(clock: Clock, *, on_terminal: bool) -> list[Processor]:
    renderer: Processor = (
        structlog.dev.ConsoleRenderer(colors=True)
        if on_terminal
        else structlog.processors.JSONRenderer()
    )
    return [_stamped_by(clock), _with_level, _only_plain_values, renderer]


def _stamped_by(clock: Clock) -> Processor:
    def stamped(_logger: WrappedLogger, _level: str, facts: Facts) -> Facts:
        facts["timestamp"] = rfc3339(clock.read().wall_ns)
        return facts

    return stamped


def _with_level(_logger: WrappedLogger, level: str, facts: Facts) -> Facts:
    facts["level"] = level
    return facts


def _only_plain_values(
    _logger: WrappedLogger, _level: str, facts: Facts
) -> Mapping[str, object]:
    return {name: _harmless(name, value) for name, value in facts.items()}


def _harmless(name: str, value: object) -> object:
    if name in SEALED_KEYS:
        return "(not logged)"
    match value:
        case enum.Enum():
            return value.value if isinstance(value.value, _PLAIN) else value.name
        case BaseException():
            return described(value)
        case Path():
            return str(value)
        case tuple() | list():
            return [_harmless(name, entry) for entry in value]
        case float() if not math.isfinite(value):
            return str(value)
        case _ if isinstance(value, _PLAIN):
            return value
        case _:
            return f"(a {type(value).__name__}, not logged)"


def described(error: BaseException) -> str:
    """Return an exception's type and where it came from, without its words.

    Of an error of the operating system its fixed words are kept.
    """
    name = type(error).__name__
    if isinstance(error, OSError) and error.strerror:
        name = f"{name} ({error.strerror})"
    frames = traceback.extract_tb(error.__traceback__)[-_WHERE_FRAMES:]
    where = (f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in frames)
    return " < ".join((name, *reversed(tuple(where))))


def _dropped_line(processors: list[Processor], count: int) -> str:
    lines: list[str] = []

    class _Kept:
        def put(self, line: str) -> None:
            lines.append(line)

        def drop(self) -> None:
            lines.append(f"{count} log lines were dropped")

    logger_to(_Kept(), processors).warning("log lines were dropped", dropped=count)
    return lines[0]


class _LibraryEar(logging.Handler):
    """Hears what libraries say through `logging`, from warnings upwards.

    Of their text only the first line is kept: asyncio writes exceptions, with
    their words, into those below.
    """

    def __init__(self, say: TableLogger) -> None:
        super().__init__(logging.WARNING)
        self._say = say

    def emit(self, record: logging.LogRecord) -> None:
        """Pass one record on; its arguments stay behind, they may be anything."""
        words = record.msg if isinstance(record.msg, str) else type(record.msg).__name__
        first_line = words.split("\n", 1)[0]
        error = record.exc_info[1] if record.exc_info else None
        facts = {"error": error} if error is not None else {}
        say = self._say.error if record.levelno >= logging.ERROR else self._say.warning
        say(first_line, library=record.name, **facts)
