"""A table drawn: from public data alone, each thing where people look for it."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.core.cards import UNKNOWN, Card
from controller.evidence.page.drawing import drawing, regions
from controller.evidence.page.faces import back, face
from controller.evidence.page.markup import tag, text
from controller.evidence.page.scenes import Reel, scenes_of
from tests.evidence.page.pages import BETS, ROUND, WHOLE, Read, played

DEALT = ROUND.format(hole="Tc").split("press 3")[0]


def drawn(folder: Path, text: str) -> dict[str, str]:
    """Return the words of each region of the table after these steps."""
    table = played(folder, text).steps[-1].table
    found = Read(drawing(table))
    assert found.faults == []
    classes = [
        e for e in found.elements if "region" in (e.attributes.get("class") or "")
    ]
    words = {e.attributes["id"] or "": " ".join(e.words.split()) for e in classes}
    assert words.keys() == regions(table).keys()
    return words


def html_of(folder: Path, text: str) -> dict[str, str]:
    table = played(folder, text).steps[-1].table
    return {**regions(table)}


def test_text_and_attributes_are_escaped() -> None:
    assert text("<b>&\"'") == "&lt;b&gt;&amp;&quot;&#x27;"
    assert tag("p", text("<"), title='"<', id=None) == '<p title="&quot;&lt;">&lt;</p>'
    assert tag("meta", charset="utf-8") == '<meta charset="utf-8">'


@pytest.mark.parametrize(
    ("card", "kind", "words", "label"),
    [
        ("Th", "red", "10♥\ufe0e", "the ten of hearts"),
        ("As", "black", "A♠\ufe0e", "the ace of spades"),
        ("X1", "joker", "J1", "joker 1"),
        ("??", "unread", "?", "a card whose face is not known"),
    ],
)
def test_a_card_is_told_by_rank_and_suit_and_not_by_colour_alone(
    card: str, kind: str, words: str, label: str
) -> None:
    shown = Read(face(Card(card))).elements[0]
    assert shown.attributes["class"] == f"card {kind}"
    assert shown.attributes["aria-label"] == label
    assert shown.words == words


def test_a_back_tells_nothing() -> None:
    assert Read(back()).elements[0].words == ""


def test_while_bets_are_open_wagers_lie_in_the_circles(tmp_path: Path) -> None:
    words = drawn(tmp_path, BETS)
    assert (words["spot-1"], words["spot-3"], words["spot-5"]) == ("25", "100", "12.50")
    assert words["spot-2"] == ""
    assert "betclear" in words["panel-1"]
    assert "Bets are open" in words["status"]


def test_a_hand_shows_cards_total_and_wager(tmp_path: Path) -> None:
    words = drawn(tmp_path, DEALT)
    assert words["spot-3"] == "10♠\ufe0e7♠\ufe0e 17100"
    assert words["dealer"].endswith("6")
    assert words["shoe"] == "Shoegate locked"


def test_the_seat_in_turn_is_marked_and_its_lamps_are_lit(tmp_path: Path) -> None:
    words, html = drawn(tmp_path / "1", DEALT), html_of(tmp_path / "2", DEALT)
    assert "to act" in words["spot-1"]
    assert 'class="hand turn"' in html["spot-1"]
    assert 'class="hand"' in html["spot-3"]
    assert words["panel-1"] == "hitstanddoublesplitsurrender"
    assert words["panel-3"] == "dark"
    assert "Wait for seat 1" in words["status"]


def test_a_due_card_is_marked_where_it_goes(tmp_path: Path) -> None:
    words = drawn(tmp_path, f"{DEALT}press 1 hit\n")
    assert "card due" in words["spot-1"]
    assert words["shoe"] == "Shoegate open"


def test_split_hands_lie_under_their_names(tmp_path: Path) -> None:
    words = drawn(tmp_path, f"{DEALT}press 1 split\ncard 3h\n")
    assert "1.1 11" in words["spot-1"]
    assert "1.2 8" in words["spot-1"]


def test_a_hand_on_a_neighbours_spot_names_its_seat(tmp_path: Path) -> None:
    words = drawn(tmp_path, "bet 1 25\nbet 1 25 spot=2\n")
    assert words["spot-2"] == "25seat 1"


def test_a_settled_hand_shows_its_outcome_and_lies_in_the_rack(tmp_path: Path) -> None:
    words, html = drawn(tmp_path / "1", WHOLE), html_of(tmp_path / "2", WHOLE)
    assert "lose -100" in words["spot-3"]
    assert "push 0" in words["spot-5"]
    assert "in the rack" in words["spot-3"]
    assert 'class="hand racked lost"' in html["spot-3"]
    assert words["rack"].startswith("Rack, from the bottom5♦\ufe0e6♠\ufe0eK♦\ufe0e")


def test_insurance_stands_at_its_seat(tmp_path: Path) -> None:
    deal = f"{BETS}dealer deal\ncard 8h Ts 5d Ad 8c 7s 6s Kc\n"
    words = drawn(tmp_path, f"{deal}press 1 insure\npress 3 pass\npress 5 pass\n")
    assert "insurance 12.50, win +25" in words["spot-1"]
    assert "no insurance" in words["spot-3"]


def test_a_stopped_table_says_why_and_what_to_do(tmp_path: Path) -> None:
    words = drawn(tmp_path, f"{DEALT}card 4s\n")
    assert "Stopped (players act)" in words["status"]
    assert "A card was drawn though none was due" in words["status"]
    assert "Decide what becomes of the card" in words["status"]
    assert "to be decided" in words["shoe"]
    assert words["panel-1"] == "dark"


def test_a_held_card_and_an_offered_one_lie_beside_the_shoe(tmp_path: Path) -> None:
    stopped = f"{DEALT}card 4s\nsupervisor S1 "
    assert "held" in drawn(tmp_path / "1", f"{stopped}use-card\n")["shoe"]
    offered = drawn(tmp_path / "2", f"{stopped}offer-card\n")
    assert "4♠\ufe0e on offer" in offered["shoe"]


def test_a_lost_panel_says_so(tmp_path: Path) -> None:
    words = drawn(tmp_path, f"{DEALT}panel 3 lost\n")
    assert words["panel-3"] == "panel lost"


def test_cash_in_view_shows_at_its_seat(tmp_path: Path) -> None:
    cash = "cash 2 spread\n"
    assert "cash spread" in drawn(tmp_path / "1", cash + BETS)["panel-2"]
    stated = f"{cash}cash 2 state 100\ncash 2 chips 100\n"
    assert "cash 100, chips given" in drawn(tmp_path / "2", stated + BETS)["panel-2"]


def test_an_upcard_that_could_not_be_read_is_no_back(tmp_path: Path) -> None:
    table = played(tmp_path, DEALT).steps[-1].table
    dealer = replace(table.dealer, cards=(UNKNOWN, UNKNOWN))
    html = regions(replace(table, dealer=dealer))["dealer"]
    assert html.index("card unread") < html.index("card back")


@pytest.mark.parametrize("text", [WHOLE, f"{DEALT}card 4s\nsupervisor S1 misdeal\n"])
def test_the_pieces_of_a_page_put_together_are_the_drawings(
    text: str, tmp_path: Path
) -> None:
    scenes = scenes_of(played(tmp_path, text))
    reel = Reel(scenes)
    shown: dict[str, str] = {}
    for scene, changes in zip(scenes, reel.changes, strict=True):
        shown |= {region: reel.pieces[piece] for region, piece in changes.items()}
        assert shown == regions(scene.table)
    assert len(set(reel.pieces)) == len(reel.pieces)


def test_what_a_silent_record_changes_is_drawn_with_the_one_before(
    tmp_path: Path,
) -> None:
    round_ = played(tmp_path, WHOLE)
    assert scenes_of(round_)[-1].table == round_.steps[-1].table
    assert len(scenes_of(round_)) < len(round_.steps)
