"""The bus of modules as all goes well: begin, lamps, presses, the time of scans."""

import pytest

from drivers.events import (
    Cursor,
    DeviceAnswered,
    DeviceBack,
    HeldButtonsChanged,
    PressReceived,
    ScanChanged,
)
from drivers.modbus.codec import (
    REQUEST_LENGTHS,
    decode_request,
    encode_reply,
)
from drivers.modbus.framing import FrameFinder
from drivers.modbus.messages import (
    CoilsWritten,
    InputsRead,
    ReadInputs,
    Reply,
    Request,
    WriteCoils,
)
from drivers.modbus.session import MODBUS_TIMING, ModbusSession, timing_at
from drivers.modbus.station import (
    REFRESH_S,
    SAMPLED_S,
    TRUST_S,
    ModuleConfig,
)
from drivers.modbus.wiring import DEALER, SEAT
from drivers.panel.messages import DEALER_BUTTONS, NO_PROMPT, SEAT_BUTTONS, Button
from tests.drivers.modbus_bus import (
    BAUD,
    FIRST_DECISION,
    START,
    THINKS_S,
    Bus,
    down,
    presses,
    ready_bus,
)

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
    session = ModbusSession([config], MODBUS_TIMING, START)
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
    for key in SEAT.keys:
        for lit in (betting, insurance, playing):
            assert len(lit.intersection(key.does)) <= 1


def test_every_button_is_wired_to_one_input() -> None:
    for wiring, buttons in ((SEAT, SEAT_BUTTONS), (DEALER, DEALER_BUTTONS)):
        wired = [button for key in wiring.keys for button in key.does]
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


# --- Scan time ------------------------------------------------------------------------


def test_scans_that_are_too_long_are_a_fault_until_they_are_not() -> None:
    bus = Bus(tuple(range(1, 9)))
    for address in bus.modules:
        bus.light(address, 7, FIRST_DECISION)
    told = bus.run(2.5)
    assert not [e for e in told if isinstance(e, ScanChanged)]
    worst_s = bus.session.counters.worst_scan_s
    assert 0.03 < worst_s < 0.1
    for module in bus.modules.values():
        module.late_s = 0.02
    (slow,) = [e for e in bus.run(2.5) if isinstance(e, ScanChanged)]
    assert slow.is_slow
    assert 0.1 < slow.mean_s < 0.25
    assert bus.session.counters.worst_scan_s > worst_s
    for module in bus.modules.values():
        module.late_s = THINKS_S
    (timely,) = [e for e in bus.run(2.5) if isinstance(e, ScanChanged)]
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
