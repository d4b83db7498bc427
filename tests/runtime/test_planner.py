"""What a batch leads to: numbers, salts, waits, and an input that nobody can handle."""

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import decide as core
from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.cards import UNKNOWN, Card
from controller.core.commands import Command, Cursor
from controller.core.commitment import commitment
from controller.core.deadlines import Stopwatch, follow
from controller.core.evolve import replay
from controller.core.ids import Button, DealerButton, Kind, Phase, Reason, ShoeSign
from controller.core.outputs import gate_up_to
from controller.core.secrets import SealedCard, Secrets
from controller.core.state import TableState
from controller.journal.table_codec import CODEC
from controller.runtime import planner
from controller.runtime.planner import Answer, Asked, Plan, Standing, plan
from tests.core.table import SUPERVISOR, WITNESS, Table, dealt, open_table
from tests.runtime.bench import salts
from tests.runtime.clocks import StandingClock

NOW = 1000.0
STAMP = StandingClock().stamp()
BOOT = 0x5EA70003
FACE = "Qs"
RAW = "f00dbeef"

Decide = Callable[[TableState, Secrets, Command], core.Decision]


def standing(table: Table, since_s: float = NOW) -> Standing:
    watch = follow(Stopwatch(), table.state, since_s)
    return Standing(table.state, table.secrets, watch)


def planned(at: Standing, *batch: Asked, now: float = NOW) -> Plan:
    return plan(at, batch, now, STAMP, salts())


def bet(seat: int, state: TableState, number: int = 1) -> cm.PressButton:
    return cm.PressButton(
        seat=seat,
        button=Button.BET,
        prompt=state.prompts[seat].number,
        boot_id=BOOT,
        number=number,
        amount_cents=2500,
        with_amount=True,
    )


def card(number: int, face: str = FACE) -> cm.ReportCard:
    cursor = Cursor(BOOT, number)
    return cm.ReportCard(
        number=number,
        card=Card(face),
        unread=face == UNKNOWN,
        raw=RAW,
        cursor=cursor,
    )


def records(of: Plan) -> list[object]:
    return [record for one in of.decided for record in one.records]


def written(of: Plan) -> str:
    """Return everything that such a plan writes into the journal."""
    return "\n".join(CODEC.encode(r).body for one in of.decided for r in one.records)


# --- A batch ----------------------------------------------------------------------


def test_a_batch_is_worked_out_one_by_one_and_is_the_fold_of_its_records() -> None:
    at = standing(open_table(seats=3))
    batch = (bet(1, at.state), bet(2, at.state), bet(3, at.state))
    found = planned(at, *batch)
    assert [wager.seat for wager in found.after.state.wagers] == [1, 2, 3]
    everything = [record for one in found.decided for record in one.records]
    assert replay(at.state, everything) == found.after.state
    assert [answer.accepted for answer in found.answers] == [True] * 3
    # Each answer names the record of its own command.
    assert [everything[answer.offset or 0] for answer in found.answers] == list(batch)
    assert {one.stamp for one in found.decided} == {STAMP}


def test_what_is_repeated_is_answered_without_a_record() -> None:
    at = standing(open_table(seats=3))
    found = planned(at, bet(1, at.state), bet(1, at.state))
    assert found.answers[1] == Answer(accepted=True, offset=None)
    assert len(found.decided) == 1


def test_a_refusal_is_answered_with_its_reason() -> None:
    at = standing(open_table(seats=3))
    late = replace(bet(1, at.state), prompt=99)
    deal = cm.PressDealerButton(button=DealerButton.DEAL)
    unseated = cm.OpenSeat(seat=4)
    found = planned(at, late, deal, unseated)
    assert [(a.accepted, a.reason, a.because) for a in found.answers] == [
        (False, Reason.STALE_PRESS.value, ""),
        (False, Reason.NO_WAGER.value, ""),
        (False, Reason.UNKNOWN_SEAT.value, "this table has 3 seats"),
    ]
    offsets = [answer.offset for answer in found.answers]
    assert [type(records(found)[offset or 0]) for offset in offsets] == [
        cm.PressButton,
        cm.PressDealerButton,
        cm.OpenSeat,
    ]


# --- Numbers and salts ------------------------------------------------------------


def offset_by(table: Table, offset: int) -> Table:
    shoe = replace(table.state.shoe, boot_id=BOOT, card_offset=offset)
    return replace(table, state=replace(table.state, shoe=shoe))


def test_a_card_has_our_number_whatever_the_shoe_calls_it() -> None:
    at = standing(offset_by(dealt(""), -40))
    found = planned(at, card(41, "9s"))
    (dealt_card,) = [r for r in records(found) if isinstance(r, ev.CardDealt)]
    assert dealt_card.number == 1
    assert found.after.state.shoe.event_number == 41
    # The next one is the shoe's 42, and no card has left between.
    assert not planned(found.after, card(42, "8h")).after.state.suspended


def test_a_gap_counts_in_our_numbers_too() -> None:
    at = standing(offset_by(dealt(""), -40))
    gap = cm.ReportGap(last=42, cursor=Cursor(BOOT, 3))
    (missing,) = [
        r for r in records(planned(at, gap)) if isinstance(r, ev.CardNumbersMissing)
    ]
    assert (missing.first, missing.last) == (1, 2)


def test_what_comes_without_a_cursor_is_numbered_already() -> None:
    at = standing(offset_by(dealt(""), -40))
    typed = replace(card(1, "9s"), cursor=None)
    assert planned(at, typed).after.state.shoe.last_card == 1
    gap = cm.ReportGap(last=2)
    assert planned(at, gap).after.state.missing == (1, 2)


def test_every_hidden_card_has_a_salt_of_its_own() -> None:
    at = standing(dealt("9s 8h 7s"))
    # The hole card, then two that nobody asked for.
    found = planned(at, *(card(number, "6d") for number in (4, 5, 6)))
    sealed = [row for one in found.decided for row in one.sealed]
    assert len({row.salt for row in sealed}) == len(sealed) == 3
    hidden = [r for r in records(found) if isinstance(r, ev.HoleCardDealt)]
    state = at.state
    assert hidden[0].commitment == _commitment(state, sealed[0])
    assert (sealed[0].card, sealed[0].raw) == ("6d", RAW)


def _commitment(state: TableState, row: SealedCard) -> str:
    salt = bytes.fromhex(row.salt)
    return commitment(salt, state.table, row.round, row.number, row.card).hex()


def test_a_hidden_card_is_in_no_record() -> None:
    found = planned(standing(dealt("9s 8h 7s")), card(4))
    (row,) = (row for one in found.decided for row in one.sealed)
    for secret in (FACE, RAW, row.salt):
        assert secret not in written(found)
    assert found.after.secrets.of(4) == row


def key(face: str) -> cm.TakeDecision:
    decision = dc.KeyCard(Card(face))
    return cm.TakeDecision(person=SUPERVISOR, decision=decision, witness=WITNESS)


def test_a_keyed_hole_card_is_sealed_and_in_no_record() -> None:
    at = standing(dealt("9s 8h 7s").card(UNKNOWN))
    assert at.state.suspended
    found = planned(at, key(FACE))
    (row,) = (row for one in found.decided for row in one.sealed)
    assert (row.number, row.card) == (4, FACE)
    assert FACE not in written(found)
    assert row.salt not in written(found)
    (keyed,) = [r for r in records(found) if isinstance(r, ev.HoleCardKeyed)]
    assert keyed.commitment == _commitment(at.state, row)


def test_a_keyed_card_of_a_player_is_public() -> None:
    at = standing(dealt("9s").card(UNKNOWN))
    assert FACE in written(planned(at, key(FACE)))


def test_a_card_keyed_where_none_is_unread_is_refused_and_not_told() -> None:
    found = planned(standing(dealt("9s 8h 7s 6d")), key(FACE))
    assert not found.answers[0].accepted
    assert FACE not in written(found)


def test_other_commands_are_taken_as_they_come() -> None:
    at = open_table(seats=3).state
    resume = cm.TakeDecision(person=SUPERVISOR, decision=dc.Resume())
    for command in (resume, cm.UndoDeal(), cm.ReportGap(last=3)):
        assert planner.prepare(at, command, salts()) is command


# --- Waits ------------------------------------------------------------------------


def test_a_stage_that_is_over_comes_before_the_batch() -> None:
    at = standing(dealt("9s 8h 7s 6d", in_force=None))
    ask = float(at.state.rules.ask_after_s)
    assert records(planned(at, now=NOW + ask - 0.001)) == []
    found = planned(at, cm.PressDealerButton(button=DealerButton.CALL), now=NOW + ask)
    kinds = [type(record) for record in records(found)]
    assert kinds[:2] == [cm.ReachTime, ev.PlayerAsked]
    # The answer counts from the batch's first record, behind what time did.
    offset = found.answers[0].offset
    assert offset is not None
    assert kinds[offset] is cm.PressDealerButton


def test_each_stage_has_its_own_time() -> None:
    at = standing(dealt("9s 8h 7s 6d"))
    rules = at.state.rules
    late = NOW + rules.ask_after_s + rules.move_on_after_s
    asked = planned(at, now=late)
    assert [type(r) for r in records(asked)][:2] == [cm.ReachTime, ev.PlayerAsked]
    # Noticed late, the second stage still lasts as long as it has to.
    assert records(planned(asked.after, now=late + rules.move_on_after_s - 1)) == []
    over = planned(asked.after, now=late + rules.move_on_after_s)
    assert ev.MoveOnAllowed in [type(r) for r in records(over)]
    assert records(planned(over.after, now=late + 1e6)) == []


# --- An input that nobody can handle ----------------------------------------------


def poison(
    monkeypatch: pytest.MonkeyPatch, poisonous: Callable[[Command], bool]
) -> None:
    """Let the core raise for some commands, with a card in its words."""
    real = core.decide

    def decide(state: TableState, secrets: Secrets, command: Command) -> core.Decision:
        if poisonous(command):
            raise RuntimeError(f"cannot handle {command}")
        return real(state, secrets, command)

    monkeypatch.setattr(planner, "decide", decide)


def test_a_poison_press_stops_the_table_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = standing(open_table(seats=3))
    batch = (bet(1, at.state), bet(2, at.state, 7), bet(3, at.state))
    poison(monkeypatch, lambda c: c == batch[1])
    found = planned(at, *batch)
    # What came before is done, what comes after meets a stopped table.
    assert [wager.seat for wager in found.after.state.wagers] == [1]
    assert [a.reason for a in found.answers] == [
        "",
        "internal_fault",
        Reason.TABLE_SUSPENDED.value,
    ]
    (irregularity,) = found.after.state.irregularities
    assert irregularity.kind is Kind.INTERNAL_FAULT
    assert irregularity.words == "RuntimeError while handling button_pressed"
    offset = found.answers[1].offset
    assert offset is not None
    fault = records(found)[offset]
    assert isinstance(fault, ev.InternalFault)
    assert msgspec.json.decode(fault.input, type=cm.Command) == batch[1]
    assert "in decide" in fault.error
    assert "cannot handle" not in fault.error
    # It is taken: the panel may forget it, and if it does not, it is a repetition.
    seat = found.after.state.seats[1]
    assert (seat.boot_id, seat.press_number) == (BOOT, 7)
    assert found.after.state.suspended
    assert all(not prompt.buttons for prompt in found.after.state.prompts[1:])
    assert [one.round for one in found.decided] == [1] * len(found.decided)


def test_a_poison_press_of_the_dealer_moves_the_dealers_cursor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = standing(open_table(seats=3))
    deal = cm.PressDealerButton(button=DealerButton.DEAL, boot_id=BOOT, number=4)
    poison(monkeypatch, lambda c: c == deal)
    panel = planned(at, deal).after.state.dealer_panel
    assert (panel.boot_id, panel.press_number) == (BOOT, 4)


@pytest.mark.parametrize(
    "command",
    [
        cm.PressDealerButton(button=DealerButton.DEAL),
        cm.OpenSeat(seat=2),
        replace(card(1), cursor=None),
    ],
)
def test_a_poison_command_from_no_device_moves_no_cursor(
    monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    at = standing(open_table(seats=3))
    poison(monkeypatch, lambda c: type(c) is type(command))
    after = planned(at, command).after.state
    assert after.suspended
    assert after.dealer_panel.press_number == 0
    assert after.shoe.event_number == 0


@pytest.mark.parametrize(
    "command",
    [
        cm.ReportReturn(card=Card("9s"), cursor=Cursor(BOOT, 6)),
        cm.ReportShoe(sign=ShoeSign.JAM, cursor=Cursor(BOOT, 6)),
        cm.ReportGap(last=3, cursor=Cursor(BOOT, 6)),
    ],
)
def test_a_poison_event_of_the_shoe_moves_its_cursor(
    monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    poison(monkeypatch, lambda c: type(c) is type(command))
    shoe = planned(standing(open_table(seats=3)), command).after.state.shoe
    assert (shoe.boot_id, shoe.event_number, shoe.last_card) == (BOOT, 6, 0)


def test_the_face_of_a_poison_card_is_in_the_escrow_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = standing(offset_by(dealt("9s 8h 7s"), -40))
    poison(monkeypatch, lambda c: isinstance(c, cm.ReportCard))
    found = planned(at, card(44))
    (row,) = (row for one in found.decided for row in one.sealed)
    assert (row.number, row.card, row.raw) == (4, FACE, RAW)
    for secret in (FACE, RAW, row.salt):
        assert secret not in written(found)
    fault = records(found)[0]
    assert isinstance(fault, ev.InternalFault)
    assert (fault.shoe, fault.number, fault.card_number) == (True, 44, 4)
    assert fault.commitment == _commitment(at.state, row)
    after = found.after
    assert (after.state.shoe.last_card, after.state.shoe.event_number) == (4, 44)
    assert after.secrets.of(4) == row
    assert gate_up_to(after.state) == 0


def test_an_unread_poison_card_has_nothing_to_hide(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    poison(monkeypatch, lambda c: isinstance(c, cm.ReportCard))
    found = planned(standing(dealt("9s 8h 7s")), card(4, UNKNOWN))
    assert [row for one in found.decided for row in one.sealed] == []
    fault = records(found)[0]
    assert isinstance(fault, ev.InternalFault)
    assert fault.commitment == ""


def test_a_poison_keyed_card_is_in_no_record(monkeypatch: pytest.MonkeyPatch) -> None:
    at = standing(dealt("9s 8h 7s").card(UNKNOWN))
    poison(monkeypatch, lambda c: isinstance(c, cm.TakeDecision))
    assert FACE not in written(planned(at, key(FACE)))


def test_an_error_in_preparing_an_input_is_one_in_handling_it() -> None:
    at = standing(dealt("9s 8h 7s"))
    given = iter((b"too short", b"S" * 32))
    found = plan(at, (card(4),), NOW, STAMP, lambda: next(given))
    assert found.answers[0].reason == "internal_fault"
    assert FACE not in written(found)
    assert found.after.state.suspended


def test_a_core_that_can_do_nothing_still_stops_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = standing(dealt("9s 8h 7s 6d"))
    assert at.state.phase is Phase.PLAYING
    poison(monkeypatch, lambda _: True)
    hit = replace(bet(1, at.state), button=Button.HIT)
    found = planned(at, hit)
    after = found.after.state
    assert after.suspended
    assert [f.kind for f in after.irregularities] == [Kind.INTERNAL_FAULT]
    assert all(not prompt.buttons for prompt in after.prompts)
    assert after.prompts[1].number == at.state.prompts[1].number + 1
    # The next input is taken as well, and time has nothing to do any more.
    again = planned(found.after, replace(hit, number=2), now=NOW + 1e6)
    assert again.after.state.seats[0].press_number == 2
    assert len(again.after.state.irregularities) == 2
    everything = [r for one in (*found.decided, *again.decided) for r in one.records]
    assert replay(at.state, everything) == again.after.state


def test_a_command_is_made_of_the_table_when_its_turn_has_come() -> None:
    at = standing(open_table(seats=3))
    seen: list[int] = []

    def open_seat(state: TableState) -> Command:
        seen.append(len(state.wagers))
        return cm.OpenSeat(seat=3)

    found = planned(at, bet(1, at.state), open_seat)
    assert seen == [1]
    assert found.answers[1].accepted


def test_a_line_of_the_staff_that_cannot_be_understood_stops_the_table() -> None:
    def unreadable(_state: TableState) -> Command:
        raise LookupError("D1 said something with a PIN in it")

    at = standing(open_table(seats=3))
    found = planned(at, unreadable, bet(1, at.state))
    assert [answer.reason for answer in found.answers] == [
        "internal_fault",
        Reason.TABLE_SUSPENDED.value,
    ]
    (irregularity,) = found.after.state.irregularities
    assert irregularity.words == "LookupError while handling what the staff asked"
    assert "PIN" not in written(found)


def test_a_wait_that_cannot_be_handled_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    at = standing(dealt("9s 8h 7s 6d"))
    poison(monkeypatch, lambda c: isinstance(c, cm.ReachTime))
    found = planned(at, now=NOW + 1e6)
    assert found.after.state.suspended
    assert sum(isinstance(r, ev.InternalFault) for r in records(found)) == 1
