"""Which button is wired to which input, and its lamp to which coil.

A seat has ten buttons and a module eight inputs, so some inputs bear two words. The
two are never lit together, and a press is for the one that was lit. Source:
docs/protocol/modbus-panels.md, Wiring.
"""

from typing import Final

import msgspec

from drivers.modbus.messages import CONTACTS
from drivers.panel.messages import Button, buttons_named
from hw_config.buttons import on_each_pair
from hw_config.modules import MODULE_CONTACTS, Contact, DealerWiring, SeatWiring
from hw_config.schema import PanelBus


class Key(msgspec.Struct, frozen=True):
    """A button and its lamp, and what it does: one thing at a time.

    `input` and `coil` count from 0, the first that the host asks for.
    """

    input: int
    coil: int
    does: tuple[Button, ...]


class Wiring(msgspec.Struct, frozen=True):
    """The buttons of one module."""

    keys: tuple[Key, ...]
    contact: Contact = Contact.NORMALLY_OPEN

    def coils(self, lamps: frozenset[Button]) -> int:
        """Return the coils that light these lamps, bit 0 the first."""
        lit = (key for key in self.keys if not lamps.isdisjoint(key.does))
        return sum(1 << key.coil for key in lit)

    def pressed(self, closed: int) -> int:
        """Return at which inputs a button is down while these are closed.

        An input without a button is never pressed, whatever floats there.
        """
        wired = sum(1 << key.input for key in self.keys)
        down = ~closed if self.contact is Contact.NORMALLY_CLOSED else closed
        return down & wired

    def button(self, place: int, lamps: frozenset[Button]) -> Button | None:
        """Return which button a press at an input was, under these lamps.

        Where neither word was lit it is the first one; None where nothing is wired.
        """
        here = (_meant(key, lamps) for key in self.keys if key.input == place)
        return next(here, None)

    def held(self, pressed: int) -> frozenset[Button]:
        """Return the buttons that are down while these inputs are pressed."""
        return frozenset(
            button
            for key in self.keys
            if pressed >> key.input & 1
            for button in key.does
        )

    def lit(self, coils: int) -> frozenset[Button]:
        """Return the buttons whose lamps are on; both words of one that bears two."""
        return frozenset(
            button for key in self.keys if coils >> key.coil & 1 for button in key.does
        )

    def lit_as(self, coils: int, wanted: frozenset[Button]) -> frozenset[Button]:
        """Return what is lit by one word each: the wanted one where a lamp has two."""
        lit = (key for key in self.keys if coils >> key.coil & 1)
        return frozenset(_meant(key, wanted) for key in lit)


def module_wiring(bus: PanelBus, seat: int) -> Wiring:
    """Return how the module of a seat is wired, the dealer's as seat 0."""
    wired = bus.seat_wiring if seat else bus.dealer_wiring
    if wired is None:
        return SEAT if seat else DEALER
    return wiring_of(wired)


def wiring_of(wired: SeatWiring | DealerWiring) -> Wiring:
    """Return the wiring that a hardware file describes; there it counts from 1."""
    keys = (
        Key(button - 1, lamp - 1, buttons_named(names))
        for (button, lamp), names in on_each_pair(wired).items()
    )
    return Wiring(tuple(keys), wired.contacts)


def _meant(key: Key, lamps: frozenset[Button]) -> Button:
    """Return what a key was pressed for: what it was lit for, else the first of all."""
    return next((button for button in key.does if button in lamps), key.does[0])


SEAT: Final = wiring_of(
    SeatWiring(
        bet=(1, 1),
        clear=(2, 2),
        rebet=(3, 3),
        hit=(4, 4),
        stand=(5, 5),
        double=(6, 6),
        split=(7, 7),
        surrender=(8, 8),
        insure=(1, 1),
        pass_=(2, 2),
    )
)
DEALER: Final = wiring_of(
    DealerWiring(
        deal=(1, 1), next=(2, 2), pickup=(3, 3), close_insurance=(4, 4), call=(5, 5)
    )
)
assert MODULE_CONTACTS == CONTACTS
