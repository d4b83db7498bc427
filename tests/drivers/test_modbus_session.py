"""The bus of modules: late, foreign and missing answers, lamps, dead seats, scans."""

from collections.abc import Callable
from typing import Final

import pytest

from drivers.errors import UnknownAddressError
from drivers.events import (
    Cursor,
    DeviceAnswered,
    DeviceBack,
    DeviceLost,
    DeviceMismatched,
    DriverEvent,
    HeldButtonsChanged,
    PressReceived,
    ScanChanged,
)
from drivers.link import LinkState
from drivers.modbus.codec import (
    REQUEST_LENGTHS,
    decode_request,
    encode_reply,
    encode_request,
)
from drivers.modbus.framing import FrameFinder
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
from drivers.modbus.session import ModbusSession, ModbusTiming, timing_at
from drivers.modbus.station import (
    LATE_S,
    MARKS,
    REFRESH_S,
    SAMPLED_S,
    TRUST_S,
    ModuleConfig,
)
from drivers.modbus.wiring import DEALER, SEAT
from drivers.panel.messages import DEALER_BUTTONS, NO_PROMPT, SEAT_BUTTONS, Button

START: Final = 100.0
THINKS_S: Final = 0.003
BAUD: Final = 115_200
FIRST_DECISION: Final = frozenset(
    {Button.HIT, Button.STAND, Button.DOUBLE, Button.SPLIT, Button.SURRENDER}
)
INPUT: Final = {button: at for at, words in enumerate(SEAT.inputs) for button in words}


def down(*buttons: Button) -> int:
    return sum(1 << INPUT[button] for button in buttons)


class Module:
    """The far side of one address: levels, and how a test wants it to answer.

    `late_s` is when it answers after a question; None: never. `answer` may say
    something else than the truth.
    """

    def __init__(self) -> None:
        self.closed = 0
        self.coils = 0
        self.late_s: float | None = THINKS_S
        self.last_at = 0.0
        self.asked: list[Request] = []
        self.answer: Callable[[Request], Reply] = self.truth

    def truth(self, request: Request) -> Reply:
        if isinstance(request, ReadInputs):
            return InputsRead(request.address, self.closed)
        return CoilsWritten(request.address, request.first, request.count)

    def hear(self, request: Request) -> Reply:
        self.asked.append(request)
        if isinstance(request, WriteCoils):
            mask = (1 << request.count) - 1
            self.coils = self.coils & ~mask | request.coils
        return self.answer(request)


class Bus:
    """A session and its modules on virtual time; answers come when they are due."""

    def __init__(
        self,
        addresses: tuple[int, ...] = (1, 2, 3),
        *,
        absent: tuple[int, ...] = (),
        cursor: Cursor | None = None,
        timing: ModbusTiming | None = None,
    ) -> None:
        self.now = START
        self.modules = {at: Module() for at in addresses if at not in absent}
        configs = [
            ModuleConfig(at, SEAT, f"bus address {at}", "a.toml", cursor=cursor)
            for at in addresses
        ]
        self.session = ModbusSession(configs, timing or timing_at(BAUD, 3.0), self.now)
        self.session.connection_made(self.now)
        self._is_open = True
        self.coming: list[tuple[float, bytes]] = []
        self.told: list[DriverEvent] = []
        self.sent: list[tuple[float, Request]] = []

    def run(self, for_s: float) -> list[DriverEvent]:
        """Let time pass and return what was told in it."""
        before, until = len(self.told), self.now + for_s
        while True:
            self._step()
            waits = [self.session.deadline, *(at for at, _ in self.coming), until]
            self.now = max(self.now, min(at for at in waits if at is not None))
            if self.now >= until:
                return self.told[before:]

    def _step(self) -> None:
        self.session.handle_timer(self.now)
        if self.session.wants_port and not self._is_open:
            self.session.connection_made(self.now)
        self._is_open = self.session.wants_port
        due = sorted(one for one in self.coming if one[0] <= self.now)
        self.coming = [one for one in self.coming if one[0] > self.now]
        for _, data in due:
            self.session.receive_data(data, self.now)
        while data := self.session.data_to_send(self.now):
            self._hear(data)
        self.told += iter(self.session.next_event, None)

    def _hear(self, data: bytes) -> None:
        (content,) = FrameFinder(REQUEST_LENGTHS).receive_data(data)
        request = decode_request(content)
        self.sent.append((self.now, request))
        module = self.modules.get(request.address)
        if module is None:
            return
        reply = module.hear(request)
        if module.late_s is not None:
            # A module answers one question after the other.
            module.last_at = max(self.now + module.late_s, module.last_at)
            self.coming.append((module.last_at, encode_reply(reply)))

    def times_of(self, address: int, kind: type[Request] = ReadInputs) -> list[float]:
        return [
            at
            for at, request in self.sent
            if request.address == address and isinstance(request, kind)
        ]

    def light(self, address: int, prompt: int, lamps: frozenset[Button]) -> None:
        self.session.set_lamps(address, prompt, lamps)


def presses(told: list[DriverEvent]) -> list[tuple[int, Button, int]]:
    return [
        (one.address, one.press.button, one.press.prompt_number)
        for one in told
        if isinstance(one, PressReceived)
    ]


def ready_bus(address: int = 1, **kinds: tuple[int, ...]) -> Bus:
    bus = Bus(**kinds)  # type: ignore[arg-type] # only tuples of addresses are named
    bus.light(address, 7, FIRST_DECISION)
    bus.run(0.5)
    return bus


# --- How a module begins --------------------------------------------------------------


def test_a_module_is_marked_then_lit_then_read() -> None:
    bus = Bus((1,))
    bus.light(1, 7, FIRST_DECISION)
    told = bus.run(0.05)
    lamps = SEAT.coils(FIRST_DECISION)
    assert bus.modules[1].asked[:3] == [
        WriteCoils(1, 0, 1, 0),
        WriteCoils(1, 0, 8, lamps),
        ReadInputs(1, 0),
    ]
    assert told == [
        DeviceBack(bus.session._stations[1].device),  # noqa: SLF001 - its name
        DeviceAnswered(bus.session._stations[1].device),  # noqa: SLF001 - its name
        HeldButtonsChanged(1, frozenset()),
    ]


def test_inputs_and_coils_begin_where_the_hardware_file_says() -> None:
    config = ModuleConfig(1, SEAT, "bus address 1", "a.toml", 32, 16)
    session = ModbusSession([config], ModbusTiming(), START)
    session.connection_made(START)
    now, asked = START, []
    for reply in (CoilsWritten(1, 16, 1), CoilsWritten(1, 16, 8), InputsRead(1, 0)):
        (content,) = FrameFinder(REQUEST_LENGTHS).receive_data(
            session.data_to_send(now)
        )
        asked.append(decode_request(content))
        session.receive_data(encode_reply(reply), now)
        now += 0.03
    assert asked == [
        WriteCoils(1, 16, 1, 0),
        WriteCoils(1, 16, 8, 0),
        ReadInputs(1, 32),
    ]


def test_numbers_go_on_from_the_journal_under_another_boot_id() -> None:
    bus = Bus((1,), cursor=Cursor(0xFFFFFFFF, 16))
    bus.light(1, 7, FIRST_DECISION)
    bus.run(0.2)
    bus.modules[1].closed = down(Button.HIT)
    (press,) = [e for e in bus.run(0.1) if isinstance(e, PressReceived)]
    assert press.cursor == Cursor(1, 1)
    bus.session.acknowledge(1, press.cursor)


def test_a_button_down_at_the_start_is_held_and_no_press() -> None:
    bus = Bus((1,))
    bus.modules[1].closed = down(Button.STAND)
    bus.light(1, 7, FIRST_DECISION)
    told = bus.run(1.0)
    assert HeldButtonsChanged(1, frozenset({Button.STAND})) in told
    assert presses(told) == []


# --- Presses --------------------------------------------------------------------------


def test_a_press_is_for_the_prompt_that_was_lit() -> None:
    bus = ready_bus()
    bus.modules[1].closed = down(Button.HIT)
    told = bus.run(0.1)
    assert presses(told) == [(1, Button.HIT, 7)]
    assert HeldButtonsChanged(1, frozenset({Button.HIT})) in told


def test_a_press_as_the_lamps_change_is_for_the_old_prompt() -> None:
    bus = ready_bus()
    module = bus.modules[1]

    def press_on_writing(request: Request) -> Reply:
        if isinstance(request, WriteCoils):
            module.closed = down(Button.HIT)
        return module.truth(request)

    module.answer = press_on_writing
    bus.light(1, 8, FIRST_DECISION)
    assert presses(bus.run(0.2)) == [(1, Button.HIT, 7)]


def test_a_press_is_for_the_new_prompt_once_its_lamps_are_acknowledged() -> None:
    bus = ready_bus()
    bus.light(1, 8, FIRST_DECISION)
    bus.run(0.06)
    bus.modules[1].closed = down(Button.HIT)
    assert presses(bus.run(0.1)) == [(1, Button.HIT, 8)]


def test_a_look_comes_only_once_levels_are_younger_than_the_lamps() -> None:
    bus = ready_bus()
    for prompt in range(8, 40):
        bus.light(1, prompt, FIRST_DECISION)
        bus.run(0.031)
    acknowledged = [at + THINKS_S for at in bus.times_of(1, WriteCoils)][-30:]
    for at in acknowledged[:-1]:
        after = min(look for look in bus.times_of(1) if look >= at)
        assert after - at >= SAMPLED_S - 1e-9


def test_the_same_lamps_under_another_number_are_written_again() -> None:
    bus = ready_bus()
    before = len(bus.times_of(1, WriteCoils))
    bus.light(1, 8, FIRST_DECISION)
    bus.run(0.05)
    assert len(bus.times_of(1, WriteCoils)) == before + 1


@pytest.mark.parametrize(
    ("lamps", "button"),
    [
        (frozenset({Button.BET, Button.CLEAR}), Button.BET),
        (frozenset({Button.INSURE, Button.PASS}), Button.INSURE),
        (frozenset[Button](), Button.BET),
    ],
)
def test_an_input_with_two_words_is_the_one_that_was_lit(
    lamps: frozenset[Button], button: Button
) -> None:
    bus = Bus((1,))
    bus.light(1, 7, lamps)
    bus.run(0.5)
    bus.modules[1].closed = 1
    assert presses(bus.run(0.2)) == [(1, button, 7)]


def test_no_two_buttons_that_a_prompt_may_light_share_an_input() -> None:
    betting = {Button.BET, Button.CLEAR, Button.REBET}
    insurance = {Button.INSURE, Button.PASS}
    playing = SEAT_BUTTONS - betting - {Button.INSURE}
    for words in SEAT.inputs:
        for lit in (betting, insurance, playing):
            assert len(lit.intersection(words)) <= 1


def test_every_button_is_wired_to_one_input() -> None:
    for wiring, buttons in ((SEAT, SEAT_BUTTONS), (DEALER, DEALER_BUTTONS)):
        wired = [button for words in wiring.inputs for button in words]
        assert len(wired) == len(set(wired))
        assert set(wired) == buttons


def test_an_input_without_a_button_is_no_press() -> None:
    config = ModuleConfig(1, DEALER, "bus address 1", "a.toml")
    bus = Bus((1,))
    bus.session = ModbusSession([config], timing_at(BAUD, 3.0), bus.now)
    bus.session.connection_made(bus.now)
    bus.light(1, 3, frozenset({Button.CALL}))
    bus.run(0.2)
    bus.modules[1].closed = 0b1110_0000
    told = bus.run(0.2)
    assert presses(told) == []
    bus.modules[1].closed |= 0b1_0000
    assert presses(bus.run(0.2)) == [(1, Button.CALL, 3)]


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
        [ModuleConfig(1, SEAT, "bus address 1", "a.toml")], ModbusTiming(), START
    )
    session.connection_made(START)
    assert session.data_to_send(START)
    now = START + ModbusTiming().answer_s - 0.001
    for byte in encode_reply(CoilsWritten(1, 0, 1)):
        session.handle_timer(now)
        session.receive_data(bytes([byte]), now)
        now += 0.004
    assert session.state(1) is LinkState.READY
    assert session.counters.gaps == 0


def test_bytes_without_end_do_not_keep_the_bus() -> None:
    session = ModbusSession(
        [ModuleConfig(1, SEAT, "bus address 1", "a.toml")], ModbusTiming(), START
    )
    session.connection_made(START)
    session.data_to_send(START)
    now = START
    while session.counters.gaps == 0:
        session.receive_data(b"\xff", now)
        session.handle_timer(now)
        now += 0.001
    assert now - START <= ModbusTiming().answer_max_s + 0.002


# --- Lamps ----------------------------------------------------------------------------


def test_lamps_are_written_when_they_change_and_once_a_second() -> None:
    bus = ready_bus()
    bus.run(1.0)
    before = len(bus.times_of(1, WriteCoils))
    bus.run(10 * REFRESH_S)
    assert len(bus.times_of(1, WriteCoils)) - before in {9, 10}


def test_a_lamp_that_went_out_by_itself_is_lit_again() -> None:
    bus = ready_bus()
    bus.modules[1].coils = 0
    bus.run(REFRESH_S + 0.1)
    assert bus.modules[1].coils == SEAT.coils(FIRST_DECISION)


def test_lamps_go_before_looks() -> None:
    bus = Bus(tuple(range(1, 9)))
    for address in range(1, 9):
        bus.light(address, 7, FIRST_DECISION)
    bus.run(1.0)
    bus.light(5, 8, frozenset({Button.STAND}))
    changed_at = bus.now
    bus.run(0.1)
    written = [at for at in bus.times_of(5, WriteCoils) if at >= changed_at]
    assert written[0] - changed_at < 0.01


def test_a_module_that_was_not_asked_for_long_is_lit_before_it_is_read() -> None:
    """A process that was held up does not know whether the lamps outlived it."""
    bus = ready_bus()
    module = bus.modules[1]
    bus.now += TRUST_S + 0.1
    module.closed = down(Button.HIT)
    before = len(module.asked)
    told = bus.run(0.3)
    assert isinstance(module.asked[before], WriteCoils)
    assert presses(told) == [(1, Button.HIT, NO_PROMPT)]


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
    with pytest.raises(UnknownAddressError, match="no module has address 9"):
        Bus().session.set_lamps(9, 1, frozenset())


# --- Scan time ------------------------------------------------------------------------


def test_scans_that_are_too_long_are_a_fault_until_they_are_not() -> None:
    bus = Bus(tuple(range(1, 9)))
    for address in bus.modules:
        bus.light(address, 7, FIRST_DECISION)
    told = bus.run(5.0)
    assert not [e for e in told if isinstance(e, ScanChanged)]
    worst_s = bus.session.counters.worst_scan_s
    assert 0.03 < worst_s < 0.1
    for module in bus.modules.values():
        module.late_s = 0.02
    (slow,) = [e for e in bus.run(5.0) if isinstance(e, ScanChanged)]
    assert slow.is_slow
    assert 0.1 < slow.mean_s < 0.25
    assert bus.session.counters.worst_scan_s > worst_s
    for module in bus.modules.values():
        module.late_s = THINKS_S
    (timely,) = [e for e in bus.run(5.0) if isinstance(e, ScanChanged)]
    assert not timely.is_slow


def test_a_lit_module_is_looked_at_each_25_ms_and_a_dark_one_each_125() -> None:
    bus = ready_bus()
    before = {at: len(bus.times_of(at)) for at in (1, 2)}
    bus.run(10.0)
    looks = {at: len(bus.times_of(at)) - before[at] for at in (1, 2)}
    assert 350 < looks[1] <= 400
    assert 70 < looks[2] <= 80


def test_seven_modules_and_the_dealers_are_looked_at_as_fast_as_the_wire_allows() -> (
    None
):
    bus = Bus(tuple(range(1, 9)))
    for address in bus.modules:
        bus.light(address, 7, FIRST_DECISION)
    bus.run(1.0)
    before = len(bus.sent)
    bus.run(10.0)
    one_exchange_s = THINKS_S + timing_at(BAUD, 3.0).quiet_s
    assert len(bus.sent) - before > 10.0 / one_exchange_s * 0.98


def test_a_slow_bus_has_longer_pauses_and_more_patience() -> None:
    slow, fast = timing_at(9_600, 2.0), timing_at(115_200, 2.0)
    assert slow.quiet_s == pytest.approx(3.5 * 10 / 9_600)
    assert fast.quiet_s == 0.00175
    assert slow.answer_s > fast.answer_s
    assert slow.lost_after_s == fast.lost_after_s == 2.0
