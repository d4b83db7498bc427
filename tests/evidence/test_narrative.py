"""Every type of record has a sentence, in words, with a clause."""

from typing import get_args

import pytest
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.cards import UNKNOWN, Card
from controller.core.computer import UsbDevice
from controller.core.ids import (
    DEALER,
    Button,
    CashStep,
    ComputerFault,
    DealerButton,
    EndOfTestMode,
    HandId,
    InsuranceResult,
    Kind,
    MirrorFault,
    Outcome,
    Phase,
    Reason,
    Role,
    ShoeRemark,
    ShoeSign,
    UsbFunction,
)
from controller.core.rules import Approval
from controller.core.state import Hand, Insurance, Play, Prompt, TableState, new_table
from controller.evidence.narrative.moment import Line, Moment
from controller.evidence.narrative.presses import TELLERS as PRESSES
from controller.evidence.narrative.refusals import REFUSED
from controller.evidence.narrative.telling import SILENT, TELLERS, tell
from controller.evidence.narrative.wording import card_words, listed, total_words
from controller.evidence.panels import Ended, Lit, PromptAccount
from controller.journal.records import Record
from controller.rulesets.loader import load_ruleset

RULES = load_ruleset("colorado")
HAND = HandId("3")
STICK = UsbDevice("2-1", "0781", "5567", "Cruzer", functions=(UsbFunction.STORAGE,))
HIT = ev.PressAccepted(seat=3, button=Button.HIT, prompt=7, hand=HAND)


def table(**play: object) -> TableState:
    """A table with one hand, 9h 5c with 25, and whatever else is given."""
    hand = Hand(spot=3, seat=3, wager_cents=2500, cards=(Card("9h"), Card("5c")))
    state = new_table("BJ-01", 7, RULES)
    made = Play(**{"hands": (hand,), **play})  # type: ignore[arg-type]  # fields of Play by name
    return TableState(
        table=state.table,
        seat_count=7,
        rules=RULES,
        phase=Phase.PLAYING,
        seats=state.seats,
        prompts=state.prompts,
        play=made,
    )


def row(second: float, boot_id: str = "boot-1") -> Record:
    """A record of 20:01, so many seconds later; its two clocks agree."""
    return Record(
        sequence=1,
        recorded_at=f"2026-01-31T20:01:{second:09.6f}Z",
        clock_synchronised=True,
        boot_id=boot_id,
        monotonic_ns=int(second * 1e9),
        cause=None,
        round=1,
        spot=None,
        type="any",
        version=1,
        body="{}",
        hash=b"",
    )


def at_seat_three(state: TableState, **more: object) -> Moment:
    """The moment 4.5 s after seat 3 was lit for HIT and STAND under prompt 7."""
    lit = {3: Lit(Prompt(3, 7, ("hit", "stand"), HAND), row(2.3))}
    fields: dict[str, object] = {"lit": lit, "row": row(6.8), **more}
    return Moment(state, state, **fields)  # type: ignore[arg-type]  # fields by name


def told(fact: object, state: TableState | None = None, **more: object) -> list[Line]:
    moment = at_seat_three(state or table(), **more)
    return list(tell(fact, moment))  # type: ignore[arg-type]  # any record


def said(fact: object, state: TableState | None = None, **more: object) -> str:
    (line,) = told(fact, state, **more)
    return line.text


def test_every_type_of_record_is_told_or_silent_on_purpose() -> None:
    every = {*get_args(cm.Command), *get_args(ev.Event)}
    assert TELLERS.keys() | SILENT == every
    assert not TELLERS.keys() & SILENT
    assert cm.PressDealerButton in PRESSES


def test_every_reason_has_words_and_a_clause() -> None:
    assert REFUSED.keys() == set(Reason)
    assert all(why.words and why.clause for why in REFUSED.values())


@pytest.mark.parametrize("sign", ShoeSign)
def test_every_sign_of_the_shoe_is_told(sign: ShoeSign) -> None:
    (line,) = told(ev.ShoeChanged(sign=sign))
    assert line.clause in {"SHOE", "CUT"}


@pytest.mark.parametrize("kind", Kind)
def test_every_irregularity_is_told_with_its_clause(kind: Kind) -> None:
    for fact in (
        ev.IrregularityFound(irregularity=1, kind=kind),
        ev.TableSuspended(kind=kind),
        ev.IrregularityCleared(irregularity=1, kind=kind),
    ):
        (line,) = told(fact)
        assert line.text
        assert line.clause


def test_words_of_cards_and_lists() -> None:
    assert card_words(Card("As")) == "the ace of spades"
    assert card_words(Card("X1")) == "joker 1"
    assert card_words(UNKNOWN) == "a card that is not known"
    assert listed([]) == "nothing"
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b and c"
    assert total_words((UNKNOWN,), table()) == "nothing"


# --- Settlement --------------------------------------------------------------


def settled(
    outcome: Outcome,
    net: int,
    cards: tuple[str, ...] = ("9h", "5c"),
    dealer: tuple[str, ...] = ("Th", "7d"),
    **hand: object,
) -> str:
    fields: dict[str, object] = {"spot": 3, "seat": 3, "wager_cents": 2500, **hand}
    one = Hand(cards=tuple(map(Card, cards)), **fields)  # type: ignore[arg-type]  # fields of Hand by name
    state = table(hands=(one,))
    play = state.play
    lying = replace(play.dealer, cards=tuple(map(Card, dealer)))
    state = replace(state, play=replace(play, dealer=lying))
    return said(ev.HandSettled(hand=one.id, outcome=outcome, net_cents=net), state)


def test_a_settlement_shows_its_arithmetic() -> None:
    assert settled(Outcome.WIN, 2500, ("Th", "Tc")) == (
        "Hand 3 wins: 20 against the dealer's 17; 25 at 1:1 pays 25, net +25"
    )
    assert settled(Outcome.WIN, 2500, dealer=("Th", "6d", "9c")) == (
        "Hand 3 wins: 14, the dealer is bust with 25; 25 at 1:1 pays 25, net +25"
    )
    assert settled(Outcome.LOSE, -2500, dealer=("Ah", "Kd")) == (
        "Hand 3 loses: 14 against the dealer's blackjack; the wager of 25 is lost, "
        "net -25"
    )
    assert settled(Outcome.PUSH, 0, ("Ah", "6c")) == (
        "Hand 3 is a push: soft 17 against the dealer's 17; the wager of 25 goes back, "
        "net 0"
    )
    assert settled(Outcome.PUSH, 0, ending=Outcome.PUSH) == (
        "Hand 3 is a push by decision: the wager of 25 goes back, net 0"
    )
    assert settled(Outcome.BUST, -2500, ("9h", "5c", "Ts")) == (
        "Hand 3 is bust with 24: the wager of 25 is lost, net -25"
    )
    assert settled(Outcome.VOID, 0) == (
        "Hand 3 is void: the wager of 25 goes back, net 0"
    )
    assert settled(Outcome.DEAD, 0) == (
        "Hand 3 is dead: the wager of 25 goes back, net 0"
    )


def test_an_odd_cent_is_told() -> None:
    natural = ("Ah", "Kc")
    assert settled(Outcome.BLACKJACK, 3750, natural) == (
        "Hand 3 wins with blackjack: 25 at 3:2 pays 37.50, net +37.50"
    )
    assert settled(Outcome.BLACKJACK, 1502, natural, wager_cents=1001) == (
        "Hand 3 wins with blackjack: 10.01 at 3:2 pays 15.02, rounded up for the "
        "player, net +15.02"
    )
    assert settled(Outcome.SURRENDER, -1250) == (
        "Hand 3 is surrendered: of 25, half is 12.50 and is lost, 12.50 goes back, "
        "net -12.50"
    )
    assert settled(Outcome.SURRENDER, -500, wager_cents=1001) == (
        "Hand 3 is surrendered: of 10.01, half is 5 and is lost, 5.01 goes back, the "
        "odd cent with it, net -5"
    )


def test_a_split_hand_with_an_ace_and_a_ten_has_no_blackjack() -> None:
    text = settled(Outcome.WIN, 2500, ("Ah", "Kc"), part=2)
    assert text.startswith("Hand 3.2 wins: soft 21 against the dealer's 17")


# --- Presses -----------------------------------------------------------------


def test_a_press_is_told_with_what_was_lit_and_since_when() -> None:
    assert said(HIT) == (
        "Seat 3 presses HIT for hand 3; its panel shows hit and stand since "
        "20:01:02.3, for 4.5 s (prompt 7)"
    )


def test_a_press_that_was_long_in_its_panel_says_so() -> None:
    press = cm.PressButton(seat=3, button=Button.HIT, prompt=7, age_ms=2_400)
    assert said(HIT, press=press).startswith(
        "Seat 3 presses HIT for hand 3, 2.4 s before the table heard of it; its"
    )
    at_once = replace(press, age_ms=40)
    assert said(HIT, press=at_once) == said(HIT)


def test_a_wait_over_a_restart_says_which_clock_it_rests_on() -> None:
    lit = {
        3: Lit(
            Prompt(3, 7, ("hit",), HAND),
            row(2.3, "boot-0"),
            started_at="2026-01-31T20:01:05Z",
        )
    }
    assert said(HIT, lit=lit).endswith(
        "its panel shows hit since 20:01:02.3, for 4.5 s by the wall clock (prompt 7); "
        "the controller was down until 20:01:05.0, the lamps off"
    )


def test_a_refused_press_is_told_with_reason_turn_and_prompt() -> None:
    fact = ev.PressRefused(
        seat=1, button=Button.STAND, prompt=4, reason=Reason.NOT_YOUR_TURN
    )
    assert said(fact) == (
        "Seat 1 presses STAND, refused: it is not this seat's turn (not_your_turn); "
        "the turn is hand 3's, of seat 3; its panel is dark (prompt 0)"
    )


def test_a_late_press_is_told_with_the_prompt_that_it_was_for() -> None:
    late = ev.PressRefused(
        seat=3, button=Button.HIT, prompt=6, reason=Reason.STALE_PRESS
    )
    assert said(late).endswith("(prompt 7); the press was for prompt 6")
    earlier = PromptAccount(
        seat=3,
        number=6,
        buttons=("hit", "double"),
        hand=HAND,
        lit=1,
        lit_at="2026-01-31T20:01:01Z",
        until=2,
        until_at="2026-01-31T20:01:02.2Z",
        ended=Ended.ANSWERED,
    )
    assert said(late, earlier=(earlier,)).endswith(
        "the press was for prompt 6, which showed hit and double until 20:01:02.2"
    )


def test_what_nobody_answered_is_told_with_how_long_it_was_lit() -> None:
    lit = "its panel shows hit and stand since 20:01:02.3, for 4.5 s (prompt 7)"
    for unanswered in (
        ev.PlayerPassedOver(seat=3, hand=HAND),
        ev.ChoiceMade(hand=HAND, button=Button.STAND, passed_over=True),
        ev.OfferRefused(hand=HAND, passed_over=True),
        ev.InsuranceDeclined(seat=3, by_closing=True),
    ):
        assert said(unanswered).endswith(lit)


def test_a_lost_panel_shows_nothing_whatever_it_may_press() -> None:
    lost = replace(table().seats[2], panel_lost=True)
    seats = table().seats
    state = replace(table(), seats=(*seats[:2], lost, *seats[3:]))
    prompts = ev.PromptsChanged(prompts=(Prompt(3, 8, ("hit", "stand"), HAND),))
    assert said(prompts, state) == (
        "Seat 3 may hit and stand for hand 3, but its panel is lost and dark (prompt 8)"
    )
    dark = {3: Lit(Prompt(3, 8, ("hit",), HAND), row(2.3), dark=True)}
    assert said(HIT, state, lit=dark).endswith(
        "its panel is lost and dark since 20:01:02.3, for 4.5 s"
    )


def test_the_dealers_press_is_told_with_the_dealers_panel() -> None:
    lit = {0: Lit(Prompt(0, 9, ("deal", "call")), row(2.3))}
    press = cm.PressDealerButton(button=DealerButton.DEAL, prompt=9, number=1)
    assert said(press, lit=lit) == (
        "The dealer presses DEAL; the dealer's panel shows deal and call since "
        "20:01:02.3, for 4.5 s (prompt 9)"
    )
    entered = cm.PressDealerButton(button=DealerButton.NEXT, entered_by="D1")
    assert said(entered) == "The dealer's NEXT is entered at the console, by D1"


def test_what_the_dealer_enters_is_marked() -> None:
    entered = ev.PressAccepted(
        seat=3, button=Button.HIT, prompt=7, hand=HAND, by_dealer=True
    )
    (line,) = told(entered)
    assert line == Line(
        3,
        "The dealer enters HIT for seat 3 for hand 3, by leave: the seat's panel is "
        "lost",
        "PLAY-4",
    )
    refused = ev.PressRefused(
        seat=3,
        button=Button.HIT,
        prompt=0,
        reason=Reason.PANEL_NOT_LOST,
        by_dealer=True,
    )
    assert said(refused).startswith("The dealer enters for seat 3 HIT, refused: ")


# --- What the scenarios of the suite do not play ------------------------------

RARE: list[tuple[object, str]] = [
    (ev.CardIdentified(number=1, hand=HAND, card=Card("5c")), "hand 3 is the five of"),
    (ev.CardIdentified(number=1, hand=DEALER, card=Card("5c")), "of the dealer is the"),
    (ev.CardHeld(number=9, commitment=""), "number 9 is held face down"),
    (ev.CardWaiting(number=9, commitment=""), "number 9 waits"),
    (ev.CardWithdrawn(number=9, hand=HAND), "reported at hand 3, was never drawn"),
    (ev.CardBurned(number=9, card=Card("5c")), "The five of clubs is burned"),
    (ev.CardBurned(number=9), "A card is burned unseen"),
    (ev.CardDiscarded(number=9, card=Card("5c")), "goes to the rack unused"),
    (ev.HoleCardDealt(number=4, commitment="", unread=True), "could not be read"),
    (ev.HoleCardKeyed(number=4, commitment=""), "is read now"),
    (ev.SealedCardsLost(numbers=(4, 9)), "number 4 and number 9"),
    (ev.CardNumbersMissing(first=5, last=5), "out of sight: number 5"),
    (ev.CardNumbersMissing(first=5, last=6), "out of sight: numbers 5 to 6"),
    (ev.MissingCardKnown(number=5, drawn=True), "number 5 lies on the table"),
    (ev.MissingCardKnown(number=5, drawn=False), "number 5 was never drawn"),
    (ev.DealListed(places=()), "No more cards are due"),
    (ev.ChoiceMade(hand=HAND, button=Button.HIT), "to take more cards, after all"),
    (
        ev.ChoiceMade(hand=HAND, button=Button.STAND, passed_over=True),
        "moves on; hand 3 is played as dealt",
    ),
    (ev.CompletedAsDealt(hand=HAND), "Hand 3 is complete as dealt, with 14"),
    (ev.OfferRefused(hand=HAND), "Hand 3 refuses the offered card"),
    (ev.OfferRefused(hand=HAND, passed_over=True), "The dealer moves on; hand 3"),
    (ev.HandVoided(hand=HAND, outcome=Outcome.DEAD), "Hand 3 is, by decision, dead"),
    (ev.HandVoided(hand=HAND, outcome=Outcome.VOID), "void: it sits out"),
    (ev.WagerPlaced(seat=3, spot=3, amount_cents=0), "Seat 3 clears spot 3"),
    (ev.InsuranceDeclined(seat=3, by_closing=True), "had not answered when"),
    (
        ev.CashMoved(seat=3, step=CashStep.SPREAD, amount_cents=0),
        "Seat 3's cash is spread in view",
    ),
    (
        ev.CashMoved(seat=3, step=CashStep.STATE, amount_cents=500),
        "The cash of seat 3 is stated as 5",
    ),
    (
        ev.CashMoved(seat=3, step=CashStep.CHIPS, amount_cents=500),
        "Seat 3 gets chips for 5",
    ),
    (ev.CashDropped(seat=3, amount_cents=500), "5, goes to the drop box"),
    (ev.PanelBack(seat=3), "The panel of seat 3 is back"),
    (ev.DealerEntryAllowed(seat=3), "The dealer may enter the choices of seat 3"),
    (
        ev.CardCorrected(number=1, hand=HAND, was=Card("5c"), card=Card("6c")),
        "What lies at hand 3 is the six of clubs, not the five of clubs",
    ),
    (
        ev.CardOpened(number=9, card=Card("5c"), salt="", raw=""),
        "Card number 9, never shown, was the five of clubs",
    ),
    (ev.CashReturned(seat=3, amount_cents=500), "The cash goes back to seat 3"),
    (
        ev.RulesetSet(
            rules=replace(RULES, approval=Approval("The Board", "7/26", "2026-01-31"))
        ),
        "in force from the next round on, approved by The Board under 7/26",
    ),
    (ev.ShiftClosed(shift=2), "Shift 2 is closed"),
    (ev.ShoeShuffled(count=312), "it counts 312 cards"),
    (ev.ShoeShuffled(count=311, differs=True), "not what the record expects"),
    (
        ev.ShoeReplaced(decks=6, short={Card("5c"): 2}, over={}),
        "short of 2 × 5c and over by nothing",
    ),
    (ev.CardReturned(card=Card("5c")), "The five of clubs is back in the shoe"),
    (ev.ShoeAdopted(boot_id=1, event_number=0, card_offset=5), "numbers its cards"),
    (ev.ShoeRemarked(remark=ShoeRemark.ALARM, words="E5"), "gives an alarm (E5)"),
    (ev.ShoeRemarked(remark=ShoeRemark.UNKNOWN_LINE), "its profile does not know"),
    (ev.UnseenCardNumbered(number=9), "left the shoe unseen and gets number 9"),
    (ev.PanelLost(seat=0), "The dealer's panel is lost and dark"),
    (ev.ButtonStuck(seat=3, button="hit"), "hit is held down and ignored"),
    (ev.ButtonReleased(seat=3, button="hit"), "hit is released and counts again"),
    (ev.PressesDropped(seat=3, total=4), "no place for presses, 4 since"),
    (ev.ClockStepped(stepped_ms=-1500), "set back by 1.5 s"),
    (ev.ClockStepped(stepped_ms=90_000), "set forward by 90 s"),
    (ev.DiskNearlyFull(free_bytes=1), "this round is the last one"),
    (ev.DiskRoomy(), "There is room"),
    (
        ev.MirrorLost(fault=MirrorFault.FULL, sequence=812),
        "its disk is full; it holds records up to 812",
    ),
    (
        ev.MirrorLost(fault=MirrorFault.SILENT, sequence=0),
        "nothing is heard of it; what it holds is not known",
    ),
    (ev.MirrorBack(), "in order again"),
    (ev.EnclosureOpened(), "enclosure of the table is opened"),
    (ev.EnclosureClosed(), "enclosure of the table is shut"),
    (ev.KeySwitchTurned(on=True), "key switch is turned on"),
    (ev.KeySwitchTurned(on=False), "key switch is turned off"),
    (ev.PanelsSlow(scan_ms=240), "each 240 ms: short presses are lost"),
    (ev.PanelsTimely(scan_ms=60), "often enough again, each 60 ms"),
    (
        ev.TestModeBegun(person="T1", role=Role.TECHNICIAN),
        "T1, technician, tries buttons and lamps by hand",
    ),
    (
        ev.TestModeEnded(why=EndOfTestMode.ASKED, person="S1"),
        "test mode is ended by S1; the table is as it was before",
    ),
    (ev.TestModeEnded(why=EndOfTestMode.SILENT), "nothing was heard of who began it"),
    (
        cm.TryButton(seat=3, button="hit", prompt=0, boot_id=1, number=1),
        "Seat 3: HIT was pressed while lamps were lit by hand; it counts for nothing",
    ),
    (
        ev.ComputerFaultFound(fault=ComputerFault.UNDER_VOLTAGE),
        "The computer's supply is too weak",
    ),
    (
        ev.ComputerFaultEnded(fault=ComputerFault.THROTTLED),
        "no longer: The computer runs slowly",
    ),
    (ev.UsbDevicesFound(devices=()), "the table's own: nothing"),
    (ev.UsbDevicesFound(devices=(STICK,)), "own: storage, Cruzer (0781:5567)"),
    (ev.UsbDeviceInserted(device=STICK, own=False), "at USB port 2-1 is plugged in"),
    (ev.UsbDeviceInserted(device=STICK, own=True), "in, one of the table's own"),
    (ev.UsbDeviceRemoved(device=STICK, own=False), "has been away for a minute"),
    (ev.UsbDeviceRemoved(device=STICK, own=True), "a minute, one of the table's own"),
    (ev.InternalFault(input="{}", error=""), "could not handle an input"),
    (
        ev.DecisionTaken(
            command="key-card",
            person="S1",
            clause="MISREAD",
            reason="read by two",
            witness="D1",
        ),
        "Supervisor S1 decides key-card, witnessed by D1: read by two",
    ),
    (
        ev.IrregularityFound(
            irregularity=1, kind=Kind.PANEL_LOST, seat=3, hand=HAND, number=7, words="x"
        ),
        "(hand 3, seat 3, card number 7): x",
    ),
]


@pytest.mark.parametrize(("fact", "words"), RARE)
def test_rare_records_are_told_in_words(fact: object, words: str) -> None:
    assert words in said(fact)


@pytest.mark.parametrize(
    ("result", "net", "words"),
    [
        (
            InsuranceResult.WIN,
            2500,
            "wins: the dealer has blackjack; 12.50 at 2:1 pays 25, net +25",
        ),
        (InsuranceResult.LOSE, -1250, "loses: the dealer has no blackjack; net -12.50"),
        (InsuranceResult.RETURNED, 0, "goes back by decision; net 0"),
    ],
)
def test_insurance_is_told_with_its_arithmetic(
    result: InsuranceResult, net: int, words: str
) -> None:
    state = table(insured=(Insurance(3, 1250),))
    fact = ev.InsuranceSettled(seat=3, result=result, net_cents=net)
    assert said(fact, state) == f"Seat 3's insurance of 12.50 {words}"
