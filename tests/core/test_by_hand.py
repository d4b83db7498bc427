"""Buttons and lamps tried by hand: nothing counts, and all is as it was before."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.commands import Command, Person
from controller.core.decisions import NewShoe, VoidRound
from controller.core.ids import (
    BY_HAND,
    DEALER_SEAT,
    Button,
    CashStep,
    DealerButton,
    Direction,
    EndOfTestMode,
    Kind,
    Phase,
    Reason,
    Role,
    ShoeSign,
)
from controller.core.outputs import outputs
from controller.core.state import SeatState, TableState
from controller.core.views import seat_views
from tests.core.table import (
    DEALER,
    SUPERVISOR,
    WITNESS,
    Table,
    dealt,
    open_table,
)

TECHNICIAN = Person("T1", Role.TECHNICIAN)
STRANGER = Person("N1", Role.UNKNOWN)
BOOT = 0x5B0E0001
SEATS = 7

END = cm.EndTestMode(why=EndOfTestMode.ASKED, person=SUPERVISOR)


def begin(person: Person = SUPERVISOR) -> cm.BeginTestMode:
    return cm.BeginTestMode(person=person)


def closed() -> Table:
    return open_table().after(cm.CloseShift())


def between_rounds() -> Table:
    """Return a table after a round: hands lie there to see, and may be bet again."""
    played = dealt("9h Ts 6d 9c 8s Tc", (2500, 500)).press(1, "stand").press(2, "stand")
    return played.card("5d").dealer("pickup")


def tried(person: Person = SUPERVISOR) -> Table:
    return between_rounds().after(begin(person))


def pressed(table: Table, seat: int, button: Button, prompt: int) -> cm.PressButton:
    number = table.state.seats[seat - 1].press_number + 1
    return cm.PressButton(
        seat=seat, button=button, prompt=prompt, boot_id=BOOT, number=number
    )


def called(table: Table, prompt: int) -> cm.PressDealerButton:
    number = table.state.dealer_panel.press_number + 1
    return cm.PressDealerButton(
        button=DealerButton.CALL, prompt=prompt, boot_id=BOOT, number=number
    )


# --- When, and by whom ------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "person", "refused"),
    [
        (closed, TECHNICIAN, None),
        (closed, SUPERVISOR, None),
        (closed, DEALER, Reason.SUPERVISOR_REQUIRED),
        (closed, STRANGER, Reason.UNKNOWN_PERSON),
        (between_rounds, SUPERVISOR, None),
        (between_rounds, TECHNICIAN, Reason.SUPERVISOR_REQUIRED),
        (between_rounds, DEALER, Reason.SUPERVISOR_REQUIRED),
        (between_rounds, Person("D1", Role.SUPERVISOR), Reason.SUPERVISOR_REQUIRED),
    ],
)
def test_an_open_table_is_stopped_for_it_by_a_supervisor_alone(
    table: Callable[[], Table], person: Person, refused: Reason | None
) -> None:
    after = table().after(begin(person))
    assert after.refused is refused
    assert (after.state.test_mode is None) is (refused is not None)


@pytest.mark.parametrize(
    ("table", "refused"),
    [
        (open_table().press(1, "bet", 2500), Reason.WAGERS_LIE),
        (dealt(""), Reason.ROUND_OPEN),
        (dealt("9h Ts 6d 9c"), Reason.ROUND_OPEN),
        (dealt("9h Ts 6d 9c").dealer("call"), Reason.TABLE_SUSPENDED),
        (open_table().dealer("call"), Reason.TABLE_SUSPENDED),
        (
            open_table().after(cm.MoveCash(seat=1, step=CashStep.SPREAD)),
            Reason.CASH_TRANSACTION_OPEN,
        ),
        (tried(), Reason.TEST_MODE),
    ],
)
def test_it_begins_only_while_nothing_lies_on_the_layout(
    table: Table, refused: Reason
) -> None:
    after = table.after(begin())
    assert after.refused is refused
    assert after.state == table.state


# --- What everybody sees -----------------------------------------------------------


def test_every_panel_is_without_its_prompt_and_everybody_is_told() -> None:
    shown = outputs(tried().state)
    assert {prompt.number for prompt in shown.prompts} == {BY_HAND}
    assert not any(prompt.buttons for prompt in shown.prompts)
    assert shown.gate_up_to == 0
    assert shown.dealer.words == "TEST MODE: nothing that is pressed counts"
    told = {note.to for note in shown.notices if "TEST MODE" in note.words}
    assert told == {"dealer", "supervisor", *map(str, range(1, SEATS + 1))}
    assert not any(view.lamps for view in seat_views(tried().state))


def test_it_is_on_record_with_who_began_and_who_ended_it() -> None:
    table = closed().after(begin(TECHNICIAN))
    assert table.types() == ["test_mode_asked", "test_mode_begun"]
    assert table.caused[1] == ev.TestModeBegun(person="T1", role=Role.TECHNICIAN)
    table = table.after(END)
    assert table.types() == ["test_mode_end_asked", "test_mode_ended"]
    assert table.caused[1] == ev.TestModeEnded(why=EndOfTestMode.ASKED, person="S1")


# --- What is pressed ---------------------------------------------------------------


@pytest.mark.parametrize("button", list(Button))
def test_a_press_is_taken_in_one_record_and_does_nothing(button: Button) -> None:
    before = tried()
    # What was under way when the test mode began still bears its own prompt.
    for prompt in (BY_HAND, before.state.prompts[2].number, 0):
        after = before.after(pressed(before, 2, button, prompt))
        assert after.types() == ["button_tried"]
        seat = after.state.seats[1]
        assert (seat.boot_id, seat.press_number) == (
            BOOT,
            before.state.seats[1].press_number + 1,
        )
        assert without_cursors(after.state) == without_cursors(before.state)


def test_a_press_that_is_repeated_is_not_recorded_again() -> None:
    before = tried()
    press = pressed(before, 2, Button.BET, BY_HAND)
    assert before.after(press, press).caused == ()
    assert before.after(press, END, press).caused == ()


def test_the_dealers_panel_and_stray_buttons_are_tried_as_well() -> None:
    before = tried()
    stray = cm.ReportStrayPress(seat=3, button="deal", boot_id=BOOT, number=99)
    for command in (called(before, BY_HAND), stray):
        after = before.after(command)
        assert after.types() == ["button_tried"]
        assert without_cursors(after.state) == without_cursors(before.state)


@pytest.mark.parametrize("button", list(Button))
def test_a_press_of_the_test_mode_that_comes_later_counts_for_nothing(
    button: Button,
) -> None:
    table = tried().after(END)
    late = table.after(pressed(table, 1, button, BY_HAND))
    assert late.types() == ["button_tried"]
    assert without_cursors(late.state) == without_cursors(table.state)


def test_a_call_of_the_test_mode_that_comes_later_stops_nothing() -> None:
    table = tried().after(END)
    late = table.after(called(table, BY_HAND))
    assert (late.types(), late.state.phase) == (["button_tried"], Phase.BETTING)
    # A panel that was started anew shows no prompt; its dealer may call all the same.
    assert table.after(called(table, 0)).state.suspended


# --- What is said at the console ---------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        cm.OpenSeat(seat=1),
        cm.CloseShift(),
        cm.MoveCash(seat=1, step=CashStep.SPREAD),
        cm.UndoDeal(),
        cm.ClarifyChoice(seat=1, button=Button.HIT),
        *(
            cm.PressDealerButton(button=button)
            for button in DealerButton
            if button is not DealerButton.CALL
        ),
        cm.TakeDecision(person=SUPERVISOR, decision=NewShoe(6), witness=WITNESS),
        cm.TakeDecision(person=SUPERVISOR, decision=VoidRound()),
    ],
    ids=repr,
)
def test_the_table_is_not_played_meanwhile(command: Command) -> None:
    before = tried()
    after = before.after(command)
    assert after.refused is Reason.TEST_MODE
    assert after.state == before.state


def test_no_shift_begins_meanwhile() -> None:
    opened = cm.OpenShift(dealer=DEALER, direction=Direction.RIGHT_TO_LEFT)
    after = closed().after(begin(TECHNICIAN), opened)
    assert (after.refused, after.state.shift) == (Reason.TEST_MODE, None)
    assert after.after(END, opened).state.phase is Phase.BETTING


# --- What ends it ------------------------------------------------------------------


def test_a_card_that_leaves_the_shoe_is_a_card_drawn_in_error() -> None:
    table = tried().card("5d")
    assert table.types() == [
        "card_reported",
        "card_drawn_in_error",
        "test_mode_ended",
        "irregularity_found",
        "table_suspended",
        "prompts_changed",
    ]
    in_play = between_rounds().card("5d")
    assert table.state == in_play.state
    assert table.secrets == in_play.secrets
    assert table.state.irregularities[0].kind is Kind.CARD_DRAWN_IN_ERROR


@pytest.mark.parametrize(
    "command",
    [
        cm.PressDealerButton(button=DealerButton.CALL),
        cm.ReportFault(kind=Kind.INTERNAL_FAULT, words="x"),
    ],
)
def test_whatever_stops_the_table_ends_it_first(command: Command) -> None:
    table = tried().after(command)
    assert "test_mode_ended" in table.types()
    assert table.state == between_rounds().after(command).state
    assert table.state.suspended


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (cm.StopControl(), EndOfTestMode.STOPPED),
        (cm.ResumeControl(boot_id="b"), EndOfTestMode.RESTARTED),
        (cm.EndTestMode(why=EndOfTestMode.SILENT), EndOfTestMode.SILENT),
    ],
)
def test_a_stop_a_start_and_silence_end_it(
    command: Command, why: EndOfTestMode
) -> None:
    table = tried().after(command)
    assert ev.TestModeEnded(why=why) in table.caused
    assert table.state.test_mode is None


@pytest.mark.parametrize("person", [DEALER, STRANGER])
def test_who_may_not_begin_it_cannot_end_it(person: Person) -> None:
    asked = cm.EndTestMode(why=EndOfTestMode.ASKED, person=person)
    table = tried().after(asked)
    assert table.refused is Reason.SUPERVISOR_REQUIRED
    assert table.state.test_mode is not None


def test_what_has_ended_is_not_ended_again() -> None:
    table = tried().after(END)
    again = table.after(END)
    assert again.refused is Reason.NO_TEST_MODE
    assert again.state == table.state


# --- The state before, and after ---------------------------------------------------


def without_cursors(state: TableState) -> TableState:
    """Return a table without what its panels' presses count up."""

    def plain(seat: SeatState) -> SeatState:
        return replace(seat, boot_id=0, press_number=0)

    return replace(
        state,
        seats=tuple(map(plain, state.seats)),
        dealer_panel=plain(state.dealer_panel),
    )


PRESSES = st.builds(
    cm.PressButton,
    seat=st.integers(1, SEATS),
    button=st.sampled_from(Button),
    prompt=st.integers(0, 6) | st.just(BY_HAND),
    boot_id=st.integers(0, 2),
    number=st.integers(1, 9),
    amount_cents=st.sampled_from((0, 500, 2500)),
    with_amount=st.booleans(),
    spot=st.integers(0, SEATS),
)
DEALERS_PRESSES = st.builds(
    cm.PressDealerButton,
    button=st.sampled_from(DealerButton),
    prompt=st.integers(0, 6) | st.just(BY_HAND),
    boot_id=st.integers(0, 2),
    number=st.integers(1, 9),
)
STRAY_PRESSES = st.builds(
    cm.ReportStrayPress,
    seat=st.just(DEALER_SEAT) | st.integers(1, SEATS),
    button=st.sampled_from(("hit", "deal")),
    boot_id=st.integers(0, 2),
    number=st.integers(1, 9),
)
REFUSED = st.sampled_from(
    (
        begin(),
        cm.OpenSeat(seat=2),
        cm.CloseShift(),
        cm.OpenShift(dealer=DEALER, direction=Direction.LEFT_TO_RIGHT),
        cm.MoveCash(seat=3, step=CashStep.SPREAD),
        cm.PressDealerButton(button=DealerButton.DEAL),
        cm.TakeDecision(person=SUPERVISOR, decision=NewShoe(6), witness=WITNESS),
    )
)
ENDS = st.sampled_from(
    (
        END,
        cm.EndTestMode(why=EndOfTestMode.CLIENT_LEFT),
        cm.EndTestMode(why=EndOfTestMode.SILENT),
    )
)
BEFORE = st.sampled_from((closed(), open_table(), between_rounds()))


@given(
    before=BEFORE,
    commands=st.lists(PRESSES | DEALERS_PRESSES | STRAY_PRESSES | REFUSED),
    end=ENDS,
)
def test_the_table_is_afterwards_as_it_was_before(
    before: Table, commands: list[Command], end: Command
) -> None:
    after = before.after(begin(), *commands, end)
    assert without_cursors(after.state) == without_cursors(before.state)
    assert outputs(after.state) == outputs(before.state)
    assert after.secrets == before.secrets


def test_what_the_equipment_tells_meanwhile_stands_afterwards() -> None:
    facts: tuple[Command, ...] = (
        cm.ReportPanel(seat=2, lost=True),
        cm.ReportStuckButton(seat=3, button="hit", stuck=True),
        cm.ReportShoe(sign=ShoeSign.LID_OPEN),
        cm.ReportDisk(nearly_full=True, free_bytes=1),
    )
    in_play = between_rounds().after(*facts)
    assert tried().after(*facts, END).state == in_play.state
