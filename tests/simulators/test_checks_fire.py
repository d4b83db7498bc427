"""Each check finds the defect it is there for: a host that breaks its word."""

from collections.abc import Callable, Iterator

import pytest

from drivers.events import (
    Cursor,
    DriverEvent,
    PressReceived,
    ShoeCursor,
    ShoeEventReceived,
    ShoeGapFound,
)
from drivers.panel.messages import Press
from drivers.shoe.messages import CardDrawn, CardUnread
from tests.simulators import checks
from tests.simulators.host import LIT, Host, Input, Journal, Moment, TakenPress
from tests.simulators.test_exactly_once import any_script
from tests.simulators.world import At, Restart, Script, World

SEEDS = range(40)


class AcknowledgesWhatItHasNotTaken(Host):
    """Says thanks at once; what a power cut takes from it is gone for ever."""

    def receive(self, event: DriverEvent) -> None:
        super().receive(event)
        if isinstance(event, PressReceived | ShoeEventReceived | ShoeGapFound):
            self.acknowledge(event)


class ForgetsItsCursors(Host):
    """Starts as if it had never met its devices."""

    def start_cursor(self, address: int) -> Cursor | None:
        del address
        return None

    def start_shoe_cursor(self) -> ShoeCursor | None:
        return None


class JournalByNumberAlone(Journal):
    """Takes a number it knows for a repetition, whatever the boot id."""

    def take(self, taken: Input) -> None:
        if isinstance(taken, PressReceived):
            known = self.cursors.get(taken.address)
            if known is not None and taken.cursor.number <= known.number:
                return
        super().take(taken)


class IgnoresBootIds(Host):
    journal_type = JournalByNumberAlone


class JournalWithoutPrompts(Journal):
    """Takes any lit button for an answer to what is asked now."""

    def answered_prompt(self, address: int, press: Press) -> int:
        return self.prompts[address] if press.button in LIT[address] else 0


class IgnoresPrompts(Host):
    journal_type = JournalWithoutPrompts


class JournalWithOnePrompt(Journal):
    """Goes on asking the same after it was answered."""

    def take(self, taken: Input) -> None:
        before = dict(self.prompts)
        super().take(taken)
        self.prompts = before


class AsksTheSameAgain(Host):
    journal_type = JournalWithOnePrompt


class TakesAllTwice(Host):
    def receive(self, event: DriverEvent) -> None:
        super().receive(event)
        super().receive(event)


class JournalWithWrongSeats(Journal):
    """Writes every press to the panel beside."""

    def take(self, taken: Input) -> None:
        if isinstance(taken, PressReceived) and taken.address == 1:
            written = TakenPress(2, taken.cursor, taken.press, accepted_for=0)
            self.presses.append(written)
            self.cursors[1] = taken.cursor
        else:
            super().take(taken)


class MixesUpSeats(Host):
    journal_type = JournalWithWrongSeats


class JournalWithoutAmounts(Journal):
    """Loses the amount of a wager."""

    def take(self, taken: Input) -> None:
        super().take(taken)
        if isinstance(taken, PressReceived):
            last = self.presses.pop()
            press = Press(
                last.press.number, last.press.button, last.press.prompt_number
            )
            kept = TakenPress(last.address, last.cursor, press, last.accepted_for)
            self.presses.append(kept)


class LosesAmounts(Host):
    journal_type = JournalWithoutAmounts


class JournalWithoutUnreadCards(Journal):
    """Passes over a card that it cannot read."""

    def take(self, taken: Input) -> None:
        if isinstance(taken, ShoeEventReceived) and isinstance(taken.event, CardUnread):
            self.shoe_cursor = taken.cursor
        else:
            super().take(taken)


class PassesOverUnreadCards(Host):
    journal_type = JournalWithoutUnreadCards


class JournalThatGuesses(Journal):
    """Writes some card for one that was not read."""

    def take(self, taken: Input) -> None:
        match taken:
            case ShoeEventReceived(cursor, CardUnread(card_number), raw):
                guess = CardDrawn(card_number, "Th")
                super().take(ShoeEventReceived(cursor, guess, raw))
            case _:
                super().take(taken)


class GuessesCards(Host):
    journal_type = JournalThatGuesses


class JournalOfGaps(Journal):
    """Calls an event missing that it was given."""

    def take(self, taken: Input) -> None:
        match taken:
            case ShoeEventReceived(cursor, CardDrawn(card_number), raw):
                super().take(ShoeGapFound(cursor, 1, card_number, 1, raw))
            case _:
                super().take(taken)


class InventsGaps(Host):
    journal_type = JournalOfGaps


class NeverAcknowledges(Host):
    def acknowledge(self, taken: Input) -> None:
        del taken


Check = Callable[[World], Iterator[str]]


@pytest.mark.parametrize(
    ("defect", "check"),
    [
        (AcknowledgesWhatItHasNotTaken, checks.acknowledged_presses_lost),
        (AcknowledgesWhatItHasNotTaken, checks.acknowledged_events_lost),
        (AcknowledgesWhatItHasNotTaken, checks.presses_forgotten),
        (AcknowledgesWhatItHasNotTaken, checks.events_forgotten),
        (ForgetsItsCursors, checks.presses_taken_twice),
        (ForgetsItsCursors, checks.events_taken_twice),
        (IgnoresBootIds, checks.acknowledged_presses_lost),
        (IgnoresPrompts, checks.wrong_prompts),
        (AsksTheSameAgain, checks.prompts_answered_twice),
        (TakesAllTwice, checks.presses_taken_twice),
        (TakesAllTwice, checks.events_taken_twice),
        (MixesUpSeats, checks.presses_never_made),
        (LosesAmounts, checks.presses_never_made),
        (PassesOverUnreadCards, checks.acknowledged_events_lost),
        (PassesOverUnreadCards, checks.cards_miscounted),
        (GuessesCards, checks.events_altered),
        (InventsGaps, checks.gaps_invented),
    ],
)
def test_a_defect_of_the_host_is_found(defect: type[Host], check: Check) -> None:
    for seed in SEEDS:
        world = World(any_script(seed), defect).run()
        if list(check(world)):
            break
    else:
        pytest.fail(f"{check} does not find {defect}")


def test_a_host_that_never_acknowledges_does_not_come_to_rest() -> None:
    with pytest.raises(AssertionError, match="does not come to rest"):
        World(any_script(0), NeverAcknowledges).run()


@pytest.mark.parametrize("restart", list(Restart))
def test_the_honest_host_survives_what_finds_the_defects(restart: Restart) -> None:
    script = any_script(3)
    restarts = {At(moment, nth): restart for moment in Moment for nth in (3, 9, 15)}
    world = World(Script(script.plan, restarts=restarts)).run()
    assert checks.findings(world) == []
