"""Deciding again what a journal says was decided.

What came in stands in the journal whole, but for faces that were not public:
those come from the records that opened them later. A decision of the running
program must give the same records again; what another program decided is folded
only, since its rules may have been others.
"""

from collections.abc import Iterable, Mapping
from typing import TypeGuard

import msgspec
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.cards import UNKNOWN, Card
from controller.core.commands import Command
from controller.core.decide import decide
from controller.core.decisions import KeyCard
from controller.core.evolve import Record as Fact
from controller.core.secrets import (
    SealedCard,
    Secrets,
    commitments,
    face_down_numbers,
)
from controller.core.state import TableState, hole_number
from controller.evidence.commitments import Opening
from controller.evidence.findings import COMMANDS, FindingError, FindingKind
from controller.journal.records import Record as Row

# The face of a hole card that is still hidden: all that a decision may take from
# it before the reveal is whether it makes a blackjack, and this one never does.
_STAND_IN = Card("2c")
_SHOWN_CHARACTERS = 60


class Step(msgspec.Struct, frozen=True):
    """What came in and what it led to; or one record that no input led to."""

    rows: tuple[Row, ...]
    facts: tuple[Fact, ...]

    @property
    def command(self) -> Command | None:
        """What came in, as it was recorded."""
        first = self.facts[0]
        return first if isinstance(first, COMMANDS) else None


class Counts(msgspec.Struct, frozen=True):
    """How many decisions were compared, and why others were not.

    `other_programs` are digests of the code that made the decisions which were
    only folded; `still_sealed` counts decisions that rest on a face which the
    journal has not opened yet.
    """

    compared: int = 0
    still_sealed: int = 0
    folded: int = 0
    other_programs: tuple[str, ...] = ()


class Replay:
    """Decides each step again at the table that the journal says there was."""

    def __init__(self, openings: Mapping[str, Opening], running: str) -> None:
        """Take what hidden cards turned out to be, and the running code's digest."""
        self.counts = Counts()
        self._openings = openings
        self._running = running
        self._program = ""

    def take(self, state: TableState, step: Step) -> TableState | None:
        """Compare one step's records with what deciding again gives.

        Returns the table after the step, None if it could not be decided again.

        Raises:
            FindingError: They differ; names the first record that does.
        """
        first = step.facts[0]
        if isinstance(first, ev.JournalOpened | cm.ResumeControl):
            self._program = first.code_digest
        command = step.command
        if command is None:
            return None
        if self._program != self._running:
            self._count_folded()
        elif self._rests_on_sealed(state, step, command):
            self.counts = replace(
                self.counts, still_sealed=self.counts.still_sealed + 1
            )
        else:
            return self._compare(state, step, command)
        return None

    def _count_folded(self) -> None:
        counts = self.counts
        programs = (*counts.other_programs, self._program)
        self.counts = replace(
            counts,
            folded=counts.folded + 1,
            other_programs=tuple(dict.fromkeys(programs)),
        )

    def _compare(self, state: TableState, step: Step, command: Command) -> TableState:
        secrets = self._secrets(state, _unknown_to_all(step.facts))
        try:
            again = decide(state, secrets, self._restored(command))
        except Exception as error:
            # What the journal says came in may be anything; it is the finding.
            text = f"{step.rows[0].type} cannot be decided at this table: {error!r}"
            raise _differs(step.rows[0], text) from error
        _require_same(step, again.records)
        self.counts = replace(self.counts, compared=self.counts.compared + 1)
        return again.state

    def _rests_on_sealed(self, state: TableState, step: Step, command: Command) -> bool:
        """Return whether a step depends on a face that the journal has not opened."""
        if any(isinstance(fact, ev.DealerPeeked) for fact in step.facts):
            return self._hole_commitment(state, step) not in self._openings
        return _is_keyed_unseen(command) and (command.commitment not in self._openings)

    @staticmethod
    def _hole_commitment(state: TableState, step: Step) -> str:
        """Return the commitment of the hole card that a step's peek looked at."""
        made = (
            fact.commitment
            for fact in reversed(step.facts)
            if isinstance(fact, ev.HoleCardDealt | ev.HoleCardKeyed)
        )
        return next(made, commitments(state).get(hole_number(state.play), ""))

    def _secrets(self, state: TableState, lost: frozenset[int]) -> Secrets:
        """Return what the escrow held at this table, as far as it was opened since."""
        made = commitments(state)
        held = {*face_down_numbers(state), *(card.number for card in state.sealed)}
        return Secrets(
            tuple(
                self._sealed(number, made[number], state.round)
                for number in sorted(held - lost)
            )
        )

    def _sealed(self, number: int, made: str, round_: int) -> SealedCard:
        opening = self._openings.get(made, Opening(_STAND_IN, "", ""))
        return SealedCard(number, round_, opening.card, opening.salt, opening.raw)

    def _restored(self, command: Command) -> Command:
        """Return an input as it came, with the face that its record leaves out."""
        match command:
            case cm.ReportCard(commitment=made, unread=False) if made:
                card = self._sealed(command.number, made, 0)
                return replace(command, card=card.card, salt=card.salt, raw=card.raw)
            case cm.TakeDecision() if _is_keyed_unseen(command):
                opening = self._openings[command.commitment]
                return replace(
                    command, decision=KeyCard(opening.card), salt=opening.salt
                )
            case _:
                return command


def _is_keyed_unseen(command: Command) -> TypeGuard[cm.TakeDecision]:
    """Return whether a person keyed a card whose face the record leaves out."""
    return (
        isinstance(command, cm.TakeDecision)
        and isinstance(command.decision, KeyCard)
        and command.decision.card == UNKNOWN
        and command.commitment != ""
    )


def _unknown_to_all(facts: Iterable[Fact]) -> frozenset[int]:
    """Return the hidden cards whose faces nobody had any more, as the step says."""
    numbers: set[int] = set()
    for fact in facts:
        match fact:
            case ev.SealedCardsLost():
                numbers |= set(fact.numbers)
            case (
                ev.CardDealt()
                | ev.HoleCardRevealed()
                | ev.CardBurned()
                | ev.CardDiscarded()
                | ev.CardOpened()
            ) if fact.card == UNKNOWN:
                numbers.add(fact.number)
            case ev.HoleCardDealt(unread=True):
                numbers.add(fact.number)
            case _:
                pass
    return frozenset(numbers)


def _require_same(step: Step, again: tuple[Fact, ...]) -> None:
    for row, was, now in zip(step.rows, step.facts, again, strict=False):
        if was != now:
            raise _differs(row, _difference(was, now))
    if len(again) > len(step.facts):
        missing = again[len(step.facts)]
        raise _differs(step.rows[-1], f"deciding again also gives {_tag(missing)}")
    if len(again) < len(step.facts):
        extra = step.rows[len(again)]
        raise _differs(extra, f"deciding again gives no {extra.type}")


def _difference(was: Fact, now: Fact) -> str:
    if type(was) is not type(now):
        return f"the journal says {_tag(was)}, deciding again gives {_tag(now)}"
    fields = [
        f"{name} {_short(getattr(was, name))}, not {_short(getattr(now, name))}"
        for name in was.__struct_fields__
        if getattr(was, name) != getattr(now, name)
    ]
    return f"the journal says {_tag(was)} with {'; '.join(fields)} as decided again"


def _short(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    cut = len(text) > _SHOWN_CHARACTERS
    return f"{text[:_SHOWN_CHARACTERS]}…" if cut else text


def _tag(fact: Fact) -> str:
    return str(type(fact).__struct_config__.tag)


def _differs(row: Row, text: str) -> FindingError:
    return FindingError(FindingKind.DECISION, row.sequence, text)
