"""Another shoe, a leave for a lost panel, other rules: SHOE, PANEL and VAR."""

from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.commands import TakeDecision
from controller.core.decide.applicable import NotApplicableError, need
from controller.core.decide.draft import Draft
from controller.core.decide.shoe import open_sealed
from controller.core.rules import composition


def new_shoe(draft: Draft, decision: dc.NewShoe, _command: TakeDecision) -> None:
    """Start the inventory anew; say what the old shoe was short or over by (SHOE)."""
    state = draft.state
    need(
        decision.decks == state.rules.decks,
        f"the ruleset plays with {state.rules.decks} decks",
    )
    short = {card: n for card, n in state.shoe.due_back.items() if n > 0}
    over = {card: -n for card, n in state.shoe.due_back.items() if n < 0}
    copies = composition(state.rules)
    for card, out in state.shoe.out.items():
        if out > copies.get(card, 0):
            over[card] = over.get(card, 0) + out - copies.get(card, 0)
    for loose in state.sealed:
        open_sealed(draft, loose.number)
    draft.record(ev.ShoeReplaced(decks=decision.decks, short=short, over=over))


def allow_dealer_entry(
    draft: Draft, decision: dc.AllowDealerEntry, _command: TakeDecision
) -> None:
    """Let the dealer enter a seat's choices while its panel is lost (PANEL)."""
    seat = draft.state.seats[decision.seat - 1]
    need(seat.panel_lost, f"the panel of seat {decision.seat} works")
    need(not seat.dealer_entry, f"seat {decision.seat} has this leave already")
    draft.record(ev.DealerEntryAllowed(seat=decision.seat))


def set_rules(draft: Draft, decision: dc.SetRules, _command: TakeDecision) -> None:
    """Put other rules in force (VAR)."""
    rules = decision.rules
    if rules is None:
        raise NotApplicableError(decision.problem)
    seats = [wager.seat for wager in draft.state.wagers]
    for seat in seats:
        need(
            seats.count(seat) <= rules.spots_per_player_max,
            f"seat {seat} has wagers on {seats.count(seat)} spots",
        )
    draft.record(ev.RulesetSet(rules=rules))
