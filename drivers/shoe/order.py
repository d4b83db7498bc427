"""Which events of a shoe were handed over, which are taken, and which are missing.

One of these for each boot id. Events are handed over strictly in order, each once.
Source: docs/protocol/shoe.md, What the host does.
"""

from collections.abc import Iterator

from drivers.errors import AcknowledgedAheadError
from drivers.events import Cursor, ShoeCursor, ShoeEventReceived, ShoeGapFound
from drivers.shoe.messages import (
    CardDrawn,
    CardUnread,
    EventReport,
    Heartbeat,
    NotHeld,
)

OrderEvent = ShoeEventReceived | ShoeGapFound


class EventOrder:
    """The numbers of one boot id."""

    def __init__(self, boot_id: int, cursor: ShoeCursor | None) -> None:
        same = cursor is not None and cursor.boot_id == boot_id
        self.boot_id = boot_id
        # Without a cursor the first heartbeat says where to begin.
        self.is_placed = same
        self.taken = cursor.number if cursor and same else 0
        self.handed_over = self.taken
        self.next_card_number = cursor.next_card_number if cursor and same else None
        self.latest = self.taken
        self._backward_count = 0

    @property
    def is_missing_some(self) -> bool:
        """Whether the shoe told of more than was handed over."""
        return self.is_placed and self.latest > self.handed_over

    @property
    def is_surely_backwards(self) -> bool:
        """Whether it said twice in a row that less has happened: once may be late."""
        return self._backward_count > 1

    @property
    def cursor(self) -> ShoeCursor:
        """Where we are: the last event that was handed over."""
        return ShoeCursor(self.boot_id, self.handed_over, self.next_card_number)

    def acknowledge(self, cursor: Cursor | ShoeCursor) -> bool:
        """Note that events are taken; return whether that is news.

        Raises:
            AcknowledgedAheadError: This event was never handed over.

        """
        if cursor.number > self.handed_over:
            raise AcknowledgedAheadError(
                f"shoe event {cursor.number} was acknowledged, the last one handed "
                f"over is {self.handed_over}"
            )
        is_news = cursor.number > self.taken
        self.taken = max(self.taken, cursor.number)
        return is_news

    def place(self, heartbeat: Heartbeat) -> None:
        """Begin where the shoe's host of before left it, if we have no cursor."""
        if self.is_placed:
            return
        self.is_placed = True
        self.taken = self.handed_over = heartbeat.acknowledged
        # Only a shoe that nobody served is certain to give out card 1 next.
        if heartbeat.acknowledged == 0:
            self.next_card_number = 1

    def counts_backwards(self, heartbeat: Heartbeat) -> bool:
        """Return whether the shoe says less has happened than it told before."""
        is_backwards = heartbeat.last_event < self.handed_over
        self._backward_count = self._backward_count + 1 if is_backwards else 0
        return is_backwards

    def receive_heartbeat(
        self, heartbeat: Heartbeat, raw: bytes
    ) -> Iterator[OrderEvent]:
        """Learn of the latest event, and of cards that left without one."""
        self.latest = max(self.latest, heartbeat.last_event)
        if not self.is_missing_some:
            yield from self._skip_cards_to(heartbeat.next_card_number, 0, raw)

    def receive_report(self, report: EventReport, raw: bytes) -> Iterator[OrderEvent]:
        """Hand over an event if it is the next one."""
        self.latest = max(self.latest, report.number)
        if not self.is_placed or report.number != self.handed_over + 1:
            return
        match report.event:
            case CardDrawn(card_number, _) | CardUnread(card_number):
                yield from self._skip_cards_to(card_number, 0, raw)
                self._expect_card(card_number + 1)
            case _:
                pass
        self.handed_over = report.number
        yield ShoeEventReceived(self.cursor, report.event, raw)

    def receive_not_held(self, answer: NotHeld, raw: bytes) -> Iterator[OrderEvent]:
        """Give up what the shoe cannot give: this is the only way to a gap."""
        missing = answer.first_held - self.handed_over - 1
        if not self.is_placed or missing <= 0:
            return
        self.handed_over = answer.first_held - 1
        self.latest = max(self.latest, self.handed_over)
        yield from self._skip_cards_to(answer.next_card_number, missing, raw)

    def _skip_cards_to(
        self, card_number: int, events_missing: int, raw: bytes
    ) -> Iterator[OrderEvent]:
        """Say which card numbers are left out before this one, if any are."""
        first = self.next_card_number
        if first is None:
            first = card_number
        cards_missing = max(card_number - first, 0)
        self._expect_card(card_number)
        if events_missing or cards_missing:
            yield ShoeGapFound(self.cursor, events_missing, first, cards_missing, raw)

    def _expect_card(self, card_number: int) -> None:
        # A card that is read at last has a number from before; that changes nothing.
        self.next_card_number = max(self.next_card_number or 0, card_number)
