"""How the ports fare, as the public view shows it to a technician."""

from typing import Any

from controller.runtime.pump import AnyPump
from controller.runtime.view import LinkView

PANELS = "panels"
SHOE = "shoe"


def panel_link(pump: AnyPump[Any]) -> LinkView:
    """Return how the panels' bus, or their pins, fare."""
    counted = pump.counters
    return LinkView(
        name=PANELS,
        port=pump.place,
        error=pump.last_error,
        errors=counted.errors,
        strays=counted.strays,
        gaps=counted.gaps,
        resends=counted.resends,
        reopens=counted.reopens,
        frames_received=counted.frames_received,
        frames_sent=counted.frames_sent,
        bytes_received=counted.bytes_received,
        bytes_sent=counted.bytes_sent,
        worst_answer_ms=round(counted.worst_answer_s * 1000, 1) or None,
        worst_scan_ms=round(counted.worst_scan_s * 1000) or None,
    )


def shoe_link(pump: AnyPump[Any]) -> LinkView:
    """Return how the shoe's line fares; nothing of it counts its cards (COUNT)."""
    counted = pump.counters
    return LinkView(
        name=SHOE,
        port=pump.place,
        error=pump.last_error,
        errors=counted.errors,
        strays=counted.strays,
        gaps=counted.gaps,
        resends=counted.resends,
        reopens=counted.reopens,
    )


def links_of(pumps: tuple[AnyPump[Any], AnyPump[Any]]) -> tuple[LinkView, ...]:
    """Return how the panels' and the shoe's ports fare."""
    panels, shoe = pumps
    return panel_link(panels), shoe_link(shoe)
