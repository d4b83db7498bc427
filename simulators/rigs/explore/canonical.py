"""When two tables are the same table, whatever way led there.

What is dropped is what no rule ever reads: numbers that only tell one prompt, wait,
press, irregularity or boot of a device from the one before, and the words of the last
refusal. Commands are always made for the numbers of the table at hand, so two tables
that differ in those alone answer every command alike. What was decided in the round
(`history`, `opening`) stays, since a taking back reads it. Prompts are worked out
anew from the rest whenever something changes.
"""

from hashlib import blake2b

import msgspec
from msgspec.structs import replace

from controller.core.secrets import Secrets
from controller.core.state import SeatState, TableState

_ENCODE = msgspec.msgpack.Encoder(order="deterministic").encode
_DIGEST_BYTES = 16


def canonical(state: TableState) -> TableState:
    """Return the table without what no rule reads."""
    return replace(
        state,
        prompts=(),
        wait=replace(state.wait, number=0),
        seats=tuple(_seat(seat) for seat in state.seats),
        dealer_panel=_seat(state.dealer_panel),
        irregularities=tuple(
            replace(found, irregularity=0) for found in state.irregularities
        ),
        irregularity_count=0,
        shoe=replace(state.shoe, boot_id=0, event_number=0, card_offset=0),
        opening=None if state.opening is None else canonical(state.opening),
    )


def _seat(seat: SeatState) -> SeatState:
    return replace(seat, boot_id=0, press_number=0, refused=None)


def key_of(state: TableState, secrets: Secrets) -> bytes:
    """Return a digest that two tables share exactly where they are the same."""
    encoded = _ENCODE((canonical(state), secrets))
    return blake2b(encoded, digest_size=_DIGEST_BYTES).digest()
