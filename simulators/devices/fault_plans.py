"""Draws a plan of faults from a seed, for runs that nobody wants to write by hand."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from drivers.panel.messages import Button
from simulators.devices.faults import (
    Block,
    Cable,
    DeviceFault,
    FaultPlan,
    OtherPanel,
    OtherShoe,
    PanelReboot,
    PressStorm,
    ShoeGap,
    ShoeReboot,
    Stall,
    StuckButton,
    Unplug,
    chance,
    every_line_fault,
)

SHORT_S: Final = (0.01, 0.5)
"""A glitch that a table should hardly notice, at least and at most."""

LONG_S: Final = (0.5, 6.0)
"""Long enough that lamps go dark and a device counts as lost."""

STORM_PRESSES_MAX: Final = 7
GAP_REPORTS_MAX: Final = 3

Buttons = Mapping[int, frozenset[Button]]
"""The buttons that may be pressed or stick, by the address of their panel."""

Draw = Callable[[random.Random, float, Buttons], DeviceFault]
"""Draws a fault of one kind that begins at some moment."""


def random_plan(seed: int, rate: float, until_s: float, buttons: Buttons) -> FaultPlan:
    """Return a plan in which everything that can go wrong does so now and then.

    `rate` is both the chance of each line fault per write and the number of device
    faults per second, up to `until_s`.
    """
    count = round(rate * until_s)
    schedule = random_schedule(seed, count, until_s, buttons)
    return FaultPlan(seed, every_line_fault(rate), schedule)


def random_schedule(
    seed: int,
    count: int,
    until_s: float,
    buttons: Buttons,
    kinds: Sequence[Draw] | None = None,
) -> tuple[DeviceFault, ...]:
    """Return `count` faults of whole devices, each at some moment before `until_s`.

    They are of `kinds`; where none are named, of those that a virtual table has.
    """
    source = chance(seed, "schedule")
    return tuple(
        source.choice(kinds or KINDS)(source, source.uniform(0.0, until_s), buttons)
        for _ in range(count)
    )


def some_duration_s(source: random.Random) -> float:
    """Return how long a fault lasts: a glitch as often as a real absence."""
    return source.uniform(*source.choice((SHORT_S, LONG_S)))


def a_stall(source: random.Random, at_s: float, _: Buttons) -> Stall:
    """Return a stall of either line."""
    return Stall(at_s, some_duration_s(source), source.choice(list(Cable)))


def an_unplugging(source: random.Random, at_s: float, _: Buttons) -> Unplug:
    """Return a pulled cable of either line."""
    return Unplug(at_s, some_duration_s(source), source.choice(list(Cable)))


def a_panel_reboot(source: random.Random, at_s: float, buttons: Buttons) -> PanelReboot:
    """Return a reboot of any panel."""
    return PanelReboot(at_s, some_duration_s(source), source.choice(sorted(buttons)))


def a_stuck_button(source: random.Random, at_s: float, buttons: Buttons) -> StuckButton:
    """Return a button of any panel that sticks."""
    address = source.choice(sorted(buttons))
    button = any_of(buttons[address], source)
    return StuckButton(at_s, some_duration_s(source), address, button)


def a_storm(source: random.Random, at_s: float, buttons: Buttons) -> PressStorm:
    """Return a storm on all panels that have some button."""
    button = any_of(frozenset().union(*buttons.values()), source)
    hit = tuple(address for address in sorted(buttons) if button in buttons[address])
    return PressStorm(at_s, hit, button, source.randint(1, STORM_PRESSES_MAX))


def a_shoe_reboot(source: random.Random, at_s: float, _: Buttons) -> ShoeReboot:
    """Return a reboot of a shoe that keeps its numbers or forgets them."""
    keeps_numbers = source.random() < 1 / 2
    return ShoeReboot(at_s, some_duration_s(source), keeps_numbers=keeps_numbers)


def a_gap(source: random.Random, at_s: float, _: Buttons) -> ShoeGap:
    """Return missing reports that the shoe can send again, or cannot."""
    reports = source.randint(1, GAP_REPORTS_MAX)
    return ShoeGap(at_s, reports, can_resend=source.random() < 1 / 2)


def any_of(buttons: frozenset[Button], source: random.Random) -> Button:
    """Return one of some buttons, the same for the same seed."""
    # A set has another order in each process; chance must not depend on it.
    return source.choice(sorted(buttons, key=lambda button: button.value))


def a_block(source: random.Random, at_s: float, _: Buttons) -> Block:
    """Return a far side of either line that takes no bytes."""
    return Block(at_s, some_duration_s(source), source.choice(list(Cable)))


def a_return_mid_frame(source: random.Random, at_s: float, _: Buttons) -> Unplug:
    """Return a cable that is put back while its device speaks."""
    cable = source.choice(list(Cable))
    return Unplug(at_s, some_duration_s(source), cable, mid_frame=True)


def another_panel(source: random.Random, at_s: float, buttons: Buttons) -> OtherPanel:
    """Return a panel in whose place one of another seat hangs."""
    address = source.choice(sorted(buttons))
    role = source.randrange(len(buttons))
    return OtherPanel(at_s, some_duration_s(source), address, role)


def another_shoe(source: random.Random, at_s: float, _: Buttons) -> OtherShoe:
    """Return something else at the shoe's line."""
    return OtherShoe(at_s, some_duration_s(source))


def one_by_one(
    source: random.Random, within_s: float, addresses: Iterable[int]
) -> tuple[DeviceFault, ...]:
    """Return a start at which no device is there: they come in any order."""
    lines = (Unplug(0.0, source.uniform(0.0, within_s), cable) for cable in Cable)
    panels = (
        PanelReboot(0.0, source.uniform(0.0, within_s), address)
        for address in addresses
    )
    return (*lines, *panels)


KINDS: Final[tuple[Draw, ...]] = (
    a_stall,
    an_unplugging,
    a_panel_reboot,
    a_stuck_button,
    a_storm,
    a_shoe_reboot,
    a_gap,
)
"""What virtual tables suffer; a seed of theirs goes on giving the run that it gave."""

ALL_KINDS: Final[tuple[Draw, ...]] = (
    *KINDS,
    a_block,
    a_return_mid_frame,
    another_panel,
    another_shoe,
)
"""Also what makes a difference where a real port lies between host and device."""
