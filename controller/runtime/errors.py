"""What keeps a table from running, said to whoever started it."""


class RunError(Exception):
    """Base of what the running table's surroundings can be at fault for."""


class ControlSocketError(RunError, OSError):
    """The control socket cannot be opened; the message says what to do."""


class JournalDiskError(RunError):
    """The journal of a live table lies where the power would take it."""


class PeopleFileError(RunError, ValueError):
    """A list of people cannot be used; the message has a line for each fault."""


class NoSuccessorError(RunError):
    """A journal keeps its place: it is good, or something is missing for another."""


class SigningKeyError(RunError):
    """The key that a table should sign its journal with cannot be used."""


class NotArchivedError(RunError):
    """A journal goes on in its file: the table is not between two shifts."""


class NotTakenError(RunError):
    """What people said to a stopped table was refused; the message says why."""


class MirrorRunsError(RunError):
    """Another process keeps the mirror of this table."""


class PinsMissingError(RunError):
    """What reaches the pins of a table is not installed."""


class ButtonMissingError(RunError):
    """A seat has no button for what its ruleset asks of a player."""
