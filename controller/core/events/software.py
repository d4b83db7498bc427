"""The program itself."""

from controller.core.events.base import EventBase
from controller.core.software import ComponentChange, Software


class SoftwareChanged(EventBase, frozen=True, tag="software_changed"):
    """What runs the table is not what was accepted last; `live`: this stops it."""

    changes: tuple[ComponentChange, ...]
    live: bool


class SoftwareAccepted(EventBase, frozen=True, tag="software_accepted"):
    """From here on this is what runs the table, and later starts are held against it.

    A supervisor and a technician accepted it by name. Nobody did where a journal began
    with it, or where the table is a simulated one.
    """

    software: Software
    supervisor: str = ""
    technician: str = ""
    reason: str = ""


SoftwareEvent = SoftwareChanged | SoftwareAccepted
