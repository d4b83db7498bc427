"""What a running process needs: memory and open files, as the kernel counts them."""

from pathlib import Path

import msgspec

_KIB = 1024


class Upkeep(msgspec.Struct, frozen=True):
    """Memory that is in RAM, in bytes, and how many descriptors are open."""

    rss_bytes: int
    descriptors: int

    def most(self, other: "Upkeep") -> "Upkeep":
        """Return the larger of each."""
        return Upkeep(
            max(self.rss_bytes, other.rss_bytes),
            max(self.descriptors, other.descriptors),
        )


NOTHING = Upkeep(0, 0)


def upkeep_of(pid: int) -> Upkeep:
    """Return what a process needs now.

    Raises:
        OSError: There is no such process, or it is somebody else's.

    """
    folder = Path("/proc") / str(pid)
    status = (folder / "status").read_text("ascii")
    rss = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return Upkeep(int(rss.split()[1]) * _KIB, len(list((folder / "fd").iterdir())))
