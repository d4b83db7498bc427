"""PINs: what is kept of them, and which are taken."""

import threading
import time

import pytest

from controller.runtime.pins import (
    COST,
    DECOY,
    PIN_MAX_CHARACTERS,
    Cost,
    Pin,
    is_kept,
    is_right,
    kept,
    why_not,
)

CHEAP = Cost(memory_kib=8, iterations=1)
PIN = Pin("482913")


def test_the_right_pin_is_known_by_what_is_kept_and_no_other() -> None:
    of_it = kept(PIN, CHEAP)
    assert is_right(PIN, of_it)
    for wrong in ("482914", "48291", "4829130", "", " 482913"):
        assert not is_right(Pin(wrong), of_it)


def test_what_is_kept_never_shows_the_pin_and_differs_each_time() -> None:
    first, second = kept(PIN, CHEAP), kept(PIN, CHEAP)
    assert first != second
    assert PIN.text not in first


def test_a_pin_of_any_letters_is_known() -> None:
    pin = Pin("žlutý kůň")
    assert is_right(pin, kept(pin, CHEAP))


def test_a_pin_shows_itself_nowhere() -> None:
    assert PIN.text not in f"{PIN} {PIN!r} {[PIN]}"
    assert repr(PIN) == repr(Pin("longer than the other"))


def test_the_cost_is_written_beside_it_and_is_that_of_the_decoy() -> None:
    cost = f"$argon2id$v=19$m={COST.memory_kib},t={COST.iterations},p=1$"
    assert kept(PIN).startswith(cost)
    assert DECOY.startswith(cost)
    assert 16 * 1024 <= COST.memory_kib <= 32 * 1024


def test_what_is_kept_is_told_from_what_is_not() -> None:
    of_it = kept(PIN, CHEAP)
    assert is_kept(of_it)
    assert is_kept(DECOY)
    too_dear = of_it.replace("m=8,", "m=65537,")
    for text in ("", "482913", of_it[:-1], of_it + "A", too_dear):
        assert not is_kept(text)
    for changed in (("m=8,", "m=7,"), ("t=1,", "t=99,"), ("p=1", "p=2"), ("id$", "i$")):
        assert not is_kept(of_it.replace(*changed))


def test_everything_that_passes_for_kept_can_be_held_against_a_pin() -> None:
    assert not is_right(PIN, DECOY)


def test_while_a_pin_is_checked_other_threads_go_on() -> None:
    # The whole of what a login may cost the loop: Python's lock is not held.
    turns = 0
    checking = threading.Thread(target=lambda: [is_right(PIN, DECOY) for _ in range(3)])
    began = time.thread_time()
    checking.start()
    while checking.is_alive():
        turns += 1
    own_s = time.thread_time() - began
    checking.join()
    assert turns > 1_000, f"only {turns} turns in {own_s} s of this thread"


@pytest.mark.parametrize("text", ["482913", "correct horse", "a" * 63 + "b"])
def test_a_pin_that_somebody_has_to_guess_will_do(text: str) -> None:
    assert why_not(Pin(text)) == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "6 to 64 characters"),
        ("48291", "6 to 64 characters"),
        ("ab" * PIN_MAX_CHARACTERS, "6 to 64 characters"),
        ("000000", "nobody would try first"),
        ("123456", "nobody would try first"),
        ("654321", "nobody would try first"),
        ("ABCDEF", "nobody would try first"),
        ("4829\t13", "characters that a keyboard shows"),
    ],
)
def test_a_pin_that_will_not_do_is_told_why_without_being_quoted(
    text: str, said: str
) -> None:
    assert said in why_not(Pin(text))
