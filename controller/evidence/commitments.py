"""Whether every card that was hidden is the card that was shown in the end.

A report of a card that may not be public carries a commitment; the record that
makes the card public carries face and salt, which must give that commitment
(SECRET-2). So nobody could choose a hole card after the players had acted.
"""

from typing import Final

import msgspec

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.cards import UNKNOWN, Card
from controller.core.commitment import commitment
from controller.core.evolve import Record as Fact
from controller.core.secrets import commitments
from controller.evidence.findings import FindingError, FindingKind
from controller.journal.records import TAKEN_OVER
from controller.journal.records import Record as Row

_Sealing = (
    ev.HoleCardDealt
    | ev.HoleCardKeyed
    | ev.CardDrawnInError
    | ev.CardHeld
    | ev.CardWaiting
    | ev.CardBurned
)
_Showing = (
    ev.CardDealt
    | ev.HoleCardRevealed
    | ev.CardBurned
    | ev.CardDiscarded
    | ev.CardOpened
    | ev.CardOffered
)

TYPES: Final = frozenset(
    str(kind.__struct_config__.tag)
    for kind in (
        ev.JournalOpened,
        ev.TableStateRecorded,
        ev.InternalFault,
        cm.ReportCard,
        cm.TakeDecision,
        *_Sealing.__args__,
        *_Showing.__args__,
    )
)
"""The types of the records that have to do with hidden cards."""

_STATE: Final = str(ev.TableStateRecorded.__struct_config__.tag)


class Opening(msgspec.Struct, frozen=True):
    """What a commitment was found to hide: face, salt and raw bytes, in hex."""

    card: Card
    salt: str
    raw: str


class _Promise(msgspec.Struct, frozen=True):
    """A commitment that was made for a card; the round is part of what it binds."""

    commitment: str
    round: int | None
    unread: bool = False
    opened: bool = False
    elsewhere: bool = False


def concerns_cards(row: Row) -> bool:
    """Say by its columns whether a record has to do with hidden cards."""
    if row.type == _STATE:
        return row.sequence == TAKEN_OVER
    return row.type in TYPES


class CommitmentBook:
    """Follows a journal's hidden cards from commitment to reveal."""

    def __init__(self) -> None:
        self.openings: dict[str, Opening] = {}
        self._table = ""
        self._promises: dict[int, _Promise] = {}
        self._keyed: _Promise | None = None

    def take(self, row: Row, fact: Fact) -> None:
        """Look at one record that concerns cards, in order.

        Raises:
            FindingError: it shows another card than was hidden, or hides anew one
                that was hidden already.
        """
        match fact:
            case ev.JournalOpened():
                self._table = fact.table
            case ev.TableStateRecorded():
                self._take_over(fact)
            case cm.ReportCard():
                self._reported(row, fact)
            case cm.TakeDecision():
                self._keyed = _Promise(fact.commitment, row.round)
            case ev.InternalFault() if fact.commitment:
                promise = _Promise(fact.commitment, row.round)
                self._promises[fact.card_number] = promise
            case (
                ev.HoleCardDealt()
                | ev.HoleCardKeyed()
                | ev.CardDrawnInError()
                | ev.CardHeld()
                | ev.CardWaiting()
                | ev.CardBurned()
            ) if fact.commitment:
                self._sealed(row, fact)
            case (
                ev.CardDealt()
                | ev.HoleCardRevealed()
                | ev.CardBurned()
                | ev.CardDiscarded()
                | ev.CardOpened()
                | ev.CardOffered()
            ):
                self._shown(row, fact)
            case _:
                pass

    def _take_over(self, fact: ev.TableStateRecorded) -> None:
        """Note the cards that an earlier journal hid: their round is not here."""
        for number, made in commitments(fact.state).items():
            self._promises[number] = _Promise(made, None, elsewhere=True)

    def _reported(self, row: Row, fact: cm.ReportCard) -> None:
        if fact.commitment:
            promise = _Promise(fact.commitment, row.round, fact.unread)
            self._promises[fact.number] = promise
        elif fact.card != UNKNOWN:
            # It is public. One that stays hidden was only read again: what its
            # number was committed to stands.
            self._promises.pop(fact.number, None)

    def _sealed(self, row: Row, fact: _Sealing) -> None:
        promise = self._promises.get(fact.number)
        if promise is not None and promise.commitment == fact.commitment:
            return
        if self._keyed is None or self._keyed.commitment != fact.commitment:
            raise _broken(
                row, fact.number, "its commitment is not the one it came with"
            )
        self._promises[fact.number] = self._keyed

    def _shown(self, row: Row, fact: _Showing) -> None:
        promise = self._promises.get(fact.number)
        if not fact.salt:
            hidden = promise is not None and not (promise.opened or promise.unread)
            if hidden and fact.card != UNKNOWN:
                raise _broken(
                    row, fact.number, "it is shown without opening its commitment"
                )
            return
        if promise is None:
            # A card keyed while its place was open is committed to and shown at once.
            promise = self._keyed
        if promise is None or not promise.commitment:
            raise _broken(row, fact.number, "it opens a commitment that was never made")
        if (
            not promise.elsewhere
            and self._computed(fact, promise) != promise.commitment
        ):
            raise _broken(
                row, fact.number, f"{fact.card} is not the card it was hidden as"
            )
        self.openings[promise.commitment] = Opening(fact.card, fact.salt, fact.raw)
        self._promises[fact.number] = msgspec.structs.replace(promise, opened=True)

    def _computed(self, fact: _Showing, promise: _Promise) -> str:
        try:
            salt = bytes.fromhex(fact.salt)
            bound = (self._table, promise.round or 0, fact.number, fact.card)
            return commitment(salt, *bound).hex()
        except ValueError:
            return ""


def _broken(row: Row, number: int, what: str) -> FindingError:
    return FindingError(
        FindingKind.COMMITMENT, row.sequence, f"{row.type} of card {number}: {what}"
    )
