"""Who may end a suspension, and that every table can go on."""

from collections.abc import Callable, Iterator
from typing import ClassVar

from controller.core import events as ev
from controller.core.commands import (
    AcceptSoftware,
    ReportCard,
    ReportPanel,
    TakeDecision,
)
from controller.core.ids import Role
from simulators.rigs.checkers.checker import Checker, Step
from simulators.rigs.checkers.tabletop import Tabletop


class SupervisorDecides(Checker):
    """Only a supervisor ends a suspension, and never the dealer of the shift.

    Two ends come by themselves, since nothing was decided: an unread card that is
    read again, and a panel that is back. What stands still for its program goes on once
    a supervisor accepts that, with a technician.
    """

    name: ClassVar[str] = "supervisor_decides"

    def on_step(self, step: Step, top: Tabletop) -> Iterator[str]:
        """Look at what ended each suspension."""
        del top
        for record in step.records:
            if isinstance(record, ev.TableResumed) and not _may_end(step):
                yield f"{type(step.given).__name__} ended a suspension"
            if isinstance(record, ev.DecisionTaken) and not _may_decide(step):
                yield f"{record.person} decided {record.command}"


def _may_end(step: Step) -> bool:
    match step.given:
        case TakeDecision():
            return _may_decide(step)
        case AcceptSoftware():
            given, shift = step.given, step.before.shift
            roles = (given.supervisor.role, given.technician.role)
            dealing = shift is not None and shift.dealer == given.supervisor.id
            return roles == (Role.SUPERVISOR, Role.TECHNICIAN) and not dealing
        case ReportPanel(lost=False) | ReportCard(unread=False):
            return True
        case _:
            return False


def _may_decide(step: Step) -> bool:
    given, shift = step.given, step.before.shift
    if not isinstance(given, TakeDecision) or given.person.role is not Role.SUPERVISOR:
        return False
    return shift is None or shift.dealer != given.person.id


class SomeStepLeadsOn(Checker):
    """From every table some step leads on: nothing is ever stuck.

    `leads_on` tries the steps that people and devices could take at a table and
    says whether one of them is accepted and moves it.
    """

    name: ClassVar[str] = "some_step_leads_on"

    def __init__(self, leads_on: Callable[[Step], bool]) -> None:
        self._leads_on = leads_on

    def on_step(self, step: Step, top: Tabletop) -> Iterator[str]:
        """Try the steps."""
        del top
        if not self._leads_on(step):
            kinds = [found.kind.value for found in step.state.irregularities]
            yield f"no step leads on from {step.state.phase.value} {kinds}"
