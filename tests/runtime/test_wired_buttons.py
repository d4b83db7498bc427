"""Buttons on pins against the ruleset: what a seat is asked, it can answer."""

import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.core.ids import Button
from controller.rulesets.loader import ruleset_with
from controller.runtime.device_pumps import chips_of
from controller.runtime.errors import ButtonMissingError, PinsMissingError
from controller.runtime.wired_buttons import buttons_needed, require_buttons
from hw_config.loader import SHIPPED, load_hardware, shipped_hardware
from hw_config.pins import PinBoard
from hw_config.schema import Kind, TableHardware

SOURCE = Path("a.toml")
WIRED = [file for file in sorted(SHIPPED.glob("*.toml")) if load_hardware(file).pins]


def three() -> tuple[TableHardware, PinBoard]:
    hardware = load_hardware(shipped_hardware("gpio-three"))
    assert hardware.pins is not None
    return hardware, hardware.pins


@pytest.mark.parametrize("file", WIRED, ids=lambda file: file.stem)
def test_a_shipped_table_has_the_buttons_that_its_ruleset_needs(file: Path) -> None:
    hardware = load_hardware(file)
    require_buttons(hardware, ruleset_with(hardware.ruleset, {}), file)


def test_a_ruleset_that_asks_for_more_names_each_button_that_is_missing() -> None:
    hardware, _ = three()
    with pytest.raises(ButtonMissingError) as caught:
        require_buttons(hardware, ruleset_with("colorado", {}), SOURCE)
    assert str(caught.value).splitlines() == [
        f"a.toml: pins.seats.{seat}.surrender: missing; the ruleset colorado asks for"
        " it: wire it, or choose another ruleset"
        for seat in (1, 2, 3)
    ]


def test_rules_without_insurance_need_no_button_for_it() -> None:
    rules = ruleset_with("house", {"insurance": "false"})
    assert Button.INSURE not in buttons_needed(rules)
    assert Button.INSURE in buttons_needed(ruleset_with("house", {}))


def test_rebet_and_the_dealers_buttons_may_be_left_out() -> None:
    hardware, pins = three()
    seats = tuple(replace(seat, rebet=None) for seat in pins.seats)
    dealer = replace(pins.dealer, deal=None, call=None)
    less = replace(hardware, pins=replace(pins, seats=seats, dealer=dealer))
    require_buttons(less, ruleset_with("house", {}), SOURCE)


def test_panels_on_a_bus_have_every_button() -> None:
    hardware = load_hardware(shipped_hardware("serial-three"))
    require_buttons(hardware, ruleset_with("colorado", {}), SOURCE)
    assert chips_of(hardware) is None


def test_a_live_table_without_lgpio_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    hardware, _ = three()
    assert hardware.kind is Kind.LIVE
    with pytest.raises(PinsMissingError, match="install this program with its extra"):
        chips_of(hardware)
