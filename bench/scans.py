"""How long one look at seven lit panels and the dealer's takes at 115200, on the wire.

The real table is a process of its own; its panels are the simulated ones, in ours, and
every byte takes its time. The floor is the arithmetic of bytes and pauses: nothing can
be faster on that wire.
"""

import os
import statistics
import tempfile
import threading
import time
import tty
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Final, Self

from bench.measure import TIMES, Better, Measure
from bench.turnround import BAUD, BITS_A_BYTE, table_process
from drivers.bus import BusTiming
from drivers.framing import encode_frame
from drivers.modbus.codec import encode_reply, encode_request
from drivers.modbus.messages import InputsRead, ReadInputs
from drivers.modbus.session import timing_at
from drivers.panel.codec import to_frame
from drivers.panel.messages import Button, Poll, Report
from hw_config.loader import load_hardware, moved_to, shipped_hardware
from hw_config.schema import TableHardware
from simulators.devices.modbus import ModbusBus, ModbusModule
from simulators.devices.panel import PanelBus, PanelSimulator

LASTS_S: Final = 4.0
LIT_WITHIN_S: Final = 20.0
PANELS: Final = 8
BYTE_S: Final = BITS_A_BYTE / BAUD
SLEEP_IS_LATE_S: Final = 0.0002
GOAL: Final = 1.3


Bus = PanelBus | ModbusBus


class FarSide:
    """A bus of simulated panels at the end of a wire on which bytes take their time.

    `pause_s` is how long a panel waits before it answers.
    """

    def __init__(self, path: Path, bus: Bus, pause_s: float) -> None:
        self._bus = bus
        self._pause_s = pause_s
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        path.symlink_to(os.ttyname(self._slave))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self.answered_at: list[float] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._slave)
        os.close(self._master)
        self._thread.join(timeout=5)

    def wait_until_lit(self) -> None:
        """Return once a lamp of each panel is on: dark ones are asked more rarely."""
        deadline = time.monotonic() + LIT_WITHIN_S
        while not all(lamps(self._bus)):
            assert time.monotonic() < deadline, "expected a lamp at every panel"
            time.sleep(0.02)

    def _serve(self) -> None:
        while True:
            try:
                data = os.read(self._master, 4096)
            except OSError:
                return
            _take(len(data) * BYTE_S)
            now = time.monotonic()
            self._bus.receive_data(data, now)
            answer = self._bus.data_to_send(now)
            if not answer:
                continue
            _take(self._pause_s + len(answer) * BYTE_S)
            self.answered_at.append(time.perf_counter())
            try:
                os.write(self._master, answer)
            except OSError:
                return


def lamps(bus: Bus) -> list[frozenset[Button]]:
    """Return what each panel of a bus shows."""
    return [panel.lamps for panel in bus.panels.values()]


def _take(seconds: float) -> None:
    until = time.perf_counter() + seconds
    # To sleep alone is late, to spin alone takes a core from whom we measure.
    time.sleep(max(seconds - SLEEP_IS_LATE_S, 0.0))
    while time.perf_counter() < until:
        pass


def scan_s(
    shipped: str, bus_of: Callable[[Iterable[int]], Bus], pause_s: float
) -> float:
    """Return how long the table takes to ask every panel once, while all are lit.

    It is the median of all looks, from an answer to the one that is a look later: what
    other programs take from the machine now and then is no cost of ours.
    """
    file = shipped_hardware(shipped)
    with tempfile.TemporaryDirectory() as folder:
        hardware = moved_to(load_hardware(file), Path(folder))
        path = Path(hardware.bus.port)
        path.parent.mkdir(parents=True)
        with (
            FarSide(path, bus_of(_addresses(hardware)), pause_s) as far_side,
            table_process(file, Path(folder), hardware),
        ):
            far_side.wait_until_lit()
            far_side.answered_at.clear()
            time.sleep(LASTS_S)
            at = tuple(far_side.answered_at)
    looks = (after - before for before, after in zip(at, at[PANELS:], strict=False))
    return statistics.median(looks)


def _addresses(hardware: TableHardware) -> Iterable[int]:
    return (hardware.bus.dealer_address, *hardware.bus.seat_addresses)


def own_panels(addresses: Iterable[int]) -> Bus:
    """Return a bus of panels of the reference protocol, the dealer's first."""
    source = Random(1)  # noqa: S311 - a boot id in a simulation
    by_seat = enumerate(addresses)
    return PanelBus(PanelSimulator(at, seat, source) for seat, at in by_seat)


def modules(addresses: Iterable[int]) -> Bus:
    """Return a bus of Modbus modules, the dealer's first."""
    return ModbusBus(ModbusModule(at, seat) for seat, at in enumerate(addresses))


def own_arithmetic_s() -> float:
    """Return what polls and empty reports take at 115200, with the pauses between."""
    poll = encode_frame(to_frame(Poll(1, frozenset(), 1, 1), 1, 1))
    report = encode_frame(to_frame(Report(1, 1), 1, 1))
    return PANELS * ((len(poll) + len(report)) * BYTE_S + BusTiming().quiet_s)


def modbus_arithmetic_s() -> float:
    """Return what looks and answers take at 115200, with a pause before each."""
    look, answer = encode_request(ReadInputs(1, 0)), encode_reply(InputsRead(1, 0))
    pauses_s = 2 * timing_at(BAUD, lost_after_s=3.0).quiet_s
    return PANELS * ((len(look) + len(answer)) * BYTE_S + pauses_s)


def measures() -> Iterator[Measure]:
    """Return the scan of own panels and of modules against the wire."""
    pause_s = timing_at(BAUD, lost_after_s=3.0).quiet_s
    own = [scan_s("simulation-seven", own_panels, 0.0) for _ in range(TIMES)]
    yield _measure("own panels", own, own_arithmetic_s())
    bought = [scan_s("simulation-modbus", modules, pause_s) for _ in range(TIMES)]
    yield _measure("Modbus modules", bought, modbus_arithmetic_s())


def _measure(panels: str, taken_s: Iterable[float], floor_s: float) -> Measure:
    ours = statistics.median(taken_s)
    return Measure(
        name=f"scan of seven {panels} and the dealer's, paced at 115200",
        unit="s",
        ours=ours,
        floor=floor_s,
        ratio=ours / floor_s,
        better=Better.LOWER,
        goal=GOAL,
        note="against the bytes and pauses on the wire, all panels lit",
    )
