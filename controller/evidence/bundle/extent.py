"""Whether a bundle holds a whole round, from its beginning to its end.

The end is proved: only the state of the table, which is left out, stands between a
round's last head and the next round. What the chain was before the first record is
proved where that is the journal's first.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from controller.core import events as ev
from controller.evidence.bundle.contents import About, body_of
from controller.evidence.record_line import Line
from controller.journal.chain import GENESIS

_BEGINS: Final = str(ev.BetsClosed.__struct_config__.tag)
_ENDS: Final = frozenset(
    str(kind.__struct_config__.tag) for kind in (ev.RoundClosed, ev.DealUndone)
)
_BETWEEN: Final = str(ev.TableStateRecorded.__struct_config__.tag)


def wrong_extent(about: About, lines: Sequence[Line]) -> Iterator[str]:
    """Yield that the records are not one round, the one that the bundle says."""
    for line in lines:
        if line.round not in {None, about.round}:
            yield f"record {line.sequence} is of round {line.round}"
        if line.type == _BETWEEN:
            yield f"record {line.sequence} is of the table between rounds"
    edges = [line for line in lines if line.type == _BEGINS or line.type in _ENDS]
    for line in edges:
        if not line.round == body_of(line).get("round") == about.round:
            yield f"record {line.sequence}, {line.type}, is not of round {about.round}"
    if not _is_whole([line.type for line in edges]):
        yield f"the records are not all of round {about.round}, from DEAL to its end"
    if about.before_sequence == 0 and bytes.fromhex(about.before_hash) != GENESIS.hash:
        yield "the journal's first record continues another"


def _is_whole(edges: Sequence[str]) -> bool:
    match edges:
        case [begins, ends]:
            return begins == _BEGINS and ends in _ENDS
        case _:
            return False
