"""Whether some step of people or devices leads on from a table."""

from collections.abc import Callable, Iterator
from typing import Final

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core.cards import UNKNOWN, Card
from controller.core.commands import Command, Person
from controller.core.decide import Decision
from controller.core.ids import (
    Button,
    DealerButton,
    Direction,
    EndOfTestMode,
    Phase,
    Role,
    ShoeSign,
)
from controller.core.outputs import Outputs, outputs
from controller.core.rules import composition
from controller.core.secrets import Secrets
from controller.core.state import TableState

Decide = Callable[[TableState, Secrets, Command], Decision]

_DEALER: Final = Person("D-way-out", Role.DEALER)
_SUPERVISOR: Final = Person("S-way-out", Role.SUPERVISOR)
_WITNESS: Final = Person("W-way-out", Role.SUPERVISOR)
_TECHNICIAN: Final = Person("T-way-out", Role.TECHNICIAN)
_BOOT: Final = 2**40
"""A boot that no panel has had, so that no press counts as repeated."""


def leads_on(decide: Decide, state: TableState, secrets: Secrets) -> bool:
    """Return whether something can be done that moves the table.

    A suspension must end, by mending what is broken and by decisions; otherwise one
    command must be accepted that changes phase, turn, cards or wagers.
    """
    if state.suspended:
        return _ends(decide, state, secrets)
    if state.test_mode is not None:
        end = cm.EndTestMode(why=EndOfTestMode.ASKED, person=_TECHNICIAN)
        state = decide(state, secrets, end).state
    for command in _releases(state):
        state = decide(state, secrets, command).state
    return any(
        _moves(state, decide(state, secrets, command).state)
        for command in _steps(state, outputs(state))
    )


def _releases(state: TableState) -> Iterator[Command]:
    """Return what makes panels speak again: a cable, and buttons that are let go."""
    for seat in range(1, state.seat_count + 1):
        yield cm.ReportPanel(seat=seat, lost=False)
        for button in state.seats[seat - 1].stuck:
            yield cm.ReportStuckButton(seat=seat, button=button, stuck=False)


def _moves(before: TableState, after: TableState) -> bool:
    return any(
        getattr(before, name) != getattr(after, name)
        for name in ("phase", "came_from", "play", "wagers")
    )


def _steps(state: TableState, shown: Outputs) -> Iterator[Command]:
    """Return what the lamps, the gate and the dealer's prompt ask for."""
    yield cm.OpenShift(dealer=_DEALER, direction=Direction.RIGHT_TO_LEFT)
    for wager in state.wagers:
        yield cm.PressButton(
            seat=wager.seat,
            button=Button.CLEAR,
            prompt=shown.prompts[wager.seat].number,
            boot_id=_BOOT,
            number=1,
            spot=wager.spot,
        )
    for prompt in shown.prompts[1:]:
        for button in prompt.buttons:
            yield cm.PressButton(
                seat=prompt.seat,
                button=Button(button),
                prompt=prompt.number,
                boot_id=_BOOT,
                number=1,
            )
    for name in shown.prompts[0].buttons:
        if DealerButton(name) is not DealerButton.CALL:
            yield cm.PressDealerButton(button=DealerButton(name))
    if shown.gate_up_to:
        number = state.shoe.last_card + 1
        yield cm.ReportCard(number=number, card=_some_card(state))
    if state.phase is Phase.PLAYING:
        yield cm.ReachTime(wait=state.wait.number, stage=state.wait.stage)


def _some_card(state: TableState) -> Card:
    """Return a face of which the shoe may still hold one."""
    play, out = state.play, state.shoe.out
    for card, copies in composition(state.rules).items():
        if out.get(card, 0) + play.seen.count(card) < copies:
            return card
    return UNKNOWN


def _ends(decide: Decide, state: TableState, secrets: Secrets) -> bool:
    """Return whether mending and deciding, in this order, ends the suspension."""
    for command in (*_mending(state), *_deciding(state)):
        decided = decide(state, secrets, command)
        state, secrets = decided.state, decided.secrets
        if not state.suspended:
            return True
    return False


def _mending(state: TableState) -> Iterator[Command]:
    for sign in (
        ShoeSign.LID_CLOSED,
        ShoeSign.CLEARED,
        ShoeSign.BACK,
        ShoeSign.SHUFFLED,
    ):
        yield cm.ReportShoe(sign=sign)
    for seat in range(1, state.seat_count + 1):
        yield cm.ReportPanel(seat=seat, lost=False)
    if state.software_found.components:
        yield cm.AcceptSoftware(
            supervisor=_SUPERVISOR,
            technician=_TECHNICIAN,
            digest=state.software_found.digest,
            reason="the way out",
        )


def _deciding(state: TableState) -> Iterator[Command]:
    loose = len(state.missing) + len(state.undecided) + len(state.waiting)
    once: tuple[dc.Decision, ...] = (
        *(dc.NoCard(),) * (loose + 1),
        dc.Resume(),
        dc.NewShoe(state.rules.decks),
        dc.VoidRound(),
        dc.Misdeal(),
    )
    # A card that waited behind a gap is undecided once `resume` deals it.
    for decision in once * 3:
        yield cm.TakeDecision(person=_SUPERVISOR, decision=decision, witness=_WITNESS)
