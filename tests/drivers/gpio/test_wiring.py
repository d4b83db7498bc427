"""Which line is what: the wiring that a hardware file describes."""

from drivers.events import HouseInput
from drivers.gpio.wiring import Key, Line, wiring_of
from drivers.panel.messages import Button
from hw_config.loader import load_hardware, shipped_hardware


def test_buttons_on_the_same_two_lines_are_one_key() -> None:
    board = load_hardware(shipped_hardware("gpio-three")).pins
    assert board is not None
    dealer, first, *_ = wiring_of(board).panels
    chip = "pinctrl-bcm2711"
    assert first.keys == (
        Key(Line(chip, 2), Line(chip, 16), (Button.BET, Button.HIT)),
        Key(Line(chip, 3), Line(chip, 17), (Button.CLEAR, Button.STAND)),
        Key(
            Line(chip, 4), Line(chip, 18), (Button.REBET, Button.DOUBLE, Button.INSURE)
        ),
        Key(Line(chip, 5), Line(chip, 19), (Button.SPLIT, Button.PASS)),
    )
    assert [key.does for key in dealer.keys] == [
        (Button.DEAL,),
        (Button.NEXT,),
        (Button.PICKUP,),
        (Button.CLOSE_INSURANCE,),
        (Button.CALL,),
    ]


def test_lines_without_a_chip_of_their_own_are_on_the_boards() -> None:
    board = load_hardware(shipped_hardware("gpio-three")).pins
    assert board is not None
    wiring = wiring_of(board)
    assert wiring.panels[0].keys[0].button == Line("mcp23017", 0)
    assert wiring.inputs == {
        HouseInput.KEY_SWITCH: Line("mcp23017", 5),
        HouseInput.DOOR: Line("mcp23017", 6),
    }
    assert (wiring.table_lamp, wiring.shoe_gate) == (
        Line("mcp23017", 13),
        Line("mcp23017", 14),
    )
    assert len(list(wiring.contacts)) == 3 * 4 + 5 + 2
    assert len(set(wiring.lamps)) == 3 * 4 + 5 + 1
