"""One panel that is wired to pins: which prompt a press was for, and its number.

The lamps carry no number. A press belongs to the prompt whose lamps had been written
before its first edge; one that began before them was for what was lit until then, and
is refused as such. Source: docs/gpio.md, Presses.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from drivers.errors import AcknowledgedAheadError
from drivers.events import Cursor, PressesDropped, PressReceived
from drivers.gpio.wiring import Key, Line, PanelWiring
from drivers.panel.messages import (
    AGE_MAX_MS,
    NO_PROMPT,
    PRESSES_HELD_MAX,
    Button,
    Press,
)

REMEMBERED_S: Final = 5.0
"""How long it is known what was lit; a contact comes to rest within a second."""

_BOOT_IDS: Final = 0xFFFFFFFF


class Shown(msgspec.Struct, frozen=True):
    """What a panel showed from a time on, once its lamps were written."""

    since_s: float
    prompt_number: int
    lamps: frozenset[Button]


class PinPanel:
    """The buttons of one seat, or the dealer's; `address` is how events name it.

    The numbers of its presses begin at 1 under a boot id that counts on from the last
    one in the journal, so that none comes twice.
    """

    def __init__(
        self, wiring: PanelWiring, address: int, cursor: Cursor | None
    ) -> None:
        self.wiring = wiring
        self.address = address
        self.boot_id = cursor.boot_id % _BOOT_IDS + 1 if cursor else 1
        self._prompt_number = NO_PROMPT
        self._lamps: frozenset[Button] = frozenset()
        self._shown: list[Shown] = []
        self._handed_over = 0
        self._taken = 0
        self._dropped = 0

    def set_lamps(self, prompt_number: int, lamps: frozenset[Button]) -> None:
        """Want these lamps for this prompt; they count once they are written."""
        self._prompt_number, self._lamps = prompt_number, lamps

    def lamps(self) -> Iterator[tuple[Line, bool]]:
        """Return each lamp's line, and whether it should be lit."""
        for key in self.wiring.keys:
            yield key.lamp, not self._lamps.isdisjoint(key.does)

    def written(self, now: float) -> None:
        """Note that the lamps are as wanted since `now`."""
        wanted = (self._prompt_number, self._lamps)
        if self._shown:
            last = self._shown[-1]
            if (last.prompt_number, last.lamps) == wanted:
                return
        later = (shown.since_s for shown in self._shown[1:])
        gone = sum(1 for since_s in later if since_s < now - REMEMBERED_S)
        self._shown = [*self._shown[gone:], Shown(now, *wanted)]

    def went_dark(self) -> None:
        """Forget what was shown: the lines are lost."""
        self._shown.clear()

    def press(
        self, key: Key, since_s: float, now: float
    ) -> PressReceived | PressesDropped | None:
        """Return the press of a key whose first edge was at a time.

        None for one that is older than every lamp: nothing was asked for yet.
        """
        shown = self._shown_at(since_s)
        if shown is None:
            return None
        if self._handed_over - self._taken >= PRESSES_HELD_MAX:
            self._dropped += 1
            return PressesDropped(self.address, self.boot_id, self._dropped)
        self._handed_over += 1
        press = Press(
            self._handed_over,
            _meant(key, shown.lamps),
            shown.prompt_number,
            age_ms=min(round((now - since_s) * 1000), AGE_MAX_MS),
        )
        cursor = Cursor(self.boot_id, press.number)
        return PressReceived(self.address, cursor, press)

    def acknowledge(self, cursor: Cursor) -> None:
        """Note that presses up to this one are taken; those of another boot id are not.

        Raises:
            AcknowledgedAheadError: This press was never handed over.

        """
        if cursor.boot_id != self.boot_id:
            return
        if cursor.number > self._handed_over:
            raise AcknowledgedAheadError(
                f"press {cursor.number} of panel {self.address} was acknowledged, "
                f"the last one handed over is {self._handed_over}"
            )
        self._taken = max(self._taken, cursor.number)

    def _shown_at(self, moment_s: float) -> Shown | None:
        """Return what was shown at a time; what was written right then came after."""
        before = (shown for shown in reversed(self._shown) if shown.since_s < moment_s)
        return next(before, None)


def _meant(key: Key, lamps: frozenset[Button]) -> Button:
    """Return what a key was pressed for: what it was lit for, else the first of all."""
    return next((button for button in key.does if button in lamps), key.does[0])
