"""Basic strategy is the printed table, letter by letter."""

import pytest

from controller.core.cards import Card
from controller.core.ids import Button
from controller.core.totals import Total
from simulators.rigs.strategy import UPCARDS, Move, choose, gives_up, move_for

UPCARD_FACES = ("2h", "3h", "4h", "5h", "6h", "7h", "8h", "9h", "Th", "Ah")
ALL = (Button.HIT, Button.STAND, Button.DOUBLE, Button.SPLIT, Button.SURRENDER)
NO_SURRENDER = ALL[:-1]
NO_SPLIT = (Button.HIT, Button.STAND, Button.DOUBLE)

# As printed: totals or pairs, then a letter for each upcard or one for them all.
HARD = """
5-8    H
9      HDDDDHHHHH
10     DDDDDDDDHH
11     DDDDDDDDDD
12     HHSSSHHHHH
13-16  SSSSSHHHHH
17-21  S
"""
SOFT = """
13-14  HHHDDHHHHH
15-16  HHDDDHHHHH
17     HDDDDHHHHH
18     sssssSSHHH
19     SSSSsSSSSS
20-21  S
"""
PAIRS = """
2-3    PPPPPPHHHH
4      HHHPPHHHHH
5      DDDDDDDDHH
6      PPPPPHHHHH
7      PPPPPPHHHH
8      P
9      PPPPPSPPSS
10     S
1      P
"""


def rows(printed: str) -> list[tuple[int, str]]:
    """Read a printed table: a pair of total and ten letters for each row."""
    found = []
    for line in printed.split("\n")[1:-1]:
        totals, letters = line.split()
        first, _, last = totals.partition("-")
        found += [
            (total, letters if len(letters) == 10 else letters * 10)
            for total in range(int(first), int(last or first) + 1)
        ]
    return found


def letters(total: Total, pair_value: int, *, hits_soft_17: bool) -> str:
    return "".join(
        move_for(total, pair_value, upcard, hits_soft_17=hits_soft_17).value
        for upcard in UPCARDS
    )


@pytest.mark.parametrize(("points", "printed"), rows(HARD))
def test_a_hard_total_is_played_as_printed(points: int, printed: str) -> None:
    total = Total(points, soft=False)
    assert letters(total, 0, hits_soft_17=True) == printed
    stands = "DDDDDDDDDH" if points == 11 else printed
    assert letters(total, 0, hits_soft_17=False) == stands


@pytest.mark.parametrize(("points", "printed"), rows(SOFT))
def test_a_soft_total_is_played_as_printed(points: int, printed: str) -> None:
    total = Total(points, soft=True)
    assert letters(total, 0, hits_soft_17=True) == printed
    stands = {18: "SssssSSHHH", 19: "SSSSSSSSSS"}.get(points, printed)
    assert letters(total, 0, hits_soft_17=False) == stands


@pytest.mark.parametrize("hits_soft_17", [True, False])
@pytest.mark.parametrize(("pair", "printed"), rows(PAIRS))
def test_a_pair_is_split_as_printed_else_played_as_its_total(
    pair: int, printed: str, *, hits_soft_17: bool
) -> None:
    total = Total(12, soft=True) if pair == 1 else Total(2 * pair, soft=False)
    assert letters(total, pair, hits_soft_17=hits_soft_17) == printed


def test_a_pair_that_may_not_be_split_is_played_as_its_total() -> None:
    assert letters(Total(16, soft=False), 0, hits_soft_17=True) == "SSSSSHHHHH"
    assert letters(Total(12, soft=True), 0, hits_soft_17=True) == "HHHHHHHHHH"
    assert letters(Total(4, soft=False), 0, hits_soft_17=True) == "HHHHHHHHHH"


def given_up(total: Total, pair_value: int, *, hits_soft_17: bool) -> tuple[int, ...]:
    return tuple(
        upcard
        for upcard in UPCARDS
        if gives_up(total, pair_value, upcard, hits_soft_17=hits_soft_17)
    )


@pytest.mark.parametrize(
    ("points", "pair", "h17", "s17"),
    [
        (14, 0, (), ()),
        (15, 0, (10, 1), (10,)),
        (16, 0, (9, 10, 1), (9, 10, 1)),
        (16, 8, (1,), ()),
        (17, 0, (1,), ()),
        (18, 0, (), ()),
    ],
)
def test_a_hard_hand_is_given_up_as_printed(
    points: int, pair: int, h17: tuple[int, ...], s17: tuple[int, ...]
) -> None:
    total = Total(points, soft=False)
    assert given_up(total, pair, hits_soft_17=True) == h17
    assert given_up(total, pair, hits_soft_17=False) == s17


@pytest.mark.parametrize("points", [15, 16, 17])
def test_a_soft_hand_is_never_given_up(points: int) -> None:
    assert given_up(Total(points, soft=True), 0, hits_soft_17=True) == ()


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card(card) for card in text.split())


@pytest.mark.parametrize(
    ("hand", "upcard", "lit", "pressed"),
    [
        ("5s 6h", "Ah", NO_SPLIT, Button.DOUBLE),
        ("5s 6h", "Ah", (Button.HIT, Button.STAND), Button.HIT),
        ("As 7h", "2h", NO_SPLIT, Button.DOUBLE),
        ("As 7h", "2h", (Button.HIT, Button.STAND), Button.STAND),
        ("Ts 5h", "Kh", (*NO_SPLIT, Button.SURRENDER), Button.SURRENDER),
        ("Ts 5h", "Kh", NO_SPLIT, Button.HIT),
        ("8s 8h", "Ah", ALL, Button.SURRENDER),
        ("8s 8h", "Ah", NO_SURRENDER, Button.SPLIT),
        ("8s 8h", "Ah", NO_SPLIT, Button.HIT),
        ("Ks Th", "6h", ALL, Button.STAND),
        ("As Ah", "6h", ALL, Button.SPLIT),
        ("As 2h", "6h", (Button.STAND,), Button.STAND),
    ],
)
def test_the_first_lit_button_of_the_letter_is_pressed(
    hand: str, upcard: str, lit: tuple[Button, ...], pressed: Button
) -> None:
    chosen = choose(cards(hand), Card(upcard), lit, hits_soft_17=True)
    assert chosen is pressed


@pytest.mark.parametrize("upcard", UPCARD_FACES)
def test_insurance_is_never_taken(upcard: str) -> None:
    lit = (Button.INSURE, Button.PASS)
    chosen = choose(cards("Ts 9h"), Card(upcard), lit, hits_soft_17=True)
    assert chosen is Button.PASS


def test_an_offered_card_is_taken_where_a_hit_would_be() -> None:
    lit = (Button.HIT, Button.PASS)
    six = choose(cards("Ts 6h"), Card("Th"), lit, hits_soft_17=True)
    nine = choose(cards("Ts 9h"), Card("Th"), lit, hits_soft_17=True)
    assert (six, nine) == (Button.HIT, Button.PASS)


def test_a_panel_without_a_button_for_a_hand_is_an_error() -> None:
    with pytest.raises(ValueError, match="got bet, clear"):
        choose(
            cards("Ts 9h"), Card("6h"), (Button.BET, Button.CLEAR), hits_soft_17=True
        )


def test_every_letter_that_a_table_prints_is_a_move() -> None:
    printed = {
        letter for table in (HARD, SOFT, PAIRS) for _, r in rows(table) for letter in r
    }
    assert printed == {move.value for move in Move if move is not Move.BY_TOTAL}
