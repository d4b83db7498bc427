"""Every way a driver can fail, by whose fault it is and whether waiting helps.

Ours are bugs of the program that calls a driver; theirs come from the device or
the cable. A transient error may pass by itself, a permanent one needs a person.
"""


class DriverError(Exception):
    """Base of all errors of this package."""


class TransientError(DriverError):
    """Trying again later may help; the link does so by itself."""


class PermanentError(DriverError):
    """Trying again changes nothing; somebody has to act."""


class LocalProtocolError(PermanentError):
    """Our side asked for something the protocol does not allow: a bug here."""


class RemoteProtocolError(DriverError):
    """The device, or the cable, sent something the protocol does not allow."""


class MessageFieldError(LocalProtocolError, ValueError):
    """A value does not fit the field of the message that should carry it."""


class IllegalLinkEventError(LocalProtocolError):
    """Something was said to have happened to a link that cannot happen in its state."""


class AcknowledgedAheadError(LocalProtocolError, ValueError):
    """The caller acknowledged something that the session never handed over."""


class UnknownAddressError(LocalProtocolError, KeyError):
    """The caller named a panel that the session was not given."""

    # KeyError would show the message in quotes, as if it were a key.
    __str__ = Exception.__str__


class FrameError(RemoteProtocolError, TransientError, ValueError):
    """Bytes between two delimiters are no frame."""


class MalformedMessageError(RemoteProtocolError, TransientError, ValueError):
    """A sound frame holds no message of this protocol.

    The text never holds payload bytes, since they may be a card's face.
    """


class DeviceMismatchError(RemoteProtocolError, PermanentError):
    """Another device answered than the hardware file names."""


class PortError(TransientError, OSError):
    """Base of what can go wrong with a serial port."""

    # OSError's own text depends on the number of its arguments.
    __str__ = Exception.__str__


class PortOpenError(PortError):
    """The port is not there, is in use, or may not be opened."""


class PortLostError(PortError):
    """The port went away: unplugged, powered off or closed at the far side."""


class PortOverflowError(PortError):
    """The far side takes no bytes and our own buffer for them is full."""


class PinOpenError(PortOpenError):
    """A pin chip, or a line of it, is not there, is in use, or may not be used."""


class PinFactoryError(PermanentError, TypeError):
    """A pin is held by another factory than the one that was asked for."""
