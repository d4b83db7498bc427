"""Pages of rounds, read as a browser reads them."""

import re
from html.parser import HTMLParser
from pathlib import Path

from controller.evidence.page.page import page
from controller.evidence.reconstruct import Replayed, replayed
from tests.evidence.recorded import write

VOID = {"meta", "input"}
BETS = "bet 1 25\nbet 3 100\nbet 5 12.50\n"
ROUND = f"""{BETS}
dealer deal
card 8h Ts 5d 6d 8c 7s 6s {{hole}}
press 3 hit
press 1 split
card 3h
press 1 double
card Ts
card 9d
press 1 stand
press 3 stand
press 5 hit
card Kd
"""
WHOLE = ROUND.format(hole="Tc") + "card 5h\ndealer pickup\n"


def page_of(folder: Path, text: str, number: int = 1, seat: int | None = None) -> str:
    """Return the page of a round that a scenario's steps play."""
    return page(played(folder, text, number, seat))


def played(
    folder: Path, text: str, number: int = 1, seat: int | None = None
) -> Replayed:
    """Rebuild a round that a scenario's steps play, in a folder of its own."""
    folder.mkdir(exist_ok=True)
    return replayed(write(folder / "j", text), number, seat)


class Element:
    """An element with its attributes and what stands in it."""

    def __init__(self, tag: str, attributes: dict[str, str | None]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.words = ""


class Read(HTMLParser):
    """A page as it was read: every element, and whether each was closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self.faults: list[str] = []
        self._open: list[Element] = []
        self.feed(page)
        self.close()
        self.faults += [f"{element.tag} stays open" for element in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        if len(set(names)) < len(names):
            self.faults.append(f"{tag} has an attribute twice: {names}")
        element = Element(tag, dict(attrs))
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1].tag != tag:
            self.faults.append(f"{tag} is closed at {self.getpos()}, not what is open")
        else:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.words += data

    def all(self, tag: str, **attributes: str) -> list[Element]:
        """Return the elements of that tag that have these attributes."""
        wanted = {
            name.rstrip("_").replace("_", "-"): attributes[name] for name in attributes
        }
        return [
            element
            for element in self.elements
            if element.tag == tag and wanted.items() <= element.attributes.items()
        ]


def records_in(read: Read) -> list[int]:
    """Return the numbers of the records that the timeline's items are for."""
    names = [
        element.attributes["id"] or ""
        for element in read.all("li")
        if "data-draw" in element.attributes
    ]
    return [int(re.fullmatch(r"record-(\d+)", name)[1]) for name in names]  # type: ignore[index]  # a name of another form fails the test here
