"""Whether the devices show what the journal says: lamps, prompts, the gate.

Both are read where anybody could: at the devices, and in the fold of the journal.
"""

from typing import TypeAlias

from controller.core.ids import DEALER_SEAT
from controller.core.outputs import gate_up_to
from controller.core.state import TableState
from simulators.devices.line_shoe import LineShoeSimulator
from simulators.rigs.pin_simulation import PinSimulation
from simulators.rigs.simulation import Simulation

AnySimulation: TypeAlias = Simulation | PinSimulation


def difference(simulation: AnySimulation, state: TableState, started_s: float) -> str:
    """Say in what the devices differ from the state; empty where they agree.

    What they show counts only if the controller that was started at `started_s`
    has spoken to them.
    """
    found = [shoe_difference(simulation, state, started_s)]
    if isinstance(simulation, PinSimulation):
        found += [simulation.house_difference(state)]
        found += [simulation.panel_difference(state, at) for at in simulation.panels]
    else:
        found += [
            panel_difference(simulation, state, seat, started_s)
            for seat in simulation.panels
        ]
    return next(filter(None, found), "")


def shoe_difference(
    simulation: AnySimulation, state: TableState, started_s: float
) -> str:
    """Say in what the shoe is not as the state wants it since the start."""
    shoe = simulation.any_shoe
    if isinstance(shoe, LineShoeSimulator):
        return _line_shoe_difference(shoe, state)
    # It keeps its gate for some seconds while nobody tells it anything new.
    if shoe.gate_told_at_s is None or shoe.gate_told_at_s < started_s:
        return "the shoe was not told of its gate since the start"
    if state.shoe.boot_id != shoe.memory.boot_id:
        return "the shoe is not known yet"
    up_to = gate_up_to(state)
    wanted = max(up_to - state.shoe.card_offset, 0) if up_to else 0
    if shoe.gate_up_to != wanted:
        return f"the gate is open up to {shoe.gate_up_to}, expected {wanted}"
    return ""


def _line_shoe_difference(shoe: LineShoeSimulator, state: TableState) -> str:
    """Say how many lines the table has not taken, since the rig last set the count."""
    if state.shoe.boot_id == shoe.boot_id_before:
        return "the shoe's port was not opened since the start"
    taken = state.shoe.event_number
    if taken != shoe.printed:
        return f"{taken} lines of the shoe are taken, {shoe.printed} were printed"
    return ""


def panel_difference(
    simulation: Simulation, state: TableState, seat: int, started_s: float
) -> str:
    """Say in what a panel is not as the state wants it since the start."""
    panel = simulation.panels[seat]
    known = state.dealer_panel if seat == DEALER_SEAT else state.seats[seat - 1]
    if known.panel_lost is panel.powered:
        return f"panel {seat}: lost or back, and the table does not know it yet"
    if not panel.powered:
        return ""
    if panel.polled_at_s is None or panel.polled_at_s < started_s:
        return f"panel {seat} was not polled since the start"
    wanted = state.prompts[seat]
    lit = {lamp.value for lamp in panel.lamps}
    if (panel.prompt_number, lit) != (wanted.number, set(wanted.buttons)):
        return (
            f"panel {seat} shows {sorted(lit)} for prompt {panel.prompt_number}, "
            f"expected {sorted(wanted.buttons)} for prompt {wanted.number}"
        )
    return ""
