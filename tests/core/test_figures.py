"""Public figures that the rules of the core reproduce exactly, as fractions.

No sampling: every card that could come is taken with its weight.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction

import pytest

from controller.core.actions import draws_to
from controller.core.cards import RANKS, Card, value
from controller.core.ids import Button, Phase
from controller.core.rules import Rules, composition
from controller.core.totals import TWENTY_ONE, is_blackjack, total_of
from simulators.rigs.strategy import choose
from tests.core.table import Table, open_table, rules

UNIT_CENTS = 1000

# Suits decide nothing here: one card stands for all of its value.
ONE_OF_A_VALUE = tuple(Card(f"{rank}s") for rank in RANKS[:10])


def weights_of(in_force: Rules) -> Counter[Card]:
    """Return how many cards of each value a full shoe holds."""
    by_value = {value(card, 0): card for card in ONE_OF_A_VALUE}
    found: Counter[Card] = Counter()
    for card, count in composition(in_force).items():
        found[by_value[value(card, 0)]] += count
    return found


# --- Without a strategy ----------------------------------------------------------


def chance_of_a_natural(decks: int) -> Fraction:
    left = weights_of(rules(decks=decks))
    size = left.total()
    return sum(
        (
            Fraction(count, size)
            * Fraction((left - Counter([first]))[second], size - 1)
            for first, count in left.items()
            for second in left
            if is_blackjack((first, second))
        ),
        Fraction(0),
    )


@pytest.mark.parametrize(
    ("decks", "chance"), [(6, Fraction(192, 4043)), (1, Fraction(32, 663))]
)
def test_a_natural_comes_as_often_as_the_cards_say(
    decks: int, chance: Fraction
) -> None:
    assert chance_of_a_natural(decks) == chance


def dealt_under_an_ace(hole: Card, decks: int) -> Table:
    """Return a round in which seat 1 insured half a unit, with that hole card."""
    table = open_table(rules(decks=decks), seats=1)
    table = table.press(1, "bet", UNIT_CENTS).dealer("deal")
    table = table.card("5s", "As", "5h", hole)
    return table.press(1, "insure")


@pytest.mark.parametrize("decks", [6, 1])
def test_insurance_is_worth_what_one_seen_ace_makes_of_it(decks: int) -> None:
    left = weights_of(rules(decks=decks)) - Counter([Card("As")])
    nets = Fraction(0)
    for hole, count in left.items():
        answer = dealt_under_an_ace(hole, decks).state.play.insured[0]
        assert answer.amount_cents == UNIT_CENTS // 2
        nets += Fraction(count * answer.net_cents, answer.amount_cents)
    expected = Fraction(-(4 * decks - 1), 52 * decks - 1)
    assert nets / left.total() == expected
    assert decks != 6 or expected == Fraction(-23, 311)


# --- The dealer's totals ---------------------------------------------------------

TOTALS = ("17", "18", "19", "20", "21", "blackjack", "bust")


def final_of(hand: tuple[Card, ...]) -> str:
    if is_blackjack(hand):
        return "blackjack"
    points = total_of(hand).points
    return "bust" if points > TWENTY_ONE else str(points)


def dealer_totals(in_force: Rules, upcard: Card) -> dict[str, Fraction]:
    """Return how often the dealer ends with each total, before any peek."""
    found = dict.fromkeys(TOTALS, Fraction(0))

    def draw(hand: tuple[Card, ...], left: Counter[Card], chance: Fraction) -> None:
        if len(hand) > 1 and not draws_to(hand, in_force):
            found[final_of(hand)] += chance
            return
        size = left.total()
        for card in tuple(left):
            count = left[card]
            if count:
                left[card] -= 1
                draw((*hand, card), left, chance * Fraction(count, size))
                left[card] += 1

    draw((upcard,), weights_of(in_force) - Counter([upcard]), Fraction(1))
    return found


PRINTED = """
6 H17 2  .1300709 .1359775 .1316075 .1256617 .1200218 0        .3566605
6 H17 6  .1150640 .1145743 .1150429 .1101774 .1058822 0        .4392591
6 H17 7  .3692080 .1379309 .0784280 .0786816 .0738158 0        .2619357
6 H17 T  .1119140 .1116688 .1119446 .3400139 .0348174 .0771704 .2124709
6 H17 A  .0572705 .1428217 .1429350 .1432842 .0658578 .3086817 .1391490
6 S17 2  .1396564 .1343886 .1300197 .1240189 .1184127 0        .3535037
6 S17 6  .1657066 .1061940 .1064312 .1015509 .0972756 0        .4228416
6 S17 A  .1300166 .1308216 .1305939 .1309097 .0535035 .3086817 .1154730
1 H17 T  .1144182 .1128790 .1146624 .3288791 .0364661 .0784314 .2142638
"""


@pytest.mark.parametrize("row", PRINTED.strip().split("\n"))
def test_the_dealer_ends_with_each_total_as_often_as_printed(row: str) -> None:
    decks, soft_17, upcard, *printed = row.split()
    hits = "true" if soft_17 == "H17" else "false"
    in_force = rules(decks=decks, dealer_hits_soft_17=hits)
    found = dealer_totals(in_force, Card(f"{upcard}s"))
    assert sum(found.values()) == 1
    assert [round(float(found[name]), 7) for name in TOTALS] == [
        float(figure) for figure in printed
    ]


# --- A whole toy shoe, through decide and evolve -----------------------------------

# Eight decks hold eight of each card: as many tens of one suit as the toy shoe.
# What the core holds to be possible is thus never less than what the shoe deals.
TOY_RULES = rules(
    decks=8,
    insurance="false",
    surrender="off",
    dealer_hits_soft_17="true",
    peek="ace_ten",
    blackjack_pays="3:2",
    split_hands_max=4,
    resplit_aces="false",
    double_after_split="true",
)
TOY_SHOE = {Card("As"): 3, Card("6s"): 4, Card("9s"): 4, Card("Ts"): 8}


class Deals:
    """Every deal of a shoe played to its end: how many, and what they come to."""

    def __init__(self, finish: Callable[[Table], int]) -> None:
        self._finish = finish
        self.count = 0
        self.net_cents = Fraction(0)

    def play(self, table: Table, left: Mapping[Card, int], chance: Fraction) -> None:
        """Play on from here, with every card wherever the engine asks for one."""
        table = until_a_card_is_due(table)
        if table.state.phase is Phase.SETTLED:
            self.count += 1
            self.net_cents += chance * self._finish(table)
            return
        size = sum(left.values())
        for card, count in left.items():
            if count:
                rest = {**left, card: count - 1}
                self.play(table.card(card), rest, chance * Fraction(count, size))


def until_a_card_is_due(table: Table) -> Table:
    """Let the player of seat 1 press what basic strategy says."""
    while table.state.phase is Phase.PLAYING and not table.state.play.places:
        prompt = table.state.prompts[1]
        hand = table.hand(prompt.hand)
        lit = tuple(Button(name) for name in prompt.buttons)
        upcard = table.state.play.dealer.cards[0]
        table = table.press(1, choose(hand.cards, upcard, lit, hits_soft_17=True).value)
        assert table.refused is None
    return table


def net_of(table: Table) -> int:
    return sum(hand.net_cents for hand in table.state.play.hands)


@pytest.mark.timeout(300)
def test_a_toy_shoe_played_through_the_engine_gives_the_exact_expectation() -> None:
    deals = Deals(net_of)
    table = open_table(TOY_RULES, seats=1).press(1, "bet", UNIT_CENTS).dealer("deal")
    deals.play(table, TOY_SHOE, Fraction(1))
    assert deals.count == 13_172
    assert deals.net_cents / UNIT_CENTS == Fraction(410351, 4157010)
