"""A table that stops leaves no module's lamp on, and waits for none that is silent."""

from drivers.modbus.messages import Function, Refused, Reply, Request, WriteCoils
from drivers.modbus.station import LATE_S
from tests.drivers.modbus_bus import FIRST_DECISION, Bus

ONE_LOOK_AT_ALL_S = 0.1


def lit_bus(absent: int | None = None) -> Bus:
    addresses = (1, 2, 3)
    bus = Bus((*addresses, absent), absent=(absent,)) if absent else Bus(addresses)
    for address in bus.modules:
        bus.light(address, 7, FIRST_DECISION)
    bus.run(1.0)
    assert all(module.coils for module in bus.modules.values())
    return bus


def no_such_coils(request: Request) -> Reply:
    writes = isinstance(request, WriteCoils)
    function = (
        Function.WRITE_MULTIPLE_COILS if writes else Function.READ_DISCRETE_INPUTS
    )
    return Refused(request.address, function, code=2)


def test_every_lamp_is_put_out_and_that_is_known() -> None:
    bus = lit_bus()
    bus.session.put_lamps_out()
    assert not bus.session.lamps_are_out
    bus.run(ONE_LOOK_AT_ALL_S)
    assert [module.coils for module in bus.modules.values()] == [0, 0, 0]
    assert bus.session.lamps_are_out


def test_after_that_nothing_is_asked() -> None:
    bus = lit_bus()
    bus.session.put_lamps_out()
    before = len(bus.sent)
    bus.run(5.0)
    told = [request for _, request in bus.sent[before:]]
    assert len(told) == 3
    assert all(isinstance(request, WriteCoils) for request in told)


def test_a_press_of_the_last_moment_is_not_looked_for() -> None:
    bus = lit_bus()
    bus.session.put_lamps_out()
    bus.modules[1].closed = 1
    assert bus.run(2.0) == []


def test_a_dead_module_is_not_waited_for() -> None:
    bus = lit_bus(absent=4)
    bus.session.put_lamps_out()
    bus.run(ONE_LOOK_AT_ALL_S)
    assert bus.session.lamps_are_out


def test_one_that_is_silent_right_now_is_told_again() -> None:
    bus = lit_bus()
    bus.modules[2].late_s = None
    bus.session.put_lamps_out()
    bus.run(ONE_LOOK_AT_ALL_S)
    assert not bus.session.lamps_are_out
    assert bus.modules[1].coils == bus.modules[3].coils == 0
    bus.modules[2].late_s = 0.003
    bus.run(2 * LATE_S)
    assert bus.session.lamps_are_out


def test_one_that_dies_at_the_stop_is_given_up() -> None:
    bus = lit_bus()
    bus.modules[2].late_s = None
    bus.session.put_lamps_out()
    bus.run(1.0)
    assert bus.session.lamps_are_out


def test_one_that_has_no_such_coils_is_not_waited_for() -> None:
    bus = lit_bus()
    bus.modules[2].answer = no_such_coils
    bus.run(2.0)
    bus.session.put_lamps_out()
    bus.run(ONE_LOOK_AT_ALL_S)
    assert bus.session.lamps_are_out


def test_a_module_that_was_not_asked_yet_is_put_out_too() -> None:
    # The host before this one may have died with its lamps on.
    bus = Bus()
    for module in bus.modules.values():
        module.coils = 0xFF
    bus.session.put_lamps_out()
    assert not bus.session.lamps_are_out
    bus.run(0.2)
    assert [module.coils for module in bus.modules.values()] == [0, 0, 0]
    assert bus.session.lamps_are_out


def test_without_a_port_nothing_can_be_told() -> None:
    bus = lit_bus()
    bus.session.connection_lost(bus.now)
    bus.session.put_lamps_out()
    assert bus.session.lamps_are_out
