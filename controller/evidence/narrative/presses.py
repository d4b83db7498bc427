"""Prompts and presses: what was lit since when, what was pressed, what became of it."""

from collections.abc import Iterable
from typing import Final, get_args

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.actions import actor
from controller.core.decisions import Decision
from controller.core.ids import DEALER_SEAT, DealerButton, Phase, Reason
from controller.core.state import Prompt, TableState
from controller.evidence.narrative.lamps import press_was_for, shown
from controller.evidence.narrative.moment import Line, Moment, Teller
from controller.evidence.narrative.refusals import REFUSED
from controller.evidence.narrative.wording import (
    hand_words,
    lamps_words,
    listed,
    sentence,
)
from controller.evidence.times import duration_text

_NOTABLE_AGE_MS: Final = 100
"""A panel's report takes some hundredths of a second; more is worth a word."""


def _prompts(event: ev.PromptsChanged, moment: Moment) -> Iterable[Line]:
    return (_prompt(prompt, moment.after) for prompt in event.prompts)


def _prompt(prompt: Prompt, state: TableState) -> Line:
    who = "Dealer" if prompt.seat == DEALER_SEAT else f"Seat {prompt.seat}"
    hand = f" for {hand_words(prompt.hand)}" if prompt.hand and prompt.buttons else ""
    text = f"{who}'s panel {lamps_words(prompt.buttons)}{hand}"
    if prompt.buttons and _panel_lost(prompt.seat, state):
        may = listed(prompt.buttons)
        text = f"{who} may {may}{hand}, but its panel is lost and dark"
    return Line(prompt.seat, f"{text} (prompt {prompt.number})", "PLAY-2")


def _panel_lost(seat: int, state: TableState) -> bool:
    panel = state.dealer_panel if seat == DEALER_SEAT else state.seats[seat - 1]
    return panel.panel_lost


def _accepted(event: ev.PressAccepted, moment: Moment) -> Iterable[Line]:
    button = event.button.value.upper()
    hand = f" for {hand_words(event.hand)}" if event.hand else ""
    if event.by_dealer:
        text = f"The dealer enters {button} for seat {event.seat}{hand}, by leave"
        yield Line(event.seat, f"{text}: the seat's panel is lost", "PLAY-4")
        return
    pressed = f"Seat {event.seat} presses {button}{hand}{_age(moment)}"
    text = f"{pressed}; {shown(event.seat, moment)}"
    yield Line(event.seat, text, _clause(moment))


def _age(moment: Moment) -> str:
    """Say how long a press had waited in its panel, where that was long."""
    if moment.press is None or moment.press.age_ms < _NOTABLE_AGE_MS:
        return ""
    return f", {duration_text(moment.press.age_ms)} before the table heard of it"


def _clause(moment: Moment) -> str:
    match moment.before.phase:
        case Phase.BETTING:
            return "BET"
        case Phase.INSURANCE:
            return "INS"
        case _:
            return "PLAY-1"


def _refused(event: ev.PressRefused, moment: Moment) -> Iterable[Line]:
    why = REFUSED[event.reason]
    who = f"Seat {event.seat} presses"
    if event.by_dealer:
        who = f"The dealer enters for seat {event.seat}"
    age = "" if event.by_dealer else _age(moment)
    button, reason = event.button.value.upper(), event.reason.value
    parts = [
        f"{who} {button}{age}, refused: {why.words} ({reason})",
        *_turn(event.seat, moment),
        shown(event.seat, moment),
    ]
    lit = moment.lit.get(event.seat)
    if not event.by_dealer and lit is not None and lit.prompt.number != event.prompt:
        parts.append(press_was_for(event.seat, event.prompt, moment))
    yield Line(event.seat, "; ".join(parts), why.clause)


def _turn(seat: int, moment: Moment) -> Iterable[str]:
    """Say whose turn it was instead."""
    if moment.before.phase is not Phase.PLAYING:
        return
    hand = actor(moment.before)
    if hand is not None and hand.seat != seat:
        yield f"the turn is {hand_words(hand.id)}'s, of seat {hand.seat}"


_DEALERS: Final[dict[DealerButton, str]] = {
    DealerButton.DEAL: "BET",
    DealerButton.NEXT: "PLAY-3",
    DealerButton.PICKUP: "PICKUP-1b",
    DealerButton.CLOSE_INSURANCE: "INS",
    DealerButton.CALL: "IRR-1",
}


def _dealer_pressed(command: cm.PressDealerButton, moment: Moment) -> Iterable[Line]:
    button = command.button.value.upper().replace("-", " ")
    words = f": {command.words}" if command.words else ""
    # Every panel counts its presses: what has no number was typed.
    if command.number:
        text = f"The dealer presses {button}{words}; {shown(DEALER_SEAT, moment)}"
    else:
        by = f", by {command.entered_by}" if command.entered_by else ""
        text = f"The dealer's {button} is entered at the console{by}{words}"
    yield Line(None, text, _DEALERS[command.button])


def _tried(command: cm.TryButton, moment: Moment) -> Iterable[Line]:
    who = (
        "The dealer's panel" if command.seat == DEALER_SEAT else f"Seat {command.seat}"
    )
    tried_by = moment.before.test_mode
    when = "was pressed while lamps were lit by hand"
    if tried_by is not None:
        when = f"is pressed in the test mode of {tried_by.person}"
    text = f"{who}: {command.button.upper()} {when}"
    yield Line(command.seat or None, f"{text}; it counts for nothing", "Faults")


_CLAUSES: Final = {
    str(decision.__struct_config__.tag): str(decision.CLAUSE)
    for decision in get_args(Decision)
}


def _command_refused(event: ev.CommandRefused, _moment: Moment) -> Iterable[Line]:
    why = REFUSED[event.reason]
    who = f"{event.person}'s" if event.person else "The dealer's"
    # A reason may need no other words than its own.
    because = f", {event.because}" if event.because not in ("", why.words) else ""
    text = f"{who} {event.command} is refused: {why.words}{because}"
    clause = why.clause
    if event.reason is Reason.DECISION_NOT_APPLICABLE:
        clause = _CLAUSES.get(event.command, clause)
    yield Line(None, f"{sentence(text)} ({event.reason.value})", clause)


TELLERS: Final[dict[type, Teller]] = {
    ev.PromptsChanged: _prompts,
    ev.PressAccepted: _accepted,
    ev.PressRefused: _refused,
    cm.PressDealerButton: _dealer_pressed,
    cm.TryButton: _tried,
    ev.CommandRefused: _command_refused,
}
