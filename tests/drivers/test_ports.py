"""Serial ports, over pseudo-terminals: nothing blocks, and gone is gone."""

import fcntl
import os
import select
import subprocess
import sys
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from drivers.errors import PortError, PortLostError, PortOpenError, PortOverflowError
from drivers.ports import READ_MAX_BYTES, WAITING_MAX_BYTES, SerialPort

PATIENCE_S = 5.0
# From asm-generic/ioctls.h; Python's termios has no name for it.
TIOCGEXCL = 0x80045440


class Terminal:
    """The far end of a port: a pseudo-terminal's master."""

    def __init__(self) -> None:
        self.master, slave = os.openpty()
        tty.setraw(slave)
        self.path = Path(os.ttyname(slave))
        os.close(slave)

    def write(self, data: bytes) -> None:
        os.write(self.master, data)

    def read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            wait_readable(self.master)
            data += os.read(self.master, count - len(data))
        return data

    def hang_up(self) -> None:
        if self.master >= 0:
            os.close(self.master)
            self.master = -1


def wait_readable(descriptor: int) -> None:
    readable, _, _ = select.select([descriptor], [], [], PATIENCE_S)
    assert readable, "nothing came"


def read_all(port: SerialPort, count: int) -> bytes:
    data = b""
    while len(data) < count:
        wait_readable(port.fileno())
        data += port.read_available()
    return data


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    terminal = Terminal()
    yield terminal
    terminal.hang_up()


def test_bytes_go_out_and_in_as_they_are(terminal: Terminal) -> None:
    every_byte = bytes(range(256))
    with SerialPort(terminal.path) as port:
        port.write(every_byte)
        assert not port.wants_write
        assert terminal.read(256) == every_byte
        terminal.write(every_byte)
        assert read_all(port, 256) == every_byte


def test_reading_when_nothing_came_gives_nothing_and_does_not_wait(
    terminal: Terminal,
) -> None:
    with SerialPort(terminal.path) as port:
        assert port.read_available() == b""
        port.flush_some()


def test_one_read_is_bounded(terminal: Terminal) -> None:
    with SerialPort(terminal.path) as port:
        terminal.write(b"x" * 3000)
        wait_readable(port.fileno())
        assert 0 < len(port.read_available()) <= READ_MAX_BYTES


def test_bytes_that_waited_before_the_opening_are_thrown_away(
    terminal: Terminal,
) -> None:
    other = os.open(terminal.path, os.O_RDWR | os.O_NOCTTY)
    try:
        terminal.write(b"old")
        wait_readable(other)
        with SerialPort(terminal.path) as port:
            terminal.write(b"new")
            assert read_all(port, 3) == b"new"
    finally:
        os.close(other)


def test_a_port_that_takes_no_bytes_never_blocks_and_overflows_in_the_end(
    terminal: Terminal,
) -> None:
    sent = b""
    with SerialPort(terminal.path) as port:
        while not port.wants_write:
            chunk = bytes([len(sent) % 251]) * 1000
            port.write(chunk)
            sent += chunk
        with pytest.raises(PortOverflowError, match="takes no bytes") as caught:
            port.write(b"x" * WAITING_MAX_BYTES)
        assert isinstance(caught.value, PortError)
        # What waited before still goes out, in order, and nothing else.
        received = b""
        while len(received) < len(sent):
            received += terminal.read(min(1000, len(sent) - len(received)))
            port.flush_some()
        assert received == sent
        assert not port.wants_write


def test_a_port_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(PortOpenError) as caught:
        SerialPort(tmp_path / "panel-3")
    words = "cannot be opened: it is not there; check that it is plugged in"
    assert str(caught.value) == f"{tmp_path}/panel-3 {words}"


def test_a_file_that_is_no_port_says_so(tmp_path: Path) -> None:
    path = tmp_path / "no-port"
    path.write_bytes(b"")
    with pytest.raises(PortOpenError, match="it is no serial port; name another"):
        SerialPort(path)


def test_a_rate_that_no_port_has_says_so(terminal: Terminal) -> None:
    with pytest.raises(PortOpenError, match="cannot be opened"):
        SerialPort(terminal.path, baud=-1)


def test_a_port_in_use_is_not_opened_twice(terminal: Terminal) -> None:
    with (
        SerialPort(terminal.path),
        pytest.raises(PortOpenError, match="another program has it open; end that"),
    ):
        SerialPort(terminal.path)


def is_marked_exclusive(descriptor: int) -> bool:
    """Return whether the kernel refuses to let a second user open this terminal."""
    mark = fcntl.ioctl(descriptor, TIOCGEXCL, bytes(4))
    return mark != bytes(4)


def test_a_port_is_marked_as_ours_until_it_is_closed(terminal: Terminal) -> None:
    other = os.open(terminal.path, os.O_RDWR | os.O_NOCTTY)
    try:
        with SerialPort(terminal.path):
            assert is_marked_exclusive(other)
        assert not is_marked_exclusive(other)
    finally:
        os.close(other)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else")
def test_another_user_cannot_open_a_port_that_is_ours(terminal: Terminal) -> None:
    # The permissions would let them: what keeps them out is that it is in use.
    terminal.path.chmod(0o666)
    assert opened_by_somebody_else(terminal.path) == "opened"
    with SerialPort(terminal.path):
        assert opened_by_somebody_else(terminal.path) == "EBUSY"
        terminal.write(b"all of it is ours")
    assert opened_by_somebody_else(terminal.path) == "opened"


def opened_by_somebody_else(path: Path) -> str:
    """Return what a program of another user gets when it opens a path."""
    program = (
        "import errno, os, sys\n"
        "os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "try:\n"
        "    os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)\n"
        "    print('opened')\n"
        "except OSError as error:\n"
        "    print(errno.errorcode[error.errno])\n"
    )
    done = subprocess.run(  # noqa: S603 - our own words
        [sys.executable, "-S", "-E", "-c", program, str(path)],
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def test_a_closed_port_can_be_opened_again(terminal: Terminal) -> None:
    with SerialPort(terminal.path):
        pass
    with SerialPort(terminal.path) as port:
        terminal.write(b"again")
        assert read_all(port, 5) == b"again"


def test_closing_twice_is_fine(terminal: Terminal) -> None:
    port = SerialPort(terminal.path)
    port.close()
    port.close()
    assert not port.is_open


def test_a_closed_port_neither_reads_nor_writes(terminal: Terminal) -> None:
    port = SerialPort(terminal.path)
    port.close()
    for use in (port.fileno, port.read_available, lambda: port.write(b"x")):
        with pytest.raises(PortLostError, match="is closed; open it again"):
            use()


def test_a_port_that_is_unplugged_is_lost_whatever_is_done(terminal: Terminal) -> None:
    with SerialPort(terminal.path) as port:
        terminal.hang_up()
        wait_readable(port.fileno())
        with pytest.raises(PortLostError, match="plug it in again"):
            port.read_available()
        with pytest.raises(PortLostError, match="went away"):
            port.write(b"x")
    assert not port.is_open
