"""Two open rounds that differ in the hole card alone are told and reported alike.

Whatever has happened since the hole card was dealt: until the peek's one bit or the
reveal, not a byte of any evidence command differs (SECRET-2).
"""

from pathlib import Path

import pytest

from tests.cli.test_rounds import shown
from tests.evidence.recorded import write

BEFORE = "bet 1 25\ndealer deal\ncard Th 9d 7c Tc\npress 1 stand\ndealer pickup\n"
DEAL = "bet 1 25\nbet 3 10\ndealer deal\ncard 9h Ts {upcard} 9c 8s {hole}\n"
COMMANDS = (
    ("round", "2"),
    ("round", "2", "--json"),
    ("round", "2", "--seat", "1"),
    ("round", "2", "--seat", "3", "--json"),
    ("round", "--at", "2026-01-31 13:00"),
    ("rounds", "--json"),
    ("report", "--shift", "1"),
    ("report", "--shift", "1", "--json"),
    ("report", "--day", "2026-01-31"),
    ("report", "--day", "2026-01-31", "--html", "{folder}/report.html"),
    ("round", "2", "--html", "{folder}/round.html"),
    ("evidence", "1", "-o", "{folder}/round-1.zip"),
    ("export", "--round", "1", "-o", "{folder}/before.jsonl"),
)
WRITTEN = ("report.html", "round.html", "round-1.zip", "before.jsonl")
"""Files that the commands write; the last two are of the round before."""
SINCE = {
    "dealt": ("6d", ""),
    "insurance": ("As", "press 1 insure\n"),
    "played": ("6d", "press 3 hit\npress 1 hit\ncard Kd\nwait 25\n"),
    "stopped": ("6d", 'dealer call "a card was seen"\n'),
    "a card too many": ("6d", "card 2c\n"),
    "started again": ("6d", "power-cut\nlate-press 1 hit\n"),
    "panel lost": ("6d", "panel 1 lost\nsupervisor S1 allow-dealer-entry 1\n"),
}


def told(
    folder: Path, hole: str, since: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> list[str]:
    """Return all that is told of an open round with this hole card."""
    upcard, steps = since
    folder.mkdir()
    deal = DEAL.format(upcard=upcard, hole=hole)
    path = write(folder / "table.journal", BEFORE + deal + steps)
    said = [
        shown(
            capsys,
            *(word.format(folder=folder) for word in command),
            "--journal",
            str(path),
        )
        for command in COMMANDS
    ]
    # As latin-1, byte for byte, whatever is in the file.
    said += [(folder / name).read_bytes().decode("latin-1") for name in WRITTEN]
    return [text.replace(str(folder), "folder") for text in said]


@pytest.mark.parametrize("since", SINCE.values(), ids=SINCE)
def test_nothing_that_is_told_differs(
    since: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = told(tmp_path / "one", "Tc", since, capsys)
    two = told(tmp_path / "two", "2s", since, capsys)
    assert one == two
    assert all("the ten of clubs" not in text.partition("Round 2")[2] for text in one)


def test_once_it_is_revealed_it_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    since = ("6d", "press 1 stand\npress 3 stand\n")
    one = told(tmp_path / "one", "Tc", since, capsys)
    two = told(tmp_path / "two", "2s", since, capsys)
    differing = [first != second for first, second in zip(one, two, strict=True)]
    assert differing[:4] == [True] * 4
