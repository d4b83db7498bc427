"""What a hardware file says: one table's seats, panels, shoe and journal.

A description completes the words "expected …" in a message, so that message
and limit stand side by side. Relative paths count from the working directory.
"""

import enum
from typing import Annotated, Final

from msgspec import Meta, Struct

from hw_config.modules import DealerWiring, SeatWiring
from hw_config.pins import PinBoard

SEATS_MAX: Final = 7


class Kind(enum.StrEnum):
    """Whether real devices answer at the ports, or simulated ones on ptys.

    A journal belongs to one kind; a table of the other refuses it.
    """

    SIMULATION = "simulation"
    LIVE = "live"


class Baud(enum.IntEnum):
    """Bits a second on a serial line, as both ends must be set."""

    B9600 = 9_600
    B19200 = 19_200
    B38400 = 38_400
    B57600 = 57_600
    B115200 = 115_200
    B230400 = 230_400


class PanelKind(enum.StrEnum):
    """What the panels speak: our reference protocol, or Modbus RTU."""

    REFERENCE = "reference"
    MODBUS = "modbus"


class ShoeKind(enum.StrEnum):
    """What the shoe speaks: our reference protocol, or lines of text."""

    REFERENCE = "reference"
    LINE = "line"


class ShoeProfile(enum.StrEnum):
    """Which make of shoe prints the lines, by what integrators call it."""

    BEETEK = "beetek"


SHOE_BAUDS: Final = {ShoeProfile.BEETEK: Baud.B9600}
"""How fast each make of line shoe prints; it cannot be set there."""

TableId = Annotated[
    str,
    Meta(
        pattern=r"\A[A-Za-z0-9][A-Za-z0-9-]{0,31}\Z",
        description="1 to 32 letters, digits and hyphens, such as pit2-table4",
    ),
]
# A shell would replace the tilde, a file cannot; a folder of that name would surprise.
Place = Annotated[
    str,
    Meta(
        pattern=r"\A[^~\0\n][^\0\n]*\Z",
        description="a path, in full or from the working directory, without ~",
    ),
]
Group = Annotated[
    str,
    Meta(
        pattern=r"\A[a-z_][a-z0-9_-]{0,31}\Z",
        description="the name of a group of this machine, such as blackjack-table",
    ),
]
BaudRate = Annotated[
    Baud,
    Meta(description="one of " + ", ".join(str(rate.value) for rate in Baud)),
]
# The range of the reference panel protocol, "Addresses"; 0 is a line without a bus.
Address = Annotated[int, Meta(ge=1, le=247, description="an address from 1 to 247")]


# A frame names the first of eight, and the last must still have a number.
FirstContact = Annotated[
    int, Meta(ge=0, le=65_528, description="a whole number from 0 to 65528")
]


MODULE_ANSWERS_WITHIN_S: Final = 0.05


class PanelBus(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The RS-485 bus that all button panels share: one a seat, and the dealer's.

    `first_input` and `first_coil` are where the eight inputs and the eight coils of a
    Modbus module begin, counted from 0 as on the wire, and `answer_within_s` is how
    long one may take to answer. `seat_wiring` and `dealer_wiring` say which of the
    eight is which button, counted from 1; None: as docs/protocol/modbus-panels.md
    has it.
    """

    port: Place
    baud: BaudRate
    seat_addresses: Annotated[
        tuple[Address, ...],
        Meta(description="a list of addresses from 1 to 247, seat 1 first"),
    ]
    dealer_address: Address
    panel_lost_after_s: Annotated[
        float,
        # A panel darkens after half a second without a poll: sooner is no loss yet.
        Meta(ge=0.5, le=60, description="seconds from 0.5 to 60"),
    ]
    kind: Annotated[PanelKind, Meta(description='"reference" or "modbus"')] = (
        PanelKind.REFERENCE
    )
    first_input: FirstContact = 0
    first_coil: FirstContact = 0
    answer_within_s: Annotated[
        float, Meta(ge=0.01, le=0.5, description="seconds from 0.01 to 0.5")
    ] = MODULE_ANSWERS_WITHIN_S
    seat_wiring: SeatWiring | None = None
    dealer_wiring: DealerWiring | None = None


class ShoeLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The line to the shuffling shoe, which has it to itself.

    `profile` says which make of line shoe it is (docs/protocol/line-shoe.md); a shoe of
    the reference protocol has none.
    """

    port: Place
    baud: BaudRate
    kind: Annotated[ShoeKind, Meta(description='"reference" or "line"')] = (
        ShoeKind.REFERENCE
    )
    profile: Annotated[
        ShoeProfile | None,
        Meta(
            description="a profile of a line shoe: "
            + ", ".join(f'"{profile.value}"' for profile in ShoeProfile)
        ),
    ] = None


class JournalFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the journal lies, and when its disk is a matter for a technician.

    `signing_key` is a file that only the table's user can read; without one the heads
    of the journal are not signed, unless the service gives the key as a credential.
    `mirror` is a folder on a second device, into which `tablectl mirror` copies the
    journal; a copy that holds less than was written `mirror_late_after_s` ago is
    a fault. There is none where the file does not name it.
    """

    path: Place
    signing_key: Place = ""
    mirror: Place = ""
    mirror_late_after_s: Annotated[
        float, Meta(ge=1, le=3600, description="seconds from 1 to 3600")
    ] = 60.0
    stall_notice_after_s: Annotated[
        float, Meta(ge=0.1, le=60, description="seconds from 0.1 to 60")
    ] = 1.0
    disk_free_min_mib: Annotated[
        int,
        Meta(ge=16, le=1_048_576, description="mebibytes from 16 to 1048576"),
    ] = 256


class TableHardware(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One table as its hardware file describes it.

    Its buttons are on `panels` that share a bus, or wired to `pins` of the computer.
    `control_group` may use the control socket beside the user that runs the table;
    `people` is a file that lists who may do what and their PINs (docs/people.md),
    without which a live table knows dealers alone. Both are empty where the file does
    not name them.
    """

    table_id: TableId
    kind: Annotated[Kind, Meta(description='"simulation" or "live"')]
    seats: Annotated[
        int,
        Meta(ge=1, le=SEATS_MAX, description=f"a whole number from 1 to {SEATS_MAX}"),
    ]
    ruleset: Annotated[
        str,
        Meta(
            pattern=r"\A[a-z][a-z0-9_-]*\Z",
            description="the name of a ruleset, such as colorado",
        ),
    ]
    time_zone: Annotated[
        str, Meta(min_length=1, description="a time zone, such as America/Denver")
    ]
    control_socket: Place
    journal: JournalFile
    panels: PanelBus | None = None
    pins: PinBoard | None = None
    shoe: ShoeLine
    control_group: Group = ""
    people: Place = ""

    @property
    def bus(self) -> PanelBus:
        """The bus of a table whose buttons are on one."""
        assert self.panels is not None, "the buttons of this table are wired to pins"
        return self.panels

    @property
    def lost_after_s(self) -> float:
        """How long panels and shoe may be away before they count as lost."""
        return (
            self.bus.panel_lost_after_s if self.pins is None else self.pins.lost_after_s
        )
