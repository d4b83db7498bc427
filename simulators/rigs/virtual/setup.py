"""Which table is played at on virtual time, and what a run follows from."""

from typing import Final

import msgspec
from msgspec.structs import replace

from controller.core.events import JournalOpened
from controller.core.rules import Rules
from controller.runtime.translate import Addresses
from controller.version import VERSION
from hw_config.loader import load_hardware, shipped_hardware
from hw_config.schema import PanelKind, ShoeKind, TableHardware
from simulators.rigs.virtual.devices import Faults
from simulators.rigs.virtual.host import SOURCE, program

HARDWARE: Final = load_hardware(shipped_hardware("simulation-seven"))
"""The table that is played at: seven seats, as we ship it."""

LINE_SHOE: Final = load_hardware(shipped_hardware("simulation-line-shoe")).shoe

ADDRESSES: Final = Addresses(HARDWARE.bus.seat_addresses, HARDWARE.bus.dealer_address)


def opening(rules: Rules) -> JournalOpened:
    """Return the first record of a virtual table's journal."""
    return JournalOpened(
        kind=HARDWARE.kind.value,
        table=HARDWARE.table_id,
        seats=HARDWARE.seats,
        rules=rules,
        software=VERSION,
        code_digest=program(),
        hardware=SOURCE,
        time_zone=HARDWARE.time_zone,
    )


class Setup(msgspec.Struct, frozen=True):
    """What a run follows from.

    With `skips_quiet_polls` polls are left out where nothing can happen. `panels` is
    what the panels speak, `shoe` what the shoe does.
    """

    rules: Rules
    seed: int
    faults: Faults = Faults()
    skips_quiet_polls: bool = True
    panels: PanelKind = PanelKind.REFERENCE
    shoe: ShoeKind = ShoeKind.REFERENCE

    @property
    def hardware(self) -> TableHardware:
        """The table that is played at, with panels and a shoe of these kinds."""
        panels = replace(HARDWARE.bus, kind=self.panels)
        shoe = LINE_SHOE if self.shoe is ShoeKind.LINE else HARDWARE.shoe
        return replace(HARDWARE, panels=panels, shoe=shoe)
