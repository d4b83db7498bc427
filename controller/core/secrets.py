"""The faces that are not public yet, beside the state and never in it (SECRET-2).

`decide` reads them for the peek and to open them; evolve, outputs and views
never see them. They are folded from the sealed rows that decisions gain or lose,
and live on disk in the escrow.
"""

import msgspec

from controller.core.cards import UNKNOWN, Card
from controller.core.commands import ReportCard, TakeDecision
from controller.core.commitment import commitment
from controller.core.decisions import CorrectCard, KeyCard
from controller.core.state import TableState, hole_number


class SealedCard(msgspec.Struct, frozen=True):
    """One row of the escrow: a face, the salt of its commitment, the raw frame."""

    number: int
    round: int
    card: Card
    salt: str = ""
    raw: str = ""


class Secrets(msgspec.Struct, frozen=True):
    """All sealed cards of the table, in the order they were sealed."""

    cards: tuple[SealedCard, ...] = ()

    def of(self, number: int) -> SealedCard | None:
        """Return the sealed card of that number; None where its face is not known."""
        return next((card for card in self.cards if card.number == number), None)

    def sealing(self, card: SealedCard) -> "Secrets":
        """Return the secrets with one more card."""
        return Secrets((*self.cards, card))

    def opening(self, number: int) -> "Secrets":
        """Return the secrets without a card that became public."""
        return Secrets(tuple(card for card in self.cards if card.number != number))


def committed(state: TableState, command: ReportCard, salt: bytes) -> ReportCard:
    """Return the report with salt and commitment, as the shell must prepare it.

    The salt is 32 random bytes, or in a simulation seeded ones. The commitment
    binds table, round, card number and face; the reveal opens it.
    """
    face = UNKNOWN if command.unread else command.card
    return msgspec.structs.replace(
        command,
        salt=salt.hex(),
        commitment=commitment(
            salt, state.table, state.round, command.number, face
        ).hex(),
    )


def committed_decision(
    state: TableState, command: TakeDecision, number: int, salt: bytes
) -> TakeDecision:
    """Return a keyed card's decision with salt and commitment for its number."""
    decision = command.decision
    assert isinstance(decision, KeyCard | CorrectCard)
    return msgspec.structs.replace(
        command,
        salt=salt.hex(),
        commitment=commitment(
            salt, state.table, state.round, number, decision.card
        ).hex(),
    )


def hidden(command: ReportCard) -> ReportCard:
    """Return a card's report as it may be recorded before the card is public."""
    return msgspec.structs.replace(command, card=UNKNOWN, salt="", raw="")


def plain(command: ReportCard) -> ReportCard:
    """Return the report of a public card: nothing of it needs a commitment."""
    return msgspec.structs.replace(command, salt="", commitment="")


def hidden_decision(command: TakeDecision) -> TakeDecision:
    """Return a decision that keys a card not yet public as it may be recorded."""
    decision = command.decision
    assert isinstance(decision, KeyCard)
    return msgspec.structs.replace(command, decision=KeyCard(UNKNOWN), salt="")


def face_down_numbers(state: TableState) -> tuple[int, ...]:
    """Return the cards whose faces only the escrow knows: they were read, unseen."""
    dealer = state.play.dealer
    hole = hole_number(state.play)
    in_hole = hole and not dealer.revealed and not dealer.hole_unread
    loose = (*state.undecided, *state.held, *state.waiting)
    return (
        *((hole,) if in_hole else ()),
        *(card.number for card in loose if not card.unread and card.face == UNKNOWN),
    )


def commitments(state: TableState) -> dict[int, str]:
    """Return the commitment of each sealed card that the record still counts on."""
    found = {
        card.number: card.commitment
        for card in (*state.undecided, *state.held, *state.waiting, *state.sealed)
    }
    dealer = state.play.dealer
    if hole_number(state.play) and not dealer.revealed:
        found[hole_number(state.play)] = dealer.commitment
    return found
