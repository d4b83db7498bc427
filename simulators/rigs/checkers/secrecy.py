"""A face that is not public is nowhere, and opens its commitment when it is."""

from collections.abc import Iterator
from hashlib import sha256
from typing import ClassVar

import msgspec

from controller.core import events as ev
from controller.core.cards import UNKNOWN
from controller.core.commands import ReportCard, TakeDecision
from controller.core.decisions import KeyCard
from controller.core.evolve import Record
from controller.core.state import TableState
from simulators.rigs.checkers.checker import Checker, Step
from simulators.rigs.checkers.tabletop import Tabletop


class Hidden(msgspec.Struct, frozen=True):
    """A card that left the shoe and that nobody may know yet."""

    number: int
    card: str
    salt: str
    raw: str
    round: int


class SecretsHidden(Checker):
    """Nothing the table writes or shows tells a card before it is public (SECRET-2).

    Salt and raw frame of each hidden card are looked for everywhere but in the frames
    of public cards: a shoe that prints lines says the same of two equal cards. A face
    may lie openly elsewhere too: it is looked for where no such card shows in this
    round or the last, which is most of the time.
    """

    name: ClassVar[str] = "secrets_hidden"

    def __init__(self) -> None:
        self._hidden: dict[int, Hidden] = {}
        self._public: set[str] = set()
        self._public_before: set[str] = set()

    def on_step(self, step: Step, top: Tabletop) -> Iterator[str]:
        """Search records, state and outputs for what is hidden."""
        del top
        self._note_hidden(step)
        self._note_public(step.records)
        if not self._hidden:
            return
        written = msgspec.json.encode(
            (_plain(step.records), _without_counts(step.state), step.shown)
        )
        for hidden in self._hidden.values():
            for secret in (hidden.salt, hidden.raw):
                if secret and secret.encode() in written:
                    yield f"salt or raw frame of card {hidden.number} is written"
            known = self._public | self._public_before
            if hidden.card not in known and f'"{hidden.card}"'.encode() in written:
                yield f"the face of card {hidden.number} is written"

    def _note_hidden(self, step: Step) -> None:
        given = step.given
        if isinstance(given, ReportCard) and not given.unread:
            if _is_taken(step, given.number):
                self._hide(step, given.number, given.card, given.salt, given.raw)
        elif isinstance(given, TakeDecision) and isinstance(given.decision, KeyCard):
            for record in step.records:
                if isinstance(record, ev.HoleCardKeyed | ev.MissingCardKnown):
                    self._hide(step, record.number, given.decision.card, given.salt, "")

    def _hide(self, step: Step, number: int, card: str, salt: str, raw: str) -> None:
        self._hidden[number] = Hidden(number, card, salt, raw, step.before.round)

    def _note_public(self, records: tuple[Record, ...]) -> None:
        for record in records:
            number = getattr(record, "number", None)
            card = getattr(record, "card", UNKNOWN)
            if card != UNKNOWN:
                self._public.add(card)
                if number is not None and not isinstance(record, ReportCard):
                    self._hidden.pop(number, None)
            if isinstance(record, ev.RoundClosed):
                self._public_before, self._public = self._public, set()
            if isinstance(record, TakeDecision):
                self._public.add(getattr(record.decision, "card", UNKNOWN))


def _is_taken(step: Step, number: int) -> bool:
    """Return whether the card's face is news: of a new card, or read at last."""
    if not step.records:
        return False
    if number > step.before.shoe.last_card:
        return True
    return any(
        isinstance(record, ev.HoleCardKeyed) and record.number == number
        for record in step.records
    )


def _plain(records: tuple[Record, ...]) -> tuple[Record, ...]:
    """Return the records without public frames and without the whole state.

    The state is looked at by itself.
    """
    return tuple(
        _without_public_frame(record)
        for record in records
        if not isinstance(record, ev.TableStateRecorded)
    )


def _without_public_frame(record: Record) -> Record:
    is_public = getattr(record, "card", UNKNOWN) != UNKNOWN
    if is_public and getattr(record, "raw", ""):
        return msgspec.structs.replace(record, raw="")
    return record


def _without_counts(state: TableState) -> TableState:
    """Return the state without its counts of cards, which name faces long gone.

    Of the records that it holds itself, public frames are left out too.
    """
    shoe = msgspec.structs.replace(state.shoe, out={}, due_back={})
    history = _plain(state.history)
    return msgspec.structs.replace(state, shoe=shoe, opening=None, history=history)


class CommitmentsOpen(Checker):
    """A card that was committed to is opened as exactly that card (SECRET-2)."""

    name: ClassVar[str] = "commitments_open"

    def __init__(self) -> None:
        self._given: dict[int, tuple[str, int]] = {}
        self._opened: set[int] = set()

    def on_step(self, step: Step, top: Tabletop) -> Iterator[str]:
        """Compute the commitment of every card that is opened."""
        del top
        # A decision that keys nothing may tell again what was keyed before it.
        keyed = step.given.commitment if isinstance(step.given, TakeDecision) else ""
        for record in step.records:
            if isinstance(record, ReportCard) and record.commitment:
                self._given[record.number] = (record.commitment, step.before.round)
            elif keyed and isinstance(record, ev.HoleCardKeyed | ev.MissingCardKnown):
                self._given[record.number] = (keyed, step.before.round)
            elif isinstance(record, ev.RoundClosed):
                self._forget_opened()
            salt = getattr(record, "salt", "")
            if salt and not isinstance(record, ReportCard | TakeDecision):
                yield from self._open(step, record, salt)

    def _forget_opened(self) -> None:
        """Let go of what cannot be opened again, since its round is over."""
        for number in self._opened:
            self._given.pop(number, None)
        self._opened.clear()

    def _open(self, step: Step, record: Record, salt: str) -> Iterator[str]:
        number, card = getattr(record, "number", 0), getattr(record, "card", UNKNOWN)
        self._opened.add(number)
        given = self._given.get(number)
        if given is None:
            yield f"card {number} is opened and was never committed to"
            return
        committed, at_round = given
        if opening(salt, step.state.table, at_round, number, card) != committed:
            yield f"card {number} opens as {card}, which was not committed to"


def opening(salt: str, table: str, at_round: int, number: int, card: str) -> str:
    """Return the commitment as docs/journal.md describes it, in hex."""
    hashed = sha256()
    for kind, content in (
        (b"B", bytes.fromhex(salt)),
        (b"T", table.encode()),
        (b"I", at_round.to_bytes(8, "big")),
        (b"I", number.to_bytes(8, "big")),
        (b"T", card.encode()),
    ):
        hashed.update(kind + len(content).to_bytes(8, "big") + content)
    return hashed.hexdigest()
