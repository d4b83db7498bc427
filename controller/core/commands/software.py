"""The program itself: it starts, stops, is looked at and accepted."""

from typing import ClassVar

from controller.core.commands.base import CommandBase, Person
from controller.core.software import Software


class ResumeControl(CommandBase, frozen=True, tag="control_resumed"):
    """The controller was started on an existing journal (power cut, restart).

    Waits start their running stage anew. The fields say what went on, as in
    `JournalOpened`; `boot_id` is the boot of the host, which tells a power loss from
    an end of the process alone.
    """

    VERSION: ClassVar[int] = 2

    software: str = ""
    code_digest: str = ""
    hardware: str = ""
    time_zone: str = ""
    boot_id: str = ""


class StopControl(CommandBase, frozen=True, tag="control_stopped"):
    """The controller was stopped, and ended in good order: nothing comes after this."""


class ReportSelfTest(CommandBase, frozen=True, tag="self_test_reported"):
    """What runs the table was looked at, before anything is driven.

    `live`: the table is a live one, which does not play by what was not accepted.
    """

    software: Software
    live: bool


class AcceptSoftware(CommandBase, frozen=True, tag="software_accept_asked"):
    """A supervisor and a technician accept what the last self-test found.

    `digest` is the one over all parts that was shown to them.
    """

    supervisor: Person
    technician: Person
    digest: str
    reason: str


SoftwareCommand = ResumeControl | StopControl | ReportSelfTest | AcceptSoftware
