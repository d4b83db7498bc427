"""Which lines of the staff make sense at a table as it now is.

They are a help to the memory: what applies, the core decides. Words in capitals
are to be filled in, those in brackets may be left out.
"""

from collections.abc import Iterator
from typing import Final

from controller.core.ids import DEALER_SEAT, Phase
from controller.core.views import CashView
from controller.runtime.view import View
from controller.words.amounts import amount_text

CONSOLE_WORDS: Final = ("state", "decisions", "links", "help", "quit")


def words_now(view: View) -> tuple[str, ...]:
    """Return the lines that make sense now, what is due first."""
    return tuple(dict.fromkeys(_words(view)))


def _words(view: View) -> Iterator[str]:
    match view.phase:
        case Phase.SUSPENDED:
            yield from _decisions(view)
            yield "dealer call [REASON]"
        case Phase.CLOSED:
            yield "shift open DEALER right-to-left"
            yield "shift open DEALER left-to-right"
            yield from _decisions(view)
        case Phase.BETTING:
            yield from _dealers(view)
            yield "dealer seat-open SEAT"
            yield from _cash(view)
            yield "shift close"
            yield from _decisions(view)
        case Phase.DEALING:
            yield "dealer undo-deal"
            yield from _in_a_round(view)
        case _:
            yield from _in_a_round(view)


def _in_a_round(view: View) -> Iterator[str]:
    yield from _dealers(view)
    yield from _dark_seats(view)
    yield from _decisions(view)
    yield from _cash(view)


def _dealers(view: View) -> Iterator[str]:
    """Name what the dealer's lit buttons do; this is their other way in."""
    for button in view.seats[DEALER_SEAT].lamps:
        yield f"dealer {button}" + (" [REASON]" if button == "call" else "")


def _dark_seats(view: View) -> Iterator[str]:
    """Name what the dealer may enter for a seat whose panel is lost (PLAY-4)."""
    for seat in view.seats[1:]:
        if seat.panel_lost and seat.dealer_entry:
            for button in seat.lamps:
                yield f"dealer clarify {seat.seat} {button}"


def _cash(view: View) -> Iterator[str]:
    for seat in view.seats[1:]:
        if seat.cash is not None:
            yield from _cash_steps(seat.seat, seat.cash)
    yield "cash SEAT spread"


def _cash_steps(seat: int, cash: CashView) -> Iterator[str]:
    if cash.chips_given:
        yield f"cash {seat} drop"
        return
    if cash.stated_cents is not None:
        yield f"cash {seat} chips {amount_text(cash.stated_cents)}"
    yield f"cash {seat} state AMOUNT"
    yield f"cash {seat} back"


def _decisions(view: View) -> Iterator[str]:
    for decision in view.decisions or ():
        witness = " witness=ID" if decision.witness else ""
        yield f"supervisor ID {decision.words}{witness}"
