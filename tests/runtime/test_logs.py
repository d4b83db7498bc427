"""Logs: they neither block nor raise, count what they drop, and keep no secret."""

import enum
import json
import logging
import os
import pty
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.core.secrets import SealedCard, Secrets
from controller.runtime.clock import Reading
from controller.runtime.log_writer import CAPACITY_LINES, LogWriter
from controller.runtime.logs import SEALED_KEYS, TableLog, json_lines, logger_to
from tests.runtime.clocks import StandingClock
from tests.runtime.sinks import Lines

BOUND_S = 5.0


class Pipe:
    """A pipe whose reader a test may stall or end."""

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe()

    def end_reader(self) -> None:
        os.close(self.reader)
        self.reader = -1

    def read_all(self) -> list[dict[str, Any]]:
        """Return every line that is in the pipe, after closing the writing end."""
        os.close(self.writer)
        self.writer = -1
        with os.fdopen(os.dup(self.reader), "rb") as file:
            return [json.loads(line) for line in file.read().splitlines()]

    def close(self) -> None:
        for end in (self.reader, self.writer):
            if end >= 0:
                os.close(end)


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    pipe = Pipe()
    yield pipe
    pipe.close()


def within_bound(work: Callable[[], object]) -> None:
    """Fail, rather than hang, if this does not return soon."""
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(BOUND_S)
    assert not thread.is_alive(), "the caller was held up"


def say_often(log: TableLog, words: str, times: int) -> None:
    for n in range(times):
        log.say.info(words, n=n)


# --- Lines ------------------------------------------------------------------------


def test_a_line_is_one_json_object_with_time_and_level(pipe: Pipe) -> None:
    with TableLog(pipe.writer, StandingClock()) as log:
        log.say.info("panel back", seat=3)
    assert pipe.read_all() == [
        {
            "event": "panel back",
            "seat": 3,
            "level": "info",
            "timestamp": "2026-01-31T18:00:00.000000Z",
        }
    ]


def test_on_a_terminal_a_line_is_for_people() -> None:
    ours, theirs = pty.openpty()
    try:
        with TableLog(theirs, StandingClock()) as log:
            log.say.warning("panel lost", seat=3)
        shown = os.read(ours, 4096).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert "panel lost" in shown
    assert not shown.startswith("{")


def test_a_line_from_every_thread_arrives_whole(pipe: Pipe) -> None:
    with TableLog(pipe.writer, StandingClock()) as log:
        threads = [
            threading.Thread(target=say_often, args=(log, "x", 50)) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(BOUND_S)
    assert len(pipe.read_all()) == 200


def test_a_line_too_long_is_cut(pipe: Pipe) -> None:
    writer = LogWriter(pipe.writer, str)
    writer.put("x" * 100_000)
    assert writer.close()
    os.close(pipe.writer)
    pipe.writer = -1
    with os.fdopen(os.dup(pipe.reader), "rb") as file:
        assert file.read().endswith("x…\n".encode())


# --- A dead and a stalled reader --------------------------------------------------


def test_a_dead_reader_costs_lines_and_nothing_else(pipe: Pipe) -> None:
    pipe.end_reader()
    log = TableLog(pipe.writer, StandingClock())
    within_bound(lambda: say_often(log, "x", 500))
    assert log.close(BOUND_S)
    assert log.dropped == 500


def test_a_stalled_reader_never_holds_up_a_caller(pipe: Pipe) -> None:
    log = TableLog(pipe.writer, StandingClock())
    within_bound(lambda: say_often(log, "x" * 500, 5_000))
    within_bound(lambda: log.close(0.05))
    in_the_pipe = pipe.read_all()
    assert [line["n"] for line in in_the_pipe] == list(range(len(in_the_pipe)))
    assert len(in_the_pipe) + log.dropped == 5_000
    assert log.dropped >= 5_000 - CAPACITY_LINES - 65_536 // 500


def test_closing_on_a_stalled_reader_has_a_bound(pipe: Pipe) -> None:
    log = TableLog(pipe.writer, StandingClock())
    say_often(log, "x" * 500, 500)
    within_bound(lambda: log.close(0.05))
    assert log.dropped > 0


def test_every_line_is_written_or_counted_and_the_gap_is_reported(pipe: Pipe) -> None:
    writer = LogWriter(pipe.writer, lambda n: f"{n} dropped", capacity_lines=10)
    for n in range(1_000):
        writer.put(f"{n} " + "x" * 1_000)
    dropped = writer.dropped
    assert dropped > 0
    read: list[bytes] = []

    def drain() -> None:
        with os.fdopen(os.dup(pipe.reader), "rb") as file:
            read.extend(file.read().splitlines())

    reader = threading.Thread(target=drain)
    reader.start()
    assert writer.close(BOUND_S)
    os.close(pipe.writer)
    pipe.writer = -1
    reader.join(BOUND_S)
    *lines, report = read
    assert report == f"{dropped} dropped".encode()
    assert len(lines) + dropped == 1_000
    # The gap stands where it was: what was taken came before it, in order.
    numbers = [int(line.split()[0]) for line in lines]
    assert numbers == sorted(numbers)
    assert writer.dropped == dropped


def test_lines_lost_to_a_full_disk_are_reported_when_there_is_room() -> None:
    told: list[int] = []

    def report(count: int) -> str:
        told.append(count)
        return "some were dropped"

    with Path("/dev/full").open("wb") as full:
        writer = LogWriter(full.fileno(), report)
        writer.put("one")
        writer.put("two")
        assert writer.close(BOUND_S)
    assert writer.dropped == 2
    # The report was tried again with the last line, and could not be written either.
    assert told[-1] == 2


def test_after_closing_a_line_is_counted_and_harmless(pipe: Pipe) -> None:
    log = TableLog(pipe.writer, StandingClock())
    assert log.close()
    assert log.close()
    log.say.info("too late")
    assert log.dropped == 1


# --- Nothing raises ---------------------------------------------------------------


class Awkward:
    def __repr__(self) -> str:
        raise RuntimeError

    __str__ = __repr__


class Colour(enum.Enum):
    RED = "red"
    ODD = Awkward()


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (Awkward(), "(a Awkward, not logged)"),
        ({"a": 1}, "(a dict, not logged)"),
        (b"Th", "(a bytes, not logged)"),
        (SealedCard(7, 1, "Th"), "(a SealedCard, not logged)"),  # type: ignore[arg-type]  # a card is only text here
        (Secrets(), "(a Secrets, not logged)"),
        (Colour.RED, "red"),
        (Colour.ODD, "ODD"),
        (Path("/a/b"), "/a/b"),
        ((1, None, Awkward()), [1, None, "(a Awkward, not logged)"]),
        (float("nan"), "nan"),
        ("\ud800", "\ud800"),
    ],
)
def test_only_plain_values_are_written(value: object, written: object) -> None:
    lines = Lines()
    logger_to(lines, json_lines(StandingClock())).info("x", value=value)
    assert lines.only()["value"] == written


def test_a_line_that_cannot_be_made_is_counted() -> None:
    lines = Lines()
    logger_to(lines, json_lines(StandingClock())).info("x", number=10**5_000)
    assert (lines.kept, lines.dropped) == ([], 1)


def _fail(words: str) -> None:
    raise ValueError(words)


class BrokenClock(StandingClock):
    def read(self) -> Reading:
        raise OSError


def test_not_even_a_broken_clock_raises_into_the_game(pipe: Pipe) -> None:
    log = TableLog(pipe.writer, BrokenClock())
    log.say.info("x")
    assert log.close()
    os.close(pipe.writer)
    pipe.writer = -1
    assert os.read(pipe.reader, 4096) == b"1 log lines were dropped\n"


# --- Secrets ----------------------------------------------------------------------


@pytest.mark.parametrize("key", sorted(SEALED_KEYS))
def test_what_a_secret_could_stand_under_is_never_written(key: str) -> None:
    lines = Lines()
    logger_to(lines, json_lines(StandingClock())).info("x", **{key: "Qh"})
    assert "Qh" not in lines.kept[0]


def test_of_an_exception_type_and_place_are_written_but_no_words() -> None:
    lines = Lines()
    say = logger_to(lines, json_lines(StandingClock()))
    try:
        _fail("the hole card is Qh")
    except ValueError as error:
        say.error("an input could not be handled", error=error)
    written = lines.only()["error"]
    assert re.match(r"ValueError < test_logs.py:\d+ _fail < test_logs.py:", written)
    assert "Qh" not in written


def test_of_an_error_of_the_system_its_fixed_words_are_kept() -> None:
    lines = Lines()
    say = logger_to(lines, json_lines(StandingClock()))
    say.error("x", error=OSError(28, "No space left on device"))
    assert lines.only()["error"] == "OSError (No space left on device)"


def test_what_libraries_say_goes_the_same_way_without_their_arguments(
    pipe: Pipe,
) -> None:
    library = logging.getLogger("some.library")
    with TableLog(pipe.writer, StandingClock()):
        library.warning("slow: %s", "Qh")
        library.error("never retrieved\nfuture: Qh", exc_info=ValueError("Qh"))
        library.info("chatter")
    first, second = pipe.read_all()
    assert (first["event"], first["library"]) == ("slow: %s", "some.library")
    assert (second["event"], second["error"]) == ("never retrieved", "ValueError")


def test_a_library_that_says_no_text_is_heard_by_its_type(pipe: Pipe) -> None:
    said = logging.makeLogRecord({"msg": Awkward(), "levelno": logging.WARNING})
    with TableLog(pipe.writer, StandingClock()):
        logging.getLogger().handlers[-1].handle(said)
    (line,) = pipe.read_all()
    assert line["event"] == "Awkward"
