"""What must follow in a scenario: one class an expectation."""

from typing import TypeAlias

from controller.core.ids import Button, InsuranceResult, Kind, Outcome, Phase
from controller.words.values import Said
from simulators.rigs.scenario.vocabulary import Gate, Staff


class ExpectPhase(Said, frozen=True):
    """The table is in that phase."""

    phase: Phase


class ExpectTurn(Said, frozen=True):
    """That hand (or `dealer`) is in turn; None for nobody."""

    hand: str | None


class ExpectLamps(Said, frozen=True):
    """Exactly these lamps of a seat are lit."""

    seat: int
    buttons: frozenset[Button]


class ExpectGate(Said, frozen=True):
    """The gate of the shoe is open or locked."""

    gate: Gate


class ExpectIrregularity(Said, frozen=True):
    """An irregularity of that kind is open."""

    kind: Kind


class ExpectInsurance(Said, frozen=True):
    """A seat's insurance was settled so."""

    seat: int
    outcome: InsuranceResult
    net_cents: int


class ExpectRack(Said, frozen=True):
    """The groups of this round in the rack, bottom to top."""

    groups: tuple[tuple[str, ...], ...]


class ExpectCards(Said, frozen=True):
    """The cards of a hand, as a player may see them."""

    hand: str
    cards: tuple[str, ...]


class ExpectTotal(Said, frozen=True):
    """The best total of a hand; `soft` asks that an ace counts 11."""

    hand: str
    total: int
    soft: bool


class ExpectBlackjack(Said, frozen=True):
    """A hand is a blackjack (BJ)."""

    hand: str


class ExpectBust(Said, frozen=True):
    """A hand is over 21."""

    hand: str


class ExpectWager(Said, frozen=True):
    """The wager of a hand."""

    hand: str
    amount_cents: int


class ExpectSettled(Said, frozen=True):
    """A hand was settled so, and what the player won or lost by it."""

    hand: str
    outcome: Outcome
    net_cents: int


class ExpectRefused(Said, frozen=True):
    """The last step was refused for that reason."""

    reason: str


class ExpectAccepted(Said, frozen=True):
    """The last step was not refused."""


class ExpectEvent(Said, frozen=True):
    """The last step caused at least one such event; values as written."""

    event: str
    fields: tuple[tuple[str, str], ...]


class ExpectNoEvent(Said, frozen=True):
    """The last step caused no event of that type."""

    event: str


class ExpectNotice(Said, frozen=True):
    """A notice shows to one of the staff, or to a seat, in which all words occur."""

    to: Staff | int
    words: tuple[str, ...]


class ExpectPrompt(Said, frozen=True):
    """All words occur in the dealer's prompt."""

    words: tuple[str, ...]


TableExpectation: TypeAlias = (
    ExpectPhase | ExpectTurn | ExpectIrregularity | ExpectInsurance | ExpectRack
)
DeviceExpectation: TypeAlias = ExpectLamps | ExpectGate
HandExpectation: TypeAlias = (
    ExpectCards
    | ExpectTotal
    | ExpectBlackjack
    | ExpectBust
    | ExpectWager
    | ExpectSettled
)
CausedExpectation: TypeAlias = (
    ExpectRefused | ExpectAccepted | ExpectEvent | ExpectNoEvent
)
WordingExpectation: TypeAlias = ExpectNotice | ExpectPrompt
Expectation: TypeAlias = (
    TableExpectation
    | DeviceExpectation
    | HandExpectation
    | CausedExpectation
    | WordingExpectation
)
