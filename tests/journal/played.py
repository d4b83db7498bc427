"""A table played straight into its journal, step by step."""

from pathlib import Path

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.cards import UNKNOWN, Card
from controller.core.commands import Command
from controller.core.ids import Button, DealerButton, Direction
from controller.core.rules import Rules
from controller.core.secrets import Secrets
from controller.core.state import TableState, new_table
from controller.journal.records import JournalKind
from controller.journal.recovery import recover
from controller.journal.table_journal import TableJournal
from controller.runtime.planner import Plan, Standing, plan
from tests.core.table import DEALER, rules
from tests.runtime.bench import salts
from tests.runtime.chance import RAW
from tests.runtime.clocks import StandingClock

SIMULATION = JournalKind.SIMULATION
STAMP = StandingClock().stamp()
HOLE = "Kd"


def opening(in_force: Rules | None = None) -> ev.JournalOpened:
    return ev.JournalOpened(
        kind="simulation", table="BJ-01", seats=3, rules=in_force or rules()
    )


class Played:
    """A table whose every step is in its journal."""

    def __init__(
        self, path: Path, in_force: Rules | None = None, *, begin: bool = True
    ) -> None:
        """Begin a journal, or go on with the one that is there."""
        self.path = path
        self.now = 0.0
        self._salt = salts()
        if begin:
            opened = opening(in_force)
            self.journal = TableJournal.begin(path, opened, STAMP)
            state = new_table(opened.table, opened.seats, opened.rules)
            self.standing = Standing(state, Secrets())
        else:
            self._recover()

    @property
    def state(self) -> TableState:
        return self.standing.state

    @property
    def secrets(self) -> Secrets:
        return self.standing.secrets

    def plan(self, *batch: Command) -> Plan:
        return plan(self.standing, batch, self.now, STAMP, self._salt)

    def do(self, *batch: Command) -> tuple[int, ...]:
        """Decide a batch and write it; return the sequences of its records."""
        planned = self.plan(*batch)
        sequences = self.journal.write(planned.decided)
        self.standing = planned.after
        return sequences

    def start_again(self) -> None:
        """Close the journal and go on from what is on disk."""
        self.journal.close()
        self._recover()

    def _recover(self) -> None:
        recovered = recover(self.path, SIMULATION)
        self.journal = recovered.journal
        self.standing = Standing(recovered.state, recovered.secrets)

    # --- A round, step by step ----------------------------------------------------

    def press(self, button: Button, cents: int = 0) -> cm.PressButton:
        return cm.PressButton(
            seat=2,
            button=button,
            prompt=self.state.prompts[2].number,
            number=self.state.seats[1].press_number + 1,
            amount_cents=cents,
            with_amount=cents > 0,
        )

    def card(self, face: str) -> cm.ReportCard:
        number = self.state.shoe.last_card + 1
        unread = face == UNKNOWN
        return cm.ReportCard(number=number, card=Card(face), unread=unread, raw=RAW)

    def deal(self, cards: str = f"9s 7h 7s {HOLE}") -> None:
        """Open a shift, let seat 2 wager, and deal."""
        self.do(cm.OpenShift(dealer=DEALER, direction=Direction.RIGHT_TO_LEFT))
        self.do(self.press(Button.BET, 2500))
        self.do(dealer(DealerButton.DEAL))
        for face in cards.split():
            self.do(self.card(face))


def dealer(button: DealerButton) -> cm.PressDealerButton:
    return cm.PressDealerButton(button=button)
