"""What players and the dealer do at the table."""

from controller.core.commands.base import Amount, CommandBase, EnteredBase, Person
from controller.core.ids import Button, CashStep, DealerButton, Direction


class OpenShift(EnteredBase, frozen=True, tag="shift_open_asked"):
    """A dealer comes to the table and says which way they pick up."""

    dealer: Person
    direction: Direction


class CloseShift(EnteredBase, frozen=True, tag="shift_close_asked"):
    """The dealer leaves the table."""


class PressButton(CommandBase, frozen=True, tag="button_pressed"):
    """A player pressed a button of their panel.

    `number` counts the panel's presses since its boot, `prompt` is the number of
    the prompt that the panel was showing. `amount_cents` 0 means none was given
    but for BET, where `with_amount` tells 0 from none.
    """

    seat: int
    button: Button
    prompt: int
    boot_id: int = 0
    number: int = 0
    amount_cents: Amount = 0
    with_amount: bool = False
    spot: int = 0
    age_ms: int = 0


class PressDealerButton(EnteredBase, frozen=True, tag="dealer_button_pressed"):
    """The dealer pressed a button of the dealer's panel, or said so at the console.

    `prompt` is the number of the dealer's prompt shown, 0 where the way it came
    by shows none.
    """

    button: DealerButton
    prompt: int = 0
    boot_id: int = 0
    number: int = 0
    words: str = ""


class ReportStrayPress(CommandBase, frozen=True, tag="stray_press_reported"):
    """A panel sent a press of a button that such a panel does not have.

    `number` counts the panel's presses since its boot; seat 0 is the dealer's panel.
    """

    seat: int
    button: str
    boot_id: int
    number: int


class UndoDeal(EnteredBase, frozen=True, tag="undo_deal_asked"):
    """The dealer takes DEAL back before the first card (UNDO)."""


class OpenSeat(EnteredBase, frozen=True, tag="seat_open_asked"):
    """A new player takes a seat (LIMIT-MIN)."""

    seat: int


class ClarifyChoice(EnteredBase, frozen=True, tag="choice_clarified"):
    """The dealer enters the choice of a player whose panel is lost (PLAY-4)."""

    seat: int
    button: Button


class MoveCash(EnteredBase, frozen=True, tag="cash_step_reported"):
    """One step of accepting cash (CASH)."""

    seat: int
    step: CashStep
    amount_cents: Amount = 0


GameCommand = (
    OpenShift
    | CloseShift
    | PressButton
    | PressDealerButton
    | ReportStrayPress
    | UndoDeal
    | OpenSeat
    | ClarifyChoice
    | MoveCash
)
