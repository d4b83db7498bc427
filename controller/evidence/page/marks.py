"""Small things that are said beside any hand: its total, and what is due there."""

from controller.core.views import TotalView
from controller.evidence.page.data import PublicTable
from controller.evidence.page.markup import NOTHING, Html, tag, text


def clause_mark(clause: str) -> Html:
    """Return the clause that something rests on."""
    return tag("span", text(clause), class_="clause")


def hand_mark(table: PublicTable, hand: str, *, picked_up: bool) -> Html:
    """Return what goes on at this hand: a card is due, it is in turn, it is racked."""
    if table.due == hand:
        return tag("p", text("card due"), class_="mark")
    if table.turn == hand:
        return tag("p", text("to act"), class_="mark")
    return tag("p", text("in the rack"), class_="mark") if picked_up else NOTHING


def total_line(total: TotalView | None, before: Html = NOTHING) -> Html:
    """Return what a hand is announced as; an empty line before its first card."""
    words = "" if total is None else _total_words(total)
    return tag("p", before, text(f" {words}"), class_="total")


def _total_words(total: TotalView) -> str:
    if total.blackjack:
        return "blackjack"
    if total.bust:
        return f"{total.points} bust"
    return f"soft {total.points}" if total.soft else f"{total.points}"
