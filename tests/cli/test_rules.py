"""`tablectl rules`: every clause, the digest, the approval."""

import json
from pathlib import Path

import msgspec
import pytest

from controller.cli import output
from controller.cli.main import status_of
from controller.core.rules import Rules
from controller.core.ruleset_digest import ruleset_digest
from controller.rulesets.loader import load_ruleset, shipped_names
from tests.evidence.recorded import recorded, write
from tests.journal.journals import tamper


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert status_of(["rules", *arguments]) == 0
    return capsys.readouterr().out


@pytest.fixture(autouse=True)
def no_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TABLE_JOURNAL", raising=False)


@pytest.mark.parametrize("name", shipped_names())
def test_every_key_is_shown_with_its_clause(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = json.loads(shown(capsys, name, "--json"))
    rules = load_ruleset(name)
    assert said["name"] == name
    assert said["digest"] == ruleset_digest(rules)
    assert said["approval"] is None
    plain = msgspec.to_builtins(rules)
    keys = {clause["key"]: clause for clause in said["clauses"]}
    assert keys.keys() == set(Rules.__struct_fields__) - {"name", "approval"}
    assert all(clause["clauses"] for clause in said["clauses"])
    assert keys["blackjack_pays"]["value"] == plain["blackjack_pays"]
    assert keys["decks"]["clauses"] == ["DECK"]


def test_people_read_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    said = shown(capsys, "electronic")
    assert said.startswith("Ruleset electronic\nDigest    ")
    assert "Approval  none needed" in said
    row = next(line for line in said.splitlines() if "dealer_hits_soft_17" in line)
    assert row.split()[:3] == ["DRAW-2", "dealer_hits_soft_17", "no"]
    ranks = next(line for line in said.splitlines() if "dropped_ranks" in line)
    assert ranks.split()[3] == "none"


def test_on_a_terminal_the_same_words_stand_in_a_drawn_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(output, "on_a_terminal", lambda: True)
    monkeypatch.setenv("COLUMNS", "160")
    said = shown(capsys, "colorado")
    assert "dealer_hits_soft_17" in said
    assert "─" in said


def test_a_variation_shows_who_approved_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (Path("controller/rulesets") / "colorado.toml").read_text()
    text = text.replace("dropped_ranks = []", 'dropped_ranks = ["T"]')
    file = tmp_path / "spanish.toml"
    file.write_text(
        text
        + '[approval]\nauthority = "The Board"\nreference = "7/26"\n'
        + 'date = "2026-01-31"\n'
    )
    assert "Approval  The Board, 7/26, 2026-01-31" in shown(capsys, str(file))
    assert json.loads(shown(capsys, str(file), "--json"))["approval"] == {
        "authority": "The Board",
        "reference": "7/26",
        "date": "2026-01-31",
    }


def test_without_a_name_the_shipped_ones_are_listed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    listed = json.loads(shown(capsys, "--json"))
    assert [entry["name"] for entry in listed] == list(shipped_names())
    assert ruleset_digest(load_ruleset("house")) in shown(capsys)


def test_an_unknown_ruleset_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert status_of(["rules", "reno"]) == 2
    said = capsys.readouterr().err
    assert "no ruleset 'reno'; expected one of colorado" in said
    assert said.count("\n") == 1


def test_a_journal_that_is_not_there_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(["rules", "--journal", str(tmp_path / "none")]) == 2
    assert "expected a journal, found no file" in capsys.readouterr().err


def test_a_journal_shows_the_ruleset_in_force(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.journal"
    with recorded(path, "rules house\nwait 1") as table:
        in_force = shown(capsys, "--journal", str(path), "--json")
        assert json.loads(in_force)["name"] == "house"
        table.do_text("supervisor S1 set-rules electronic wager_min_cents=1000")
        said = json.loads(shown(capsys, "--journal", str(path), "--json"))
        assert said["name"] == "electronic"
        assert said["digest"] != ruleset_digest(load_ruleset("electronic"))
        table.do_text(
            "bet 1 25\ndealer deal\ncard Th 6d Tc 9c\npress 1 stand\n"
            "card 9d\ndealer pickup"
        )
        after_a_round = json.loads(shown(capsys, "--journal", str(path), "--json"))
        assert after_a_round == said


def test_a_journal_without_records_has_no_ruleset(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "table.journal", "wait 1")
    tamper(path, "DELETE FROM journal")
    assert status_of(["rules", "--journal", str(path)]) == 1
    assert "found no ruleset" in capsys.readouterr().err


def test_a_file_that_is_no_journal_is_wrong_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "text"
    path.write_text("no journal at all")
    assert status_of(["rules", "--journal", str(path)]) == 2
    assert "expected a journal, found a file" in capsys.readouterr().err
