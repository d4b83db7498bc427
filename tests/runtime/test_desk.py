"""What comes over the sessions reaches the game in the order in which it happened."""

import random

from controller.core import commands as cm
from controller.core.state import new_table
from controller.rulesets.loader import load_ruleset
from controller.runtime.desk import Desk
from hw_config.loader import load_hardware, shipped_hardware
from simulators.devices.shoe import ShoeSimulator

HARDWARE = load_hardware(shipped_hardware("simulation-seven"))


def test_a_shoe_met_in_a_burst_is_adopted_before_its_first_card() -> None:
    state = new_table(HARDWARE.table_id, HARDWARE.seats, load_ruleset("colorado"))
    desk = Desk(HARDWARE, "a test", state, 0.0)
    shoe = ShoeSimulator(random.Random(1))
    desk.shoe.connection_made(0.0)
    shoe.receive_data(desk.shoe.data_to_send(0.0), 0.0)
    shoe.draw("Th")
    desk.shoe.receive_data(shoe.data_to_send(0.0), 0.0)
    # The heartbeat told of a card whose report had not been taken: it comes again.
    shoe.receive_data(desk.shoe.data_to_send(0.0), 0.0)
    desk.shoe.receive_data(shoe.data_to_send(0.0), 0.0)
    commands = []
    while (event := desk.shoe.next_event()) is not None:
        commands += [one.command for one in desk.take(event, 0.0)]
    told = [c for c in commands if isinstance(c, cm.ReportShoeState | cm.ReportCard)]
    met, card = told
    assert isinstance(met, cm.ReportShoeState)
    assert isinstance(card, cm.ReportCard)
    assert (met.event_number, met.next_card) == (0, 1)
    assert card.cursor == cm.Cursor(met.boot_id, 1)
