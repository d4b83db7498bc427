"""Lines of the staff, written as people type them: what `grammar` reads, backwards.

Programs that act as staff (a console, a rig) send these over the control socket.
"""

from collections.abc import Iterator
from typing import assert_never

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core.ids import CashStep
from controller.words.amounts import amount_text
from controller.words.lines import ChangeRules, Line, ShiftOpen, SupervisorDecides

_STATED = frozenset({CashStep.STATE, CashStep.CHIPS})


def line_text(line: Line) -> str:
    """Write a line so that reading it gives the same line again.

    A text in words must hold no double quote: a line cannot say one.
    """
    match line:
        case ShiftOpen():
            return f"shift open {line.dealer} {line.pickup.value}"
        case cm.CloseShift():
            return "shift close"
        case cm.PressDealerButton():
            words = f' "{line.words}"' if line.words else ""
            return f"dealer {line.button.value}{words}"
        case cm.UndoDeal():
            return "dealer undo-deal"
        case cm.OpenSeat():
            return f"dealer seat-open {line.seat}"
        case cm.ClarifyChoice():
            return f"dealer clarify {line.seat} {line.button.value}"
        case cm.MoveCash():
            stated = (
                f" {amount_text(line.amount_cents)}" if line.step in _STATED else ""
            )
            return f"cash {line.seat} {line.step.value}{stated}"
        case SupervisorDecides():
            return " ".join(_supervisor(line))
        case _:
            assert_never(line)


def decision_text(decision: dc.Decision | ChangeRules) -> str:
    """Write what a supervisor decides: `correct-card 1 3 5s`.

    Raises:
        ValueError: A ruleset in full, which no line can say.

    """
    match decision:
        case ChangeRules():
            named = (decision.ruleset,) if decision.ruleset else ()
            changes = (f"{key}={value}" for key, value in decision.overrides)
            return " ".join(("set-rules", *named, *changes))
        case dc.MissedSecond():
            after = " after-dealer" if decision.after_dealer else ""
            return f"missed-second {decision.spot}{after}"
        case dc.DealerMissed():
            which = "second" if decision.second else "first"
            return f"dealer-missed {which} {decision.hand}".rstrip()
        case dc.SetRules():
            raise ValueError("expected keys and values to change, got a whole ruleset")
        case _:
            return " ".join(_plain(decision))


def _supervisor(line: SupervisorDecides) -> Iterator[str]:
    yield f"supervisor {line.person} {decision_text(line.decision)}"
    if line.witness is not None:
        yield f"witness={line.witness}"
    if line.reason is not None:
        yield f'reason="{line.reason}"'


def _plain(decision: dc.Decision) -> Iterator[str]:
    """Write the command and what stands in its fields, without what was left out."""
    yield str(decision.__struct_config__.tag)
    for field in decision.__struct_fields__:
        if value := getattr(decision, field):
            yield str(value)
