import random

import pytest

from drivers.shoe.messages import CutCardReached, ShoeEmptied, ShoeFlag, ShuffleEnded
from simulators.devices.decks import Decks, fresh_decks
from simulators.devices.shoe import ShoeSimulator


def shuffled(decks: int = 1, penetration: float = 0.75, seed: int = 3) -> Decks:
    return Decks(fresh_decks(decks), random.Random(seed), penetration)


def test_decks_give_each_card_once_in_an_order_of_their_seed() -> None:
    decks, same, other = shuffled(6), shuffled(6), shuffled(6, seed=4)
    drawn = [decks.draw() for _ in range(312)]
    assert sorted(drawn) == sorted(fresh_decks(6))
    assert drawn == [same.draw() for _ in range(312)]
    assert drawn != [other.draw() for _ in range(312)]
    with pytest.raises(IndexError):
        decks.draw()


def test_a_shoe_with_decks_reports_the_cut_card_and_the_end() -> None:
    shoe = ShoeSimulator(random.Random(1), shuffled(penetration=0.5))
    while shoe.draw_next():
        pass
    events = [report.event for report in shoe.memory.happened]
    assert events[26] == CutCardReached()
    assert events[-1] == ShoeEmptied()
    assert len(events) == 54
    assert shoe.flags_standing == {ShoeFlag.CUT_CARD, ShoeFlag.EMPTY}
    assert shoe.draw_next() is None


def test_returned_cards_are_drawn_again_after_a_shuffle() -> None:
    shoe = ShoeSimulator(random.Random(1), shuffled())
    drawn = [shoe.draw_next() for _ in range(10)]
    for card in drawn:
        assert card is not None
        shoe.return_card(card)
    assert shoe.decks is not None
    assert (shoe.decks.left_to_draw, len(shoe.decks)) == (42, 52)
    shoe.start_shuffle()
    shoe.end_shuffle()
    assert shoe.memory.happened[-1].event == ShuffleEnded(52)
    assert shoe.decks.left_to_draw == 52


def test_a_cut_card_beyond_the_cards_is_refused() -> None:
    with pytest.raises(ValueError, match=r"up to 1, got 1\.5"):
        shuffled(penetration=1.5)
