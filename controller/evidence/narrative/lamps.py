"""What a panel shows at a moment, since when, and for how long already."""

from controller.core.ids import DEALER_SEAT
from controller.core.state import Prompt
from controller.evidence.narrative.moment import Moment
from controller.evidence.narrative.wording import lamps_words
from controller.evidence.panels import Lit
from controller.evidence.times import time_of_day, wait_between, wait_text


def shown(seat: int, moment: Moment) -> str:
    """Return `its panel shows hit and stand since 20:01:02.3, for 4.5 s (prompt 7)`.

    The time counts up to the record that is told.
    """
    lit = moment.lit.get(seat, Lit(Prompt(seat)))
    whose = "the dealer's panel" if seat == DEALER_SEAT else "its panel"
    if lit.dark:
        return f"{whose} is lost and dark{_since(lit, moment)}"
    words = f"{whose} {lamps_words(lit.prompt.buttons)}{_since(lit, moment)}"
    return f"{words} (prompt {lit.prompt.number}){_started(lit, moment)}"


def _since(lit: Lit, moment: Moment) -> str:
    if lit.since is None or moment.row is None:
        return ""
    since = time_of_day(lit.since.recorded_at, moment.zone)
    return f" since {since}, for {wait_text(wait_between(lit.since, moment.row))}"


def _started(lit: Lit, moment: Moment) -> str:
    """Say that the controller did not run for a while: a panel goes dark then."""
    if lit.started_at is None:
        return ""
    at = time_of_day(lit.started_at, moment.zone)
    return f"; the controller was down until {at}, the lamps off"


def press_was_for(seat: int, number: int, moment: Moment) -> str:
    """Return which earlier prompt a press answered, and until when that was shown."""
    text = f"the press was for prompt {number}"
    for prompt in reversed(moment.earlier):
        if (prompt.seat, prompt.number) == (seat, number) and prompt.until_at:
            until = time_of_day(prompt.until_at, moment.zone)
            return f"{text}, which {_showed(prompt.buttons)} until {until}"
    return text


def _showed(buttons: tuple[str, ...]) -> str:
    return lamps_words(buttons).replace("shows", "showed")
