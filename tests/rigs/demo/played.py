"""A table that is played command by command, for those who read its records."""

from collections.abc import Iterator

from controller.core import commands as cm
from controller.core.cards import Card
from controller.core.commands import Command
from controller.core.evolve import Record
from controller.core.ids import Button, DealerButton, Direction, Role
from controller.core.rules import Rules
from controller.core.secrets import Secrets
from controller.core.state import TableState, new_table
from controller.journal.records import Stamp
from controller.rulesets.loader import load_ruleset
from controller.runtime.planner import Standing, plan

STAMP = Stamp("2026-01-31T18:00:00.000000Z", True, "boot", 1)  # noqa: FBT003 - a clock that is synchronised
SHIFT = cm.OpenShift(
    dealer=cm.Person("D1", Role.DEALER), direction=Direction.RIGHT_TO_LEFT
)


class PlayedTable:
    """Decides what it is asked, when the records that follow are taken from it."""

    def __init__(self, rules: Rules | None = None) -> None:
        state = new_table("T", 7, rules or load_ruleset("colorado"))
        self._standing = Standing(state, Secrets())
        self._presses = 0
        self._cards = 0

    @property
    def state(self) -> TableState:
        return self._standing.state

    def ask(self, command: Command) -> Iterator[Record]:
        planned = plan(self._standing, [command], 0.0, STAMP, lambda: bytes(32))
        self._standing = planned.after
        for decided in planned.decided:
            yield from decided.records

    def press(self, seat: int, button: Button, cents: int = 0) -> Iterator[Record]:
        self._presses += 1
        yield from self.ask(
            cm.PressButton(
                seat=seat,
                button=button,
                prompt=self.state.prompts[seat].number,
                number=self._presses,
                amount_cents=cents,
                with_amount=cents > 0,
            )
        )

    def dealer(self, button: DealerButton) -> Iterator[Record]:
        return self.ask(cm.PressDealerButton(button=button))

    def cards(self, *cards: str) -> Iterator[Record]:
        for card in cards:
            self._cards += 1
            yield from self.ask(cm.ReportCard(number=self._cards, card=Card(card)))
