"""What every lamp, prompt, the gate and the notices should be: a function of state.

The runtime sends the difference to what the devices show, and after a reconnect
all of it.
"""

from typing import Final

import msgspec

from controller.core.actions import actor, asked
from controller.core.amounts import spoken_cents
from controller.core.computer import COMPUTER_WORDS, is_own, usb_words
from controller.core.ids import (
    BY_HAND,
    DEALER,
    NO_HAND,
    Direction,
    HandId,
    Phase,
    Reason,
    Stage,
)
from controller.core.irregularities import KINDS, seats_to_act, shoe_fault
from controller.core.mirror import MIRROR_WORDS
from controller.core.pickup import pickup_order
from controller.core.prompts import may_move_on
from controller.core.shoe import must_shuffle
from controller.core.state import Prompt, TableState, find_hand

TO_DEALER: Final = "dealer"
TO_SUPERVISOR: Final = "supervisor"

NOTHING_COUNTS: Final = "nothing that is pressed counts"


class Notice(msgspec.Struct, frozen=True):
    """Words for the dealer, the supervisor, or a seat by its number."""

    to: str
    words: str


class DealerPrompt(msgspec.Struct, frozen=True):
    """The one thing the dealer has to do now."""

    words: str
    clause: str
    hand: HandId = NO_HAND


class Outputs(msgspec.Struct, frozen=True):
    """All that the table shows and drives.

    `prompts` are numbered lamps, the dealer's panel first. `gate_up_to` is the
    shoe's number of the last card that may leave, 0 while the gate is locked.
    """

    prompts: tuple[Prompt, ...]
    gate_up_to: int
    dealer: DealerPrompt
    notices: tuple[Notice, ...]


def outputs(state: TableState) -> Outputs:
    """Return what the table shows in this state."""
    return Outputs(
        shown_prompts(state), gate_up_to(state), dealer_prompt(state), notices(state)
    )


def shown_prompts(state: TableState) -> tuple[Prompt, ...]:
    """Return what the panels show: no seat's own prompt while lamps are lit by hand."""
    if state.test_mode is None:
        return state.prompts
    return tuple(Prompt(prompt.seat, BY_HAND) for prompt in state.prompts)


def gate_up_to(state: TableState) -> int:
    """Return the last card number that may leave the shoe, 0: none (GATE)."""
    if state.suspended or not state.play.places:
        return 0
    burns = sum(place.is_burn for place in state.play.places)
    faces = len(state.play.places) - burns
    # A held card lies on the table already; it is dealt, but never burned (IRR-7).
    return state.shoe.last_card + burns + max(0, faces - len(state.held))


# --- The dealer's prompt --------------------------------------------------------


def dealer_prompt(state: TableState) -> DealerPrompt:
    """Return the dealer's one prompt: words, the clause, the hand concerned."""
    if state.suspended:
        return DealerPrompt("Wait for the supervisor", "IRR-1")
    if state.test_mode is not None:
        return DealerPrompt(f"TEST MODE: {NOTHING_COUNTS}", "Faults")
    if state.play.places:
        return _card_due(state)
    match state.phase:
        case Phase.CLOSED:
            return DealerPrompt("Open the shift", "PICKUP-1b")
        case Phase.BETTING:
            return _betting(state)
        case Phase.INSURANCE:
            seats = ", ".join(str(seat) for seat in seats_to_act(state))
            return DealerPrompt(f"Offer insurance to seat {seats}", "INS")
        case Phase.PLAYING:
            return _playing(state)
        case _:
            # Only SETTLED is left: while cards are dealt, one is due.
            return _pickup(state)


def _card_due(state: TableState) -> DealerPrompt:
    place = state.play.places[0]
    if place.is_burn:
        return DealerPrompt("Burn a card", "BURN")
    if place.face_down:
        return DealerPrompt("Card face down to the dealer", "PLAY-1", DEALER)
    if place.hand == DEALER:
        clause = "DRAW-2" if state.phase is Phase.DEALER_DRAWING else "PLAY-1"
        return DealerPrompt("Card to the dealer", clause, DEALER)
    clause = "PLAY-1" if state.phase is Phase.DEALING else "DUE"
    return DealerPrompt(f"Card to {_spot(place.hand)}", clause, place.hand)


def _spot(hand: HandId) -> str:
    return f"hand {hand}" if "." in hand else f"seat {hand}"


def _betting(state: TableState) -> DealerPrompt:
    if must_shuffle(state.shoe):
        return DealerPrompt("Shuffle the shoe", "CUT")
    if state.disk_nearly_full:
        return DealerPrompt(
            "No more deals: the journal's disk is nearly full", "Faults"
        )
    if state.wagers:
        return DealerPrompt("Deal when the bets are made", "BET")
    return DealerPrompt("Wait for the bets", "BET")


def _playing(state: TableState) -> DealerPrompt:
    hand = actor(state)
    assert hand is not None
    if may_move_on(state):
        return DealerPrompt(
            f"Ask seat {hand.seat} again, or move on with NEXT", "PLAY-3", hand.id
        )
    if state.wait.stage is Stage.MOVE_ON:
        return DealerPrompt(f"Ask seat {hand.seat}", "PLAY-3", hand.id)
    hands = f", hand {hand.id}" if hand.id != str(hand.seat) else ""
    return DealerPrompt(f"Wait for seat {hand.seat}{hands}", "PLAY-3", hand.id)


def _pickup(state: TableState) -> DealerPrompt:
    assert state.shift is not None
    order = pickup_order(state.play, state.shift.direction)
    way = (
        "right to left"
        if state.shift.direction is Direction.RIGHT_TO_LEFT
        else "left to right"
    )
    players = [name for name in order if name != DEALER]
    start = f", from {_spot(players[0])}" if players else ""
    return DealerPrompt(
        f"Pick up, {way}{start}", "PICKUP-1b", players[0] if players else DEALER
    )


# --- Notices --------------------------------------------------------------------


def notices(state: TableState) -> tuple[Notice, ...]:
    """Return every notice that shows now."""
    return (
        *_irregular(state),
        *_testing(state),
        *_asked(state),
        *_limits(state),
        *_links(state),
        *_betting_notices(state),
        *_mirror(state),
        *_enclosure(state),
        *_slow_panels(state),
        *_computer(state),
        *_announced(state),
        *_refusals(state),
    )


def _irregular(state: TableState) -> tuple[Notice, ...]:
    found = []
    for irregularity in state.irregularities:
        kind = KINDS[irregularity.kind]
        where = f", hand {irregularity.hand}" if irregularity.hand else ""
        where += f", seat {irregularity.seat}" if irregularity.seat else ""
        said = f": {irregularity.words}" if irregularity.words else ""
        words = f"{kind.words}{where}{said}. {kind.what_to_do} ({kind.clause})"
        found.append(Notice(TO_SUPERVISOR, words))
    if found:
        found.append(Notice(TO_DEALER, "Stopped: the supervisor decides"))
    return tuple(found)


def _testing(state: TableState) -> tuple[Notice, ...]:
    """Tell everybody that buttons are tried, and by whom."""
    if state.test_mode is None:
        return ()
    who = f"TEST MODE by {state.test_mode.person}: {NOTHING_COUNTS}"
    seats = (str(prompt.seat) for prompt in state.prompts if prompt.seat)
    return (
        Notice(TO_DEALER, who),
        Notice(TO_SUPERVISOR, who),
        *(Notice(seat, f"TEST MODE: {NOTHING_COUNTS}") for seat in seats),
    )


def _asked(state: TableState) -> tuple[Notice, ...]:
    if state.phase is not Phase.PLAYING or state.wait.stage is Stage.ASK:
        return ()
    hand = asked(state)
    if hand is None:
        return ()
    return (
        Notice(TO_DEALER, f"Ask seat {hand.seat} for a decision"),
        Notice(str(hand.seat), "The dealer asks for your decision"),
    )


def _limits(state: TableState) -> tuple[Notice, ...]:
    """Say what LIMIT-MAX and LIMIT-MIN did, as long as the round is visible."""
    play, found = state.play, []
    least = spoken_cents(state.rules.wager_min_cents)
    for wager in play.wagers:
        if wager.spot in play.reduced:
            words = f"Your wager counts {spoken_cents(wager.amount_cents)}"
            found.append(Notice(str(wager.seat), f"{words}, the rest is returned"))
        if wager.spot in play.explained:
            words = f"Explain the minimum of {least} to seat {wager.seat}"
            found.append(Notice(TO_SUPERVISOR, words))
    return tuple(found)


def _links(state: TableState) -> tuple[Notice, ...]:
    found = []
    for number, seat in enumerate(state.seats, start=1):
        if seat.panel_lost:
            entry = "; you may enter the choices" if seat.dealer_entry else ""
            found.append(
                Notice(TO_DEALER, f"The panel of seat {number} is lost{entry}")
            )
        found += [
            Notice(TO_DEALER, f"Button {button} of seat {number} is stuck")
            for button in seat.stuck
        ]
    if state.dealer_panel.panel_lost:
        found.append(Notice(TO_DEALER, "The dealer's panel is lost: use the console"))
    if fault := shoe_fault(state.shoe):
        found.append(Notice(TO_DEALER, fault))
    if remark := state.shoe.remark:
        found += [Notice(TO_DEALER, remark), Notice(TO_SUPERVISOR, remark)]
    return tuple(found)


def _betting_notices(state: TableState) -> tuple[Notice, ...]:
    found = []
    if must_shuffle(state.shoe):
        found.append(Notice(TO_DEALER, "A shuffle is due before the next deal"))
    if state.disk_nearly_full:
        words = "The journal's disk is nearly full"
        found += [Notice(TO_DEALER, words), Notice(TO_SUPERVISOR, words)]
    return tuple(found)


def _mirror(state: TableState) -> tuple[Notice, ...]:
    if state.mirror_fault is None:
        return ()
    what = MIRROR_WORDS[state.mirror_fault]
    words = f"The mirror of the journal is lost: {what}. Call the technician"
    return (Notice(TO_SUPERVISOR, words),)


def _enclosure(state: TableState) -> tuple[Notice, ...]:
    if not state.enclosure_open:
        return ()
    return (Notice(TO_SUPERVISOR, "The enclosure of the table is open"),)


def _slow_panels(state: TableState) -> tuple[Notice, ...]:
    if not state.panels_slow:
        return ()
    words = "The panels are read too slowly: press long. Call the technician"
    return (Notice(TO_DEALER, words), Notice(TO_SUPERVISOR, words))


def _computer(state: TableState) -> tuple[Notice, ...]:
    """Say what ails the computer, and which device there is not the table's own."""
    faults = (COMPUTER_WORDS[one] for one in state.computer_faults)
    said = [f"{words}. Call the technician" for words in faults]
    looked = state.usb_own is not None
    said += [
        f"Look who plugged this in: {usb_words(device)}"
        for device in state.usb_devices
        if looked and not is_own(state.usb_own, device)
    ]
    return tuple(Notice(TO_SUPERVISOR, words) for words in said)


def _announced(state: TableState) -> tuple[Notice, ...]:
    """Announce other limits and rules to everybody for one round (VAR)."""
    if state.rules_set_in_round != state.round:
        return ()
    rules = state.rules
    least, most = (
        spoken_cents(rules.wager_min_cents),
        spoken_cents(rules.wager_max_cents),
    )
    words = f"New rules: {rules.name}, wagers from {least} to {most}"
    seats = tuple(str(seat) for seat in range(1, state.seat_count + 1))
    return tuple(Notice(to, words) for to in (TO_DEALER, TO_SUPERVISOR, *seats))


_REFUSALS: Final[dict[Reason, str]] = {
    Reason.TEST_MODE: f"TEST MODE: {NOTHING_COUNTS}",
    Reason.SHIFT_CLOSED: "The table is closed",
    Reason.TABLE_SUSPENDED: "The table is stopped",
    Reason.BETS_CLOSED: "The bets are closed",
    Reason.WRONG_PHASE: "Not now",
    Reason.NO_WAGER: "You have no wager",
    Reason.NOT_YOUR_TURN: "It is not your turn",
    Reason.STALE_PRESS: "Your press came too late: please press again",
    Reason.ALREADY_ANSWERED: "You have answered already",
    Reason.ACTION_NOT_ALLOWED: "This is not allowed now",
    Reason.SPOT_TAKEN: "Another player's wager lies there",
    Reason.SIDE_WAGERS_PROHIBITED: "You may not wager there",
    Reason.INSURANCE_OVER_HALF: "Insurance is at most half your wager",
    Reason.NO_PREVIOUS_WAGER: "There is no wager to repeat",
}


def _refusals(state: TableState) -> tuple[Notice, ...]:
    """Return why seats' last presses were refused, as long as that is true."""
    return tuple(
        Notice(str(number), _REFUSALS[seat.refused])
        for number, seat in enumerate(state.seats, start=1)
        if seat.refused is not None
        and (state.suspended or seat.refused is not Reason.TABLE_SUSPENDED)
    )


def turn_of(state: TableState) -> HandId:
    """Return whose turn it is, as scenarios say it: nobody's outside play."""
    if state.phase not in (Phase.PLAYING, Phase.DEALER_DRAWING):
        return NO_HAND
    return state.play.turn


def wager_shown(state: TableState, name: HandId) -> int | None:
    """Return a hand's wager; while bets are open, what lies on the spot."""
    if state.phase is Phase.BETTING and state.wagers:
        lying = next((w for w in state.wagers if str(w.spot) == name), None)
        if lying is not None:
            return lying.amount_cents
    hand = find_hand(state.play, name)
    return hand.wager_cents if hand is not None else None
