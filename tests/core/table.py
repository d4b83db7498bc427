"""A table of the core alone for these tests: commands in, the next table out."""

import hashlib
from collections.abc import Sequence

import msgspec

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.cards import UNKNOWN, Card
from controller.core.commands import Command, Person
from controller.core.decide import decide
from controller.core.evolve import Record, evolve
from controller.core.ids import (
    Button,
    DealerButton,
    Direction,
    HandId,
    Reason,
    Role,
    ShoeSign,
)
from controller.core.rules import Rules
from controller.core.secrets import Secrets, committed
from controller.core.state import Hand, TableState, find_hand, new_table
from controller.rulesets.loader import ruleset_with

DEALER = Person("D1", Role.DEALER)
SUPERVISOR = Person("S1", Role.SUPERVISOR)
WITNESS = Person("S2", Role.SUPERVISOR)


def rules(name: str = "colorado", **changes: object) -> Rules:
    """Return a shipped ruleset with some keys set, as scenarios set them."""
    return ruleset_with(name, {key: str(value) for key, value in changes.items()})


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(card) for card in text.split())


class Table(msgspec.Struct, frozen=True):
    """The table between two commands, and what the last one caused."""

    state: TableState
    secrets: Secrets = Secrets()
    caused: tuple[Record, ...] = ()

    def after(self, *commands: Command) -> "Table":
        """Return the table once these commands were decided, one by one."""
        table = self
        for command in commands:
            decision = decide(table.state, table.secrets, command)
            table = Table(decision.state, decision.secrets, decision.records)
        return table

    @property
    def refused(self) -> Reason | None:
        """Why the last command was refused, None where it was not."""
        for record in self.caused:
            if isinstance(record, ev.PressRefused | ev.CommandRefused):
                return record.reason
        return None

    def types(self) -> list[str]:
        """Return the kinds of records that the last command caused, in order."""
        return [str(type(record).__struct_config__.tag) for record in self.caused]

    def hand(self, name: str) -> Hand:
        hand = find_hand(self.state.play, HandId(name))
        assert hand is not None, f"no hand {name}"
        return hand

    # --- What comes in ----------------------------------------------------------

    def card(self, *faces: str) -> "Table":
        """Let the shoe report cards, in this order."""
        table = self
        for face in faces:
            number = table.state.shoe.last_card + 1
            table = table.report(face, number)
        return table

    def report(self, face: str, number: int) -> "Table":
        salt = hashlib.sha256(f"{number}".encode()).digest()
        report = cm.ReportCard(
            number=number, card=Card(face), unread=face == UNKNOWN, raw=f"raw {number}"
        )
        return self.after(committed(self.state, report, salt))

    def press(
        self, seat: int, button: str, amount: int | None = None, *, spot: int = 0
    ) -> "Table":
        """Press a button under the prompt that the seat is showing."""
        return self.after(
            cm.PressButton(
                seat=seat,
                button=Button(button),
                prompt=self.state.prompts[seat].number,
                number=self.state.seats[seat - 1].press_number + 1,
                amount_cents=amount or 0,
                with_amount=amount is not None,
                spot=spot,
            )
        )

    def dealer(self, button: str) -> "Table":
        return self.after(cm.PressDealerButton(button=DealerButton(button)))

    def shoe(self, sign: str, count: int = -1) -> "Table":
        return self.after(cm.ReportShoe(sign=ShoeSign(sign), count=count))

    def decided(self, decision: dc.Decision) -> "Table":
        """Let the supervisor decide, with a witness."""
        return self.after(
            cm.TakeDecision(person=SUPERVISOR, decision=decision, witness=WITNESS)
        )


def open_table(in_force: Rules | None = None, seats: int = 7) -> Table:
    """Return a table with an open shift, picked up from right to left."""
    ruleset = in_force or rules()
    opened = ev.JournalOpened(
        kind="simulation", table="BJ-01", seats=seats, rules=ruleset
    )
    state = evolve(new_table("BJ-01", seats, ruleset), opened)
    return Table(state).after(
        cm.OpenShift(dealer=DEALER, direction=Direction.RIGHT_TO_LEFT)
    )


def dealt(
    faces: str, wagers: Sequence[int] = (2500,), in_force: Rules | None = None
) -> Table:
    """Return a table after DEAL and these cards; seat N wagers the N-th amount."""
    table = open_table(in_force)
    for seat, amount in enumerate(wagers, start=1):
        if amount:
            table = table.press(seat, "bet", amount)
    return table.dealer("deal").card(*faces.split())
