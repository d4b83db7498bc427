"""What a board has to offer: contacts, lamps, the line, a clock and a watchdog."""


class Parts:
    """The parts around a panel. `board.Board` has real ones, a test has others."""

    def now_ms(self) -> int:
        """Return milliseconds since some start; they never go back nor wrap."""
        raise NotImplementedError

    def closed(self) -> int:
        """Return the mask of the buttons whose contacts are closed just now."""
        raise NotImplementedError

    def show(self, lamps: int) -> None:
        """Light exactly the lamps of this mask."""
        raise NotImplementedError

    def light(self, on: bool) -> None:  # noqa: FBT001 - a pin's level
        """Switch the board's own light."""
        raise NotImplementedError

    def read(self, into: bytearray) -> int:
        """Move bytes that came over the line to `into`; return how many."""
        raise NotImplementedError

    def send(self, frame: bytes) -> None:
        """Take the bus, send a frame, and leave the bus when its last bit is out."""
        raise NotImplementedError

    def feed(self) -> None:
        """Tell the watchdog that all is well."""
        raise NotImplementedError
