import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulators.devices.faults import (
    CLEAN,
    RATE_NAMES,
    LineRates,
    chance,
    every_line_fault,
    only,
)
from simulators.devices.line import JOIN_S, Line

MESSAGE = bytes(range(1, 21))


def sent(rates: LineRates, seed: int = 3, count: int = 200) -> list[tuple[float, int]]:
    """Return when and how many bytes arrive of `count` writes, one each 0.1 s."""
    line = Line(random.Random(seed), rates)
    arrivals = []
    for step in range(count * 40):
        now = step * 0.0025
        if step % 40 == 0:
            line.write(MESSAGE, now)
        if data := line.read(now):
            arrivals.append((now, len(data)))
    return arrivals


def test_a_clean_line_delivers_at_once_and_unchanged() -> None:
    line = Line(random.Random(1))
    line.write(MESSAGE, 1.0)
    assert line.deadline == 1.0
    assert line.read(1.0) == MESSAGE
    assert line.deadline is None


def test_a_paced_line_takes_ten_bits_a_byte() -> None:
    line = Line(random.Random(1), CLEAN, baud=1000)
    line.write(b"ab", 0.0)
    line.write(b"c", 0.0)
    assert line.read(0.0199) == b""
    assert line.read(0.02) == b"ab"
    assert line.deadline == pytest.approx(0.03)
    assert line.read(0.0301) == b"c"


def test_a_split_write_arrives_in_two_parts() -> None:
    arrivals = sent(only("split", 1.0), count=50)
    assert sum(size for _, size in arrivals) == 50 * len(MESSAGE)
    assert any(size < len(MESSAGE) for _, size in arrivals)


def test_a_joined_write_arrives_with_the_next_one() -> None:
    line = Line(random.Random(1), only("join", 1.0))
    line.write(b"ab", 0.0)
    line.write(b"cd", 0.001)
    assert line.read(JOIN_S - 0.001) == b""
    assert line.read(2 * JOIN_S) == b"abcd"


def test_a_lost_byte_shortens_the_write() -> None:
    line = Line(random.Random(1), only("drop", 1.0))
    line.write(MESSAGE, 0.0)
    left = line.read(0.0)
    assert len(left) == len(MESSAGE) - 1
    assert [byte for byte in MESSAGE if byte in left] == list(left)


def test_a_lost_write_never_arrives() -> None:
    assert sent(only("drop_all", 1.0)) == []


def test_a_repeated_write_arrives_twice() -> None:
    line = Line(random.Random(1), only("repeat", 1.0))
    line.write(MESSAGE, 0.0)
    assert line.read(0.0) == MESSAGE + MESSAGE


def test_a_corrupted_write_differs_in_one_bit() -> None:
    line = Line(random.Random(1), only("corrupt", 1.0))
    line.write(MESSAGE, 0.0)
    spoiled = int.from_bytes(line.read(0.0)) ^ int.from_bytes(MESSAGE)
    assert spoiled.bit_count() == 1


def test_noise_comes_before_the_write_and_leaves_it_whole() -> None:
    line = Line(random.Random(1), only("noise", 1.0))
    line.write(MESSAGE, 0.0)
    noisy = line.read(0.0)
    assert len(noisy) > len(MESSAGE)
    assert noisy.endswith(MESSAGE)


def test_a_delayed_write_is_late_but_comes() -> None:
    arrivals = sent(only("delay", 1.0), count=50)
    assert sum(size for _, size in arrivals) == 50 * len(MESSAGE)
    assert any(at_s % 0.1 > 0.01 for at_s, _ in arrivals)


def test_a_stall_ends_in_a_burst() -> None:
    arrivals = sent(only("stall", 0.05))
    assert max(size for _, size in arrivals) >= 3 * len(MESSAGE)


def test_a_stall_holds_back_what_is_already_on_the_way() -> None:
    line = Line(random.Random(1))
    line.write(b"a", 0.0)
    line.stall(1.0)
    line.write(b"b", 0.5)
    assert line.read(0.9) == b""
    assert line.read(1.0) == b"ab"


def test_a_cleared_line_carries_nothing() -> None:
    line = Line(random.Random(1), CLEAN, baud=300)
    line.write(MESSAGE, 0.0)
    line.clear()
    assert line.read(100.0) == b""
    line.write(b"a", 0.0)
    assert line.deadline == pytest.approx(10 / 300)


@given(st.integers(), st.sampled_from(RATE_NAMES))
def test_one_seed_gives_one_run(seed: int, fault: str) -> None:
    rates = only(fault, 0.3)
    assert sent(rates, seed, count=8) == sent(rates, seed, count=8)


@given(
    st.integers(),
    st.lists(st.tuples(st.floats(0, 0.2), st.binary(min_size=1, max_size=9))),
)
def test_without_loss_every_byte_arrives_in_order(
    seed: int, writes: list[tuple[float, bytes]]
) -> None:
    line = Line(
        random.Random(seed), LineRates(split=0.5, join=0.5, delay=0.5, stall=0.2)
    )
    now, arrived = 0.0, b""
    for pause_s, data in writes:
        now += pause_s
        line.write(data, now)
        arrived += line.read(now)
    arrived += line.read(now + 1000)
    assert arrived == b"".join(data for _, data in writes)


def test_every_line_fault_sets_every_rate() -> None:
    rates = every_line_fault(0.25)
    assert {getattr(rates, name) for name in RATE_NAMES} == {0.25}
    assert set(RATE_NAMES) == {
        name
        for name in LineRates.__struct_fields__
        if not name.endswith(("_s", "_bytes"))
    }


def test_a_rate_that_is_no_probability_is_refused() -> None:
    with pytest.raises(ValueError, match=r"drop: expected a rate from 0 to 1, got 1.5"):
        LineRates(drop=1.5)


def test_an_unknown_fault_is_refused() -> None:
    with pytest.raises(ValueError, match="got 'gremlin'"):
        only("gremlin", 0.1)


def test_parts_of_one_seed_have_their_own_chance() -> None:
    assert chance(1, "a").random() == chance(1, "a").random()
    assert chance(1, "a").random() != chance(1, "b").random()
    assert chance(1, "a").random() != chance(2, "a").random()
