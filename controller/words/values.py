"""The base of everything that a line can say."""

import re

import msgspec

_WORD_START = re.compile(r"(?<!^)(?=[A-Z])")


def snake_case(name: str) -> str:
    """Return the tag of a class: `DealerNext` is `dealer_next`."""
    return _WORD_START.sub("_", name).lower()


class Said(msgspec.Struct, frozen=True, tag=snake_case):
    """Something that was said in one line: words only, no meaning yet."""
