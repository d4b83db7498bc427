"""Which cable a technician looks at first, by what answered and what did not."""

from collections.abc import Iterator, Sequence

from controller.runtime.answers import Finding
from controller.runtime.device_names import SHOE
from drivers.identity import DeviceType
from drivers.ports import NOT_THERE
from hw_config.schema import TableHardware


def where_to_look(
    hardware: TableHardware, findings: Sequence[Finding]
) -> Iterator[str]:
    """Yield one line for each place, the one that explains most first."""
    panels = [one for one in findings if one.device.device_type is DeviceType.PANEL]
    silent = [one for one in panels if one.problem]
    if silent:
        yield _panels(hardware, panels, silent)
    for one in findings:
        if one.device == SHOE and one.problem:
            what = _of_a_port(one) if one.port_error else "cable and its supply"
            yield f"the shoe's {what}: {hardware.shoe.port}"


def _panels(
    hardware: TableHardware, panels: Sequence[Finding], silent: Sequence[Finding]
) -> str:
    if hardware.pins is not None:
        return f"the pins' chip {hardware.pins.chip}, and who else holds its lines"
    bus = hardware.bus
    if silent[0].port_error:
        return f"the panels' {_of_a_port(silent[0])}: {bus.port}"
    if len(silent) == len(panels):
        return (
            f"the panels' bus at {bus.port}: A and B, termination, the panels' supply, "
            f"the speed ({bus.baud.value})"
        )
    names = ", ".join(one.name for one in silent)
    return f"cable, supply and address of: {names}"


def _of_a_port(one: Finding) -> str:
    """Return what to look at of a port that is not open."""
    return "adapter and its plug" if NOT_THERE in one.problem else "port"
