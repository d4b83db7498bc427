"""When nothing can happen on the panels' bus, so that polls may be left out.

A poll then only says again what the panel shows, and its answer that nothing was
pressed. As soon as anything differs the bus runs as ever.
"""

from controller.core.state import TableState
from controller.runtime.desk import Desk
from controller.runtime.translate import lamps_of
from drivers.link import LinkState
from drivers.panel.messages import Button
from simulators.devices.panel import PanelSimulator
from simulators.rigs.virtual.devices import Devices
from simulators.rigs.virtual.module import ModuleAtTable


class QuietBus:
    """Knows what each panel shows once everything is said."""

    def __init__(self, devices: Devices) -> None:
        self._devices = devices
        self._wanted: dict[int, tuple[int, frozenset[Button]]] = {}

    def show(self, state: TableState, desk: Desk) -> None:
        """Note what the panels should show from now on."""
        self._wanted = {
            desk.addresses.of_seat(prompt.seat): (
                prompt.number,
                lamps_of(prompt.buttons),
            )
            for prompt in state.prompts
        }

    def is_quiet(self, desk: Desk) -> bool:
        """Return whether each panel shows what it should and has nothing to tell."""
        cable = self._devices.panel_cable
        if cable.to_host.deadline is not None or cable.to_device.deadline is not None:
            return False
        for address, panel in self._devices.any_panels.items():
            if has_to_tell(panel) or panel.held or not panel.powered:
                return False
            if self._wanted.get(address) != (panel.prompt_number, panel.lamps):
                return False
            if desk.bus.state(address) is not LinkState.READY:
                return False
        return cable.plugged


def has_to_tell(panel: PanelSimulator | ModuleAtTable) -> bool:
    """Return whether something was, or is being, pressed that the host may not know."""
    if isinstance(panel, ModuleAtTable):
        # A press counts for lamps only once a look has found the button up under them.
        return not (panel.is_at_rest and panel.was_looked_at)
    return bool(panel.memory.waiting)
