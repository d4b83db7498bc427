"""The core alone: rounds a second in memory, beside a plain blackjack package."""

from collections.abc import Callable
from typing import Final

from bench import floors
from bench.measure import Better, Goal, Measure, compared, rate
from bench.rounds import ScriptedTable
from controller.core.decide import Decision
from controller.core.evolve import Record, replay
from controller.core.state import TableState
from controller.core.totals import Total
from controller.rulesets.loader import load_ruleset
from simulators.rigs.strategy import Move, move_for

_SEATS: Final = 7
_ROUNDS: Final = 300
_FLOOR_ROUNDS: Final = 1500
_SEED: Final = 21
_ACE_HIGH: Final = 11

_LETTERS: Final = {
    (Move.DOUBLE_ELSE_HIT, False): "H",
    (Move.DOUBLE_ELSE_STAND, False): "S",
    (Move.DOUBLE_ELSE_HIT, True): "D",
    (Move.DOUBLE_ELSE_STAND, True): "D",
}


def measures() -> list[Measure]:
    """Return the core's rounds a second, and those of its fold without the deciding."""
    table = ScriptedTable(load_ruleset("colorado"), _SEATS, _SEED)
    before, records = _played()
    goal = Goal(better=Better.HIGHER, ratio=0.25, aim=0.5)
    return [
        _against_the_floor(
            "core, seven seats, basic strategy, in memory",
            goal,
            lambda: table.play(_ROUNDS),
            "the floor has no journal records, prompts, secrets or inventory",
        ),
        _against_the_floor(
            "of it the fold alone",
            goal,
            lambda: replay(before, records),
            f"{len(records) / _ROUNDS:.0f} records a round, decided already",
        ),
    ]


def _against_the_floor(
    name: str, goal: Goal, action: Callable[[], object], note: str
) -> Measure:
    return compared(
        name,
        "rounds/s",
        goal,
        ours=lambda: rate(_ROUNDS, action),
        floor=lambda: floors.blackjack21_rounds(_SEATS, _FLOOR_ROUNDS, letter),
        note=note,
    )


def _played() -> tuple[TableState, list[Record]]:
    """Return a table, and the records of the rounds that it then played."""
    records: list[Record] = []

    def keep(_before: TableState, decision: Decision) -> None:
        records.extend(decision.records)

    table = ScriptedTable(load_ruleset("colorado"), _SEATS, _SEED, keep)
    before = table.state
    records.clear()
    table.play(_ROUNDS)
    return before, records


def letter(
    total: int,
    soft: bool,  # noqa: FBT001 - the signature that the floor calls
    pair_value: int,
    upcard_value: int,
    two_cards: bool,  # noqa: FBT001 - same
    may_split: bool,  # noqa: FBT001 - same
) -> str:
    """Return basic strategy as the floor's package wants it: H, S, D or P."""
    pair = _low(pair_value) if may_split else 0
    move = move_for(
        Total(total, soft=soft), pair, _low(upcard_value), hits_soft_17=True
    )
    return _LETTERS.get((move, two_cards), move.value)


def _low(value: int) -> int:
    """Return a card's value with an ace as 1."""
    return 1 if value == _ACE_HIGH else value
