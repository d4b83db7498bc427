"""Numbering the prompts once a command is worked out (rules.md, Prompts)."""

from controller.core import events as ev
from controller.core.decide.draft import Draft
from controller.core.ids import DEALER_SEAT, Phase
from controller.core.prompts import wanted
from controller.core.state import Prompt


def number_prompts(draft: Draft) -> None:
    """Give a new number to every prompt whose buttons or hand changed.

    After an accepted press too, even where the same buttons are lit again. In
    BETTING lamps may change under one number, which goes up when betting opens.
    """
    state = draft.state
    betting = state.phase is Phase.BETTING
    opens = betting and draft.before.phase is not Phase.BETTING
    opens = opens or (betting and draft.before.round != state.round)
    changed = []
    for now, (buttons, hand) in zip(state.prompts, wanted(state), strict=True):
        player = now.seat != DEALER_SEAT
        same = (buttons, hand) == (now.buttons, now.hand)
        if betting and player:
            rises, changes = opens, opens or not same
        else:
            rises = not same or now.seat in draft.answered
            changes = rises
        if changes:
            number = now.number + 1 if rises else now.number
            changed.append(Prompt(now.seat, number, buttons, hand))
    if changed:
        draft.record(ev.PromptsChanged(prompts=tuple(changed)))
