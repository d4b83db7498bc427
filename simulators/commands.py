"""The commands that join `tablectl` where the simulators are installed.

Plain words, so that `tablectl --help` imports no simulator: for each name the
module and attribute of the command, and its help in one line.
"""

from typing import Final

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "simulate": (
        "simulators.rigs.simulate.command:simulate",
        "Simulate the devices of a table, without the table.",
    ),
    "demo": (
        "simulators.rigs.demo.command:demo",
        "Watch robots play at a whole simulated table.",
    ),
    "scenario": (
        "simulators.rigs.scenario.command:scenario",
        "Play scenarios and hold their expectations.",
    ),
    "soak": (
        "simulators.rigs.soak.command:soak",
        "Play seeded rounds on virtual time and check all that must hold.",
    ),
}
