import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core.ids import DEALER
from controller.words.errors import WordsError
from controller.words.names import table_order
from controller.words.reading import Reader, Word, words_of


def test_a_line_splits_at_spaces_and_drops_its_comment() -> None:
    assert [word.raw for word in words_of("  card\tTh   9c#nine \r")] == [
        "card",
        "Th",
        "9c",
    ]


def test_a_quoted_text_holds_spaces_and_a_number_sign() -> None:
    assert words_of('call "the #1 card" # said at once') == (
        Word("call", "call", None),
        Word('"the #1 card"', "the #1 card", None),
    )


def test_an_option_has_a_key_and_may_be_quoted() -> None:
    assert words_of('reason="two words" spot=3 spot= =3') == (
        Word('reason="two words"', "two words", "reason"),
        Word("spot=3", "3", "spot"),
        Word("spot=", "spot=", None),
        Word("=3", "=3", None),
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            'dealer call "seat 1',
            'expected a text in double quotes, as in "…", got "seat 1',
        ),
        ('call a"b"', 'expected a text in double quotes, as in "…", got a"b"'),
        ('call "a"b', 'expected a text in double quotes, as in "…", got "a"b'),
        ("dealer\x07deal", r"expected printable text on one line, got \x07"),
        ("dealer deal\ndealer next", r"expected printable text on one line, got \n"),
    ],
)
def test_a_line_that_does_not_split_is_refused(line: str, message: str) -> None:
    with pytest.raises(WordsError) as refused:
        words_of(line)
    assert str(refused.value) == message


def test_a_long_word_is_cut_in_a_message() -> None:
    message = str(WordsError("a seat", "x" * 1000))
    assert message == "expected a seat, got " + "x" * 60 + "…"


def test_an_option_may_stand_anywhere_and_only_once() -> None:
    reader = Reader("spot=2 5 spot=3")
    assert reader.option("spot", "N", str) == "2"
    assert reader.take("a seat").raw == "5"
    with pytest.raises(WordsError, match=r"^expected the end of the line, got spot=3$"):
        reader.end()


def words_or_refusal(text: str) -> tuple[Word, ...] | str:
    try:
        return words_of(text)
    except WordsError as refused:
        return str(refused)


@given(st.text())
def test_any_text_splits_or_is_refused_in_one_printable_line(text: str) -> None:
    outcome = words_or_refusal(text)
    if isinstance(outcome, str):
        assert outcome.isprintable()
    else:
        assert all(word.raw and word.raw in text for word in outcome)


def test_hands_sort_as_they_lie_on_the_table() -> None:
    hands = ["dealer", "10", "3.2", "2", "3.10", "3.1"]
    assert sorted(hands, key=table_order) == [
        "2",
        "3.1",
        "3.2",
        "3.10",
        "10",
        DEALER,
    ]
