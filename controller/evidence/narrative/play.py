"""What the players and the dealer do with their hands."""

from collections.abc import Callable, Iterable
from typing import Final

from controller.core import events as ev
from controller.core.cards import UNKNOWN
from controller.core.ids import DEALER, Button, HandId, Outcome, Phase
from controller.evidence.narrative.lamps import shown
from controller.evidence.narrative.moment import Line, Moment, Teller
from controller.evidence.narrative.wording import (
    hand_words,
    sentence,
    total_words,
)
from controller.words.amounts import amount_text


def _of_hand(says: str, clause: str) -> Teller:
    """Return a teller whose sentence begins with the hand, ends with its total."""

    def tell(event: ev.HandStood, moment: Moment) -> Iterable[Line]:
        total = _total(event.hand, moment)
        text = f"{hand_words(event.hand)} {says.format(total=total)}"
        yield Line(moment.seat_of(event.hand), sentence(text), clause)

    return tell


def _total(name: HandId, moment: Moment) -> str:
    hand = moment.hand(name)
    assert hand is not None
    return total_words(hand.cards, moment.after)


def _of_table(text: str, clause: str) -> Callable[[object, Moment], Iterable[Line]]:
    def tell(_event: object, _moment: Moment) -> Iterable[Line]:
        yield Line(None, text, clause)

    return tell


def _turn(event: ev.TurnPassed, moment: Moment) -> Iterable[Line]:
    if event.hand == DEALER:
        yield Line(None, "It is the dealer's turn", "ORDER")
        return
    seat = moment.seat_of(event.hand)
    text = f"It is hand {event.hand}'s turn, of seat {seat}, with "
    text += f"{_total(event.hand, moment)} against the dealer's {_dealer(moment)}"
    yield Line(seat, text, "ORDER")


def _dealer(moment: Moment) -> str:
    """Return what of the dealer's hand shows."""
    cards = moment.after.play.dealer.cards
    return " ".join(card for card in cards if card != UNKNOWN) or "hand"


def _doubled(event: ev.HandDoubled, moment: Moment) -> Iterable[Line]:
    once = amount_text(event.wager_cents // 2)
    text = (
        f"Hand {event.hand} doubles: {once} and {once} make "
        f"{amount_text(event.wager_cents)}; exactly one card is due"
    )
    yield Line(moment.seat_of(event.hand), text, "DOUBLE")


def _split(event: ev.HandSplit, moment: Moment) -> Iterable[Line]:
    text = (
        f"Hand {event.hand} is split into two, each with a wager of "
        f"{amount_text(event.wager_cents)}"
    )
    yield Line(_seat_before(event.hand, moment), text, "SPLIT")


def _seat_before(name: HandId, moment: Moment) -> int | None:
    hands = moment.before.play.hands
    return next((hand.seat for hand in hands if hand.id == name), None)


def _asked(event: ev.PlayerAsked, moment: Moment) -> Iterable[Line]:
    seconds = moment.after.rules.ask_after_s
    text = (
        f"Seat {event.seat} has not answered for {seconds:g} s for hand "
        f"{event.hand}: the dealer is to ask"
    )
    yield Line(event.seat, text, "PLAY-3")


def _may_move_on(event: ev.MoveOnAllowed, moment: Moment) -> Iterable[Line]:
    seconds = moment.after.rules.move_on_after_s
    text = (
        f"Seat {event.seat} was asked and has not answered for another {seconds:g} s: "
        "the dealer may move on"
    )
    yield Line(event.seat, text, "PLAY-3")


def _passed_over(event: ev.PlayerPassedOver, moment: Moment) -> Iterable[Line]:
    total = _total(event.hand, moment)
    text = (
        f"The dealer moves on; hand {event.hand} stands as it is, with {total}; "
        f"{shown(event.seat, moment)}"
    )
    yield Line(event.seat, text, "PLAY-3")


def _busted(event: ev.HandBusted, moment: Moment) -> Iterable[Line]:
    text = f"Hand {event.hand} is over 21 with {event.points}: bust"
    yield Line(moment.seat_of(event.hand), text, "PICKUP-1a")


_CHOICES: Final[dict[Button, str]] = {
    Button.STAND: "to play it as dealt",
    Button.PASS: "a push",
    Button.HIT: "to take more cards, after all others",
}


def _chose(event: ev.ChoiceMade, moment: Moment) -> Iterable[Line]:
    seat = moment.seat_of(event.hand)
    chosen = _CHOICES[event.button]
    text = f"Seat {seat} chooses {chosen} for hand {event.hand}"
    if event.passed_over:
        text = f"The dealer moves on; hand {event.hand} is played as dealt"
        text += _unanswered(seat, moment)
    yield Line(seat, text, "PLAY-3" if event.passed_over else "IRR-4")


def _offer_refused(event: ev.OfferRefused, moment: Moment) -> Iterable[Line]:
    who = "The dealer moves on; hand" if event.passed_over else "Hand"
    text = f"{who} {event.hand} refuses the offered card and takes no more"
    seat = moment.seat_of(event.hand)
    if event.passed_over:
        text += _unanswered(seat, moment)
    yield Line(seat, text, "IRR-8")


def _unanswered(seat: int | None, moment: Moment) -> str:
    """Say what was lit, and how long nobody answered it."""
    return "" if seat is None else f"; {shown(seat, moment)}"


def _dealer_draws(_event: ev.DealerDraws, moment: Moment) -> Iterable[Line]:
    total = total_words(moment.after.play.dealer.cards, moment.after)
    yield Line(None, f"The dealer has {total} and must draw", "DRAW-2")


_VOIDED: Final[dict[Outcome, tuple[str, str]]] = {
    Outcome.PUSH: ("a push", "IRR-1"),
    Outcome.DEAD: ("dead", "MISDEAL"),
    Outcome.VOID: ("void: it sits out", "IRR-2"),
}


def _voided(event: ev.HandVoided, moment: Moment) -> Iterable[Line]:
    words, clause = _VOIDED[event.outcome]
    text = f"Hand {event.hand} is, by decision, {words}"
    yield Line(moment.seat_of(event.hand), text, clause)


def _control_resumed(event: ev.ControlResumed, _moment: Moment) -> Iterable[Line]:
    phase = _phase(event.phase)
    text = f"The controller was started and goes on exactly where it was, in {phase}"
    yield Line(None, text, "Faults")


def _phase(phase: Phase) -> str:
    return phase.name.replace("_", " ")


TELLERS: Final[dict[type, Teller]] = {
    ev.PlayOpened: _of_table("The players act, from the dealer's left", "ORDER"),
    ev.TurnPassed: _turn,
    ev.CardAsked: _of_hand("draws on {total}: one card is due", "DRAW-1"),
    ev.HandStood: _of_hand("stands with {total}", "PLAY-1"),
    ev.HandDoubled: _doubled,
    ev.HandSplit: _split,
    ev.HandSurrendered: _of_hand("is surrendered with {total}", "SURR"),
    ev.PlayerAsked: _asked,
    ev.MoveOnAllowed: _may_move_on,
    ev.PlayerPassedOver: _passed_over,
    ev.HandBusted: _busted,
    ev.ChoiceOffered: _of_hand("is its player's to choose, with {total}", "IRR-4"),
    ev.ChoiceMade: _chose,
    ev.CompletedAsDealt: _of_hand("is complete as dealt, with {total}", "IRR-4"),
    ev.OfferRefused: _offer_refused,
    ev.OfferAccepted: _of_hand("with {total} takes the offered card", "IRR-8"),
    ev.DealerTurnBegan: _of_table("The players are done", "REVEAL"),
    ev.DealerDraws: _dealer_draws,
    ev.HandVoided: _voided,
    ev.ControlResumed: _control_resumed,
}
