"""The first place to look at, by what answers."""

from collections.abc import Container
from pathlib import Path

import pytest

from controller.runtime.answers import Finding
from controller.runtime.device_names import SHOE, named_devices
from controller.runtime.sessions import addresses_of
from controller.runtime.where_to_look import where_to_look
from drivers.ports import NOT_THERE
from hw_config.loader import load_hardware, shipped_hardware
from tests.runtime.equipment import hardware

TABLE = hardware(Path("/t"))


def looks(
    silent: Container[str], *, closed: Container[str] = (), problem: str = NOT_THERE
) -> list[str]:
    devices = named_devices(TABLE, addresses_of(TABLE), TABLE.bus.port)
    findings = [
        Finding(
            device=one.device,
            name=one.name,
            place=one.place,
            problem=problem if one.name in silent else "",
            port_error=("shoe" if one.device == SHOE else "panels") in closed,
        )
        for one in devices
    ]
    return list(where_to_look(TABLE, findings))


BUS = (
    f"the panels' bus at {TABLE.bus.port}: A and B, termination, the panels' supply, "
    "the speed (115200)"
)
PANELS = ("seat 1", "seat 2", "seat 3", "dealer's panel")


@pytest.mark.parametrize(
    ("silent", "closed", "places"),
    [
        ((), (), []),
        (("seat 2",), (), ["cable, supply and address of: seat 2"]),
        (
            ("seat 1", "dealer's panel"),
            (),
            ["cable, supply and address of: seat 1, dealer's panel"],
        ),
        (
            PANELS,
            (),
            [BUS],
        ),
        (
            PANELS,
            ("panels",),
            [f"the panels' adapter and its plug: {TABLE.bus.port}"],
        ),
        (("shoe",), (), [f"the shoe's cable and its supply: {TABLE.shoe.port}"]),
        (
            ("shoe",),
            ("shoe",),
            [f"the shoe's adapter and its plug: {TABLE.shoe.port}"],
        ),
    ],
)
def test_the_place_that_explains_most_is_named(
    silent: tuple[str, ...], closed: tuple[str, ...], places: list[str]
) -> None:
    assert looks(silent, closed=closed) == places


def test_of_pins_it_is_the_chip_and_who_holds_it() -> None:
    wired = load_hardware(shipped_hardware("gpio-three"))
    devices = named_devices(wired, addresses_of(wired), "chip")
    findings = [
        Finding(device=one.device, name=one.name, place=one.place, problem="gone")
        for one in devices
        if one.device != SHOE
    ]
    (place,) = where_to_look(wired, findings)
    assert place == "the pins' chip pinctrl-bcm2711, and who else holds its lines"


def test_of_a_port_that_is_there_the_plug_is_not_to_be_looked_at() -> None:
    in_use = "another program has it open; end that one first"
    both = ("panels", "shoe")
    assert looks((*PANELS, "shoe"), closed=both, problem=in_use) == [
        f"the panels' port: {TABLE.bus.port}",
        f"the shoe's port: {TABLE.shoe.port}",
    ]
