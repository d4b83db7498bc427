"""Faults that no card and no press tells of: stuck buttons, disk, the process."""

import pytest

from controller.core.commands import (
    Command,
    Person,
    PressDealerButton,
    ReportDisk,
    ReportFault,
    ReportHouseInput,
    ReportMirror,
    ReportScan,
    ReportStuckButton,
    TakeDecision,
)
from controller.core.decide import decide
from controller.core.decisions import Resume
from controller.core.ids import (
    DealerButton,
    HouseInput,
    Kind,
    MirrorFault,
    Phase,
    Role,
)
from controller.core.outputs import outputs
from controller.core.secrets import Secrets
from controller.core.state import TableState
from tools.phase_table import table_in


def after(state: TableState, command: Command) -> tuple[TableState, list[str]]:
    decision = decide(state, Secrets(), command)
    tags = [str(type(one).__struct_config__.tag) for one in decision.records]
    return decision.state, tags


def notices_of(state: TableState) -> str:
    return " / ".join(note.words for note in outputs(state).notices)


def test_a_stuck_button_is_noted_and_clears_when_it_is_released() -> None:
    state = table_in(Phase.BETTING).state
    held, records = after(state, ReportStuckButton(seat=3, button="hit", stuck=True))
    assert "button_stuck" in records
    assert "Button hit of seat 3 is stuck" in notices_of(held)
    again, records = after(held, ReportStuckButton(seat=3, button="hit", stuck=True))
    assert "button_stuck" not in records
    free, records = after(again, ReportStuckButton(seat=3, button="hit", stuck=False))
    assert "button_released" in records
    assert "stuck" not in notices_of(free)
    assert free.phase is Phase.BETTING


def test_a_nearly_full_disk_ends_the_dealing_and_room_begins_it_again() -> None:
    deal = PressDealerButton(button=DealerButton.DEAL)
    state = table_in(Phase.BETTING).state
    full, records = after(state, ReportDisk(nearly_full=True, free_bytes=1_000))
    assert "disk_nearly_full" in records
    assert "nearly full" in notices_of(full)
    refused, records = after(full, deal)
    assert "command_refused" in records
    assert refused.phase is Phase.BETTING
    roomy, records = after(refused, ReportDisk(nearly_full=False, free_bytes=10**9))
    assert "disk_roomy" in records
    assert after(roomy, deal)[0].phase is Phase.DEALING


def test_a_round_is_finished_while_the_disk_is_nearly_full() -> None:
    state = table_in(Phase.SETTLED).state
    full, _ = after(state, ReportDisk(nearly_full=True, free_bytes=1_000))
    assert full.phase is Phase.SETTLED
    closed, _ = after(full, PressDealerButton(button=DealerButton.PICKUP))
    assert closed.phase is Phase.BETTING


def reported(contact: HouseInput, *, active: bool) -> ReportHouseInput:
    return ReportHouseInput(house_input=contact, active=active)


@pytest.mark.parametrize("phase", [Phase.CLOSED, Phase.BETTING, Phase.PLAYING])
def test_an_open_enclosure_is_shown_and_stops_nothing(phase: Phase) -> None:
    state = table_in(phase).state
    opened, records = after(state, reported(HouseInput.DOOR, active=False))
    assert records == ["house_input_reported", "enclosure_opened"]
    assert "The enclosure of the table is open" in notices_of(opened)
    assert outputs(opened).prompts == outputs(state).prompts
    assert after(opened, reported(HouseInput.DOOR, active=False))[1] == []
    shut, records = after(opened, reported(HouseInput.DOOR, active=True))
    assert records == ["house_input_reported", "enclosure_closed"]
    assert shut == state


@pytest.mark.parametrize("phase", [Phase.BETTING, Phase.SUSPENDED])
def test_a_turned_key_is_a_record_and_decides_nothing(phase: Phase) -> None:
    state = table_in(phase).state
    turned, records = after(state, reported(HouseInput.KEY_SWITCH, active=True))
    assert records == ["house_input_reported", "key_switch_turned"]
    assert turned.key_switch_on
    assert outputs(turned) == outputs(state)
    nobody = TakeDecision(person=Person(""), decision=Resume())
    assert "command_refused" in after(turned, nobody)[1]
    back, _ = after(turned, reported(HouseInput.KEY_SWITCH, active=False))
    assert back == state


def test_contacts_that_stand_as_they_are_known_are_no_record() -> None:
    state = table_in(Phase.BETTING).state
    assert after(state, reported(HouseInput.DOOR, active=True))[1] == []
    assert after(state, reported(HouseInput.KEY_SWITCH, active=False))[1] == []


@pytest.mark.parametrize("fault", MirrorFault)
@pytest.mark.parametrize("phase", [Phase.CLOSED, Phase.BETTING, Phase.PLAYING])
def test_a_lost_mirror_is_shown_and_stops_nothing(
    fault: MirrorFault, phase: Phase
) -> None:
    state = table_in(phase).state
    lost, records = after(state, ReportMirror(fault=fault, sequence=812))
    assert records == ["mirror_reported", "mirror_lost"]
    assert "The mirror of the journal is lost" in notices_of(lost)
    assert outputs(lost).prompts == outputs(state).prompts
    assert outputs(lost).dealer == outputs(state).dealer
    again, records = after(lost, ReportMirror(fault=fault, sequence=900))
    assert records == ["mirror_reported"]
    back, records = after(again, ReportMirror(fault=None, sequence=1000))
    assert records == ["mirror_reported", "mirror_back"]
    assert back == state


@pytest.mark.parametrize("phase", [Phase.CLOSED, Phase.BETTING, Phase.PLAYING])
def test_panels_that_are_read_too_slowly_are_shown_and_stop_nothing(
    phase: Phase,
) -> None:
    state = table_in(phase).state
    slow, records = after(state, ReportScan(slow=True, scan_ms=240))
    assert records == ["scan_reported", "panels_slow"]
    assert "The panels are read too slowly" in notices_of(slow)
    assert outputs(slow).prompts == outputs(state).prompts
    again, records = after(slow, ReportScan(slow=True, scan_ms=300))
    assert records == ["scan_reported"]
    timely, records = after(again, ReportScan(slow=False, scan_ms=60))
    assert records == ["scan_reported", "panels_timely"]
    assert timely == state


def test_another_fault_of_the_mirror_is_another_record() -> None:
    state = table_in(Phase.BETTING).state
    full, _ = after(state, ReportMirror(fault=MirrorFault.FULL, sequence=1))
    worse, records = after(full, ReportMirror(fault=MirrorFault.MISMATCH, sequence=1))
    assert records == ["mirror_reported", "mirror_lost"]
    assert worse.mirror_fault is MirrorFault.MISMATCH


@pytest.mark.parametrize(
    "kind",
    [
        Kind.INTERNAL_FAULT,
        Kind.JOURNAL_DAMAGED,
        Kind.JOURNAL_BEHIND,
        Kind.JOURNAL_FULL,
    ],
)
def test_each_fault_that_the_process_reports_stops_the_table(kind: Kind) -> None:
    state = table_in(Phase.PLAYING).state
    stopped, records = after(state, ReportFault(kind=kind, words="what was seen"))
    assert records[1:3] == ["irregularity_found", "table_suspended"]
    assert stopped.phase is Phase.SUSPENDED
    assert "what was seen" in notices_of(stopped)
    assert outputs(stopped).gate_up_to == 0


def test_an_error_of_ours_ends_by_a_decision_and_that_is_recorded() -> None:
    state = table_in(Phase.PLAYING).state
    fault = ReportFault(kind=Kind.INTERNAL_FAULT, words="what was seen")
    stopped, _ = after(state, fault)
    decision = TakeDecision(person=Person("S1", Role.SUPERVISOR), decision=Resume())
    resumed, records = after(stopped, decision)
    assert {"irregularity_cleared", "table_resumed"} <= set(records)
    assert resumed.phase is Phase.PLAYING
