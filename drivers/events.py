"""What sessions tell their caller, in the words of the devices.

Each event is a fact about a device. What it means for the game is decided elsewhere.
"""

import enum

import msgspec

from drivers.identity import DeviceType, Identity
from drivers.panel.messages import Button, Press
from drivers.shoe.messages import ShoeEvent, ShoeFlag


class Cursor(msgspec.Struct, frozen=True):
    """The last press of a panel that was taken, under the panel's boot id."""

    boot_id: int
    number: int


class ShoeCursor(msgspec.Struct, frozen=True):
    """The last event of a shoe that was taken, under the shoe's boot id.

    `next_card_number` is the number that the next card after it should have; None
    where that is not known, which is only so at a shoe that another journal served.
    """

    boot_id: int
    number: int
    next_card_number: int | None


class Device(msgspec.Struct, frozen=True):
    """Which device of the table: `address` is 0 for the shoe."""

    device_type: DeviceType
    address: int


class DeviceIdentified(msgspec.Struct, frozen=True, tag="device_identified"):
    """The right device answered; `raw` is its frame."""

    device: Device
    identity: Identity
    raw: bytes


class DeviceMismatched(msgspec.Struct, frozen=True, tag="device_mismatched"):
    """The wrong device answered; `message` says what to do. It is left alone."""

    device: Device
    message: str


class DeviceAnswered(msgspec.Struct, frozen=True, tag="device_answered"):
    """A device that cannot say who it is answers: what it tells next is its start."""

    device: Device


class DeviceLost(msgspec.Struct, frozen=True, tag="device_lost"):
    """The device was not there for as long as the hardware file allows."""

    device: Device


class DeviceBack(msgspec.Struct, frozen=True, tag="device_back"):
    """The device is there: for the first time since the start, or after a loss."""

    device: Device


class HostBehind(msgspec.Struct, frozen=True, tag="host_behind"):
    """The device was told that more is taken than our cursor says.

    So another, newer journal than ours has served it. `taken` is our number under
    the device's boot id, 0 if we have none.
    """

    device: Device
    boot_id: int
    acknowledged: int
    taken: int


class PressReceived(msgspec.Struct, frozen=True, tag="press_received"):
    """A press, once. It waits in its panel until it is acknowledged."""

    address: int
    cursor: Cursor
    press: Press


class HeldButtonsChanged(msgspec.Struct, frozen=True, tag="held_buttons_changed"):
    """Which buttons of a panel are down: at first, even if none, and at each change.

    So whoever asks what was held at the start need not guess from a later press.
    """

    address: int
    held: frozenset[Button]


class PressesDropped(msgspec.Struct, frozen=True, tag="presses_dropped"):
    """A panel had no place for presses; `total` counts them under its boot id."""

    address: int
    boot_id: int
    total: int


class ScanChanged(msgspec.Struct, frozen=True, tag="scan_changed"):
    """Panels that remember no press are looked at too seldom, or often enough again.

    `mean_s` is how long they waited from look to look in the last second.
    """

    is_slow: bool
    mean_s: float


class ShoeEventReceived(msgspec.Struct, frozen=True, tag="shoe_event_received"):
    """Something happened at the shoe, once and in order; `raw` is its frame.

    To be acknowledged with `cursor` when it is on disk.
    """

    cursor: ShoeCursor
    event: ShoeEvent
    raw: bytes


class ShoeGapFound(msgspec.Struct, frozen=True, tag="shoe_gap_found"):
    """Events of the shoe are missing for good, and with them perhaps cards.

    `events_missing` is 0 if only card numbers were skipped. The missing cards are
    `cards_missing` numbers from `first_card_number` on. To be acknowledged with
    `cursor`; `raw` is the frame that showed the gap.
    """

    cursor: ShoeCursor
    events_missing: int
    first_card_number: int
    cards_missing: int
    raw: bytes


class ShoeStateChanged(msgspec.Struct, frozen=True, tag="shoe_state_changed"):
    """How the shoe stands: at first, and when a flag other than the gate changed.

    `cursor` is the last event handed over before this one: the numbers of the cards
    that follow count from it, also where they came in the same read.
    """

    boot_id: int
    flags: frozenset[ShoeFlag]
    next_card_number: int
    cursor: ShoeCursor
    raw: bytes


class Remark(enum.Enum):
    """What a shoe that prints lines says beside cards."""

    WARNING = "warning"
    ALARM = "alarm"
    UNKNOWN_LINE = "unknown-line"
    GARBLED_LINE = "garbled-line"


class ShoeRemarked(msgspec.Struct, frozen=True, tag="shoe_remarked"):
    """A shoe that prints lines said something that is no card, or nothing sure.

    `words` are the shoe's own code, how an unknown line begins, or why a line cannot be
    trusted; never what might be a face. After an unknown or a garbled line the numbers
    begin anew, which the next event says.
    """

    cursor: ShoeCursor
    remark: Remark
    words: str


class HouseInput(enum.Enum):
    """A contact of the table itself."""

    KEY_SWITCH = "key-switch"
    DOOR = "door"


class HouseInputChanged(msgspec.Struct, frozen=True, tag="house_input_changed"):
    """How a contact of the table stands: at first, and at each change.

    `is_active`: the key switch is turned, or the door is shut.
    """

    house_input: HouseInput
    is_active: bool


DeviceEvent = DeviceIdentified | DeviceMismatched | DeviceLost | DeviceBack | HostBehind
PanelEvent = (
    DeviceEvent
    | DeviceAnswered
    | PressReceived
    | HeldButtonsChanged
    | PressesDropped
    | ScanChanged
)
ShoeSessionEvent = DeviceEvent | ShoeEventReceived | ShoeGapFound | ShoeStateChanged
LineShoeEvent = (
    DeviceLost | DeviceBack | ShoeEventReceived | ShoeStateChanged | ShoeRemarked
)
PinEvent = PanelEvent | HouseInputChanged
DriverEvent = PanelEvent | ShoeSessionEvent | LineShoeEvent | PinEvent
