"""The deal is a list of places; the next card goes to the first of them."""

from controller.core.deal import deal_places, without_hand
from controller.core.ids import DEALER, HandId
from controller.core.state import BURN, HOLE, Place

TWO = (HandId("2"), HandId("5"))


def test_spots_come_in_order_then_the_dealer_and_all_again() -> None:
    two, five = (Place(hand) for hand in TWO)
    assert deal_places(TWO, 0) == (two, five, Place(DEALER), two, five, HOLE)


def test_burned_cards_come_first_and_face_down() -> None:
    places = deal_places(TWO, 2)
    assert places[:2] == (BURN, BURN)
    assert all(place.is_burn and place.face_down for place in places[:2])
    assert not any(place.is_burn for place in places[2:])


def test_a_hand_that_is_void_gets_no_more_cards() -> None:
    places = without_hand(deal_places(TWO, 0), HandId("2"))
    assert [place.hand for place in places] == ["5", DEALER, "5", DEALER]
