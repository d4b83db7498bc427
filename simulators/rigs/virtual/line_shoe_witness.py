"""A line shoe's testimony: no card twice, none invented, none that passes unseen."""

from typing import Final

from controller.core import commands as cm
from controller.core.cards import UNKNOWN
from controller.core.state import TableState
from simulators.rigs.virtual.line_shoe import LineShoeAtTable
from simulators.rigs.virtual.testimony import EVENTS_ONCE, Blame, ShoeCommand

NOTHING_UNSEEN: Final = "no_card_passes_unseen"

NOTICED_WITHIN_S: Final = 3.0
"""A line that does not end is given up after 1 s, a doubt may be told 1 s late."""


class LineShoeWitness:
    """The side of the story of a shoe that prints, and repeats nothing."""

    def __init__(self, shoe: LineShoeAtTable, blame: Blame) -> None:
        self._shoe = shoe
        self._blame = blame
        self._last: dict[int, int] = {}
        self._in_play = False
        self._unseen_since_s: float | None = None

    def adopted(self, boot_id: int, _number: int) -> None:
        """Note that a record begins with a boot id; no card of it came before."""
        self._last[boot_id] = 0

    def recorded(self, command: ShoeCommand, after: TableState) -> None:
        """Hold a card on disk against the one that was drawn."""
        if command.cursor is None:
            return  # It is the driver's own: that the shoe is gone, or back.
        if not isinstance(command, cm.ReportCard):
            self._blame(EVENTS_ONCE, f"a line shoe tells of no such thing: {command}")
            return
        boot_id = command.cursor.boot_id
        number = command.number - after.shoe.card_offset
        if number != self._last.get(boot_id, 0) + 1:
            # Under one boot id nothing was in doubt: each card came, in order.
            self._blame(EVENTS_ONCE, f"card {number} of {boot_id} is out of order")
        self._last[boot_id] = number
        if self._shoe.passed_over and after.opening is not None and not after.suspended:
            self._blame(
                NOTHING_UNSEEN, f"card {number} of {boot_id} is dealt too early"
            )
        key = (boot_id, number)
        face, told = self._shoe.out.get(key), command.card
        is_same = told in {face, UNKNOWN} and command.unread is (
            key in self._shoe.unread
        )
        if face is None or not is_same:
            self._blame(EVENTS_ONCE, f"card {number} of {boot_id} was {face}: {told}")

    def committed(self, state: TableState) -> None:
        """Note whether a round is played."""
        self._in_play = state.opening is not None and not state.suspended

    def look(self, now: float) -> None:
        """Look whether a round goes on beside a card that the table never saw."""
        if not (self._in_play and self._shoe.unseen and self._shoe.is_listened_to):
            self._unseen_since_s = None
        elif self._unseen_since_s is None:
            self._unseen_since_s = now
        elif now - self._unseen_since_s > NOTICED_WITHIN_S:
            faces = " ".join(self._shoe.unseen)
            self._blame(NOTHING_UNSEEN, f"play goes on, and nobody saw {faces}")
            self._unseen_since_s = now
