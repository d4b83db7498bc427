"""The cards and wagers of one round, laid out from its records alone.

Whoever has only the journal could do the same: each record moves a card, a chip
or the turn. It shares no code with the core's own fold.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from controller.core import events as ev
from controller.core.ids import (
    DEALER,
    NO_HAND,
    Button,
    InsuranceResult,
    Outcome,
    Phase,
)

Due = tuple[str, bool]
"""A place that a card is due at: the hand, and whether face down."""

Group = tuple[tuple[int, ...], tuple[str, ...]]
"""Cards that went to the rack at once: their numbers, and their faces."""


@dataclass
class Settled:
    """How a wager ended, and what the player gained by it."""

    how: Outcome | InsuranceResult
    net_cents: int


@dataclass
class Lying:
    """A player's hand, and what has been done with it."""

    spot: int
    seat: int
    stake_cents: int
    part: int = 0
    cards: list[str] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    of_aces: bool = False
    doubled: bool = False
    stood: bool = False
    acted: bool = False
    choosing: bool = False
    later: bool = False
    ended: Outcome | None = None
    settled: Settled | None = None
    picked_up: bool = False

    @property
    def name(self) -> str:
        """The hand as people call it."""
        return f"{self.spot}.{self.part}" if self.part else f"{self.spot}"


@dataclass
class Insured:
    """What a seat put on insurance, and how that ended."""

    amount_cents: int
    settled: Settled | None = None


class Layout:
    """One round as its standing records tell it.

    Attributes:
        rack: bottom to top; what was burned before the round lies lowest.
        due: where cards are due, in order.
        hole: where the hole card lies among the dealer's, None before.

    """

    def __init__(self, early: Iterable[Group] = ()) -> None:
        self.phase = Phase.DEALING
        self.hands: list[Lying] = []
        self.dealer: list[str] = []
        self.dealer_numbers: list[int] = []
        self.hole: int | None = None
        self.revealed = False
        self.dealer_picked_up = False
        self.due: list[Due] = []
        self.turn = ""
        self.peeked: bool | None = None
        self.offer: tuple[int, str] | None = None
        self.insured: dict[int, Insured] = {}
        self.asked: tuple[int, ...] = ()
        self.insurance_closed = False
        self.rack: list[Group] = list(early)

    @property
    def hole_number(self) -> int:
        """The number of the hole card, 0 where there is none."""
        return 0 if self.hole is None else self.dealer_numbers[self.hole]

    def hand(self, name: str) -> Lying:
        """Return the hand of that name."""
        return next(hand for hand in self.hands if hand.name == name)

    def take(self, record: object) -> None:
        """Let one record of the round have happened."""
        move = _MOVES.get(type(record))
        if move is not None:
            move(self, record)

    def lay(self, name: str, number: int, card: str, *, face_down: bool) -> None:
        """Lay a card at a hand, at the place that was due if it is that one."""
        if self.due[:1] == [(name, face_down)]:
            del self.due[0]
        if self.offer is not None and self.offer[0] == number:
            self.offer = None
        if name == DEALER:
            self.dealer.append(card)
            self.dealer_numbers.append(number)
        else:
            self.hand(name).cards.append(card)
            self.hand(name).numbers.append(number)


def _bets_closed(at: Layout, event: ev.BetsClosed) -> None:
    at.hands = [Lying(w.spot, w.seat, w.amount_cents) for w in event.wagers]


def _wager_reduced(at: Layout, event: ev.WagerReduced) -> None:
    at.hand(str(event.spot)).stake_cents = event.honoured_cents


def _minimum_refused(at: Layout, event: ev.MinimumRefused) -> None:
    at.hand(str(event.spot)).ended = Outcome.DEAD


def _deal_listed(at: Layout, event: ev.DealListed) -> None:
    at.due = [(place.hand, place.face_down) for place in event.places]


def _card_dealt(at: Layout, event: ev.CardDealt) -> None:
    at.lay(event.hand, event.number, event.card, face_down=False)


def _hole_card_dealt(at: Layout, event: ev.HoleCardDealt) -> None:
    at.hole = len(at.dealer)
    at.revealed = False
    at.lay(DEALER, event.number, "??", face_down=True)


def _hole_card_revealed(at: Layout, event: ev.HoleCardRevealed) -> None:
    assert at.hole is not None
    at.dealer[at.hole] = event.card
    at.revealed = True


def _face_changed(at: Layout, event: ev.CardIdentified | ev.CardCorrected) -> None:
    if event.hand == DEALER:
        at.dealer[at.dealer_numbers.index(event.number)] = event.card
    else:
        hand = at.hand(event.hand)
        hand.cards[hand.numbers.index(event.number)] = event.card
    at.rack = [
        (
            numbers,
            tuple(
                event.card if number == event.number else face
                for number, face in zip(numbers, faces, strict=True)
            ),
        )
        for numbers, faces in at.rack
    ]


def _racked_alone(at: Layout, event: ev.CardBurned | ev.CardDiscarded) -> None:
    burns = isinstance(event, ev.CardBurned)
    if burns and at.due[:1] == [(NO_HAND, True)]:
        del at.due[0]
    if at.offer is not None and at.offer[0] == event.number:
        at.offer = None
    at.rack.append(((event.number,), (event.card,)))


def _insurance_opened(at: Layout, event: ev.InsuranceOpened) -> None:
    at.phase = Phase.INSURANCE
    at.asked = event.seats


def _insurance_taken(at: Layout, event: ev.InsuranceTaken) -> None:
    at.insured[event.seat] = Insured(event.amount_cents)


def _insurance_declined(at: Layout, event: ev.InsuranceDeclined) -> None:
    at.insured[event.seat] = Insured(0)


def _insurance_closed(at: Layout, _event: ev.InsuranceClosed) -> None:
    at.insurance_closed = True


def _insurance_settled(at: Layout, event: ev.InsuranceSettled) -> None:
    at.insured[event.seat].settled = Settled(event.result, event.net_cents)


def _peeked(at: Layout, event: ev.DealerPeeked) -> None:
    at.peeked = event.blackjack


def _play_opened(at: Layout, _event: ev.PlayOpened) -> None:
    at.phase = Phase.PLAYING


def _turn_passed(at: Layout, event: ev.TurnPassed) -> None:
    at.turn = event.hand
    split = event.hand != DEALER and len(at.hand(event.hand).cards) == 1
    # Another hand's choice may have come between the split and its card (IRR-4).
    if split and at.offer is None and (event.hand, False) not in at.due:
        at.due.append((event.hand, False))


def _card_asked(at: Layout, event: ev.CardAsked) -> None:
    at.hand(event.hand).acted = True
    at.due.append((event.hand, False))


def _stood(at: Layout, event: ev.HandStood | ev.OfferRefused) -> None:
    hand = at.hand(event.hand)
    hand.acted = hand.stood = True


def _passed_over(at: Layout, event: ev.PlayerPassedOver) -> None:
    at.hand(event.hand).stood = True


def _doubled(at: Layout, event: ev.HandDoubled) -> None:
    hand = at.hand(event.hand)
    hand.acted = hand.doubled = True
    hand.stake_cents = event.wager_cents
    at.due.append((event.hand, False))


def _split(at: Layout, event: ev.HandSplit) -> None:
    first = at.hand(event.hand)
    place = at.hands.index(first)
    first.part = first.part or 1
    for hand in at.hands:
        if hand.spot == first.spot and hand.part > first.part:
            hand.part += 1
    second = Lying(
        first.spot,
        first.seat,
        event.wager_cents,
        first.part + 1,
        first.cards[1:],
        first.numbers[1:],
    )
    del first.cards[1:], first.numbers[1:]
    first.acted = True
    first.of_aces = second.of_aces = first.cards[0][0] == "A"
    at.hands.insert(place + 1, second)
    at.turn = first.name
    at.due.append((first.name, False))


def _no_longer_due(at: Layout, hand: str) -> None:
    """A hand that is over gets no card, whatever it had asked for."""
    at.due = [due for due in at.due if due[0] != hand]


def _surrendered(at: Layout, event: ev.HandSurrendered) -> None:
    hand = at.hand(event.hand)
    hand.acted, hand.ended = True, Outcome.SURRENDER
    _no_longer_due(at, event.hand)


def _busted(at: Layout, event: ev.HandBusted) -> None:
    at.hand(event.hand).ended = Outcome.BUST
    _no_longer_due(at, event.hand)


def _choice_offered(at: Layout, event: ev.ChoiceOffered) -> None:
    hand = at.hand(event.hand)
    hand.choosing, hand.acted, hand.stood = True, True, False


def _choice_made(at: Layout, event: ev.ChoiceMade) -> None:
    hand = at.hand(event.hand)
    hand.choosing = False
    if event.button is Button.PASS:
        hand.ended = Outcome.PUSH
        _no_longer_due(at, event.hand)
    elif event.button is Button.HIT:
        hand.later = True
    else:
        hand.stood = True


def _completed(at: Layout, event: ev.CompletedAsDealt) -> None:
    hand = at.hand(event.hand)
    hand.stood, hand.settled, hand.choosing = True, None, False


def _card_offered(at: Layout, event: ev.CardOffered) -> None:
    at.offer = (event.number, event.card)


def _offer_accepted(at: Layout, event: ev.OfferAccepted) -> None:
    at.hand(event.hand).acted = True


def _voided(at: Layout, event: ev.HandVoided) -> None:
    hand = at.hand(event.hand)
    hand.ended, hand.settled, hand.choosing = event.outcome, None, False
    _no_longer_due(at, event.hand)


def _dealer_began(at: Layout, _event: ev.DealerTurnBegan) -> None:
    at.phase = Phase.DEALER_DRAWING


def _dealer_draws(at: Layout, _event: ev.DealerDraws) -> None:
    at.due = [(DEALER, False)]


def _settled(at: Layout, event: ev.HandSettled) -> None:
    at.hand(event.hand).settled = Settled(event.outcome, event.net_cents)


def _picked_up(at: Layout, event: ev.HandPickedUp) -> None:
    if event.hand == DEALER:
        at.dealer_picked_up = True
        numbers = at.dealer_numbers
    else:
        hand = at.hand(event.hand)
        hand.picked_up = True
        numbers = hand.numbers
    at.rack.append((tuple(numbers), event.cards))


def _round_settled(at: Layout, _event: ev.RoundSettled) -> None:
    at.phase, at.turn, at.due = Phase.SETTLED, "", []


_MOVES: Final[dict[type, Callable[[Layout, Any], None]]] = {
    ev.BetsClosed: _bets_closed,
    ev.WagerReduced: _wager_reduced,
    ev.MinimumRefused: _minimum_refused,
    ev.DealListed: _deal_listed,
    ev.CardDealt: _card_dealt,
    ev.HoleCardDealt: _hole_card_dealt,
    ev.HoleCardRevealed: _hole_card_revealed,
    ev.CardIdentified: _face_changed,
    ev.CardCorrected: _face_changed,
    ev.CardBurned: _racked_alone,
    ev.CardDiscarded: _racked_alone,
    ev.InsuranceOpened: _insurance_opened,
    ev.InsuranceTaken: _insurance_taken,
    ev.InsuranceDeclined: _insurance_declined,
    ev.InsuranceClosed: _insurance_closed,
    ev.InsuranceSettled: _insurance_settled,
    ev.DealerPeeked: _peeked,
    ev.PlayOpened: _play_opened,
    ev.TurnPassed: _turn_passed,
    ev.CardAsked: _card_asked,
    ev.HandStood: _stood,
    ev.OfferRefused: _stood,
    ev.PlayerPassedOver: _passed_over,
    ev.HandDoubled: _doubled,
    ev.HandSplit: _split,
    ev.HandSurrendered: _surrendered,
    ev.HandBusted: _busted,
    ev.ChoiceOffered: _choice_offered,
    ev.ChoiceMade: _choice_made,
    ev.CompletedAsDealt: _completed,
    ev.CardOffered: _card_offered,
    ev.OfferAccepted: _offer_accepted,
    ev.HandVoided: _voided,
    ev.DealerTurnBegan: _dealer_began,
    ev.DealerDraws: _dealer_draws,
    ev.HandSettled: _settled,
    ev.HandPickedUp: _picked_up,
    ev.RoundSettled: _round_settled,
}
