"""A table of the core alone, on virtual time: thousands of scenarios a second.

It keeps a journal and an escrow in memory, encoded as on disk; a power cut throws
everything else away and starts from those.
"""

import hashlib
from typing import assert_never

from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.cards import UNKNOWN, Card
from controller.core.commands import Command, Person
from controller.core.deadlines import Stopwatch, deadline, follow, time_reached
from controller.core.decide import decide
from controller.core.decide.verdicts import key_target
from controller.core.decisions import KeyCard
from controller.core.evolve import Record, evolve
from controller.core.ids import Button, Direction, Role, ShoeSign
from controller.core.rules import Rules, with_changes
from controller.core.secrets import (
    SealedCard,
    Secrets,
    committed,
    committed_decision,
)
from controller.core.state import TableState, new_table
from controller.journal.records import Record as Row
from controller.journal.table_codec import CODEC
from controller.rulesets.loader import ruleset_with
from controller.words.commands import Meaning, command_of
from simulators.rigs.scenario import steps as st
from simulators.rigs.scenario.core_view import view_of
from simulators.rigs.scenario.language import Head
from simulators.rigs.scenario.view import TableView

TABLE = "scenario"
_ROLES = {"S": Role.SUPERVISOR, "D": Role.DEALER, "T": Role.TECHNICIAN}


def person(name: str) -> Person:
    """Return who this is: S… supervisors, D… dealers, T… technicians, else unknown."""
    return Person(name, _ROLES.get(name[0], Role.UNKNOWN))


class CoreTable:
    """A table that takes a scenario's steps and shows what follows.

    Raises:
        RulesetError: The head names a ruleset that cannot be used.

    """

    def __init__(self, head: Head) -> None:
        rules = ruleset_with(head.ruleset, dict(head.overrides))
        self._now = 0.0
        self._presses = 0
        self._card_number = 0
        self._written: list[Row] = []
        self._sealed: dict[int, SealedCard] = {}
        self._watch = Stopwatch()
        self._state = new_table(TABLE, head.seats, rules)
        self._secrets = Secrets()
        self._caused: list[Record] = []
        self._begin(
            ev.JournalOpened(
                kind="simulation", table=TABLE, seats=head.seats, rules=rules
            )
        )

    @property
    def state(self) -> TableState:
        """The table as it now is."""
        return self._state

    @property
    def waited_s(self) -> float:
        """How long the running stage of waiting has lasted, 0 where none runs."""
        return 0.0 if self._watch.wait is None else self._now - self._watch.since_s

    def open_default_shift(self) -> None:
        """Open the shift that a scenario has before its first step."""
        self._send(cm.OpenShift(dealer=person("D1"), direction=Direction.RIGHT_TO_LEFT))

    def view(self) -> TableView:
        """Return what an expectation looks at."""
        return view_of(self._state, self._caused)

    def do(self, step: st.Step) -> None:
        """Let one step happen."""
        self._caused = []
        match step:
            case st.Bet() | st.Clear() | st.Press() | st.LatePress():
                self._send(self._press(step))
            case st.DrawCards():
                for card in step.cards:
                    self._draw(card)
            case st.ReturnCards():
                for card in step.cards:
                    self._send(cm.ReportReturn(card=card))
            case st.ShoeReports():
                self._send(cm.ReportShoe(sign=step.sign))
            case st.ShoeShuffled():
                count = -1 if step.count is None else step.count
                self._send(cm.ReportShoe(sign=ShoeSign.SHUFFLED, count=count))
            case st.ShoeGap():
                self._card_number += step.missing
                self._send(cm.ReportGap(last=self._card_number))
            case st.PanelLost() | st.PanelBack():
                lost = isinstance(step, st.PanelLost)
                self._send(cm.ReportPanel(seat=step.seat, lost=lost))
            case st.Wait():
                self._wait(step.duration_ms / 1000)
            case st.PowerCut():
                self.cut_power()
            case _:
                self._send(command_of(step, Meaning(person, self._rules)))

    def cut_power(self) -> None:
        """Throw everything away that is not on disk, and start again from that."""
        state = new_table(TABLE, self._state.seat_count, self._state.rules)
        for row in self._written:
            state = evolve(state, CODEC.decode(row))
        self._state = state
        self._secrets = Secrets(tuple(self._sealed.values()))
        self._watch = follow(Stopwatch(), state, self._now)
        self._send(cm.ResumeControl())

    # --- Steps ------------------------------------------------------------------

    def _press(self, step: st.PlayerStep) -> cm.PressButton:
        self._presses += 1
        current = self._state.prompts[step.seat].number
        press = cm.PressButton(
            seat=step.seat, button=Button.BET, prompt=current, number=self._presses
        )
        match step:
            case st.Bet():
                return replace(
                    press,
                    amount_cents=step.amount_cents,
                    with_amount=True,
                    spot=step.spot or 0,
                )
            case st.Clear():
                return replace(press, button=Button.CLEAR, spot=step.spot or 0)
            case st.Press():
                return replace(
                    press,
                    button=step.button,
                    amount_cents=step.amount_cents or 0,
                    with_amount=step.amount_cents is not None,
                )
            case st.LatePress():
                return replace(press, button=step.button, prompt=current - 1)
            case _:
                assert_never(step)

    def _draw(self, card: Card) -> None:
        self._card_number += 1
        unread = card == UNKNOWN
        report = cm.ReportCard(
            number=self._card_number, card=card, unread=unread, raw=""
        )
        self._send(committed(self._state, report, self._salt(self._card_number)))

    def _salt(self, number: int) -> bytes:
        return hashlib.sha256(f"{TABLE} {number}".encode()).digest()

    def _rules(self, name: str | None, changes: dict[str, str]) -> Rules:
        if name is None:
            return with_changes(self._state.rules, changes)
        return ruleset_with(name, changes)

    def _wait(self, seconds: float) -> None:
        until = self._now + seconds
        while (due := deadline(self._watch, self._state)) is not None and due <= until:
            self._now = due
            self._send(time_reached(self._watch))
        self._now = until

    # --- Deciding and writing ----------------------------------------------------

    def _begin(self, opened: ev.JournalOpened) -> None:
        self._state = evolve(self._state, opened)
        self._write(opened)

    def _send(self, command: Command) -> None:
        decision = decide(self._state, self._secrets, self._committed(command))
        for card in decision.sealed:
            self._sealed[card.number] = card
        for record in decision.records:
            self._write(record)
            if isinstance(record, ev.TableStateRecorded):
                del self._written[:-1]
        for number in decision.opened:
            self._sealed.pop(number, None)
        self._state, self._secrets = decision.state, decision.secrets
        self._watch = follow(self._watch, self._state, self._now)
        self._caused += decision.records

    def _committed(self, command: Command) -> Command:
        keys = isinstance(command, cm.TakeDecision) and isinstance(
            command.decision, KeyCard
        )
        target = key_target(self._state) if keys else None
        if target is None:
            return command
        assert isinstance(command, cm.TakeDecision)
        salt = self._salt(-target[0])
        return committed_decision(self._state, command, target[0], salt)

    def _write(self, record: Record) -> None:
        written = CODEC.encode(record)
        self._written.append(
            Row(
                sequence=len(self._written) + 1,
                recorded_at="",
                clock_synchronised=False,
                boot_id="",
                monotonic_ns=0,
                cause=None,
                round=None,
                spot=None,
                type=written.type,
                version=written.version,
                body=written.body,
                hash=b"",
            )
        )
