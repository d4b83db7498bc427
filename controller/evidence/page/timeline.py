"""The timeline: every sentence of a round with its time, its clause and its record."""

from zoneinfo import ZoneInfo

from controller.evidence.account import Entry
from controller.evidence.page.marks import clause_mark
from controller.evidence.page.markup import Html, tag, text
from controller.evidence.page.scenes import Reel, Scene
from controller.evidence.times import time_of_day


def timeline(scenes: tuple[Scene, ...], reel: Reel, zone: ZoneInfo) -> Html:
    """Return the timeline; each item names the regions that are new in its scene."""
    items = [
        _item(scene, changed, zone)
        for scene, changed in zip(scenes, reel.changes, strict=True)
    ]
    return tag(
        "section",
        tag("h2", text("What happened")),
        tag("ol", *items, id="timeline"),
        class_="right",
        aria_label="What happened",
    )


def _item(scene: Scene, changed: dict[str, int], zone: ZoneInfo) -> Html:
    name = f"record-{scene.sequence}"
    at = scene.entries[0].at
    when = tag("time", text(time_of_day(at, zone)), datetime=at)
    return tag(
        "li",
        tag("a", when, href=f"#{name}", title="Go to this step"),
        tag("span", text(str(scene.sequence)), class_="record", title="Record"),
        tag("div", *map(_sentence, scene.entries)),
        id=name,
        class_=scene.entries[0].type,
        data_draw=" ".join(f"{region}={piece}" for region, piece in changed.items()),
    )


def _sentence(entry: Entry) -> Html:
    whose = "" if entry.seat is None else str(entry.seat)
    return tag("p", text(entry.text), clause_mark(entry.clause), data_seat=whose)
