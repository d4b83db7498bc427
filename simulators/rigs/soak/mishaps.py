"""What goes wrong at a table, at a given rate: as data, one function each."""

from collections.abc import Callable
from random import Random
from typing import Final

from controller.core import commands as cm
from controller.core.cards import UNKNOWN
from controller.core.commands import Person
from controller.core.decisions import Resume, VoidRound
from controller.core.ids import (
    BY_HAND,
    Button,
    CashStep,
    DealerButton,
    EndOfTestMode,
    Phase,
    Role,
    ShoeSign,
)
from simulators.rigs.soak.evening import DEALER, SUPERVISOR, Evening

Mishap = Callable[[Evening, Random], None]


def stale_press(evening: Evening, rng: Random) -> None:
    """A press arrives for the prompt before the present one."""
    shown = evening.rig.shown.prompts[_seat(evening, rng)]
    button = Button(rng.choice(shown.buttons or ("hit",)))
    evening.rig.press(
        cm.PressButton(seat=shown.seat, button=button, prompt=shown.number - 1)
    )


def press_out_of_turn(evening: Evening, rng: Random) -> None:
    """Somebody presses any button at any seat."""
    seat = _seat(evening, rng)
    prompt = evening.rig.shown.prompts[seat].number
    if not evening.rig.shown.prompts[seat].buttons:
        button = rng.choice(tuple(Button))
        evening.rig.press(cm.PressButton(seat=seat, button=button, prompt=prompt))


def repeated_press(evening: Evening, _rng: Random) -> None:
    """A panel says its last press again."""
    if evening.rig.last_press is not None:
        evening.rig.send(evening.rig.last_press)


def card_in_error(evening: Evening, _rng: Random) -> None:
    """A card leaves the shoe, due or not; the gate may have failed."""
    if evening.shoe.left:
        card = evening.shoe.draw()
        evening.rig.card(evening.shoe.number, card)


def card_unread(evening: Evening, rng: Random) -> None:
    """The shoe cannot read a card, and perhaps reads it on a second look."""
    if not evening.shoe.left:
        return
    card = evening.shoe.draw()
    evening.rig.card(evening.shoe.number, UNKNOWN)
    if rng.random() < 1 / 2:
        evening.rig.card(evening.shoe.number, card)


def card_repeated(evening: Evening, _rng: Random) -> None:
    """The shoe reports its last card again, since it was not acknowledged."""
    card = evening.shoe.faces.get(evening.shoe.number)
    if card is not None:
        evening.rig.card(evening.shoe.number, card)


def shoe_out_of_sight(evening: Evening, rng: Random) -> None:
    """Cards leave the shoe while nobody hears it."""
    for _ in range(rng.randint(1, 2)):
        if evening.shoe.left:
            evening.shoe.draw()
    if rng.random() < 1 / 2:
        evening.rig.send(cm.ReportGap(last=evening.shoe.number))
    elif evening.shoe.left:
        card = evening.shoe.draw()
        evening.rig.card(evening.shoe.number, card)


def shoe_fault(evening: Evening, rng: Random) -> None:
    """The shoe jams, is opened, does not answer, or begins to shuffle."""
    signs = (ShoeSign.JAM, ShoeSign.LID_OPEN, ShoeSign.LOST, ShoeSign.SHUFFLE_STARTED)
    evening.rig.send(cm.ReportShoe(sign=rng.choice(signs)))


def panel_lost(evening: Evening, rng: Random) -> None:
    """A panel's link goes, or comes back."""
    seat = _seat(evening, rng)
    lost = not evening.rig.state.seats[seat - 1].panel_lost
    evening.rig.send(cm.ReportPanel(seat=seat, lost=lost))


def called(evening: Evening, _rng: Random) -> None:
    """The dealer calls the supervisor."""
    evening.rig.send(cm.PressDealerButton(button=DealerButton.CALL))


def silence(evening: Evening, _rng: Random) -> None:
    """Nobody presses anything until the dealer may move on, who does."""
    while evening.rig.wait() is not None:
        pass
    if evening.rig.state.phase is Phase.PLAYING:
        evening.rig.send(cm.PressDealerButton(button=DealerButton.NEXT))


def insurance_closed(evening: Evening, _rng: Random) -> None:
    """The dealer closes insurance before all have answered, or tries to."""
    evening.rig.send(cm.PressDealerButton(button=DealerButton.CLOSE_INSURANCE))


def power_cut(evening: Evening, _rng: Random) -> None:
    """The controller starts again from its journal."""
    evening.rig.send(cm.ResumeControl())


def cash(evening: Evening, rng: Random) -> None:
    """A player changes cash for chips, in the four steps or not quite."""
    seat = _seat(evening, rng)
    for step in CashStep:
        evening.rig.send(cm.MoveCash(seat=seat, step=step, amount_cents=10_000))


def deal_undone(evening: Evening, _rng: Random) -> None:
    """The dealer takes the deal back, where that is still possible."""
    if evening.rig.state.phase is Phase.DEALING:
        evening.rig.send(cm.UndoDeal())


def wrong_person(evening: Evening, rng: Random) -> None:
    """Somebody decides who may not."""
    people = (DEALER, Person("N1"), Person("T1", Role.TECHNICIAN))
    decision = rng.choice((Resume(), VoidRound()))
    evening.rig.send(cm.TakeDecision(person=rng.choice(people), decision=decision))


def tried_by_hand(evening: Evening, rng: Random) -> None:
    """Somebody wants to try buttons and lamps, and does where that may be."""
    if rng.random() < 1 / 2:
        evening.rig.send(cm.CloseShift())
    person = rng.choice((SUPERVISOR, Person("T1", Role.TECHNICIAN)))
    evening.rig.send(cm.BeginTestMode(person=person))
    if evening.rig.state.test_mode is None:
        return
    for _ in range(rng.randint(0, 3)):
        button, prompt = rng.choice(tuple(Button)), rng.choice((0, BY_HAND))
        press = cm.PressButton(seat=_seat(evening, rng), button=button, prompt=prompt)
        evening.rig.press(press)
    why = rng.choice((EndOfTestMode.ASKED, EndOfTestMode.SILENT))
    evening.rig.send(cm.EndTestMode(why=why))


def _seat(evening: Evening, rng: Random) -> int:
    return rng.randint(1, evening.rig.state.seat_count)


MISHAPS: Final[tuple[Mishap, ...]] = (
    stale_press,
    press_out_of_turn,
    repeated_press,
    card_in_error,
    card_unread,
    card_repeated,
    shoe_out_of_sight,
    shoe_fault,
    panel_lost,
    called,
    silence,
    insurance_closed,
    power_cut,
    cash,
    deal_undone,
    wrong_person,
    tried_by_hand,
)
