"""Each defect that is planted in the host of a virtual table is found."""

from collections.abc import Iterable, Sequence
from random import Random

import pytest
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core.commands import Command
from controller.core.decide import presses
from controller.core.secrets import Secrets
from controller.journal.table_journal import Decided
from controller.runtime.desk import Desk, Input
from controller.runtime.planner import Plan
from drivers import events as de
from drivers.shoe import messages as sm
from simulators.rigs.virtual import testimony, watch
from simulators.rigs.virtual.host import Host
from simulators.rigs.virtual.keeping import Found, MemoryKeeper, Torn
from simulators.rigs.virtual.mishaps import (
    Mishap,
    any_press,
    card_unread,
    lid_opened,
    power_cut,
)
from simulators.rigs.virtual.scene import Scene
from simulators.rigs.virtual.setup import opening
from simulators.rigs.virtual.soak import VirtualSoak
from tests.rigs.virtual.soaks import COLORADO, plan_of, violations

PLAYS_FOR_S = 15.0


class AcknowledgesBeforeTheCommit(Host):
    """Thanks at once; what a power cut then takes is gone for ever."""

    def take_in(self, one: Input) -> None:
        if one.acknowledge is not None:
            one.acknowledge()
        super().take_in(one)


class ForgetsItsCursors(Host):
    """Starts its sessions as if it had never met its devices."""

    def open_desk(self, found: Found, now: float) -> Desk:
        state = found.state
        seats = tuple(replace(seat, boot_id=0) for seat in state.seats)
        shoe = replace(state.shoe, boot_id=0)
        forgotten = replace(state, seats=seats, shoe=shoe)
        return super().open_desk(replace(found, state=forgotten), now)


class IgnoresBootIds(Host):
    """Takes a number that it knows for a repetition, whatever the boot id."""

    def plan(self, batch: Iterable[Command], now: float) -> tuple[Plan, list[bytes]]:
        return super().plan([self._known(command) for command in batch], now)

    def _known(self, command: Command) -> Command:
        if not isinstance(command, cm.PressButton):
            return command
        boot_id = self.state.seats[command.seat - 1].boot_id
        return replace(command, boot_id=boot_id or command.boot_id)


class ShowsBeforeTheCommit(Host):
    """Lights the lamps of what is only being written."""

    def take_off(self, now: float) -> None:
        super().take_off(now)
        if self.flight is not None:
            self.desk.show(self.flight.planned.after.state)


class TakesAllTwice(Host):
    """Hands on each thing it hears twice."""

    def hear(self, event: de.DriverEvent, now: float) -> Iterable[Input]:
        for one in super().hear(event, now):
            yield from (one, one)


class MixesUpSeats(Host):
    """Takes the presses of seat 1 for those of seat 2."""

    def hear(self, event: de.DriverEvent, now: float) -> Iterable[Input]:
        for one in super().hear(event, now):
            command = one.command
            if isinstance(command, cm.PressButton) and command.seat == 1:
                yield Input(replace(command, seat=2), one.acknowledge)
            else:
                yield one


class LosesAmounts(Host):
    """Takes every wager for a plain press."""

    def hear(self, event: de.DriverEvent, now: float) -> Iterable[Input]:
        for one in super().hear(event, now):
            if isinstance(one.command, cm.PressButton):
                plain = replace(one.command, amount_cents=0, with_amount=False)
                yield Input(plain, one.acknowledge)
            else:
                yield one


class GuessesUnreadCards(Host):
    """Writes some card for one that was not read."""

    def hear(self, event: de.DriverEvent, now: float) -> Iterable[Input]:
        if isinstance(event, de.ShoeEventReceived):
            match event.event:
                case sm.CardUnread(number):
                    event = replace(event, event=sm.CardDrawn(number, "Th"))
                case _:
                    pass
        return super().hear(event, now)


class PassesOverTheLid(Host):
    """Acknowledges that the lid was opened, and writes nothing."""

    def hear(self, event: de.DriverEvent, now: float) -> Iterable[Input]:
        for one in super().hear(event, now):
            if isinstance(event, de.ShoeEventReceived) and isinstance(
                event.event, sm.LidOpened | sm.Jammed
            ):
                yield Input(None, one.acknowledge)
            else:
                yield one


class OpensTheGateTooFar(Host):
    """Lets one card more out than is due."""

    def take_off(self, now: float) -> None:
        super().take_off(now)
        shoe = self.state.shoe
        self.desk.shoe.open_gate(shoe.boot_id, shoe.last_card + 400)


class ForgetsItsSecrets(Host):
    """Starts without the escrow that is there."""

    def recover(self) -> Found:
        return replace(super().recover(), secrets=Secrets())


class NeverAcknowledges(Host):
    def take_in(self, one: Input) -> None:
        super().take_in(Input(one.command, None))


def panel_reboots(scene: Scene, rng: Random) -> None:
    """A panel loses its power for a moment."""
    scene.panel_of(rng.randint(1, 3)).reboot()


class Nuisance:
    """Lets one thing happen again and again."""

    def __init__(self, mishap: Mishap) -> None:
        self.wake_at: float | None = 1.0
        self._mishap = mishap
        self._rng = Random(1)

    def look_up(self, scene: Scene) -> None:
        del scene

    def act(self, scene: Scene) -> None:
        self._mishap(scene, self._rng)
        self.wake_at = scene.now + 0.3


def is_found(run: VirtualSoak, checker: str, mishap: Mishap = power_cut) -> bool:
    """Play until a checker finds something, or the table comes to rest without."""
    run.table.people.append(Nuisance(mishap))
    if run.table.run_until(lambda: checker in violations(run), PLAYS_FOR_S):
        return True
    run.come_to_rest()
    return checker in violations(run)


@pytest.mark.parametrize(
    ("defect", "mishap", "checker"),
    [
        (AcknowledgesBeforeTheCommit, power_cut, testimony.PRESSES_ONCE),
        (AcknowledgesBeforeTheCommit, power_cut, testimony.EVENTS_ONCE),
        (ForgetsItsCursors, power_cut, watch.NO_FAULT_OF_OURS),
        (IgnoresBootIds, panel_reboots, testimony.PRESSES_ONCE),
        (ShowsBeforeTheCommit, power_cut, testimony.SHOWN_IS_COMMITTED),
        (TakesAllTwice, lid_opened, testimony.EVENTS_ONCE),
        (MixesUpSeats, any_press, testimony.PRESSES_ONCE),
        (LosesAmounts, any_press, testimony.PRESSES_ONCE),
        (GuessesUnreadCards, card_unread, testimony.EVENTS_ONCE),
        (PassesOverTheLid, lid_opened, testimony.EVENTS_ONCE),
        (OpensTheGateTooFar, any_press, testimony.SHOWN_IS_COMMITTED),
        (ForgetsItsSecrets, power_cut, watch.STARTS_AS_IT_WAS),
        (NeverAcknowledges, any_press, "some_step_leads_on"),
    ],
)
def test_a_defect_of_the_host_is_found(
    defect: type[Host], mishap: Mishap, checker: str
) -> None:
    run = VirtualSoak(plan_of(1, seats=3), host_type=defect, checkers=())
    assert is_found(run, checker, mishap), violations(run)


@pytest.mark.parametrize(
    "mishap", [power_cut, panel_reboots, lid_opened, any_press, card_unread]
)
def test_in_the_honest_host_nothing_is_found(mishap: Mishap) -> None:
    run = VirtualSoak(plan_of(1, seats=3), checkers=())
    run.table.people.append(Nuisance(mishap))
    run.table.run_until(lambda: bool(violations(run)), PLAYS_FOR_S)
    run.come_to_rest()
    assert violations(run) == set()


def test_a_press_that_answers_another_prompt_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def anything_goes(_state: object, _command: object) -> None:
        """Look at no prompt."""

    monkeypatch.setattr(presses, "_prompt_reason", anything_goes)
    run = VirtualSoak(plan_of(3, seats=3), checkers=())
    assert is_found(run, testimony.PROMPTS_FIT, any_press)


class ForgetsTheLastBatch(MemoryKeeper):
    """Says that a batch is on disk and has it in its cache alone."""

    def __init__(self) -> None:
        super().__init__(opening(COLORADO))
        self._cached: tuple[Decided, ...] = ()

    def write(self, batch: Sequence[Decided]) -> None:
        super().write(self._cached)
        self._cached = tuple(batch)

    def cut_off(self, batch: Sequence[Decided], torn: Torn) -> None:
        self._cached = ()
        super().cut_off(batch, torn)


def test_a_journal_that_is_not_durable_is_found() -> None:
    run = VirtualSoak(plan_of(1, seats=3), keeper=ForgetsTheLastBatch(), checkers=())
    assert is_found(run, watch.STARTS_AS_IT_WAS)
