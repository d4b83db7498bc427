"""The pit supervisor: has the hardware mended, then decides until the table goes on."""

from collections.abc import Iterator
from random import Random
from typing import Final

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core.commands import Person
from controller.core.decide.verdicts import key_target
from controller.core.decisions import Decision
from controller.core.ids import Kind, Role
from drivers.shoe.messages import ShoeFlag
from simulators.rigs.robots.sight import sight_of
from simulators.rigs.robots.supervisor import decisions
from simulators.rigs.virtual.dealer import DealerAtTable
from simulators.rigs.virtual.line_shoe import LineShoeAtTable
from simulators.rigs.virtual.scene import Scene, Ticket, soon

SUPERVISOR: Final = Person("S1", Role.SUPERVISOR)
WITNESS: Final = Person("S2", Role.SUPERVISOR)

_COMES_S: Final = (0.1, 0.6)
_NEXT_S: Final = (0.01, 0.05)
_WAITS_S: Final = (0.5, 1.5)


class PitSupervisor:
    """The supervisor on call; the dealer shuffles at their word."""

    def __init__(self, rng: Random, dealer: DealerAtTable) -> None:
        self.wake_at: float | None = None
        self._rng = rng
        self._dealer = dealer
        self._ticket: Ticket | None = None
        self._tries: Iterator[Decision] | None = None

    def look_up(self, scene: Scene) -> None:
        """See the notices, or that another shoe is wanted."""
        if (scene.state.suspended or _wants_another_shoe(scene)) and (
            self.wake_at is None
        ):
            # From another table: no haste at this one brings them sooner.
            self.wake_at = scene.now + self._rng.uniform(*_COMES_S)

    def act(self, scene: Scene) -> None:
        """Look at what became of the last decision, and take the next."""
        self.wake_at = None
        if not scene.state.suspended:
            self._tries = None
            self._bring_another_shoe(scene)
            return
        self.wake_at = scene.now + soon(scene, self._rng, *_NEXT_S)
        ticket, self._ticket = self._ticket, None
        if ticket is not None and ticket.is_open:
            self._ticket = ticket
            return
        if ticket is None or ticket.answer is None or ticket.answer.accepted:
            # Something else may be wrong than when the last list was made.
            self._tries = None
        if not self._mend(scene):
            self.wake_at = scene.now + soon(scene, self._rng, *_WAITS_S)
            return
        self._decide(scene)

    def _bring_another_shoe(self, scene: Scene) -> None:
        if self._ticket is not None and self._ticket.is_open:
            self.wake_at = scene.now + soon(scene, self._rng, *_NEXT_S)
            return
        self._ticket = None
        if _wants_another_shoe(scene):
            self.wake_at = scene.now + soon(scene, self._rng, *_WAITS_S)
            decision = dc.NewShoe(scene.state.rules.decks)
            self._ticket = scene.console(
                cm.TakeDecision(person=SUPERVISOR, decision=decision, witness=WITNESS)
            )

    def _decide(self, scene: Scene) -> None:
        if self._tries is None:
            self._tries = self._possible(scene)
        decision = next(self._tries, None)
        if decision is None:
            # What still stands needs time: a device that has to come back.
            self._tries = None
            self.wake_at = scene.now + soon(scene, self._rng, *_WAITS_S)
            return
        if isinstance(scene.shoe, LineShoeAtTable):
            scene.shoe.look_over()
        self._ticket = scene.console(
            cm.TakeDecision(person=SUPERVISOR, decision=decision, witness=WITNESS)
        )

    def _possible(self, scene: Scene) -> Iterator[Decision]:
        """Return what to try; a card is keyed as it lies on the felt, if it does."""
        for decision in self._list(scene):
            if isinstance(decision, dc.KeyCard):
                yield from _keyed(scene)
                continue
            if isinstance(decision, dc.Resume):
                # A card may have come to lie there since the list was begun.
                yield from _keyed(scene)
            yield decision

    def _list(self, scene: Scene) -> Iterator[Decision]:
        """Return what to try; for a lost panel the dealer may be let enter."""
        state = scene.state
        kinds = tuple(found.kind for found in state.irregularities)
        for found in state.irregularities:
            if found.kind is Kind.PANEL_LOST and self._rng.random() < 1 / 2:
                yield dc.AllowDealerEntry(found.seat)
        sight = sight_of(state, scene.shown)
        yield from decisions(kinds, sight, self._rng, decks=state.rules.decks)

    def _mend(self, scene: Scene) -> bool:
        """Close, clear and shuffle what needs it; return whether to decide now."""
        shoe, state = scene.shoe, scene.state
        if isinstance(shoe, LineShoeAtTable):
            return True  # It tells of nothing that could be mended.
        if shoe.powered and ShoeFlag.LID_OPEN in shoe.flags_standing:
            shoe.close_lid()
        if shoe.powered and ShoeFlag.JAMMED in shoe.flags_standing:
            shoe.clear_jam()
        kinds = {found.kind for found in state.irregularities}
        shuffles = {Kind.SHOE_EMPTY, Kind.RECONCILIATION_MISMATCH} & kinds
        if ShoeFlag.SHUFFLING in shoe.flags_standing:
            return False
        if state.shoe.shuffling_out_of_turn or (shuffles and self._needs(scene)):
            self._dealer.shuffle(scene)
            return False
        return True

    @staticmethod
    def _needs(scene: Scene) -> bool:
        """Return whether a shuffle is what the table waits for, not only the link."""
        shoe = scene.state.shoe
        return shoe.empty or shoe.count_differs


def _keyed(scene: Scene) -> Iterator[Decision]:
    target = key_target(scene.state)
    face = scene.felt.face(target[0]) if target else None
    if face is not None:
        yield dc.KeyCard(face)


def _wants_another_shoe(scene: Scene) -> bool:
    shoe, between_rounds = scene.shoe, scene.state.opening is None
    return (
        isinstance(shoe, LineShoeAtTable) and between_rounds and shoe.another_is_wanted
    )
