"""`tablectl round`, read aloud: the whole round, and one player's complaint."""

from pathlib import Path

import pytest

from controller.cli import output
from controller.core import events as ev
from tests.cli.test_rounds import shown
from tests.evidence.recorded import forge, recorded, rows_of, write

NARRATED = Path("tests/cli/narrated")
SYNCHRONISED = 2

LATE = "bet 3 10\ndealer deal\ncard 9h 6d 4c Tc\npress 3 hit\ncard 2s\n"
LOST = (
    "bet 3 10\ndealer deal\ncard 9h 6d 4c Tc\npanel 3 lost\n"
    "supervisor S1 allow-dealer-entry 3\ndealer clarify 3 stand\ndealer pickup\n"
)


def read_aloud(
    capsys: pytest.CaptureFixture[str], path: Path, *more: str, number: int = 1
) -> str:
    return shown(capsys, "round", str(number), "--journal", str(path), *more)


def part_of(said: str, title: str) -> list[str]:
    """Return the lines below a title, up to the next empty one."""
    lines = said.splitlines()
    begun = lines[lines.index(title) + 1 :]
    return begun[: begun.index("")]


@pytest.mark.parametrize(
    ("golden", "more"),
    [("round.txt", []), ("seat-5.txt", ["--seat", "5"])],
    ids=["the round", "one seat"],
)
def test_a_round_is_read_aloud_as_it_was_written_by_hand(
    golden: str, more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenario = (NARRATED / "round.scenario").read_text("utf-8")
    path = write(tmp_path / "table.journal", scenario)
    said = read_aloud(capsys, path, *more)
    wanted = (NARRATED / golden).read_text("utf-8")
    assert said.replace(str(path), "table.journal") == wanted


# --- A complaint ---------------------------------------------------------------


def test_a_press_that_came_too_late_is_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "j", LATE + "late-press 3 hit\n")
    said = part_of(
        read_aloud(capsys, path, "--seat", "3"),
        "What seat 3 pressed",
    )
    assert said[0] == "3 times; 2 taken, 1 refused."
    assert "Hand 3 gets the two of spades: 9h 4c 2s, 15" in said[5]
    assert "presses HIT, refused: it was for an earlier prompt (stale_press)" in said[6]
    assert "its panel shows hit and stand since 11:00:04.5, for 0.5 s" in said[6]
    assert said[7].strip() == "Nothing came of it: a refused press changes nothing"


def test_a_press_that_never_came_is_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "j", LATE)
    said = read_aloud(capsys, path, "--seat", "6")
    (nothing, panel) = part_of(said, "What seat 6 pressed")
    assert "no press of this seat reached the table" in nothing
    assert panel == "Nothing was found wrong with its panel."
    lit = part_of(said, "When seat 6's panel was lit")
    assert [line.split()[-1] for line in lit[1:]] == ["DEAL"]


def test_a_lost_panel_is_named_in_the_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "j", LOST)
    said = read_aloud(capsys, path, "--seat", "3")
    answer = part_of(said, "What seat 3 pressed")
    assert "The dealer enters STAND for seat 3 for hand 3, by leave" in answer[3]
    assert answer[-2].startswith("11:00:04.0  The panel of seat 3 is lost and dark")
    lit = part_of(said, "When seat 3's panel was lit")
    assert "hit stand double surrender  the panel being lost" in lit[3]


def test_a_panel_that_was_never_lit_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = "panel 6 lost\n" + LATE + "press 3 stand\ncard 3h\ndealer pickup\n"
    path = write(tmp_path / "j", whole + "bet 3 10\n")
    said = read_aloud(capsys, path, "--seat", "6", number=2)
    assert part_of(said, "When seat 6's panel was lit") == ["Never in this round."]


# --- Irregularities and the rack -------------------------------------------------


def test_a_decision_is_read_with_what_it_changed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    decided = 'supervisor S1 discard-card reason="seen by nobody" witness=S2\n'
    said = read_aloud(capsys, write(tmp_path / "j", LATE + "card 5s\n" + decided))
    lines = said.splitlines()
    at = next(i for i, line in enumerate(lines) if "Supervisor S1" in line)
    assert (
        "decides discard-card, witnessed by S2: seen by nobody  [IRR-6, " in lines[at]
    )
    changed = [line.strip() for line in lines[at + 1 : at + 4]]
    assert any("goes to the rack unused" in line for line in changed)
    assert "a card, discarded" in said


def test_other_rules_are_read_with_the_keys_that_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = "supervisor S1 set-rules wager_min_cents=1000\n"
    path = write(tmp_path / "j", rules + LATE)
    assert "in force from the next round on: wager_min_cents 1000 instead of 500" in (
        read_aloud(capsys, path)
    )


def test_a_blackjack_is_called_one_wherever_it_lies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both = "bet 1 25\ndealer deal\ncard Ah Ad Kc Tc\npress 1 pass\n"
    said = read_aloud(capsys, write(tmp_path / "j", both))
    assert "Hand 1 gets the king of clubs: Ah Kc, blackjack" in said
    assert "The dealer has Ad Tc, blackjack" in said
    assert "is a push: blackjack against the dealer's blackjack" in said


# --- The clock -------------------------------------------------------------------


def test_a_clock_that_was_set_beside_the_round_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = LATE + "press 3 stand\ncard 3h\ndealer pickup\n"
    with recorded(tmp_path / "j", whole) as table:
        table.note(ev.ClockStepped(stepped_ms=-90_000))
        table.do_text(whole)
        table.do_text(whole)
    for number in (1, 2, 3):
        said = read_aloud(capsys, tmp_path / "j", number=number)
        clock = head_line(said, "Clock")
        assert "set back by 90 s at 2026-01-31 11:00:06 (round 2, record 50)" in clock


def test_records_of_a_clock_that_was_not_right_are_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "j", LATE)
    rows = rows_of(path)
    for row in rows[-3:]:
        row[SYNCHRONISED] = 0
    forge(path, rows)
    clock = head_line(read_aloud(capsys, path), "Clock")
    assert clock.startswith(f"NOT known to be right at 3 of {len(rows)} records; ")


def test_a_clock_that_ran_away_from_the_monotonic_one_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "j", LATE)
    rows = rows_of(path)
    rows[-1][1] = "2026-01-31T18:01:04.500000Z"
    forge(path, rows)
    clock = head_line(read_aloud(capsys, path), "Clock")
    assert "from first to last it counted 60 s more than passed" in clock
    rows[-1][3] = "boot-2"
    forge(path, rows)
    clock = head_line(read_aloud(capsys, path), "Clock")
    assert "the computer was started in the round" in clock


def head_line(said: str, name: str) -> str:
    (line,) = (line for line in said.splitlines() if line.startswith(name))
    return line.removeprefix(name).strip()


# --- On a terminal ---------------------------------------------------------------


def test_on_a_terminal_long_sentences_are_folded(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(output, "on_a_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "70")
    said = read_aloud(capsys, write(tmp_path / "j", LATE))
    players = part_of(said, "The players")
    assert all(len(line) <= 70 for line in players)
    assert players[3].startswith(" " * 14)
