"""MicroPython where it can be had: its WebAssembly build, under node."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
FIRMWARE: Final = ROOT / "firmware"
BUILD: Final = (
    FIRMWARE / "node_modules/@micropython/micropython-webassembly-pyscript"
) / "micropython.mjs"
RUNNER: Final = Path(__file__).with_name("run.mjs")
SCRIPTS: Final = Path(__file__).with_name("scripts")

NODE: Final = shutil.which("node")
needs_micropython: Final = pytest.mark.skipif(
    NODE is None or not BUILD.is_file(),
    reason="no MicroPython here; install node and npm, then type: make micropython",
)


def command(script: str) -> list[str]:
    """Return what runs a script of this folder under MicroPython, beside the panel."""
    assert NODE is not None
    return [NODE, str(RUNNER), str(BUILD), str(FIRMWARE), str(SCRIPTS / script)]


def output_of(script: str) -> str:
    """Return what a script prints under MicroPython."""
    done = subprocess.run(  # noqa: S603 - our own script
        command(script), capture_output=True, text=True, check=False, timeout=20
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class BoardProcess:
    """The firmware under MicroPython, with its line on a descriptor.

    Its contacts are set by lines to its standard input; what it shows comes back in
    lines from its standard output.
    """

    def __init__(self, descriptor: int, boot_id: int) -> None:
        self.shown: list[int] = []
        self._told = b""
        self._process = subprocess.Popen(  # noqa: S603 - our own script
            [*command("on_node.py"), str(descriptor), str(boot_id)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=[descriptor],
            bufsize=0,
        )
        assert self._process.stdout is not None
        os.set_blocking(self._process.stdout.fileno(), False)

    def close_contacts(self, mask: int) -> None:
        """Let exactly these contacts be closed from now on."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{mask}\n".encode())

    def turn(self) -> None:
        """Take in what the board tells; it runs by itself."""
        assert self._process.stdout is not None
        assert self._process.poll() is None, "the board stopped"
        self._told += self._process.stdout.read() or b""
        *lines, self._told = self._told.split(b"\n")
        self.shown += map(int, lines)

    def kill(self) -> None:
        """Take its power away."""
        with self._process as process:
            process.kill()
