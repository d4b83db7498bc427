"""What anybody at the table can see."""

import msgspec

from controller.core.cards import UNKNOWN, Card
from controller.core.ids import HandId
from controller.core.outputs import Outputs
from controller.core.state import Prompt, TableState


class Sight(msgspec.Struct, frozen=True):
    """Lamps, prompts and notices, and the cards that lie open.

    `upcard` is `??` before the dealer has one.
    """

    shown: Outputs
    hands: dict[HandId, tuple[Card, ...]]
    upcard: Card

    def prompt(self, seat: int) -> Prompt:
        """Return a seat's lamps."""
        return self.shown.prompts[seat]


def sight_of(state: TableState, shown: Outputs) -> Sight:
    """Return what can be seen of a table; the state holds no face that is hidden."""
    hands = {hand.id: hand.cards for hand in state.play.hands}
    return Sight(shown, hands, next(iter(state.play.dealer.cards), UNKNOWN))
