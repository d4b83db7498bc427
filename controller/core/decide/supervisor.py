"""Only a supervisor's decision ends a suspension (rules.md, Irregularities).

Whether a decision applies is found by working it out on a draft of its own: the
one function that does it also says why not.
"""

from typing import Final

from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.commands import Person, TakeDecision
from controller.core.decide.applicable import NotApplicableError
from controller.core.decide.draft import Draft, Refusal
from controller.core.decide.testing import IN_TEST_MODE
from controller.core.decide.verdicts import VERDICTS
from controller.core.decide.watching import watch
from controller.core.ids import (
    DEALER,
    NO_HAND,
    ROUND_OPEN,
    HandId,
    Kind,
    Reason,
    Role,
)
from controller.core.irregularities import persists
from controller.core.secrets import Secrets
from controller.core.state import Irregularity, TableState, find_hand

_WITNESSED: Final = (dc.KeyCard, dc.NewShoe)
_NO_WITNESS: Final = (Role.UNKNOWN, Role.SURVEILLANCE)
"""A witness is a second known person; surveillance looks on and takes no part."""
_ALSO_IN_PLAY: Final = (dc.AllowDealerEntry, dc.SetRules, dc.NewShoe)
_END_ALL: Final = (dc.VoidRound, dc.Misdeal)
_OF_THE_JOURNAL: Final = (Kind.JOURNAL_DAMAGED, Kind.JOURNAL_BEHIND, Kind.JOURNAL_FULL)


def name_of(decision: dc.Decision) -> str:
    """Return the command's name as scenarios and the console spell it."""
    return str(type(decision).__struct_config__.tag)


def needs_witness(decision: dc.Decision) -> bool:
    """Return whether a second known person has to witness this decision."""
    return isinstance(decision, _WITNESSED)


def take_decision(draft: Draft, command: TakeDecision) -> Refusal | None:
    """Let a supervisor's decision take effect, or say why it does not apply."""
    refusal = why_not(draft.state, draft.secrets, command)
    if refusal is not None:
        return refusal
    decision = command.decision
    draft.record(
        ev.DecisionTaken(
            command=name_of(decision),
            person=command.person.id,
            clause=decision.CLAUSE,
            reason=command.reason,
            witness=command.witness.id if command.witness else "",
            hand=_hand_named(decision),
        )
    )
    VERDICTS[type(decision)](draft, decision, command)
    if draft.state.suspended:
        _finish(draft, decision)
    return None


def why_not(
    state: TableState, secrets: Secrets, command: TakeDecision
) -> Refusal | None:
    """Return why a decision is refused now; None where it applies."""
    return (
        _person_reason(state, command)
        or (IN_TEST_MODE if state.test_mode is not None else None)
        or _hand_reason(state, command.decision)
        or _time_reason(state, command.decision)
        or _effect_reason(state, secrets, command)
    )


def _person_reason(state: TableState, command: TakeDecision) -> Refusal | None:
    person, witness = command.person, command.witness
    if person.role is Role.UNKNOWN:
        return Refusal(Reason.UNKNOWN_PERSON, f"{person.id} is not known here")
    if not _may_decide(state, person):
        return Refusal(Reason.SUPERVISOR_REQUIRED)
    if needs_witness(command.decision) and not _is_second(person, witness):
        return Refusal(Reason.WITNESS_REQUIRED, "a second known person must witness it")
    return None


def _may_decide(state: TableState, person: Person) -> bool:
    """Return whether this is a supervisor, and not the dealer of the shift."""
    dealing = state.shift is not None and state.shift.dealer == person.id
    return person.role is Role.SUPERVISOR and not dealing


def _is_second(person: Person, witness: Person | None) -> bool:
    return (
        witness is not None
        and witness.role not in _NO_WITNESS
        and witness.id != person.id
    )


def _hand_named(decision: dc.Decision) -> HandId:
    return HandId(getattr(decision, "hand", NO_HAND))


def _hand_reason(state: TableState, decision: dc.Decision) -> Refusal | None:
    play = state.play
    hand = _hand_named(decision)
    if hand and hand != DEALER and find_hand(play, hand) is None:
        return Refusal(Reason.UNKNOWN_HAND, f"there is no hand {hand}")
    only_players = (dc.VoidHand, dc.PlayAsDealt, dc.OfferChoice, dc.DealerMissed)
    if hand == DEALER and isinstance(decision, only_players):
        return Refusal(Reason.UNKNOWN_HAND, "the dealer's hand is no player's")
    if isinstance(decision, dc.MissedFirst | dc.MissedSecond) and not any(
        hand.spot == decision.spot for hand in play.hands
    ):
        return Refusal(Reason.UNKNOWN_HAND, f"there is no hand on spot {decision.spot}")
    return None


def _time_reason(state: TableState, decision: dc.Decision) -> Refusal | None:
    if any(found.kind in _OF_THE_JOURNAL for found in state.irregularities):
        # Whatever is decided could not be trusted to stand in the record (Faults).
        return _not_applicable("the journal cannot be used: call the technician")
    if state.software_found.components:
        return _not_applicable("the program is not the accepted one: accept it first")
    between_rounds = state.play_phase not in ROUND_OPEN
    if isinstance(decision, dc.SetRules) and not between_rounds:
        return Refusal(Reason.ROUND_OPEN)
    if state.suspended:
        return None
    if not isinstance(decision, _ALSO_IN_PLAY):
        return _not_applicable("the table is not suspended")
    if isinstance(decision, dc.NewShoe) and not between_rounds:
        return _not_applicable("a round is open and the table is not suspended")
    return None


def _effect_reason(
    state: TableState, secrets: Secrets, command: TakeDecision
) -> Refusal | None:
    trial = Draft(state, secrets)
    try:
        VERDICTS[type(command.decision)](trial, command.decision, command)
    except NotApplicableError as error:
        return _not_applicable(str(error))
    return None


def _not_applicable(because: str) -> Refusal:
    return Refusal(Reason.DECISION_NOT_APPLICABLE, because)


def _finish(draft: Draft, decision: dc.Decision) -> None:
    """Answer every irregularity whose cause is gone; go on when none is left."""
    for found in draft.state.irregularities:
        if _is_answered(draft.state, found, decision):
            draft.record(
                ev.IrregularityCleared(irregularity=found.irregularity, kind=found.kind)
            )
    watch(draft)
    if not draft.state.irregularities:
        draft.record(ev.TableResumed(phase=draft.state.play_phase))


def _is_answered(state: TableState, found: Irregularity, decision: dc.Decision) -> bool:
    if isinstance(decision, _END_ALL):
        return True
    if found.kind is Kind.SHOE_POSITION_UNKNOWN:
        # POSITION: only `resume` says that all that lies there is accounted for.
        return isinstance(decision, dc.Resume)
    return not persists(state, found)
