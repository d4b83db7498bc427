"""Test mode."""

from controller.core.events.base import EventBase
from controller.core.ids import EndOfTestMode, Role


class TestModeBegun(EventBase, frozen=True, tag="test_mode_begun"):
    """Buttons and lamps are tried by hand: until it ends nothing pressed counts."""

    person: str
    role: Role


class TestModeEnded(EventBase, frozen=True, tag="test_mode_ended"):
    """The table is as it was before the test mode; `person` is who ended it, if any."""

    why: EndOfTestMode
    person: str = ""


TestingEvent = TestModeBegun | TestModeEnded
