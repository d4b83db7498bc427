"""A table in one line, so that two implementations can be compared."""

from collections.abc import Iterator

from controller.words.amounts import amount_text
from controller.words.names import table_order
from simulators.rigs.scenario.view import HandView, TableView
from simulators.rigs.scenario.writing import (
    buttons_text,
    kinds_text,
    rack_text,
    settlement_text,
    total_text,
)


def trace_line(view: TableView) -> str:
    """Write the table after a step.

    `PHASE; turn T; lamps 1 hit stand, 3 …; gate G; hand N cards (total) wager
    outcome net; …; dealer cards (total); rack A | B; irregularity KIND …; refused
    REASON`, without the parts that are empty.
    """
    return "; ".join(_parts(view))


def _parts(view: TableView) -> Iterator[str]:
    yield view.phase.name
    if view.turn is not None:
        yield f"turn {view.turn}"
    if lamps := _lamps(view):
        yield f"lamps {lamps}"
    yield f"gate {view.gate.value}"
    for hand in sorted(view.hands, key=lambda hand: table_order(hand.hand)):
        yield f"hand {_hand(hand)}"
    if view.dealer is not None:
        yield _hand(view.dealer)
    if view.rack:
        yield f"rack {rack_text(view.rack)}"
    if view.irregularities:
        yield f"irregularity {kinds_text(view.irregularities)}"
    if view.refused is not None:
        yield f"refused {view.refused}"


def _lamps(view: TableView) -> str:
    lit = sorted((lamps.seat, buttons_text(lamps.buttons)) for lamps in view.lamps)
    return ", ".join(f"{seat} {buttons}" for seat, buttons in lit if buttons)


def _hand(hand: HandView) -> str:
    total = total_text(hand)
    parts = (
        hand.hand,
        *hand.cards,
        f"({total})" if total else "",
        "" if hand.wager_cents is None else amount_text(hand.wager_cents),
        "" if hand.settled is None else settlement_text(hand.settled),
    )
    return " ".join(part for part in parts if part)
