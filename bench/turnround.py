"""How long a press is under way: report written until the next poll says it is taken.

The real table on ptys, seen from the device: the time runs from the report that carries
the press to the poll that acknowledges it with the new lamps. The floor reads a report,
commits two rows in a writer thread and writes a reply, and decides nothing.
"""

import os
import socket
import statistics
import sys
import tempfile
import threading
import time
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Final

from bench import floors
from bench.measure import TIMES, Better, Measure
from drivers.framing import FrameReader, encode_frame
from drivers.identity import DeviceType, Identify, Identity
from drivers.panel.codec import from_frame, to_frame
from drivers.panel.messages import Button, Poll, Press, Report
from hw_config.loader import load_hardware, moved_to, shipped_hardware
from hw_config.schema import TableHardware

PRESSES: Final = 300
PACE_S: Final = 0.020
SEAT: Final = 1
BITS_A_BYTE: Final = 10
BAUD: Final = 115_200
_PROJECT: Final = Path(__file__).parents[1]
_RUN: Final = "from controller.cli.run import command; command()"
_OPEN_SHIFT: Final = b'{"id": 1, "command": "shift open D1 right-to-left"}\n'


class Panels:
    """The far side of the bus in a thread of its own: all panels, one of them pressed.

    `paced` lets every byte take its time at 115200 baud, on both ways.
    """

    def __init__(self, path: Path, hardware: TableHardware, *, paced: bool) -> None:
        self._roles = {
            address: seat
            for seat, address in enumerate(hardware.bus.seat_addresses, start=1)
        } | {hardware.bus.dealer_address: 0}
        self._pressed = hardware.bus.seat_addresses[SEAT - 1]
        self._paced = paced
        self._master, slave = os.openpty()
        tty.setraw(slave)
        path.symlink_to(os.ttyname(slave))
        self._slave = slave
        self.seconds: list[float] = []
        self.lit = threading.Event()
        self.done = threading.Event()
        self._go = threading.Event()
        self._number = 0
        self._waiting: Press | None = None
        self._written_at: float | None = None
        self._next_press = 0.0
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def start(self) -> None:
        """Begin to answer."""
        self._thread.start()

    def go(self) -> None:
        """Begin to press."""
        self._go.set()

    def close(self) -> None:
        """Hang up; the thread ends on it."""
        os.close(self._slave)
        os.close(self._master)
        self._thread.join(timeout=5)

    def _serve(self) -> None:
        reader = FrameReader()
        while True:
            try:
                data = os.read(self._master, 4096)
            except OSError:
                return
            self._take_time(data)
            for frame in reader.receive_data(data):
                if frame.address not in self._roles:
                    continue
                message = from_frame(frame)
                if isinstance(message, Identify):
                    answer: Identity | Report = self._identity(frame.address)
                elif isinstance(message, Poll):
                    answer = self._answer(frame.address, message)
                else:
                    continue
                encoded = encode_frame(to_frame(answer, frame.address, frame.sequence))
                self._take_time(encoded)
                if isinstance(answer, Report) and answer.presses:
                    self._written_at = self._written_at or time.perf_counter()
                try:
                    os.write(self._master, encoded)
                except OSError:
                    return

    def _take_time(self, data: bytes) -> None:
        if self._paced:
            until = time.perf_counter() + len(data) * BITS_A_BYTE / BAUD
            while time.perf_counter() < until:
                pass

    def _identity(self, address: int) -> Identity:
        return Identity(
            protocol_version=1,
            device_type=DeviceType.PANEL,
            role=self._roles[address],
            boot_id=address + 1,
            model="bench",
            serial=str(address),
            firmware="1",
        )

    def _answer(self, address: int, poll: Poll) -> Report:
        if address != self._pressed:
            return Report(boot_id=address + 1, acknowledged=0)
        if poll.lamps:
            self.lit.set()
        self._note_taken(poll)
        self._press_if_due(poll)
        presses = (self._waiting,) if self._waiting else ()
        return Report(
            boot_id=address + 1, acknowledged=poll.taken_number, presses=presses
        )

    def _note_taken(self, poll: Poll) -> None:
        if self._waiting is None or poll.taken_number != self._waiting.number:
            return
        shows_new = (Button.CLEAR in poll.lamps) is (self._waiting.button is Button.BET)
        assert shows_new, "the poll that acknowledges a press shows the lamps before it"
        assert self._written_at is not None
        self.seconds.append(time.perf_counter() - self._written_at)
        self._waiting = self._written_at = None
        if len(self.seconds) == PRESSES:
            self.done.set()

    def _press_if_due(self, poll: Poll) -> None:
        now = time.perf_counter()
        idle = self._waiting is None and self._go.is_set() and not self.done.is_set()
        if not idle or now < self._next_press:
            return
        self._next_press = now + PACE_S
        self._number += 1
        button = Button.CLEAR if Button.CLEAR in poll.lamps else Button.BET
        self._waiting = Press(self._number, button, poll.prompt_number)


@contextmanager
def running_table(
    folder: Path, *, paced: bool
) -> Iterator[tuple[Panels, Popen[bytes]]]:
    """Run a table of seven seats as a process of its own, its panels in ours."""
    file = shipped_hardware("simulation-seven")
    hardware = moved_to(load_hardware(file), folder)
    Path(hardware.bus.port).parent.mkdir(parents=True)
    panels = Panels(Path(hardware.bus.port), hardware, paced=paced)
    panels.start()
    try:
        with table_process(file, folder, hardware) as table:
            yield panels, table
    finally:
        panels.close()


@contextmanager
def table_process(
    file: Path, folder: Path, hardware: TableHardware
) -> Iterator[Popen[bytes]]:
    """Run a table as a process of its own, with an open shift."""
    # Paths of a hardware file count from the working directory.
    table = Popen(
        [sys.executable, "-c", _RUN, str(file)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(_PROJECT)},
        stderr=DEVNULL,
    )
    try:
        _open_shift(Path(hardware.control_socket))
        yield table
    finally:
        table.terminate()
        table.wait(timeout=20)


def _open_shift(path: Path) -> None:
    deadline = time.monotonic() + 20
    while True:
        try:
            with socket.socket(socket.AF_UNIX) as line:
                line.connect(str(path))
                line.sendall(_OPEN_SHIFT)
                line.recv(4096)
                return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def table_turnaround(*, paced: bool) -> tuple[float, float]:
    """Return p50 and p99 in seconds at a table of seven panels."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_table(Path(folder), paced=paced) as (panels, _),
    ):
        panels.lit.wait(20)
        panels.go()
        panels.done.wait(120)
        return percentiles(panels.seconds)


def percentiles(seconds: list[float]) -> tuple[float, float]:
    """Return p50 and p99."""
    ordered = sorted(seconds)
    last = min(len(ordered) - 1, int(len(ordered) * 0.99))
    return statistics.median(ordered), ordered[last]


def scan_arithmetic_s() -> float:
    """Return two scans of seven panels and the dealer's at 115200, in seconds.

    A scan asks every panel once; each question and its answer take their bytes' time.
    """
    poll = encode_frame(to_frame(Poll(1, frozenset(), 1, 1), 1, 1))
    report = encode_frame(to_frame(Report(1, 1), 1, 1))
    one = (len(poll) + len(report)) * BITS_A_BYTE / BAUD
    return 2 * 8 * one


def measures() -> Iterator[Measure]:
    """Return the turn-round unpaced against the floor, and paced against arithmetic."""
    ours, bare, ratios_50, ratios_99 = [], [], [], []
    for _ in range(TIMES):
        with tempfile.TemporaryDirectory() as folder:
            floor = floors.bare_turnaround(Path(folder, "floor"), PRESSES, PACE_S)
        mine = table_turnaround(paced=False)
        ours.append(mine)
        bare.append(floor)
        ratios_50.append(mine[0] / floor[0])
        ratios_99.append(mine[1] / floor[1])
    for at, name, goal, ratios in (
        (0, "p50", 1.5, ratios_50),
        (1, "p99", 2.0, ratios_99),
    ):
        yield Measure(
            name=f"host turn-round {name}",
            unit="s",
            ours=statistics.median(one[at] for one in ours),
            floor=statistics.median(one[at] for one in bare),
            ratio=statistics.median(ratios),
            better=Better.LOWER,
            goal=goal,
            note="against bare_turnaround, unpaced, a press every 20 ms",
        )
    paced = [table_turnaround(paced=True)[1] for _ in range(TIMES)]
    commit = statistics.median(one[0] for one in bare)
    bound = scan_arithmetic_s() + commit
    yield Measure(
        name="host turn-round p99, bus paced at 115200",
        unit="s",
        ours=statistics.median(paced),
        floor=bound,
        ratio=statistics.median(paced) / bound,
        better=Better.LOWER,
        goal=1.0,
        note="against the arithmetic of two scans and one commit",
    )
