"""What a watcher of the demonstration sees: a table on a terminal, else plain lines."""

from collections import deque
from types import TracebackType
from typing import Final, Protocol, Self

from rich.box import ROUNDED, SIMPLE_HEAD
from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from controller.core.cards import UNKNOWN, Card
from controller.core.ids import DEALER, DealerButton, Phase
from controller.core.outputs import outputs, turn_of
from controller.core.payouts import has_blackjack
from controller.core.state import Hand, TableState
from controller.core.totals import total_of
from controller.words.amounts import amount_text, net_text
from simulators.rigs.demo.narration import Narrator

LINES_MIN: Final = 3
LINES_MAX: Final = 9
FRAME_LINES: Final = 8
"""What is neither a seat nor a line of what happened: frame, dealer, column heads."""

SPLIT_LINES: Final = 2
"""Room for hands beside a seat's first, so that the frame stands still."""

REFRESH_PER_SECOND: Final = 12
_SUITS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_RED: Final = frozenset("hd")


class Screen(Protocol):
    """Where the demonstration is shown; a context manager."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...

    def say(self, line: str) -> None:
        """Tell what has just happened."""

    def show(self, narrator: Narrator, rounds: int) -> None:
        """Show the table as it now is, in the course of `rounds`."""


class PlainScreen:
    """One line after the other, for a pipe or a file."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        return

    def say(self, line: str) -> None:
        """Print the line; a round stands out from what is in it."""
        begins = line.startswith("round ")
        self._console.print(Text(line if begins else f"  {line}"), soft_wrap=True)

    def show(self, narrator: Narrator, rounds: int) -> None:
        """Show nothing but the lines."""


class LiveScreen:
    """The table in place, with the last lines of what happened under it."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._lines: deque[str] = deque(maxlen=LINES_MAX)
        self._live = Live(console=console, refresh_per_second=REFRESH_PER_SECOND)

    def __enter__(self) -> Self:
        self._live.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._live.__exit__(kind, error, trace)

    def say(self, line: str) -> None:
        """Add a line to those under the table."""
        self._lines.append(line)

    def show(self, narrator: Narrator, rounds: int) -> None:
        """Draw the table."""
        state = narrator.state
        frame = FRAME_LINES + state.seat_count + SPLIT_LINES
        room = min(max(self._console.height - frame - 1, LINES_MIN), LINES_MAX)
        title = f"{state.table}, {state.rules.name}, round {_counted(state)}"
        self._live.update(
            Panel(
                Group(_dealer(state), _seats(narrator), self._said(room)),
                title=f"{title} ({narrator.rounds} of {rounds} played)",
                subtitle=_prompt(state),
                box=ROUNDED,
                height=frame + room,
            )
        )

    def _said(self, room: int) -> Text:
        """Write what happened last, the newest line brightest."""
        *before, last = ("", *self._lines)[-room:]
        said = Text("".join(f"{line}\n" for line in before if line), style="dim")
        return said.append(last, style="bold not dim")


def card_text(card: Card) -> Text:
    """Write a card as it lies: `10♥` in red, a face-down one as its back."""
    if card == UNKNOWN:
        return Text("▒▒", style="blue")
    rank = "10" if card[0] == "T" else card[0]
    suit = card[1:]
    style = "bold red" if suit in _RED else "bold"
    return Text(f"{rank}{_SUITS.get(suit, suit)}", style=style)


def _cards(cards: tuple[Card, ...]) -> Text:
    return Text(" ").join(card_text(card) for card in cards)


def _counted(state: TableState) -> str:
    return f"{state.round}: {state.phase.value.replace('_', ' ')}"


def _prompt(state: TableState) -> Text:
    words = outputs(state).dealer.words
    return Text(f"dealer: {words}" if words else "", style="yellow")


def _dealer(state: TableState) -> Text:
    line = Text("dealer  ", style="bold yellow")
    cards = state.play.dealer.cards
    seen = tuple(card for card in cards if card != UNKNOWN)
    line += _cards(cards)
    if seen:
        line += Text(f"  {_total(seen, state)}")
    if outputs(state).gate_up_to:
        line += Text("   shoe open", style="green")
    lit = state.prompts[0].buttons
    keys = tuple(key for key in lit if key != DealerButton.CALL.value)
    return line + Text("   ") + _lamps(keys)


def _seats(narrator: Narrator) -> Table:
    state = narrator.state
    table = Table(box=SIMPLE_HEAD, header_style="dim", expand=True, pad_edge=False)
    table.add_column("seat", width=4)
    table.add_column("wager", justify="right", width=9)
    table.add_column("cards", ratio=3)
    table.add_column("total", ratio=2)
    table.add_column("lamps", ratio=4)
    table.add_column("result", ratio=2)
    table.add_column("money", justify="right", width=9)
    for seat in range(1, state.seat_count + 1):
        hands = [hand for hand in state.play.hands if hand.seat == seat]
        for hand in hands or (None,):
            first = hand is None or hand is hands[0]
            money = _money(narrator.money_cents[seat]) if first else Text()
            table.add_row(*_row(state, seat, hand), money)
    return table


def _row(state: TableState, seat: int, hand: Hand | None) -> tuple[Text, ...]:
    """Write what lies at a seat: one hand of it, or nothing yet."""
    prompt = state.prompts[seat]
    if hand is None:
        lamps = _lamps(prompt.buttons)
        return (Text(str(seat)), _lying(state, seat), Text(), Text(), lamps, Text())
    in_turn = hand.id == turn_of(state) != DEALER
    lies = state.phase is not Phase.BETTING or not _lying(state, seat)
    # Lamps that are for no hand in particular show at the seat's first.
    lit = prompt.hand in (hand.id, "") and (prompt.hand or hand.part < 2)  # noqa: PLR2004 - hand 3.2 is a second one
    return (
        Text(hand.id, style="bold reverse" if in_turn else ""),
        Text(amount_text(hand.wager_cents)) if lies else _lying(state, seat),
        _cards(hand.cards),
        Text(_hand_total(hand, state)),
        _lamps(prompt.buttons) if lit else Text(),
        _result(hand),
    )


def _lying(state: TableState, seat: int) -> Text:
    """Write the bets that lie for the next round."""
    cents = sum(wager.amount_cents for wager in state.wagers if wager.seat == seat)
    return Text(amount_text(cents)) if cents else Text()


def _lamps(buttons: tuple[str, ...]) -> Text:
    lit = (Text(button, style="black on green") for button in buttons)
    return Text(" ").join(lit)


def _hand_total(hand: Hand, state: TableState) -> str:
    if not hand.cards:
        return ""
    if has_blackjack(hand, state.rules):
        return "blackjack"
    return _total(hand.cards, state)


def _total(cards: tuple[Card, ...], state: TableState) -> str:
    total = total_of(cards, state.rules.joker_value)
    return f"{'soft ' if total.soft else ''}{total.points}"


def _result(hand: Hand) -> Text:
    if hand.settled is None:
        return Text()
    net = hand.net_cents
    style = "green" if net > 0 else "red" if net else ""
    return Text(f"{hand.settled.value} {net_text(net)}", style=style)


def _money(cents: int) -> Text:
    return Text(net_text(cents), style="green" if cents > 0 else "red" if cents else "")
