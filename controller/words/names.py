"""How cards, hands, people and keys are written."""

import re

from controller.core.cards import UNKNOWN, Card, is_face
from controller.core.ids import DEALER, HandId

_HAND = re.compile(r"([1-9][0-9]?)(?:\.([1-9][0-9]?))?")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_PERSON = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
_RULESET = re.compile(r"[a-z][a-z0-9_-]{0,63}")
_SNAKE = re.compile(r"[a-z][a-z0-9]*(?:_[a-z0-9]+)*")
_DEALER_ORDER = (100, 0)


def card_of(text: str) -> Card | None:
    """Return a card with a face (`Th`, joker `X1`), or None if the text is none."""
    return Card(text) if is_face(text) else None


def seen_card_of(text: str) -> Card | None:
    """Return a card that may also be `??`, or None if the text is neither."""
    return UNKNOWN if text == UNKNOWN else card_of(text)


def card_meant(text: str) -> Card | None:
    """Return the card that a slip of the pen meant (`10h`, `ah`, `TH`), or None."""
    rank, suit = text[:-1].upper().replace("10", "T"), text[-1:].lower()
    return card_of(rank + suit)


def hand_of(text: str) -> HandId | None:
    """Return a hand (`3`, `3.2` after a split, `dealer`), or None if it is none."""
    return HandId(text) if text == DEALER or _HAND.fullmatch(text) else None


def table_order(hand: str) -> tuple[int, int]:
    """Return the key that sorts hands as they lie: by spot, then split, dealer last."""
    written = _HAND.fullmatch(hand)
    if written is None:
        return _DEALER_ORDER
    spot, split = written.groups(default="0")
    return int(spot), int(split)


def number_of(text: str, least: int, most: int) -> int | None:
    """Return a whole number within both bounds, or None."""
    if not _NUMBER.fullmatch(text):
        return None
    number = int(text)
    return number if least <= number <= most else None


def person_of(text: str) -> str | None:
    """Return the id of a person (`S1`, `D1`), or None if it cannot be one."""
    return text if _PERSON.fullmatch(text) else None


def ruleset_of(text: str) -> str | None:
    """Return the name of a ruleset (`colorado`), or None if it cannot be one."""
    return text if _RULESET.fullmatch(text) else None


def snake_of(text: str) -> str | None:
    """Return a snake_case name (of an event, a field, a reason), or None."""
    return text if _SNAKE.fullmatch(text) else None
