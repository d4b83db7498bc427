"""What is offered to a supervisor: exactly what would be accepted, by public facts."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core.cards import is_face, value
from controller.core.commands import Person
from controller.core.decide.supervisor import why_not
from controller.core.guidance import Offered, Use, offered
from controller.core.ids import DEALER, NO_HAND, HandId, Kind, Role
from controller.core.rules import composition
from controller.core.secrets import Secrets
from controller.core.state import TableState
from simulators.rigs.soak.rig import Rig
from tests.core.table import WITNESS, Table, dealt, open_table, rules
from tests.simulation.any_commands import AnyCommands
from tests.simulation.tables import RULESETS

STEPS = 60
S9 = Person("S9", Role.SUPERVISOR)


def is_accepted(state: TableState, secrets: Secrets, decision: dc.Decision) -> bool:
    command = cm.TakeDecision(person=S9, decision=decision, witness=WITNESS)
    return why_not(state, secrets, command) is None


def nameable(state: TableState) -> list[dc.Decision]:
    """Return every decision that can be typed, but for cards and rulesets."""
    hands = [NO_HAND, DEALER, *(hand.id for hand in state.play.hands), HandId("9")]
    cards = [(hand, at) for hand in hands[1:] for at in range(1, 13)]
    numbers = range(1, state.seat_count + 1)
    return [
        dc.Resume(),
        dc.VoidRound(),
        dc.Misdeal(),
        dc.UseCard(),
        dc.OfferCard(),
        dc.BurnCard(),
        dc.ExposeHole(),
        *(of(*named) for of in (dc.DiscardCard, dc.NoCard) for named in cards),
        *(of() for of in (dc.DiscardCard, dc.NoCard)),
        *(
            of(hand)
            for of in (dc.VoidHand, dc.PlayAsDealt, dc.OfferChoice, dc.LiesAt)
            for hand in hands[1:]
        ),
        *(of(spot) for of in (dc.MissedFirst, dc.MissedSecond) for spot in numbers),
        *(dc.MissedSecond(spot, after_dealer=True) for spot in numbers),
        dc.DealerMissed(second=False),
        *(dc.DealerMissed(second=True, hand=hand) for hand in hands),
        *(dc.AllowDealerEntry(seat) for seat in numbers),
        dc.NewShoe(state.rules.decks),
    ]


def correctable(state: TableState, secrets: Secrets) -> set[tuple[HandId, int]]:
    """Return which laid cards could be corrected to at least one other face."""
    lying = [(hand.id, hand.cards) for hand in state.play.hands]
    return {
        (hand, at)
        for hand, cards in (*lying, (DEALER, state.play.dealer.cards))
        for at in range(1, len(cards) + 1)
        if any(
            is_accepted(state, secrets, dc.CorrectCard(hand, at, card))
            for card in composition(state.rules)
        )
    }


def check(state: TableState, secrets: Secrets) -> None:
    """Compare what is offered with what the table accepts."""
    offers = [found.decision for found in offered(state)]
    assert len(set(offers)) == len(offers)
    plain = {one for one in offers if not to_be_typed(one)}
    assert plain == {one for one in nameable(state) if is_accepted(state, secrets, one)}
    corrections = {
        (one.hand, one.position) for one in offers if isinstance(one, dc.CorrectCard)
    }
    assert corrections == correctable(state, secrets)
    some_card = dc.KeyCard(next(iter(composition(state.rules))))
    keyable = any(isinstance(one, dc.KeyCard) for one in offers)
    assert keyable is is_accepted(state, secrets, some_card)
    settable = any(isinstance(one, dc.SetRules) for one in offers)
    assert settable is is_accepted(state, secrets, dc.SetRules(state.rules))


def to_be_typed(decision: dc.Decision) -> bool:
    return isinstance(decision, dc.CorrectCard | dc.KeyCard | dc.SetRules)


def with_other_faces(rng: Random, rig: Rig) -> Secrets:
    """Return secrets of the same shape in which other cards lie face down.

    A peek has told that the hole card makes no blackjack.
    """
    faces = tuple(composition(rig.state.rules))
    if rig.state.play.peeked is False:
        faces = tuple(card for card in faces if value(card, 0) not in (1, 10))
    return Secrets(
        tuple(
            replace(card, card=rng.choice(faces)) if is_face(card.card) else card
            for card in rig.secrets.cards
        )
    )


def play(chance: Random, steps: int) -> None:
    """Let anything happen at a small table, and compare whenever it is stopped."""
    in_force = RULESETS[chance.choice(sorted(RULESETS))]
    rig = Rig(in_force, chance.choice((1, 2)))
    make = AnyCommands(rig)
    for _ in range(steps):
        odd = rig.state.suspended or chance.random() < 0.15
        maker = chance.choice(make.anything()) if odd else make.asked_for
        if (command := maker(chance)) is None:
            continue
        rig.send(command)
        if rig.state.suspended or chance.random() < 0.1:
            check(rig.state, rig.secrets)
            check(rig.state, with_other_faces(chance, rig))


# --- Exactly what is accepted ---------------------------------------------------------


@settings(max_examples=12)
@given(chance=st.randoms(use_true_random=False))
def test_what_is_offered_is_accepted_and_what_is_not_is_refused(chance: Random) -> None:
    play(chance, STEPS // 2)


@pytest.mark.parametrize("seed", range(5))
def test_a_seed_of_any_commands_finds_offers_and_table_of_one_mind(seed: int) -> None:
    play(Random(seed), STEPS)


def test_whether_a_decision_applies_hangs_on_no_hidden_face() -> None:
    """An impossible hole card would have stopped what followed from a correction."""
    play(Random(1014), 2 * STEPS)


@pytest.mark.prove
@pytest.mark.parametrize("block", range(20))
def test_many_seeds_find_offers_and_table_of_one_mind(block: int) -> None:
    for seed in range(1_000 + 50 * block, 1_050 + 50 * block):
        play(Random(seed), 2 * STEPS)


# --- What a supervisor reads ----------------------------------------------------------


def found(table: Table, wanted: type) -> list[Offered]:
    return [one for one in offered(table.state) if type(one.decision) is wanted]


def lines(table: Table) -> list[str]:
    return [one.does for one in offered(table.state)]


STOPPED = dealt("Ts 9h 5c Kd 8s 7c 5h 6h", (2500, 5000, 2500)).dealer("call")


def test_the_usual_answers_come_first_then_what_ends_any_suspension() -> None:
    table = dealt("Ts 9h Kd 8s 7c 6h", (2500, 5000)).press(1, "stand").card("4c")
    uses = [one.use for one in offered(table.state)]
    assert uses == sorted(uses, key=[Use.ANSWER, Use.WAY_OUT, Use.ALSO].index)
    first = [type(one.decision) for one in offered(table.state)[:4]]
    assert first == [dc.UseCard, dc.OfferCard, dc.PlayAsDealt, dc.PlayAsDealt]
    assert all(one.answers for one in offered(table.state) if one.use is Use.ANSWER)


def test_a_card_after_stand_is_told_for_each_hand_that_could_have_it() -> None:
    table = dealt("Ts 9h Kd 8s 7c 6h", (2500, 5000)).press(1, "stand").card("4c")
    assert [one.does for one in found(table, dc.PlayAsDealt)] == [
        "Hand 1 keeps the card, which is shown, and is complete",
        "Hand 2 keeps the card, which is shown, and is complete",
    ]


def test_a_card_that_nobody_may_see_has_no_name_in_any_line() -> None:
    table = STOPPED.card("4c")
    assert not any("4c" in line or "6h" in line for line in lines(table))
    assert any("The hole card" in line for line in lines(table))


def test_two_irregularities_have_their_answers_one_after_the_other() -> None:
    table = dealt("Th", (2500,)).shoe("jam").card("4c").shoe("cleared")
    kinds = [one.kind for one in table.state.irregularities]
    assert kinds == [Kind.SHOE_FAULT, Kind.CARD_DRAWN_IN_ERROR]
    answers = [one.answers for one in offered(table.state) if one.use is Use.ANSWER]
    assert answers == sorted(answers)
    assert answers[-1] == (2,)


def test_a_card_stands_once_among_the_usual_answers() -> None:
    usual = [one.does for one in offered(STOPPED.state) if one.use is Use.ANSWER]
    assert len(set(usual)) == len(usual)
    drawn = dealt("Th", (2500,)).dealer("call").card("4c")
    bare = [one.does for one in found(drawn, dc.NoCard) if one.use is Use.ANSWER]
    assert bare[0].startswith("The undecided card was never drawn")


def test_only_key_card_and_new_shoe_ask_for_a_witness() -> None:
    for table in (STOPPED, dealt("??"), open_table()):
        for one in offered(table.state):
            witnessed = isinstance(one.decision, dc.KeyCard | dc.NewShoe)
            assert one.needs_witness is witnessed


def test_at_a_table_that_plays_only_a_lost_panel_asks_for_a_decision() -> None:
    playing = dealt("Ts 9h Kd 8s 7c 6h", (2500, 5000))
    assert offered(playing.state) == ()
    lost = playing.after(cm.ReportPanel(seat=2, lost=True))
    (leave,) = offered(lost.state)
    assert leave.decision == dc.AllowDealerEntry(2)
    assert leave.does == "The dealer enters seat 2's choices until its panel is back"


def test_between_rounds_rules_and_shoe_can_be_changed() -> None:
    kinds = {type(one.decision) for one in offered(open_table().state)}
    assert kinds == {dc.SetRules, dc.NewShoe}


def test_in_a_journal_that_cannot_be_used_nothing_is_offered() -> None:
    stopped = STOPPED.after(cm.ReportFault(kind=Kind.JOURNAL_DAMAGED, words="17"))
    assert offered(stopped.state) == ()


@pytest.mark.parametrize(
    ("table", "line"),
    [
        (STOPPED, "Nothing is changed: the table goes on where it stopped"),
        (STOPPED, "Hand 2 is a push: its 50 stay the player's"),
        (
            STOPPED,
            "Every hand is a push: all wagers go back, the hole card is turned up",
        ),
        (
            STOPPED,
            (
                "The 7c of hand 2 is another card on the felt; what followed is worked"
                " out anew"
            ),
        ),
        (
            STOPPED,
            "The hole card was seen: it is turned up for all, play goes on unchanged",
        ),
        (
            dealt("Th", (2500, 2500)).dealer("call"),
            "The Th of hand 1 is hand 2's; its place gets the next card",
        ),
        (
            dealt("Th", (2500, 2500)).dealer("call"),
            (
                "The Th of hand 1 was not to be played: it goes to the rack, the next"
                " takes its place"
            ),
        ),
        (
            dealt("Th", (2500, 2500)).dealer("call"),
            (
                "Spot 2 got no second card: it comes after all other players', before"
                " the dealer's"
            ),
        ),
        (dealt("??", (2500, 2500)), "The unread card of hand 1 is what you two read"),
        (dealt("Th 5c Kc ??"), "The hole card is what you two read; it stays secret"),
        (dealt("Th").report("9s", 3), "The missing card lies at the dealer"),
        (
            dealt("Th").report("9s", 3),
            "The oldest missing card was never drawn: its number is empty",
        ),
        (open_table().card("5h"), "The card is shown and burned to the rack"),
        (
            dealt("Th").shoe("jam").card("5c").shoe("cleared"),
            "Nobody saw the card: it goes to the dealer now",
        ),
        (
            open_table(rules(decks=1)),
            "Another shoe takes its place (1 decks); its count starts anew",
        ),
    ],
)
def test_a_line_says_what_will_happen(table: Table, line: str) -> None:
    assert line in lines(table)
