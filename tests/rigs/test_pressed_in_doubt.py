"""Hands at a module press again what was refused since its lamps were in doubt."""

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.ids import Button as SeatButton
from controller.core.ids import DealerButton, Reason
from drivers.panel.messages import Button
from simulators.rigs.module_hands import pressed_in_doubt

IN_DOUBT = cm.PressButton(seat=2, button=SeatButton.BET, prompt=0, boot_id=1, number=4)
SURE = cm.PressButton(seat=2, button=SeatButton.BET, prompt=3, boot_id=1, number=5)
REFUSED = ev.PressRefused(
    seat=2, button=SeatButton.BET, prompt=3, reason=Reason.STALE_PRESS
)


def test_a_press_for_no_prompt_is_made_again_and_its_first_try_forgotten() -> None:
    again, rest = pressed_in_doubt([SURE, IN_DOUBT, REFUSED, SURE])
    assert again == [(2, Button.BET)]
    assert rest == [SURE, SURE]


def test_a_press_that_was_stale_for_another_reason_is_not() -> None:
    assert pressed_in_doubt([SURE, REFUSED]) == ([], [SURE, REFUSED])


def test_the_dealers_press_is_made_again_but_no_word_of_the_console() -> None:
    refused = ev.CommandRefused(command="deal", reason=Reason.STALE_PRESS)
    pressed = cm.PressDealerButton(button=DealerButton.DEAL, boot_id=1, number=1)
    said = cm.PressDealerButton(button=DealerButton.DEAL)
    assert pressed_in_doubt([pressed, refused]) == ([(0, Button.DEAL)], [])
    assert pressed_in_doubt([said, refused]) == ([], [said, refused])
