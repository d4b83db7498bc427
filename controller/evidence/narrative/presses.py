"""Prompts and presses: what was lit since when, what was pressed, what became of it."""

from collections.abc import Iterable
from typing import Final, get_args

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.actions import actor
from controller.core.decisions import Decision
from controller.core.ids import DEALER_SEAT, DealerButton, Phase, Reason
from controller.core.state import Prompt
from controller.evidence.narrative.moment import Line, Lit, Moment, Teller
from controller.evidence.narrative.refusals import REFUSED
from controller.evidence.narrative.wording import hand_words, lamps_words, sentence


def _prompts(event: ev.PromptsChanged, _moment: Moment) -> Iterable[Line]:
    return map(_prompt, event.prompts)


def _prompt(prompt: Prompt) -> Line:
    who = "Dealer" if prompt.seat == DEALER_SEAT else f"Seat {prompt.seat}"
    hand = f" for {hand_words(prompt.hand)}" if prompt.hand and prompt.buttons else ""
    text = f"{who}'s panel {lamps_words(prompt.buttons)}{hand}"
    return Line(prompt.seat, f"{text} (prompt {prompt.number})", "PLAY-2")


def _accepted(event: ev.PressAccepted, moment: Moment) -> Iterable[Line]:
    button = event.button.value.upper()
    hand = f" for {hand_words(event.hand)}" if event.hand else ""
    if event.by_dealer:
        text = f"The dealer enters {button} for seat {event.seat}{hand}, by leave"
        yield Line(event.seat, f"{text}: the seat's panel is lost", "PLAY-4")
        return
    text = f"Seat {event.seat} presses {button}{hand}; {_shown(event.seat, moment)}"
    yield Line(event.seat, text, _clause(moment))


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
    button, reason = event.button.value.upper(), event.reason.value
    parts = [
        f"{who} {button}, refused: {why.words} ({reason})",
        *_turn(event.seat, moment),
        _shown(event.seat, moment),
    ]
    lit = moment.lit.get(event.seat)
    if not event.by_dealer and lit is not None and lit.prompt.number != event.prompt:
        parts.append(f"the press was for prompt {event.prompt}")
    yield Line(event.seat, "; ".join(parts), why.clause)


def _turn(seat: int, moment: Moment) -> Iterable[str]:
    """Say whose turn it was instead."""
    if moment.before.phase is not Phase.PLAYING:
        return
    hand = actor(moment.before)
    if hand is not None and hand.seat != seat:
        yield f"the turn is {hand_words(hand.id)}'s, of seat {hand.seat}"


def _shown(seat: int, moment: Moment) -> str:
    """Say what the seat's panel showed when the press was taken, and since when."""
    lit = moment.lit.get(seat, Lit(Prompt(seat), ""))
    since = f" since {lit.since}" if lit.since else ""
    showed = lamps_words(lit.prompt.buttons)
    return f"its panel {showed}{since} (prompt {lit.prompt.number})"


_DEALERS: Final[dict[DealerButton, str]] = {
    DealerButton.DEAL: "BET",
    DealerButton.NEXT: "PLAY-3",
    DealerButton.PICKUP: "PICKUP-1b",
    DealerButton.CLOSE_INSURANCE: "INS",
    DealerButton.CALL: "IRR-1",
}


def _dealer_pressed(command: cm.PressDealerButton, _moment: Moment) -> Iterable[Line]:
    button = command.button.value.upper().replace("-", " ")
    words = f": {command.words}" if command.words else ""
    text = f"The dealer presses {button}{words}"
    yield Line(None, text, _DEALERS[command.button])


_CLAUSES: Final = {
    str(decision.__struct_config__.tag): str(decision.CLAUSE)
    for decision in get_args(Decision)
}


def _command_refused(event: ev.CommandRefused, _moment: Moment) -> Iterable[Line]:
    why = REFUSED[event.reason]
    who = f"{event.person}'s" if event.person else "The dealer's"
    because = f", {event.because}" if event.because else ""
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
    ev.CommandRefused: _command_refused,
}
