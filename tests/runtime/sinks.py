"""A log that keeps its lines, for tests to read."""

import json
from typing import Any


class Lines:
    def __init__(self) -> None:
        self.kept: list[str] = []
        self.dropped = 0

    def put(self, line: str) -> None:
        self.kept.append(line)

    def drop(self) -> None:
        self.dropped += 1

    def only(self) -> dict[str, Any]:
        (line,) = self.kept
        found = json.loads(line)
        assert isinstance(found, dict)
        return found
