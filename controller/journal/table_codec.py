"""The codec of everything that a table's journal holds: commands and events."""

from typing import Final

from controller.core.commands import Command
from controller.core.events import Event
from controller.journal.codec import Body, Codec


def _opened_without_predecessor(body: Body) -> Body:
    """Version 1 knew no successors."""
    return {**body, "succeeds": None}


def _withdrawn_without_commitment(body: Body) -> Body:
    """Version 1 forgot what a hole card was bound to that was never drawn."""
    return {**body, "commitment": ""}


def _closed_without_rules(body: Body) -> Body:
    """Version 1 did not name the rules that the round is played by."""
    return {**body, "ruleset_digest": ""}


def _resumed_without_boot(body: Body) -> Body:
    """Version 1 did not say under which boot of the host it went on."""
    return {**body, "boot_id": ""}


CODEC: Final[Codec[Command | Event]] = Codec(
    Command | Event,
    {
        ("journal_opened", 1): _opened_without_predecessor,
        ("bets_closed", 1): _closed_without_rules,
        ("control_resumed", 1): _resumed_without_boot,
        ("card_withdrawn", 1): _withdrawn_without_commitment,
    },
)
