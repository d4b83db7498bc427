"""What the staff of a table say: the shift, the dealer, the cash, the supervisor.

Most lines are commands of the core as they stand. Those that name a person are not
yet: which role somebody has is for others to vouch for.
"""

from typing import TypeAlias

import msgspec

from controller.core.commands import (
    ClarifyChoice,
    CloseShift,
    MoveCash,
    OpenSeat,
    PressDealerButton,
    UndoDeal,
)
from controller.core.decisions import Decision
from controller.core.ids import Direction
from controller.words.values import Said


class ShiftOpen(Said, frozen=True):
    """A dealer begins a shift, which fixes the direction of the pickup."""

    dealer: str
    pickup: Direction


class ChangeRules(msgspec.Struct, frozen=True, tag_field="decision"):
    """Rules change between rounds (VAR): keys and values as written.

    They become a decision once the ruleset in force is known.
    """

    ruleset: str | None
    overrides: tuple[tuple[str, str], ...]


class SupervisorDecides(Said, frozen=True):
    """A supervisor decides; a reason in words and a second person where given."""

    person: str
    decision: Decision | ChangeRules
    reason: str | None
    witness: str | None


ShiftLine: TypeAlias = ShiftOpen | CloseShift
DealerLine: TypeAlias = PressDealerButton | UndoDeal | OpenSeat | ClarifyChoice
Line: TypeAlias = ShiftLine | DealerLine | MoveCash | SupervisorDecides
