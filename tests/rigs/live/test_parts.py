"""The parts of the live soak that can be looked at without a table."""

import os
from pathlib import Path

import pytest

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core.cards import Card
from controller.core.commands import Command, Person
from controller.core.ids import Button, CashStep, Direction, Role
from controller.words.writing import line_text
from hw_config.loader import load_hardware
from hw_config.schema import Baud
from simulators.rigs.live.console import line_of
from simulators.rigs.live.upkeep import Upkeep, upkeep_of
from simulators.rigs.table_folder import at_speed, lay_out

SUPERVISOR = Person("S1", Role.SUPERVISOR)
WITNESS = Person("S2", Role.SUPERVISOR)


@pytest.mark.parametrize(
    ("command", "line"),
    [
        (
            cm.OpenShift(
                dealer=Person("D1", Role.DEALER), direction=Direction.RIGHT_TO_LEFT
            ),
            "shift open D1 right-to-left",
        ),
        (
            cm.TakeDecision(
                person=SUPERVISOR, decision=dc.KeyCard(Card("5h")), witness=WITNESS
            ),
            "supervisor S1 key-card 5h witness=S2",
        ),
        (cm.ClarifyChoice(seat=3, button=Button.HIT), "dealer clarify 3 hit"),
        (cm.MoveCash(seat=2, step=CashStep.DROP), "cash 2 drop"),
    ],
)
def test_what_people_command_is_said_as_a_line(command: Command, line: str) -> None:
    assert line_text(line_of(command)) == line


def test_what_nobody_says_at_a_console_is_no_line() -> None:
    with pytest.raises(ValueError, match="what staff say at a console"):
        line_of(cm.ReportPanel(seat=1, lost=True))


def test_the_upkeep_of_a_process_is_what_the_kernel_counts() -> None:
    before = upkeep_of(os.getpid())
    assert before.rss_bytes > 1024 * 1024
    with Path(os.devnull).open("rb"):
        assert upkeep_of(os.getpid()).descriptors == before.descriptors + 1


def test_the_most_of_two_upkeeps_is_the_larger_of_each() -> None:
    assert Upkeep(1, 9).most(Upkeep(5, 2)) == Upkeep(5, 9)


def test_a_table_is_laid_out_at_another_speed_for_every_line(tmp_path: Path) -> None:
    laid = at_speed(lay_out(tmp_path), Baud.B9600)
    written = load_hardware(laid.hardware_file)
    assert written == laid.hardware
    assert {written.bus.baud, written.shoe.baud} == {Baud.B9600}
