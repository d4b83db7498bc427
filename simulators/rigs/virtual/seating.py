"""Who is at a table that is soaked: players, the dealer, the supervisor."""

from collections.abc import Iterator

from simulators.devices.faults import chance
from simulators.rigs.robots.players import AnyPlayer, BasicPlayer, Player
from simulators.rigs.soak.run import WAGER_CENTS, Plan
from simulators.rigs.virtual.dealer import DealerAtTable
from simulators.rigs.virtual.players import SeatedPlayer
from simulators.rigs.virtual.scene import Somebody
from simulators.rigs.virtual.supervisor import PitSupervisor


def people_of(plan: Plan) -> Iterator[Somebody]:
    """Return the people of a plan, each with a chance of their own."""
    for seat in sorted((*plan.basic_seats, *plan.any_seats)):
        rng = chance(plan.seed, f"player {seat}")
        player: Player = AnyPlayer(seat, rng)
        if seat in plan.basic_seats:
            hits = plan.rules.dealer_hits_soft_17
            player = BasicPlayer(seat, WAGER_CENTS, hits_soft_17=hits)
        yield SeatedPlayer(player, rng)
    dealer = DealerAtTable(
        chance(plan.seed, "dealer"), always_shuffled=plan.always_shuffled
    )
    yield dealer
    yield PitSupervisor(chance(plan.seed, "supervisor"), dealer)
