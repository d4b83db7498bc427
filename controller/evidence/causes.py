"""Whether each record names what led to it, as its columns say."""

from typing import Final

from controller.core import events as ev
from controller.evidence.findings import COMMAND_TYPES, FindingError, FindingKind
from controller.journal.records import TAKEN_OVER
from controller.journal.records import Record as Row

_OPENED: Final = str(ev.JournalOpened.__struct_config__.tag)
_BY_ITSELF: Final = frozenset(
    str(kind.__struct_config__.tag) for kind in (ev.InternalFault, ev.SigningKeySet)
)
_SIGNED: Final = str(ev.HeadSigned.__struct_config__.tag)
_STATE: Final = str(ev.TableStateRecorded.__struct_config__.tag)


class Causes:
    """Follows a journal from input to input, with the records that each led to."""

    def __init__(self) -> None:
        self._input: int | None = None

    def take(self, row: Row) -> None:
        """Look at one record, in order.

        Raises:
            FindingError: it names another cause than the last input, or none where
                it needs one; or the journal begins with something else.
        """
        if row.cause is not None:
            if row.cause != self._input:
                text = f"{row.type} names {row.cause} as its cause, which it is not"
                raise FindingError(FindingKind.CAUSE, row.sequence, text)
        elif row.type == _SIGNED:
            return  # It may stand in the midst of what an input led to.
        elif row.type in COMMAND_TYPES and row.sequence > 1:
            self._input = row.sequence
        else:
            self._by_itself(row)

    def _by_itself(self, row: Row) -> None:
        """Take a record that is no input and needs none.

        A journal that goes on from another has that one's table as its second record.
        What the program could not handle is written without its help, and the table
        signs what was written.
        """
        self._input = None
        if row.sequence == 1:
            if row.type != _OPENED:
                text = f"expected {_OPENED} first, found {row.type}"
                raise FindingError(FindingKind.CHECKPOINT, row.sequence, text)
        elif row.type not in _BY_ITSELF and (row.type, row.sequence) != (
            _STATE,
            TAKEN_OVER,
        ):
            text = f"{row.type} names no input as its cause"
            raise FindingError(FindingKind.CAUSE, row.sequence, text)
