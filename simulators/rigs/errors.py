"""What can go wrong at a rig, said to whoever plays with it."""


class RigError(Exception):
    """Base of what a simulated table can be at fault for."""


class DeviceStepError(RigError, ValueError):
    """A step that the devices of a table cannot take; the message says who can."""


class NotSettledError(RigError, TimeoutError):
    """A table did not come to rest in time; the message says what it waited for."""


class ControllerEndedError(RigError, RuntimeError):
    """The controller ended by itself; the message holds its last words."""
