"""A ruleset: every number and choice that the clauses leave to the house.

Units stand in the names, the clause in each description. A ruleset is checked
when it is made; one that contradicts itself never exists.
"""

import enum
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Any, NewType

import msgspec
from msgspec import Meta

from controller.core.cards import RANKS, Card, deck
from controller.core.errors import RulesetError

Ratio = NewType(
    "Ratio",
    Annotated[
        str, Meta(pattern=r"^[1-9][0-9]?:[1-9][0-9]?$", title="a payout such as 3:2")
    ],
)
"""A payout as it stands on the felt: `3:2`. Exact, never 1.5."""


class SplitOn(enum.Enum):
    """Which two cards are a pair."""

    RANK = "rank"
    VALUE = "value"


class Surrender(enum.Enum):
    """Whether a hand may be given up for half its wager."""

    LATE = "late"
    OFF = "off"


class Peek(enum.Enum):
    """Under which upcards the hole card is checked for blackjack before play."""

    NONE = "none"
    ACE = "ace"
    ACE_TEN = "ace_ten"


class Discards(enum.Enum):
    """Where picked-up cards go: a plain rack, or back into the shuffling shoe."""

    RACK = "rack"
    SHOE = "shoe"


class Approval(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who allowed a variation of the rules, under which reference, and when (VAR)."""

    authority: Annotated[str, Meta(min_length=1)]
    reference: Annotated[str, Meta(min_length=1)]
    date: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")]


Cents = Annotated[int, Meta(ge=1, le=1_000_000_000)]
Seconds = Annotated[float, Meta(ge=0, le=3600)]


class Rules(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, dict=True
):
    """A ruleset in force. Fields are the keys of the TOML files.

    Raises:
        RulesetError: Two values contradict each other, or a variation lacks its
            approval.

    """

    name: Annotated[
        str,
        Meta(
            pattern=r"^[a-z][a-z0-9_-]*$",
            title="a name of small letters, digits, - and _",
            description="What the house calls these rules.",
        ),
    ]
    decks: Annotated[int, Meta(ge=1, le=8, description="Decks in the shoe (DECK).")]
    jokers: Annotated[
        int,
        Meta(
            ge=0,
            le=9,
            description="Jokers added to each deck; needs an approval (DECK, VAR).",
        ),
    ] = 0
    joker_value: Annotated[
        int, Meta(ge=0, le=11, description="Points of a joker (DECK).")
    ] = 0
    dropped_ranks: Annotated[
        tuple[str, ...],
        Meta(
            description="Ranks taken out of every deck; needs an approval (DECK, VAR)."
        ),
    ] = ()
    wager_min_cents: Annotated[
        Cents, Meta(description="Lowest wager, in cents (LIMIT-MIN).")
    ]
    wager_max_cents: Annotated[
        Cents, Meta(description="Highest wager, in cents (LIMIT-MAX).")
    ]
    bet_step_cents: Annotated[
        Cents, Meta(description="What one press of BET adds, in cents (BET).")
    ]
    dealer_hits_soft_17: Annotated[
        bool, Meta(description="Whether the dealer draws to soft 17 (DRAW-2).")
    ]
    blackjack_pays: Annotated[
        Ratio, Meta(description="What a blackjack pays (BJ, PAY).")
    ]
    insurance: Annotated[
        bool, Meta(description="Whether insurance is offered under an ace (INS).")
    ]
    split_on: Annotated[
        SplitOn,
        Meta(description="What may be split: equal rank or equal value (SPLIT)."),
    ]
    split_hands_max: Annotated[
        int, Meta(ge=1, le=8, description="Hands one spot may be split into (SPLIT).")
    ]
    resplit_aces: Annotated[
        bool, Meta(description="Whether split aces may be split again (SPLIT).")
    ]
    double_after_split: Annotated[
        bool, Meta(description="Whether a split hand may be doubled (DOUBLE).")
    ]
    surrender: Annotated[
        Surrender, Meta(description="Whether a hand may be surrendered (SURR).")
    ]
    surrender_after_split: Annotated[
        bool, Meta(description="Whether a split hand may be surrendered (SURR).")
    ]
    peek: Annotated[
        Peek,
        Meta(description="Upcards under which the hole card is checked (PEEK)."),
    ]
    spots_per_player_max: Annotated[
        int, Meta(ge=1, le=3, description="Spots one player may play (MULTI).")
    ]
    extra_spot_minimum_multiple: Annotated[
        int,
        Meta(
            ge=1,
            le=10,
            description="Minimums that each of several spots must carry (MULTI).",
        ),
    ]
    ask_after_s: Annotated[
        Seconds,
        Meta(description="Seconds before a silent player is to be asked (PLAY-3)."),
    ]
    move_on_after_s: Annotated[
        Seconds,
        Meta(
            description="Seconds after asking before the dealer may move on (PLAY-3)."
        ),
    ]
    discards: Annotated[
        Discards, Meta(description="Where the picked-up cards go (PICKUP-2).")
    ]
    burn_after_shuffle: Annotated[
        int, Meta(ge=0, le=10, description="Cards burned after a shuffle (BURN).")
    ]
    burn_at_dealer_change: Annotated[
        int,
        Meta(ge=0, le=10, description="Cards burned when the dealer changes (BURN)."),
    ]
    approval: Annotated[
        Approval | None, Meta(description="Who approved a variation (VAR).")
    ] = None

    def __post_init__(self) -> None:
        """Refuse a ruleset that contradicts itself."""
        for wrong, message in self._contradictions():
            if wrong:
                raise RulesetError(f"ruleset {self.name}: {message}")

    def _contradictions(self) -> tuple[tuple[bool, str], ...]:
        varied = bool(self.jokers or self.dropped_ranks)
        return (
            (
                self.wager_min_cents > self.wager_max_cents,
                "wager_min_cents is over wager_max_cents",
            ),
            (
                self.surrender is Surrender.LATE and self.peek is Peek.NONE,
                'surrender = "late" needs a peek, which rules a dealer blackjack out',
            ),
            (
                self.surrender is Surrender.OFF and self.surrender_after_split,
                'surrender_after_split needs surrender = "late"',
            ),
            (
                any(rank not in RANKS or len(rank) != 1 for rank in self.dropped_ranks),
                f"dropped_ranks takes ranks of {RANKS}",
            ),
            (
                len(set(self.dropped_ranks)) == len(RANKS),
                "dropped_ranks leaves no card",
            ),
            (
                bool(self.jokers) and not self.joker_value,
                "jokers need a joker_value of 1 to 11",
            ),
            (
                varied and self.approval is None,
                "jokers and dropped_ranks need an approval: authority, reference, date",
            ),
        )

    @property
    def blackjack_ratio(self) -> Fraction:
        """What a blackjack pays as an exact ratio: 3/2."""
        return ratio(self.blackjack_pays)


@lru_cache
def ratio(text: Ratio) -> Fraction:
    """Return `3:2` as 3/2."""
    pays, to = text.split(":")
    return Fraction(int(pays), int(to))


@lru_cache(maxsize=64)
def _copies(decks: int, jokers: int, dropped: tuple[str, ...]) -> dict[Card, int]:
    return dict.fromkeys(deck(jokers, dropped), decks)


def composition(rules: Rules) -> dict[Card, int]:
    """Return how many of each card a full shoe holds (DECK). Not to be changed."""
    return _copies(rules.decks, rules.jokers, rules.dropped_ranks)


def shoe_size(rules: Rules) -> int:
    """Return how many cards a full shoe holds."""
    return sum(composition(rules).values())


def with_changes(rules: Rules, changes: dict[str, str]) -> Rules:
    """Return the ruleset with some keys set from text, as `set-rules` gives them.

    `dropped_ranks` is written as its ranks in a row (`789`), the approval as
    `approval=authority/reference/date`.

    Raises:
        RulesetError: An unknown key, a value that its key does not take, or a
            contradiction.

    """
    plain: dict[str, Any] = msgspec.to_builtins(rules)
    for key, text in changes.items():
        if key not in Rules.__struct_fields__:
            raise RulesetError(
                f"unknown ruleset key {key!r}; expected one of "
                f"{', '.join(Rules.__struct_fields__)}"
            )
        plain[key] = _plain_value(key, text)
    return rules_from(plain)


def _plain_value(key: str, text: str) -> object:
    if key == "dropped_ranks":
        return [] if text == "none" else list(text)
    if key == "approval":
        authority, _, rest = text.partition("/")
        reference, _, date = rest.rpartition("/")
        return {"authority": authority, "reference": reference, "date": date}
    return text


def rules_from(plain: dict[str, Any]) -> Rules:
    """Return the ruleset that plain values describe.

    Raises:
        RulesetError: Names the key and what it takes.

    """
    try:
        return msgspec.convert(plain, Rules, strict=False)
    except msgspec.ValidationError as error:
        from controller.core.ruleset_faults import (  # noqa: PLC0415 - only who is refused pays for it
            faults,
        )

        # A value at fault is said in our words, a contradiction says it already.
        raise RulesetError("; ".join(faults(Rules, plain)) or str(error)) from error
