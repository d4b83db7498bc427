"""What a console writes of a table, and which words it offers."""

import re

import pytest
from msgspec.structs import replace

from controller.cli.console_help import words_now
from controller.cli.console_reason import needs_reason, with_reason
from controller.cli.control_client import Reply
from controller.cli.table_text import Mood, table_lines
from controller.core.guidance import offered
from controller.runtime.view import view_of
from controller.words.grammar import parse_line
from controller.words.reading import words_of
from tests.runtime.tables import state_after

DEALT = "bet 1 25\nbet 3 50\ndealer deal\ncard Ts 9h Kd 8s 7c 6h\n"


def text_after(steps: str) -> list[str]:
    return [line.text for line in table_lines(view_of(state_after(steps)))]


def words_after(steps: str) -> tuple[str, ...]:
    state = state_after(steps)
    return words_now(view_of(state, offered(state)))


# --- State ------------------------------------------------------------------------


def test_a_hand_in_turn_is_written_with_its_lamps() -> None:
    text = text_after(DEALT)
    assert text == [
        ("scenario; PLAYING; round 1; turn 1; gate locked; shift of D1, right-to-left"),
        "dealer: Wait for seat 1 (PLAY-3)",
        "dealer Kd ?? (10)",
        "hand 1 Ts 8s (18) wager 25; lamps hit stand double surrender",
        "hand 3 9h 7c (16) wager 50",
    ]


def test_a_settled_and_racked_round_is_written_with_what_it_paid() -> None:
    played = DEALT + "press 1 stand\npress 3 stand\ncard Td\n"
    assert "dealer Kd 6h Td (26 bust)" in text_after(played)
    assert "hand 1 Ts 8s (18) wager 25 win +25" in text_after(played)
    racked = text_after(played + "dealer pickup")
    assert "hand 1 Ts 8s (18) wager 25 win +25 in the rack" in racked
    assert "rack 9h 7c | Ts 8s | Kd 6h Td" in racked


def test_what_stopped_the_table_comes_first_and_alarms() -> None:
    view = view_of(state_after(DEALT + "card 4c\n"))
    head, due, alarm, *_ = table_lines(view)
    assert "SUSPENDED in PLAYING" in head.text
    assert due.text.startswith("dealer: Wait for the supervisor (")
    assert alarm.mood is Mood.ALARM
    assert alarm.text.startswith("card_drawn_in_error, hand 1, card 7: A card was")
    assert alarm.text.endswith("(IRR-6 to IRR-9)")


@pytest.mark.parametrize(
    ("steps", "line"),
    [
        ("bet 2 12.50", "spot 2 bet 12.50"),
        ("bet 2 25\ndealer deal", "hand 2 wager 25"),
        ("bet 2 25\nbet 2 25 spot=3", "spot 3 bet 25 by seat 2"),
        ("cash 4 spread", "seat 4 cash spread"),
        ("cash 4 spread\ncash 4 state 100", "seat 4 cash 100"),
        (
            "cash 4 spread\ncash 4 state 100\ncash 4 chips 100",
            "seat 4 cash 100, chips given",
        ),
        ("panel 2 lost", "seat 2 panel lost"),
        ("shoe lid-open", "shoe: The shoe's lid is open"),
        (
            "dealer call the cut card lies odd",
            (
                "called: The dealer calls: the cut card lies odd."
                " Hear the dealer and decide (IRR-1)"
            ),
        ),
        (DEALT.replace("Kd", "Ad"), "seat 3 lamps insure pass"),
        (DEALT.replace("Kd", "Ad") + "press 1 insure", "seat 1 insurance 12.50"),
        (DEALT.replace("Kd", "Ad") + "press 3 pass", "seat 3 insurance declined"),
        (
            DEALT.replace("Kd", "Ad") + "press 1 insure\npress 3 pass",
            "seat 1 insurance 12.50 lose -12.50",
        ),
        (DEALT.replace("8s", "As"), "hand 1 Ts As (blackjack) wager 25"),
        (
            DEALT.replace("8s", "As") + "press 3 hit\ncard Kc\n",
            "hand 3 9h 7c Kc (26 bust) wager 50 bust -50 in the rack",
        ),
        (DEALT.replace("Ts", "As").replace("8s", "6s"), "hand 1 As 6s (17s)"),
    ],
)
def test_a_line_says_it_as_a_dealer_would(steps: str, line: str) -> None:
    assert any(text.startswith(line) for text in text_after(steps)), text_after(steps)


@pytest.mark.parametrize(
    ("abrupt", "power", "line"),
    [
        (1, 0, "controller began again once by itself since it was last stopped"),
        (
            3,
            2,
            (
                "controller began again 3 times by itself, 2 times after a loss of"
                " power since it was last stopped"
            ),
        ),
    ],
)
def test_restarts_that_nobody_asked_for_are_counted_until_the_next_stop(
    abrupt: int, power: int, line: str
) -> None:
    state = replace(state_after("bet 1 25"), abrupt_ends=abrupt, power_losses=power)
    (found,) = (
        shown
        for shown in table_lines(view_of(state))
        if shown.text.startswith("controller")
    )
    assert (found.text, found.mood) == (line, Mood.NOTICE)


def test_a_controller_that_was_only_ever_stopped_is_not_spoken_of() -> None:
    assert not any(text.startswith("controller") for text in text_after("bet 1 25"))


# --- Words that make sense now ----------------------------------------------------


def test_help_names_what_the_dealer_may_do_now() -> None:
    assert words_after("bet 1 25")[:2] == ("dealer deal", "dealer call [REASON]")
    assert "dealer undo-deal" in words_after("bet 1 25\ndealer deal")
    assert "dealer next" not in words_after(DEALT)
    assert "dealer next" in words_after(DEALT + "wait 40")
    assert "dealer pickup" in words_after(
        DEALT + "press 1 stand\npress 3 stand\ncard Td\n"
    )
    assert words_after("shift close")[0] == "shift open DEALER right-to-left"


def test_help_leads_cash_through_its_steps() -> None:
    steps = "cash 4 spread\n"
    assert "cash 4 state AMOUNT" in words_after(steps)
    steps += "cash 4 state 100\n"
    assert "cash 4 chips 100" in words_after(steps)
    assert "cash 4 back" in words_after(steps)
    steps += "cash 4 chips 100\n"
    assert "cash 4 drop" in words_after(steps)
    assert "cash 4 back" not in words_after(steps)


def test_help_names_the_decisions_that_suit_the_irregularity() -> None:
    words = words_after(DEALT + "card 4c\n")
    assert words[0] == "supervisor ID use-card"
    assert "supervisor ID resume" not in words
    assert "supervisor ID void-hand 3" in words
    lost = DEALT + "panel 1 lost\n"
    assert words_after(lost)[0] == "supervisor ID allow-dealer-entry 1"
    allowed = words_after(lost + "supervisor S1 allow-dealer-entry 1")
    assert "dealer clarify 1 stand" in allowed


FILLED = {
    "ID": "S1",
    "DEALER": "D1",
    "HAND": "3.2",
    "SEAT": "3",
    "SPOT": "3",
    "CARD": "Th",
    "DECKS": "6",
    "AMOUNT": "12.50",
    "REASON": "so",
    "NAME": "colorado",
    "KEY=VALUE": "decks=8",
    "N": "2",
}


@pytest.mark.parametrize("with_options", [True, False])
@pytest.mark.parametrize(
    "steps",
    [
        "shift close",
        "bet 1 25",
        "cash 4 spread\ncash 4 state 100",
        "bet 1 25\ndealer deal",
        DEALT,
        DEALT + "card 4c",
        DEALT + "dealer call",
        DEALT + "panel 1 lost",
        DEALT + "panel 1 lost\nsupervisor S1 allow-dealer-entry 1",
        "bet 1 25\ndealer deal\ncard ??",
        "bet 1 25\ndealer deal\nshoe gap",
        "bet 1 25\ndealer deal\nshoe jam",
        "bet 1 25\ndealer deal\nshoe empty",
    ],
)
def test_every_word_that_help_offers_is_in_the_grammar(
    steps: str, *, with_options: bool
) -> None:
    for words in words_after(steps):
        offered = re.sub(r"[\[\]]", "", words)
        if not with_options and "set-rules" not in words:
            offered = re.sub(r" \[[^]]*\]", "", words)
        for name, value in FILLED.items():
            offered = re.sub(rf"(?<![\w-]){name}(?![\w-])", value, offered)
        parse_line(offered)


# --- Reasons ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "needed"),
    [
        ("supervisor S1 resume", True),
        ("supervisor S1 resume # all is well", True),
        ('supervisor S1 resume reason="seen"', False),
        ("supervisor S1 resume reason=seen", False),
        ("dealer next", False),
        ("supervisor S1 resmue", False),  # the table says what is wrong with it
        ('supervisor S1 resume reason="', False),
        ("", False),
    ],
)
def test_a_decision_without_a_reason_needs_one(line: str, *, needed: bool) -> None:
    assert needs_reason(line) is needed


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("card seen by seat 3", "card seen by seat 3"),
        ('the "four" was #2', "the 'four' was #2"),
        ("two\twords", "two words"),
    ],
)
def test_a_reason_is_added_so_that_the_line_can_be_read(reason: str, said: str) -> None:
    line = with_reason("supervisor S1 resume # why", reason)
    parse_line(line)
    assert [word.text for word in words_of(line) if word.key == "reason"] == [said]


# --- Replies ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (Reply(accepted=True, sequence=812), "accepted 812"),
        (Reply(accepted=True), "accepted"),
        (Reply(refused="no_wager"), "refused no_wager: there is no wager"),
        (Reply(refused="of_tomorrow"), "refused of_tomorrow"),
        (Reply(refused="of_tomorrow", because="so"), "refused of_tomorrow: so"),
        (
            Reply(refused="no_wager", because="so"),
            "refused no_wager: there is no wager; so",
        ),
        (Reply(error="expected a line"), "error: expected a line"),
    ],
)
def test_a_reply_is_one_line(reply: Reply, text: str) -> None:
    assert reply.text() == text
