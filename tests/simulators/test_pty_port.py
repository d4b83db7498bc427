import contextlib
import os
import select
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from simulators.devices.pty_port import PtyPort, point_link

BOUND_S = 5.0
EVERY_BYTE = bytes(range(256))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "dev" / "panels"


@contextlib.contextmanager
def opened(path: Path) -> Iterator[serial.Serial]:
    with serial.Serial(str(path), 115200, timeout=5, exclusive=True) as port:
        yield port


def wait_for_bytes(port: PtyPort) -> None:
    readable, _, _ = select.select([port.fileno()], [], [], BOUND_S)
    assert readable


def wait_until_blocked(host: serial.Serial) -> None:
    """Wait until the kernel has heard that the controller's writes shall stop."""
    end_s = time.monotonic() + BOUND_S
    while select.select([], [host], [], 0)[1]:
        assert time.monotonic() < end_s, "the terminal still takes bytes"
        os.sched_yield()


def test_every_byte_passes_unchanged_in_both_directions(path: Path) -> None:
    with PtyPort(path) as port, opened(path) as host:
        port.write(EVERY_BYTE, 0.0)
        assert host.read(256) == EVERY_BYTE
        host.write(EVERY_BYTE)
        wait_for_bytes(port)
        assert port.read(0.0) == EVERY_BYTE


def test_reading_with_nothing_there_returns_at_once(path: Path) -> None:
    with PtyPort(path) as port:
        assert port.read(0.0) == b""
        assert select.select([port.fileno()], [], [], 0)[0] == []


def test_the_port_is_ready_for_the_next_controller_after_a_hang_up(path: Path) -> None:
    with PtyPort(path) as port:
        with opened(path):
            before = path.readlink()
        wait_for_bytes(port)
        assert port.read(0.0) == b""
        assert path.readlink() != before
        assert select.select([port.fileno()], [], [], 0)[0] == []
        with opened(path) as host:
            port.write(b"again", 0.0)
            assert host.read(5) == b"again"


def test_a_write_after_a_hang_up_does_not_raise(path: Path) -> None:
    with PtyPort(path) as port:
        with opened(path):
            pass
        port.write(b"report", 0.0)
        assert port.plugged


def test_unplugging_removes_the_path_and_fails_the_host(path: Path) -> None:
    with PtyPort(path) as port, opened(path) as host:
        port.unplug()
        port.unplug()
        assert not port.plugged
        assert port.fileno() == -1
        assert not path.is_symlink()
        with pytest.raises(serial.SerialException):
            host.read(1)
        port.write(b"lost", 0.0)
        assert port.read(0.0) == b""


def test_a_port_plugged_in_again_carries_bytes(path: Path) -> None:
    with PtyPort(path) as port:
        port.unplug()
        port.plug_in()
        port.plug_in()
        with opened(path) as host:
            port.write(b"back", 0.0)
            assert host.read(4) == b"back"


def test_bytes_that_nobody_reads_are_lost_and_counted(path: Path) -> None:
    with PtyPort(path) as port:
        sent = 0
        while port.lost_bytes == 0 and sent < 1_000_000:
            port.write(EVERY_BYTE, 0.0)
            sent += 256
        port.write(EVERY_BYTE, 0.0)
        assert 0 < port.lost_bytes < sent


def test_a_paced_port_passes_bytes_on_when_they_are_due(path: Path) -> None:
    with PtyPort(path, baud=1000) as port, opened(path) as host:
        port.write(b"abc", 0.0)
        assert port.deadline == pytest.approx(0.03)
        port.handle_timer(0.02)
        assert host.in_waiting == 0
        port.handle_timer(0.031)
        assert host.read(3) == b"abc"
        assert port.deadline is None


def test_a_stalled_port_passes_nothing_on(path: Path) -> None:
    with PtyPort(path) as port, opened(path) as host:
        port.stall(3.0)
        port.write(b"abc", 0.0)
        host.write(b"poll")
        wait_for_bytes(port)
        assert port.read(1.0) == b""
        assert port.deadline == 3.0
        assert port.read(3.0) == b"poll"


def test_leaving_the_context_closes_the_terminal(path: Path) -> None:
    with PtyPort(path) as port:
        descriptor = port.fileno()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(descriptor)
    assert not path.is_symlink()


def test_a_place_taken_by_a_file_is_refused(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("something of somebody's")
    with pytest.raises(FileExistsError, match="is not a link"):
        point_link(path, "/dev/pts/1")
    assert path.read_text() == "something of somebody's"


def test_a_blocked_terminal_takes_no_bytes_until_it_does_again(path: Path) -> None:
    with PtyPort(path) as port, opened(path) as host:
        host.write(b"before")
        wait_for_bytes(port)
        assert port.read(0.0) == b"before"
        port.block(1.0)
        os.set_blocking(host.fileno(), False)
        wait_until_blocked(host)
        with pytest.raises(BlockingIOError):
            os.write(host.fileno(), b"into the void")
        dues = [port.deadline]
        port.handle_timer(0.9)
        with pytest.raises(BlockingIOError):
            os.write(host.fileno(), b"still")
        port.handle_timer(1.0)
        dues.append(port.deadline)
        assert dues == [1.0, None]
        assert os.write(host.fileno(), b"after") == 5
        wait_for_bytes(port)
        assert port.read(1.0) == b"after"
        port.write(EVERY_BYTE, 1.0)
        assert os.read(host.fileno(), 300) == EVERY_BYTE


def test_a_device_that_speaks_while_it_is_plugged_in_is_heard_from_the_middle(
    path: Path,
) -> None:
    port = PtyPort(path)
    port.plug_in(mid_frame=True)
    try:
        with opened(path) as host:
            host.write(b"hello")
            wait_for_bytes(port)
            port.read(0.0)
            port.write(b"whole frame", 0.0)
            port.write(b"next", 0.0)
            assert host.read(10) == b" framenext"
    finally:
        port.unplug()
