"""Which lines of the staff make sense at a table as it now is.

They are a help to the memory: what applies, the core decides. Words in capitals
are to be filled in, those in brackets may be left out.
"""

from collections.abc import Iterator
from typing import Final

from controller.core.ids import DEALER_SEAT, Kind, Phase
from controller.runtime.view import CashView, View
from controller.words.amounts import amount_text

CONSOLE_WORDS: Final = ("state", "help", "quit")

DECISIONS_BY_KIND: Final[dict[Kind, tuple[str, ...]]] = {
    Kind.CARD_DRAWN_IN_ERROR: (
        "use-card",
        "offer-card",
        "burn-card",
        "discard-card [HAND N]",
        "play-as-dealt HAND",
        "offer-choice HAND",
        "lies-at HAND",
        "no-card [HAND N]",
    ),
    Kind.CARD_UNREAD: ("key-card CARD witness=ID", "no-card [HAND N]"),
    Kind.CARD_IMPOSSIBLE: ("correct-card HAND N CARD", "no-card [HAND N]"),
    Kind.SHOE_FAULT: ("new-shoe DECKS witness=ID",),
    Kind.SHOE_POSITION_UNKNOWN: ("key-card CARD witness=ID", "no-card"),
    Kind.SHOE_EMPTY: ("new-shoe DECKS witness=ID",),
    Kind.PANEL_LOST: ("allow-dealer-entry SEAT",),
    Kind.RECONCILIATION_MISMATCH: ("new-shoe DECKS witness=ID",),
    Kind.CALLED: (
        "correct-card HAND N CARD",
        "missed-first SPOT",
        "missed-second SPOT [after-dealer]",
        "dealer-missed first",
        "dealer-missed second [HAND]",
        "lies-at HAND",
        "expose-hole",
        "discard-card [HAND N]",
        "play-as-dealt HAND",
        "offer-choice HAND",
    ),
    Kind.INTERNAL_FAULT: (),
    Kind.JOURNAL_DAMAGED: (),
    Kind.JOURNAL_BEHIND: (),
    Kind.JOURNAL_FULL: (),
}
_WAYS_OUT: Final = ("resume", "void-hand HAND", "void-round", "misdeal")


def words_now(view: View) -> tuple[str, ...]:
    """Return the lines that make sense now, what is due first."""
    return tuple(dict.fromkeys(_words(view)))


def _words(view: View) -> Iterator[str]:
    match view.phase:
        case Phase.SUSPENDED:
            yield from _decisions(view)
        case Phase.CLOSED:
            yield "shift open DEALER right-to-left"
            yield "shift open DEALER left-to-right"
            yield from _between_rounds()
        case Phase.BETTING:
            yield from _dealers(view)
            yield "dealer seat-open SEAT"
            yield from _cash(view)
            yield "shift close"
            yield from _between_rounds()
        case Phase.DEALING:
            yield "dealer undo-deal"
            yield from _in_a_round(view)
        case _:
            yield from _in_a_round(view)


def _in_a_round(view: View) -> Iterator[str]:
    yield from _dealers(view)
    yield from _dark_seats(view)
    yield from _cash(view)


def _dealers(view: View) -> Iterator[str]:
    """Name what the dealer's lit buttons do; this is their other way in."""
    for button in view.seats[DEALER_SEAT].lamps:
        yield f"dealer {button}" + (" [REASON]" if button == "call" else "")


def _between_rounds() -> Iterator[str]:
    yield "supervisor ID set-rules [NAME] [KEY=VALUE]"
    yield "supervisor ID new-shoe DECKS witness=ID"


def _dark_seats(view: View) -> Iterator[str]:
    for seat in view.seats[1:]:
        if not seat.panel_lost:
            continue
        if seat.dealer_entry:
            for button in seat.lamps:
                yield f"dealer clarify {seat.seat} {button}"
        else:
            yield f"supervisor ID allow-dealer-entry {seat.seat}"


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
    for found in view.irregularities:
        for words in DECISIONS_BY_KIND[found.kind]:
            yield f"supervisor ID {words}"
    yield from (f"supervisor ID {words}" for words in _WAYS_OUT)
    yield "dealer call [REASON]"
