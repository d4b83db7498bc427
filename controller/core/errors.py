"""What can go wrong in the core itself; refusals at the table are events instead."""


class CoreError(Exception):
    """Base of everything the core raises."""


class RulesetError(CoreError, ValueError):
    """A ruleset cannot be used; the message names the key and what it takes."""


class IllegalPhaseError(CoreError):
    """An event was to change the phase where the phase machine has no such step.

    It is a fault of ours: nothing was changed.
    """


class BrokenInvariantError(CoreError, AssertionError):
    """Something that must hold at a table does not; it is a fault of ours."""
