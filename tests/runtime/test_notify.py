"""What the service manager is told: as it reads it, at once, or not at all."""

import contextlib
import os
import socket
from pathlib import Path

import pytest

from controller.runtime.notify import READY, STATUS_MAX, Notifier, status, watchdog_of
from tests.runtime.managers import Manager, managing

ME = os.getpid()


@pytest.mark.parametrize("kind", ["a file", "abstract"])
def test_facts_arrive_together_from_this_process(kind: str, tmp_path: Path) -> None:
    abstract = f"@blackjack-table-test-{ME}-{tmp_path.name}"
    address = abstract if kind == "abstract" else str(tmp_path / "notify")
    with contextlib.closing(Manager(address)) as manager:
        notifier = Notifier.of({"NOTIFY_SOCKET": address}, ME)
        assert notifier.tell(READY, status("plays"))
        told = manager.hears()
        assert told is not None
        assert (told.process, told.facts) == (ME, (READY, "STATUS=plays"))


@pytest.mark.parametrize(
    "address",
    [
        "",
        "/no/such/folder/notify",
        "/" + "long" * 100,
        "@" + "long" * 100,
        "vsock:2:1234",
        "@",
    ],
)
def test_a_manager_that_cannot_be_reached_is_no_error(address: str) -> None:
    assert not Notifier.of({"NOTIFY_SOCKET": address}, ME).tell(READY)


def test_a_manager_that_is_gone_is_no_error(tmp_path: Path) -> None:
    with managing(tmp_path) as manager:
        notifier = Notifier(manager.address)
    assert not notifier.tell(READY)


def test_a_manager_that_does_not_read_is_not_waited_for(tmp_path: Path) -> None:
    with managing(tmp_path) as manager:
        notifier = Notifier(manager.address)
        # The kernel holds a few hundred; the bound is this test's own.
        heard = (notifier.tell(READY) for _ in range(100_000))
        assert not all(heard)
        manager.forget()
        assert notifier.tell(READY)


def test_no_socket_at_all_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(*_: object) -> socket.socket:
        raise OSError(24, "Too many open files")

    notifier = Notifier("/run/notify")
    monkeypatch.setattr(socket, "socket", none_left)
    assert not notifier.tell(READY)


def test_a_status_is_one_line_of_bounded_length() -> None:
    assert status("READY\nSTOPPING=1\r\n x") == "STATUS=READY STOPPING=1 x"
    assert len(status("long " * 1_000)) == len("STATUS=") + STATUS_MAX


def test_words_that_are_no_text_are_told_as_far_as_they_are(tmp_path: Path) -> None:
    with managing(tmp_path) as manager:
        assert Notifier(manager.address).tell(status("\udcff odd"))
        told = manager.hears()
        assert told is not None
        assert told.words == "? odd"


@pytest.mark.parametrize(
    ("environment", "waits_s"),
    [
        ({}, None),
        ({"WATCHDOG_USEC": "30000000"}, 30.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(ME)}, 30.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(ME + 1)}, None),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": ""}, 30.0),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "-5"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": ""}, None),
        ({"WATCHDOG_USEC": "²"}, None),
    ],
)
def test_a_wait_counts_that_is_meant_for_this_process(
    environment: dict[str, str], waits_s: float | None
) -> None:
    assert watchdog_of(environment, ME) == waits_s
