"""The four presses that a panel can hold, and a count of all that were ever made.

The count is the device's own testimony: what was pressed, what the table
acknowledged, what was lost with the power and what found no room. A test holds
it against what the table says it took.
"""

from typing import Final

import msgspec

from drivers.panel.messages import AGE_MAX_MS, PRESSES_HELD_MAX, Press

DROPPED_WRAPS_AT: Final = 0x1_0000
"""The count of dropped presses is two bytes wide."""


class MadePress(msgspec.Struct, frozen=True):
    """A button pushed by a person: what the wire says of it, and when and where.

    A press number means something only together with the panel's boot id.
    """

    boot_id: int
    press: Press
    made_at_s: float

    def at(self, now: float) -> Press:
        """Return the press as a report at `now` tells it, with its age."""
        age_ms = round((now - self.made_at_s) * 1000)
        return msgspec.structs.replace(self.press, age_ms=min(age_ms, AGE_MAX_MS))


class PressMemory:
    """Holds presses until the table has them, in the order they were made.

    The lists are testimony, not memory of the panel: who runs for long reads them
    and empties them.
    """

    def __init__(self, boot_id: int) -> None:
        self.boot_id = boot_id
        self.waiting: tuple[MadePress, ...] = ()
        self.acknowledged_number = 0
        self.dropped = 0
        self.acknowledged: list[MadePress] = []
        """Every press the table said it has, over all boot ids."""
        self.lost: list[MadePress] = []
        """Every press that waited when the power went."""
        self.without_room = 0
        self.pressed = 0
        self._last_number = 0

    def push(self, press: Press, now: float) -> MadePress | None:
        """Keep a press under the next number; without room it is only counted."""
        self.pressed += 1
        if len(self.waiting) == PRESSES_HELD_MAX:
            self.without_room += 1
            self.dropped = (self.dropped + 1) % DROPPED_WRAPS_AT
            return None
        self._last_number += 1
        numbered = msgspec.structs.replace(press, number=self._last_number)
        made = MadePress(self.boot_id, numbered, now)
        self.waiting = (*self.waiting, made)
        return made

    def acknowledge(self, boot_id: int, number: int) -> None:
        """Forget the presses up to this number, which the table says it has.

        Another boot id is about presses that no longer exist, and a number that was
        never given is about none; both are ignored, and nothing goes back.
        """
        if boot_id != self.boot_id:
            return
        if not self.acknowledged_number < number <= self._last_number:
            return
        self.acknowledged_number = number
        done = tuple(made for made in self.waiting if made.press.number <= number)
        self.acknowledged.extend(done)
        self.waiting = self.waiting[len(done) :]

    def lose_power(self, next_boot_id: int) -> None:
        """Lose what waits and number from one again, under a new boot id."""
        self.lost.extend(self.waiting)
        self.waiting = ()
        self.boot_id = next_boot_id
        self.acknowledged_number = 0
        self.dropped = 0
        self._last_number = 0
