"""A contact, debounced: docs/protocol/panel.md, What a panel does, 2 and 5."""

DEBOUNCE_MS = 10
UP_AFTER_START_MS = 1000


class Contact:
    """Turns what a contact does into presses.

    `down` is the debounced state. `pressed_at` and `prompt` tell of the last press:
    when the contact closed, and what the panel showed just then.
    """

    def __init__(self, closed: bool, now: int) -> None:  # noqa: FBT001 - a pin's level
        self.down = closed
        self.pressed_at = now
        self.prompt = 0
        # Whoever holds a button while the panel starts has pressed nothing.
        self._may_press = not closed
        self._closed = closed
        self._since = now

    def sample(self, closed: bool, prompt: int, now: int) -> bool:  # noqa: FBT001 - same
        """Take in what the contact is at `now` (ms); return whether it was pressed."""
        if closed != self._closed:
            self._closed = closed
            self._since = now
            self._note(prompt)
        steady_ms = now - self._since
        if not self._may_press and not closed and steady_ms >= UP_AFTER_START_MS:
            self._may_press = True
        if closed == self.down or steady_ms < DEBOUNCE_MS:
            return False
        self.down = closed
        return closed and self._may_press

    def _note(self, prompt: int) -> None:
        # Only while the button counts as up: bounces of its release are no press.
        if self._closed and not self.down:
            self.pressed_at = self._since
            self.prompt = prompt
