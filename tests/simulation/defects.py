"""Defects that are planted in a table, each a wrapper of `decide` or of what shows."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.commands import Command, Person
from controller.core.decide import Decision, decide
from controller.core.evolve import Record, replay
from controller.core.ids import Button, InsuranceResult, Outcome, Phase, Stage
from controller.core.outputs import Outputs, outputs
from controller.core.secrets import Secrets
from controller.core.state import Prompt, TableState, Wait

Rewrite = Callable[[Record, Decision], tuple[Record, ...]]
RecordT = TypeVar("RecordT", bound=Record)


# --- Records are other than they were -----------------------------------------------


def rewritten(
    kind: type[RecordT], change: Callable[[RecordT], tuple[Record, ...]]
) -> Callable[[TableState, Secrets, Command], Decision]:
    """Return a `decide` with every record of a kind changed, and folded so."""

    def planted(state: TableState, secrets: Secrets, command: Command) -> Decision:
        decision = decide(state, secrets, command)
        if not any(isinstance(record, kind) for record in decision.records):
            return decision
        records = tuple(_changed(decision.records, kind, change))
        return replace(decision, records=records, state=replay(state, records))

    return planted


def _changed(
    records: tuple[Record, ...],
    kind: type[RecordT],
    change: Callable[[RecordT], tuple[Record, ...]],
) -> Iterator[Record]:
    for record in records:
        if isinstance(record, kind):
            yield from change(record)
        elif not isinstance(record, ev.TableStateRecorded):
            yield record


def a_blackjack_pays_a_cent_more(record: ev.HandSettled) -> tuple[Record, ...]:
    natural = record.outcome is Outcome.BLACKJACK
    return (replace(record, net_cents=record.net_cents + natural),)


def a_hand_is_settled_twice(record: ev.HandSettled) -> tuple[Record, ...]:
    return (record, record)


def a_cent_is_lost_on_the_way(record: ev.RoundClosed) -> tuple[Record, ...]:
    return (replace(record, net_cents=record.net_cents - 1),)


def a_double_costs_a_cent_less(record: ev.HandDoubled) -> tuple[Record, ...]:
    return (replace(record, wager_cents=record.wager_cents - 1),)


def lost_insurance_is_paid(record: ev.InsuranceSettled) -> tuple[Record, ...]:
    if record.result is not InsuranceResult.LOSE:
        return (record,)
    paid = -2 * record.net_cents
    return (replace(record, result=InsuranceResult.WIN, net_cents=paid),)


def a_card_is_dealt_twice(record: ev.CardDealt) -> tuple[Record, ...]:
    return (record, record)


def the_dealers_cards_are_not_racked(record: ev.HandPickedUp) -> tuple[Record, ...]:
    return () if record.hand == "dealer" else (record,)


def a_racked_card_is_another(record: ev.HandPickedUp) -> tuple[Record, ...]:
    return (replace(record, cards=(*record.cards[1:], record.cards[0])),)


def a_reveal_opens_another_card(record: ev.HoleCardRevealed) -> tuple[Record, ...]:
    return (replace(record, salt=record.salt[::-1]),)


def prompts_keep_their_numbers(record: ev.PromptsChanged) -> tuple[Record, ...]:
    prompts = tuple(replace(prompt, number=1) for prompt in record.prompts)
    return (replace(record, prompts=prompts),)


# --- What is done with a command is other ---------------------------------------------


def stale_presses_count(
    state: TableState, secrets: Secrets, command: Command
) -> Decision:
    if isinstance(command, cm.PressButton):
        command = replace(command, prompt=state.prompts[command.seat].number)
    return decide(state, secrets, command)


def presses_count_again(
    state: TableState, secrets: Secrets, command: Command
) -> Decision:
    if isinstance(command, cm.PressButton):
        taken = state.seats[command.seat - 1].press_number
        prompt = state.prompts[command.seat].number
        command = replace(command, number=taken + 1, prompt=prompt)
    return decide(state, secrets, command)


def the_dealer_plays_the_other_soft_17(
    state: TableState, secrets: Secrets, command: Command
) -> Decision:
    if not isinstance(command, cm.ReportCard | cm.PressButton):
        return decide(state, secrets, command)
    rules = state.rules
    other = replace(rules, dealer_hits_soft_17=not rules.dealer_hits_soft_17)
    decision = decide(replace(state, rules=other), secrets, command)
    return replace(decision, state=replace(decision.state, rules=rules))


def nobody_may_decide(
    state: TableState, secrets: Secrets, command: Command
) -> Decision:
    if isinstance(command, cm.TakeDecision):
        command = replace(command, person=Person("N1"))
    return decide(state, secrets, command)


def an_ace_is_too_much(
    state: TableState, secrets: Secrets, command: Command
) -> Decision:
    if isinstance(command, cm.ReportCard) and command.card[0] == "A":
        raise ValueError("an ace")
    return decide(state, secrets, command)


# --- What comes of it is other ------------------------------------------------


def the_hole_cards_report_is_written(
    state: TableState, secrets: Secrets, command: Command
) -> Decision:
    decision = decide(state, secrets, command)
    if any(isinstance(record, ev.HoleCardDealt) for record in decision.records):
        return replace(decision, records=(command, *decision.records[1:]))
    return decision


def a_closed_lid_ends_a_suspension(
    state: TableState, secrets: Secrets, command: Command
) -> Decision:
    decision = decide(state, secrets, command)
    if not state.suspended or not isinstance(command, cm.ReportShoe):
        return decision
    cleared = tuple(
        ev.IrregularityCleared(irregularity=found.irregularity, kind=found.kind)
        for found in state.irregularities
    )
    resumed = ev.TableResumed(phase=state.play_phase)
    records = (*decision.records, *cleared, resumed)
    return replace(decision, records=records, state=replay(state, records))


def a_refused_press_starts_the_wait_anew(
    state: TableState, secrets: Secrets, command: Command
) -> Decision:
    decision = decide(state, secrets, command)
    if any(isinstance(record, ev.PressRefused) for record in decision.records):
        wait = Wait(decision.state.wait.number + 1, Stage.ASK)
        return replace(decision, state=replace(decision.state, wait=wait))
    return decision


def the_hole_card_turns_down_again(
    state: TableState, secrets: Secrets, command: Command
) -> Decision:
    decision = decide(state, secrets, command)
    dealer = replace(decision.state.play.dealer, revealed=False)
    return _with_play(decision, dealer=dealer)


def the_hole_card_counts_at_once(
    state: TableState, secrets: Secrets, command: Command
) -> Decision:
    decision = decide(state, secrets, command)
    if any(isinstance(record, ev.HoleCardDealt) for record in decision.records):
        return _with_play(decision, seen=(*decision.state.play.seen, "As"))
    return decision


def _with_play(decision: Decision, **changes: Any) -> Decision:  # noqa: ANN401 - fields of Play
    play = replace(decision.state.play, **changes)
    return replace(decision, state=replace(decision.state, play=play))


def buttons_are_tried_in_a_round(
    state: TableState, secrets: Secrets, command: Command
) -> Decision:
    if not isinstance(command, cm.BeginTestMode):
        return decide(state, secrets, command)
    begun = ev.TestModeBegun(person=command.person.id, role=command.person.role)
    records = (command, begun)
    return Decision(records, (), (), replay(state, records), secrets)


def a_hit_is_not_written(
    state: TableState, secrets: Secrets, command: Command
) -> Decision:
    decision = decide(state, secrets, command)
    kept = tuple(r for r in decision.records if not isinstance(r, ev.CardAsked))
    return replace(decision, records=kept)


# --- What shows is other ------------------------------------------------------


def another_seat_is_lit_too(state: TableState) -> Outputs:
    shown = outputs(state)
    if state.phase is not Phase.PLAYING:
        return shown
    hit = (Button.HIT.value,)
    prompts = (Prompt(p.seat, p.number, p.buttons or hit) for p in shown.prompts)
    return replace(shown, prompts=tuple(prompts))


def split_is_lit_on_any_hand(state: TableState) -> Outputs:
    shown = outputs(state)
    prompts = tuple(
        replace(prompt, buttons=(*prompt.buttons, Button.SPLIT.value))
        if prompt.seat and "hit" in prompt.buttons and "split" not in prompt.buttons
        else prompt
        for prompt in shown.prompts
    )
    return replace(shown, prompts=prompts)


def the_gate_is_open_while_a_player_thinks(state: TableState) -> Outputs:
    shown = outputs(state)
    if shown.gate_up_to or state.phase is not Phase.PLAYING:
        return shown
    return replace(shown, gate_up_to=state.shoe.last_card + 1)
