"""What people read of a shoe that prints lines: its remarks, in words."""

from typing import Final

from controller.core.ids import ShoeRemark

OUT_OF_SIGHT: Final = "The shoe was out of sight: see that no card left it"

REMARK_WORDS: Final[dict[ShoeRemark, str]] = {
    ShoeRemark.WARNING: "The shoe warns",
    ShoeRemark.ALARM: "The shoe gives an alarm",
    ShoeRemark.UNKNOWN_LINE: "The shoe said what its profile does not know",
    ShoeRemark.GARBLED_LINE: "What the shoe said came garbled",
}

STOPPING: Final = (ShoeRemark.ALARM, ShoeRemark.UNKNOWN_LINE)
"""In a round these are shoe faults; a garbled line makes the position unknown."""


def remark_words(remark: ShoeRemark, words: str) -> str:
    """Return a remark with the shoe's own code, or why it cannot be trusted."""
    return f"{REMARK_WORDS[remark]} ({words})" if words else REMARK_WORDS[remark]
