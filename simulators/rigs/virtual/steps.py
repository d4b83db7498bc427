"""A batch as the checkers see it: command by command, with what each led to."""

from collections.abc import Callable, Iterator

from controller.core.commands import Command
from controller.core.evolve import evolve
from controller.core.outputs import Outputs
from controller.core.state import TableState
from controller.runtime.planner import prepare
from simulators.rigs.checkers.checker import Step
from simulators.rigs.virtual.host import Flight

Show = Callable[[TableState], Outputs]


def steps_of(flight: Flight, first: int, show: Show) -> Iterator[Step]:
    """Yield a step for each input that left records, numbered from `first`.

    The stages of waiting that were over come before the commands of the batch.
    """
    state = flight.before.state
    salts = iter(flight.salts)
    decided = list(flight.planned.decided)
    offset = 0
    number = first

    def step(given: Command | None) -> Step:
        nonlocal state, offset, number
        one, before = decided.pop(0), state
        for record in one.records:
            state = evolve(state, record)
        offset += len(one.records)
        number += 1
        told = one.records[0] if given is None else given
        assert isinstance(told, Command), "an input's own record comes first"
        return Step(number - 1, told, one.records, before, state, show(state))

    for pending, answer in zip(flight.batch, flight.planned.answers, strict=True):
        while answer.offset is not None and offset < answer.offset:
            yield step(None)
        given = prepare(state, pending.command, lambda: next(salts))
        if answer.offset is not None:
            yield step(given)
    while decided:
        yield step(None)
