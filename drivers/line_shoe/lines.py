"""Lines in a stream: where one ends, and whether it is whole and clean.

Any bytes give lines or counted doubts, never an exception; how they were split on
the way changes nothing. Source: docs/protocol/line-shoe.md, Lines.
"""

import enum
import re
from typing import Final

_LINE_FEED: Final = b"\n"
_RETURN: Final = b"\r"
_PRINTABLE: Final = re.compile(rb"[ -~]*")


class Doubt(enum.Enum):
    """Why a line cannot be trusted: it may have been several, or none."""

    OVERLONG = "longer than any line of this shoe"
    UNCLEAN = "bytes in it that are no text"
    CUT = "begun and not ended"


class LineReader:
    """Finds lines that end in carriage return and line feed.

    There is no checksum: a wrong bit that leaves printable text shows only where the
    text then fits no form. Empty lines say nothing and are counted. An overlong line is
    a doubt each time that the longest length has passed, and at its end.
    """

    def __init__(self, max_bytes: int) -> None:
        self.empty_lines = 0
        self._max_bytes = max_bytes
        self._buffer = bytearray()
        self._is_overlong = False

    @property
    def has_begun(self) -> bool:
        """Whether bytes came that no end of a line has followed yet."""
        return bool(self._buffer) or self._is_overlong

    def receive_data(self, data: bytes) -> list[bytes | Doubt]:
        """Return the lines that these bytes complete, without their ends."""
        found: list[bytes | Doubt] = []
        *ended, rest = data.split(_LINE_FEED)
        for chunk in ended:
            found += self._append(chunk)
            found += self._end()
        found += self._append(rest)
        return found

    def give_up(self) -> list[bytes | Doubt]:
        """Forget a line that does not end."""
        if self._is_overlong:
            return self._end()
        self.clear()
        return [Doubt.CUT]

    def clear(self) -> None:
        """Forget a line that has begun: the port was opened anew."""
        self._buffer.clear()
        self._is_overlong = False

    def _append(self, chunk: bytes) -> list[bytes | Doubt]:
        found: list[bytes | Doubt] = []
        longest = self._max_bytes + len(_RETURN)
        self._buffer += chunk
        while len(self._buffer) > longest:
            # Nothing this long is a line, and memory has a limit. Whatever more comes
            # before the end may hide a card of its own: it is a doubt of its own.
            del self._buffer[: longest + 1]
            self._is_overlong = True
            found.append(Doubt.OVERLONG)
        return found

    def _end(self) -> list[bytes | Doubt]:
        chunk, was_overlong = bytes(self._buffer), self._is_overlong
        self.clear()
        if was_overlong:
            # Where nothing came since the last doubt, that was all.
            return [Doubt.OVERLONG] if chunk.removesuffix(_RETURN) else []
        line = chunk.removesuffix(_RETURN)
        if line == chunk or _PRINTABLE.fullmatch(line) is None:
            return [Doubt.UNCLEAN]
        if not line:
            self.empty_lines += 1
            return []
        return [line]
