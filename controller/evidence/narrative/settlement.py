"""How each wager was settled, with the arithmetic."""

from collections.abc import Iterable
from typing import Final

from controller.core import events as ev
from controller.core.ids import Outcome
from controller.core.rules import Ratio, ratio
from controller.core.state import Hand, TableState
from controller.core.totals import TWENTY_ONE, total_of
from controller.evidence.narrative.moment import Line, Moment, Teller
from controller.evidence.narrative.wording import (
    EVEN,
    dealer_strength,
    hand_words,
    pays,
    sentence,
    strength,
)
from controller.words.amounts import amount_text, net_text

CLAUSES: Final[dict[Outcome, str]] = {
    Outcome.BLACKJACK: "BJ",
    Outcome.WIN: "PAY",
    Outcome.PUSH: "PAY",
    Outcome.LOSE: "PAY",
    Outcome.BUST: "PICKUP-1a",
    Outcome.SURRENDER: "SURR",
    Outcome.VOID: "IRR-2",
    Outcome.DEAD: "LIMIT-MIN",
}


def _settled(event: ev.HandSettled, moment: Moment) -> Iterable[Line]:
    hand = moment.hand(event.hand)
    assert hand is not None
    how = _how(event.outcome, hand, moment.before)
    text = f"{hand_words(event.hand)} {how}, net {net_text(event.net_cents)}"
    # Only a decision ends hands while the table is stopped.
    dead = event.outcome is Outcome.DEAD and moment.before.suspended
    clause = "MISDEAL" if dead else CLAUSES[event.outcome]
    yield Line(hand.seat, sentence(text), clause)


def _how(outcome: Outcome, hand: Hand, state: TableState) -> str:
    wager = amount_text(hand.wager_cents)
    goes_back = f"the wager of {wager} goes back"
    match outcome:
        case Outcome.BLACKJACK:
            return _blackjack(hand.wager_cents, state.rules.blackjack_pays)
        case Outcome.WIN:
            return f"wins: {_compared(hand, state)}; {pays(hand.wager_cents, EVEN)}"
        case Outcome.PUSH if hand.ending is Outcome.PUSH:
            return f"is a push by decision: {goes_back}"
        case Outcome.PUSH:
            return f"is a push: {_compared(hand, state)}; {goes_back}"
        case Outcome.LOSE:
            return f"loses: {_compared(hand, state)}; the wager of {wager} is lost"
        case Outcome.BUST:
            return f"is bust with {strength(hand, state)}: the wager of {wager} is lost"
        case Outcome.SURRENDER:
            return _surrender(hand.wager_cents)
        case Outcome.VOID:
            return f"is void: {goes_back}"
        case Outcome.DEAD:
            return f"is dead: {goes_back}"


def _blackjack(wager_cents: int, on_the_felt: Ratio) -> str:
    exact = wager_cents * ratio(on_the_felt)
    odd = ", rounded up for the player" if exact.denominator > 1 else ""
    return f"wins with blackjack: {pays(wager_cents, on_the_felt)}{odd}"


def _surrender(wager_cents: int) -> str:
    lost = wager_cents // 2
    odd = ", the odd cent with it" if wager_cents % 2 else ""
    return (
        f"is surrendered: of {amount_text(wager_cents)}, half is "
        f"{amount_text(lost)} and is lost, {amount_text(wager_cents - lost)} goes back"
        f"{odd}"
    )


def _compared(hand: Hand, state: TableState) -> str:
    dealer = total_of(state.play.dealer.cards, state.rules.joker_value).points
    own = strength(hand, state)
    if dealer > TWENTY_ONE:
        return f"{own}, the dealer is bust with {dealer}"
    return f"{own} against the dealer's {dealer_strength(state)}"


def _round_settled(_event: ev.RoundSettled, _moment: Moment) -> Iterable[Line]:
    yield Line(None, "Every wager of the round is settled", "PAY")


def _round_closed(event: ev.RoundClosed, _moment: Moment) -> Iterable[Line]:
    text = (
        f"Round {event.round} is closed: {event.cards} cards dealt and as many in the "
        f"rack; together the players net {net_text(event.net_cents)}"
    )
    yield Line(None, text, "PICKUP-1c")


TELLERS: Final[dict[type, Teller]] = {
    ev.HandSettled: _settled,
    ev.RoundSettled: _round_settled,
    ev.RoundClosed: _round_closed,
}
