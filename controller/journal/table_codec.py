"""The codec of everything that a table's journal holds: commands and events."""

from typing import Final

from controller.core.commands import Command
from controller.core.events import Event
from controller.journal.codec import Codec

CODEC: Final[Codec[Command | Event]] = Codec(Command | Event)
