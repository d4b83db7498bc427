"""What the computer tells of itself: shown, on the record, and stopping nothing."""

import msgspec
import pytest
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.commands import Command
from controller.core.computer import UsbDevice, is_own, usb_words
from controller.core.decide import decide
from controller.core.evolve import replay
from controller.core.ids import ComputerFault, Phase, UsbFunction
from controller.core.outputs import TO_SUPERVISOR, outputs
from controller.core.secrets import Secrets
from controller.core.state import TableState
from controller.core.succession import handed_over
from tools.phase_table import table_in

ADAPTER = UsbDevice("1-1.1", "0403", "6001", "FT232R", "A1", (UsbFunction.SERIAL,))
DUCKY = UsbDevice("1-1.4", "2341", "8036", "Leonardo", "", (UsbFunction.KEYBOARD,))
PHASES = (Phase.CLOSED, Phase.BETTING, Phase.PLAYING, Phase.SUSPENDED)


def after(state: TableState, *commands: Command) -> tuple[TableState, list[str]]:
    tags = []
    for command in commands:
        decision = decide(state, Secrets(), command)
        assert replay(state, decision.records) == decision.state
        state = decision.state
        tags += [str(type(one).__struct_config__.tag) for one in decision.records]
    return state, tags


def said(state: TableState) -> list[str]:
    notes = outputs(state).notices
    return [note.words for note in notes if note.to == TO_SUPERVISOR]


def usb(*devices: UsbDevice) -> cm.ReportUsb:
    return cm.ReportUsb(devices=devices)


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (ComputerFault.UNDER_VOLTAGE, "supply is too weak"),
        (ComputerFault.THROTTLED, "runs slowly"),
        (ComputerFault.CLOCK_BATTERY, "clock is low or absent"),
    ],
)
def test_what_fails_the_computer_is_shown_and_stops_nothing(
    phase: Phase, fault: ComputerFault, words: str
) -> None:
    state = table_in(phase).state
    failing, records = after(state, cm.ReportComputer(fault=fault, present=True))
    assert records == ["computer_reported", "computer_fault_found"]
    assert any(words in one for one in said(failing))
    assert outputs(failing).prompts == outputs(state).prompts
    assert outputs(failing).dealer == outputs(state).dealer
    good, records = after(failing, cm.ReportComputer(fault=fault, present=False))
    assert records == ["computer_reported", "computer_fault_ended"]
    assert good == state


def test_what_the_table_knows_of_its_computer_is_no_record() -> None:
    state = table_in(Phase.BETTING).state
    weak = cm.ReportComputer(fault=ComputerFault.UNDER_VOLTAGE, present=True)
    assert after(state, replace(weak, present=False))[1] == []
    assert after(after(state, weak)[0], weak)[1] == []
    looked, _ = after(state, usb(ADAPTER, DUCKY))
    assert after(looked, usb(DUCKY, ADAPTER))[1] == []


def test_the_first_look_says_what_the_table_s_own_devices_are() -> None:
    state = table_in(Phase.CLOSED).state
    looked, records = after(state, usb(ADAPTER))
    assert records == ["usb_reported", "usb_devices_found"]
    assert looked.usb_own == (ADAPTER,)
    assert said(looked) == said(state)
    nothing, records = after(state, usb())
    assert records == ["usb_reported", "usb_devices_found"]
    assert nothing.usb_own == ()


@pytest.mark.parametrize("phase", PHASES)
def test_a_strange_device_is_named_with_its_port_until_it_is_gone(
    phase: Phase,
) -> None:
    looked, _ = after(table_in(phase).state, usb(ADAPTER))
    strange, records = after(looked, usb(ADAPTER, DUCKY))
    assert records == ["usb_reported", "usb_device_inserted"]
    (notice,) = set(said(strange)) - set(said(looked))
    assert notice == (
        "Look who plugged this in: keyboard, Leonardo (2341:8036) at USB port 1-1.4"
    )
    assert outputs(strange).prompts == outputs(looked).prompts
    gone, records = after(strange, usb(ADAPTER))
    assert records == ["usb_reported", "usb_device_removed"]
    assert gone == looked


def test_an_own_device_that_comes_back_gives_no_notice() -> None:
    looked, _ = after(table_in(Phase.BETTING).state, usb(ADAPTER))
    away, records = after(looked, usb())
    assert records == ["usb_reported", "usb_device_removed"]
    back, records = after(away, usb(ADAPTER))
    assert records == ["usb_reported", "usb_device_inserted"]
    assert back == looked
    decision = decide(away, Secrets(), usb(ADAPTER, DUCKY))
    inserted = [r for r in decision.records if isinstance(r, ev.UsbDeviceInserted)]
    assert [(one.device, one.own) for one in inserted] == [
        (ADAPTER, True),
        (DUCKY, False),
    ]


@pytest.mark.parametrize(
    "device",
    [
        replace(ADAPTER, port="1-1.2"),
        replace(ADAPTER, serial="A2"),
        replace(ADAPTER, product="6015"),
        replace(ADAPTER, functions=(UsbFunction.KEYBOARD, UsbFunction.SERIAL)),
    ],
)
def test_a_device_in_another_socket_or_that_is_another_is_strange(
    device: UsbDevice,
) -> None:
    looked, _ = after(table_in(Phase.BETTING).state, usb(ADAPTER))
    other, _ = after(looked, usb(device))
    assert len(said(other)) == len(said(looked)) + 1


def test_another_number_of_the_bus_makes_no_device_strange() -> None:
    assert is_own((ADAPTER,), replace(ADAPTER, port="3-1.1"))
    assert not is_own(None, ADAPTER)


def test_a_strange_device_stays_one_over_a_power_cut() -> None:
    state = table_in(Phase.BETTING).state
    strange, _ = after(state, usb(ADAPTER), usb(ADAPTER, DUCKY))
    again, _ = after(strange, cm.ResumeControl(boot_id="b"))
    assert said(again) == said(strange)
    assert after(again, usb(DUCKY, ADAPTER))[1] == []


def test_a_stop_makes_what_is_plugged_in_at_the_next_start_the_table_s_own() -> None:
    state = table_in(Phase.BETTING).state
    strange, _ = after(state, usb(ADAPTER), usb(ADAPTER, DUCKY))
    stopped, _ = after(strange, cm.StopControl(), cm.ResumeControl(boot_id="b"))
    assert said(stopped) == said(state)
    looked, records = after(stopped, usb(ADAPTER, DUCKY))
    assert records == ["usb_reported", "usb_devices_found"]
    assert said(looked) == said(state)


def test_a_successor_knows_what_its_computer_told() -> None:
    state = table_in(Phase.CLOSED).state
    weak = cm.ReportComputer(fault=ComputerFault.CLOCK_BATTERY, present=True)
    told, _ = after(state, weak, usb(ADAPTER), usb(ADAPTER, DUCKY))
    assert set(said(told)) - set(said(state)) <= set(said(handed_over(told)))


def test_a_state_of_an_older_journal_has_looked_at_no_computer() -> None:
    state = table_in(Phase.BETTING).state
    written = msgspec.to_builtins(replace(state, history=(), opening=None))
    for name in ("computer_faults", "usb_devices", "usb_own"):
        del written[name]
    assert msgspec.convert(written, TableState) == replace(
        state, history=(), opening=None
    )


def test_a_device_that_says_nothing_of_itself_is_named_by_its_numbers() -> None:
    silent = UsbDevice("1-2", "dead", "beef")
    assert usb_words(silent) == "a device without a name (dead:beef) at USB port 1-2"
    both = (UsbFunction.KEYBOARD, UsbFunction.STORAGE)
    text = usb_words(replace(silent, name="Pen", serial="7", functions=both))
    assert text == "keyboard and storage, Pen (dead:beef, serial 7) at USB port 1-2"
