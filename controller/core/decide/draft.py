"""A decision in the making.

Each record is folded at once, so that the next step sees the table as it then is.
"""

import msgspec

from controller.core import events as ev
from controller.core.cards import UNKNOWN, Card
from controller.core.evolve import Record, evolve
from controller.core.ids import NO_HAND, EndOfTestMode, HandId, Kind, Reason
from controller.core.secrets import SealedCard, Secrets
from controller.core.state import TableState


class Decision(msgspec.Struct, frozen=True):
    """What a command leads to.

    `records` are for the journal, the command's own public form first; none at
    all where a command was only a repetition. `sealed` and `opened` are the rows
    that the escrow gains, and the card numbers of those it loses. `state` and
    `secrets` are what folding gives.
    """

    records: tuple[Record, ...]
    sealed: tuple[SealedCard, ...]
    opened: tuple[int, ...]
    state: TableState
    secrets: Secrets


class Refusal(msgspec.Struct, frozen=True):
    """Why a command changes nothing; in words where the reason is not enough."""

    reason: Reason
    because: str = ""


class Draft:
    """The table while one command is worked out."""

    def __init__(self, state: TableState, secrets: Secrets) -> None:
        self.before = state
        self.state = state
        self.secrets = secrets
        self.records: list[Record] = []
        self.answered: set[int] = set()
        self._sealed: list[SealedCard] = []
        self._opened: list[int] = []

    def record(self, record: Record) -> None:
        """Let something have happened."""
        self.state = evolve(self.state, record)
        self.records.append(record)

    def seal(self, card: SealedCard) -> None:
        """Put a face that is not public into the escrow."""
        self.secrets = self.secrets.sealing(card)
        self._sealed.append(card)

    def unseal(self, number: int) -> SealedCard:
        """Take a card out of the escrow because it becomes public.

        A face that nobody knows, unread or without its escrow, comes out as `??`.
        """
        card = self.secrets.of(number)
        if card is None:
            return SealedCard(number, self.state.round, self._face_seen(number))
        self.secrets = self.secrets.opening(number)
        self._opened.append(number)
        return card

    def _face_seen(self, number: int) -> Card:
        state = self.state
        loose = (*state.undecided, *state.held, *state.waiting)
        return next((card.face for card in loose if card.number == number), UNKNOWN)

    def find(
        self,
        kind: Kind,
        *,
        hand: HandId = NO_HAND,
        seat: int = 0,
        number: int = 0,
        words: str = "",
    ) -> None:
        """Note an irregularity, and stop the table if it is not stopped yet."""
        if self.state.test_mode is not None:
            # The supervisor decides at a table as it is in play, with its own lamps.
            self.record(ev.TestModeEnded(why=EndOfTestMode.IRREGULARITY))
        self.record(
            ev.IrregularityFound(
                irregularity=self.state.irregularity_count + 1,
                kind=kind,
                hand=hand,
                seat=seat,
                number=number,
                words=words,
            )
        )
        if not self.state.suspended:
            self.record(ev.TableSuspended(kind=kind))

    def decision(self) -> Decision:
        """Return what was worked out."""
        sealed, opened = tuple(self._sealed), tuple(self._opened)
        if sealed and opened:
            # A row that came and went again was never on disk.
            before = {card.number for card in sealed}
            sealed = tuple(card for card in sealed if card.number not in opened)
            opened = tuple(number for number in opened if number not in before)
        return Decision(tuple(self.records), sealed, opened, self.state, self.secrets)
