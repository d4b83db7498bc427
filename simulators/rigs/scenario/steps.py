"""What happens at the table in a scenario: one class a step."""

from typing import TypeAlias

from controller.core.cards import Card
from controller.core.ids import Button, ShoeSign
from controller.words.lines import Line
from controller.words.values import Said


class Bet(Said, frozen=True):
    """BET with an amount sets the wager on a spot (BET); 0 clears it.

    `spot` is None for the seat's own.
    """

    seat: int
    amount_cents: int
    spot: int | None


class Clear(Said, frozen=True):
    """CLEAR takes the wager back from a spot, None for the seat's own."""

    seat: int
    spot: int | None


class Press(Said, frozen=True):
    """A button is pressed; BET and INSURE may carry an amount."""

    seat: int
    button: Button
    amount_cents: int | None


class LatePress(Said, frozen=True):
    """A press arrives that was made at the seat's prompt before the present one."""

    seat: int
    button: Button


class DrawCards(Said, frozen=True):
    """The shoe reports cards drawn, in this order; `??` could not be read."""

    cards: tuple[Card, ...]


class ReturnCards(Said, frozen=True):
    """The shoe reports cards put back, in this order."""

    cards: tuple[Card, ...]


class ShoeReports(Said, frozen=True):
    """The shoe reports a change of its own state."""

    sign: ShoeSign


class ShoeShuffled(Said, frozen=True):
    """The shoe has shuffled and says how many cards it holds, if it can count."""

    count: int | None


class ShoeGap(Said, frozen=True):
    """So many card numbers are missing that the shoe cannot give again (POSITION)."""

    missing: int


class PanelLost(Said, frozen=True):
    """A seat's panel does not answer any more (PANEL)."""

    seat: int


class PanelBack(Said, frozen=True):
    """A seat's panel answers again."""

    seat: int


class Wait(Said, frozen=True):
    """Nothing happens for a while, in milliseconds."""

    duration_ms: int


class PowerCut(Said, frozen=True):
    """The controller is killed and started again from its journal."""


PlayerStep: TypeAlias = Bet | Clear | Press | LatePress
ShoeStep: TypeAlias = DrawCards | ReturnCards | ShoeReports | ShoeShuffled | ShoeGap
PanelStep: TypeAlias = PanelLost | PanelBack
Step: TypeAlias = Line | PlayerStep | ShoeStep | PanelStep | Wait | PowerCut
