"""What a supervisor may decide, when, and what stands against it (Irregularities)."""

import pytest

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.cards import Card
from controller.core.commands import Person
from controller.core.ids import (
    DEALER,
    HandId,
    Kind,
    Outcome,
    Phase,
    Reason,
    Role,
    Stage,
)
from controller.core.ruleset_digest import ruleset_digest
from tests.core.table import SUPERVISOR, WITNESS, Table, dealt, open_table, rules

ONE, TWO = HandId("1"), HandId("2")
NOT_NOW = Reason.DECISION_NOT_APPLICABLE


def by(
    person: Person, decision: dc.Decision, witness: Person | None = WITNESS
) -> cm.TakeDecision:
    return cm.TakeDecision(person=person, decision=decision, witness=witness)


def because(table: Table) -> str:
    """Return the words of a refusal."""
    (refusal,) = [r for r in table.caused if isinstance(r, ev.CommandRefused)]
    assert refusal.reason is NOT_NOW
    return refusal.because


def stopped(faces: str = "5h 6c 4d Kd", wagers: tuple[int, ...] = (2500,)) -> Table:
    return dealt(faces, wagers).dealer("call")


def kinds(table: Table) -> list[Kind]:
    return [found.kind for found in table.state.irregularities]


# --- Who decides --------------------------------------------------------------


def test_only_a_supervisor_who_is_not_the_dealer_decides() -> None:
    table = stopped()
    for person, reason in (
        (Person("x", Role.UNKNOWN), Reason.UNKNOWN_PERSON),
        (Person("T1", Role.TECHNICIAN), Reason.SUPERVISOR_REQUIRED),
        (Person("D1", Role.SUPERVISOR), Reason.SUPERVISOR_REQUIRED),
        (SUPERVISOR, None),
    ):
        assert table.after(by(person, dc.Resume())).refused is reason


@pytest.mark.parametrize(
    "witness", [None, SUPERVISOR, Person("x", Role.UNKNOWN)], ids=str
)
def test_a_card_is_keyed_and_a_shoe_replaced_with_a_second_known_person(
    witness: Person | None,
) -> None:
    unread = dealt("??")
    keyed = by(SUPERVISOR, dc.KeyCard(Card("Th")), witness)
    assert unread.after(keyed).refused is Reason.WITNESS_REQUIRED
    replaced = by(SUPERVISOR, dc.NewShoe(6), witness)
    assert unread.after(replaced).refused is Reason.WITNESS_REQUIRED


def test_a_hand_that_is_not_there_is_unknown() -> None:
    table = stopped()
    for decision in (
        dc.VoidHand(HandId("5")),
        dc.VoidHand(DEALER),
        dc.DealerMissed(second=True, hand=DEALER),
        dc.PlayAsDealt(DEALER),
        dc.MissedFirst(5),
        dc.MissedSecond(5),
        dc.DiscardCard(HandId("1.2"), 1),
    ):
        assert table.decided(decision).refused is Reason.UNKNOWN_HAND


def test_at_a_table_that_plays_nothing_is_decided_but_three_things() -> None:
    playing = dealt("5h 6c 4d Kd")
    assert playing.decided(dc.Resume()).refused is NOT_NOW
    assert playing.decided(dc.NewShoe(6)).refused is NOT_NOW
    assert playing.decided(dc.SetRules(rules())).refused is Reason.ROUND_OPEN
    between = open_table()
    assert between.decided(dc.NewShoe(6)).refused is None
    assert between.decided(dc.SetRules(rules("house"))).refused is None
    lost = playing.after(cm.ReportPanel(seat=2, lost=True))
    assert lost.decided(dc.AllowDealerEntry(2)).refused is None


def test_a_deal_names_the_rules_that_the_round_is_played_by() -> None:
    """VAR: the records of one round prove by themselves which rules it had."""
    for in_force in (rules("colorado"), rules("house")):
        changed = open_table().decided(dc.SetRules(in_force))
        table = changed.press(1, "bet", 500).dealer("deal")
        (closed,) = (r for r in table.caused if isinstance(r, ev.BetsClosed))
        assert closed.ruleset_digest == ruleset_digest(in_force)
    assert ruleset_digest(rules("colorado")) != ruleset_digest(rules("house"))


def test_a_decision_is_recorded_with_who_why_and_its_clause() -> None:
    table = stopped().after(
        cm.TakeDecision(
            person=SUPERVISOR,
            decision=dc.VoidHand(ONE),
            reason="spilt",
            witness=WITNESS,
        )
    )
    (taken,) = [r for r in table.caused if isinstance(r, ev.DecisionTaken)]
    assert (taken.command, taken.clause, taken.hand) == ("void-hand", "IRR-1", "1")
    assert (taken.person, taken.witness, taken.reason) == ("S1", "S2", "spilt")


# --- What stands against it ---------------------------------------------------


@pytest.mark.parametrize(
    ("table", "decision", "words"),
    [
        (open_table().dealer("call"), dc.VoidRound(), "no round is open"),
        (stopped("Ah 6c Kh Kd"), dc.Misdeal(), "the round is settled"),
        (open_table().card("5h"), dc.Resume(), "a card is undecided"),
        (dealt("Th").report("9s", 3), dc.Resume(), "not accounted for"),
        (dealt("??"), dc.Resume(), "card_unread persists"),
        (stopped("Ah 6c Kh Kd"), dc.MissedFirst(1), "the deal is over"),
        (stopped("Ah 6c Kh Kd"), dc.DealerMissed(second=False), "the deal is over"),
        (stopped("Ah 6c Kh Kd"), dc.DealerMissed(second=True), "no hole card lies"),
        (stopped(), dc.PlayAsDealt(ONE), "was asked for"),
        (stopped("5h"), dc.PlayAsDealt(ONE), "have not acted yet"),
        (stopped("Ah 6c Kh Kd"), dc.OfferChoice(ONE), "only before"),
        (stopped("Ah 6c Kh Kd"), dc.ExposeHole(), "no hole card lies face down"),
        (stopped(), dc.DiscardCard(ONE, 3), "hand 1 has no card 3"),
        (stopped(""), dc.NoCard(), "no card was dealt"),
        (open_table().dealer("call"), dc.NoCard(), "no round is open"),
        (stopped(), dc.UseCard(), "no card is undecided"),
        (stopped(), dc.OfferCard(), "no card is undecided"),
        (stopped(), dc.BurnCard(), "no card is undecided"),
        (open_table().card("5h"), dc.OfferCard(), "only after the first two cards"),
        (dealt("5h 6c 4d Kd").card("7h"), dc.BurnCard(), "IRR-8 holds here"),
        (dealt("5h 6c 4d Kd").card("??"), dc.OfferCard(), "the card is not read"),
        (stopped(), dc.KeyCard(Card("Th")), "no card is unread"),
        (dealt("??"), dc.KeyCard(Card("X1")), "X1 is not in this shoe's decks"),
        (stopped(), dc.CorrectCard(DEALER, 2, Card("Th")), "is not revealed"),
        (stopped(), dc.CorrectCard(ONE, 1, Card("5h")), "says 5h already"),
        (stopped(), dc.CorrectCard(ONE, 1, Card("X1")), "not in this shoe's decks"),
        (stopped(), dc.NewShoe(4), "the ruleset plays with 6 decks"),
        (stopped(), dc.AllowDealerEntry(1), "the panel of seat 1 works"),
        (stopped(), dc.LiesAt(DEALER), "lies there already"),
        (dealt("5h 6c 4d Kd").card("7h"), dc.LiesAt(ONE), "a card is undecided"),
        (open_table(), dc.SetRules(problem="no such key"), "no such key"),
    ],
)
def test_what_stands_against_a_decision_is_said(
    table: Table, decision: dc.Decision, words: str
) -> None:
    refused = table.decided(decision)
    assert words in because(refused)
    assert refused.state.play == table.state.play


def test_a_hand_is_made_void_once() -> None:
    table = stopped("5h 5s 6c 4d 6s Kd", (2500, 2500)).decided(dc.VoidHand(ONE))
    again = table.dealer("call").decided(dc.VoidHand(ONE))
    assert "void already" in because(again)


def test_a_leave_is_given_once() -> None:
    table = dealt("5h 6c 4d Kd").after(cm.ReportPanel(seat=2, lost=True))
    allowed = table.decided(dc.AllowDealerEntry(2))
    assert "leave already" in because(allowed.decided(dc.AllowDealerEntry(2)))


def test_a_second_card_is_not_offered_while_one_is() -> None:
    offered = dealt("5h 6c 4d Kd").card("7h").decided(dc.OfferCard())
    assert offered.state.play.offer is not None
    assert "on offer already" in because(offered.card("8h").decided(dc.OfferCard()))


def test_an_unread_hole_card_is_not_exposed_before_it_is_keyed() -> None:
    table = dealt("5h 6c 4d ??")
    assert "not read" in because(table.decided(dc.ExposeHole()))
    keyed = table.decided(dc.KeyCard(Card("Kd")))
    assert keyed.state.phase is Phase.PLAYING
    exposed = keyed.dealer("call").decided(dc.ExposeHole())
    assert exposed.state.play.dealer.cards == ("6c", "Kd")


# --- Taking back: what people did stays, or the decision is refused -----------


def test_a_press_that_would_no_longer_be_possible_refuses_the_decision() -> None:
    table = dealt("Th 6c 9d Kd").press(1, "double").card("2h").dealer("call")
    # An ace would have made a blackjack, which is never doubled.
    refused = table.decided(dc.CorrectCard(ONE, 2, Card("Ad")))
    assert "double was pressed" in because(refused)
    assert table.decided(dc.CorrectCard(ONE, 2, Card("8d"))).refused is None


def test_a_card_dealt_since_refuses_the_decision() -> None:
    table = dealt("5h 6c 4d Kd").press(1, "hit").card("2h").press(1, "hit").card("3h")
    table = table.dealer("call")
    assert "since" in because(table.decided(dc.NoCard(ONE, 3)))
    assert table.decided(dc.NoCard()).refused is None


def test_an_answer_to_insurance_stays_or_refuses_the_decision() -> None:
    table = dealt("5h As 4d 9d").press(1, "insure").dealer("call")
    other = table.decided(dc.CorrectCard(DEALER, 1, Card("9s")))
    assert "answered the insurance" in because(other)
    same = table.decided(dc.CorrectCard(ONE, 1, Card("5c")))
    assert same.refused is None
    assert [answer.amount_cents for answer in same.state.play.insured] == [1250]


def test_a_hand_that_was_passed_over_stays_so() -> None:
    table = dealt("5h 5s 6c 4d 6s Kd", (2500, 2500))
    for stage in (Stage.ASK, Stage.MOVE_ON):
        table = table.after(cm.ReachTime(wait=table.state.wait.number, stage=stage))
    table = table.dealer("next").dealer("call")
    same = table.decided(dc.CorrectCard(ONE, 1, Card("6h")))
    assert same.refused is None
    assert same.hand("1").stood
    complete = table.decided(dc.CorrectCard(ONE, 1, Card("7h")))
    assert complete.refused is None


def test_an_offer_taken_or_refused_stays_so() -> None:
    table = dealt("5h 5s 6c 4d 6s Kd", (2500, 2500)).card("2h").decided(dc.OfferCard())
    taken = table.press(1, "pass").press(2, "hit").dealer("call")
    changed = taken.decided(dc.CorrectCard(TWO, 1, Card("4s")))
    assert changed.refused is None
    assert changed.hand("2").cards == ("4s", "6s", "2h")
    assert changed.hand("1").stood


def test_a_choice_that_was_made_stays_so() -> None:
    table = dealt("Th 5s 6c 6d 6s Kd", (2500, 2500)).press(1, "stand").card("2h")
    chosen = table.decided(dc.OfferChoice(ONE)).press(1, "pass").dealer("call")
    assert chosen.hand("1").settled is Outcome.PUSH
    changed = chosen.decided(dc.CorrectCard(ONE, 3, Card("3h")))
    assert changed.refused is None
    assert changed.hand("1").settled is Outcome.PUSH
    assert changed.hand("1").cards == ("Th", "6d", "3h")


def test_a_card_that_was_identified_or_corrected_stays_so() -> None:
    table = dealt("??", (2500, 2500)).decided(dc.KeyCard(Card("Th")))
    table = table.card("5s", "6c", "6d", "6s", "Kd").dealer("call")
    once = table.decided(dc.CorrectCard(TWO, 2, Card("7s"))).dealer("call")
    twice = once.decided(dc.CorrectCard(TWO, 1, Card("4s")))
    assert twice.refused is None
    assert twice.hand("1").cards == ("Th", "6d")
    assert twice.hand("2").cards == ("4s", "7s")


def test_a_card_keyed_since_keeps_its_face() -> None:
    table = dealt("Th ??", (2500, 2500)).decided(dc.KeyCard(Card("5s")))
    table = table.card("6c").dealer("call")
    changed = table.decided(dc.CorrectCard(ONE, 1, Card("9h")))
    assert changed.refused is None
    assert changed.hand("1").cards == ("9h",)
    assert changed.hand("2").cards == ("5s",)
    assert changed.state.play.dealer.cards == ("6c",)


def test_nothing_is_taken_back_past_a_shuffle() -> None:
    table = dealt("5h 6c 4d Kd").press(1, "hit").shoe("empty").shoe("shuffled")
    table = table.decided(dc.Resume()).card("2h").dealer("call")
    refused = table.decided(dc.CorrectCard(ONE, 1, Card("6h")))
    assert "shuffled since" in because(refused)
    assert table.decided(dc.CorrectCard(ONE, 3, Card("3h"))).refused is None


def test_a_burned_card_is_burned_once_when_play_is_told_anew() -> None:
    table = dealt("5h 6c 4d Kd").card("2h").decided(dc.OfferCard()).press(1, "pass")
    assert table.state.play.offer is None
    table = table.dealer("call")
    changed = table.decided(dc.CorrectCard(ONE, 1, Card("6h")))
    assert changed.refused is None
    taken = [card for card in changed.state.play.dealer.cards if card == "2h"]
    assert taken == ["2h"]


def test_the_card_after_a_gap_is_undecided_where_none_is_due() -> None:
    table = dealt("5h 6c 4d Kd").report("9s", 6)
    assert kinds(table) == [Kind.SHOE_POSITION_UNKNOWN]
    known = table.decided(dc.NoCard()).decided(dc.Resume())
    assert known.refused is None
    assert kinds(known) == [Kind.CARD_DRAWN_IN_ERROR]
    assert known.decided(dc.DiscardCard()).state.play.rack[-1].cards == ("9s",)


def test_a_missing_card_that_was_not_due_is_undecided_once_it_is_keyed() -> None:
    table = dealt("5h 6c 4d Kd").report("9s", 6)
    keyed = table.after(
        cm.TakeDecision(
            person=SUPERVISOR,
            decision=dc.KeyCard(Card("8s")),
            witness=WITNESS,
            salt="00" * 32,
            commitment="ab",
        )
    )
    assert keyed.refused is None
    assert [card.number for card in keyed.state.undecided] == [5]


def test_voiding_a_round_accounts_for_what_was_missing_and_waiting() -> None:
    table = dealt("5h").report("9s", 3).decided(dc.VoidRound())
    assert table.refused is None
    assert table.state.phase is Phase.SETTLED
    assert table.state.missing == ()
    assert table.state.waiting == ()
    assert table.state.play.rack[0].cards == ("9s",)


def test_voiding_a_round_burns_the_card_on_offer_and_returns_insurance() -> None:
    table = dealt("5h As 4d 9d").press(1, "insure", 1000).card("2h")
    void = table.decided(dc.VoidRound())
    assert void.state.play.insured[0].net_cents == -1000
    open_answer = dealt("5h 5s As 4d 4s 9d", (2500, 2500)).press(1, "insure")
    void = open_answer.dealer("call").decided(dc.VoidRound())
    assert void.state.play.insured[0].net_cents == 0
    offered = dealt("5h 6c 4d Kd").card("2h").decided(dc.OfferCard()).dealer("call")
    void = offered.decided(dc.VoidRound())
    assert void.state.play.rack[0].cards == ("2h",)
    assert void.state.play.offer is None


def test_a_misdeal_returns_insurance_that_was_settled_too() -> None:
    table = dealt("5h As 4d 9d").press(1, "insure", 1000).dealer("call")
    dead = table.decided(dc.Misdeal())
    assert dead.hand("1").settled is Outcome.DEAD
    assert dead.state.play.insured[0].net_cents == 0
    closed = dead.dealer("pickup")
    assert (
        next(r for r in closed.caused if isinstance(r, ev.RoundClosed)).net_cents == 0
    )


# --- The deal, laid anew ------------------------------------------------------


def test_the_card_taken_for_the_hole_card_is_the_first_hands_in_turn() -> None:
    table = dealt("Ah 5s 6c Kh 4s Kd", (2500, 2500)).dealer("call")
    missed = table.decided(dc.DealerMissed(second=True))
    assert missed.hand("1").cards == ("Ah", "Kh")
    assert missed.hand("2").cards == ("5s", "4s", "Kd")
    assert missed.state.play.dealer.cards == ("6c",)
    assert missed.state.phase is Phase.DEALING


def test_where_no_hand_could_have_taken_it_the_dealer_missed_nothing() -> None:
    table = dealt("Ah As Kh 9d").dealer("call")
    refused = table.decided(dc.DealerMissed(second=True))
    assert "no hand could have taken" in because(refused)


def test_a_hole_card_that_lay_face_up_is_discarded_and_the_next_takes_its_place() -> (
    None
):
    table = dealt("5h 6c 4d Kd").dealer("call").decided(dc.DiscardCard())
    assert table.refused is None
    assert table.state.play.rack[0].cards == ("Kd",)
    assert table.secrets.of(4) is None
    assert table.card("9d").state.play.dealer.numbers == (2, 5)


def test_a_dealers_card_that_is_no_longer_due_refuses_the_decision() -> None:
    table = dealt("Th 6c 9s Kd").press(1, "stand").card("8d").dealer("call")
    refused = table.decided(dc.CorrectCard(DEALER, 1, Card("9c")))
    assert "card 5 was dealt to dealer since" in because(refused)


def test_an_offered_card_that_was_burned_is_not_burned_again() -> None:
    table = dealt("Th 7c 9s Kd").card("2h").decided(dc.OfferCard()).press(1, "pass")
    assert table.state.phase is Phase.SETTLED
    changed = table.dealer("call").decided(dc.CorrectCard(ONE, 1, Card("Jh")))
    assert changed.refused is None
    assert [group.cards for group in changed.state.play.rack] == [("2h",)]


def test_the_dealers_draw_given_to_a_hand_may_bust_it() -> None:
    table = dealt("Th 6c 6d Kd").press(1, "stand").card("9h").dealer("call")
    bust = table.decided(dc.PlayAsDealt(ONE))
    assert bust.hand("1").settled is Outcome.BUST
    assert bust.hand("1").cards == ("Th", "6d", "9h")
    assert bust.state.phase is Phase.SETTLED


# --- The hole card unread, held, exposed --------------------------------------


def test_an_unread_hole_card_is_needed_at_the_peek_and_not_before() -> None:
    table = dealt("5h As 4d ??").decided(dc.Resume())
    assert table.state.phase is Phase.INSURANCE
    closed = table.press(1, "insure")
    assert kinds(closed) == [Kind.CARD_UNREAD]
    assert "card_unread persists" in because(closed.decided(dc.Resume()))
    other = closed.decided(dc.CorrectCard(ONE, 1, Card("6h")))
    assert other.refused is None
    assert kinds(other) == [Kind.CARD_UNREAD]
    keyed = closed.decided(dc.KeyCard(Card("Kd")))
    assert keyed.state.phase is Phase.SETTLED
    assert keyed.state.play.insured[0].net_cents == 2500


def test_an_unread_hole_card_under_a_ten_is_needed_at_once() -> None:
    table = dealt("5h Ts 4d ??")
    assert "card_unread persists" in because(table.decided(dc.Resume()))


def test_the_peek_sees_an_exposed_hole_card() -> None:
    table = dealt("5h As 4d Kd").dealer("call").decided(dc.ExposeHole())
    assert table.state.play.dealer.cards == ("As", "Kd")
    assert table.press(1, "pass").state.play.peeked is True


def test_a_card_drawn_while_stopped_may_become_the_hole_card() -> None:
    table = dealt("5h 6c 4d").dealer("call").card("Kd").decided(dc.UseCard())
    assert table.state.phase is Phase.PLAYING
    assert table.state.play.dealer.cards == ("6c", "??")
    sealed = table.secrets.of(4)
    assert sealed is not None
    assert sealed.card == "Kd"


def test_a_held_card_that_nobody_could_read_stops_the_table_when_it_is_dealt() -> None:
    table = dealt("5h 6c").dealer("call").card("??").decided(dc.UseCard())
    assert table.hand("1").cards == ("5h", "??")
    assert kinds(table) == [Kind.CARD_UNREAD]


# --- Cards nobody reported, and the rest --------------------------------------


def test_a_missing_card_may_have_been_burned() -> None:
    table = open_table(rules(burn_after_shuffle=1)).shoe("shuffled")
    table = table.press(1, "bet", 2500).dealer("deal").report("9s", 2)
    keyed = table.after(
        cm.TakeDecision(
            person=SUPERVISOR,
            decision=dc.KeyCard(Card("8s")),
            witness=WITNESS,
            salt="00" * 32,
            commitment="ab",
        )
    )
    assert keyed.state.play.rack[0].cards == ("??",)
    assert keyed.decided(dc.Resume()).hand("1").cards == ("9s",)


def test_an_unread_card_after_a_gap_is_laid_unread() -> None:
    table = dealt("5h").report("??", 3).decided(dc.NoCard()).decided(dc.Resume())
    assert table.state.play.dealer.cards == ("??",)
    assert kinds(table) == [Kind.CARD_UNREAD]


def test_what_is_void_already_stays_so_when_the_round_is_void() -> None:
    table = dealt("5h", (2500, 2500)).dealer("call").decided(dc.MissedFirst(2))
    assert table.hand("2").settled is Outcome.VOID
    void = table.dealer("call").decided(dc.VoidRound())
    assert void.hand("1").settled is Outcome.PUSH
    assert void.hand("2").settled is Outcome.VOID


def test_a_new_shoe_opens_what_the_old_one_left_sealed() -> None:
    table = (
        open_table(rules(burn_after_shuffle=1)).shoe("shuffled").press(1, "bet", 500)
    )
    table = table.dealer("deal").card("2c", "5h", "6c", "4d", "Kd").dealer("call")
    replaced = table.decided(dc.NewShoe(6))
    opened = [r for r in replaced.caused if isinstance(r, ev.CardOpened)]
    assert [record.card for record in opened] == ["2c"]
    assert replaced.state.sealed == ()


def test_who_is_allowed_for_is_no_longer_waited_for_in_the_dark() -> None:
    lost = dealt("5h 5s As 5d 6s Kd", (2500, 2500))
    lost = lost.after(
        cm.ReportPanel(seat=1, lost=True), cm.ReportPanel(seat=2, lost=True)
    )
    allowed = lost.decided(dc.AllowDealerEntry(2))
    assert [found.seat for found in allowed.state.irregularities] == [1]


def test_split_aces_may_be_split_again_where_the_rules_say_so() -> None:
    in_force = rules("house", resplit_aces="true")
    table = dealt("Ah 6c As Kd", in_force=in_force).press(1, "split").card("Ad")
    assert table.state.prompts[1].buttons == ("stand", "split")
    again = table.press(1, "split").card("9h")
    assert again.state.play.turn == "1.2"


def test_an_exposed_hole_card_that_is_a_players_after_all_is_laid_there() -> None:
    table = dealt("2h 3h 4h 5h 6h", (2500, 2500)).dealer("call")
    hole = table.decided(dc.MissedSecond(1, after_dealer=True))
    assert hole.state.play.dealer.cards == ("4h", "6h")
    assert hole.hand("2").cards == ("3h", "5h")
    both = hole.dealer("call").decided(dc.MissedSecond(2, after_dealer=True))
    assert both.refused is None
    assert both.state.play.dealer.cards == ("4h", "5h")
    assert both.hand("2").cards == ("3h", "6h")
    assert [place.hand for place in both.state.play.places] == ["1"]


def test_cards_laid_again_come_before_one_that_was_held_since() -> None:
    """IRR-7: the held card left the shoe after them, and is no business of theirs."""
    stopped_at_the_peek = dealt("5c Td Kc ??").card("9h").decided(dc.UseCard())
    laid_anew = stopped_at_the_peek.decided(dc.DiscardCard(ONE, 2))
    assert laid_anew.refused is None
    assert laid_anew.hand("1").numbers == (1, 4)
    keyed = laid_anew.decided(dc.KeyCard(Card("6d")))
    assert keyed.hand("1").cards == ("5c", "6d")
    assert keyed.state.play.dealer.numbers == (2, 5)


@pytest.mark.parametrize(
    "kind", [Kind.JOURNAL_DAMAGED, Kind.JOURNAL_BEHIND, Kind.JOURNAL_FULL]
)
def test_nothing_is_decided_in_a_journal_that_cannot_be_used(kind: Kind) -> None:
    table = stopped().after(cm.ReportFault(kind=kind, words=""))
    for decision in (dc.Resume(), dc.VoidRound(), dc.Misdeal(), dc.NewShoe(6)):
        assert "call the technician" in because(table.decided(decision))
    assert kind in kinds(table)
