"""Where a supervisor's decision is refused because it does not apply."""


class NotApplicableError(Exception):
    """A decision does not apply now; the message says because of what."""


def need(holds: object, because: str) -> None:
    """Refuse the decision unless this holds.

    Raises:
        NotApplicableError: It does not; the words say because of what.

    """
    if not holds:
        raise NotApplicableError(because)
