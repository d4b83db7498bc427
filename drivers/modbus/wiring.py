"""Which button is wired to which input; its lamp is at the coil of the same place.

A seat has ten buttons and a module eight inputs, so two inputs bear two words. The
two are never lit together, and a press is for the one that was lit. Source:
docs/protocol/modbus-panels.md, Wiring.
"""

from typing import Final

import msgspec

from drivers.modbus.messages import CONTACTS
from drivers.panel.messages import Button


class Wiring(msgspec.Struct, frozen=True):
    """The buttons of each input, the first input first."""

    inputs: tuple[tuple[Button, ...], ...]

    def coils(self, lamps: frozenset[Button]) -> int:
        """Return the coils that light these lamps, bit 0 the first."""
        return sum(
            1 << place
            for place, buttons in enumerate(self.inputs)
            if not lamps.isdisjoint(buttons)
        )

    def button(self, place: int, lamps: frozenset[Button]) -> Button | None:
        """Return which button a press at an input was, under these lamps.

        Where neither word was lit it is the first one; None where nothing is wired.
        """
        if place >= len(self.inputs):
            return None
        buttons = self.inputs[place]
        return next((button for button in buttons if button in lamps), buttons[0])

    def held(self, closed: int) -> frozenset[Button]:
        """Return the buttons that are down while these inputs are closed."""
        return frozenset(
            button
            for place, buttons in enumerate(self.inputs)
            if closed >> place & 1
            for button in buttons
        )


SEAT: Final = Wiring(
    (
        (Button.BET, Button.INSURE),
        (Button.CLEAR, Button.PASS),
        (Button.REBET,),
        (Button.HIT,),
        (Button.STAND,),
        (Button.DOUBLE,),
        (Button.SPLIT,),
        (Button.SURRENDER,),
    )
)
DEALER: Final = Wiring(
    (
        (Button.DEAL,),
        (Button.NEXT,),
        (Button.PICKUP,),
        (Button.CLOSE_INSURANCE,),
        (Button.CALL,),
    )
)
assert max(len(SEAT.inputs), len(DEALER.inputs)) <= CONTACTS
