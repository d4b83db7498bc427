"""What a shoe remembers of its events, and a full count of them.

The count is the device's own testimony: everything that happened at the shoe,
what the table acknowledged and what was forgotten before it did.
"""

import msgspec

from drivers.shoe.messages import (
    EVENTS_HELD_MIN,
    EventReport,
    ShoeEvent,
)


class HeldEvent(msgspec.Struct, frozen=True):
    """An event with the number that the next card was to have just before it."""

    report: EventReport
    next_card_number: int


class ShoeMemory:
    """Numbers events from 1 in each boot id and holds the latest of them.

    The lists but `held` are testimony, not memory of the shoe: who runs for long
    reads them and empties them.
    """

    def __init__(self, boot_id: int) -> None:
        self.boot_id = boot_id
        self.last_event = 0
        self.acknowledged_number = 0
        self.held: list[HeldEvent] = []
        """The latest events without a gap, oldest first, taken or not."""
        self.happened: list[EventReport] = []
        """Everything that ever happened, over all boot ids, also what was lost."""
        self.acknowledged: list[EventReport] = []
        """What the table said it has."""
        self.lost: list[EventReport] = []
        """What was forgotten before the table said so."""

    @property
    def oldest_not_taken(self) -> HeldEvent | None:
        """The first event that the table has not said it has, if it is still held."""
        taken = self.acknowledged_number
        return next((held for held in self.held if held.report.number > taken), None)

    def record(self, event: ShoeEvent, next_card_number: int) -> EventReport:
        """Hold an event under the next number; a full memory forgets its oldest."""
        self.last_event += 1
        report = EventReport(self.boot_id, self.last_event, event)
        self.held.append(HeldEvent(report, next_card_number))
        self.happened.append(report)
        self.forget_up_to(self.last_event - EVENTS_HELD_MIN)
        return report

    def acknowledge(self, boot_id: int, number: int) -> None:
        """Note that the table has the events up to this number.

        Another boot id, a number never given and a lower one than before are ignored.
        """
        if boot_id != self.boot_id:
            return
        if not self.acknowledged_number < number <= self.last_event:
            return
        self.acknowledged.extend(
            held.report
            for held in self.held
            if self.acknowledged_number < held.report.number <= number
        )
        self.acknowledged_number = number

    def forget_up_to(self, number: int) -> None:
        """Forget the events up to this number, as a full or damaged memory does."""
        while self.held and self.held[0].report.number <= number:
            report = self.held.pop(0).report
            if report.number > self.acknowledged_number:
                self.lost.append(report)

    def lose_power(self, next_boot_id: int) -> None:
        """Forget all and number from one again, under a new boot id."""
        self.forget_up_to(self.last_event)
        self.boot_id = next_boot_id
        self.last_event = 0
        self.acknowledged_number = 0
