"""How long a person waits for the command line, against Python's own start."""

import subprocess
import sys
from collections.abc import Sequence
from typing import Final

from bench.measure import Better, Goal, Measure, compared, seconds

_TIMES: Final = 11
_NOTHING: Final = (sys.executable, "-c", "pass")
_TABLECTL: Final = (
    sys.executable,
    "-c",
    "from controller.cli.main import main; main()",
)


def measures() -> list[Measure]:
    """Return what `tablectl --help` costs."""
    return [
        compared(
            "tablectl --help",
            "s",
            Goal(better=Better.LOWER, ratio=6.0),
            ours=lambda: _run((*_TABLECTL, "--help")),
            floor=lambda: _run(_NOTHING),
            times=_TIMES,
            note="against python -c pass",
        )
    ]


def _run(command: Sequence[str]) -> float:
    return seconds(
        lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    )
