"""The simulated shoe that prints lines: what it prints, and what it cannot do."""

import random

from drivers.events import ShoeEventReceived, ShoeRemarked
from drivers.line_shoe.profiles import BEETEK
from drivers.line_shoe.session import LineShoeSession, LineTiming
from drivers.shoe.messages import CardDrawn, CardUnread
from simulators.devices.decks import Decks
from simulators.devices.line_shoe import LineShoeSimulator

NOW = 0.0


def shoe(*cards: str) -> LineShoeSimulator:
    return LineShoeSimulator(BEETEK, Decks(cards, random.Random(1)) if cards else None)


def read(device: LineShoeSimulator) -> list[object]:
    """Return what the host makes of all that was printed."""
    session = LineShoeSession(BEETEK, None, LineTiming(), NOW)
    session.connection_made(NOW)
    session.receive_data(device.data_to_send(NOW), NOW)
    return [
        one.event if isinstance(one, ShoeEventReceived) else one.words
        for one in iter(session.next_event, None)
        if isinstance(one, ShoeEventReceived | ShoeRemarked)
    ]


def test_what_it_prints_is_what_the_host_reads() -> None:
    device = shoe()
    device.draw("Th")
    device.draw_unread()
    device.give_alarm("E5")
    device.warn("W0x01")
    device.print_raw(b"[Game]<Card:H9>")
    assert device.printed == 5
    assert read(device) == [
        CardDrawn(1, "Th"),
        CardUnread(2),
        "E5",
        "W0x01",
        "[Game]<Card:",
    ]


def test_it_prints_once_and_hears_nothing() -> None:
    device = shoe()
    device.draw("Th")
    device.receive_data(b"\x00", NOW)
    device.handle_timer(NOW)
    assert device.data_to_send(NOW) == b"[Game]<Card:TH>\r\n"
    assert device.data_to_send(NOW) == b""
    assert device.deadline is None


def test_it_draws_from_the_decks_inside_until_there_are_none() -> None:
    device = shoe("As", "Kd", "2c")
    drawn = {device.draw_next() for _ in range(3)}
    assert drawn == {"As", "Kd", "2c"}
    assert device.draw_next() is None
    assert shoe().draw_next() is None
    assert device.printed == 3


def test_lines_are_counted_from_each_opening() -> None:
    device = shoe()
    device.draw("Th")
    device.expect_opening(7)
    device.draw("9c")
    assert (device.printed, device.boot_id_before) == (1, 7)
