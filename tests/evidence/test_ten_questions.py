"""Ten questions about a round, each answered by the page alone and the text alone.

Who asks was not there: a player a year later, a supervisor, a regulator. An answer is
one line that can be found, never two that have to be put together.
"""

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import pytest

from controller.cli.round_text import print_round
from controller.evidence.page.page import page
from controller.evidence.reconstruct import Replayed, replayed
from tests.evidence.recorded import write

PLAYED: Final = """
bet 2 25
bet 3 10
bet 4 50
bet 6 12.50
dealer deal
card 5h Th 8s As 9d 6c 6s 8d Kd 7h
press 4 hit
wait 21
press 2 hit
card 4s
press 2 stand
press 3 hit
card 9c
dealer call seat 3 says that it is a four
supervisor S1 correct-card 3 3 4c reason="the card on the felt is the four of clubs"
press 3 stand
press 4 split
card 3h
press 4 stand
card 3c
press 4 double
card Td
card 5d
dealer pickup
"""

# What is asked, and what has to stand in one line, in this order.
QUESTIONS: Final = {
    "who acted out of turn, whose turn was it, and what became of the press": (
        "11:00:08.5",
        "Seat 4 presses HIT, refused: it is not this seat's turn",
        "the turn is hand 2's, of seat 2",
    ),
    "when was HIT lit at seat 2, and for how long until it pressed": (
        "Seat 2 presses HIT for hand 2; its panel shows hit,",
        "since 11:00:08.0, for 22 s",
    ),
    "why did seat 3 lose": (
        "Hand 3 loses: 20 against the dealer's 21; the wager of 10 is lost, net -10",
    ),
    "what was seat 6 paid, and how is that reckoned": (
        "Hand 6 wins with blackjack: 12.50 at 3:2 pays 18.75, net +18.75",
    ),
    "what did the players wager, and what did they win or lose together": (
        "Result",
        "the players wagered 197.50, net -66.25",
    ),
    "who decided what, why, and under which clause": (
        "Supervisor S1 decides correct-card for hand 3",
        "the card on the felt is the four of clubs",
        "MISREAD",
    ),
    "which card was misread, and what is it": (
        "What lies at hand 3 is the four of clubs, not the nine of clubs",
    ),
    "what followed from the misread card, and was it undone": (
        "Taken back: hand 3 bust, hand 3 settled bust, hand 3 picked up",
    ),
    "how long did the dealer wait before seat 2 was asked": (
        "Seat 2 has not answered for 20 s for hand 2: the dealer is to ask",
    ),
    "which was the hole card, and when was it shown": (
        "The hole card is turned up: the seven of hearts. The dealer has 9d 7h, 16",
        "REVEAL",
    ),
    "which cards of the rack are hand 4.2, and what lies above them": (
        "3",
        "8d 3c Td",
        "hand 4.2 of seat 4",
    ),
    "how is a hand shown again": (
        "take off the groups above it and lay its cards out: they lie in the order",
    ),
    "can the clock be trusted": (
        "Clock",
        "synchronised at all 135 records; not set in this round or beside it",
    ),
}


class Visible(HTMLParser):
    """The lines that a reader of a page sees without stepping through it.

    What stands side by side is one line, cards as in scenarios.
    """

    UNSEEN = frozenset({"script", "style", "template"})
    LINES = frozenset({"li", "tr", "dt", "section", "h1", "h2"})
    SUITS = str.maketrans("♠♥♦♣", "shdc", "\N{VARIATION SELECTOR-15}")

    def __init__(self, written: str) -> None:
        super().__init__()
        self._unseen = 0
        self._words: list[str] = []
        self.feed(written)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self._unseen += tag in self.UNSEEN
        if tag != "i":
            # A card's suit stands in an element of its own, close to its rank.
            self._words.append("\n" if tag in self.LINES else " ")

    def handle_endtag(self, tag: str) -> None:
        self._unseen -= tag in self.UNSEEN

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self._words.append(data)

    @property
    def text(self) -> str:
        """The lines, one below the other."""
        tens = re.sub("10(?=[♠♥♦♣])", "T", "".join(self._words))
        return tens.translate(self.SUITS)


@pytest.fixture(scope="module")
def rebuilt(tmp_path_factory: pytest.TempPathFactory) -> Replayed:
    return replayed(write(tmp_path_factory.mktemp("asked") / "j", PLAYED), 1)


def lines_that_answer(text: str, parts: Sequence[str]) -> list[str]:
    """Return the lines in which all parts of an answer stand, in their order."""
    wanted = re.compile(".*".join(map(re.escape, parts)))
    return [line for line in text.splitlines() if wanted.search(line)]


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_text_alone_answers(
    question: str, rebuilt: Replayed, capsys: pytest.CaptureFixture[str]
) -> None:
    print_round(rebuilt.account, None)
    assert lines_that_answer(capsys.readouterr().out, QUESTIONS[question])


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_page_alone_answers(question: str, rebuilt: Replayed) -> None:
    assert lines_that_answer(Visible(page(rebuilt)).text, QUESTIONS[question])


def test_another_round_gives_other_answers(tmp_path: Path) -> None:
    path = write(tmp_path / "j", "bet 1 25\nbet 2 10\ndealer deal\n")
    other = Visible(page(replayed(path, 1))).text
    found = [q for q, parts in QUESTIONS.items() if lines_that_answer(other, parts)]
    assert found == []
