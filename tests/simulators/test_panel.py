import random

import pytest

from drivers.framing import DELIMITER, Frame, FrameReader, encode_frame
from drivers.identity import DeviceType, Identify, Identity
from drivers.panel.codec import from_frame, to_frame
from drivers.panel.messages import Button, Message, Poll, Report
from simulators.devices.panel import DARK_AFTER_S, PanelBus, PanelSimulator

PLAY = frozenset({Button.HIT, Button.STAND})
DARK: frozenset[Button] = frozenset()


class Bench:
    """Three panels on a bus, and what a host would ask them."""

    def __init__(self) -> None:
        source = random.Random(7)
        self.bus = PanelBus(PanelSimulator(seat, seat, source) for seat in (0, 1, 2))
        self.panel = self.bus.panels[1]

    def ask(self, message: Message, now: float, address: int = 1) -> Message | None:
        self.bus.receive_data(encode_frame(to_frame(message, address, 9)), now)
        frames = FrameReader().receive_data(self.bus.data_to_send(now))
        if not frames:
            return None
        (frame,) = frames
        assert (frame.address, frame.sequence) == (address, 9)
        return from_frame(frame)

    def poll(self, now: float, taken: int = 0, prompt: int = 5) -> Report:
        boot_id = self.panel.memory.boot_id
        report = self.ask(Poll(prompt, PLAY, boot_id, taken), now)
        assert isinstance(report, Report)
        return report


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_a_panel_says_who_it_is(bench: Bench) -> None:
    identity = bench.ask(Identify(), 0.0, address=2)
    assert isinstance(identity, Identity)
    assert identity.device_type is DeviceType.PANEL
    assert identity.role == 2
    assert identity.boot_id == bench.bus.panels[2].memory.boot_id


def test_a_polled_panel_shows_the_lamps_and_reports(bench: Bench) -> None:
    report = bench.poll(0.0)
    assert (bench.panel.lamps, bench.panel.prompt_number) == (PLAY, 5)
    assert report == Report(bench.panel.memory.boot_id, 0)
    assert bench.bus.panels[2].lamps == DARK


def test_only_the_panel_that_is_asked_answers(bench: Bench) -> None:
    assert bench.ask(Identify(), 0.0, address=9) is None


def test_a_panel_that_is_not_polled_goes_dark(bench: Bench) -> None:
    bench.poll(1.0)
    assert bench.bus.deadline == 1.0 + DARK_AFTER_S
    bench.bus.handle_timer(1.49)
    assert bench.panel.lamps == PLAY
    bench.bus.handle_timer(1.5)
    assert (bench.panel.lamps, bench.panel.prompt_number) == (DARK, 0)
    assert bench.bus.deadline is None


def test_a_press_carries_the_prompt_that_was_shown(bench: Bench) -> None:
    bench.poll(0.0, prompt=5)
    bench.panel.press(Button.HIT, 0.1)
    bench.poll(0.2, prompt=6)
    bench.panel.press(Button.STAND, 0.25)
    report = bench.poll(0.3, prompt=7)
    assert [(p.number, p.button, p.prompt_number) for p in report.presses] == [
        (1, Button.HIT, 5),
        (2, Button.STAND, 6),
    ]


def test_a_press_on_a_dark_panel_carries_no_prompt(bench: Bench) -> None:
    bench.poll(0.0)
    made = bench.panel.press(Button.HIT, DARK_AFTER_S)
    assert made is not None
    assert made.press.prompt_number == 0


def test_a_press_carries_amount_and_spot_and_its_age(bench: Bench) -> None:
    bench.poll(0.0)
    bench.panel.press(Button.BET, 0.1, amount_cents=2550, spot=2)
    (press,) = bench.poll(0.35).presses
    assert (press.amount_cents, press.spot, press.age_ms) == (2550, 2, 250)


def test_the_age_of_a_press_has_an_upper_bound(bench: Bench) -> None:
    bench.panel.press(Button.BET, 0.0)
    (press,) = bench.poll(1000.0).presses
    assert press.age_ms == 65535


def test_a_press_is_repeated_until_it_is_acknowledged(bench: Bench) -> None:
    made = bench.panel.press(Button.HIT, 0.0)
    assert len(bench.poll(0.1).presses) == 1
    assert len(bench.poll(0.2).presses) == 1
    report = bench.poll(0.3, taken=1)
    assert (report.presses, report.acknowledged) == ((), 1)
    assert bench.panel.memory.acknowledged == [made]


def test_an_acknowledgement_of_another_boot_id_is_not_heard(bench: Bench) -> None:
    bench.panel.press(Button.HIT, 0.0)
    other = bench.panel.memory.boot_id ^ 1
    report = bench.ask(Poll(5, PLAY, other, 1), 0.1)
    assert isinstance(report, Report)
    assert len(report.presses) == 1


def test_a_number_never_given_is_not_acknowledged(bench: Bench) -> None:
    bench.panel.press(Button.HIT, 0.0)
    report = bench.poll(0.1, taken=900)
    assert (report.acknowledged, len(report.presses)) == (0, 1)


def test_an_acknowledgement_never_goes_back(bench: Bench) -> None:
    for _ in range(3):
        bench.panel.press(Button.HIT, 0.0)
    bench.poll(0.1, taken=2)
    report = bench.poll(0.2, taken=1)
    assert (report.acknowledged, len(report.presses)) == (2, 1)


def test_a_fifth_press_is_dropped_and_counted(bench: Bench) -> None:
    made = [bench.panel.press(Button.HIT, 0.0) for _ in range(6)]
    assert made[4:] == [None, None]
    report = bench.poll(0.1)
    assert [press.number for press in report.presses] == [1, 2, 3, 4]
    assert report.dropped == 2
    assert bench.panel.memory.without_room == 2
    report = bench.poll(0.2, taken=2)
    assert [press.number for press in report.presses] == [3, 4]
    bench.panel.press(Button.STAND, 0.3)
    assert [press.number for press in bench.poll(0.4, 2).presses] == [3, 4, 5]


def test_the_count_of_dropped_presses_wraps(bench: Bench) -> None:
    for _ in range(4 + 0x1_0003):
        bench.panel.press(Button.HIT, 0.0)
    assert bench.poll(0.1).dropped == 3


def test_a_reboot_loses_what_waits_and_numbers_from_one_again(bench: Bench) -> None:
    bench.poll(0.0)
    lost = bench.panel.press(Button.HIT, 0.1)
    before = bench.panel.memory.boot_id
    bench.panel.reboot()
    assert bench.panel.lamps == DARK
    assert bench.panel.memory.lost == [lost]
    assert bench.panel.memory.boot_id != before
    report = bench.poll(0.2)
    assert (report.presses, report.acknowledged) == ((), 0)
    made = bench.panel.press(Button.STAND, 0.3)
    assert made is not None
    assert made.press.number == 1


def test_a_panel_without_power_is_silent_and_takes_no_press(bench: Bench) -> None:
    bench.panel.lose()
    assert bench.ask(Identify(), 0.0) is None
    assert bench.panel.press(Button.HIT, 0.0) is None
    bench.panel.lose()
    bench.panel.come_back()
    assert bench.ask(Identify(), 0.1) is not None
    assert bench.panel.memory.pressed == 0


def test_a_stuck_button_makes_one_press_and_is_reported_as_held(bench: Bench) -> None:
    bench.panel.hold(Button.HIT, 0.0)
    bench.panel.hold(Button.HIT, 0.1)
    bench.panel.press(Button.HIT, 0.1)
    report = bench.poll(0.2)
    assert report.held == {Button.HIT}
    assert len(report.presses) == 1
    bench.panel.release(Button.HIT, 0.25)
    bench.panel.release(Button.HIT, 0.25)
    assert bench.poll(0.3).held == frozenset()
    assert bench.panel.press(Button.HIT, 0.35) is not None


def test_a_button_down_at_the_start_counts_when_it_was_up_for_a_second(
    bench: Bench,
) -> None:
    bench.panel.hold(Button.HIT, 0.0)
    bench.panel.reboot()
    assert bench.poll(0.2).held == {Button.HIT}
    bench.panel.release(Button.HIT, 2.0)
    assert bench.panel.press(Button.HIT, 2.9) is None
    assert bench.panel.press(Button.STAND, 2.9) is not None
    assert bench.panel.press(Button.HIT, 3.0) is not None


def test_a_panel_has_only_the_buttons_of_its_role(bench: Bench) -> None:
    with pytest.raises(ValueError, match="role 1 has no button deal; press one of bet"):
        bench.panel.press(Button.DEAL, 0.0)
    assert bench.bus.panels[0].press(Button.DEAL, 0.0) is not None


def test_every_press_is_accounted_for_on_the_device(bench: Bench) -> None:
    for _ in range(5):
        bench.panel.press(Button.HIT, 0.0)
    bench.poll(0.1, taken=1)
    bench.panel.reboot()
    bench.panel.press(Button.HIT, 0.2)
    memory = bench.panel.memory
    assert memory.pressed == 6
    assert (len(memory.acknowledged), len(memory.lost)) == (1, 3)
    assert (memory.without_room, len(memory.waiting)) == (1, 1)


def test_noise_and_unknown_messages_are_counted_and_not_answered(bench: Bench) -> None:
    bench.bus.receive_data(DELIMITER + b"\x05noise" + DELIMITER, 0.0)
    bench.bus.receive_data(encode_frame(Frame(1, 0, 0x7F)), 0.0)
    bench.bus.receive_data(encode_frame(to_frame(Report(1, 0), 1, 0)), 0.0)
    assert bench.bus.data_to_send(0.0) == b""
    assert (bench.bus.reader.errors, bench.panel.malformed) == (1, 1)


def test_several_polls_in_one_burst_are_answered_in_their_order(bench: Bench) -> None:
    burst = b"".join(
        encode_frame(to_frame(Poll(1, PLAY, 0, 0), seat, seat)) for seat in (2, 0, 1)
    )
    bench.bus.receive_data(burst, 0.0)
    answers = FrameReader().receive_data(bench.bus.data_to_send(0.0))
    assert [frame.address for frame in answers] == [2, 0, 1]
