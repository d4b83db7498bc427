"""Every command that people, panels, shoe and clock could give at a table now.

*Plain* moves are those that the table asks for. *Mishaps* are what goes wrong.
*Ways out* are what mends that, and decisions. *Wrong* ones must be refused.
"""

from collections.abc import Iterator
from typing import Final

from controller.core import commands as cm
from controller.core.cards import UNKNOWN, Card
from controller.core.commands import Command, Person
from controller.core.deadlines import running
from controller.core.ids import (
    ROUND_OPEN,
    Button,
    DealerButton,
    Direction,
    Kind,
    Phase,
    Role,
    ShoeSign,
)
from controller.core.irregularities import first_unread
from controller.core.outputs import gate_up_to
from controller.core.secrets import Secrets
from controller.core.state import Prompt, TableState, hole_number
from simulators.rigs.explore.decisions import all_decisions
from simulators.rigs.explore.toy import WAGER_CENTS, Toy

DEALS: Final = Person("D1", Role.DEALER)
DECIDES: Final = Person("S1", Role.SUPERVISOR)
WITNESSES: Final = Person("S2", Role.SUPERVISOR)


# --- What the table asks for ----------------------------------------------------


def plain_moves(toy: Toy, state: TableState, secrets: Secrets) -> Iterator[Command]:
    """Yield what the lamps, the gate, the clock and the dealer's prompt ask for."""
    if state.phase is Phase.CLOSED:
        yield cm.OpenShift(dealer=DEALS, direction=Direction.RIGHT_TO_LEFT)
    if gate_up_to(state):
        faces = toy.faces(state, secrets)
        for face in faces:
            yield _card(state.shoe.last_card + 1, face)
        if not faces:
            yield cm.ReportShoe(sign=ShoeSign.EMPTY)
    if state.phase is Phase.DEALING and not state.play.seen:
        yield cm.UndoDeal()
    yield from _lit_presses(state)
    for name in state.prompts[0].buttons:
        if DealerButton(name) is not DealerButton.CALL:
            yield cm.PressDealerButton(button=DealerButton(name))
    wait = running(state)
    if wait is not None:
        yield cm.ReachTime(wait=wait.number, stage=wait.stage)


def _lit_presses(state: TableState) -> Iterator[Command]:
    for prompt in state.prompts[1:]:
        for button in map(Button, prompt.buttons):
            if button is not Button.BET:
                yield _press(state, prompt, button)
            elif not any(wager.seat == prompt.seat for wager in state.wagers):
                yield _press(state, prompt, button, WAGER_CENTS)
        if state.seats[prompt.seat - 1].dealer_entry:
            for button in map(Button, prompt.buttons):
                yield cm.ClarifyChoice(seat=prompt.seat, button=button)


def _press(
    state: TableState, prompt: Prompt, button: Button, amount_cents: int = 0
) -> cm.PressButton:
    return cm.PressButton(
        seat=prompt.seat,
        button=button,
        prompt=prompt.number,
        number=state.seats[prompt.seat - 1].press_number + 1,
        amount_cents=amount_cents,
        with_amount=bool(amount_cents),
    )


def _card(number: int, face: Card) -> cm.ReportCard:
    return cm.ReportCard(
        number=number,
        card=face,
        unread=face == UNKNOWN,
        raw=f"frame {number} {face.encode().hex()}",
    )


# --- What goes wrong ---------------------------------------------------------------


def mishaps(toy: Toy, state: TableState, secrets: Secrets) -> Iterator[Command]:
    """Yield each irregularity that can occur now."""
    after = state.shoe.last_card + 1
    if not gate_up_to(state):
        for face in toy.faces(state, secrets):
            yield _card(after, face)
    for twice in state.play.seen[:1]:
        yield _card(after, twice)
    yield _card(after, UNKNOWN)
    for face in toy.faces(state, secrets)[:1]:
        yield _card(after + 1, face)
    yield cm.ReportGap(last=after)
    yield from _shoe_faults(state)
    for seat in range(1, state.seat_count + 1):
        if not state.seats[seat - 1].panel_lost:
            yield cm.ReportPanel(seat=seat, lost=True)
    if state.phase is not Phase.CLOSED:
        yield cm.PressDealerButton(button=DealerButton.CALL)
    yield cm.ReportFault(kind=Kind.INTERNAL_FAULT, words="planted")


def _shoe_faults(state: TableState) -> Iterator[Command]:
    shoe = state.shoe
    faults = (
        (ShoeSign.LID_OPEN, shoe.lid_open),
        (ShoeSign.JAM, shoe.jammed),
        (ShoeSign.LOST, shoe.lost),
        (ShoeSign.EMPTY, shoe.empty),
        (ShoeSign.SHUFFLE_STARTED, shoe.shuffling),
        (ShoeSign.CUT_CARD, shoe.cut_card_out),
    )
    for sign, is_so in faults:
        if not is_so:
            yield cm.ReportShoe(sign=sign)
    yield cm.ReportShoeState(boot_id=shoe.boot_id + 1, event_number=0, next_card=1)


# --- What mends and ends it -----------------------------------------------------------


def ways_out(toy: Toy, state: TableState, secrets: Secrets) -> Iterator[Command]:
    """Yield all that mends what is broken, and each decision with each argument."""
    yield from _mending(state)
    for face in toy.faces(state, secrets):
        for number in _unread(state):
            yield _card(number, face)
    if state.suspended:
        faces = tuple(Card(rank + "c") for rank in toy.ranks)
        for decision in all_decisions(state, faces):
            yield cm.TakeDecision(person=DECIDES, decision=decision, witness=WITNESSES)


def _mending(state: TableState) -> Iterator[Command]:
    shoe = state.shoe
    for sign, is_needed in (
        (ShoeSign.LID_CLOSED, shoe.lid_open),
        (ShoeSign.CLEARED, shoe.jammed),
        (ShoeSign.BACK, shoe.lost),
        (ShoeSign.SHUFFLED, shoe.shuffling or shoe.empty or shoe.cut_card_out),
    ):
        if is_needed:
            yield cm.ReportShoe(sign=sign)
    for number, seat in enumerate(state.seats, start=1):
        if seat.panel_lost:
            yield cm.ReportPanel(seat=number, lost=False)


def _unread(state: TableState) -> Iterator[int]:
    lying = first_unread(state.play)
    if lying is not None:
        yield lying[0]
    dealer = state.play.dealer
    if dealer.hole_unread and not dealer.revealed:
        yield hole_number(state.play)


# --- What must be refused -----------------------------------------------------------


def wrong_moves(state: TableState) -> Iterator[Command]:
    """Yield presses of what is dark or of an earlier prompt, and wrong people's words.

    In BETTING a prompt lasts, and a dark button's reason is its own.
    """
    for prompt in state.prompts[1:]:
        for button in Button:
            if not prompt.lit(button):
                yield _press(state, prompt, button)
        if state.phase is not Phase.BETTING:
            earlier = Prompt(prompt.seat, prompt.number - 1)
            for lit in prompt.buttons:
                yield _press(state, earlier, Button(lit))
    for dealer_button in DealerButton:
        called = dealer_button is DealerButton.CALL and state.phase is not Phase.CLOSED
        if dealer_button.value not in state.prompts[0].buttons and not called:
            yield cm.PressDealerButton(button=dealer_button)
    if state.play_phase in ROUND_OPEN:
        yield cm.BeginTestMode(person=DECIDES)
        yield cm.CloseShift()
