"""The whole table as its records tell it: the round's layout, and what is around it."""

from typing import Final

from controller.core import events as ev
from controller.core.evolve.history import HISTORY
from controller.core.ids import Phase
from controller.core.rules import Rules
from simulators.rigs.checkers.layout import Group, Layout

_BETWEEN_ROUNDS: Final[dict[type, Phase]] = {
    ev.ShiftOpened: Phase.BETTING,
    ev.ShiftClosed: Phase.CLOSED,
    ev.RoundClosed: Phase.BETTING,
    ev.DealUndone: Phase.BETTING,
}


class Tabletop:
    """What a reader of the records knows.

    `standing` are the records of the open round that have not been taken back;
    which kinds of record a taking back counts is part of the journal's format.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.round_open = False
        self.suspended = False
        self.by_hand = False
        self.standing: list[object] = []
        self.layout = Layout()
        self.reveals: dict[int, str] = {}
        self.early: list[Group] = []
        self._between = Phase.CLOSED

    @property
    def phase(self) -> Phase:
        """The phase of the game, also while suspended."""
        return self.layout.phase if self.round_open else self._between

    def take(self, record: object) -> None:
        """Let one record have happened."""
        kind = type(record)
        if kind is ev.BetsClosed:
            self.round_open = True
            self.standing, self.reveals = [], {}
            self.layout = Layout(self.early)
        if kind in HISTORY and self.round_open:
            self.standing.append(record)
            self.layout.take(record)
            self._note_reveal(record)
            return
        match record:
            case ev.PlayTakenBack() | ev.SealedCardsLost():
                self._undo(record)
            case ev.TableSuspended():
                self.suspended = True
            case ev.TableResumed():
                self.suspended = False
            case ev.TestModeBegun() | ev.TestModeEnded():
                self.by_hand = isinstance(record, ev.TestModeBegun)
            case ev.CardBurned() | ev.CardDiscarded():
                self.early.append(((record.number,), (record.card,)))
            case ev.ShoeShuffled():
                # Between rounds what was burned early goes back with the rest (CUT).
                self.early = []
            case ev.RulesetSet():
                self.rules = record.rules
            case _ if kind in _BETWEEN_ROUNDS:
                self.round_open = False
                self._between = _BETWEEN_ROUNDS[kind]
                if kind is ev.RoundClosed:
                    self.early = []
            case _:
                pass

    def _note_reveal(self, record: object) -> None:
        match record:
            case ev.HoleCardRevealed():
                self.reveals[record.number] = record.card
            case ev.CardCorrected() | ev.CardIdentified() if (
                record.number in self.reveals
            ):
                self.reveals[record.number] = record.card
            case _:
                pass

    def _undo(self, record: ev.PlayTakenBack | ev.SealedCardsLost) -> None:
        if isinstance(record, ev.PlayTakenBack):
            self._take_back(record.kept)
        else:
            self._lose_keys(record.numbers)

    def _lose_keys(self, numbers: tuple[int, ...]) -> None:
        """Forget that these cards were keyed: it is no act of the round any more."""
        self.standing = [
            record
            for record in self.standing
            if not (isinstance(record, ev.HoleCardKeyed) and record.number in numbers)
        ]

    def _take_back(self, kept: int) -> None:
        """Lay the round out anew; a hole card that was turned up stays up (REVEAL)."""
        gone = self.standing[kept:]
        del self.standing[kept:]
        self.layout = Layout(self.early)
        for record in self.standing:
            self.layout.take(record)
        for record in gone:
            if isinstance(record, ev.HoleCardRevealed) and (
                record.number == self.layout.hole_number
            ):
                self.standing.append(record)
                self.layout.take(record)
