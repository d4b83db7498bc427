"""Buttons and lamps tried by hand over the control socket of a table that runs."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from controller.core import events as ev
from controller.core.ids import EndOfTestMode, Phase
from controller.runtime import by_hand
from controller.runtime.control_socket import ControlSocket
from controller.runtime.health import Counters
from controller.runtime.logs import json_lines, logger_to
from controller.runtime.people import People, load, people_of
from controller.runtime.seen import ButtonSeen
from drivers.panel.messages import Button
from hw_config.schema import Kind
from tests.runtime.callers import Caller, until
from tests.runtime.clocks import StandingClock
from tests.runtime.engines import CoreEngine
from tests.runtime.lineups import PINS, list_people, speakers
from tests.runtime.sinks import Lines
from tests.runtime.tables import state_after
from tests.runtime.technicians import NO_ANSWER, NoDevices

DOWN = ButtonSeen(2, "hit", down=True)
SHOWN: dict[str, object] = {
    "seen": {"type": "button", "seat": 2, "button": "hit", "down": True}
}


class Rig:
    """An open control socket at a closed table, and what is lit there by hand."""

    def __init__(
        self, folder: Path, people: People, steps: str = "shift close"
    ) -> None:
        self.path = folder / "control.sock"
        self.engine = CoreEngine(state_after(steps))
        self.technician = NoDevices(self.engine)
        say = logger_to(Lines(), json_lines(StandingClock()))
        self.socket = ControlSocket(
            self.engine,
            speakers(people, self.engine, say),
            say,
            Counters(),
            self.technician,
            seats=7,
        )

    @property
    def is_tried(self) -> bool:
        return self.engine.state.test_mode is not None

    def ended(self) -> list[EndOfTestMode]:
        ends = (one for one in self.engine.records if isinstance(one, ev.TestModeEnded))
        return [one.why for one in ends]


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    rig = Rig(tmp_path, people_of(Kind.SIMULATION, None))
    async with await rig.socket.open(rig.path):
        yield rig


@pytest.fixture
async def caller(rig: Rig) -> AsyncIterator[Caller]:
    caller = await Caller.of(rig.path)
    yield caller
    await caller.leave()


@pytest.fixture
async def tester(caller: Caller) -> Caller:
    """Return a program that has begun to try buttons, as T1."""
    begun = await caller.ask(test_mode="begin", person="T1")
    assert begun["accepted"]
    return caller


# --- Lamps and buttons ------------------------------------------------------------


async def test_lamps_are_lit_panel_by_panel(rig: Rig, tester: Caller) -> None:
    lit = await tester.ask(id=1, light={"seat": 2, "buttons": ["hit", "stand"]})
    assert lit == {"id": 1, "accepted": True, "sequence": None}
    await tester.ask(light={"seat": 0, "buttons": ["deal"]})
    await tester.ask(light={"seat": 2, "buttons": ["stand"]})
    assert rig.technician.lit == {2: {Button.STAND}, 0: {Button.DEAL}}


@pytest.mark.parametrize(
    ("light", "error"),
    [
        ({"seat": 8, "buttons": []}, "expected a seat up to 7, or 0: the dealer's "),
        ({"seat": -1, "buttons": []}, "expected a seat up to 7, or 0: the dealer's "),
        ({"seat": 1, "buttons": ["deal"]}, "expected buttons of this panel: bet clea"),
        ({"seat": 0, "buttons": ["hit"]}, "expected buttons of this panel: deal next"),
        ({"seat": 1, "buttons": ["horn"]}, "expected a JSON object such as"),
    ],
    ids=str,
)
async def test_lamps_that_there_are_not_are_not_lit(
    rig: Rig, tester: Caller, light: dict[str, object], error: str
) -> None:
    answer = await tester.ask(light=light)
    assert answer["error"].startswith(error)
    assert rig.technician.lit == {}


async def test_what_is_held_and_what_is_pressed_is_shown(
    rig: Rig, caller: Caller
) -> None:
    rig.technician.held.append(DOWN)
    assert await caller.ask(test_mode="begin", person="T1") == SHOWN
    assert (await caller.hear())["accepted"]
    rig.technician.by_hand.see(ButtonSeen(2, "hit", down=False))
    assert (await caller.hear())["seen"]["down"] is False


async def test_nothing_is_shown_to_who_tries_nothing(rig: Rig, caller: Caller) -> None:
    rig.technician.by_hand.see(DOWN)
    assert "devices" in await caller.ask(devices=True)


async def test_who_answers_at_the_ports_is_told_to_anybody(caller: Caller) -> None:
    answer = await caller.ask(id="a", devices=True)
    assert answer["id"] == "a"
    assert [one["name"] for one in answer["devices"]] == [NO_ANSWER.name]


# --- Whose it is ------------------------------------------------------------------


async def test_only_the_connection_that_began_it_lights_lamps(
    rig: Rig, tester: Caller
) -> None:
    assert rig.is_tried
    other = await Caller.of(rig.path)
    for asked in ({"light": {"seat": 2, "buttons": ["hit"]}}, {"test_mode": "alive"}):
        assert (await other.ask(**asked))["refused"] == "no_test_mode"
    begun = await other.ask(test_mode="begin", person="S1")
    assert (begun["refused"], begun["because"]) == ("test_mode", "T1 is at it already")
    await other.leave()
    assert (await tester.ask(test_mode="alive"))["accepted"]
    assert rig.ended() == []


async def test_a_supervisor_ends_it_from_anywhere(rig: Rig, tester: Caller) -> None:
    other = await Caller.of(rig.path)
    refused = await other.ask(test_mode="end", person="D1")
    assert refused["refused"] == "supervisor_required"
    assert (await other.ask(test_mode="end", person="S1"))["accepted"]
    assert await tester.hear() == {"test_mode_ended": "asked"}
    lit = await tester.ask(light={"seat": 2, "buttons": ["hit"]})
    assert lit["refused"] == "no_test_mode"
    assert (await tester.ask(test_mode="begin", person="T1"))["accepted"]
    await other.leave()


async def test_what_is_refused_begins_nothing(caller: Caller) -> None:
    refused = await caller.ask(test_mode="begin", person="D1")
    assert refused["refused"] == "supervisor_required"
    lit = await caller.ask(light={"seat": 2, "buttons": ["hit"]})
    assert lit["refused"] == "no_test_mode"
    assert (await caller.ask(test_mode="begin", person="T1"))["accepted"]


@pytest.mark.parametrize(
    "line", [b'{"test_mode": "look"}', b'{"who": true, "person": "T1"}']
)
async def test_a_step_that_is_none_is_no_line(caller: Caller, line: bytes) -> None:
    caller.send(line + b"\n")
    assert (await caller.hear())["error"].startswith("expected")


# --- How it ends ------------------------------------------------------------------


async def test_it_ends_with_its_connection(rig: Rig, tester: Caller) -> None:
    await tester.leave()
    await until(lambda: not rig.is_tried)
    assert rig.ended() == [EndOfTestMode.CLIENT_LEFT]


async def test_it_ends_where_a_program_says_nothing(
    rig: Rig, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_hand, "SILENT_AFTER_S", 0.05)
    assert (await caller.ask(test_mode="begin", person="T1"))["accepted"]
    assert await caller.hear() == {"test_mode_ended": "silent"}
    assert rig.ended() == [EndOfTestMode.SILENT]


async def test_it_ends_where_nobody_types_or_presses(
    rig: Rig, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_hand, "IDLE_AFTER_S", 0.1)
    assert (await caller.ask(test_mode="begin", person="T1"))["accepted"]
    heard: dict[str, object] = {"accepted": True}
    while "accepted" in heard:
        heard = await caller.ask(test_mode="alive")
    assert heard == {"test_mode_ended": "silent"}
    assert rig.ended() == [EndOfTestMode.SILENT]


async def test_it_ends_after_an_hour_even_where_a_button_chatters(
    rig: Rig, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_hand, "LASTS_AT_MOST_S", 0.1)
    assert (await caller.ask(test_mode="begin", person="T1"))["accepted"]
    heard: dict[str, object] = SHOWN
    while heard == SHOWN:
        rig.technician.by_hand.see(DOWN)
        heard = await caller.hear()
    assert heard == {"test_mode_ended": "silent"}


async def test_a_table_that_is_busy_is_asked_again_to_end_it(
    rig: Rig, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(by_hand, "SILENT_AFTER_S", 0.05)
    monkeypatch.setattr(by_hand, "ASK_AGAIN_AFTER_S", 0.01)
    assert (await caller.ask(test_mode="begin", person="T1"))["accepted"]
    rig.engine.busy_times = 2
    assert await caller.hear() == {"test_mode_ended": "silent"}
    assert rig.engine.busy_times == 0


@pytest.mark.usefixtures("tester")
async def test_a_program_that_does_not_read_is_dropped_and_ends_it(rig: Rig) -> None:
    assert rig.is_tried
    for _ in range(20_000):
        rig.technician.by_hand.see(DOWN)
    await until(lambda: not rig.is_tried)
    assert rig.ended() == [EndOfTestMode.CLIENT_LEFT]


async def test_a_call_of_the_dealer_at_a_console_ends_it(tmp_path: Path) -> None:
    rig = Rig(tmp_path, people_of(Kind.SIMULATION, None), steps="")
    async with await rig.socket.open(rig.path):
        caller = await Caller.of(rig.path)
        assert (await caller.ask(test_mode="begin", person="S1"))["accepted"]
        assert await caller.ask(command="dealer call") == {
            "test_mode_ended": "irregularity"
        }
        assert rig.engine.state.phase is Phase.SUSPENDED
        await caller.leave()


# --- Who logs in ------------------------------------------------------------------


async def test_where_people_log_in_it_is_begun_in_their_own_name(
    tmp_path: Path,
) -> None:
    file = list_people(tmp_path / "people.toml")
    rig = Rig(tmp_path, People(load(file), {}, file))
    async with await rig.socket.open(rig.path):
        caller = await Caller.of(rig.path)
        assert (await caller.ask(test_mode="begin"))["refused"] == "login_required"
        assert (await caller.ask(login="T1", pin=PINS["T1"]))["accepted"]
        other = await caller.ask(test_mode="begin", person="S1")
        assert other["because"] == "S1 is not logged in here, T1 is"
        assert (await caller.ask(test_mode="begin"))["accepted"]
        assert rig.engine.state.test_mode is not None
        assert rig.engine.state.test_mode.person == "T1"
        await caller.leave()
        await until(lambda: not rig.is_tried)
