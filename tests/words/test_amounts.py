import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.words.amounts import amount_text, cents_of, net_cents_of, net_text

CENTS = st.integers(min_value=0, max_value=99_999_999_999)


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("25", 2500),
        ("12.50", 1250),
        ("12.5", 1250),
        ("0", 0),
        ("0.05", 5),
        ("007", 700),
        ("999999999.99", 99_999_999_999),
    ],
)
def test_an_amount_is_read_exactly(text: str, cents: int) -> None:
    assert cents_of(text) == cents


@pytest.mark.parametrize(
    "text",
    ["", "12.505", "12.", ".5", "-5", "+5", "1e3", "1,50", "1 0", "٢٥", "9999999999"],
)
def test_anything_else_is_no_amount(text: str) -> None:
    assert cents_of(text) is None


@pytest.mark.parametrize(
    ("text", "cents"),
    [("+37.50", 3750), ("0", 0), ("-25", -2500), ("10", 1000), ("-0", 0)],
)
def test_a_win_or_loss_carries_its_sign(text: str, cents: int) -> None:
    assert net_cents_of(text) == cents


@pytest.mark.parametrize("text", ["", "+", "-", "+-5", "--5", "five"])
def test_anything_else_is_no_win_or_loss(text: str) -> None:
    assert net_cents_of(text) is None


@pytest.mark.parametrize(
    ("cents", "amount", "net"),
    [
        (3750, "37.50", "+37.50"),
        (2500, "25", "+25"),
        (0, "0", "0"),
        (-2500, "-25", "-25"),
        (-5, "-0.05", "-0.05"),
    ],
)
def test_cents_are_written_as_in_scenarios(cents: int, amount: str, net: str) -> None:
    assert amount_text(cents) == amount
    assert net_text(cents) == net


@given(CENTS)
def test_a_written_amount_reads_back(cents: int) -> None:
    assert cents_of(amount_text(cents)) == cents


@given(CENTS, st.sampled_from([1, -1]))
def test_a_written_win_or_loss_reads_back(cents: int, sign: int) -> None:
    assert net_cents_of(net_text(sign * cents)) == sign * cents
