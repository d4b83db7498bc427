"""Hands at a shoe: cards that leave it or go back, a lid, a jam, a shuffle."""

from typing import assert_never

from controller.core.cards import UNKNOWN
from controller.core.ids import ShoeSign
from simulators.devices.line_shoe import LineShoeSimulator
from simulators.devices.shoe import ShoeSimulator
from simulators.rigs.errors import DeviceStepError
from simulators.rigs.scenario import steps as st


def work_any_shoe(shoe: ShoeSimulator | LineShoeSimulator, step: st.ShoeStep) -> None:
    """Let hands at a shoe of either kind take a step.

    Raises:
        DeviceStepError: The shoe cannot say this.

    """
    if isinstance(shoe, ShoeSimulator):
        work_shoe(shoe, step)
    else:
        work_line_shoe(shoe, step)


def work_line_shoe(shoe: LineShoeSimulator, step: st.ShoeStep) -> None:
    """Let hands at a shoe that prints lines take a step.

    Raises:
        DeviceStepError: Nothing that it prints says this.

    """
    if not isinstance(step, st.DrawCards):
        raise DeviceStepError(
            "a shoe that prints lines tells of drawn cards only; "
            "see docs/protocol/line-shoe.md"
        )
    for card in step.cards:
        if card == UNKNOWN:
            shoe.draw_unread()
        else:
            shoe.draw(card)


def work_shoe(shoe: ShoeSimulator, step: st.ShoeStep) -> None:
    """Let hands at the shoe take a step; a gate holds no card back.

    A gate can fail and a hand can force it, so the controller has to cope.
    """
    match step:
        case st.DrawCards():
            for card in step.cards:
                _ = shoe.draw_unread() if card == UNKNOWN else shoe.draw(card)
        case st.ReturnCards():
            for card in step.cards:
                shoe.return_card(card)
        case st.ShoeShuffled():
            shoe.end_shuffle(step.count)
        case st.ShoeGap():
            shoe.draw_lost(step.missing)
        case st.ShoeReports():
            _report(shoe, step.sign)
        case _:
            assert_never(step)


def _report(shoe: ShoeSimulator, sign: ShoeSign) -> None:
    match sign:
        case ShoeSign.LID_OPEN:
            shoe.open_lid()
        case ShoeSign.LID_CLOSED:
            shoe.close_lid()
        case ShoeSign.JAM:
            shoe.jam()
        case ShoeSign.CLEARED:
            shoe.clear_jam()
        case ShoeSign.CUT_CARD:
            shoe.reach_cut_card()
        case ShoeSign.EMPTY:
            shoe.run_empty()
        case ShoeSign.SHUFFLE_STARTED:
            shoe.start_shuffle()
        case ShoeSign.SHUFFLED | ShoeSign.LOST | ShoeSign.BACK:
            raise DeviceStepError(f"a shoe does not say {sign.value} in one word")
        case _:
            assert_never(sign)
