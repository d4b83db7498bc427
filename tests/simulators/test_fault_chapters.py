import math
import random

from simulators.devices.fault_chapters import CHAPTER_S, FaultChapters
from simulators.devices.fault_plans import ALL_KINDS
from simulators.devices.fault_player import Hardware
from simulators.devices.faults import Cable, PanelReboot, Unplug
from simulators.devices.memory_port import MemoryCable
from simulators.devices.panel import PanelBus, PanelSimulator
from simulators.devices.shoe import ShoeSimulator


def hardware() -> Hardware:
    source = random.Random(7)
    bus = PanelBus(PanelSimulator(seat, seat, source) for seat in range(1, 4))
    return Hardware(bus.panels, ShoeSimulator(source), MemoryCable(), MemoryCable())


def played(chapters: FaultChapters, until_s: float) -> list[float]:
    """Return when something began or ended, on time that jumps to what is due."""
    moments = []
    while chapters.deadline <= until_s:
        now = chapters.deadline
        if chapters.handle_timer(now):
            moments.append(now)
    return moments


def test_faults_go_on_chapter_after_chapter_at_their_rate() -> None:
    chapters = FaultChapters(hardware(), 1, 0.5, ALL_KINDS)
    moments = played(chapters, 20 * CHAPTER_S)
    assert 0.35 < chapters.counts.total() / (20 * CHAPTER_S) < 0.65
    assert {int(moment // CHAPTER_S) for moment in moments} >= set(range(20))
    for name in ("block", "other_panel", "other_shoe", "unplug_mid_frame", "unplug"):
        assert chapters.counts[name] > 0


def test_one_seed_gives_the_same_faults() -> None:
    first, again = (FaultChapters(hardware(), 3, 0.5) for _ in range(2))
    assert played(first, 300.0) == played(again, 300.0)
    assert first.counts == again.counts


def test_once_ended_what_began_ends_and_nothing_begins() -> None:
    chapters = FaultChapters(hardware(), 1, 0.0)
    chapters.add((Unplug(1.0, 2.0, Cable.SHOE), PanelReboot(0.5, 0.1, 2)), 10.0)
    chapters.end()
    assert played(chapters, 100.0) == [10.5, 10.6, 11.0, 13.0]
    assert chapters.deadline == math.inf
