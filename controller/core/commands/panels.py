"""What is told of the panels, beside what is pressed."""

from controller.core.commands.base import CommandBase


class ReportPanel(CommandBase, frozen=True, tag="panel_link_reported"):
    """A panel's link was lost or is back; seat 0 is the dealer's panel."""

    seat: int
    lost: bool


class AdoptPanel(CommandBase, frozen=True, tag="panel_adopted"):
    """A new journal meets a panel that an earlier one served: it begins after that."""

    seat: int
    boot_id: int
    number: int


class ReportStuckButton(CommandBase, frozen=True, tag="stuck_button_reported"):
    """A button is held since its panel's start, or too long; or was released."""

    seat: int
    button: str
    stuck: bool


class ReportDrops(CommandBase, frozen=True, tag="dropped_presses_reported"):
    """A panel had no place for presses; `total` counts them since its boot."""

    seat: int
    total: int


PanelCommand = ReportPanel | AdoptPanel | ReportStuckButton | ReportDrops
