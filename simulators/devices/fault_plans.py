"""Draws a plan of faults from a seed, for runs that nobody wants to write by hand."""

import random
from collections.abc import Callable, Mapping
from typing import Final

from drivers.panel.messages import Button
from simulators.devices.faults import (
    Cable,
    DeviceFault,
    FaultPlan,
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


def random_plan(seed: int, rate: float, until_s: float, buttons: Buttons) -> FaultPlan:
    """Return a plan in which everything that can go wrong does so now and then.

    `rate` is both the chance of each line fault per write and the number of device
    faults per second, up to `until_s`.
    """
    count = round(rate * until_s)
    schedule = random_schedule(seed, count, until_s, buttons)
    return FaultPlan(seed, every_line_fault(rate), schedule)


def random_schedule(
    seed: int, count: int, until_s: float, buttons: Buttons
) -> tuple[DeviceFault, ...]:
    """Return `count` faults of whole devices, each at some moment before `until_s`."""
    source = chance(seed, "schedule")
    return tuple(
        source.choice(KINDS)(source, source.uniform(0.0, until_s), buttons)
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


Draw = Callable[[random.Random, float, Buttons], DeviceFault]
KINDS: Final[tuple[Draw, ...]] = (
    a_stall,
    an_unplugging,
    a_panel_reboot,
    a_stuck_button,
    a_storm,
    a_shoe_reboot,
    a_gap,
)
