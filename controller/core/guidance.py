"""Which decisions of a supervisor apply now, and what each of them would do.

Exactly those are offered that `supervisor.why_not` accepts, so that two supervisors
with the same table before them have the same choice. Nothing here has the table's
secrets: what is offered, and the words for it, are the same whatever lies face down
(SECRET-2). Of a decision with a card still to be typed, some card is accepted; the
one that is typed may yet be refused, and then it is said why.
"""

import enum
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from controller.core import decisions as dc
from controller.core.cards import UNKNOWN, Card, rank, value
from controller.core.commands import Person, TakeDecision
from controller.core.decide.supervisor import needs_witness, why_not
from controller.core.foretell import foretold
from controller.core.ids import DEALER, NO_HAND, HandId, Kind, Role
from controller.core.rules import composition
from controller.core.secrets import SealedCard, Secrets, face_down_numbers
from controller.core.state import Irregularity, TableState

# Any supervisor and any witness: no id that a person can have.
_SUPERVISOR: Final = Person("", Role.SUPERVISOR)
_WITNESS: Final = Person(" ", Role.SUPERVISOR)


class Use(enum.Enum):
    """What a decision is to the present irregularities."""

    ANSWER = "answer"
    WAY_OUT = "way_out"
    ALSO = "also"


class Offered(msgspec.Struct, frozen=True, kw_only=True):
    """A decision that applies now.

    `decision` has the card `??` where its face is still to be typed, and no ruleset
    where that is. `answers` are the irregularities for which it is the usual one.
    """

    decision: dc.Decision
    does: str
    use: Use
    answers: tuple[int, ...] = ()
    needs_witness: bool = False


def offered(state: TableState) -> tuple[Offered, ...]:
    """Return every decision that applies now, the usual answers first."""
    return in_order(state, (found for found in worked_out(state) if found))


def bearing(state: TableState) -> tuple[object, ...]:
    """Return all on which the offer hangs: it stands as long as this is equal.

    A refused press or a lamp's number changes the state, and nothing here.
    """
    panels = tuple((seat.panel_lost, seat.dealer_entry) for seat in state.seats)
    loose = (state.undecided, state.held, state.missing, state.waiting)
    rest = (state.play, state.history, state.shoe, state.rules, state.shift)
    stops = (state.irregularities, state.software_found)
    return (state.phase, state.came_from, *stops, panels, *loose, *rest)


def worked_out(state: TableState) -> Iterator[Offered | None]:
    """Yield one by one what can be named at this table, None where it is refused.

    Each is worked out as it is asked for, which at a long round takes its while: a
    caller with other things to do need not take them all at once. One that is named
    with a card is tried with one card after the other.
    """
    public = _stand_in(state)
    for decision in _conceivable(state):
        for filled in _filled(state, decision):
            if _applies(state, public, filled):
                yield _offer(state, decision)
                break
            yield None


def in_order(state: TableState, found: Iterable[Offered]) -> tuple[Offered, ...]:
    """Return decisions as a person reads them.

    First the usual answers, as irregularities and their decisions stand, then what
    ends any suspension, then the rest.
    """
    return tuple(sorted(found, key=lambda offer: _place(state, offer)))


# --- What applies -----------------------------------------------------------------


def _stand_in(state: TableState) -> Secrets:
    """Return secrets of the present shape whose faces are made up."""
    face = next(
        (card for card in composition(state.rules) if value(card, 0) not in (1, 10)),
        UNKNOWN,
    )
    numbers = face_down_numbers(state)
    return Secrets(tuple(SealedCard(number, state.round, face) for number in numbers))


def _applies(state: TableState, public: Secrets, decision: dc.Decision) -> bool:
    command = TakeDecision(person=_SUPERVISOR, decision=decision, witness=_WITNESS)
    return why_not(state, public, command) is None


def _filled(state: TableState, decision: dc.Decision) -> Iterator[dc.Decision]:
    """Return the decision as it may be given, with what is to be typed put in."""
    match decision:
        case dc.CorrectCard():
            for card in _to_try(state, decision):
                yield msgspec.structs.replace(decision, card=card)
        case dc.KeyCard():
            yield dc.KeyCard(next(iter(composition(state.rules))))
        case dc.SetRules():
            yield dc.SetRules(state.rules)
        case _:
            yield decision


def _to_try(state: TableState, decision: dc.CorrectCard) -> tuple[Card, ...]:
    """Return faces of which one is accepted if any is.

    One of each rank; the same rank in another suit comes first: as a rule it changes
    nothing that followed, and needs no look at what lies face down. Cards of which
    too many would be out come last, and all of them: each stops the round where the
    last one of it lies.
    """
    was = _lying_at(state, decision.hand)[decision.position - 1]
    seen, out = state.play.seen, state.shoe.out
    possible: dict[str, Card] = {}
    too_many: list[Card] = []
    for card, copies in composition(state.rules).items():
        if card == was:
            continue
        if out.get(card, 0) + seen.count(card) < copies:
            possible[rank(card)] = card
        else:
            too_many.append(card)
    alike = possible.pop(rank(was), None)
    first = (alike,) if alike else ()
    return (*first, *possible.values(), *too_many)


def _conceivable(state: TableState) -> Iterator[dc.Decision]:
    """Return every decision that could be named at this table."""
    hands = tuple(hand.id for hand in state.play.hands)
    yield from (dc.Resume(), dc.VoidRound(), dc.Misdeal())
    yield from (dc.UseCard(), dc.OfferCard(), dc.BurnCard(), dc.ExposeHole())
    yield from (dc.DiscardCard(), dc.NoCard(), dc.KeyCard(UNKNOWN))
    for hand in hands:
        yield from (dc.VoidHand(hand), dc.PlayAsDealt(hand), dc.OfferChoice(hand))
    for hand in (*hands, DEALER):
        yield dc.LiesAt(hand)
        for position in range(1, len(_lying_at(state, hand)) + 1):
            yield dc.CorrectCard(hand, position, UNKNOWN)
            yield dc.DiscardCard(hand, position)
            yield dc.NoCard(hand, position)
    for spot in dict.fromkeys(hand.spot for hand in state.play.hands):
        yield from (dc.MissedFirst(spot), dc.MissedSecond(spot))
        yield dc.MissedSecond(spot, after_dealer=True)
    yield dc.DealerMissed(second=False)
    for hand in (NO_HAND, *hands):
        yield dc.DealerMissed(second=True, hand=hand)
    for seat in range(1, state.seat_count + 1):
        yield dc.AllowDealerEntry(seat)
    yield from (dc.NewShoe(state.rules.decks), dc.SetRules())


def _lying_at(state: TableState, name: HandId) -> tuple[Card, ...]:
    if name == DEALER:
        return state.play.dealer.cards
    return next(hand.cards for hand in state.play.hands if hand.id == name)


# --- What it is to the present irregularities --------------------------------------

_OF_A_CARD: Final = (dc.DiscardCard, dc.NoCard)

_USUAL: Final[dict[Kind, tuple[type, ...]]] = {
    Kind.CARD_DRAWN_IN_ERROR: (
        dc.UseCard,
        dc.OfferCard,
        dc.BurnCard,
        dc.PlayAsDealt,
        dc.OfferChoice,
        dc.DiscardCard,
        dc.NoCard,
    ),
    Kind.CARD_UNREAD: (dc.KeyCard, dc.Resume, dc.NoCard),
    Kind.CARD_IMPOSSIBLE: (dc.CorrectCard, dc.NoCard),
    Kind.SHOE_FAULT: (dc.Resume, dc.NewShoe),
    Kind.SHOE_POSITION_UNKNOWN: (dc.KeyCard, dc.NoCard, dc.Resume),
    Kind.SHOE_EMPTY: (dc.Resume, dc.NewShoe),
    Kind.PANEL_LOST: (dc.AllowDealerEntry,),
    Kind.RECONCILIATION_MISMATCH: (dc.Resume, dc.NewShoe),
    Kind.CALLED: (
        dc.Resume,
        dc.MissedFirst,
        dc.MissedSecond,
        dc.DealerMissed,
        dc.PlayAsDealt,
        dc.OfferChoice,
        dc.LiesAt,
        dc.ExposeHole,
        dc.DiscardCard,
        dc.CorrectCard,
        dc.NoCard,
    ),
    Kind.INTERNAL_FAULT: (dc.Resume, dc.VoidRound),
    Kind.JOURNAL_DAMAGED: (),
    Kind.JOURNAL_BEHIND: (),
    Kind.JOURNAL_FULL: (),
    Kind.SOFTWARE_CHANGED: (dc.Resume,),
}
_ANY_CARD: Final = (Kind.CALLED, Kind.CARD_IMPOSSIBLE)
"""What these find may be any card on the felt, not only the last one dealt."""

_WAYS_OUT: Final = (dc.Resume, dc.VoidHand, dc.VoidRound, dc.Misdeal)

_ALSO: Final = tuple(
    dict.fromkeys(
        kind
        for kinds in (_USUAL[Kind.CALLED], *_USUAL.values(), (dc.SetRules,))
        for kind in kinds
    )
)


def _offer(state: TableState, decision: dc.Decision) -> Offered:
    answers = tuple(
        found.irregularity
        for found in state.irregularities
        if _is_usual(state, found, decision)
    )
    way_out = isinstance(decision, _WAYS_OUT) and state.suspended
    use = Use.ANSWER if answers else Use.WAY_OUT if way_out else Use.ALSO
    return Offered(
        decision=decision,
        does=foretold(state, decision),
        use=use,
        answers=answers,
        needs_witness=needs_witness(decision),
    )


def _is_usual(state: TableState, found: Irregularity, decision: dc.Decision) -> bool:
    if type(decision) not in _USUAL[found.kind]:
        return False
    if isinstance(decision, _OF_A_CARD) and found.kind in _ANY_CARD:
        # The last card dealt is in the list by its place too.
        return bool(decision.hand or state.undecided or state.missing)
    if isinstance(decision, _OF_A_CARD):
        return not decision.hand
    if isinstance(decision, dc.AllowDealerEntry):
        return decision.seat == found.seat
    return True


def _place(state: TableState, offer: Offered) -> tuple[int, int]:
    """Return what sorts offers: by use, then as the usual decisions stand."""
    kind = type(offer.decision)
    match offer.use:
        case Use.ANSWER:
            at, found = next(
                (at, found)
                for at, found in enumerate(state.irregularities)
                if found.irregularity in offer.answers
            )
            return at, _USUAL[found.kind].index(kind)
        case Use.WAY_OUT:
            return len(state.irregularities), _WAYS_OUT.index(kind)
        case Use.ALSO:
            return len(state.irregularities) + 1, _ALSO.index(kind)
