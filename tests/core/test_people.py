"""What the table remembers of logins, and who may forgive refused ones."""

import pytest

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.cards import Card
from controller.core.commands import Person
from controller.core.evolve import replay
from controller.core.ids import HandId, Phase, Reason, Role
from tests.core.table import DEALER, SUPERVISOR, Table, dealt, open_table

UID = 1000
STRANGER = Person("")
SURVEILLANCE = Person("V1", Role.SURVEILLANCE)
TECHNICIAN = Person("T1", Role.TECHNICIAN)


def login(
    person: Person = SUPERVISOR, refused: Reason | None = None, witness_to: str = ""
) -> cm.ReportLogin:
    return cm.ReportLogin(
        person=person, peer_uid=UID, refused=refused, witness_to=witness_to
    )


def failed(person: Person = SUPERVISOR, times: int = 1) -> list[cm.ReportLogin]:
    return [login(person, Reason.WRONG_PIN)] * times


def test_a_login_is_recorded_with_role_and_the_programs_user() -> None:
    assert open_table().after(login(witness_to="S2")).caused[1:] == (
        ev.PersonLoggedIn(
            person="S1", role=Role.SUPERVISOR, peer_uid=UID, witness_to="S2"
        ),
    )


def test_refused_logins_are_counted_for_each_person() -> None:
    table = open_table().after(*failed(times=2), *failed(DEALER))
    assert table.state.login_failures == {"S1": 2, "D1": 1}
    assert table.caused[-1] == ev.LoginRefused(
        person="D1",
        role=Role.DEALER,
        peer_uid=UID,
        reason=Reason.WRONG_PIN,
        failures=1,
    )


def test_those_who_are_not_listed_are_counted_as_one() -> None:
    strangers = [login(STRANGER, Reason.UNKNOWN_PERSON)] * 3
    assert open_table().after(*strangers).state.login_failures == {"": 3}


@pytest.mark.parametrize("reason", [Reason.LOGIN_DELAYED, Reason.NO_PIN])
def test_who_was_not_even_heard_has_not_failed(reason: Reason) -> None:
    table = open_table().after(*failed(), login(refused=reason))
    assert table.state.login_failures == {"S1": 1}
    assert not open_table().after(login(refused=reason)).state.login_failures


def test_a_login_forgives_what_went_before() -> None:
    table = open_table().after(*failed(times=4), *failed(DEALER), login())
    assert table.state.login_failures == {"D1": 1}


@pytest.mark.parametrize("person", [SUPERVISOR, TECHNICIAN], ids=lambda who: who.id)
def test_a_supervisor_or_technician_forgives_it_too(person: Person) -> None:
    table = open_table().after(*failed(DEALER, 4), cm.LiftDelay(person=person, of="D1"))
    assert not table.state.login_failures
    assert table.caused[1:] == (
        ev.LoginDelayLifted(person="D1", lifted_by=person.id, role=person.role),
    )


@pytest.mark.parametrize("person", [DEALER, SURVEILLANCE, Person("x")], ids=str)
def test_nobody_else_does(person: Person) -> None:
    table = open_table().after(*failed(DEALER, 4), cm.LiftDelay(person=person, of="D1"))
    assert table.refused is Reason.SUPERVISOR_REQUIRED
    assert table.state.login_failures == {"D1": 4}


def test_a_logout_is_recorded() -> None:
    left = cm.ReportLogout(person=SUPERVISOR, peer_uid=UID, lapsed=True)
    assert open_table().after(left).caused[1:] == (
        ev.PersonLoggedOut(
            person="S1", role=Role.SUPERVISOR, peer_uid=UID, lapsed=True
        ),
    )


def test_a_line_that_is_not_theirs_is_refused_in_the_record() -> None:
    turned_away = cm.TurnAway(
        person=SURVEILLANCE,
        peer_uid=UID,
        command="deal",
        reason=Reason.ROLE_NOT_ALLOWED,
        because="it only looks",
    )
    assert open_table().after(turned_away).caused[1:] == (
        ev.CommandRefused(
            command="deal",
            person="V1",
            reason=Reason.ROLE_NOT_ALLOWED,
            because="it only looks",
        ),
    )


def test_logins_change_neither_the_round_nor_its_stop() -> None:
    table = dealt("5h 6c 4d Kd")
    stopped = table.dealer("call").after(login(), *failed(DEALER))
    assert stopped.state.phase is Phase.SUSPENDED
    assert stopped.state.play == table.state.play


def test_a_taking_back_forgives_nobody() -> None:
    table = dealt("5h 6c 4d Kd").after(*failed(DEALER, 2)).dealer("call")
    corrected = table.decided(dc.CorrectCard(HandId("1"), 1, Card("6h")))
    assert corrected.refused is None
    assert corrected.state.login_failures == {"D1": 2}


def test_the_count_outlives_a_restart_and_the_end_of_a_round() -> None:
    table = open_table()
    records = table.after(*failed(DEALER)).caused
    again = replay(table.state, records)
    assert again.login_failures == {"D1": 1}
    resumed = Table(again).after(cm.ResumeControl())
    assert resumed.state.login_failures == {"D1": 1}


def test_surveillance_neither_decides_nor_witnesses() -> None:
    unread = dealt("??")
    keyed = cm.TakeDecision(
        person=SUPERVISOR, decision=dc.KeyCard(Card("Th")), witness=SURVEILLANCE
    )
    assert unread.after(keyed).refused is Reason.WITNESS_REQUIRED
    decided = cm.TakeDecision(person=SURVEILLANCE, decision=dc.VoidRound())
    assert unread.after(decided).refused is Reason.SUPERVISOR_REQUIRED


def test_a_refused_line_says_who_entered_it() -> None:
    table = open_table().after(cm.UndoDeal(entered_by="D1"))
    (refusal,) = [r for r in table.caused if isinstance(r, ev.CommandRefused)]
    assert refusal.person == "D1"
