"""What people are told of the journal's mirror, the copy on a second device."""

from collections.abc import Mapping
from typing import Final

from controller.core.ids import MirrorFault

MIRROR_WORDS: Final[Mapping[MirrorFault, str]] = {
    MirrorFault.SILENT: "nothing is heard of it",
    MirrorFault.UNREACHABLE: "its folder cannot be used",
    MirrorFault.FULL: "its disk is full",
    MirrorFault.BEHIND: "it does not keep up",
    MirrorFault.MISMATCH: "it does not hold what the journal holds",
}
"""What is wrong with it, as the end of a sentence."""
