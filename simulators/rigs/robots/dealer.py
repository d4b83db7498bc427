"""A robot dealer: does what the dealer's prompt and lamps say, and nothing else."""

import enum

from controller.core.ids import DealerButton
from simulators.rigs.robots.sight import Sight


class DealerMove(enum.Enum):
    """What a dealer does with their hands rather than with a button."""

    OPEN_SHIFT = "open the shift"
    DRAW = "draw a card"
    SHUFFLE = "shuffle the shoe"
    WAIT = "wait"


def next_move(sight: Sight) -> DealerMove | DealerButton:
    """Return what the dealer does now; insurance is closed only when told to."""
    shown = sight.shown
    if shown.gate_up_to:
        return DealerMove.DRAW
    match shown.dealer.words:
        case "Open the shift":
            return DealerMove.OPEN_SHIFT
        case "Shuffle the shoe":
            return DealerMove.SHUFFLE
        case _:
            pass
    lit = shown.prompts[0].buttons
    for button in (DealerButton.PICKUP, DealerButton.DEAL, DealerButton.NEXT):
        if button.value in lit:
            return button
    return DealerMove.WAIT
