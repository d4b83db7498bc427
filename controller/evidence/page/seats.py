"""The players' side of the drawing: spots with their hands and wagers, and panels."""

from typing import Final

from controller.core.ids import Outcome
from controller.core.views import CashView, HandView, InsuranceView, SeatView
from controller.evidence.page.data import PublicTable
from controller.evidence.page.faces import face
from controller.evidence.page.marks import hand_mark, total_line
from controller.evidence.page.markup import NOTHING, Html, join, tag, text
from controller.words.amounts import amount_text, net_text

_LOST: Final = (Outcome.LOSE, Outcome.BUST, Outcome.SURRENDER)


def spot(table: PublicTable, spot: int) -> Html:
    """Return what lies at a betting circle: its hands, or its wager before DEAL."""
    hands = [_hand(table, hand) for hand in table.hands if hand.spot == spot]
    bets = [
        _circle(wager.amount_cents, wager.seat if wager.seat != spot else 0)
        for wager in table.wagers
        if wager.spot == spot
    ]
    insured = [_insured(each) for each in table.insurance if each.seat == spot]
    circle = tag("p", class_="circle vacant") if not hands + bets else NOTHING
    return join([*hands, *bets, circle, *insured])


def _hand(table: PublicTable, hand: HandView) -> Html:
    turn = "turn" if table.turn == hand.hand else ""
    due = "due" if table.due == hand.hand else ""
    racked = "racked" if hand.picked_up else ""
    split = "split" if "." in hand.hand else ""
    name = tag("b", text(hand.hand)) if split else NOTHING
    classes = ("hand", turn, due, racked, split, _ending(hand))
    return tag(
        "div",
        tag("p", *(face(card) for card in hand.cards), class_="cards"),
        total_line(hand.total, name),
        _circle(hand.wager_cents, hand.seat if hand.seat != hand.spot else 0),
        _outcome(hand),
        hand_mark(table, hand.hand, picked_up=hand.picked_up),
        class_=" ".join(filter(None, classes)),
    )


def _circle(amount_cents: int, other_seat: int) -> Html:
    words = text(amount_text(amount_cents))
    whose = tag("small", text(f"seat {other_seat}")) if other_seat else NOTHING
    label = f"wager {amount_text(amount_cents)}"
    return tag(
        "p", tag("span", words, aria_label=label, role="img"), whose, class_="circle"
    )


def _ending(hand: HandView) -> str:
    if hand.outcome is None:
        return ""
    if hand.net_cents > 0:
        return "won"
    return "lost" if hand.outcome in _LOST else "even"


def _outcome(hand: HandView) -> Html:
    if hand.outcome is None:
        return NOTHING
    words = f"{hand.outcome.value} {net_text(hand.net_cents)}"
    return tag("p", text(words), class_="outcome")


def _insured(answer: InsuranceView) -> Html:
    if not answer.amount_cents:
        return tag("p", text("no insurance"), class_="insured")
    words = f"insurance {amount_text(answer.amount_cents)}"
    if answer.result is not None:
        words += f", {answer.result.value} {net_text(answer.net_cents)}"
    return tag("p", text(words), class_="insured")


def panel(seat: SeatView) -> Html:
    """Return a button panel: the lamps that are lit, and what is wrong with it."""
    lamps = [tag("li", text(lamp)) for lamp in seat.lamps]
    shown = (
        tag("ul", *lamps, class_="lamps", aria_label="lit")
        if lamps
        else tag("p", text("dark"), class_="dark")
    )
    if seat.panel_lost:
        shown = tag("p", text("panel lost"), class_="lost")
    entry = "the dealer may enter the choices" if seat.dealer_entry else ""
    stuck = [f"{button} stuck" for button in seat.stuck]
    cash = _cash_words(seat.cash) if seat.cash is not None else ""
    notes = [
        tag("p", text(note), class_="note") for note in (entry, *stuck, cash) if note
    ]
    return join([shown, *notes])


def _cash_words(cash: CashView) -> str:
    if cash.stated_cents is None:
        return "cash spread"
    given = ", chips given" if cash.chips_given else ""
    return f"cash {amount_text(cash.stated_cents)}{given}"
