"""Beginning a successor of a table's journal, for a supervisor and a technician."""

from pathlib import Path
from typing import Final

import msgspec

from controller.core.events import JournalOpened, Predecessor
from controller.core.state import TableState, new_table
from controller.core.succession import AtStake, at_stake, handed_over
from controller.journal.records import JournalKind, Stamp
from controller.journal.succession import Salvaged, Succession
from controller.runtime.errors import NoSuccessorError

_ROUND_NEEDED: Final = (
    "nothing of it can be read; name the next round with --next-round, one more than "
    "the last that anybody knows of"
)
_NOTHING: Final = AtStake(0, (), ())


class Wanted(msgspec.Struct, frozen=True):
    """Who wants a successor, and why; the next round has at least this number."""

    supervisor: str
    technician: str
    reason: str
    next_round: int | None = None


def begin_successor(
    path: Path, opened: JournalOpened, wanted: Wanted, stamp: Stamp
) -> Predecessor:
    """Set a journal aside that cannot be gone on with, and begin the next.

    `opened` is the first record of a journal of this table; the rules become those
    that were in force.

    Raises:
        NoSuccessorError: The journal needs none, this supervisor may not decide it,
            or a number is missing; nothing has changed.
        JournalError, OSError: A file cannot be used.

    """
    with Succession(path, JournalKind(opened.kind)) as succession:
        found = succession.fault()
        if not found:
            raise NoSuccessorError(
                f"{path}: nothing is wrong with it; start the table with it"
            )
        salvaged = succession.salvage()
        state = salvaged.state
        if (
            state is not None
            and state.shift
            and state.shift.dealer == wanted.supervisor
        ):
            raise NoSuccessorError(
                f"{wanted.supervisor} is the dealer of the shift; expected another "
                "supervisor"
            )
        stake = at_stake(state) if state is not None else _NOTHING
        predecessor = Predecessor(
            file=succession.aside,
            found=found,
            sequence=salvaged.link.sequence,
            hash=salvaged.link.hash.hex(),
            supervisor=wanted.supervisor,
            technician=wanted.technician,
            reason=wanted.reason,
            void_round=stake.round,
            wagers=stake.wagers,
            insurance=stake.insurance,
        )
        taken_over = _taken_over(path, opened, salvaged, wanted.next_round)
        succession.carry_out(opened, predecessor, taken_over, stamp)
    return predecessor


def _taken_over(
    path: Path, opened: JournalOpened, salvaged: Salvaged, next_round: int | None
) -> TableState:
    state = salvaged.state
    if state is None:
        if not salvaged.last_round and next_round is None:
            raise NoSuccessorError(f"{path}: {_ROUND_NEEDED}")
        state = new_table(opened.table, opened.seats, opened.rules)
    # No number comes again, not even of a round whose records cannot be trusted.
    unused = salvaged.last_round + 1 if _is_beyond(salvaged) else 1
    return handed_over(state, max(unused, next_round or 1))


def _is_beyond(salvaged: Salvaged) -> bool:
    """Return whether a round number is seen that the trusted part does not know."""
    state = salvaged.state
    return state is None or salvaged.last_round > state.round
