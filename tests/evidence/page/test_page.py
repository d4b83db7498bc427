"""The page of a round: what is in it, what is not, and that it holds together."""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from controller.evidence.account import is_for_people
from controller.evidence.page.page import page
from controller.evidence.reconstruct import replayed
from controller.evidence.summaries import summaries
from tests.evidence.page.pages import BETS, ROUND, WHOLE, Read, page_of, records_in
from tests.evidence.recorded import recorded, write

SCENARIOS = sorted(
    [*Path("tests/scenarios/shared").glob("*"), *Path("docs/operating").glob("*")]
)
BARE = re.compile(r"https?:|//|url\(|@import|\bsrc=|<link|<base|<iframe|<object")
SAID = "<script>alert(1)</script> & <b onclick=x>'2'"
CALLED = f"{BETS}dealer deal\ncard 8h\n"


def read(folder: Path, text: str = WHOLE) -> Read:
    return Read(page_of(folder, text))


# --- The document --------------------------------------------------------------


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda file: file.stem)
def test_every_page_is_well_formed_and_needs_nothing_else(
    scenario: Path, tmp_path: Path
) -> None:
    path = write(tmp_path / "j", scenario.read_text())
    for summary in summaries(path):
        written = page(replayed(path, summary.round))
        found = Read(written)
        assert found.faults == []
        assert BARE.search(written) is None
        assert not any("style" in each.attributes for each in found.elements)
        ids = [e.attributes["id"] for e in found.elements if "id" in e.attributes]
        assert len(set(ids)) == len(ids)


def test_a_page_whose_elements_cross_is_found() -> None:
    assert Read("<p><b>x</p></b>").faults
    assert Read("<p>").faults
    assert not Read('<p>x</p><meta charset="utf-8">').faults


def test_its_policy_allows_its_script_and_its_style_and_nothing_else(
    tmp_path: Path,
) -> None:
    found = read(tmp_path)
    (policy,) = found.all("meta", http_equiv="Content-Security-Policy")
    digests = {}
    for tag in ("script", "style"):
        (element,) = found.all(tag)
        hashed = sha256(element.words.encode()).digest()
        digests[tag] = f"'sha256-{b64encode(hashed).decode()}'"
    assert policy.attributes["content"] == (
        f"default-src 'none'; script-src {digests['script']}; "
        f"style-src {digests['style']}; base-uri 'none'; form-action 'none'"
    )


def test_the_policy_stands_before_what_it_allows(tmp_path: Path) -> None:
    written = page_of(tmp_path, WHOLE)
    at = written.index("Content-Security-Policy")
    assert at < written.index("<style") < written.index("<script")


# --- Steps and sentences ---------------------------------------------------------


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda file: file.stem)
def test_there_is_an_item_for_each_record_that_is_told(
    scenario: Path, tmp_path: Path
) -> None:
    path = write(tmp_path / "j", scenario.read_text())
    for summary in summaries(path):
        round_ = replayed(path, summary.round)
        told = [e for e in round_.account.timeline if is_for_people(e, round_.account)]
        found = Read(page(round_))
        assert records_in(found) == list(dict.fromkeys(e.sequence for e in told))
        lines = [e.words for e in found.elements if "data-seat" in e.attributes]
        assert lines == [entry.text + entry.clause for entry in told]


def test_a_sentence_stands_with_its_time_its_clause_and_whose_it_is(
    tmp_path: Path,
) -> None:
    found = read(tmp_path)
    (line,) = [e for e in found.all("p") if "Seat 3 presses HIT" in e.words]
    assert line.attributes["data-seat"] == "3"
    assert line.words.endswith("ORDER")
    times = found.all("time")
    assert times[0].words == "11:00:00.0"
    assert times[0].attributes["datetime"] == "2026-01-31T18:00:00.000000Z"


def test_without_javascript_the_timeline_and_the_end_are_there(tmp_path: Path) -> None:
    found = read(tmp_path)
    (controls,) = found.all("div", id="controls")
    assert "hidden" in controls.attributes
    (rack,) = found.all("div", id="rack")
    assert len(found.all("li", class_="group")) >= 5
    assert "empty" not in rack.words
    (dealer,) = found.all("div", id="dealer")
    assert "21" in dealer.words


def test_a_screen_reader_hears_each_step(tmp_path: Path) -> None:
    found = read(tmp_path)
    (sentence,) = found.all("div", id="sentence")
    assert sentence.attributes["aria-live"] == "polite"
    cards = [e for e in found.all("span") if e.attributes.get("role") == "img"]
    assert len(cards) > 20
    assert all(card.attributes["aria-label"] for card in cards)


def test_only_seats_that_played_can_be_picked(tmp_path: Path) -> None:
    options = [e.attributes["value"] for e in read(tmp_path).all("option")]
    assert options == ["", "1", "3", "5"]


def test_the_page_of_one_seat_tells_what_is_its_and_the_tables(tmp_path: Path) -> None:
    found = Read(page_of(tmp_path, WHOLE, seat=5))
    seats = {
        e.attributes["data-seat"] for e in found.elements if "data-seat" in e.attributes
    }
    assert seats == {"", "5"}
    (spot,) = found.all("div", id="spot-1")
    assert "1.1" in spot.words


def test_a_round_with_bets_alone_has_a_page(tmp_path: Path) -> None:
    for seat in (None, 7):
        found = Read(page_of(tmp_path / f"{seat}", "bet 1 25\n", seat=seat))
        assert found.faults == []
        assert "25" in found.all("div", id="spot-1")[0].words


# --- What people typed -----------------------------------------------------------


@pytest.mark.parametrize(
    "steps",
    [f'dealer call "{SAID}"', f'dealer call\nsupervisor S1 resume reason="{SAID}"'],
)
def test_what_people_typed_is_read_and_not_obeyed(steps: str, tmp_path: Path) -> None:
    written = page_of(tmp_path, CALLED + steps)
    found = Read(written)
    assert found.faults == []
    assert len(found.all("script")) == 1
    assert not any("onclick" in element.attributes for element in found.elements)
    assert any(SAID in line.words for line in found.all("p"))
    assert SAID not in written


# --- What may not be in it ---------------------------------------------------------


def test_rounds_that_differ_in_the_hole_card_have_the_same_page_until_the_reveal(
    tmp_path: Path,
) -> None:
    steps = [line for line in ROUND.splitlines() if line]
    pages: dict[str, list[str]] = {}
    for hole in ("Tc", "2h"):
        with recorded(tmp_path / hole, "table seats=7") as table:
            pages[hole] = []
            for step in steps:
                table.do_text(step.format(hole=hole))
                pages[hole].append(page(replayed(tmp_path / hole, 1)))
    *until, ten = pages["Tc"]
    *again, two = pages["2h"]
    assert until == again
    assert ten != two
    assert "the ten of clubs" in ten
    assert not any("the ten of clubs" in one for one in until)


def test_the_hole_card_is_a_back_until_it_is_turned_up(tmp_path: Path) -> None:
    dealt = Read(page_of(tmp_path / "1", ROUND.format(hole="Tc").split("press 5")[0]))
    labels = [e.attributes.get("aria-label") for e in dealt.all("span")]
    assert "the hole card, face down" in labels
    assert "the ten of clubs" not in labels


def test_nothing_of_another_round_is_in_it(tmp_path: Path) -> None:
    pages = []
    for name, first in (("a", "9h Ts 6d 9c 8s Tc"), ("b", "7h Js 5d 9d 8c Kc")):
        text = (
            f"bet 1 25\nbet 3 10\ndealer deal\ncard {first}\npress 1 stand\n"
            f"press 3 stand\ncard 6h\ndealer pickup\n{WHOLE}"
        )
        pages.append(page_of(tmp_path / name, text, 2))
        assert page_of(tmp_path / f"{name}1", text, 1) not in pages
    assert pages[0] == pages[1]


def test_the_page_of_a_long_round_is_below_a_megabyte(tmp_path: Path) -> None:
    bets = "".join(f"bet {seat} 25\n" for seat in range(1, 8))
    deal = "dealer deal\ncard 8h 8s 8d 8c 9h 9s 9d 6d 8h 8s 8d 8c 9c 9h 9s Tc\n"
    impatient = "".join(f"press {seat} hit\n" for seat in range(2, 8)) * 60
    written = page_of(tmp_path, bets + deal + impatient)
    assert len(records_in(Read(written))) > 400
    assert len(written.encode()) < 1_000_000
