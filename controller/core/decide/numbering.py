"""Numbering the prompts once a command is worked out (rules.md, Prompts)."""

from collections.abc import Collection, Sequence

from controller.core import events as ev
from controller.core.decide.draft import Draft
from controller.core.ids import Phase
from controller.core.prompts import Lamps, wanted
from controller.core.state import Prompt


def number_prompts(draft: Draft) -> None:
    """Give a new number to every prompt whose buttons or hand changed.

    After an accepted press too, even where the same buttons are lit again. In
    BETTING lamps may change under one number, which goes up when betting opens.
    """
    if draft.state.test_mode is not None:
        return  # The prompts of play stand as they are, and show again afterwards.
    shown, lamps = draft.state.prompts, wanted(draft.state)
    if draft.state.phase is not Phase.BETTING:
        changed = _of_play(shown, lamps, draft.answered)
    else:
        # The dealer's panel has an ordinary prompt in BETTING too.
        changed = _of_play(shown[:1], lamps[:1], ())
        changed += _of_bets(shown[1:], lamps[1:], opens=_betting_opens(draft))
    if changed:
        draft.record(ev.PromptsChanged(prompts=tuple(changed)))


def _betting_opens(draft: Draft) -> bool:
    before = draft.before
    return before.phase is not Phase.BETTING or before.round != draft.state.round


def _of_play(
    shown: Sequence[Prompt], lamps: Sequence[Lamps], answered: Collection[int]
) -> list[Prompt]:
    return [
        Prompt(now.seat, now.number + 1, buttons, hand)
        for now, (buttons, hand) in zip(shown, lamps, strict=True)
        if buttons != now.buttons or hand != now.hand or now.seat in answered
    ]


def _of_bets(
    shown: Sequence[Prompt], lamps: Sequence[Lamps], *, opens: bool
) -> list[Prompt]:
    return [
        Prompt(now.seat, now.number + opens, buttons, hand)
        for now, (buttons, hand) in zip(shown, lamps, strict=True)
        if opens or buttons != now.buttons
    ]
