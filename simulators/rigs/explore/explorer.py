"""Explores everything that can happen at a small table, and checks every step.

Undisturbed play is followed to the end of the round, with every press and card.
Wherever it comes, each irregularity is let happen, and from then on every command
whatever for so many steps. Each step is seen by every checker; each table must have a
way on, and a way back to BETTING with the money right.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from msgspec.structs import replace

from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.commands import Command, TakeDecision
from controller.core.decide import Decision, decide
from controller.core.evolve import evolve
from controller.core.guidance import offered
from controller.core.ids import Kind, Phase
from controller.core.outputs import outputs
from controller.core.secrets import Secrets
from controller.core.state import TableState, new_table
from simulators.rigs.checkers.all import all_checkers
from simulators.rigs.checkers.checker import Inspection, Step
from simulators.rigs.checkers.way_out import leads_on
from simulators.rigs.explore.canonical import canonical, key_of
from simulators.rigs.explore.moves import mishaps, plain_moves, ways_out, wrong_moves
from simulators.rigs.explore.nodes import (
    UNDISTURBED,
    Bounds,
    Explored,
    Finding,
    Node,
)
from simulators.rigs.explore.sealing import sealed_by_number
from simulators.rigs.explore.toy import Toy
from simulators.rigs.explore.twin import twin
from simulators.rigs.explore.way_home import STEPS_MAX, home_steps, is_home

Decide = Callable[[TableState, Secrets, Command], Decision]

_REFUSALS: Final = (ev.PressRefused, ev.CommandRefused)
_FINDINGS_MAX: Final = 5


class Explorer:
    """One exploration, depth first. `decide_with` differs where a defect is planted."""

    def __init__(self, toy: Toy, bounds: Bounds, decide_with: Decide = decide) -> None:
        self.explored = Explored()
        self._toy, self._bounds, self._decide = toy, bounds, decide_with
        self._gone_from: dict[bytes, list[Bounds]] = {}
        self._leads_home: set[bytes] = set()

    def run(self) -> Explored:
        """Explore from the closed table on, until all is seen or enough is wrong."""
        todo = [self._root()]
        while todo and len(self.explored.findings) < _FINDINGS_MAX:
            node = todo.pop()
            if self._is_new(node):
                todo += self._go_on(node)
        return self.explored

    def _root(self) -> Node:
        rules, seats = self._toy.rules(), self._toy.seats
        opened = new_table("toy", seats, rules)
        record = ev.JournalOpened(
            kind="simulation", table="toy", seats=seats, rules=rules
        )
        inspection = Inspection(opened, all_checkers(opened))
        state = evolve(opened, record)
        left = Bounds(self._bounds.mishaps, UNDISTURBED)
        return Node(state, Secrets(), inspection, left)

    def _is_new(self, node: Node) -> bool:
        """Return whether to go on here: no way here went as far before."""
        key = key_of(node.state, node.secrets)
        gone = self._gone_from.get(key)
        if gone is None:
            self._gone_from[key] = [node.left]
            self._count(node)
            self._find_way_home(node, key)
            return True
        if any(before.covers(node.left) for before in gone):
            return False
        gone.append(node.left)
        return True

    def _count(self, node: Node) -> None:
        state, explored = node.state, self.explored
        phase = state.play_phase.value
        explored.tables[f"{phase}, suspended" if state.suspended else phase] += 1
        explored.longest = max(explored.longest, len(node.trail))

    # --- One table, and all that can happen there -----------------------------------

    def _go_on(self, node: Node) -> list[Node]:
        if node.left.steps == 0 or self._round_is_over(node):
            self._at_the_edge(node)
            return []
        self._refuse_all_wrong(node)
        found = self._apply(node, self._asked_for(node), self._after_step(node))
        if node.state.suspended:
            self._hold_offers(node, found)
        here = key_of(node.state, node.secrets)
        if all(key_of(after.state, after.secrets) == here for after in found):
            self._blame(node, "nothing that anybody can do leads on")
        if node.left.mishaps:
            found += self._apply(node, self._mishaps(node), self._after_mishap(node))
        return found

    def _round_is_over(self, node: Node) -> bool:
        return node.state.round > 1 and node.state.phase is Phase.BETTING

    def _asked_for(self, node: Node) -> Iterator[Command]:
        yield from plain_moves(self._toy, node.state, node.secrets)
        if node.left.steps != UNDISTURBED:
            yield from ways_out(self._toy, node.state, node.secrets)

    def _mishaps(self, node: Node) -> Iterator[Command]:
        return mishaps(self._toy, node.state, node.secrets)

    def _after_step(self, node: Node) -> Bounds:
        left = node.left
        if left.steps == UNDISTURBED:
            return left
        return Bounds(left.mishaps, left.steps - 1)

    def _after_mishap(self, node: Node) -> Bounds:
        steps = min(node.left.steps - 1, self._bounds.steps)
        return Bounds(node.left.mishaps - 1, steps)

    def _apply(
        self, node: Node, commands: Iterable[Command], left: Bounds
    ) -> list[Node]:
        found = []
        for command in commands:
            after = self._step(node, command)
            if after is not None:
                found.append(replace(after, left=self._bounded(after, left)))
        return found

    def _bounded(self, after: Node, left: Bounds) -> Bounds:
        """Return how far to go; an empty shoe stops a table though nothing is wrong."""
        if after.state.suspended and left.steps == UNDISTURBED:
            return Bounds(left.mishaps, self._bounds.steps)
        return left

    def _step(self, node: Node, command: Command) -> Node | None:
        """Return where a command leads; None where it is refused or says nothing."""
        given = sealed_by_number(node.state, command)
        decided = self._decide(node.state, node.secrets, given)
        if not decided.records:
            return None
        if isinstance(decided.records[-1], _REFUSALS):
            self.explored.refusals += 1
            self._hold_unchanged(node, given, decided)
            return None
        self.explored.steps += 1
        self._note_cells(node.state, decided)
        inspection = twin(node.inspection)
        number = len(node.trail) + 1
        inspection.see(
            Step(
                number,
                given,
                decided.records,
                node.state,
                decided.state,
                outputs(decided.state),
            )
        )
        after = Node(
            decided.state,
            decided.secrets,
            inspection,
            node.left,
            (*node.trail, given),
        )
        for violation in inspection.violations:
            self._blame(after, f"{violation.checker}: {violation.words}")
        return after

    def _note_cells(self, before: TableState, decided: Decision) -> None:
        listed = (*before.irregularities, *decided.state.irregularities)
        if any(found.kind is Kind.INTERNAL_FAULT for found in listed):
            return
        cells = self.explored.cells
        for record in decided.records:
            if isinstance(record, ev.IrregularityFound):
                cells.add((record.kind.value, decided.state.play_phase))
            elif isinstance(record, ev.DecisionTaken):
                cells.add((record.command, before.play_phase))

    # --- What must hold ---------------------------------------------------------------

    def _hold_unchanged(self, node: Node, given: Command, decided: Decision) -> None:
        same = canonical(decided.state) == canonical(node.state)
        if not same or decided.secrets != node.secrets:
            self._blame(node, f"{given} was refused and changed the table")

    def _refuse_all_wrong(self, node: Node) -> None:
        for command in wrong_moves(node.state):
            decided = self._decide(node.state, node.secrets, command)
            if decided.records and not isinstance(decided.records[-1], _REFUSALS):
                self._blame(node, f"{command} was not refused")
            self.explored.refusals += 1
            self._hold_unchanged(node, command, decided)

    def _hold_offers(self, node: Node, found: Iterable[Node]) -> None:
        """Hold what the console offers against what was accepted.

        What is still to be typed, a card, is left out: some are accepted, some not.
        """
        last = [after.trail[-1] for after in found]
        accepted = {
            command.decision
            for command in last
            if isinstance(command, TakeDecision) and not _is_typed(command.decision)
        }
        offers = {
            offer.decision
            for offer in offered(node.state)
            if not _is_typed(offer.decision)
        }
        for decision in accepted ^ offers:
            how = "offered and refused" if decision in offers else "not offered"
            self._blame(node, f"{decision} is {how}")

    def _at_the_edge(self, node: Node) -> None:
        if not leads_on(self._decide, node.state, node.secrets):
            self._blame(node, "no step leads on")

    def _find_way_home(self, node: Node, key: bytes) -> None:
        """Bring the table back to BETTING, watched by every checker all the way."""
        passed = [key]
        for _ in range(STEPS_MAX):
            if is_home(node.state) or passed[-1] in self._leads_home:
                self._leads_home.update(passed)
                return
            after = self._nearer_home(node)
            if after is None:
                break
            node = after
            passed.append(key_of(node.state, node.secrets))
        self._blame(node, "no way leads back to BETTING")

    def _nearer_home(self, node: Node) -> Node | None:
        for command in home_steps(node.state):
            after = self._step(node, command)
            if after is not None:
                return after
        return None

    def _blame(self, node: Node, words: str) -> None:
        self.explored.findings.append(Finding(words, node.trail))


def _is_typed(decision: dc.Decision) -> bool:
    return isinstance(decision, dc.KeyCard | dc.CorrectCard | dc.SetRules)
