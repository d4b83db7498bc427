"""Wagers, cash and insurance, told with their amounts."""

from collections.abc import Iterable
from typing import Final

from controller.core import events as ev
from controller.core.ids import CashStep, InsuranceResult
from controller.core.state import TableState, Wager
from controller.evidence.narrative.lamps import shown
from controller.evidence.narrative.moment import Line, Moment, Teller
from controller.evidence.narrative.wording import INSURANCE, listed, pays
from controller.words.amounts import amount_text, net_text


def _placed(event: ev.WagerPlaced, _moment: Moment) -> Iterable[Line]:
    amount = amount_text(event.amount_cents)
    text = (
        f"Seat {event.seat} has {amount} on spot {event.spot}"
        if event.amount_cents
        else f"Seat {event.seat} clears spot {event.spot}"
    )
    yield Line(event.seat, text, "BET")


def _closed(event: ev.BetsClosed, _moment: Moment) -> Iterable[Line]:
    yield Line(None, f"Bets are closed: {_wagers(event.wagers)}", "BET")


def _undone(event: ev.DealUndone, _moment: Moment) -> Iterable[Line]:
    text = (
        "DEAL is taken back before the first card, the bets are open again: "
        f"{_wagers(event.wagers)}; the number {event.round} is spent"
    )
    yield Line(None, text, "UNDO")


def _wagers(wagers: tuple[Wager, ...]) -> str:
    return listed(
        f"{amount_text(wager.amount_cents)} of seat {wager.seat} on spot {wager.spot}"
        for wager in wagers
    )


def _reduced(event: ev.WagerReduced, moment: Moment) -> Iterable[Line]:
    whole = amount_text(event.honoured_cents + event.returned_cents)
    most = amount_text(moment.before.rules.wager_max_cents)
    text = (
        f"Seat {event.seat} wagered {whole} on spot {event.spot}, over the maximum of "
        f"{most}: {amount_text(event.honoured_cents)} is honoured, "
        f"{amount_text(event.returned_cents)} returned"
    )
    yield Line(event.seat, text, "LIMIT-MAX")


def _minimum_explained(event: ev.MinimumExplained, moment: Moment) -> Iterable[Line]:
    text = (
        f"{_under_minimum(moment.before, event.spot, event.seat)}, for the first time: "
        "it is honoured and the minimum explained"
    )
    yield Line(event.seat, text, "LIMIT-MIN")


def _minimum_refused(event: ev.MinimumRefused, moment: Moment) -> Iterable[Line]:
    text = (
        f"{_under_minimum(moment.before, event.spot, event.seat)}, and not for the "
        "first time: the hand is dead"
    )
    yield Line(event.seat, text, "LIMIT-MIN")


def _under_minimum(state: TableState, spot: int, seat: int) -> str:
    wager = next(wager for wager in state.play.wagers if wager.spot == spot)
    return (
        f"Seat {seat} wagered {amount_text(wager.amount_cents)} on spot {spot}, under "
        f"the minimum of {amount_text(state.rules.wager_min_cents)}"
    )


def _returned(event: ev.WagerReturned, _moment: Moment) -> Iterable[Line]:
    amount = amount_text(event.amount_cents)
    text = f"The wager of {amount} on spot {event.spot} goes back to seat {event.seat}"
    yield Line(event.seat, text, "PAY")


# --- Insurance -----------------------------------------------------------------


def _offered(event: ev.InsuranceOpened, _moment: Moment) -> Iterable[Line]:
    seats = listed(f"seat {seat}" for seat in event.seats)
    yield Line(None, f"Insurance is offered to {seats}", "INS")


def _taken(event: ev.InsuranceTaken, _moment: Moment) -> Iterable[Line]:
    text = f"Seat {event.seat} insures for {amount_text(event.amount_cents)}"
    yield Line(event.seat, text, "INS")


def _declined(event: ev.InsuranceDeclined, moment: Moment) -> Iterable[Line]:
    text = f"Seat {event.seat} declines insurance"
    if event.by_closing:
        text = (
            f"Seat {event.seat} had not answered when insurance closed, and has "
            f"declined; {shown(event.seat, moment)}"
        )
    yield Line(event.seat, text, "INS")


def _insurance_closed(_event: ev.InsuranceClosed, _moment: Moment) -> Iterable[Line]:
    yield Line(None, "Insurance is closed", "INS")


def _insurance_settled(event: ev.InsuranceSettled, moment: Moment) -> Iterable[Line]:
    insured = (a for a in moment.before.play.insured if a.seat == event.seat)
    amount_cents = next(insured).amount_cents
    result = _result(event, amount_cents)
    text = f"Seat {event.seat}'s insurance of {amount_text(amount_cents)} {result}"
    yield Line(event.seat, text, "INS")


def _result(event: ev.InsuranceSettled, amount_cents: int) -> str:
    net = net_text(event.net_cents)
    match event.result:
        case InsuranceResult.WIN:
            paid = pays(amount_cents, INSURANCE)
            return f"wins: the dealer has blackjack; {paid}, net {net}"
        case InsuranceResult.LOSE:
            return f"loses: the dealer has no blackjack; net {net}"
        case InsuranceResult.RETURNED:
            return f"goes back by decision; net {net}"


# --- Cash ----------------------------------------------------------------------


def _cash_moved(event: ev.CashMoved, _moment: Moment) -> Iterable[Line]:
    amount = amount_text(event.amount_cents)
    match event.step:
        case CashStep.SPREAD:
            text = f"Seat {event.seat}'s cash is spread in view"
        case CashStep.STATE:
            text = f"The cash of seat {event.seat} is stated as {amount}"
        case _:
            text = f"Seat {event.seat} gets chips for {amount}"
    yield Line(event.seat, text, "CASH")


def _cash_dropped(event: ev.CashDropped, _moment: Moment) -> Iterable[Line]:
    amount = amount_text(event.amount_cents)
    text = f"The cash of seat {event.seat}, {amount}, goes to the drop box"
    yield Line(event.seat, text, "CASH")


def _cash_returned(event: ev.CashReturned, _moment: Moment) -> Iterable[Line]:
    text = f"The cash goes back to seat {event.seat}"
    yield Line(event.seat, text, "CASH")


TELLERS: Final[dict[type, Teller]] = {
    ev.WagerPlaced: _placed,
    ev.BetsClosed: _closed,
    ev.DealUndone: _undone,
    ev.WagerReduced: _reduced,
    ev.MinimumExplained: _minimum_explained,
    ev.MinimumRefused: _minimum_refused,
    ev.WagerReturned: _returned,
    ev.InsuranceOpened: _offered,
    ev.InsuranceTaken: _taken,
    ev.InsuranceDeclined: _declined,
    ev.InsuranceClosed: _insurance_closed,
    ev.InsuranceSettled: _insurance_settled,
    ev.CashMoved: _cash_moved,
    ev.CashDropped: _cash_dropped,
    ev.CashReturned: _cash_returned,
}
