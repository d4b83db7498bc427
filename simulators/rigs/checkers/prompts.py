"""Who may press what: one seat at a time, only what is legal, each prompt once."""

from collections.abc import Iterator
from typing import ClassVar

from controller.core import events as ev
from controller.core.commands import PressButton
from controller.core.ids import NO_HAND, Button, Phase
from simulators.rigs.checkers.checker import Checker, Step
from simulators.rigs.checkers.legality import legal_buttons
from simulators.rigs.checkers.tabletop import Tabletop

_ONE_AT_A_TIME = (Phase.PLAYING, Phase.DEALER_DRAWING)
_NOBODY = (Phase.CLOSED, Phase.DEALING, Phase.DEALER_DRAWING, Phase.SETTLED)
_BETTING = frozenset({Button.BET, Button.CLEAR, Button.REBET})


class OneSeatCanAct(Checker):
    """While hands are played, at most one seat has a lamp lit (ORDER)."""

    name: ClassVar[str] = "one_seat_can_act"

    def on_step(self, step: Step, top: Tabletop) -> Iterator[str]:
        """Count the seats with a lamp lit."""
        lit = [prompt.seat for prompt in step.shown.prompts[1:] if prompt.buttons]
        if top.phase in _ONE_AT_A_TIME and len(lit) > 1:
            yield f"seats {lit} can act at once"
        if lit and (top.suspended or top.phase in _NOBODY):
            yield f"seats {lit} can act, though none may in {step.state.phase}"


class OnePressPerPrompt(Checker):
    """A prompt is answered once; in BETTING each press counts once."""

    name: ClassVar[str] = "one_press_per_prompt"

    def __init__(self) -> None:
        self._answered: dict[int, int] = {}
        self._taken: dict[tuple[int, int], int] = {}

    def on_step(self, step: Step, top: Tabletop) -> Iterator[str]:
        """Look at what each accepted press answered."""
        del top
        for record in step.records:
            if not isinstance(record, ev.PressAccepted):
                continue
            pressed = _prompt_pressed(step, record)
            if step.before.prompts[record.seat].number != pressed:
                yield f"a press for prompt {pressed} answered another: {record}"
            if record.button in _BETTING:
                yield from self._bet(step)
                continue
            if record.prompt <= self._answered.get(record.seat, 0):
                yield f"a prompt is answered twice: {record}"
            self._answered[record.seat] = record.prompt

    def _bet(self, step: Step) -> Iterator[str]:
        given = step.given
        if not isinstance(given, PressButton):
            return
        panel = (given.seat, given.boot_id)
        if given.number <= self._taken.get(panel, 0):
            yield f"a press is counted twice: {given}"
        self._taken[panel] = given.number


def _prompt_pressed(step: Step, record: ev.PressAccepted) -> int:
    """Return which prompt the panel was showing; the dealer enters for the present."""
    given = step.given
    return given.prompt if isinstance(given, PressButton) else record.prompt


class LampsLegal(Checker):
    """Exactly the legal buttons are lit, at the seat whose turn it is (PLAY-1, DUE)."""

    name: ClassVar[str] = "lamps_legal"

    def on_step(self, step: Step, top: Tabletop) -> Iterator[str]:
        """Work the legal buttons out anew and compare."""
        dark = top.suspended or top.by_hand
        wanted = {} if dark else legal_buttons(step.state, top)
        for prompt in step.shown.prompts[1:]:
            legal = wanted.get(prompt.seat, frozenset())
            if frozenset(prompt.buttons) != legal:
                yield (
                    f"seat {prompt.seat} has {sorted(prompt.buttons)} lit, "
                    f"legal is {sorted(legal)}"
                )


class PromptNumbersRise(Checker):
    """A prompt's number only goes up, and does so whenever the prompt changes."""

    name: ClassVar[str] = "prompt_numbers_rise"

    def on_step(self, step: Step, top: Tabletop) -> Iterator[str]:
        """Compare each prompt with the one before the step."""
        answered = {
            record.seat
            for record in step.records
            if isinstance(record, ev.PressAccepted) and record.button not in _BETTING
        }
        betting = top.phase is Phase.BETTING and not top.suspended
        for was, now in zip(step.before.prompts, step.shown.prompts, strict=True):
            if now.number < was.number:
                yield f"prompt {now.seat} fell from {was.number} to {now.number}"
            changed = (was.buttons, was.hand) != (now.buttons, now.hand)
            lit_in_betting = betting and now.seat
            must_rise = now.seat in answered or (changed and not lit_in_betting)
            if must_rise and now.number <= was.number:
                yield f"prompt {now.seat} changed and kept its number {now.number}"


class GateOpenWhileDue(Checker):
    """The gate is open exactly while a card is due, and for no more cards (GATE)."""

    name: ClassVar[str] = "gate_open_while_due"

    def on_step(self, step: Step, top: Tabletop) -> Iterator[str]:
        """Count the places that are due from the records."""
        due = top.layout.due if top.round_open and not top.suspended else []
        burns = due.count((NO_HAND, True))
        # A card that was held lies on the table already, and is dealt, not burned.
        from_shoe = burns + max(0, len(due) - burns - len(step.state.held))
        up_to = step.state.shoe.last_card + from_shoe if due else 0
        if step.shown.gate_up_to != up_to:
            yield f"the gate is open up to {step.shown.gate_up_to}, due is {up_to}"


class RefusedPressChangesNothing(Checker):
    """A refused press moves no card, chip, turn or number (ORDER)."""

    name: ClassVar[str] = "refused_press_changes_nothing"

    def on_step(self, step: Step, top: Tabletop) -> Iterator[str]:
        """Compare the table with how it was."""
        del top
        refusals = ev.PressRefused | ev.CommandRefused
        if not any(isinstance(record, refusals) for record in step.records):
            return
        for name in ("phase", "came_from", "wagers", "play", "prompts", "wait"):
            if getattr(step.before, name) != getattr(step.state, name):
                yield f"{step.records[-1]} changed the table's {name}"
        if len(step.records) != 2:  # noqa: PLR2004 - what came in, and why it was refused
            yield f"a refusal led to {[type(r).__name__ for r in step.records]}"
