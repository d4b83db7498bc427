"""The salts that the shell of a table would add: here each card number has its own.

So a card's commitment says no more than its number and face do, and two ways to one
table stay one table.
"""

from hashlib import sha256

from controller.core import commands as cm
from controller.core.commands import Command
from controller.core.decide.verdicts import key_target
from controller.core.decisions import KeyCard
from controller.core.secrets import committed, committed_decision
from controller.core.state import TableState


def sealed_by_number(state: TableState, command: Command) -> Command:
    """Return the command with salt and commitment where it carries a card."""
    match command:
        case cm.ReportCard():
            return committed(state, command, _salt(f"{command.number}"))
        case cm.TakeDecision(decision=KeyCard()):
            target = key_target(state)
            if target is not None:
                number = target[0]
                salt = _salt(f"keyed {number}")
                return committed_decision(state, command, number, salt)
        case _:
            pass
    return command


def _salt(of: str) -> bytes:
    return sha256(of.encode()).digest()
