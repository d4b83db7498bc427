"""What a panel does: docs/protocol/panel.md. No pin, no clock: `now` is in ms."""

from .contact import Contact
from .messages import (
    IDENTITY,
    REPORT,
    Poll,
    Press,
    Who,
    identity_payload,
    is_identify,
    read_poll,
    report_payload,
)
from .protocol import Receiver, encode_frame

FIRMWARE = "1.0.0"
PLACES = 4
DARK_AFTER_MS = 500
_TYPES_OF_DEVICES = 0x80


class Panel:
    """One panel between two starts.

    `lamps` is the mask to light and `prompt` what the lamps belong to; both 0 if dark.
    """

    def __init__(
        self, who: Who, codes: range, boot_id: int, closed: int, now: int
    ) -> None:
        self.who = who
        self.boot_id = boot_id
        self.lamps = 0
        self.prompt = 0
        self.acknowledged = 0
        self.dropped = 0
        self.waiting: list[Press] = []
        self._code_first = codes[0]
        self._own_lamps = sum(_bit(code) for code in codes)
        self._contacts = [Contact(bool(closed & _bit(code)), now) for code in codes]
        self._given = 0
        self._receiver = Receiver()
        self._malformed = 0
        self._polled_at: int | None = None

    @property
    def is_polled(self) -> bool:
        """Whether a host polls it; if none does, it is dark."""
        return self._polled_at is not None

    @property
    def errors(self) -> int:
        """How much came that was no frame, or none that the document has."""
        return self._receiver.errors + self._malformed

    @property
    def held(self) -> int:
        """The mask of the buttons that are down."""
        down = 0
        for place in range(len(self._contacts)):
            if self._contacts[place].down:
                down |= _bit(self._code_first + place)
        return down

    def receive(self, data: bytearray, count: int, now: int) -> bytes | None:
        """Take in the first `count` bytes of `data`; return the answer, if one is due.

        Of several questions only the last is still open: the host has given up on
        those before it.
        """
        answer = None
        receiver = self._receiver
        for place in range(count):
            if receiver.take(data[place]):
                answer = self._hear(receiver.frame, receiver.length, now) or answer
        return answer

    def sample(self, closed: int, now: int) -> None:
        """Take in which contacts are closed, as a mask of their buttons."""
        # By place, since pairs made by `zip` would be a thousand pieces of memory a
        # second to tidy away.
        for place in range(len(self._contacts)):
            code = self._code_first + place
            contact = self._contacts[place]
            if contact.sample(bool(closed & _bit(code)), self.prompt, now):
                self._keep(code, contact)

    def pass_time(self, now: int) -> None:
        """Go dark if no host has polled for half a second."""
        if self._polled_at is not None and now - self._polled_at >= DARK_AFTER_MS:
            self._polled_at = None
            self.lamps = self.prompt = 0

    def _keep(self, code: int, contact: Contact) -> None:
        if len(self.waiting) == PLACES:
            self.dropped = (self.dropped + 1) & 0xFFFF
            return
        self._given += 1
        press = Press(self._given, code, contact.prompt, contact.pressed_at)
        self.waiting.append(press)

    def _hear(self, frame: bytearray, length: int, now: int) -> bytes | None:
        """Return the answer to a frame; None if it is for others, or no question."""
        if frame[0] != self.who.address or frame[2] >= _TYPES_OF_DEVICES:
            return None
        if is_identify(frame, length):
            payload = identity_payload(self.who, self.boot_id, FIRMWARE)
            return encode_frame(frame[0], frame[1], IDENTITY, payload)
        poll = read_poll(frame, length)
        if poll is None:
            self._malformed += 1
            return None
        sequence = frame[1]
        self._obey(poll, now)
        head = (self.boot_id, self.acknowledged, self.held, self.dropped)
        payload = report_payload(head, self.waiting, now)
        return encode_frame(self.who.address, sequence, REPORT, payload)

    def _obey(self, poll: Poll, now: int) -> None:
        self.lamps = poll.lamps & self._own_lamps
        self.prompt = poll.prompt
        self._polled_at = now
        if poll.boot_id != self.boot_id or poll.taken > self._given:
            return
        if poll.taken > self.acknowledged:
            self.acknowledged = poll.taken
            self.waiting = [p for p in self.waiting if p.number > poll.taken]


def _bit(code: int) -> int:
    return 1 << (code - 1)
