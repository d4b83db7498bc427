"""Which lamps are lit by hand, and the lines that light them."""

from collections.abc import Iterable, Mapping
from typing import Final

from controller.core.ids import DEALER_SEAT, DealerButton
from controller.core.ids import Button as SeatButton
from controller.words.errors import WordsError
from drivers.panel.messages import Button

HELP: Final = (
    "press any button to see it here; lamp SEAT BUTTON, lamps SEAT, lamps all, dark; "
    "SEAT may be dealer; links says how the ports fare; end, or the end of the input, "
    "puts all lamps out"
)

LINKS: Final = "links"
"""The line that asks how the ports fare."""

Lamps = Mapping[int, frozenset[Button]]
"""Which lamps of which panels are lit; seat 0 is the dealer's panel."""

_AT_A_SEAT: Final = frozenset(Button(button.value) for button in SeatButton)
_AT_THE_DEALER: Final = frozenset(Button(button.value) for button in DealerButton)


class LampBoard:
    """The lamps of all panels of a table, as a technician's lines leave them."""

    def __init__(self, seats: int) -> None:
        """Begin dark."""
        self._seats = (*range(1, seats + 1), DEALER_SEAT)
        self._lit = dict(self.dark())

    def dark(self) -> Lamps:
        """Return every panel without a lamp."""
        return dict.fromkeys(self._seats, frozenset())

    def after(self, line: str) -> Lamps:
        """Return the lamps of the panels that a line speaks of; an empty one: of none.

        Raises:
            WordsError: It is no line that lights lamps.

        """
        words = line.split()
        wanted = self._wanted(words) if words else {}
        self._lit.update(wanted)
        return wanted

    def _wanted(self, words: list[str]) -> Lamps:
        match words:
            case ["dark"]:
                return self.dark()
            case ["lamps", "all"]:
                return {seat: buttons_at(seat) for seat in self._seats}
            case ["lamps", place]:
                seat = self._seat(place)
                return {seat: buttons_at(seat)}
            case ["lamp", place, word]:
                seat = self._seat(place)
                return {seat: self._lit[seat] ^ {_button(seat, word)}}
            case _:
                raise WordsError(f"one of: {HELP}", " ".join(words))

    def _seat(self, word: str) -> int:
        by_word: dict[str, int] = {
            str(seat) if seat else "dealer": seat for seat in self._seats
        }
        if word not in by_word:
            raise WordsError(f"one of the panels {' '.join(by_word)}", word)
        return by_word[word]


def buttons_at(seat: int) -> frozenset[Button]:
    """Return the buttons that a seat's panel may have; seat 0 is the dealer's."""
    return _AT_THE_DEALER if seat == DEALER_SEAT else _AT_A_SEAT


def in_order(buttons: Iterable[Button]) -> list[Button]:
    """Return buttons in the order in which a panel's documents name them."""
    return [button for button in Button if button in buttons]


def _button(seat: int, word: str) -> Button:
    """Return the button of that name at a panel.

    Raises:
        WordsError: It has none.

    """
    there = {button.value: button for button in in_order(buttons_at(seat))}
    if word not in there:
        raise WordsError(f"a button of this panel: {' '.join(there)}", word)
    return there[word]
