"""A table of the core alone, watched: commands go in, checkers look at what comes."""

import hashlib
from collections.abc import Callable, Iterable

from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.cards import UNKNOWN, Card
from controller.core.commands import Command
from controller.core.deadlines import Stopwatch, deadline, follow, time_reached
from controller.core.decide import Decision, decide
from controller.core.decide.verdicts import key_target
from controller.core.decisions import KeyCard
from controller.core.evolve import evolve
from controller.core.outputs import Outputs, outputs
from controller.core.rules import Rules
from controller.core.secrets import Secrets, committed, committed_decision
from controller.core.state import TableState, new_table
from simulators.rigs.checkers.checker import Checker, Inspection, Step

TABLE = "soak"

Decide = Callable[[TableState, Secrets, Command], Decision]
Show = Callable[[TableState], Outputs]
Sink = Callable[[Command | None, Decision], None]
"""Takes each command with what it led to; the table's opening has no command."""


class Rig:
    """One table on virtual time.

    `decide` and `show` are the core's own, but where a test plants a defect.
    """

    def __init__(
        self,
        rules: Rules,
        seats: int,
        *,
        seed: int = 0,
        decide_with: Decide = decide,
        show: Show = outputs,
    ) -> None:
        self._decide, self._show = decide_with, show
        self._seed = seed
        self.last_press: cm.PressButton | None = None
        self._steps = 0
        self._watch = Stopwatch()
        self.now = 0.0
        self.secrets = Secrets()
        self.opening_record = ev.JournalOpened(
            kind="simulation", table=TABLE, seats=seats, rules=rules
        )
        self.opened = new_table(TABLE, seats, rules)
        self.state = evolve(self.opened, self.opening_record)
        self.shown = show(self.state)
        self.inspection = Inspection(self.opened, ())
        self.sinks: list[Sink] = []

    def watch(self, checkers: Iterable[Checker]) -> None:
        """Let checkers look at every step from now on."""
        self.inspection = Inspection(self.opened, checkers)

    def attach(self, sink: Sink) -> None:
        """Let something take every record from the opening of the table on."""
        opening = Decision((self.opening_record,), (), (), self.state, self.secrets)
        sink(None, opening)
        self.sinks.append(sink)

    # --- What comes in ------------------------------------------------------------

    def send(self, command: Command) -> Decision:
        """Let a command happen, and everybody look at what came of it."""
        given = self._sealed(command)
        before = self.state
        decision = self._decide(before, self.secrets, given)
        self.state, self.secrets = decision.state, decision.secrets
        self.shown = self._show(self.state)
        self._watch = follow(self._watch, self.state, self.now)
        self._steps += 1
        for sink in self.sinks:
            sink(given, decision)
        self.inspection.see(
            Step(self._steps, given, decision.records, before, self.state, self.shown)
        )
        return decision

    def press(self, press: cm.PressButton) -> Decision:
        """Let a panel report a press under its next number."""
        taken = max((seat.press_number for seat in self.state.seats), default=0)
        self.last_press = replace(press, number=taken + 1)
        return self.send(self.last_press)

    def card(self, number: int, card: Card) -> Decision:
        """Let the shoe report a card; `??` could not be read."""
        unread = card == UNKNOWN
        return self.send(
            cm.ReportCard(
                number=number, card=card, unread=unread, raw=self._raw(number, card)
            )
        )

    def wait(self) -> Decision | None:
        """Let time pass until the stage of waiting that runs is over."""
        due = deadline(self._watch, self.state)
        if due is None:
            return None
        self.now = due
        return self.send(time_reached(self._watch))

    def _raw(self, number: int, card: Card) -> str:
        """Return the shoe's frame; it is unlike every other and tells the face."""
        return f"{self._seed:08x}{number:08x}{card.encode().hex()}"

    def _sealed(self, command: Command) -> Command:
        """Return the command with the salt that the shell of a table would add."""
        if isinstance(command, cm.ReportCard) and not command.salt:
            return committed(self.state, command, self.salt(f"{command.number}"))
        if isinstance(command, cm.TakeDecision) and isinstance(
            command.decision, KeyCard
        ):
            target = key_target(self.state)
            if target is not None:
                salt = self.salt(f"keyed {target[0]} {self._steps}")
                return committed_decision(self.state, command, target[0], salt)
        return command

    def salt(self, what: str) -> bytes:
        """Return 32 bytes that this seed gives for one card."""
        return hashlib.sha256(f"{self._seed} {what}".encode()).digest()
