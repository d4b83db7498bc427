"""What the firmware makes of bytes and of pins, under both Pythons."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tests.firmware.micropython import FIRMWARE, SCRIPTS, needs_micropython, output_of

ROOT: Final = Path(__file__).parents[2]
PANEL_DOCUMENT: Final = ROOT / "docs" / "protocol" / "panel.md"


def output_of_cpython(script: str) -> str:
    done = subprocess.run(  # noqa: S603 - our own script
        [sys.executable, "-B", str(SCRIPTS / script)],
        env={**os.environ, "PYTHONPATH": str(FIRMWARE)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


both: Final = pytest.mark.parametrize(
    "output_from",
    [
        pytest.param(output_of_cpython, id="cpython"),
        pytest.param(output_of, id="micropython", marks=needs_micropython),
    ],
)


def documented() -> dict[str, str]:
    block = PANEL_DOCUMENT.read_text().split("```golden\n")[1].split("```")[0]
    lines = [line for line in block.splitlines() if not line.startswith("#")]
    return dict(line.split(": ", maxsplit=1) for line in lines)


@both
def test_the_firmware_makes_and_reads_every_documented_frame(
    output_from: Callable[[str], str],
) -> None:
    lines = [line.split(": ") for line in output_from("frames.py").splitlines()]
    made = {name: frame for name, frame in lines if name != "read"}
    of_panels = ("identity", "report")
    assert made == {
        name: frame
        for name, frame in documented().items()
        if name.startswith(of_panels)
    }
    assert [said for name, said in lines if name == "read"] == [
        "3 1 identify",
        "3 2 poll 0 0 0 0",
        f"3 3 poll 58 {0b11111000} {0x5EA70003} 16",
        f"32 10 poll 7 {0b100010000000000} {0xDEA1E201} 4",
    ]
    assert len(made) + 4 == len(documented())


@both
def test_the_board_drives_the_bus_from_before_a_frame_until_its_last_bit_is_out(
    output_from: Callable[[str], str],
) -> None:
    assert output_from("pins.py").splitlines() == [
        "serial e660583883724a32",
        # The first draw was 0, which no boot id is.
        "boot id 0x5ea70003",
        # Contacts pull down: those at pins 3 and 7 are codes 1 and 5.
        f"closed {0b10001}",
        # The ticks wrapped in between.
        "now 8",
        "read 0",
        "read 3 [0, 1, 2, 0]",
        "uart 0 115200",
        "watchdog 1000",
        "pin 13 1",
        "pin 22 1",
        "pin LED 1",
        "sleep 100",
        "pin 2 1",
        "write 4",
        *["look"] * 3,
        "pin 2 0",
        "fed",
        # With the service jumper the board touches nothing and starts no watchdog.
        "in service []",
        # Without it, it blinks until it is polled, and feeds the watchdog every turn.
        f"it ran {['uart 0 115200', 'watchdog 1000', 'pin LED 1', *['fed'] * 4]}",
    ]


def test_the_builders_table_of_pins_is_that_of_the_board() -> None:
    source = (FIRMWARE / "panel" / "board.py").read_text()
    pins = {name: int(pin) for name, pin in re.findall(r"PIN_(\w+) = (\d+)", source)}
    table = (FIRMWARE / "README.md").read_text()
    for place in range(10):
        button, lamp = pins["FIRST_BUTTON"] + place, pins["FIRST_LAMP"] + place
        row = rf"\| GP{button} \(\d+\) \| GP{lamp} \(\d+\) \| {place + 1} .* \|"
        assert len(re.findall(row, table)) == 1
        if place < 5:
            assert re.search(rf"{row[:-3]}\| {place + 11} .* \|", table)
    for name in ("SEND", "RECEIVE", "DRIVE", "SERVICE"):
        assert len(re.findall(rf"\| GP{pins[name]} \(\d+\) \|", table)) == 1


@needs_micropython
def test_only_an_answer_takes_memory_and_little_of_it() -> None:
    taken = dict(line.rsplit(" ", 1) for line in output_of("memory.py").splitlines())
    hundred_polls = int(taken.pop("polls"))
    assert taken == {"silence": "0", "noise": "0", "for another": "0"}
    # The board tidies up after 32 answers; it has more than 100 kB.
    assert hundred_polls < 100_000
