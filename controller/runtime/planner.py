"""What a batch of inputs leads to, worked out before anything is written.

Pure: the clock's readings and the salts are arguments, so that a whole table runs on
virtual time in one process. What a plan says is true only once it is on disk.
"""

import traceback
from collections.abc import Callable, Iterable
from typing import Final

import msgspec
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.commands import Command
from controller.core.deadlines import Stopwatch, deadline, follow, time_reached
from controller.core.decide import Decision, Draft, decide
from controller.core.decide.verdicts import key_target
from controller.core.decisions import KeyCard
from controller.core.evolve import evolve
from controller.core.ids import DEALER_SEAT, Kind
from controller.core.secrets import (
    SealedCard,
    Secrets,
    committed,
    committed_decision,
    hidden,
    hidden_decision,
)
from controller.core.state import Prompt, TableState
from controller.journal.records import Stamp
from controller.journal.table_journal import Decided, decided

_ERROR_CHARACTERS: Final = 2000


Asked = Command | Callable[[TableState], Command]
"""A command, or what makes one of the table as it is when its turn has come."""


class Standing(msgspec.Struct, frozen=True):
    """The committed table: public state, secrets, and the wait being timed."""

    state: TableState
    secrets: Secrets
    watch: Stopwatch = Stopwatch()


class Answer(msgspec.Struct, frozen=True):
    """What became of one command; `offset` counts records from the batch's first.

    `offset` is None where nothing was recorded, since nothing was new.
    """

    accepted: bool
    offset: int | None
    reason: str = ""
    because: str = ""


class Plan(msgspec.Struct, frozen=True):
    """What a batch leads to: what to write, what to answer, and the table after."""

    decided: tuple[Decided, ...]
    answers: tuple[Answer, ...]
    after: Standing


def plan(
    standing: Standing,
    batch: Iterable[Asked],
    now: float,
    stamp: Stamp,
    salt: Callable[[], bytes],
) -> Plan:
    """Work out a batch of commands, one after the other.

    Stages of waiting that are over by `now` (monotonic seconds) come first.
    """
    work = _Work(standing, now, stamp, salt)
    work.reach_times()
    answers = tuple(work.answer(command) for command in batch)
    return Plan(tuple(work.decided), answers, work.standing)


class _Work:
    """A plan in the making."""

    def __init__(
        self, standing: Standing, now: float, stamp: Stamp, salt: Callable[[], bytes]
    ) -> None:
        self.standing = standing
        self.decided: list[Decided] = []
        self._now = now
        self._stamp = stamp
        self._salt = salt
        self._records = 0

    def reach_times(self) -> None:
        """Let every stage of waiting that is over be so."""
        while (due := deadline(self.standing.watch, self.standing.state)) is not None:
            if due > self._now:
                return
            self.answer(time_reached(self.standing.watch))

    def answer(self, asked: Asked) -> Answer:
        """Work out one command; one that raises stops the table, not the process."""
        state, secrets = self.standing.state, self.standing.secrets
        offset = self._records
        try:
            command = asked(state) if callable(asked) else asked
        except Exception as error:  # noqa: BLE001 - whatever it is, only the table stops
            self._report(error, "what the staff asked")
            return Answer(accepted=False, offset=offset, reason="internal_fault")
        try:
            prepared = prepare(state, command, self._salt)
            decision = decide(state, secrets, prepared)
        except Exception as error:  # noqa: BLE001 - whatever it is, the input must not come again
            self._take_unhandled(command, error)
            return Answer(accepted=False, offset=offset, reason="internal_fault")
        self._take(decision)
        reason, because = _refusal(decision)
        recorded = offset if decision.records else None
        return Answer(not reason, recorded, reason, because)

    def _take(self, decision: Decision) -> None:
        if decision.records:
            self._write(decided(self._stamp, self.standing.state, decision))
        self._stand(decision.state, decision.secrets)

    def _take_unhandled(self, command: Command, error: Exception) -> None:
        """Journal the input raw, without the core, then stop the table."""
        state = self.standing.state
        fault, sealed = unhandled(state, command, error, self._salt())
        one = Decided(self._stamp, state.round, (fault,), sealed)
        self._write(one)
        secrets = self.standing.secrets
        for card in sealed:
            secrets = secrets.sealing(card)
        self._stand(evolve(state, fault), secrets)
        self._report(error, _tag(command))

    def _report(self, error: Exception, handling: str) -> None:
        """Stop the table for an error of ours."""
        words = f"{type(error).__name__} while handling {handling}"
        report = cm.ReportFault(kind=Kind.INTERNAL_FAULT, words=words)
        self._take(_stopped(self.standing, report))

    def _write(self, one: Decided) -> None:
        self.decided.append(one)
        self._records += len(one.records)

    def _stand(self, state: TableState, secrets: Secrets) -> None:
        watch = follow(self.standing.watch, state, self._now)
        self.standing = Standing(state, secrets, watch)


def _stopped(standing: Standing, report: cm.ReportFault) -> Decision:
    """Return how the table stops for an error of ours, if need be without `decide`.

    Where the error lies in what every command passes through, this one raises too;
    then the records are written that need no more than the fold.
    """
    try:
        return decide(standing.state, standing.secrets, report)
    except Exception:  # noqa: BLE001 - the same error again, and the table must stop
        draft = Draft(standing.state, standing.secrets)
        draft.record(report)
        draft.find(report.kind, words=report.words)
        dark = tuple(
            Prompt(shown.seat, shown.number + 1)
            for shown in standing.state.prompts
            if shown.buttons
        )
        if dark:
            draft.record(ev.PromptsChanged(prompts=dark))
        return draft.decision()


def prepare(state: TableState, command: Command, salt: Callable[[], bytes]) -> Command:
    """Return a command as the core takes it: our card numbers, commitments, salts."""
    match command:
        case cm.ReportCard():
            numbered = _numbered(state, command)
            return committed(state, numbered, salt())
        case cm.ReportGap() if command.cursor is not None:
            return replace(command, last=command.last + state.shoe.card_offset)
        case cm.TakeDecision() if isinstance(command.decision, KeyCard):
            target = key_target(state)
            if target is None:
                return command
            return committed_decision(state, command, target[0], salt())
        case _:
            return command


def _numbered(state: TableState, command: cm.ReportCard) -> cm.ReportCard:
    """Return a shoe's report under our number; one without a cursor has it already."""
    if command.cursor is None:
        return command
    return replace(command, number=command.number + state.shoe.card_offset)


def _refusal(decision: Decision) -> tuple[str, str]:
    for record in decision.records:
        if isinstance(record, ev.CommandRefused):
            return record.reason.value, record.because
        if isinstance(record, ev.PressRefused):
            return record.reason.value, ""
    return "", ""


def _tag(command: Command) -> str:
    return str(type(command).__struct_config__.tag)


def unhandled(
    state: TableState, command: Command, error: Exception, salt: bytes
) -> tuple[ev.InternalFault, tuple[SealedCard, ...]]:
    """Return the record of an input that raised, and what of it must stay secret.

    Nothing of the core is used but the shapes of its values. A card's face may have
    been meant for the hole: it goes to the escrow under a commitment.
    """
    words = "".join(traceback.format_exception(error))[-_ERROR_CHARACTERS:]
    fault = ev.InternalFault(input="", error=_without_cards(words))
    sealed: tuple[SealedCard, ...] = ()
    shown: Command = command
    if isinstance(command, cm.ReportCard):
        numbered = committed(state, _numbered(state, command), salt)
        shown = hidden(numbered)
        if not command.unread:
            fault = replace(fault, commitment=numbered.commitment)
            sealed = (_sealed(state, numbered),)
    elif isinstance(command, cm.TakeDecision) and isinstance(command.decision, KeyCard):
        shown = hidden_decision(command)
    text = msgspec.json.encode(shown).decode()
    return _with_cursor(replace(fault, input=text), shown), sealed


def _sealed(state: TableState, report: cm.ReportCard) -> SealedCard:
    return SealedCard(report.number, state.round, report.card, report.salt, report.raw)


def _without_cards(words: str) -> str:
    """Return only where an error arose: its own text might name a sealed card."""
    lines = [line for line in words.splitlines() if line.startswith("  File ")]
    return "\n".join(lines)


def _with_cursor(fault: ev.InternalFault, command: Command) -> ev.InternalFault:
    """Return the record with the cursor that the input moves."""
    match command:
        case cm.PressButton() | cm.ReportStrayPress():
            return replace(
                fault,
                seat=command.seat,
                boot_id=command.boot_id,
                number=command.number,
            )
        case cm.PressDealerButton() if command.number:
            return replace(
                fault,
                seat=DEALER_SEAT,
                boot_id=command.boot_id,
                number=command.number,
            )
        case (
            cm.ReportCard()
            | cm.ReportReturn()
            | cm.ReportShoe()
            | cm.ReportGap()
            | cm.ReportRemark()
        ):
            cursor = command.cursor
            if cursor is None:
                return fault
            number = command.number if isinstance(command, cm.ReportCard) else 0
            return replace(
                fault,
                shoe=True,
                boot_id=cursor.boot_id,
                number=cursor.number,
                card_number=number,
            )
        case _:
            return fault
