"""Who may say which line."""

import pytest

from controller.core.commands import Person
from controller.core.ids import Reason, Role
from controller.runtime.access import Speaker, name_of, why_not
from controller.words.grammar import parse_line

DEALER = Person("D1", Role.DEALER)
SUPERVISOR = Person("S1", Role.SUPERVISOR)
TECHNICIAN = Person("T1", Role.TECHNICIAN)
SURVEILLANCE = Person("V1", Role.SURVEILLANCE)

PLAY = (
    "dealer deal",
    "dealer undo-deal",
    "dealer next",
    "dealer pickup",
    "dealer close-insurance",
    "dealer call",
    "dealer seat-open 3",
    "dealer clarify 3 hit",
    "cash 3 state 20",
    "shift close",
)
"""A line of each kind that names nobody."""


def reason(line: str, person: Person | None, witness: str = "") -> Reason | None:
    speaker = None if person is None else Speaker(person, witness)
    refusal = why_not(parse_line(line), speaker)
    return refusal.reason if refusal else None


@pytest.mark.parametrize("line", PLAY)
@pytest.mark.parametrize("person", [DEALER, SUPERVISOR], ids=lambda who: who.id)
def test_dealers_and_supervisors_play(person: Person, line: str) -> None:
    assert reason(line, person) is None


@pytest.mark.parametrize("line", [*PLAY, "shift open T1 left-to-right"])
@pytest.mark.parametrize("person", [TECHNICIAN, SURVEILLANCE], ids=lambda who: who.id)
def test_technicians_and_surveillance_do_not(person: Person, line: str) -> None:
    assert reason(line, person) is Reason.ROLE_NOT_ALLOWED


@pytest.mark.parametrize(
    "line", [*PLAY, "shift open D1 left-to-right", "supervisor S1 resume"]
)
@pytest.mark.parametrize("nobody", [None, Person("X1")], ids=str)
def test_nobody_says_anything_without_a_login(nobody: Person | None, line: str) -> None:
    assert reason(line, nobody) is Reason.LOGIN_REQUIRED


def test_a_decision_is_given_in_ones_own_name_alone() -> None:
    assert reason("supervisor S1 resume", SUPERVISOR) is None
    for other in (DEALER, Person("S2", Role.SUPERVISOR)):
        assert reason("supervisor S1 resume", other) is Reason.LOGIN_REQUIRED


def test_that_a_dealer_decides_nothing_is_the_cores_to_say() -> None:
    assert reason("supervisor D1 resume", DEALER) is None


def test_a_witness_must_have_come() -> None:
    line = "supervisor S1 new-shoe 6 witness=S2"
    assert reason(line, SUPERVISOR) is Reason.WITNESS_REQUIRED
    assert reason(line, SUPERVISOR, "D1") is Reason.WITNESS_REQUIRED
    assert reason(line, SUPERVISOR, "S2") is None
    assert reason("supervisor S1 new-shoe 6", SUPERVISOR, "S2") is None


def test_a_witness_may_be_named_where_none_is_needed_only_if_they_came() -> None:
    line = "supervisor S1 resume witness=S2"
    assert reason(line, SUPERVISOR) is Reason.WITNESS_REQUIRED


def test_a_dealer_opens_their_own_shift_and_a_supervisor_any() -> None:
    own, others = "shift open D1 left-to-right", "shift open D2 left-to-right"
    assert reason(own, DEALER) is None
    assert reason(others, DEALER) is Reason.LOGIN_REQUIRED
    assert reason(others, SUPERVISOR) is None


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("supervisor S1 key-card Qh witness=S2", "key-card"),
        ("supervisor S1 set-rules bet_step_cents=100", "set-rules"),
        ("shift open D1 left-to-right", "shift open"),
        ("dealer call a word", "call"),
        ("cash 3 state 20", "cash state"),
    ],
)
def test_a_lines_name_holds_nothing_else_of_it(line: str, name: str) -> None:
    assert name_of(parse_line(line)) == name
