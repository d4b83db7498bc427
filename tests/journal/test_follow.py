from pathlib import Path

import pytest

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.cards import Card
from controller.core.commands import Command
from controller.core.ids import Button, DealerButton, Direction, Phase, Role
from controller.core.secrets import Secrets
from controller.core.state import new_table
from controller.journal.errors import JournalMissingError
from controller.journal.follow import FollowedTable
from controller.journal.records import Stamp
from controller.journal.table_journal import TableJournal
from controller.rulesets.loader import load_ruleset
from controller.runtime.planner import Standing, plan

STAMP = Stamp("2026-01-31T18:00:00.000000Z", True, "boot", 1)  # noqa: FBT003 - a clock that is synchronised
SHIFT = cm.OpenShift(
    dealer=cm.Person("D1", Role.DEALER), direction=Direction.RIGHT_TO_LEFT
)
DEAL = cm.PressDealerButton(button=DealerButton.DEAL)
PICKUP = cm.PressDealerButton(button=DealerButton.PICKUP)


class WrittenTable:
    """A table that writes what it is asked."""

    def __init__(self, path: Path) -> None:
        rules = load_ruleset("colorado")
        opened = ev.JournalOpened(kind="simulation", table="T", seats=7, rules=rules)
        self.journal = TableJournal.begin(path, opened, STAMP)
        self.standing = Standing(new_table("T", 7, rules), Secrets())
        self._cards = 0

    def ask(self, *commands: Command) -> None:
        planned = plan(self.standing, commands, 0.0, STAMP, lambda: bytes(32))
        self.journal.write(planned.decided)
        self.standing = planned.after

    def play_a_round(self, press_number: int) -> None:
        prompt = self.standing.state.prompts[1].number
        pressed = cm.PressButton(
            seat=1,
            button=Button.BET,
            prompt=prompt,
            number=press_number,
            amount_cents=1000,
            with_amount=True,
        )
        self.ask(pressed, DEAL)
        for card in ("Ah", "9c", "Kh", "8s"):
            self._cards += 1
            self.ask(cm.ReportCard(number=self._cards, card=Card(card)))
        self.ask(PICKUP)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


def test_a_reader_follows_the_table_record_by_record(path: Path) -> None:
    table = WrittenTable(path)
    with table.journal:
        followed = FollowedTable(path)
        assert followed.state.phase is Phase.CLOSED
        table.ask(SHIFT)
        read = followed.read_on()
        assert read[0] == SHIFT
        assert followed.state == table.standing.state
        assert followed.read_on() == ()


def test_a_reader_follows_from_one_round_into_the_next(path: Path) -> None:
    table = WrittenTable(path)
    with table.journal:
        followed = FollowedTable(path)
        table.ask(SHIFT)
        table.play_a_round(1)
        table.play_a_round(2)
        read = followed.read_on()
        assert sum(isinstance(record, ev.TableStateRecorded) for record in read) == 2
        assert followed.state == table.standing.state
        assert followed.sequence == table.journal.next_sequence - 1


def test_a_reader_who_comes_later_sees_the_same_table(path: Path) -> None:
    table = WrittenTable(path)
    with table.journal:
        table.ask(SHIFT)
        table.play_a_round(1)
        table.ask(DEAL)
        later = FollowedTable(path)
        assert later.state == table.standing.state
        assert later.read_on() == ()


def test_without_a_journal_there_is_nothing_to_follow(path: Path) -> None:
    with pytest.raises(JournalMissingError):
        FollowedTable(path)
