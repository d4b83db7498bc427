"""Who may say which line: by their role, and in their own name alone.

The core checks who decides (a supervisor who is not the dealer of the shift); here
is what it cannot know, since a dealer's line names nobody.
"""

from typing import assert_never

import msgspec

from controller.core.commands import Person
from controller.core.decide import spoken
from controller.core.decide.draft import Refusal
from controller.core.ids import Reason, Role
from controller.words.lines import Line, ShiftOpen, SupervisorDecides
from controller.words.writing import decision_text


class Speaker(msgspec.Struct, frozen=True):
    """Who is logged in on a connection, and who came to witness there, if anybody."""

    person: Person
    witness: str = ""


NOBODY = Refusal(Reason.LOGIN_REQUIRED, "log in first")


def why_not(line: Line, speaker: Speaker | None) -> Refusal | None:
    """Return why this speaker may not say a line; None where the core shall decide."""
    if speaker is None:
        return NOBODY
    role = speaker.person.role
    match role:
        case Role.UNKNOWN:
            return NOBODY
        case Role.SURVEILLANCE:
            return Refusal(Reason.ROLE_NOT_ALLOWED, "surveillance only looks on")
        case Role.TECHNICIAN:
            return Refusal(Reason.ROLE_NOT_ALLOWED, "a technician does not play")
        case Role.DEALER | Role.SUPERVISOR:
            return _in_whose_name(line, speaker)
        case _:
            assert_never(role)


def _in_whose_name(line: Line, speaker: Speaker) -> Refusal | None:
    own = speaker.person.id
    match line:
        case SupervisorDecides() if line.person != own:
            return Refusal(
                Reason.LOGIN_REQUIRED, f"{line.person} is not logged in here, {own} is"
            )
        case SupervisorDecides() if line.witness not in (None, speaker.witness):
            return Refusal(
                Reason.WITNESS_REQUIRED,
                f"{line.witness} has not given a PIN here as witness",
            )
        case ShiftOpen() if speaker.person.role is Role.DEALER and line.dealer != own:
            return Refusal(
                Reason.LOGIN_REQUIRED, f"{line.dealer} is not logged in here, {own} is"
            )
        case _:
            return None


def name_of(line: Line) -> str:
    """Return what a line is called, without anything else that it holds."""
    match line:
        case SupervisorDecides():
            return decision_text(line.decision).split()[0]
        case ShiftOpen():
            return "shift open"
        case _:
            return spoken(line)
