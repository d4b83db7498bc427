"""The program is held against the one that was accepted; two people accept another."""

from controller.core import events as ev
from controller.core.commands import AcceptSoftware, ReportSelfTest
from controller.core.decide.draft import Draft, Refusal
from controller.core.decide.watching import watch
from controller.core.ids import Kind, Reason, Role
from controller.core.software import changes, changes_text
from controller.core.state import TableState


def report_self_test(draft: Draft, command: ReportSelfTest) -> None:
    """Take the first program there is; stop a live table that another one runs.

    A difference that was found already stops the table only once.
    """
    accepted, found = draft.state.software_accepted, draft.state.software_found
    if not accepted.components:
        draft.record(ev.SoftwareAccepted(software=command.software))
        return
    if not found.components or found == draft.before.software_found:
        return
    changed = changes(accepted, found)
    draft.record(ev.SoftwareChanged(changes=changed, live=command.live))
    if command.live:
        _clear(draft)  # What it said of the program before this one.
        draft.find(Kind.SOFTWARE_CHANGED, words=changes_text(changed))
    else:
        draft.record(ev.SoftwareAccepted(software=found))


def accept(draft: Draft, command: AcceptSoftware) -> Refusal | None:
    """Let two people accept what runs the table; it goes on exactly where it was."""
    refusal = _people_reason(draft.state, command) or _digest_reason(
        draft.state, command
    )
    if refusal is not None:
        return refusal
    draft.record(
        ev.SoftwareAccepted(
            software=draft.state.software_found,
            supervisor=command.supervisor.id,
            technician=command.technician.id,
            reason=command.reason,
        )
    )
    _clear(draft)
    watch(draft)
    if draft.state.suspended and not draft.state.irregularities:
        draft.record(ev.TableResumed(phase=draft.state.play_phase))
    return None


def _people_reason(state: TableState, command: AcceptSoftware) -> Refusal | None:
    """Return why these two may not accept it: each needs a role of their own."""
    supervisor, technician = command.supervisor, command.technician
    for person in (supervisor, technician):
        if person.role is Role.UNKNOWN:
            return Refusal(Reason.UNKNOWN_PERSON, f"{person.id} is not known here")
    dealing = state.shift is not None and state.shift.dealer == supervisor.id
    if supervisor.role is not Role.SUPERVISOR or dealing:
        because = f"{supervisor.id} is none, or deals this shift"
        return Refusal(Reason.SUPERVISOR_REQUIRED, because)
    if technician.role is not Role.TECHNICIAN or technician.id == supervisor.id:
        because = f"expected a technician beside the supervisor, got {technician.id}"
        return Refusal(Reason.ROLE_NOT_ALLOWED, because)
    return None


def _digest_reason(state: TableState, command: AcceptSoftware) -> Refusal | None:
    found = state.software_found
    if not found.components:
        return _not_applicable("nothing differs from what was accepted")
    if found.digest != command.digest:
        return _not_applicable("what was found is not what was shown: look again")
    return None


def _not_applicable(because: str) -> Refusal:
    return Refusal(Reason.DECISION_NOT_APPLICABLE, because)


def _clear(draft: Draft) -> None:
    for found in draft.state.irregularities:
        if found.kind is Kind.SOFTWARE_CHANGED:
            draft.record(
                ev.IrregularityCleared(irregularity=found.irregularity, kind=found.kind)
            )
