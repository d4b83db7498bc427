"""A table's secret cards as rows of the escrow beside its journal, and back."""

from pathlib import Path

from controller.core.cards import Card
from controller.core.commitment import commitment
from controller.core.secrets import SealedCard
from controller.journal.escrow import Sealed

_CARD = "card"


def escrow_path(path: Path) -> Path:
    """Return where a journal's escrow lies: beside it."""
    return path.with_name(path.name + ".escrow")


def row_of(card: SealedCard) -> Sealed:
    """Return the row that keeps a card's face, salt and raw frame."""
    return Sealed(
        kind=_CARD,
        number=card.number,
        round=card.round,
        face=card.card,
        salt=bytes.fromhex(card.salt),
        raw=bytes.fromhex(card.raw),
    )


def card_of(row: Sealed) -> SealedCard:
    """Return the card that a row keeps."""
    return SealedCard(
        row.number, row.round, Card(row.face), row.salt.hex(), row.raw.hex()
    )


def stands_for(row: Sealed, table: str, known: dict[int, str]) -> bool:
    """Return whether a record still counts on this secret: its commitment is there."""
    bound = commitment(row.salt, table, row.round, row.number, row.face).hex()
    return known.get(row.number) == bound
