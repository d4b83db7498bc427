import errno

import pytest

from simulators.devices.faults import every_line_fault
from simulators.devices.memory_port import MemoryCable, UnpluggedError


def test_what_one_end_writes_the_other_reads() -> None:
    cable = MemoryCable()
    cable.host.write(b"poll", 0.0)
    cable.device.write(b"report", 0.0)
    assert cable.device.deadline == 0.0
    assert cable.device.read(0.0) == b"poll"
    assert cable.host.deadline == 0.0
    assert cable.host.read(0.0) == b"report"


def test_an_unplugged_cable_loses_what_is_on_the_way() -> None:
    cable = MemoryCable(baud=9600)
    cable.host.write(b"poll", 0.0)
    cable.device.write(b"report", 0.0)
    cable.unplug()
    cable.device.write(b"into the void", 0.0)
    cable.plug_in()
    assert cable.device.read(9.0) == b""
    assert cable.host.read(9.0) == b""


def test_the_host_is_told_that_the_cable_is_out() -> None:
    cable = MemoryCable()
    cable.unplug()
    with pytest.raises(UnpluggedError) as reading:
        cable.host.read(0.0)
    assert reading.value.errno == errno.EIO
    with pytest.raises(UnpluggedError):
        cable.host.write(b"poll", 0.0)
    with pytest.raises(UnpluggedError):
        cable.host.reopen()


def test_opening_the_port_throws_away_waiting_bytes() -> None:
    cable = MemoryCable()
    cable.device.write(b"old", 0.0)
    cable.host.reopen()
    cable.device.write(b"new", 0.0)
    assert cable.host.read(0.0) == b"new"


def test_a_stalled_cable_holds_both_directions() -> None:
    cable = MemoryCable()
    cable.stall(2.0)
    cable.host.write(b"poll", 0.0)
    cable.device.write(b"report", 0.0)
    assert (cable.host.deadline, cable.device.deadline) == (2.0, 2.0)


def test_two_cables_of_one_seed_suffer_alike() -> None:
    def played(name: str) -> list[bytes]:
        cable = MemoryCable(5, every_line_fault(0.2), name=name)
        for step in range(50):
            cable.device.write(b"a report of some length", step * 0.1)
        return [cable.host.read(step * 0.1) for step in range(80)]

    assert played("panels") == played("panels")
    assert played("panels") != played("shoe")
