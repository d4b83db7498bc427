"""A line shoe at a virtual table: its cards, and which of them the table knows.

What it prints may be lost, and nothing repeats it. People then read what lies on the
felt, so this follows each card from the shoe into the journal.
"""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Final

from controller.core import events as ev
from controller.core.cards import Card
from controller.core.evolve import Record
from controller.core.state import TableState
from drivers.events import DriverEvent, Remark, ShoeEventReceived, ShoeRemarked
from drivers.events import ShoeStateChanged as CountedAnew
from drivers.line_shoe.profiles import LineProfile
from drivers.shoe.messages import CardDrawn, CardUnread, ShoeFlag
from simulators.devices.decks import Decks, fresh_decks
from simulators.devices.line_shoe import LineShoeSimulator
from simulators.rigs.virtual.felt import PENETRATION, Felt, Key

_NO_BOOT_ID: Final = 0
"""Under this the cards are listed that only people know of."""

_LAST_QUARTER: Final = 1 - PENETRATION


class LineShoeAtTable(LineShoeSimulator):
    """A line shoe with real cards in it, whose dealer looks at the screen.

    `is_wanted`: the screen asks for a card; `is_listened_to`: its port is open.
    `passed_over`: the last card in the journal has one before it that is not. `out`
    has the face of each card that came into the host's count, and of each that people
    named; `unread` are those whose face was not read.
    """

    def __init__(self, profile: LineProfile, source: Random, decks: int) -> None:
        self.powered = True
        self.flags_standing: frozenset[ShoeFlag] = frozenset()
        self.is_wanted = False
        self.is_listened_to = False
        self.passed_over = False
        self.out: dict[Key, str] = {}
        self.unread: set[Key] = set()
        self._source = source
        self._count = decks
        self._called = False
        self._is_in_doubt = False
        self._boot_id = _NO_BOOT_ID
        self._named = 0
        # Each by its place in the order in which they were drawn.
        self._drawn = 0
        self._on_the_way: dict[int, tuple[str, bool]] = {}
        self._heard: dict[Key, int] = {}
        self._unseen: dict[int, str] = {}
        self._looked_over: set[int] = set()
        self.cards = self._fresh()
        super().__init__(profile, self.cards)

    # --- Hands at the shoe --------------------------------------------------------

    @property
    def gate_is_open(self) -> bool:
        """Whether the dealer draws: a card is asked for, and none is on its way."""
        return self.is_wanted and self.all_is_taken

    @property
    def all_is_taken(self) -> bool:
        """Whether nothing that it printed is still to come."""
        return not self._on_the_way and not self._heard

    @property
    def another_is_wanted(self) -> bool:
        """Whether it nears its last cards, which it tells nobody, or was called for."""
        whole = len(fresh_decks(self._count))
        return self._called or self.cards.left_to_draw < _LAST_QUARTER * whole

    def call_for_another(self) -> None:
        """Ask for another shoe."""
        self._called = True

    def draw(self, card: str) -> None:
        """Draw this card."""
        self._leaves(card, is_read=True)
        super().draw(card)

    def draw_unread(self) -> None:
        """Draw the next card of the decks without reading it."""
        if self.cards.left_to_draw:
            self._leaves(self.cards.draw(), is_read=False)
            super().draw_unread()

    def draw_garbled(self, line: bytes) -> None:
        """Draw the next card and print a line that nobody can take for a card."""
        if self.cards.left_to_draw:
            self._drawn += 1
            self._unseen[self._drawn] = self.cards.draw()
            self.print_raw(line)

    def pause(self) -> None:
        """Take its power."""
        self.powered = False

    def lose(self) -> None:
        """Take its power; it has no memory to lose."""
        self.powered = False

    def come_back(self) -> None:
        """Give the power back."""
        self.powered = True

    def replace(self) -> None:
        """Put another shoe of fresh decks in the place of this one."""
        self.cards = self.decks = self._fresh()
        self._called = False

    def put_back(self, but: Iterable[Key]) -> None:
        """Lay no card back: this shoe tells nobody of a shuffle, so none is made."""

    # --- What became of each card -------------------------------------------------

    def host_started(self) -> None:
        """Note that a host began anew: what only the one before had heard is lost."""
        for key, place in self._heard.items():
            self._unseen[place] = self.out.pop(key)
            self.unread.discard(key)
        self._heard.clear()

    def heard(self, event: DriverEvent) -> None:
        """Follow what the host's session makes of the lines."""
        match event:
            case ShoeRemarked(_, Remark.GARBLED_LINE | Remark.UNKNOWN_LINE):
                self._is_in_doubt = True
            case CountedAnew():
                self._boot_id = event.boot_id
                if not self._is_in_doubt:
                    # It is a new opening, which throws away what was waiting.
                    self.line_is_empty()
                self._is_in_doubt = False
            case ShoeEventReceived(event=CardDrawn(number, face)):
                self._hear(number, (face, True))
            case ShoeEventReceived(event=CardUnread(number)):
                self._hear(number, None)
            case _:
                pass

    def line_is_empty(self) -> None:
        """Note that nothing more comes of what was printed until now."""
        for place, (face, _) in self._on_the_way.items():
            self._unseen[place] = face
        self._on_the_way.clear()

    def noted(self, key: Key) -> None:
        """Note that a card that the host heard of is in the journal."""
        place = self._heard.pop(key, None)
        self.passed_over = place is not None and any(
            one < place for one in self._unseen
        )

    @property
    def unseen(self) -> tuple[str, ...]:
        """The faces on the felt that the table does not know, as they were drawn."""
        return tuple(self._unseen[place] for place in sorted(self._unseen))

    def name_unseen(self) -> Key | None:
        """Take the first such card as one that people have named; return its key."""
        if not self._unseen:
            return None
        self._named += 1
        key = (_NO_BOOT_ID, self._named)
        self.out[key] = self._unseen.pop(min(self._unseen))
        return key

    def look_over(self) -> None:
        """Note what of these somebody sees who decides now."""
        self._looked_over = set(self._unseen)

    def sweep_since(self) -> None:
        """Take those off the felt that came after somebody looked, and decided."""
        for place in self._unseen.keys() - self._looked_over:
            del self._unseen[place]

    def sweep(self) -> None:
        """Take what the table does not know off the felt."""
        self._unseen.clear()

    def _fresh(self) -> Decks:
        return Decks(fresh_decks(self._count), self._source, PENETRATION)

    def _leaves(self, face: str, *, is_read: bool) -> None:
        self._drawn += 1
        self._on_the_way[self._drawn] = (face, is_read)

    def _hear(self, number: int, read: tuple[str, bool] | None) -> None:
        """Find which card this is: those before it that differ did not come through."""
        key = (self._boot_id, number)
        for place in list(self._on_the_way):
            face, is_read = self._on_the_way.pop(place)
            if (face, is_read) == read or (read is None and not is_read):
                self.out[key] = face
                self._heard[key] = place
                if not is_read:
                    self.unread.add(key)
                return
            self._unseen[place] = face


class FeltOfLines(Felt):
    """The felt before a line shoe, where cards may lie that the table does not know."""

    def __init__(self, shoe: LineShoeAtTable) -> None:
        super().__init__(shoe)
        self._line_shoe = shoe
        self._is_in_round = False

    def note(self, records: Iterable[Record], after: TableState) -> None:
        """Follow the numbers that a step gave; `after` is the table then."""
        super().note(records, after)
        for number in _named_in(records):
            key = self._line_shoe.name_unseen()
            if key is not None:
                self._keys[number] = key
        if any(isinstance(one, ev.TableResumed) for one in records):
            self._line_shoe.sweep_since()
        was_in_round, self._is_in_round = self._is_in_round, after.opening is not None
        if not (was_in_round and self._is_in_round):
            self._line_shoe.sweep()

    def face(self, number: int) -> Card | None:
        """Return the face of a card that lies there, also of one not numbered yet."""
        if number in self._keys:
            return super().face(number)
        unseen = self._line_shoe.unseen
        return Card(unseen[0]) if unseen else None

    def _note(self, number: int, boot_id: int, after: TableState) -> None:
        super()._note(number, boot_id, after)
        self._line_shoe.noted(self._keys[number])


def _named_in(records: Iterable[Record]) -> Iterator[int]:
    for record in records:
        if isinstance(record, ev.UnseenCardNumbered):
            yield record.number
