"""The panel bus: who is asked when, and what counts as an answer."""

import itertools
import math

import msgspec
import pytest

from drivers.bus import BusTiming
from drivers.errors import AcknowledgedAheadError, UnknownAddressError
from drivers.events import (
    Cursor,
    Device,
    DeviceBack,
    DeviceIdentified,
    DeviceLost,
    DeviceMismatched,
    HeldButtonsChanged,
    HostBehind,
    PanelEvent,
    PressesDropped,
    PressReceived,
)
from drivers.framing import Frame, FrameReader, encode_frame
from drivers.identity import DeviceType, Expected, Identify, Identity
from drivers.link import LinkState
from drivers.panel.codec import FrameType, from_frame, to_frame
from drivers.panel.messages import (
    Button,
    HostMessage,
    PanelMessage,
    Poll,
    Press,
    Report,
)
from drivers.panel.session import PanelBusSession
from drivers.panel.station import PanelConfig

BOOT = 0x5EA70003
LIT = frozenset({Button.HIT, Button.STAND})
NOTHING_HELD = HeldButtonsChanged(3, frozenset())
TIMING = BusTiming(lost_after_s=3.0)


def config(address: int, cursor: Cursor | None = None) -> PanelConfig:
    place = f"/dev/table/panels, address {address}"
    expected = Expected(DeviceType.PANEL, address, place, "a.toml")
    return PanelConfig(address, expected, cursor)


def identity(seat: int, boot_id: int = BOOT) -> Identity:
    return Identity(1, DeviceType.PANEL, seat, boot_id, "RP-10", "000317", "1.0")


class Bench:
    """A bus session and a hand that answers for the panels; time stands still."""

    def __init__(self, *addresses: int, cursor: Cursor | None = None) -> None:
        self.now = 100.0
        self.addresses = addresses
        self.session = PanelBusSession(
            [config(address, cursor) for address in addresses], TIMING, self.now
        )
        self.is_open = False
        self.mind_port()

    def mind_port(self) -> None:
        """Open and close the port as the session wants it."""
        if self.session.wants_port and not self.is_open:
            self.session.connection_made(self.now)
        self.is_open = self.session.wants_port

    def unplug(self) -> None:
        self.session.connection_lost(self.now)
        self.is_open = False

    def asked(self) -> tuple[Frame, HostMessage] | None:
        """Return what the session says now, if anything."""
        data = self.session.data_to_send(self.now)
        frames = FrameReader().receive_data(data)
        if not frames:
            return None
        message = from_frame(frames[0])
        assert isinstance(message, Identify | Poll)
        return frames[0], message

    def next_question(self) -> tuple[Frame, HostMessage]:
        """Let time pass until the session says something; return it."""
        for _ in range(1000):
            asked = self.asked()
            if asked is not None:
                return asked
            deadline = self.session.deadline
            assert deadline is not None
            assert deadline > self.now
            self.now = deadline
            self.session.handle_timer(self.now)
            self.mind_port()
        raise AssertionError("the session fell silent")

    def hear(self, message: PanelMessage, question: Frame) -> None:
        frame = to_frame(message, question.address, question.sequence)
        self.session.receive_data(encode_frame(frame), self.now)

    def events(self) -> list[PanelEvent]:
        return list(iter(self.session.next_event, None))

    def wait(self, seconds: float) -> None:
        """Let time pass, with nobody on the bus answering."""
        end = self.now + seconds
        while True:
            self.session.data_to_send(self.now)
            deadline = self.session.deadline
            if deadline is None or deadline > end:
                self.now = end
                return
            assert deadline > self.now
            self.now = deadline
            self.session.handle_timer(self.now)
            self.mind_port()

    def make_ready(self, boot_id: int = BOOT) -> None:
        """Answer every panel's first questions."""
        for _ in range(2 * len(self.addresses)):
            frame, message = self.next_question()
            first = isinstance(message, Identify)
            answer = identity(frame.address, boot_id) if first else Report(boot_id, 0)
            self.hear(answer, frame)
        self.events()
        states = {self.session.state(address) for address in self.addresses}
        assert states == {LinkState.READY}

    def polled(self, address: int) -> tuple[Frame, Poll]:
        """Return the next poll of a panel, all others answering nothing new."""
        while True:
            frame, message = self.next_question()
            assert isinstance(message, Poll)
            if frame.address == address:
                return frame, message
            self.hear(Report(BOOT, 0), frame)


def test_nothing_is_said_before_the_port_is_open() -> None:
    session = PanelBusSession([config(3)], TIMING, now=100.0)
    assert session.wants_port
    assert session.data_to_send(100.0) == b""
    session.receive_data(b"\x05\x00", 100.0)
    assert session.counters.bytes_received == 0


def test_every_panel_is_asked_who_it_is_before_anything_else() -> None:
    bench = Bench(1, 2)
    frame, message = bench.next_question()
    assert (frame.address, message) == (1, Identify())
    bench.hear(Report(BOOT, 0, presses=(Press(1, Button.HIT, 5),)), frame)
    assert bench.events() == []
    assert bench.session.state(1) is LinkState.IDENTIFYING

    bench.hear(identity(1), frame)
    identified, back = bench.events()
    assert isinstance(identified, DeviceIdentified)
    assert identified.identity == identity(1)
    assert b"\0" + identified.raw + b"\0" == encode_frame(
        to_frame(identity(1), 1, frame.sequence)
    )
    assert back == DeviceBack(Device(DeviceType.PANEL, 1))
    assert bench.session.state(1) is LinkState.READY


def test_a_ready_panel_is_polled_with_its_lamps_and_prompt() -> None:
    bench = Bench(3)
    bench.session.set_lamps(3, 58, LIT)
    frame, _ = bench.next_question()
    bench.hear(identity(3), frame)
    _, message = bench.next_question()
    assert message == Poll(58, LIT, BOOT, 0)


def test_a_press_is_handed_over_once_and_acknowledged_when_it_is_taken() -> None:
    bench = Bench(3)
    bench.make_ready()
    press = Press(1, Button.HIT, 58, age_ms=12)
    for _ in range(3):
        frame, poll = bench.polled(3)
        assert poll.taken_number == 0
        bench.hear(Report(BOOT, 0, presses=(press,)), frame)
    assert bench.events() == [PressReceived(3, Cursor(BOOT, 1), press)]

    bench.session.acknowledge(3, Cursor(BOOT, 1))
    _, poll = bench.polled(3)
    assert (poll.taken_boot_id, poll.taken_number) == (BOOT, 1)


def test_four_presses_come_in_their_order() -> None:
    bench = Bench(3)
    bench.make_ready()
    presses = tuple(Press(number, Button.HIT, 58) for number in (4, 5, 6, 9))
    frame, _ = bench.polled(3)
    bench.hear(Report(BOOT, 0, presses=presses), frame)
    assert bench.events() == [
        PressReceived(3, Cursor(BOOT, press.number), press) for press in presses
    ]


def test_a_host_that_restarts_goes_on_from_its_cursor() -> None:
    bench = Bench(3, cursor=Cursor(BOOT, 16))
    bench.make_ready()
    frame, poll = bench.polled(3)
    assert (poll.taken_boot_id, poll.taken_number) == (BOOT, 16)
    old, new = Press(16, Button.HIT, 58), Press(17, Button.STAND, 59)
    bench.hear(Report(BOOT, 15, presses=(old, new)), frame)
    assert bench.events() == [PressReceived(3, Cursor(BOOT, 17), new)]


def test_a_cursor_of_another_boot_id_says_nothing_about_this_one() -> None:
    bench = Bench(3, cursor=Cursor(BOOT + 1, 16))
    bench.make_ready()
    frame, poll = bench.polled(3)
    assert (poll.taken_boot_id, poll.taken_number) == (BOOT, 0)
    press = Press(1, Button.HIT, 58)
    bench.hear(Report(BOOT, 0, presses=(press,)), frame)
    assert bench.events() == [PressReceived(3, Cursor(BOOT, 1), press)]


def test_a_panel_that_restarts_is_identified_again_and_numbers_anew() -> None:
    bench = Bench(3)
    bench.make_ready()
    frame, _ = bench.polled(3)
    bench.hear(Report(BOOT, 0, presses=(Press(1, Button.HIT, 58),)), frame)
    bench.events()
    again = Press(1, Button.STAND, 0)
    frame, _ = bench.polled(3)
    bench.hear(Report(BOOT + 1, 0, presses=(again,)), frame)
    assert bench.events() == []

    frame, message = bench.next_question()
    assert message == Identify()
    bench.hear(identity(3, BOOT + 1), frame)
    bench.session.acknowledge(3, Cursor(BOOT, 1))
    frame, poll = bench.polled(3)
    assert (poll.taken_boot_id, poll.taken_number) == (BOOT + 1, 0)
    bench.hear(Report(BOOT + 1, 0, presses=(again,)), frame)
    _, held, press = bench.events()
    assert held == NOTHING_HELD
    assert press == PressReceived(3, Cursor(BOOT + 1, 1), again)


def test_acknowledging_a_press_that_never_came_is_a_bug() -> None:
    bench = Bench(3)
    bench.make_ready()
    with pytest.raises(AcknowledgedAheadError, match="last one handed over is 0"):
        bench.session.acknowledge(3, Cursor(BOOT, 1))


def test_an_acknowledgement_never_goes_back() -> None:
    bench = Bench(3, cursor=Cursor(BOOT, 16))
    bench.make_ready()
    bench.session.acknowledge(3, Cursor(BOOT, 15))
    assert bench.polled(3)[1].taken_number == 16


def test_an_address_that_the_bus_does_not_have_is_named() -> None:
    bench = Bench(1, 3)
    with pytest.raises(UnknownAddressError, match="no panel has address 4") as caught:
        bench.session.set_lamps(4, 0, frozenset())
    assert str(caught.value) == "no panel has address 4; the bus has 1, 3"


def test_a_panel_that_another_journal_served_is_reported_once() -> None:
    bench = Bench(3, cursor=Cursor(BOOT, 16))
    bench.make_ready()
    for _ in range(2):
        frame, _ = bench.polled(3)
        bench.hear(Report(BOOT, 20), frame)
    device = Device(DeviceType.PANEL, 3)
    assert bench.events() == [HostBehind(device, BOOT, acknowledged=20, taken=16)]


def test_held_buttons_are_told_when_they_change() -> None:
    bench = Bench(3)
    bench.make_ready()
    for held in (LIT, LIT, frozenset[Button]()):
        frame, _ = bench.polled(3)
        bench.hear(Report(BOOT, 0, held), frame)
    assert bench.events() == [
        HeldButtonsChanged(3, LIT),
        HeldButtonsChanged(3, frozenset()),
    ]


def test_what_a_panel_holds_down_is_told_first_even_if_it_is_nothing() -> None:
    bench = Bench(3)
    for held in (frozenset[Button](), frozenset[Button]()):
        frame, _ = bench.next_question()
        bench.hear(identity(3), frame)
        bench.events()
        frame, _ = bench.polled(3)
        bench.hear(Report(BOOT, 0, held), frame)
        assert bench.events() == [HeldButtonsChanged(3, held)]
        # A look away and back: it may have been pressed meanwhile.
        bench.unplug()
        bench.wait(1.0)


def test_a_button_held_before_and_after_a_restart_is_told_again() -> None:
    bench = Bench(3)
    bench.make_ready()
    for boot_id in (BOOT, BOOT + 1):
        frame, _ = bench.polled(3)
        if boot_id != BOOT:
            bench.hear(Report(boot_id, 0, LIT), frame)
            frame, _ = bench.next_question()
            bench.hear(identity(3, boot_id), frame)
            bench.events()
            frame, _ = bench.polled(3)
        bench.hear(Report(boot_id, 0, LIT), frame)
        assert bench.events() == [HeldButtonsChanged(3, LIT)]


def test_presses_without_room_are_told_by_their_total() -> None:
    bench = Bench(3)
    bench.make_ready()
    for dropped in (2, 2, 3):
        frame, _ = bench.polled(3)
        bench.hear(Report(BOOT, 0, dropped=dropped), frame)
    assert bench.events() == [PressesDropped(3, BOOT, 2), PressesDropped(3, BOOT, 3)]


def test_a_panel_that_restarts_has_dropped_nothing_yet() -> None:
    bench = Bench(3)
    bench.make_ready()
    frame, _ = bench.polled(3)
    bench.hear(Report(BOOT, 0, dropped=2), frame)
    frame, _ = bench.polled(3)
    bench.hear(Report(BOOT + 1, 0), frame)
    frame, _ = bench.next_question()
    bench.hear(identity(3, BOOT + 1), frame)
    bench.events()
    for dropped in (0, 2):
        frame, _ = bench.polled(3)
        bench.hear(Report(BOOT + 1, 0, dropped=dropped), frame)
    assert bench.events() == [NOTHING_HELD, PressesDropped(3, BOOT + 1, 2)]


def test_nothing_is_sent_while_an_answer_may_come() -> None:
    bench = Bench(1, 2)
    frame, _ = bench.next_question()
    bench.session.set_lamps(2, 5, LIT)
    assert bench.asked() is None
    assert bench.session.deadline == bench.now + TIMING.answer_s
    bench.hear(identity(1), frame)
    assert bench.asked() is None
    bench.now += TIMING.quiet_s
    assert bench.asked() is not None


def test_an_answer_still_coming_at_the_deadline_is_waited_for() -> None:
    bench = Bench(3)
    frame, _ = bench.next_question()
    wire = encode_frame(to_frame(identity(3), 3, frame.sequence))
    bench.now += 0.029
    bench.session.receive_data(wire[:10], bench.now)
    bench.now += 0.004
    bench.session.handle_timer(bench.now)
    bench.session.receive_data(wire[10:], bench.now)
    assert bench.session.state(3) is LinkState.READY


def test_a_bus_that_babbles_is_not_listened_to_for_ever() -> None:
    bench = Bench(3)
    bench.next_question()
    start = bench.now
    while bench.session.deadline is not None and bench.session.deadline > bench.now:
        bench.now += 0.004
        bench.session.receive_data(b"\xaa\xaa", bench.now)
        if bench.now - start > 1:
            pytest.fail("it still listens")
    assert bench.now - start == pytest.approx(TIMING.answer_max_s, abs=0.005)


def test_noise_before_an_answer_does_not_cost_it() -> None:
    bench = Bench(3)
    frame, _ = bench.next_question()
    bench.session.receive_data(b"\xff\x13\x80", bench.now)
    bench.hear(identity(3), frame)
    assert bench.session.state(3) is LinkState.READY
    assert bench.session.counters.errors == 1


def test_a_late_answer_is_not_taken_for_the_next_panels() -> None:
    bench = Bench(1, 2)
    bench.make_ready()
    late, _ = bench.polled(1)
    bench.now += TIMING.answer_s
    bench.session.handle_timer(bench.now)
    frame, _ = bench.polled(2)
    press = Press(1, Button.HIT, 58)
    bench.hear(Report(BOOT, 0, presses=(press,)), late)
    bench.hear(Report(BOOT, 0), Frame(1, frame.sequence, FrameType.REPORT))
    assert bench.events() == []
    assert bench.session.counters.strays == 2
    bench.hear(Report(BOOT, 0, presses=(press,)), frame)
    assert bench.events() == [PressReceived(2, Cursor(BOOT, 1), press)]


def test_a_late_answer_is_not_taken_for_the_same_panels_next_one() -> None:
    bench = Bench(3)
    bench.make_ready()
    late, _ = bench.polled(3)
    bench.now += TIMING.answer_s
    bench.session.handle_timer(bench.now)
    frame, _ = bench.polled(3)
    bench.hear(Report(BOOT, 0), late)
    assert bench.session.counters.strays == 1
    assert bench.asked() is None
    press = Press(1, Button.HIT, 58)
    bench.hear(Report(BOOT, 0, presses=(press,)), frame)
    assert bench.events() == [PressReceived(3, Cursor(BOOT, 1), press)]


def test_an_answer_to_nobodys_question_is_a_stray() -> None:
    bench = Bench(3)
    bench.make_ready()
    bench.hear(Report(BOOT, 0, presses=(Press(1, Button.HIT, 5),)), Frame(3, 2, 0))
    assert bench.events() == []
    assert bench.session.counters.strays == 1


def test_an_identity_in_answer_to_a_poll_is_a_stray() -> None:
    bench = Bench(3)
    bench.make_ready()
    frame, _ = bench.polled(3)
    bench.hear(identity(3, BOOT + 1), frame)
    assert bench.events() == []
    assert bench.session.counters.strays == 1


def test_a_malformed_answer_is_counted_and_the_true_one_still_counts() -> None:
    bench = Bench(3)
    frame, _ = bench.next_question()
    bad = Frame(3, frame.sequence, FrameType.IDENTITY, b"\1")
    bench.session.receive_data(encode_frame(bad), bench.now)
    assert bench.session.counters.errors == 1
    bench.hear(identity(3), frame)
    assert bench.session.state(3) is LinkState.READY


def test_a_host_that_hears_itself_takes_no_harm() -> None:
    bench = Bench(3)
    frame, _ = bench.next_question()
    bench.session.receive_data(encode_frame(frame), bench.now)
    assert bench.session.counters.strays == 0
    bench.hear(identity(3), frame)
    bench.now += TIMING.quiet_s
    frame, _ = bench.next_question()
    bench.session.receive_data(encode_frame(frame), bench.now)
    press = Press(1, Button.HIT, 5)
    bench.events()
    bench.hear(Report(BOOT, 0, presses=(press,)), frame)
    assert bench.events() == [NOTHING_HELD, PressReceived(3, Cursor(BOOT, 1), press)]


def test_a_dark_panel_is_polled_well_before_it_would_count_itself_forgotten() -> None:
    bench = Bench(3)
    bench.make_ready()
    frame, _ = bench.polled(3)
    start = bench.now
    bench.hear(Report(BOOT, 0), frame)
    bench.polled(3)
    assert bench.now - start == pytest.approx(0.25, abs=0.001)


def test_a_panel_with_a_lit_lamp_is_polled_more_often() -> None:
    bench = Bench(3)
    bench.make_ready()
    bench.session.set_lamps(3, 58, LIT)
    frame, _ = bench.polled(3)
    start = bench.now
    bench.hear(Report(BOOT, 0), frame)
    bench.polled(3)
    assert bench.now - start == pytest.approx(0.025, abs=0.001)


def test_a_change_of_lamps_is_sent_at_once() -> None:
    bench = Bench(1, 2)
    bench.make_ready()
    for address in (1, 2):
        frame, _ = bench.polled(address)
        bench.hear(Report(BOOT, 0), frame)
    bench.now += 0.01
    assert bench.asked() is None
    bench.session.set_lamps(1, 58, LIT)
    frame_and_message = bench.asked()
    assert frame_and_message is not None
    assert frame_and_message[1] == Poll(58, LIT, BOOT, 0)


def test_lamps_that_do_not_change_make_no_hurry() -> None:
    bench = Bench(3)
    bench.make_ready()
    bench.session.set_lamps(3, 0, frozenset())
    bench.now += 0.01
    assert bench.asked() is None


def test_changes_at_one_panel_do_not_starve_another() -> None:
    bench = Bench(1, 2)
    bench.make_ready()
    polled_at: list[float] = []
    for prompt_number in range(400):
        bench.session.set_lamps(1, prompt_number, LIT)
        frame, _ = bench.next_question()
        if frame.address == 2:
            polled_at.append(bench.now)
        bench.now += 0.005
        bench.hear(Report(BOOT, 0), frame)
    gaps = [b - a for a, b in itertools.pairwise(polled_at)]
    assert len(gaps) > 3
    assert max(gaps) < 0.4  # A panel goes dark after 0.5 s.


def test_a_silent_panel_is_given_up_after_three_polls_and_asked_who_it_is() -> None:
    bench = Bench(3)
    bench.make_ready()
    for _ in range(3):
        assert bench.session.state(3) is LinkState.READY
        bench.polled(3)
        bench.now += TIMING.answer_s
        bench.session.handle_timer(bench.now)
    assert bench.session.state(3) is LinkState.BACKOFF
    assert bench.next_question()[1] == Identify()
    assert bench.session.counters.gaps == 3
    assert bench.session.counters.resends == 3


def test_one_missed_answer_is_no_loss() -> None:
    bench = Bench(3)
    bench.make_ready()
    for _ in range(4):
        bench.polled(3)
        bench.now += TIMING.answer_s
        bench.session.handle_timer(bench.now)
        frame, _ = bench.polled(3)
        bench.hear(Report(BOOT, 0), frame)
    assert bench.session.state(3) is LinkState.READY


def test_silent_panels_are_asked_rarely_and_do_not_slow_the_others() -> None:
    bench = Bench(1, 2, 3, 4, 5, 6, 7)
    bench.session.set_lamps(1, 58, LIT)
    asked: list[tuple[float, int]] = []
    while bench.now < 110.0:
        frame, message = bench.next_question()
        asked.append((bench.now, frame.address))
        if frame.address == 1:
            bench.now += 0.003
            answer = identity(1) if isinstance(message, Identify) else Report(BOOT, 0)
            bench.hear(answer, frame)
    later = [(at, address) for at, address in asked if at > 102.0]
    polls = [at for at, address in later if address == 1]
    others = [at for at, address in later if address != 1]
    gaps = [b - a for a, b in itertools.pairwise(polls)]
    spacing = [b - a for a, b in itertools.pairwise(others)]
    assert {address for _, address in later} == set(range(1, 8))
    assert max(gaps) < 0.025 + TIMING.answer_s + 0.005
    assert min(spacing) >= TIMING.doubtful_spacing_s


def test_a_panel_that_never_comes_is_lost_after_its_time_and_back_when_it_comes() -> (
    None
):
    bench = Bench(3)
    bench.wait(2.99)
    assert bench.events() == []
    bench.wait(0.02)
    device = Device(DeviceType.PANEL, 3)
    assert bench.events() == [DeviceLost(device)]
    bench.wait(5.0)
    assert bench.events() == []
    frame, _ = bench.next_question()
    bench.hear(identity(3), frame)
    assert bench.events()[1:] == [DeviceBack(device)]


def test_a_panel_away_for_a_moment_is_not_lost() -> None:
    bench = Bench(1, 3)
    bench.make_ready()
    bench.wait(1.0)
    assert bench.session.state(3) is not LinkState.READY
    while bench.session.state(3) is not LinkState.READY:
        frame, _ = bench.next_question()
        bench.hear(identity(frame.address), frame)
    kinds = {type(event) for event in bench.events()}
    assert kinds == {DeviceIdentified}


def test_the_wrong_panel_is_named_once_left_dark_and_asked_again() -> None:
    bench = Bench(3)
    questions = []
    while bench.now < 112.0:
        frame, message = bench.next_question()
        questions.append((bench.now, message))
        bench.hear(identity(5), frame)
    assert [message for _, message in questions] == [Identify()] * 7
    assert questions[1][0] - questions[0][0] == pytest.approx(2.0)
    device = Device(DeviceType.PANEL, 3)
    assert bench.events() == [
        DeviceMismatched(
            device,
            "/dev/table/panels, address 3 answered as panel 5, expected panel 3; "
            "swap the cables or edit a.toml",
        ),
        DeviceLost(device),
    ]


def test_the_right_panel_after_a_wrong_one_is_taken() -> None:
    bench = Bench(3)
    frame, _ = bench.next_question()
    bench.hear(identity(5), frame)
    frame, _ = bench.next_question()
    bench.hear(identity(3), frame)
    assert bench.session.state(3) is LinkState.READY


def test_a_bus_on_which_nobody_answers_has_its_port_opened_anew() -> None:
    bench = Bench(3)
    openings = []
    for seconds in (4.9, 0.2, 0.5):
        bench.wait(seconds)
        openings.append((bench.is_open, bench.session.counters.reopens))
    assert openings == [(True, 0), (False, 0), (True, 1)]
    assert bench.next_question()[1] == Identify()


def test_one_panel_that_answers_keeps_the_port_open() -> None:
    bench = Bench(1, 3)
    while bench.now < 120.0:
        frame, message = bench.next_question()
        if frame.address == 1:
            answer = identity(1) if isinstance(message, Identify) else Report(BOOT, 0)
            bench.hear(answer, frame)
    assert bench.session.counters.reopens == 0


def test_an_unplugged_bus_forgets_no_press_and_shows_the_same_lamps_again() -> None:
    bench = Bench(3)
    bench.make_ready()
    bench.session.set_lamps(3, 58, LIT)
    frame, _ = bench.polled(3)
    press = Press(1, Button.HIT, 58)
    bench.hear(Report(BOOT, 0, presses=(press,)), frame)
    bench.events()
    bench.unplug()
    bench.unplug()
    bench.session.acknowledge(3, Cursor(BOOT, 1))
    assert bench.asked() is None
    assert not bench.session.wants_port

    frame, _ = bench.next_question()
    bench.hear(identity(3), frame)
    frame, message = bench.next_question()
    assert message == Poll(58, LIT, BOOT, 1)
    bench.hear(Report(BOOT, 0, presses=(press,)), frame)
    identified, held = bench.events()
    assert isinstance(identified, DeviceIdentified)
    assert held == NOTHING_HELD


def test_a_frame_cut_off_by_unplugging_does_not_spoil_the_next() -> None:
    bench = Bench(3)
    bench.session.receive_data(b"\x09\x03", bench.now)
    bench.unplug()
    frame, _ = bench.next_question()
    wire = encode_frame(to_frame(identity(3), 3, frame.sequence))
    bench.session.receive_data(wire[1:], bench.now)
    assert bench.session.state(3) is LinkState.READY


def test_a_port_that_cannot_be_opened_is_tried_again_later() -> None:
    session = PanelBusSession([config(3)], TIMING, now=100.0)
    session.connection_lost(100.0)
    assert not session.wants_port
    assert session.deadline == 100.5
    session.handle_timer(100.5)
    assert session.wants_port


def test_a_bus_without_panels_has_nothing_to_say() -> None:
    bench = Bench()
    assert bench.asked() is None
    assert bench.session.deadline == 105.0


def test_counters_tell_what_went_over_the_bus() -> None:
    bench = Bench(3)
    frame, _ = bench.next_question()
    bench.hear(identity(3), frame)
    counters = bench.session.counters
    assert (counters.frames_sent, counters.frames_received) == (1, 1)
    assert counters.bytes_sent == 8
    assert counters.bytes_received == len(
        encode_frame(to_frame(identity(3), 3, frame.sequence))
    )
    assert msgspec.structs.replace(counters, errors=9) != counters
    assert bench.session.counters.errors == 0


def test_the_deadline_is_never_in_the_past_once_all_is_done() -> None:
    bench = Bench(1, 2, 3)
    bench.make_ready()
    for prompt_number in range(50):
        bench.session.set_lamps(2, prompt_number, LIT)
        frame, _ = bench.next_question()
        assert (bench.session.deadline or -math.inf) > bench.now
        if prompt_number % 3:
            bench.hear(Report(BOOT, 0), frame)
