"""Two people at a stopped table: whose PIN counts, and what is written down of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.ids import Button, Kind, Phase, Reason, Role
from controller.core.software import Component, Software
from controller.evidence.verify import verify
from controller.journal import reader
from controller.journal.recovery import recover
from controller.journal.table_codec import CODEC
from controller.runtime.acceptance import Acceptance, Accepting
from controller.runtime.errors import NotTakenError
from controller.runtime.people import People, people_of
from controller.runtime.pins import Pin
from controller.runtime.stopped import StoppedTable
from hw_config.schema import Kind as TableKind
from tests.core.table import SUPERVISOR as S1
from tests.journal.played import SIMULATION, STAMP, Played
from tests.runtime.lineups import PINS, list_people

UID = 1000
OLD = Software((Component("product", "1", "a" * 64),), "1" * 64)
NEW = Software((Component("product", "2", "b" * 64),), "2" * 64)
BOTH = Accepting("S1", "T1", "update 2")


@pytest.fixture
def people(tmp_path: Path) -> People:
    return people_of(TableKind.LIVE, list_people(tmp_path / "people.toml"))


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """Return the journal of a table that stopped while seat 2 was asked."""
    played = Played(tmp_path / "journal")
    played.do(cm.ReportSelfTest(software=OLD, live=True))
    played.deal()
    played.journal.close()
    return tmp_path / "journal"


class AtTheMachine:
    """What happens to one journal while its table is stopped."""

    def __init__(self, path: Path, people: People) -> None:
        recovered = recover(path, SIMULATION)
        self.journal = recovered.journal
        self.table = StoppedTable(recovered, lambda: STAMP)
        self.asked: list[str] = []
        self._before = self.journal.next_sequence
        self._people = people

    def accept(
        self,
        accepting: Accepting = BOTH,
        *,
        software: Software = NEW,
        wrong: str = "",
    ) -> None:
        def pin_of(name: str) -> Pin:
            self.asked.append(name)
            return Pin("000001" if name == wrong else PINS.get(name, "111112"))

        acceptance = Acceptance(self.table, software, self._people, UID)
        acceptance.accept(accepting, pin_of)

    def refused(self, *arguments: Accepting, wrong: str = "") -> str:
        with pytest.raises(NotTakenError) as error:
            self.accept(*arguments, wrong=wrong)
        return str(error.value)

    def written(self) -> list[object]:
        rows = reader.records_after(self.journal.path, self._before - 1)
        return [CODEC.decode(row) for row in rows]


@pytest.fixture
def machine(journal: Path, people: People) -> Iterator[AtTheMachine]:
    here = AtTheMachine(journal, people)
    with here.journal:
        yield here


def tags(records: list[object]) -> list[str]:
    return [str(type(record).__struct_config__.tag) for record in records]  # type: ignore[attr-defined]  # every record is a Struct


def test_two_pins_let_another_program_run_the_table(machine: AtTheMachine) -> None:
    machine.accept()
    assert machine.asked == ["S1", "T1"]
    assert tags(machine.written()) == [
        "login_reported",
        "person_logged_in",
        "login_reported",
        "person_logged_in",
        "self_test_reported",
        "software_changed",
        "irregularity_found",
        "table_suspended",
        "prompts_changed",
        "software_accept_asked",
        "software_accepted",
        "irregularity_cleared",
        "table_resumed",
        "prompts_changed",
        "logout_reported",
        "person_logged_out",
        "logout_reported",
        "person_logged_out",
    ]


def test_the_round_goes_on_from_the_same_point_and_the_journal_replays(
    machine: AtTheMachine, journal: Path
) -> None:
    before = machine.table.state
    machine.accept()
    machine.journal.close()
    again = Played(journal, begin=False)
    again.do(cm.ReportSelfTest(software=NEW, live=True))
    assert again.state.phase is Phase.PLAYING
    assert again.state.play == before.play
    again.do(again.press(Button.STAND))
    assert again.state.play.turn != before.play.turn
    again.journal.close()
    assert verify(journal, replay=True).good


@pytest.mark.parametrize(
    ("wrong", "role"), [("S1", "supervisor"), ("T1", "technician")]
)
def test_a_wrong_pin_is_refused_and_on_record(
    machine: AtTheMachine, wrong: str, role: str
) -> None:
    assert machine.refused(wrong=wrong) == f"{wrong}: id and PIN do not match"
    assert (
        ev.LoginRefused(
            person=wrong,
            role=Role(role),
            peer_uid=UID,
            reason=Reason.WRONG_PIN,
            failures=1,
        )
        in machine.written()
    )
    assert machine.table.state.software_accepted == OLD
    assert machine.table.state.login_failures == {wrong: 1}


def test_an_id_that_is_not_listed_is_recorded_as_nobody(machine: AtTheMachine) -> None:
    said = machine.refused(Accepting("X9", "T1", "update"))
    assert said == "X9: id and PIN do not match"
    (refused,) = (r for r in machine.written() if isinstance(r, ev.LoginRefused))
    assert (refused.person, refused.reason) == ("", Reason.UNKNOWN_PERSON)


@pytest.mark.parametrize(
    ("accepting", "reason"),
    [
        (Accepting("S1", "S1", "alone"), Reason.ROLE_NOT_ALLOWED),
        (Accepting("T1", "T1", "alone"), Reason.SUPERVISOR_REQUIRED),
        (Accepting("S1", "S2", "no technician"), Reason.ROLE_NOT_ALLOWED),
        (Accepting("T1", "S1", "the wrong way round"), Reason.SUPERVISOR_REQUIRED),
        (Accepting("D1", "T1", "a dealer"), Reason.SUPERVISOR_REQUIRED),
        (Accepting("S1", "V1", "surveillance"), Reason.ROLE_NOT_ALLOWED),
    ],
    ids=lambda value: getattr(value, "reason", None),
)
def test_one_person_alone_or_another_role_is_refused_on_record(
    machine: AtTheMachine, accepting: Accepting, reason: Reason
) -> None:
    assert machine.refused(accepting).startswith(f"{reason.value}: ")
    (refused,) = (r for r in machine.written() if isinstance(r, ev.CommandRefused))
    assert (refused.command, refused.reason) == ("accept", reason)
    # What differs is known now, and the table stands still until somebody may.
    (found,) = machine.table.state.irregularities
    assert found.kind is Kind.SOFTWARE_CHANGED
    assert tags(machine.written())[-1] == "person_logged_out"


def test_after_three_wrong_pins_not_even_the_right_one_is_asked_for(
    machine: AtTheMachine,
) -> None:
    for _ in range(3):
        machine.refused(wrong="S1")
    machine.asked.clear()
    assert "too many wrong PINs" in machine.refused()
    assert machine.asked == []
    (last,) = (
        record
        for record in machine.written()
        if isinstance(record, ev.LoginRefused) and record.reason is Reason.LOGIN_DELAYED
    )
    assert (last.person, last.failures) == ("S1", 3)


def test_no_pin_is_in_any_record(machine: AtTheMachine) -> None:
    machine.refused(wrong="T1")
    machine.accept()
    text = repr(machine.written())
    assert not any(pin in text for pin in (*PINS.values(), "000001"))


def test_a_live_table_without_a_list_knows_nobody_who_could_accept(
    journal: Path,
) -> None:
    here = AtTheMachine(journal, people_of(TableKind.LIVE, None))
    with here.journal:
        assert here.refused().startswith("unknown_person: ")
        assert here.asked == []


def test_where_nobody_is_listed_people_are_known_by_their_letter(journal: Path) -> None:
    here = AtTheMachine(journal, people_of(TableKind.SIMULATION, None))
    with here.journal:
        here.accept()
        assert here.asked == []
        assert here.table.state.software_accepted == NEW


def test_the_dealer_of_the_shift_accepts_nothing(journal: Path, people: People) -> None:
    as_supervisor = {**people.listed, "D1": replace(people.listed["D1"], role=S1.role)}
    here = AtTheMachine(journal, People(as_supervisor, {}, people.file))
    with here.journal:
        said = here.refused(Accepting("D1", "T1", "update"))
        assert "deals this shift" in said


def test_what_differs_is_named_before_anybody_is_asked(machine: AtTheMachine) -> None:
    acceptance = Acceptance(machine.table, NEW, People({}, {}), UID)
    assert [change.name for change in acceptance.changes] == ["product"]
    same = Acceptance(machine.table, OLD, People({}, {}), UID)
    assert same.changes == ()
