"""The devices' own testimony, held against the journal while the table plays.

What a panel or the shoe was told is taken must be on disk; what is on disk must be
what a person did there, once, and for the prompt that was lit. Memory stays small:
the devices' lists are read and emptied.
"""

from collections import deque
from collections.abc import Mapping
from typing import Final, Protocol

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.cards import UNKNOWN
from controller.core.ids import DEALER_SEAT, DealerButton
from controller.core.outputs import gate_up_to
from controller.core.state import TableState
from drivers.panel.messages import Button
from drivers.shoe.messages import CardDrawn, CardReturned, CardUnread, EventReport
from simulators.devices.panel import PanelSimulator
from simulators.devices.presses import MadePress
from simulators.devices.shoe import ShoeSimulator
from simulators.rigs.checkers.checker import Step
from simulators.rigs.virtual.line_shoe import LineShoeAtTable
from simulators.rigs.virtual.line_shoe_witness import LineShoeWitness
from simulators.rigs.virtual.module import ModuleAtTable
from simulators.rigs.virtual.module_witness import ModuleWitness
from simulators.rigs.virtual.testimony import (
    EVENTS_ONCE,
    PRESSES_ONCE,
    PROMPTS_FIT,
    PROMPTS_KEPT,
    SHOWN_IS_COMMITTED,
    Blame,
    PressCommand,
    ShoeCommand,
)

_LOST_KEPT: Final = 64


class Devices(Protocol):
    """The devices of a table, whatever they hang on."""

    @property
    def shoe(self) -> ShoeSimulator | LineShoeAtTable:
        """The shoe."""

    @property
    def any_panels(self) -> Mapping[int, PanelSimulator | ModuleAtTable]:
        """The panels of whatever kind, by address."""


class PanelWitness:
    """One panel's side of the story."""

    def __init__(self, panel: PanelSimulator, blame: Blame) -> None:
        self.panel = panel
        self._blame = blame
        self._taken: dict[tuple[int, int], PressCommand] = {}
        self._highest: dict[int, int] = {}
        self._known: dict[tuple[int, int], MadePress] = {}
        self._lost: deque[tuple[int, int]] = deque()

    def recorded(self, command: PressCommand, answered: int | None) -> None:
        """Hold a press on disk against the one that was made.

        `answered` is the prompt that stood when it was accepted, None if it was not.
        """
        key = (command.boot_id, command.number)
        if command.number <= self._highest.get(command.boot_id, 0):
            self._blame(PRESSES_ONCE, f"press {key} of {self._name} is taken twice")
        self._highest[command.boot_id] = command.number
        self._taken[key] = command
        made = self._made(key)
        if made is None:
            self._blame(PRESSES_ONCE, f"press {key} of {self._name} was never made")
        elif _told(command) != _said(made):
            self._blame(
                PRESSES_ONCE,
                f"press {key} of {self._name} was {_said(made)}, "
                f"is recorded as {_told(command)}",
            )
        if made and answered is not None and answered != made.press.prompt_number:
            self._blame(
                PROMPTS_FIT,
                f"press {key} of {self._name} saw prompt {made.press.prompt_number}, "
                f"answered {answered}",
            )

    def hear_out(self) -> None:
        """Read what the panel says was acknowledged or lost, and forget it."""
        memory = self.panel.memory
        for made in memory.acknowledged:
            key = (made.boot_id, made.press.number)
            if self._taken.pop(key, None) is None:
                self._blame(
                    PRESSES_ONCE,
                    f"press {key} of {self._name} was acknowledged and is not on disk",
                )
            self._known.pop(key, None)
        memory.acknowledged.clear()
        for made in memory.lost:
            # Its record may be on the way: the host had it, the panel forgot it.
            key = (made.boot_id, made.press.number)
            self._known[key] = made
            self._lost.append(key)
        memory.lost.clear()
        while len(self._lost) > _LOST_KEPT:
            old = self._lost.popleft()
            self._known.pop(old, None)
            self._taken.pop(old, None)

    @property
    def _name(self) -> str:
        return f"panel {self.panel.address}"

    def _made(self, key: tuple[int, int]) -> MadePress | None:
        memory = self.panel.memory
        for made in (*memory.waiting, *memory.lost, *memory.acknowledged):
            if (made.boot_id, made.press.number) == key:
                return made
        return self._known.get(key)


def _told(command: PressCommand) -> tuple[object, ...]:
    if isinstance(command, cm.PressDealerButton):
        return command.button.value, command.prompt, 0, 0
    return command.button.value, command.prompt, command.amount_cents, command.spot


def _said(made: MadePress) -> tuple[object, ...]:
    press = made.press
    for_dealer = press.button.value in {button.value for button in DealerButton}
    extra = (0, 0) if for_dealer else (press.amount_cents, press.spot)
    return press.button.value, press.prompt_number, *extra


def _witness_of(
    panel: PanelSimulator | ModuleAtTable, blame: Blame
) -> PanelWitness | ModuleWitness:
    if isinstance(panel, ModuleAtTable):
        return ModuleWitness(panel, blame)
    return PanelWitness(panel, blame)


class ShoeWitness:
    """The shoe's side of the story."""

    def __init__(self, shoe: ShoeSimulator, blame: Blame) -> None:
        self._shoe = shoe
        self._memory = shoe.memory
        self._blame = blame
        self._gate: dict[int, int] = {}
        self._happened: dict[tuple[int, int], EventReport] = {}
        self._lost: set[tuple[int, int]] = set()
        self._highest: dict[int, int] = {}
        self._taken: set[tuple[int, int]] = set()

    def recorded(self, command: ShoeCommand, _after: TableState) -> None:
        """Hold something of the shoe on disk against what happened there."""
        cursor = command.cursor
        if cursor is None:
            return
        self._read_happened()
        key = (cursor.boot_id, cursor.number)
        last = self._highest.get(cursor.boot_id, 0)
        if isinstance(command, cm.ReportGap):
            self._recorded_gap(cursor, last)
        else:
            if cursor.number <= last:
                self._blame(EVENTS_ONCE, f"shoe event {key} is taken twice")
            self._taken.add(key)
            report = self._happened.get(key)
            if report is None or not _fits(command, report):
                self._blame(EVENTS_ONCE, f"shoe event {key} was {report}: {command}")
        self._highest[cursor.boot_id] = max(last, cursor.number)

    def committed(self, state: TableState) -> None:
        """Note how far the gate may be open."""
        up_to = gate_up_to(state)
        if up_to:
            boot_id = state.shoe.boot_id
            highest = max(self._gate.get(boot_id, 0), up_to - state.shoe.card_offset)
            self._gate[boot_id] = highest

    def look(self, _now: float) -> None:
        """Look at the gate, and at what the shoe says it was told."""
        self._hear_out()
        shoe = self._shoe
        if shoe.gate_up_to > self._gate.get(shoe.memory.boot_id, 0):
            self._blame(SHOWN_IS_COMMITTED, f"the gate is open to {shoe.gate_up_to}")

    def _hear_out(self) -> None:
        """Read what the shoe says was acknowledged or forgotten, and forget it."""
        memory = self._memory
        if not memory.acknowledged and not memory.lost:
            return
        self._read_happened()
        for report in memory.acknowledged:
            key = (report.boot_id, report.number)
            if key not in self._taken:
                self._blame(
                    EVENTS_ONCE, f"shoe event {key} was acknowledged, not taken"
                )
            self._taken.discard(key)
            self._happened.pop(key, None)
        memory.acknowledged.clear()
        self._lost |= {(report.boot_id, report.number) for report in memory.lost}
        memory.lost.clear()

    def adopted(self, boot_id: int, number: int) -> None:
        """Note that a record begins with a boot id after a number."""
        self._highest[boot_id] = max(self._highest.get(boot_id, 0), number)

    def _recorded_gap(self, cursor: cm.Cursor, last: int) -> None:
        """Only what the shoe cannot give any more may be declared missing."""
        for number in range(last + 1, cursor.number + 1):
            key = (cursor.boot_id, number)
            self._taken.add(key)
            if key not in self._lost and key in self._happened:
                self._blame(EVENTS_ONCE, f"shoe event {key} is declared missing")

    def _read_happened(self) -> None:
        for report in self._memory.happened:
            self._happened[report.boot_id, report.number] = report
        self._memory.happened.clear()
        self._lost |= {(r.boot_id, r.number) for r in self._memory.lost}


def _fits(command: ShoeCommand, report: EventReport) -> bool:
    """Return whether a record says what happened; a face may be hidden."""
    match report.event:
        case CardDrawn(_, card):
            return (
                isinstance(command, cm.ReportCard)
                and not command.unread
                and command.card in {card, UNKNOWN}
            )
        case CardUnread():
            return isinstance(command, cm.ReportCard) and command.unread
        case CardReturned(card):
            return isinstance(command, cm.ReportReturn) and command.card == card
        case _:
            return isinstance(command, cm.ReportShoe)


class Witness:
    """All devices' testimony about one table; `panels` by seat, the dealer's first."""

    def __init__(self, devices: Devices, seats: tuple[int, ...], blame: Blame) -> None:
        """Listen to all; `seats` are the panels' addresses, the dealer's first."""
        self._blame = blame
        self.panels = [_witness_of(devices.any_panels[a], blame) for a in seats]
        self._shoe = _shoe_witness_of(devices.shoe, blame)
        self._lamps: dict[int, set[tuple[int, frozenset[str]]]] = {}
        self._seen: dict[int, tuple[int, frozenset[Button]]] = {}

    def see(self, step: Step, now: float) -> None:
        """Take a step that is on disk since now."""
        for record in step.records:
            if isinstance(record, ev.ShoeAdopted):
                self._shoe.adopted(record.boot_id, record.event_number)
        first = step.records[0]
        if isinstance(first, PressCommand) and first.number:
            seat = getattr(first, "seat", DEALER_SEAT)
            self.panels[seat].recorded(first, _answered(step, seat))
        elif isinstance(first, ShoeCommand):
            self._shoe.recorded(first, step.state)
        self._commit(step.state, now)

    def look(self, now: float) -> None:
        """Look at what the devices show and say they were told."""
        for seat, one in enumerate(self.panels):
            if isinstance(one, ModuleWitness):
                one.hear_out(now)
            else:
                one.hear_out()
                self._look_at_lamps(seat, one.panel)
        self._shoe.look(now)

    def _look_at_lamps(self, seat: int, panel: PanelSimulator) -> None:
        seen = (panel.prompt_number, panel.lamps)
        if self._seen.get(seat) == seen or not panel.lamps:
            return
        self._seen[seat] = seen
        lit = frozenset(button.value for button in panel.lamps)
        if (panel.prompt_number, lit) not in self._lamps.get(seat, ()):
            self._blame(
                SHOWN_IS_COMMITTED,
                f"panel {panel.address} shows {sorted(lit)} for {panel.prompt_number}",
            )

    def _commit(self, state: TableState, now: float) -> None:
        for prompt in state.prompts:
            witness = self.panels[prompt.seat]
            if isinstance(witness, ModuleWitness):
                witness.committed(prompt, now)
                continue
            known = self._lamps.setdefault(prompt.seat, set())
            entry = (prompt.number, frozenset(prompt.buttons))
            if entry not in known:
                known |= {entry}
                self._lamps[prompt.seat] = {
                    one for one in known if one[0] >= prompt.number - PROMPTS_KEPT
                }
        self._shoe.committed(state)


def _shoe_witness_of(
    shoe: ShoeSimulator | LineShoeAtTable, blame: Blame
) -> ShoeWitness | LineShoeWitness:
    if isinstance(shoe, LineShoeAtTable):
        return LineShoeWitness(shoe, blame)
    return ShoeWitness(shoe, blame)


def _answered(step: Step, seat: int) -> int | None:
    """Return which prompt a press answered; a call needs none, a refusal is none."""
    if getattr(step.records[0], "button", None) is DealerButton.CALL:
        return None
    refusals = ev.PressRefused | ev.CommandRefused
    if any(isinstance(record, refusals) for record in step.records):
        return None
    return step.before.prompts[seat].number
