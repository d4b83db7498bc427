"""The steps of a round as scenes of its page, told apart by what can be read there.

A drawing of the whole table for each of hundreds of records would be megabytes. Most
records change one region or two, so each different region is kept once, and a scene
names those that are new in it.
"""

from collections.abc import Iterable

import msgspec

from controller.evidence.account import Entry, RoundAccount, is_for_people
from controller.evidence.page.data import PublicTable
from controller.evidence.page.drawing import regions
from controller.evidence.page.markup import Html
from controller.evidence.reconstruct import Replayed, Step


class Scene(msgspec.Struct, frozen=True):
    """What a step of the page tells, and the table that it shows."""

    sequence: int
    entries: tuple[Entry, ...]
    table: PublicTable


def scenes_of(replayed: Replayed) -> tuple[Scene, ...]:
    """Return a scene for each record that tells something here.

    What the records after it changed silently, it shows as well.
    """
    told = frozenset(replayed.account.timeline)
    scenes: list[Scene] = []
    for step in replayed.steps:
        entries = tuple(e for e in _for_people(step, replayed.account) if e in told)
        if entries:
            scenes.append(Scene(step.sequence, entries, step.table))
        elif scenes:
            scenes[-1] = msgspec.structs.replace(scenes[-1], table=step.table)
    return tuple(scenes)


def _for_people(step: Step, account: RoundAccount) -> Iterable[Entry]:
    return (entry for entry in step.entries if is_for_people(entry, account))


class Reel:
    """The different regions of all scenes, each once, and what is new in each scene."""

    def __init__(self, scenes: Iterable[Scene]) -> None:
        self._numbers: dict[Html, int] = {}
        self._shown: dict[str, int] = {}
        self.changes: tuple[dict[str, int], ...] = tuple(
            self._take(scene.table) for scene in scenes
        )

    @property
    def pieces(self) -> tuple[Html, ...]:
        """The regions' contents, by their numbers."""
        return tuple(self._numbers)

    def _take(self, table: PublicTable) -> dict[str, int]:
        changed = {}
        for name, drawn in regions(table).items():
            number = self._numbers.setdefault(drawn, len(self._numbers))
            if self._shown.get(name) != number:
                changed[name] = self._shown[name] = number
        return changed
