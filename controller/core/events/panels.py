"""Panels."""

from controller.core.events.base import EventBase


class PanelLost(EventBase, frozen=True, tag="panel_lost"):
    """A panel's link is gone; its seat is dark."""

    seat: int


class PanelBack(EventBase, frozen=True, tag="panel_back"):
    """A panel's link is back; a leave for dealer's entry ends (PLAY-4)."""

    seat: int


class DealerEntryAllowed(EventBase, frozen=True, tag="dealer_entry_allowed"):
    """The dealer may enter this seat's choices while its panel is lost (PLAY-4)."""

    seat: int


class ButtonStuck(EventBase, frozen=True, tag="button_stuck"):
    """A button is held down and ignored."""

    seat: int
    button: str


class ButtonReleased(EventBase, frozen=True, tag="button_released"):
    """A stuck button was released and counts again."""

    seat: int
    button: str


class PressesDropped(EventBase, frozen=True, tag="presses_dropped"):
    """A panel had no place for presses; `total` of them since its boot."""

    seat: int
    total: int


PanelEvent = (
    PanelLost
    | PanelBack
    | DealerEntryAllowed
    | ButtonStuck
    | ButtonReleased
    | PressesDropped
)
