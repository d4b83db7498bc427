"""A Debian of its own in a folder, where a package can be built, put in and taken out.

No manager of services runs there. What maintainer scripts say to one is written down
by a stand-in for its command line.
"""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ENVIRONMENT: Final = {
    "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LC_ALL": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
}
BOUND_S: Final = 3000.0
"""A busy machine takes ten times as long as an idle one to pack."""

NO_SERVICE: Final = "#!/bin/sh\nexit 101\n"
"""Says to every installation that no service may be started here (policy-rc.d)."""

STAND_IN: Final = """#!/bin/sh
case "$*" in
    *is-active*target) echo active; exit 0;;
    *is-active*mirror*) echo inactive; exit 3;;
    *is-active*) echo activating; exit 3;;
    stop*) [ ! -x /root/at-stop ] || /root/at-stop;;
esac
echo "$*" >> /root/systemctl.said
"""
"""A systemctl of a machine where the table starts again just now, without a mirror."""


class Debian:
    """A system in a folder; its commands run as its root."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def ask(self, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
        """Run a command there and return how it ended; `more` is its environment."""
        return subprocess.run(  # noqa: S603 - our own words
            [tool("chroot"), str(self.root), *words],
            env={**ENVIRONMENT, **more},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=BOUND_S,
        )

    def do(self, *words: str, **more: str) -> str:
        """Run a command there that must succeed; return what it said."""
        done = self.ask(*words, **more)
        assert done.returncode == 0, done.stdout
        return done.stdout

    def install(self, *packages: str) -> str:
        return self.do(
            "apt-get", "install", "-qy", "--no-install-recommends", *packages
        )

    def at(self, path: str) -> Path:
        """Return where a file of that system lies in ours."""
        return self.root / path.lstrip("/")

    def write(self, path: str, text: str, mode: int = 0o644) -> None:
        self.at(path).parent.mkdir(parents=True, exist_ok=True)
        self.at(path).write_text(text, "utf-8")
        self.at(path).chmod(mode)

    @contextlib.contextmanager
    def with_services(self) -> Iterator[None]:
        """Let maintainer scripts find a manager of services, the stand-in."""
        self.at("/run/systemd/system").mkdir(parents=True)
        self.write("/usr/local/bin/systemctl", STAND_IN, 0o755)
        try:
            yield
        finally:
            self.at("/run/systemd/system").rmdir()
            self.at("/usr/local/bin/systemctl").unlink()

    def said(self) -> list[str]:
        """Return what services were told since the last question."""
        file = self.at("/root/systemctl.said")
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return [line for line in lines if line.startswith(("start ", "stop "))]


def tool(name: str) -> str:
    """Return a program of this machine, or skip the test where there is none."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"this machine has no {name}")
    return found


def made(folder: Path) -> Debian:
    """Make the Debian that this machine runs, bare, in a folder."""
    release = Path("/etc/os-release").read_text("utf-8").splitlines()
    named = dict(line.split("=", 1) for line in release if "=" in line)
    if named["ID"] != "debian" or os.geteuid() != 0:
        pytest.skip("making a Debian in a folder needs root, on a Debian")
    suite = named["VERSION_CODENAME"]
    words = [tool("debootstrap"), "--variant=minbase", suite, str(folder)]
    done = subprocess.run(words, check=False, capture_output=True, text=True)  # noqa: S603 - our own words
    if done.returncode != 0:
        pytest.skip(f"debootstrap makes no {suite} here: {done.stdout[-300:]}")
    shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
    debian = Debian(folder)
    debian.write("/usr/sbin/policy-rc.d", NO_SERVICE, 0o755)
    debian.do("apt-get", "update", "-q")
    return debian


def copied(debian: Debian, folder: Path) -> Debian:
    """Return another one like it."""
    words = [tool("cp"), "-a", str(debian.root), str(folder)]
    subprocess.run(words, check=True)  # noqa: S603 - our own words
    return Debian(folder)


@contextlib.contextmanager
def mounted(*words: str, at: Path) -> Iterator[None]:
    """Mount something in such a system for as long as the block lasts."""
    subprocess.run([tool("mount"), *words, str(at)], check=True)  # noqa: S603 - our own words
    try:
        yield
    finally:
        subprocess.run([tool("umount"), "-l", str(at)], check=True)  # noqa: S603 - the same
