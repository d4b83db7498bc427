"""Whether the devices show what the journal says: lamps, prompts, the gate.

Both are read where anybody could: at the devices, and in the fold of the journal.
"""

from typing import TypeAlias

from controller.core.ids import DEALER_SEAT
from controller.core.outputs import gate_up_to
from controller.core.state import Prompt, SeatState, TableState
from controller.runtime.translate import lamps_of
from simulators.devices.line_shoe import LineShoeSimulator
from simulators.devices.modbus import ModbusModule
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
        found += [
            simulation.panel_difference(state, at) for at in simulation.any_panels
        ]
    else:
        found += [
            panel_difference(simulation, state, seat, started_s)
            for seat in simulation.any_panels
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


def panel_of(state: TableState, seat: int) -> SeatState:
    """Return what is known of a seat's panel, the dealer's as seat 0."""
    return state.dealer_panel if seat == DEALER_SEAT else state.seats[seat - 1]


def panel_difference(
    simulation: Simulation, state: TableState, seat: int, started_s: float
) -> str:
    """Say in what a panel is not as the state wants it since the start."""
    panel = simulation.any_panels[seat]
    known = panel_of(state, seat)
    if known.panel_lost is panel.powered:
        return f"panel {seat}: lost or back, and the table does not know it yet"
    if not panel.powered:
        return ""
    if panel.polled_at_s is None or panel.polled_at_s < started_s:
        return f"panel {seat} was not polled since the start"
    wanted = state.prompts[seat]
    if isinstance(panel, ModbusModule):
        return _module_difference(panel, known, wanted)
    lit = {lamp.value for lamp in panel.lamps}
    if (panel.prompt_number, lit) != (wanted.number, set(wanted.buttons)):
        return (
            f"panel {seat} shows {sorted(lit)} for prompt {panel.prompt_number}, "
            f"expected {sorted(wanted.buttons)} for prompt {wanted.number}"
        )
    return ""


def _module_difference(module: ModbusModule, known: SeatState, wanted: Prompt) -> str:
    """Say in what a module differs; how many presses are taken, only the state says."""
    lamps = lamps_of(wanted.buttons)
    if module.coils != module.wiring.coils(lamps):
        lit = sorted(lamp.value for lamp in module.lamps)
        return f"panel {module.role} shows {lit}, expected {sorted(wanted.buttons)}"
    taken = 0 if known.boot_id == module.boot_id_before else known.press_number
    if taken != len(module.taps):
        return (
            f"{taken} presses of panel {module.role} are taken, "
            f"{len(module.taps)} were made"
        )
    return ""
