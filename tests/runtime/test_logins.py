"""Logins and roles, over real sockets: who gets in, and what counts from them."""

import asyncio
import contextlib
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Self

import pytest

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.ids import Reason, Role
from controller.runtime.control_socket import ControlSocket
from controller.runtime.health import Counters
from controller.runtime.logins import Attempt, Logins
from controller.runtime.logs import json_lines, logger_to
from controller.runtime.people import People, load, people_of
from controller.runtime.people_file import save
from controller.runtime.pins import DECOY, Pin, kept
from controller.runtime.speakers import (
    FAILURES_MAX,
    LAPSES_AFTER_S,
    WITNESS_VALID_S,
)
from controller.runtime.waits import FIRST_WAIT_S, FREE_FAILURES
from hw_config.schema import Kind
from tests.runtime.callers import Caller, soon, until
from tests.runtime.clocks import StandingClock
from tests.runtime.engines import CoreEngine
from tests.runtime.lineups import CHEAP, PINS, list_people, speakers
from tests.runtime.sinks import Lines
from tests.runtime.tables import state_after
from tests.runtime.technicians import NoDevices

WRONG = "195837"
MISMATCH = {"refused": "login_refused", "because": "id and PIN do not match"}


class Rig:
    """A table with a list of people; its clock stands still until told."""

    def __init__(self, folder: Path, engine: CoreEngine | None = None) -> None:
        self.path = folder / "control.sock"
        self.file = folder / "people.toml"
        self.clock = StandingClock()
        self.engine = engine or CoreEngine(state_after("bet 1 25"))
        self.log = Lines()
        say = logger_to(self.log, json_lines(StandingClock()))
        people = people_of(Kind.LIVE, self.file)
        self.speakers = speakers(people, self.engine, say, self.clock.now_s)
        self.socket = ControlSocket(
            self.engine,
            self.speakers,
            say,
            Counters(),
            NoDevices(self.engine),
            seats=7,
        )

    @property
    def events(self) -> list[object]:
        """What was recorded of people."""
        kinds = (ev.PersonLoggedIn, ev.LoginRefused, ev.PersonLoggedOut)
        more = (ev.LoginDelayLifted, ev.CommandRefused, ev.DecisionTaken)
        return [one for one in self.engine.records if isinstance(one, kinds + more)]


class Person(Caller):
    """Somebody at a console."""

    async def log_in(self, name: str, pin: str | None = None) -> dict[str, Any]:
        return await self.ask(login=name, pin=PINS[name] if pin is None else pin)

    async def witness(self, name: str, pin: str | None = None) -> dict[str, Any]:
        return await self.ask(witness=name, pin=PINS[name] if pin is None else pin)

    async def say(self, words: str) -> dict[str, Any]:
        return await self.ask(command=words)

    @classmethod
    async def logged_in(cls, rig: Rig, name: str) -> Self:
        person = await cls.of(rig.path)
        assert (await person.log_in(name))["accepted"]
        return person


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    list_people(tmp_path / "people.toml")
    rig = Rig(tmp_path)
    async with await rig.socket.open(rig.path):
        yield rig


@pytest.fixture
async def person(rig: Rig) -> AsyncIterator[Person]:
    person = await Person.of(rig.path)
    yield person
    await person.leave()


# --- In and out -------------------------------------------------------------------


@pytest.mark.parametrize("name", PINS)
async def test_who_gives_their_pin_is_in_with_their_role(
    rig: Rig, person: Person, name: str
) -> None:
    role = load(rig.file)[name].role
    answer = await person.ask(id=1, login=name, pin=PINS[name])
    assert answer == {"id": 1, "accepted": True, "sequence": 101, "role": role.value}
    assert rig.events == [
        ev.PersonLoggedIn(person=name, role=role, peer_uid=os.getuid())
    ]


@pytest.mark.parametrize(
    ("name", "pin"),
    [("S1", WRONG), ("S1", ""), ("S1", PINS["S2"]), ("S9", WRONG), ("", WRONG)],
)
async def test_who_does_not_is_told_the_same_whatever_was_wrong(
    person: Person, name: str, pin: str
) -> None:
    answer = await person.log_in(name, pin)
    assert answer == {**MISMATCH, "sequence": 101}
    assert (await person.say("dealer deal"))["refused"] == "login_required"


async def test_a_refused_login_is_recorded_with_its_count(
    rig: Rig, person: Person
) -> None:
    await person.log_in("S1", WRONG)
    await person.log_in("S1", WRONG)
    assert rig.events[-1] == ev.LoginRefused(
        person="S1",
        role=Role.SUPERVISOR,
        peer_uid=os.getuid(),
        reason=Reason.WRONG_PIN,
        failures=2,
    )


async def test_an_id_that_is_not_listed_is_kept_nowhere_since_it_may_be_a_pin(
    rig: Rig, person: Person
) -> None:
    await person.log_in("482913", "S1")
    (refused,) = rig.events
    assert isinstance(refused, ev.LoginRefused)
    assert (refused.person, refused.reason) == ("", Reason.UNKNOWN_PERSON)
    assert "482913" not in "\n".join([*rig.log.kept, repr(rig.engine.records)])


async def test_a_pin_is_in_no_record_no_answer_and_no_log(
    rig: Rig, person: Person
) -> None:
    heard = [
        await person.log_in("S1"),
        await person.log_in("S1", WRONG),
        await person.witness("S2"),
        await person.ask(login="S1", pin=int(WRONG)),
        await person.ask(command="dealer deal", pin=WRONG),
        await person.say(f"login S1 {WRONG}"),
        await person.ask(login="S1"),
        await person.ask(login="S1", pin=WRONG, witness="S2"),
    ]
    everything = "\n".join([json.dumps(heard), *map(repr, rig.engine.records)])
    everything += "\n".join(rig.log.kept)
    for pin in (WRONG, *PINS.values()):
        assert pin not in everything
    assert all("error" in answer for answer in heard[3:])


async def test_who_has_no_pin_yet_is_told_how_to_get_one(
    rig: Rig, person: Person
) -> None:
    list_people(rig.file, without_pin="S2")
    answer = await person.log_in("S2")
    assert answer["refused"] == "no_pin"
    assert answer["because"].startswith("tablectl people FILE set-pin S2")


async def test_a_logout_ends_it(rig: Rig, person: Person) -> None:
    await person.log_in("D1")
    assert (await person.ask(logout=True))["accepted"]
    assert (await person.say("dealer deal"))["refused"] == "login_required"
    assert (await person.ask(logout=True))["because"] == "nobody is logged in here"
    assert rig.events[-1] == ev.PersonLoggedOut(
        person="D1", role=Role.DEALER, peer_uid=os.getuid()
    )


async def test_whoever_leaves_is_logged_out(rig: Rig) -> None:
    person = await Person.logged_in(rig, "D1")
    await person.leave()
    await until(lambda: isinstance(rig.events[-1], ev.PersonLoggedOut))


async def test_a_login_takes_the_place_of_the_one_before(
    rig: Rig, person: Person
) -> None:
    await person.log_in("D1")
    await person.log_in("S1")
    await person.log_in("S1")
    assert [type(event).__name__ for event in rig.events] == [
        *("PersonLoggedIn", "PersonLoggedIn", "PersonLoggedOut", "PersonLoggedIn")
    ]
    assert await person.ask(who=True) == {
        "login_required": True,
        "person": "S1",
        "role": "supervisor",
    }


async def test_a_login_that_is_refused_leaves_who_was_there(person: Person) -> None:
    await person.log_in("D1")
    await person.log_in("S1", WRONG)
    assert (await person.ask(who=True))["person"] == "D1"


async def test_a_login_is_for_its_own_connection_alone(
    rig: Rig, person: Person
) -> None:
    other = await Person.logged_in(rig, "D1")
    assert await person.ask(who=True) == {"login_required": True}
    assert (await person.say("dealer deal"))["refused"] == "login_required"
    await other.leave()


# --- What counts ------------------------------------------------------------------


async def test_a_line_counts_in_the_name_of_who_is_logged_in(
    rig: Rig, person: Person
) -> None:
    await person.log_in("D1")
    assert (await person.say("dealer deal"))["accepted"]
    (pressed,) = [r for r in rig.engine.records if isinstance(r, cm.PressDealerButton)]
    assert pressed.entered_by == "D1"


async def test_a_supervisor_decides_in_their_own_name_alone(
    rig: Rig, person: Person
) -> None:
    await person.log_in("S1")
    assert (await person.say("dealer call"))["accepted"]
    other = await person.say("supervisor S2 resume")
    assert other["refused"] == "login_required"
    assert other["because"] == "S2 is not logged in here, S1 is"
    assert (await person.say("supervisor S1 resume"))["accepted"]
    refused, decided = rig.events[-2:]
    assert isinstance(refused, ev.CommandRefused)
    assert (refused.command, refused.person) == ("resume", "S1")
    assert isinstance(decided, ev.DecisionTaken)
    assert decided.person == "S1"


async def test_a_dealer_decides_in_nobodys_name(person: Person) -> None:
    await person.log_in("D1")
    await person.say("dealer call")
    as_other = await person.say("supervisor S1 resume")
    assert as_other["refused"] == "login_required"
    as_self = await person.say("supervisor D1 resume")
    assert as_self["refused"] == "supervisor_required"


@pytest.mark.parametrize("name", ["T1", "V1"])
async def test_technicians_and_surveillance_see_and_do_nothing(
    rig: Rig, person: Person, name: str
) -> None:
    await person.log_in(name)
    answer = await person.say("dealer deal")
    assert answer["refused"] == "role_not_allowed"
    assert "view" in await person.ask(subscribe=True)
    (refused,) = [r for r in rig.events if isinstance(r, ev.CommandRefused)]
    assert (refused.command, refused.person) == ("deal", name)


async def test_the_dealer_of_the_shift_decides_nothing_whatever_their_role(
    rig: Rig, person: Person
) -> None:
    listed = load(rig.file)
    save(rig.file, {**listed, "D1": listed["S1"]})
    assert (await person.log_in("D1", PINS["S1"]))["role"] == "supervisor"
    await person.say("dealer call")
    answer = await person.say("supervisor D1 resume")
    assert answer["refused"] == "supervisor_required"


async def test_without_a_login_the_table_is_seen_and_nothing_is_recorded(
    rig: Rig, person: Person
) -> None:
    assert "view" in await person.ask(subscribe=True)
    for words in ("dealer deal", "supervisor S1 resume"):
        answer = await person.say(words)
        assert answer == {"refused": "login_required", "because": "log in first"}
    assert (await person.ask(lift="S1"))["refused"] == "login_required"
    witness = await person.witness("S2")
    assert witness["refused"] == "login_required"
    assert rig.engine.records == []


async def test_a_role_that_is_taken_away_decides_nothing_any_more(
    rig: Rig, person: Person
) -> None:
    await person.log_in("S1")
    await person.say("dealer call")
    listed = load(rig.file)
    del listed["S1"]
    save(rig.file, listed)
    answer = await person.say("supervisor S1 resume")
    assert answer["refused"] == "login_required"
    assert await person.ask(who=True) == {"login_required": True}


async def test_a_list_that_cannot_be_read_leaves_the_last_one(
    rig: Rig, person: Person
) -> None:
    rig.file.write_text("[people")
    assert (await person.log_in("S1"))["accepted"]
    assert any("people file cannot be used" in line for line in rig.log.kept)


async def test_a_new_pin_counts_from_the_next_login_on(
    rig: Rig, person: Person
) -> None:
    listed = load(rig.file)
    new = kept(Pin(WRONG), CHEAP)
    save(rig.file, {**listed, "S3": type(listed["S1"])(Role.SUPERVISOR, pin=new)})
    assert (await person.log_in("S3", WRONG))["role"] == "supervisor"


async def test_a_supervisor_who_says_nothing_for_long_is_logged_out(
    rig: Rig, person: Person
) -> None:
    await person.log_in("S1")
    await person.say("dealer call")
    rig.clock.advance(LAPSES_AFTER_S)
    assert (await person.say("supervisor S1 resume"))["accepted"]
    rig.clock.advance(LAPSES_AFTER_S + 1)
    assert (await person.say("dealer deal"))["refused"] == "login_required"
    assert rig.events[-1] == ev.PersonLoggedOut(
        person="S1", role=Role.SUPERVISOR, peer_uid=os.getuid(), lapsed=True
    )


async def test_a_dealer_may_say_nothing_for_hours(rig: Rig, person: Person) -> None:
    await person.log_in("D1")
    rig.clock.advance(3 * 3600)
    assert (await person.say("dealer deal"))["accepted"]


# --- Witnesses --------------------------------------------------------------------

NEW_SHOE = "supervisor S1 new-shoe 6 witness=S2"


async def test_a_decision_that_needs_a_second_person_needs_their_pin(
    rig: Rig, person: Person
) -> None:
    await person.log_in("S1")
    alone = await person.say(NEW_SHOE)
    assert alone["refused"] == "witness_required"
    assert alone["because"] == "S2 has not given a PIN here as witness"
    assert (await person.witness("S2", WRONG))["refused"] == "login_refused"
    assert (await person.say(NEW_SHOE))["refused"] == "witness_required"
    assert (await person.witness("S2"))["role"] == "supervisor"
    assert (await person.say(NEW_SHOE))["accepted"]
    (came,) = [r for r in rig.events if isinstance(r, ev.PersonLoggedIn)][1:]
    assert (came.person, came.witness_to) == ("S2", "S1")
    decided = rig.events[-1]
    assert isinstance(decided, ev.DecisionTaken)
    assert (decided.person, decided.witness) == ("S1", "S2")


async def test_a_witness_witnesses_one_decision(person: Person) -> None:
    await person.log_in("S1")
    await person.witness("S2")
    refused = await person.say("supervisor S1 resume witness=S2")
    assert refused["refused"] == "decision_not_applicable"
    assert (await person.say(NEW_SHOE))["accepted"]
    assert (await person.say(NEW_SHOE))["refused"] == "witness_required"


async def test_a_witness_does_not_stay_for_long(rig: Rig, person: Person) -> None:
    await person.log_in("S1")
    await person.witness("S2")
    rig.clock.advance(WITNESS_VALID_S)
    assert (await person.say(NEW_SHOE))["refused"] == "witness_required"


async def test_a_witness_speaks_for_nobody(person: Person) -> None:
    await person.log_in("D1")
    await person.witness("S1")
    answer = await person.say("supervisor S1 new-shoe 6")
    assert answer["refused"] == "login_required"


@pytest.mark.parametrize("name", ["S1", "V1"])
async def test_neither_oneself_nor_surveillance_is_a_second_person(
    person: Person, name: str
) -> None:
    await person.log_in("S1")
    assert (await person.witness(name))["refused"] == "witness_required"


async def test_a_witness_goes_with_who_called_them(person: Person) -> None:
    await person.log_in("S1")
    await person.witness("S2")
    await person.ask(logout=True)
    await person.log_in("S1")
    assert (await person.say(NEW_SHOE))["refused"] == "witness_required"


# --- Guessing ---------------------------------------------------------------------


async def guesses(rig: Rig, name: str, times: int) -> dict[str, Any]:
    """Guess at a PIN, each time on a connection of its own; return the last answer."""
    answer: dict[str, Any] = {}
    for _ in range(times):
        person = await Person.of(rig.path)
        answer = await person.log_in(name, WRONG)
        await person.leave()
    return answer


async def test_after_a_few_failures_even_the_right_pin_waits(
    rig: Rig, person: Person
) -> None:
    await guesses(rig, "S1", FREE_FAILURES)
    answer = await person.log_in("S1")
    assert answer["refused"] == "login_delayed"
    assert answer["because"] == f"wait {FIRST_WAIT_S:g} s, or have it lifted"
    rig.clock.advance(FIRST_WAIT_S)
    assert (await person.log_in("S1"))["accepted"]
    assert rig.engine.state.login_failures == {}


async def test_nobody_else_waits_for_it(rig: Rig, person: Person) -> None:
    await guesses(rig, "S1", FREE_FAILURES)
    assert (await person.log_in("S2"))["accepted"]


async def test_those_who_are_not_listed_wait_together(rig: Rig) -> None:
    for name in ("S7", "S8", "S9"):
        assert (await guesses(rig, name, 1))["refused"] == "login_refused"
    assert (await guesses(rig, "X1", 1))["refused"] == "login_delayed"


async def test_the_wait_grows_with_each_failure(rig: Rig, person: Person) -> None:
    await guesses(rig, "S1", FREE_FAILURES)
    rig.clock.advance(FIRST_WAIT_S)
    await guesses(rig, "S1", 1)
    rig.clock.advance(FIRST_WAIT_S)
    assert (await person.log_in("S1"))["refused"] == "login_delayed"
    rig.clock.advance(FIRST_WAIT_S)
    assert (await person.log_in("S1"))["accepted"]


async def test_a_wait_is_recorded_once_however_often_somebody_tries(rig: Rig) -> None:
    await guesses(rig, "S1", FREE_FAILURES + 5)
    delayed = [
        event
        for event in rig.events
        if isinstance(event, ev.LoginRefused) and event.reason is Reason.LOGIN_DELAYED
    ]
    assert [event.failures for event in delayed] == [FREE_FAILURES]


@pytest.mark.parametrize("name", ["S2", "T1"])
async def test_a_supervisor_or_technician_lifts_it(
    rig: Rig, person: Person, name: str
) -> None:
    await guesses(rig, "S1", FREE_FAILURES)
    other = await Person.logged_in(rig, name)
    assert (await other.ask(lift="S1"))["accepted"]
    assert (await person.log_in("S1"))["accepted"]
    assert any(
        isinstance(event, ev.LoginDelayLifted) and event.lifted_by == name
        for event in rig.events
    )
    await other.leave()


@pytest.mark.parametrize("name", ["D1", "V1"])
async def test_nobody_else_lifts_it(rig: Rig, person: Person, name: str) -> None:
    await guesses(rig, "S1", FREE_FAILURES)
    await person.log_in(name)
    assert (await person.ask(lift="S1"))["refused"] == "supervisor_required"
    assert rig.engine.state.login_failures == {"S1": FREE_FAILURES}


async def test_only_who_is_listed_is_let_try_again(rig: Rig, person: Person) -> None:
    await person.log_in("S1")
    assert (await person.ask(lift=WRONG))["refused"] == "unknown_person"
    assert WRONG not in repr(rig.engine.records)


async def test_many_failures_end_the_connection(person: Person) -> None:
    for name in ("S1", "S1", "S2", "S2", "D1")[:FAILURES_MAX]:
        assert (await person.log_in(name, WRONG))["refused"] == "login_refused"
    assert await person.is_left_alone()


async def test_a_restart_gives_no_fresh_attempts(rig: Rig, tmp_path: Path) -> None:
    await guesses(rig, "S1", FREE_FAILURES)
    await rig.socket.close()
    again = Rig(tmp_path, rig.engine)
    async with await again.socket.open(again.path):
        person = await Person.of(again.path)
        assert (await person.log_in("S1"))["refused"] == "login_delayed"
        again.clock.advance(FIRST_WAIT_S)
        assert (await person.log_in("S1"))["accepted"]
        await person.leave()


async def test_of_many_guesses_at_once_none_slips_in_before_the_wait(
    rig: Rig,
) -> None:
    guessing = [await Person.of(rig.path) for _ in range(20)]
    answers = await asyncio.gather(*(one.log_in("S1", WRONG) for one in guessing))
    looked_at = [answer for answer in answers if answer["refused"] == "login_refused"]
    assert len(looked_at) == FREE_FAILURES
    for one in guessing:
        await one.leave()


async def test_a_login_counts_only_once_it_is_on_disk(rig: Rig, person: Person) -> None:
    rig.engine.commits.clear()
    person.send(json.dumps({"login": "S1", "pin": PINS["S1"]}).encode() + b"\n")
    await soon(rig.engine.asked.wait())
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(person.reader.readline(), 0.05)
    rig.engine.commits.set()
    assert (await person.hear())["accepted"]


# --- The loop ---------------------------------------------------------------------


async def test_while_a_pin_is_looked_at_the_loop_keeps_turning(tmp_path: Path) -> None:
    # What lights the lamps runs on this loop. The decoy costs what a PIN costs.
    engine = CoreEngine(state_after("bet 1 25"))
    people = people_of(Kind.LIVE, list_people(tmp_path / "people.toml"))
    say = logger_to(Lines(), json_lines(StandingClock()))
    logins = Logins(people, engine, say, StandingClock().now_s, DECOY)
    turns = 0
    attempt = asyncio.create_task(logins.attempt(Attempt("S9", Pin(WRONG), 1000)))
    while not attempt.done():
        await asyncio.sleep(0)
        turns += 1
    assert not attempt.result().accepted
    # Looked at on the loop, it would have turned a handful of times.
    assert turns > 100
    logins.close()


# --- Tables without a list --------------------------------------------------------


@pytest.mark.parametrize("kind", Kind)
async def test_without_a_list_nobody_logs_in_and_lines_say_who_speaks(
    tmp_path: Path, kind: Kind
) -> None:
    engine = CoreEngine(state_after("bet 1 25"))
    say = logger_to(Lines(), json_lines(StandingClock()))
    path = tmp_path / "control.sock"
    people: People = people_of(kind, None)
    control = ControlSocket(
        engine,
        speakers(people, engine, say),
        say,
        Counters(),
        NoDevices(engine),
        seats=7,
    )
    async with await control.open(path):
        person = await Person.of(path)
        assert await person.ask(who=True) == {"login_required": False}
        for asked in ({"login": "S1", "pin": WRONG}, {"logout": True}, {"lift": "S1"}):
            assert "no list of people" in (await person.ask(**asked))["error"]
        assert (await person.say("dealer call"))["accepted"]
        decided = await person.say("supervisor S1 resume")
        assert decided.get("refused") == (
            "unknown_person" if kind is Kind.LIVE else None
        )
        with contextlib.suppress(ConnectionError):
            await person.leave()
