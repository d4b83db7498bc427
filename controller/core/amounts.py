"""Amounts as people read them: whole cents in, `25` or `12.50` out."""


def spoken_cents(cents: int) -> str:
    """Return an amount without sign of currency: `25`, `12.50`."""
    whole, rest = divmod(cents, 100)
    return f"{whole}.{rest:02}" if rest else f"{whole}"
