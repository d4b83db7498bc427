"""How parts of a table are written, in traces and in what an expectation found."""

from collections.abc import Iterable
from typing import assert_never

from controller.core.ids import Button, Kind
from controller.words.amounts import net_text
from simulators.rigs.scenario.view import (
    EventView,
    FieldValue,
    HandView,
    Settlement,
)


def buttons_text(buttons: Iterable[Button]) -> str:
    """Write buttons in the order in which a panel lists them."""
    lit = frozenset(buttons)
    return " ".join(button.value for button in Button if button in lit)


def kinds_text(kinds: Iterable[Kind]) -> str:
    """Write irregularities in the order given: `called shoe_fault`."""
    return " ".join(kind.value for kind in kinds)


def rack_text(groups: Iterable[tuple[str, ...]]) -> str:
    """Write the groups of the rack, bottom to top: `9c Tc | 6d Kh`."""
    return " | ".join(" ".join(group) for group in groups)


def total_text(hand: HandView) -> str:
    """Write a hand's total, `17s` for a soft one, nothing while no card shows."""
    if hand.total is None:
        return ""
    return f"{hand.total}s" if hand.soft else str(hand.total)


def settlement_text(settled: Settlement) -> str:
    """Write how a hand ended: `win +10`."""
    return f"{settled.outcome.value} {net_text(settled.net_cents)}"


def value_text(value: FieldValue) -> str:
    """Write the value of an event's field: `true`, `none`, `2500`, `Th`."""
    match value:
        case None:
            return "none"
        case bool():
            return "true" if value else "false"
        case int() | str():
            return str(value)
        case _ as never:
            assert_never(never)


def event_text(event: EventView) -> str:
    """Write a record as an expectation names it: `card_dealt hand=1 card=Th`."""
    fields = (f"{name}={value_text(value)}" for name, value in event.fields.items())
    return " ".join((event.type, *fields))
