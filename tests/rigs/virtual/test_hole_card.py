"""Two tables that differ only in the hole card's face say the same, to the byte.

Held until the peek's one bit or the reveal: every byte from host to devices and when it
left, every record, everything that is shown (SECRET-2). What may differ is the
commitment, which hides the face behind its salt.
"""

import re
from random import Random

import msgspec
import pytest

from controller.core import events as ev
from simulators.devices.decks import Decks, fresh_decks
from simulators.rigs.checkers.checker import Step
from simulators.rigs.soak.run import Plan
from simulators.rigs.virtual.felt import TableShoe
from simulators.rigs.virtual.host import Host
from simulators.rigs.virtual.keeping import MemoryKeeper
from simulators.rigs.virtual.soak import VirtualSoak
from tests.rigs.virtual.soaks import COLORADO

SEATS = (1, 4, 6)
UPCARD_AT = len(SEATS)
HOLE_AT = 2 * len(SEATS) + 1
COMMITMENT = re.compile(r'("commitment":")[0-9a-f]+')
ROUND_S = 200.0


class Stacked(Decks):
    """Cards in an order that somebody chose."""

    def __init__(self, order: tuple[str, ...]) -> None:
        super().__init__(order, Random(0))
        self._inside = list(reversed(order))


class Told(msgspec.Struct):
    """All that a table said until its hole card was turned up."""

    sent: list[tuple[float, bytes]] = []
    records: list[str] = []
    shown: list[str] = []
    over: bool = False


def order_of(seed: int, upcard: str, hole: str) -> tuple[str, ...]:
    """Return six decks as the seed shuffles them, with this upcard and hole card."""
    cards = list(fresh_decks(6))
    Random(seed).shuffle(cards)
    cards[UPCARD_AT], cards[HOLE_AT] = upcard, hole
    return tuple(cards)


def play(seed: int, order: tuple[str, ...], host_type: type[Host] = Host) -> Told:
    """Play a round from this order; keep what was said before the reveal."""
    shoe = TableShoe(Random(seed), Stacked(order))
    plan = Plan(rules=COLORADO, seed=seed, basic_seats=SEATS, any_seats=())
    run = VirtualSoak(plan, shoe=shoe, checkers=(), host_type=host_type)
    told = Told(sent=[], records=[], shown=[])

    def send(data: bytes) -> None:
        if not told.over:
            told.sent.append((run.table.now, data))

    def see(step: Step) -> None:
        for record in step.records:
            told.over = told.over or isinstance(record, ev.HoleCardRevealed)
        if not told.over:
            told.shown.append(hushed((step.records, step.shown, step.state)))

    keeper = run.table.keeper
    assert isinstance(keeper, MemoryKeeper)
    keeper.sinks.append(lambda row: told.records.append(hushed((row.type, row.body))))
    run.table.sent.append(send)
    run.table.watch.sinks.append(see)
    assert run.table.run_until(lambda: told.over, ROUND_S)
    first = next(at for at, row in enumerate(told.records) if "hole_card_reve" in row)
    del told.records[first:]
    return told


def hushed(value: object) -> str:
    """Return a value as it is written, without what may differ."""
    written = msgspec.json.encode(value).decode().replace('\\"', '"')
    return COMMITMENT.sub(r"\1", written)


@pytest.mark.parametrize(
    ("upcard", "hole", "other"),
    [
        ("9h", "Ts", "2c"),
        ("6d", "As", "Ah"),
        ("Kd", "9s", "3c"),
        ("As", "9d", "9c"),
        ("Ah", "2d", "8c"),
    ],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_hole_card_shows_nowhere_before_it_is_turned_up(
    seed: int, upcard: str, hole: str, other: str
) -> None:
    one = play(seed, order_of(seed, upcard, hole))
    two = play(seed, order_of(seed, upcard, other))
    assert one.sent == two.sent
    assert one.records == two.records
    assert one.shown == two.shown
    assert len(one.sent) > 50
    assert any("hole_card_dealt" in row for row in one.records)


class TakesLongerOverATen(Host):
    """Is a millisecond late while a ten-value card lies in the hole."""

    def take_off(self, now: float) -> None:
        super().take_off(now)
        tens = {
            card.card for card in self.standing.secrets.cards if card.card[0] in "TJQK"
        }
        if self.flight is not None and tens:
            late = self.flight.lands_at_s + 0.001
            self.flight = msgspec.structs.replace(self.flight, lands_at_s=late)


def test_a_host_whose_pace_tells_of_the_hole_card_is_found() -> None:
    ten, two = (
        play(1, order_of(1, "9h", hole), TakesLongerOverATen) for hole in ("Ts", "2c")
    )
    assert ten.sent != two.sent


def test_the_peek_tells_of_a_blackjack_and_so_the_bytes_part() -> None:
    blackjack = play(1, order_of(1, "Kd", "As"))
    none = play(1, order_of(1, "Kd", "9s"))
    assert blackjack.records != none.records
