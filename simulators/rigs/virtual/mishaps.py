"""What people do wrong and what happens to the controller, besides faults of devices.

As data, one function each; they act where such things happen: at a panel, at the
shoe, at the console, at the controller's plug.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from controller.core import commands as cm
from controller.core.commands import Person
from controller.core.decisions import Resume, VoidRound
from controller.core.ids import CashStep, Phase, Role
from drivers.panel.messages import Button
from drivers.shoe.messages import ShoeFlag
from hw_config.schema import ShoeKind
from simulators.rigs.virtual.dealer import DEALER
from simulators.rigs.virtual.felt import TableShoe
from simulators.rigs.virtual.line_shoe import LineShoeAtTable
from simulators.rigs.virtual.scene import Scene

_OFF_S: Final = ((0.0, 0.05), (0.05, 1.0), (1.0, 6.0))
# Also where the line loses a byte of it on its way.
_NO_CARDS: Final = (b"\xff\xff[Game]<Card:4S>", b"[Game]<Card:S4>", b"x" * 70)
_WORDS: Final = (b"[GameAlarm]<Alarm:E5 Motor>", b"<W0x01>", b"")
_BARS: Final = frozenset({ShoeFlag.LID_OPEN, ShoeFlag.JAMMED, ShoeFlag.SHUFFLING})

Mishap = Callable[[Scene, Random], None]


class Trouble:
    """Brings mishaps: so many a second, at moments that chance chooses.

    `counts` says how often each was brought, by its name.
    """

    def __init__(
        self, rng: Random, a_second: float, mishaps: Sequence[Mishap] | None = None
    ) -> None:
        """Bring any of some mishaps; where none are named, of all."""
        self.counts: Counter[str] = Counter()
        self._rng = rng
        self._a_second = a_second
        self._mishaps = mishaps or MISHAPS
        self.wake_at: float | None = rng.expovariate(a_second) if a_second else None

    def look_up(self, scene: Scene) -> None:
        """Trouble does not wait for anything."""

    def act(self, scene: Scene) -> None:
        """Let one thing go wrong."""
        mishap = self._rng.choice(self._mishaps)
        self.counts[mishap.__name__] += 1
        mishap(scene, self._rng)
        self.wake_at = scene.now + self._rng.expovariate(self._a_second)

    def end(self) -> None:
        """Bring no more."""
        self.wake_at = None


def power_cut(scene: Scene, rng: Random) -> None:
    """The controller loses its power in the middle of whatever it does."""
    scene.cut_power(rng.uniform(*rng.choice(_OFF_S)))


def power_cut_and_escrow_lost(scene: Scene, rng: Random) -> None:
    """The controller loses its power, and its escrow with it."""
    scene.lose_escrow()
    power_cut(scene, rng)


def any_press(scene: Scene, rng: Random) -> None:
    """Somebody presses any button of any seat, lit or not."""
    panel = scene.panel_of(rng.randint(1, scene.state.seat_count))
    panel.press(_any_button(panel.buttons, rng), scene.now)


def press_twice(scene: Scene, rng: Random) -> None:
    """A player presses a lit button, and at once another."""
    lit = [
        panel
        for seat in range(1, scene.state.seat_count + 1)
        if (panel := scene.panel_of(seat)).lamps
    ]
    if lit:
        panel = rng.choice(lit)
        for _ in range(2):
            panel.press(_any_button(panel.lamps, rng), scene.now)


def any_press_of_the_dealer(scene: Scene, rng: Random) -> None:
    """The dealer presses a button at the wrong time, or calls."""
    panel = scene.panel_of(0)
    panel.press(_any_button(panel.buttons, rng), scene.now)


def wager_beside(scene: Scene, rng: Random) -> None:
    """A player wagers on some spot."""
    panel = scene.panel_of(rng.randint(1, scene.state.seat_count))
    if Button.BET in panel.lamps:
        panel.press(
            Button.BET, scene.now, rng.choice((0, 500, 1000)), rng.randint(1, 7)
        )


def card_in_error(scene: Scene, _rng: Random) -> None:
    """A card leaves the shoe, due or not: a gate can fail, a hand can force it."""
    if _can_draw(scene):
        scene.shoe.draw_next()


def card_unread(scene: Scene, rng: Random) -> None:
    """The shoe cannot read a due card, and perhaps reads it at a second look."""
    shoe = _own(scene)
    if _can_draw(scene) and shoe.gate_is_open:
        number = shoe.draw_unread()
        if rng.random() < 1 / 2:
            face = shoe.out[shoe.memory.boot_id, number]
            shoe.read_again(number, face)


def card_read_again(scene: Scene, _rng: Random) -> None:
    """The shoe reads its last card once more, though that may be known by now."""
    shoe = _own(scene)
    number = shoe.next_card_number - 1
    face = shoe.out.get((shoe.memory.boot_id, number))
    if shoe.powered and face is not None:
        shoe.read_again(number, face)


def lid_opened(scene: Scene, _rng: Random) -> None:
    """Somebody opens the shoe's lid."""
    if _can_draw(scene):
        _own(scene).open_lid()


def jam(scene: Scene, _rng: Random) -> None:
    """A card gets stuck in the shoe."""
    if _can_draw(scene):
        _own(scene).jam()


def shuffle_out_of_turn(scene: Scene, _rng: Random) -> None:
    """The shoe begins to shuffle by itself."""
    if _can_draw(scene):
        _own(scene).start_shuffle()


# --- At a shoe that prints lines --------------------------------------------------


def card_not_read(scene: Scene, _rng: Random) -> None:
    """A line shoe cannot read a due card."""
    shoe = _printing(scene)
    if shoe.powered and shoe.gate_is_open:
        shoe.draw_unread()


def card_garbled(scene: Scene, rng: Random) -> None:
    """A due card leaves a line shoe, and what it prints is no card's line."""
    shoe = _printing(scene)
    if shoe.powered and shoe.gate_is_open:
        shoe.draw_garbled(rng.choice(_NO_CARDS))


def words_beside(scene: Scene, rng: Random) -> None:
    """A line shoe prints what tells of no card."""
    shoe = _printing(scene)
    if shoe.powered:
        shoe.print_raw(rng.choice((*_NO_CARDS, *_WORDS)))


def noise(scene: Scene, _rng: Random) -> None:
    """Bytes come from a line shoe's cable that begin a line and do not end it."""
    _printing(scene).send(b"x" * 70)


def another_shoe(scene: Scene, _rng: Random) -> None:
    """Somebody does not like a line shoe any more."""
    _printing(scene).call_for_another()


# --- At the console ---------------------------------------------------------------


def cash(scene: Scene, rng: Random) -> None:
    """A player changes cash for chips, in the four steps."""
    seat = rng.randint(1, scene.state.seat_count)
    for step in CashStep:
        scene.console(cm.MoveCash(seat=seat, step=step, amount_cents=10_000))


def deal_undone(scene: Scene, _rng: Random) -> None:
    """The dealer takes the deal back, where that is still possible."""
    if scene.state.phase is Phase.DEALING:
        scene.console(cm.UndoDeal())


def wrong_person(scene: Scene, rng: Random) -> None:
    """Somebody decides who may not."""
    people = (DEALER, Person("X1"), Person("T1", Role.TECHNICIAN))
    decision = rng.choice((Resume(), VoidRound()))
    scene.console(cm.TakeDecision(person=rng.choice(people), decision=decision))


def _own(scene: Scene) -> TableShoe:
    """Return the shoe of a table whose shoe speaks the reference protocol."""
    assert isinstance(scene.shoe, TableShoe), "the shoe prints lines"
    return scene.shoe


def _printing(scene: Scene) -> LineShoeAtTable:
    assert isinstance(scene.shoe, LineShoeAtTable), "the shoe prints no lines"
    return scene.shoe


def _can_draw(scene: Scene) -> bool:
    shoe = scene.shoe
    bars = _BARS & shoe.flags_standing
    return shoe.powered and not bars and shoe.cards.left_to_draw > 0


def _any_button(buttons: frozenset[Button], rng: Random) -> Button:
    # A set has another order in each process; chance must not depend on it.
    return rng.choice(sorted(buttons, key=lambda button: button.value))


MISHAPS: Final[tuple[Mishap, ...]] = (
    power_cut,
    power_cut,
    power_cut_and_escrow_lost,
    any_press,
    press_twice,
    any_press_of_the_dealer,
    wager_beside,
    card_in_error,
    card_unread,
    card_read_again,
    lid_opened,
    jam,
    shuffle_out_of_turn,
    cash,
    deal_undone,
    wrong_person,
)
_OF_THE_OWN_SHOE: Final[tuple[Mishap, ...]] = (
    card_unread,
    card_read_again,
    lid_opened,
    jam,
    shuffle_out_of_turn,
)
_OF_A_LINE_SHOE: Final[tuple[Mishap, ...]] = (
    card_not_read,
    card_garbled,
    card_garbled,
    words_beside,
    noise,
    another_shoe,
)


def mishaps_with(shoe: ShoeKind) -> tuple[Mishap, ...]:
    """Return what goes wrong at a table whose shoe is of this kind."""
    if shoe is not ShoeKind.LINE:
        return MISHAPS
    anywhere = (one for one in MISHAPS if one not in _OF_THE_OWN_SHOE)
    return (*anywhere, *_OF_A_LINE_SHOE)


CUTS: Final = frozenset({power_cut, power_cut_and_escrow_lost})
"""Those that end the controller's process."""
