"""When a table counts as stuck: each way of it, and what looks like one and is none."""

from controller.runtime.signs_of_life import (
    INBOX_PATIENCE_S,
    WRITER_PATIENCE_S,
    LifeJudge,
    Signs,
    Stuck,
)

LOOK_S = 7.5


class Looks:
    """A judge that looks at one table again and again."""

    def __init__(self) -> None:
        self.now_s = 1_000.0
        self.judge = LifeJudge(self.now_s)

    def look(self, signs: Signs, after_s: float = LOOK_S) -> Stuck | None:
        self.now_s += after_s
        return self.judge.judge(signs, self.now_s)

    def until_stuck(self, signs: Signs) -> tuple[Stuck, float]:
        """Look at what does not move; return what is said of it, and after how long."""
        began_s = self.now_s
        while (found := self.look(signs, 1.0)) is None:
            assert self.now_s - began_s < 1_000
        return found, self.now_s - began_s


def test_a_table_at_which_nothing_happens_is_not_stuck() -> None:
    looks = Looks()
    signs = [Signs(asked=n, answered=n, came_in=5, taken=5) for n in range(1_000)]
    assert not any(looks.look(one) for one in signs)


def test_a_table_that_only_shows_what_it_was_is_not_stuck() -> None:
    looks = Looks()
    assert not any(looks.look(Signs()) for _ in range(1_000))


def test_a_writer_that_never_answers_is_stuck_after_its_patience() -> None:
    looks = Looks()
    assert looks.look(Signs(asked=1, answered=1)) is None
    assert looks.until_stuck(Signs(asked=2, answered=1)) == (
        Stuck.WRITER,
        WRITER_PATIENCE_S,
    )


def test_a_card_that_stalls_for_a_minute_again_and_again_is_no_stuck_writer() -> None:
    looks = Looks()
    for stall in range(1, 20):
        waiting = Signs(asked=stall, answered=stall - 1, came_in=stall, taken=stall - 1)
        assert looks.look(waiting) is None
        assert looks.look(waiting, 60.0) is None
        after = Signs(asked=stall, answered=stall, came_in=stall, taken=stall)
        assert looks.look(after) is None


def test_an_inbox_that_is_not_taken_though_the_writer_answers_is_stuck() -> None:
    looks = Looks()
    found = [
        looks.look(Signs(asked=n, answered=n, came_in=3 + n, taken=2), 1.0)
        for n in range(60)
    ]
    assert found.index(Stuck.INBOX) == INBOX_PATIENCE_S
    assert set(found[round(INBOX_PATIENCE_S) :]) == {Stuck.INBOX}


def test_an_inbox_that_is_never_empty_but_moves_is_not_stuck() -> None:
    looks = Looks()
    signs = [Signs(asked=n, answered=n, came_in=n + 9, taken=n) for n in range(1_000)]
    assert not any(looks.look(one) for one in signs)


def test_what_waits_for_the_writer_gets_its_full_time_after_it() -> None:
    looks = Looks()
    looks.look(Signs())
    assert looks.look(Signs(came_in=1, asked=1), WRITER_PATIENCE_S - 1) is None
    answered = Signs(came_in=1, asked=1, answered=1)
    assert looks.look(answered, 1.0) is None
    assert looks.until_stuck(answered) == (Stuck.INBOX, INBOX_PATIENCE_S)


def test_a_writer_and_an_inbox_that_move_again_are_alive_at_once() -> None:
    looks = Looks()
    looks.until_stuck(Signs(asked=1, came_in=1))
    assert looks.look(Signs(asked=1, answered=1, came_in=1, taken=1)) is None
    still = Signs(asked=1, answered=1, came_in=2, taken=1)
    assert looks.until_stuck(still) == (Stuck.INBOX, INBOX_PATIENCE_S)
    assert looks.look(Signs(asked=1, answered=1, came_in=3, taken=2)) is None
