"""Which group of the rack is whose hand, and when it went there (RACK).

So a hand can be shown again from the rack: its group is found by the order of the
pickup, and the cards of a group lie in the order dealt.
"""

import msgspec

from controller.core.cards import Card
from controller.core.ids import HandId
from controller.core.state import Group
from controller.journal.records import Record as Row


class GroupAccount(msgspec.Struct, frozen=True):
    """A group of the rack; without a hand a single card, burned or discarded.

    The record `sequence` put it there, `type` says how: `hand_picked_up`,
    `card_burned`, `card_discarded`. None: it lay there when the round began.
    """

    hand: HandId
    seat: int | None
    cards: tuple[Card, ...]
    sequence: int | None = None
    at: str | None = None
    type: str | None = None


class RackBook:
    """Follows the rack from the bottom up, and which record laid each group there."""

    def __init__(self) -> None:
        self._laid: list[tuple[Group, Row | None]] = []

    def take(self, row: Row, rack: tuple[Group, ...]) -> None:
        """Take the rack as it is after a record; a taking back makes it lower."""
        kept = 0
        while kept < min(len(rack), len(self._laid)) and _same(
            self._laid[kept][0], rack[kept]
        ):
            kept += 1
        was = self._laid[:kept]
        now = zip(rack[:kept], (by for _, by in was), strict=True)
        self._laid = [*now, *((group, row) for group in rack[kept:])]

    def groups(self, seats: dict[HandId, int]) -> tuple[GroupAccount, ...]:
        """Return the groups from the bottom up; `seats` says whose each hand is."""
        return tuple(
            GroupAccount(
                hand=group.hand,
                seat=seats.get(group.hand),
                cards=group.cards,
                sequence=by.sequence if by else None,
                at=by.recorded_at if by else None,
                type=by.type if by else None,
            )
            for group, by in self._laid
        )


def _same(one: Group, other: Group) -> bool:
    """Say whether a group is still that one; the faces may be known only later."""
    return (one.hand, one.numbers) == (other.hand, other.numbers)
