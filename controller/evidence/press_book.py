"""What was pressed at players' panels, what was lit then, and what became of it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.actions import actor
from controller.core.evolve import Record as Fact
from controller.core.ids import NO_HAND, HandId, Phase
from controller.core.state import Prompt, TableState
from controller.evidence.account import Entry, PressAccount
from controller.evidence.panels import Lit
from controller.journal.records import Record as Row

_PROMPTS: Final = str(ev.PromptsChanged.__struct_config__.tag)
_DEALT: Final = str(ev.CardDealt.__struct_config__.tag)
_ASKING: Final = frozenset(
    str(event.__struct_config__.tag)
    for event in (ev.CardAsked, ev.HandDoubled, ev.HandSplit)
)
"""After these the player waits for a card, which is what became of the press."""


class PressBook:
    """Follows the presses of a round."""

    def __init__(self) -> None:
        self.last_press: cm.PressButton | None = None
        self._presses: list[PressAccount] = []

    def take(
        self,
        row: Row,
        fact: Fact,
        before: TableState,
        lit: Mapping[int, Lit],
        entries: Sequence[Entry],
    ) -> None:
        """Take one record with what it tells; `lit` is what panels show before it."""
        match fact:
            case cm.PressButton():
                self.last_press = fact
            case ev.PressAccepted() | ev.PressRefused():
                shown = lit.get(fact.seat, Lit(Prompt(fact.seat)))
                refused = fact if isinstance(fact, ev.PressRefused) else None
                self._presses.append(
                    PressAccount(
                        sequence=row.sequence,
                        at=row.recorded_at,
                        seat=fact.seat,
                        button=fact.button.value,
                        by_dealer=fact.by_dealer,
                        prompt=fact.prompt,
                        shown=() if shown.dark else shown.prompt.buttons,
                        shown_prompt=shown.prompt.number,
                        shown_since=shown.since.recorded_at if shown.since else None,
                        panel_lost=shown.dark,
                        turn=_turn(before),
                        reason=refused.reason.value if refused else None,
                        text=" ".join(entry.text for entry in entries),
                    )
                )
            case _:
                pass

    def presses(self, timeline: Sequence[Entry]) -> tuple[PressAccount, ...]:
        """Return every press, with what the whole round says became of it."""
        return tuple(
            replace(press, became=tuple(_became(press, timeline)))
            for press in self._presses
        )


def _turn(state: TableState) -> HandId:
    hand = actor(state) if state.phase is Phase.PLAYING else None
    return NO_HAND if hand is None else hand.id


def _became(press: PressAccount, timeline: Sequence[Entry]) -> Iterator[str]:
    """Yield what followed of itself, and the card that the press asked for."""
    if press.reason is not None:
        return
    at = next(i for i, e in enumerate(timeline) if e.sequence == press.sequence)
    cause = timeline[at].cause
    awaits_a_card = False
    for entry in timeline[at + 1 :]:
        if entry.cause == cause:
            awaits_a_card |= entry.type in _ASKING
            if entry.type != _PROMPTS:
                yield entry.text
        elif not awaits_a_card:
            return
        elif entry.type == _DEALT and entry.seat == press.seat:
            yield entry.text
            return
