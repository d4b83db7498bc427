"""Which buttons the rules allow each seat, worked out from the records' layout."""

from controller.core.ids import Phase
from controller.core.rules import Peek, Rules, SplitOn, Surrender
from controller.core.state import TableState
from simulators.rigs.checkers.counting import (
    TWENTY_ONE,
    best_total,
    is_natural,
    points_of,
)
from simulators.rigs.checkers.layout import Layout, Lying
from simulators.rigs.checkers.tabletop import Tabletop

Lit = dict[int, frozenset[str]]


def legal_buttons(state: TableState, top: Tabletop) -> Lit:
    """Return the buttons that may be lit, by seat; seats that are dark are left out."""
    match top.phase:
        case Phase.BETTING:
            return _betting(state)
        case Phase.INSURANCE if not top.layout.insurance_closed:
            return {
                seat: _insuring(top.layout, seat)
                for seat in top.layout.asked
                if seat not in top.layout.insured and _plays_on(top.layout, seat)
            }
        case Phase.PLAYING:
            return _playing(top.layout, top.rules)
        case _:
            return {}


def _betting(state: TableState) -> Lit:
    """Return who may bet, clear, repeat: what a plain press would be accepted for."""
    owner = {wager.spot: wager.seat for wager in state.wagers}
    lit: Lit = {}
    for number, seat in enumerate(state.seats, start=1):
        buttons = set()
        if owner.get(number, number) == number:
            buttons.add("bet")
        if owner.get(number) == number:
            buttons.add("clear")
        last = [wager.spot for wager in seat.last_wagers]
        if last and all(owner.get(spot, number) == number for spot in last):
            buttons.add("rebet")
        lit[number] = frozenset(buttons)
    return lit


def _plays_on(at: Layout, seat: int) -> bool:
    return any(hand.seat == seat and hand.settled is None for hand in at.hands)


def _insuring(at: Layout, seat: int) -> frozenset[str]:
    most = sum(
        hand.stake_cents // 2
        for hand in at.hands
        if hand.seat == seat and hand.settled is None
    )
    return frozenset({"insure", "pass"}) if most else frozenset({"pass"})


def _playing(at: Layout, rules: Rules) -> Lit:
    hand = _in_turn(at, rules)
    if hand is None or (hand.name, False) in at.due:
        return {}
    return {hand.seat: _choices(at, hand, rules)}


def _in_turn(at: Layout, rules: Rules) -> Lying | None:
    choosing = [hand for hand in at.hands if hand.choosing]
    waiting = [hand for hand in at.hands if not _is_done(at, hand, rules)]
    waiting.sort(key=lambda hand: hand.later)
    return next(iter(choosing + waiting), None)


def _is_done(at: Layout, hand: Lying, rules: Rules) -> bool:
    if hand.settled is not None or hand.ended is not None:
        return True
    if hand.choosing or len(hand.cards) <= 1 or (hand.name, False) in at.due:
        return False
    total, _ = best_total(hand.cards, rules.joker_value)
    aces_done = hand.of_aces and not _may_split(at, hand, rules)
    return hand.stood or hand.doubled or total >= TWENTY_ONE or aces_done


def _choices(at: Layout, hand: Lying, rules: Rules) -> frozenset[str]:
    total, _ = best_total(hand.cards, rules.joker_value)
    if hand.choosing:
        may_hit = {"hit"} if total < TWENTY_ONE else set()
        return frozenset({"stand", "pass"} | may_hit)
    if at.offer is not None:
        return frozenset({"hit", "pass"})
    if hand.later:
        return frozenset({"hit", "stand"})
    buttons = {"stand"} if hand.of_aces else {"hit", "stand"}
    if _may_double(hand, rules):
        buttons.add("double")
    if _may_split(at, hand, rules):
        buttons.add("split")
    if _may_surrender(at, hand, rules):
        buttons.add("surrender")
    return frozenset(buttons)


def _may_double(hand: Lying, rules: Rules) -> bool:
    if len(hand.cards) != 2 or hand.of_aces:  # noqa: PLR2004 - the first two cards
        return False
    if hand.part:
        return rules.double_after_split
    return not is_natural(hand.cards, rules.joker_value)


def _may_split(at: Layout, hand: Lying, rules: Rules) -> bool:
    if len(hand.cards) != 2 or "??" in hand.cards:  # noqa: PLR2004 - a pair
        return False
    if hand.of_aces and not rules.resplit_aces:
        return False
    if sum(other.spot == hand.spot for other in at.hands) >= rules.split_hands_max:
        return False
    first, second = hand.cards
    if rules.split_on is SplitOn.RANK:
        return first[0] == second[0]
    joker = rules.joker_value
    return points_of(first, joker) == points_of(second, joker)


def _may_surrender(at: Layout, hand: Lying, rules: Rules) -> bool:
    if rules.surrender is not Surrender.LATE or len(hand.cards) != 2:  # noqa: PLR2004 - the first two cards
        return False
    if hand.of_aces or (hand.part and not rules.surrender_after_split):
        return False
    if at.peeked is not None:
        return not at.peeked
    if at.hole is not None and at.dealer[at.hole] != "??":
        return not is_natural(at.dealer, rules.joker_value)
    up = points_of(at.dealer[0], rules.joker_value)
    return up not in (1, 10) and rules.peek is not Peek.NONE
