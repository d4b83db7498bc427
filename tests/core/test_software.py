"""The program is held against the accepted one, and two people accept another."""

import pytest

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.commands import Person
from controller.core.guidance import offered
from controller.core.ids import Kind, Phase, Reason, Role
from controller.core.outputs import outputs
from controller.core.software import (
    Component,
    ComponentChange,
    Software,
    changes,
    changes_text,
)
from controller.core.succession import handed_over
from tests.core.table import DEALER, SUPERVISOR, Table, dealt, open_table

TECHNICIAN = Person("T1", Role.TECHNICIAN)
PRODUCT = Component("product", "1.0", "a" * 64)
NEWER = Component("product", "1.1", "b" * 64)
RULESET = Component("ruleset", "colorado", "c" * 64)
LIBRARY = Component("msgspec", "0.20", "d" * 64)
FIRST = Software((PRODUCT, RULESET), "1" * 64)
OTHER = Software((NEWER, RULESET), "2" * 64)
THIRD = Software((LIBRARY, NEWER, RULESET), "3" * 64)


def report_of(software: Software, *, live: bool = True) -> cm.ReportSelfTest:
    return cm.ReportSelfTest(software=software, live=live)


def accepting(
    supervisor: Person = SUPERVISOR,
    technician: Person = TECHNICIAN,
    digest: str = OTHER.digest,
) -> cm.AcceptSoftware:
    return cm.AcceptSoftware(
        supervisor=supervisor, technician=technician, digest=digest, reason="update"
    )


def in_play() -> Table:
    return dealt("Td 7h 9d Kd").after(report_of(FIRST))


def stopped() -> Table:
    return in_play().after(report_of(OTHER))


def because(table: Table) -> str:
    last = table.caused[-1]
    assert isinstance(last, ev.CommandRefused)
    return last.because


def test_the_first_program_of_a_journal_is_accepted_as_it_is() -> None:
    table = open_table().after(report_of(FIRST))
    assert table.caused[1:] == (ev.SoftwareAccepted(software=FIRST),)
    assert table.state.software_accepted == FIRST
    assert not table.state.suspended


def test_the_same_program_is_a_record_and_no_more() -> None:
    table = in_play().after(report_of(FIRST))
    assert table.caused == (report_of(FIRST),)
    assert table.state.phase is Phase.PLAYING


def test_another_program_stops_a_live_table_and_says_what_differs() -> None:
    table = stopped()
    assert table.types()[:4] == [
        "self_test_reported",
        "software_changed",
        "irregularity_found",
        "table_suspended",
    ]
    change = ComponentChange("product", accepted=PRODUCT, found=NEWER)
    assert table.caused[1] == ev.SoftwareChanged(changes=(change,), live=True)
    notices = " ".join(notice.words for notice in outputs(table.state).notices)
    assert "product 1.0 aaaaaaaaaaaa, now 1.1 bbbbbbbbbbbb" in notices
    assert outputs(table.state).gate_up_to == 0


def test_a_simulated_table_takes_another_program_and_only_says_so() -> None:
    table = in_play().after(report_of(OTHER, live=False))
    assert table.types()[1:] == ["software_changed", "software_accepted"]
    assert table.state.phase is Phase.PLAYING
    assert table.after(report_of(OTHER, live=False)).types() == ["self_test_reported"]


def test_a_round_goes_on_exactly_where_it_was_once_the_program_is_accepted() -> None:
    before = in_play()
    after = stopped().after(accepting())
    assert after.types() == [
        "software_accept_asked",
        "software_accepted",
        "irregularity_cleared",
        "table_resumed",
        "prompts_changed",
    ]
    assert after.state.phase is Phase.PLAYING
    assert after.state.play == before.state.play
    assert after.state.prompts[1].buttons == before.state.prompts[1].buttons
    assert after.state.software_accepted == OTHER
    assert after.after(report_of(OTHER)).types() == ["self_test_reported"]


def test_both_names_and_the_reason_are_on_record() -> None:
    accepted = stopped().after(accepting()).caused[1]
    assert accepted == ev.SoftwareAccepted(
        software=OTHER, supervisor="S1", technician="T1", reason="update"
    )


@pytest.mark.parametrize(
    ("supervisor", "technician", "reason"),
    [
        (SUPERVISOR, SUPERVISOR, Reason.ROLE_NOT_ALLOWED),
        (TECHNICIAN, TECHNICIAN, Reason.SUPERVISOR_REQUIRED),
        (TECHNICIAN, SUPERVISOR, Reason.SUPERVISOR_REQUIRED),
        (SUPERVISOR, Person("S1", Role.TECHNICIAN), Reason.ROLE_NOT_ALLOWED),
        (SUPERVISOR, Person("V1", Role.SURVEILLANCE), Reason.ROLE_NOT_ALLOWED),
        (DEALER, TECHNICIAN, Reason.SUPERVISOR_REQUIRED),
        (Person("D1", Role.SUPERVISOR), TECHNICIAN, Reason.SUPERVISOR_REQUIRED),
        (Person("X1"), TECHNICIAN, Reason.UNKNOWN_PERSON),
        (SUPERVISOR, Person("X1"), Reason.UNKNOWN_PERSON),
    ],
    ids=str,
)
def test_only_a_supervisor_and_a_technician_accept_it_together(
    supervisor: Person, technician: Person, reason: Reason
) -> None:
    table = stopped().after(accepting(supervisor, technician))
    assert table.refused is reason
    last = table.caused[-1]
    assert isinstance(last, ev.CommandRefused)
    assert (last.command, last.person) == ("accept", supervisor.id)
    assert table.state == stopped().state


def test_only_what_was_shown_is_accepted() -> None:
    table = stopped().after(accepting(digest=THIRD.digest))
    assert "look again" in because(table)
    assert table.state.suspended


def test_nothing_is_accepted_where_nothing_differs() -> None:
    assert "nothing differs" in because(in_play().after(accepting(digest="1" * 64)))


@pytest.mark.parametrize("decision", [dc.Resume(), dc.VoidRound(), dc.Misdeal()])
def test_no_decision_ends_it(decision: dc.Decision) -> None:
    table = stopped().decided(decision)
    assert "accept it first" in because(table)
    assert table.state == stopped().state
    assert offered(stopped().state) == ()


def test_a_restart_with_the_same_difference_says_nothing_new() -> None:
    table = stopped()
    assert table.after(report_of(OTHER)).types() == ["self_test_reported"]


def test_a_third_program_is_told_of_in_place_of_the_second() -> None:
    table = stopped().after(report_of(THIRD))
    assert table.types()[1:] == [
        "software_changed",
        "irregularity_cleared",
        "irregularity_found",
    ]
    (found,) = table.state.irregularities
    assert "msgspec none, now 0.20 dddddddddddd" in found.words
    assert table.after(accepting(digest=THIRD.digest)).state.phase is Phase.PLAYING


def test_the_accepted_program_put_back_leaves_it_to_the_supervisor() -> None:
    table = stopped().after(report_of(FIRST))
    assert table.state.suspended
    assert table.decided(dc.Resume()).state.phase is Phase.PLAYING


def test_what_stopped_the_table_before_still_does_after_the_acceptance() -> None:
    table = in_play().dealer("call").after(report_of(OTHER), accepting())
    assert [found.kind for found in table.state.irregularities] == [Kind.CALLED]
    assert table.decided(dc.Resume()).state.phase is Phase.PLAYING


def test_a_table_that_is_accepted_before_its_start_was_never_stopped_for_long() -> None:
    closed = Table(open_table().after(report_of(FIRST), cm.CloseShift()).state)
    table = closed.after(report_of(OTHER), accepting())
    assert table.state.phase is Phase.CLOSED


def test_a_successor_journal_knows_what_was_accepted() -> None:
    state = handed_over(stopped().state)
    assert state.software_accepted == FIRST
    assert Table(state).after(report_of(OTHER)).state.suspended


def test_each_rounds_end_carries_what_was_accepted() -> None:
    table = in_play().press(1, "stand").dealer("pickup")
    (recorded,) = (r for r in table.caused if isinstance(r, ev.TableStateRecorded))
    assert recorded.state.software_accepted == FIRST
    assert recorded.state.software_found == Software()


@pytest.mark.parametrize(
    ("boot", "found"),
    [("boot 1", "abrupt_end_found"), ("boot 2", "power_loss_found")],
)
def test_an_end_without_a_stop_is_found_at_the_next_start(
    boot: str, found: str
) -> None:
    running = in_play().after(cm.ResumeControl(boot_id="boot 1"))
    assert running.types() == ["control_resumed", "table_recovered"]
    again = running.after(cm.ResumeControl(boot_id=boot))
    assert again.types() == ["control_resumed", found, "table_recovered"]


def test_after_a_stop_in_good_order_nothing_is_found() -> None:
    stopped = in_play().after(cm.ResumeControl(boot_id="boot 1"), cm.StopControl())
    assert stopped.types() == ["control_stopped"]
    again = stopped.after(cm.ResumeControl(boot_id="boot 2"))
    assert again.types() == ["control_resumed", "table_recovered"]


def test_ends_without_a_stop_are_counted_across_rounds_until_the_next_stop() -> None:
    boots = ("boot 1", "boot 1", "boot 2", "boot 2")
    ended = in_play().after(*(cm.ResumeControl(boot_id=boot) for boot in boots))
    assert (ended.state.abrupt_ends, ended.state.power_losses) == (2, 1)
    stopped = ended.after(cm.StopControl(), cm.ResumeControl(boot_id="boot 2"))
    assert (stopped.state.abrupt_ends, stopped.state.power_losses) == (0, 0)


def test_a_part_that_is_gone_differs_as_well() -> None:
    (change,) = changes(THIRD, OTHER)
    assert change == ComponentChange("msgspec", accepted=LIBRARY, found=None)


def test_of_many_changes_some_are_named_and_the_rest_counted() -> None:
    many = [
        ComponentChange(f"part {n}", None, Component(f"part {n}", "", "e" * 64))
        for n in range(7)
    ]
    text = changes_text(many)
    assert text.startswith("part 0 none, now eeeeeeeeeeee; ")
    assert text.endswith("and 3 more")
