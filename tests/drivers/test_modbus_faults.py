"""The bus of modules in trouble: late, foreign and missing answers, dead seats."""

import pytest

from drivers.errors import UnknownAddressError
from drivers.events import (
    DeviceAnswered,
    DeviceBack,
    DeviceLost,
    DeviceMismatched,
    DriverEvent,
    HeldButtonsChanged,
    PressReceived,
)
from drivers.link import LinkState
from drivers.modbus.codec import (
    encode_reply,
    encode_request,
)
from drivers.modbus.messages import (
    CoilsWritten,
    Function,
    InputsRead,
    ReadInputs,
    Refused,
    Reply,
    Request,
    WriteCoils,
)
from drivers.modbus.session import MODBUS_TIMING, ModbusSession, timing_at
from drivers.modbus.station import (
    LATE_S,
    MARKS,
    ModuleConfig,
)
from drivers.modbus.wiring import SEAT
from drivers.panel.messages import NO_PROMPT, Button
from tests.drivers.modbus_bus import (
    BAUD,
    FIRST_DECISION,
    START,
    THINKS_S,
    Bus,
    Module,
    down,
    presses,
    ready_bus,
)

# --- Late, foreign and missing answers ------------------------------------------------


def test_a_late_answer_is_not_taken_for_the_next_seats() -> None:
    bus = ready_bus()
    bus.light(2, 9, FIRST_DECISION)
    bus.run(0.1)
    first = bus.modules[1]
    first.closed, first.late_s = down(Button.HIT), 0.056
    told = bus.run(1.0)
    assert presses([e for e in told if isinstance(e, PressReceived)]) == []
    assert bus.session.counters.strays > 0
    assert bus.session.state(2) is LinkState.READY


@pytest.mark.parametrize("late", [0.07, 0.155, 0.2, 0.5])
def test_a_late_answer_is_not_taken_for_the_next_of_the_same_module(
    late: float,
) -> None:
    """A look from before the lamps changed would make a held button a press."""
    bus = ready_bus()
    module = bus.modules[1]

    def slow_once(request: Request) -> Reply:
        module.late_s = late if isinstance(request, ReadInputs) else THINKS_S
        module.answer = module.truth
        return module.truth(request)

    module.answer = slow_once
    while module.late_s != late:
        bus.run(0.005)
    # The answer under way says: open. Now the button goes down, and then the lamps of
    # another prompt come on.
    module.late_s, module.closed = THINKS_S, down(Button.HIT)
    bus.light(1, 8, FIRST_DECISION)
    told = bus.run(3.0)
    assert bus.session.counters.strays > 0
    assert {prompt for _, _, prompt in presses(told)} <= {NO_PROMPT}
    assert HeldButtonsChanged(1, frozenset({Button.HIT})) in told


def test_after_a_missed_answer_no_input_is_read_before_a_mark_came_back() -> None:
    bus = ready_bus()
    module = bus.modules[1]
    module.late_s = None
    bus.run(0.07)
    module.late_s = THINKS_S
    before = len(module.asked)
    bus.run(0.3)
    mark, lamps, look = module.asked[before : before + 3]
    assert isinstance(mark, WriteCoils)
    assert mark.count <= MARKS
    assert lamps == WriteCoils(1, 0, 8, SEAT.coils(FIRST_DECISION))
    assert isinstance(look, ReadInputs)


def test_an_old_mark_is_not_taken_for_a_new_one() -> None:
    bus = Bus((1,))
    module = bus.modules[1]
    module.late_s = None
    bus.run(0.2)
    marks = [one.count for one in module.asked if isinstance(one, WriteCoils)]
    assert marks == [1, 2]
    bus.session.receive_data(encode_reply(CoilsWritten(1, 0, 1)), bus.now)
    assert bus.session.state(1) is LinkState.IDENTIFYING
    assert bus.session.counters.strays == 1
    bus.session.receive_data(encode_reply(CoilsWritten(1, 0, 2)), bus.now)
    assert bus.session.state(1) is LinkState.READY


def test_marks_in_a_row_all_differ() -> None:
    bus = Bus((1,))
    bus.modules[1].late_s = None
    bus.run(30.0)
    marks = [one.count for one in bus.modules[1].asked if isinstance(one, WriteCoils)]
    assert len(marks) > 2 * MARKS
    for at in range(len(marks) - MARKS):
        assert len(set(marks[at : at + MARKS])) == MARKS


def test_a_press_whose_beginning_a_missed_answer_hides_is_for_no_prompt() -> None:
    bus = ready_bus()
    module = bus.modules[1]
    module.late_s = None
    bus.run(0.05)
    module.closed, module.late_s = down(Button.HIT), THINKS_S
    assert presses(bus.run(0.4)) == [(1, Button.HIT, NO_PROMPT)]
    module.closed = 0
    bus.run(0.2)
    module.closed = down(Button.HIT)
    assert presses(bus.run(0.2)) == [(1, Button.HIT, 7)]


def test_a_module_that_did_not_answer_is_left_alone_while_it_may_still_speak() -> None:
    bus = ready_bus()
    bus.modules[1].late_s = None
    bus.run(0.3)
    asked = [at for at, request in bus.sent if request.address == 1][-2:]
    patience = timing_at(BAUD, 3.0).answer_s
    assert asked[1] - asked[0] >= patience + LATE_S - 1e-9


@pytest.mark.parametrize(
    "foreign",
    [
        encode_reply(InputsRead(9, 255)),
        encode_reply(InputsRead(2, 255)),
        encode_request(ReadInputs(1, 0)),
        encode_reply(Refused(1, Function.WRITE_MULTIPLE_COILS, 2)),
        encode_reply(CoilsWritten(1, 0, 8)),
        b"\x01\x02\x01",
        b"\x01\x0f\x00\x00",
        bytes(30),
    ],
    ids=lambda wire: wire.hex(),
)
def test_what_stands_before_an_answer_does_not_cost_it(foreign: bytes) -> None:
    bus = ready_bus()
    module, gaps = bus.modules[1], bus.session.counters.gaps
    module.closed = down(Button.STAND)
    told: list[DriverEvent] = []
    while not presses(told):
        told += bus.run(0.001)
        at_look = bus.coming and isinstance(bus.sent[-1][1], ReadInputs)
        if at_look and bus.sent[-1][1].address == 1:
            due, answer = bus.coming.pop()
            bus.coming.append((due, foreign + answer))
            told += bus.run(0.01)
    assert presses(told) == [(1, Button.STAND, 7)]
    assert bus.session.counters.gaps == gaps


def test_an_answer_byte_by_byte_is_waited_for() -> None:
    session = ModbusSession(
        [ModuleConfig(1, SEAT, "bus address 1", "a.toml")], MODBUS_TIMING, START
    )
    session.connection_made(START)
    assert session.data_to_send(START)
    now = START + MODBUS_TIMING.answer_s - 0.001
    for byte in encode_reply(CoilsWritten(1, 0, 1)):
        session.handle_timer(now)
        session.receive_data(bytes([byte]), now)
        now += 0.004
    assert session.state(1) is LinkState.READY
    assert session.counters.gaps == 0


def test_bytes_without_end_do_not_keep_the_bus() -> None:
    session = ModbusSession(
        [ModuleConfig(1, SEAT, "bus address 1", "a.toml")], MODBUS_TIMING, START
    )
    session.connection_made(START)
    session.data_to_send(START)
    now = START
    while session.counters.gaps == 0:
        session.receive_data(b"\xff", now)
        session.handle_timer(now)
        now += 0.001
    assert now - START <= MODBUS_TIMING.answer_max_s + 0.002


# --- Absent modules and others --------------------------------------------------------


def test_a_dead_seat_is_asked_rarely_and_counts_as_lost_once() -> None:
    bus = Bus(absent=(2,))
    told = bus.run(60.0)
    lost = [e.device.address for e in told if isinstance(e, DeviceLost)]
    assert lost == [2]
    last_minute = [at for at in bus.times_of(2, WriteCoils) if at > START + 10]
    assert len(last_minute) < 50


def test_dead_seats_together_cost_the_others_little() -> None:
    bus = Bus(tuple(range(1, 9)), absent=(2, 3, 4, 5, 6, 7))
    bus.light(1, 7, FIRST_DECISION)
    bus.run(10.0)
    before = len(bus.times_of(1))
    bus.run(10.0)
    looks = len(bus.times_of(1)) - before
    # One lost question each quarter of a second costs a fifth of the time.
    assert looks > 10.0 / 0.025 * 0.7


def test_a_module_that_comes_back_is_told_and_lit() -> None:
    bus = Bus(absent=(2,))
    bus.light(2, 7, FIRST_DECISION)
    bus.run(5.0)
    bus.modules[2] = Module()
    told = bus.run(3.0)
    assert [e.device.address for e in told if isinstance(e, DeviceBack)] == [2]
    assert bus.modules[2].coils == SEAT.coils(FIRST_DECISION)


def test_a_button_that_went_down_while_its_module_was_away_is_held_not_pressed() -> (
    None
):
    bus = ready_bus()
    module = bus.modules[1]
    module.late_s = None
    bus.run(4.0)
    module.late_s, module.closed = THINKS_S, down(Button.HIT)
    told = bus.run(4.0)
    assert presses(told) == []
    assert DeviceAnswered(bus.session._stations[1].device) in told  # noqa: SLF001 - its name
    assert HeldButtonsChanged(1, frozenset({Button.HIT})) in told


@pytest.mark.parametrize("function", Function)
def test_a_device_without_such_inputs_or_coils_is_named_once_and_left_alone(
    function: Function,
) -> None:
    bus = Bus((1, 2))
    module = bus.modules[1]

    def refuse(request: Request) -> Reply:
        is_read = isinstance(request, ReadInputs)
        if is_read is (function is Function.READ_DISCRETE_INPUTS):
            return Refused(request.address, function, 2)
        return module.truth(request)

    module.answer = refuse
    told = bus.run(10.0)
    (mismatch,) = [e for e in told if isinstance(e, DeviceMismatched)]
    assert mismatch.message == (
        f"bus address 1 refused function {function.value} with exception 2, expected "
        "8 inputs from 0 and 8 coils from 0; check the module or edit a.toml"
    )
    assert len(module.asked) < 20
    assert [e.device.address for e in told if isinstance(e, DeviceLost)] == [1]


def test_a_busy_module_is_asked_again() -> None:
    bus = Bus((1,))
    module = bus.modules[1]

    def busy_once(request: Request) -> Reply:
        module.answer = module.truth
        return Refused(request.address, Function.WRITE_MULTIPLE_COILS, 6)

    module.answer = busy_once
    told = bus.run(1.0)
    assert not [e for e in told if isinstance(e, DeviceMismatched)]
    assert bus.session.state(1) is LinkState.READY


def test_a_bus_on_which_nobody_answers_has_its_port_opened_anew() -> None:
    bus = Bus(absent=(1, 2, 3))
    bus.run(6.0)
    assert bus.session.counters.reopens == 1


def test_a_pulled_cable_is_a_loss_and_a_new_beginning() -> None:
    bus = ready_bus()
    bus.session.connection_lost(bus.now)
    assert bus.session.state(1) is LinkState.BACKOFF
    assert bus.session.data_to_send(bus.now) == b""
    while not bus.session.wants_port:
        bus.now += 0.1
        bus.session.handle_timer(bus.now)
    bus.session.connection_made(bus.now)
    bus.run(0.5)
    assert bus.session.state(1) is LinkState.READY
    assert bus.session.counters.reopens == 1


def test_an_unknown_address_is_a_bug_of_the_caller() -> None:
    with pytest.raises(UnknownAddressError, match="no panel has address 9"):
        Bus().session.set_lamps(9, 1, frozenset())
