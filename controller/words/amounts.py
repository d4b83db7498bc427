"""Amounts as people write them, and whole cents as the table counts them.

An amount is in the table's currency with at most two decimals: `25`, `12.50`.
The conversion is exact in both directions; no binary fraction is involved.
"""

import re

_AMOUNT = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,2}))?")
_CENTS_PER_UNIT = 100


def cents_of(text: str) -> int | None:
    """Return an amount in cents, or None if the text is not an amount."""
    amount = _AMOUNT.fullmatch(text)
    if amount is None:
        return None
    units, fraction = amount.groups(default="")
    return int(units) * _CENTS_PER_UNIT + int(fraction.ljust(2, "0"))


def net_cents_of(text: str) -> int | None:
    """Return a win or loss (`+37.50`, `0`, `-25`) in cents, or None."""
    cents = cents_of(text[1:] if text[:1] in {"+", "-"} else text)
    return -cents if cents is not None and text.startswith("-") else cents


def amount_text(cents: int) -> str:
    """Write cents as an amount: `25`, `12.50`, `-0.05`."""
    units, fraction = divmod(abs(cents), _CENTS_PER_UNIT)
    sign = "-" if cents < 0 else ""
    return f"{sign}{units}.{fraction:02d}" if fraction else f"{sign}{units}"


def net_text(cents: int) -> str:
    """Write cents as a win or loss, always signed but for nothing: `+37.50`, `0`."""
    return f"+{amount_text(cents)}" if cents > 0 else amount_text(cents)
