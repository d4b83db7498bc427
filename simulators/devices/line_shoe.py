"""A bought shoe that prints a line for each card, at the end of its own line.

It hears nothing, remembers nothing and has no gate: what it prints while nobody
listens is gone.
"""

from drivers.line_shoe.codec import to_line
from drivers.line_shoe.messages import Alarm, CardNotRead, CardRead, Known, Warned
from drivers.line_shoe.profiles import LineProfile
from simulators.devices.decks import Decks

LINE_END = b"\r\n"


class LineShoeSimulator:
    """One such shoe, perhaps with decks inside.

    `printed` counts its lines since `expect_opening`, and `boot_id_before` is the id
    under which the host counted until then: it takes another with each opening.
    """

    def __init__(self, profile: LineProfile, decks: Decks | None = None) -> None:
        self.decks = decks
        self.printed = 0
        self.boot_id_before = 0
        self._profile = profile
        self._to_send = bytearray()

    def expect_opening(self, boot_id: int) -> None:
        """Count lines anew: the host is about to open the port, after this boot id."""
        self.printed = 0
        self.boot_id_before = boot_id

    def draw(self, card: str) -> None:
        """Draw this card."""
        self._print(CardRead(card))

    def draw_unread(self) -> None:
        """Draw a card whose face cannot be read."""
        self._print(CardNotRead())

    def draw_next(self) -> str | None:
        """Draw the next card of the decks inside, or None if there is none left.

        Nothing is printed of the cut card, and nothing when the shoe is empty.
        """
        if self.decks is None or self.decks.left_to_draw == 0:
            return None
        card = self.decks.draw()
        self.draw(card)
        return card

    def give_alarm(self, code: str) -> None:
        """Print an alarm, such as E5."""
        self._print(Alarm(code))

    def warn(self, code: str) -> None:
        """Print a warning, such as W0x01."""
        self._print(Warned(code))

    def print_raw(self, line: bytes) -> None:
        """Print whatever this is, as a line of its own."""
        self.printed += 1
        self.send(line + LINE_END)

    def send(self, data: bytes) -> None:
        """Send bytes, whether they are lines or not."""
        self._to_send += data

    def receive_data(self, data: bytes, now: float) -> None:
        """Hear nothing of what the host says."""

    def data_to_send(self, now: float) -> bytes:  # noqa: ARG002 - as every device
        """Give what was printed since."""
        data = bytes(self._to_send)
        self._to_send.clear()
        return data

    def handle_timer(self, now: float) -> None:
        """Do nothing: it says nothing by itself."""

    @property
    def deadline(self) -> float | None:
        """Never: it says nothing by itself."""
        return None

    def _print(self, message: Known) -> None:
        self.print_raw(to_line(self._profile, message))
