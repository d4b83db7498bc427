"""A simulated Modbus module does what a bought one does, its fingers what people do."""

import pytest

from drivers.modbus.codec import encode_request
from drivers.modbus.messages import CoilsWritten, InputsRead, ReadInputs, WriteCoils
from drivers.panel.messages import Button
from simulators.devices.modbus import SEEN_FOR_S, MadeTap, ModbusBus, ModbusModule

HIT = 0b1000


def look(module: ModbusModule, now: float) -> int:
    reply = module.receive_request(ReadInputs(module.address, 0), now)
    assert isinstance(reply, InputsRead)
    return reply.closed


def light(module: ModbusModule, coils: int, now: float) -> None:
    module.receive_request(WriteCoils(module.address, 0, 8, coils), now)


def test_it_answers_with_its_levels() -> None:
    module = ModbusModule(3, 3)
    module.push_down(Button.HIT)
    assert look(module, 0.0) == HIT
    module.let_go(Button.HIT)
    module.let_go(Button.HIT)
    assert look(module, 0.1) == 0
    assert module.polled_at_s == 0.1


def test_a_write_of_fewer_coils_leaves_the_others_as_they_are() -> None:
    module = ModbusModule(3, 3)
    light(module, 0b1111_1000, 0.0)
    reply = module.receive_request(WriteCoils(3, 0, 4, 0b0011), 0.1)
    assert reply == CoilsWritten(3, 0, 4)
    assert module.coils == 0b1111_0011


def test_it_hears_nothing_for_another_and_nothing_without_power() -> None:
    module = ModbusModule(3, 3)
    assert module.receive_request(ReadInputs(4, 0), 0.0) is None
    light(module, HIT, 0.0)
    module.tap(Button.HIT)
    module.lose()
    assert module.receive_request(ReadInputs(3, 0), 0.1) is None
    assert (module.coils, module.closed, len(module.waiting)) == (0, 0, 0)
    module.tap(Button.HIT)
    module.come_back()
    assert look(module, 0.2) == 0
    assert not module.waiting


def test_lamps_stay_on_without_a_host_unless_it_has_a_watchdog() -> None:
    plain, guarded = ModbusModule(1, 1), ModbusModule(2, 2, watchdog_s=1.0)
    bus = ModbusBus([plain, guarded])
    for module in (plain, guarded):
        light(module, HIT, 0.0)
    assert bus.deadline == 1.0
    bus.handle_timer(0.9)
    assert (plain.coils, guarded.coils) == (HIT, HIT)
    bus.handle_timer(1.0)
    assert (plain.coils, guarded.coils) == (HIT, 0)
    assert bus.deadline is None


def test_a_finger_goes_down_after_the_lamps_and_up_after_it_was_seen() -> None:
    module = ModbusModule(3, 3)
    module.tap(Button.HIT)
    assert look(module, 0.0) == 0
    light(module, HIT, 0.01)
    levels = [look(module, 0.02 + n * (SEEN_FOR_S + 0.001)) for n in range(6)]
    assert levels == [0, 0, HIT, HIT, 0, 0]
    assert module.taps == [MadeTap(Button.HIT, HIT)]
    assert not module.waiting


def test_a_lamp_with_two_words_is_read_as_the_wanted_one() -> None:
    module = ModbusModule(3, 3)
    light(module, 0b11, 0.0)
    insurance = frozenset({Button.INSURE, Button.PASS})
    assert module.lamps == insurance | {Button.BET, Button.CLEAR}
    assert module.lamps_read_as(insurance) == insurance
    assert module.lamps_read_as(frozenset()) == {Button.BET, Button.CLEAR}


def test_a_panel_has_the_buttons_of_its_role() -> None:
    with pytest.raises(ValueError, match="the panel of role 0 has no button hit"):
        ModbusModule(32, 0).tap(Button.HIT)


def test_a_request_that_makes_no_sense_is_counted_and_not_answered() -> None:
    bus = ModbusBus([ModbusModule(3, 3)])
    bus.receive_data(encode_request(WriteCoils(3, 0, 8, 1)), 0.0)
    assert bus.data_to_send(0.0) != b""
    # Nine coils in one byte, with a check that is right.
    bus.receive_data(bytes.fromhex("030f0000000901002e8c"), 0.0)
    assert bus.data_to_send(0.0) == b""
    assert bus.malformed == 1
