"""One player's complaint answered: what was pressed, what was lit, what came of it."""

from collections.abc import Iterable, Iterator
from typing import Final
from zoneinfo import ZoneInfo

import click

from controller.cli.output import print_heading, print_story, print_table
from controller.evidence.account import PressAccount, RoundAccount
from controller.evidence.panels import Ended, PromptAccount
from controller.evidence.times import Wait, time_of_day, wait_text

_LAMPS: Final = ("from", "to", "prompt", "for hand", "showed", "ended by")

_ENDED: Final = {
    Ended.MOVED_ON: "the dealer moving on, unanswered",
    Ended.BETS_CLOSED: "DEAL",
    Ended.INSURANCE_CLOSED: "insurance closing, unanswered",
    Ended.STOPPED: "the table being stopped",
    Ended.PANEL_LOST: "the panel being lost",
    Ended.TEST_MODE: "buttons being tried by hand",
    Ended.CHANGED: "what else happened at the table",
}

_PANEL_TROUBLE: Final = frozenset(
    {
        "panel_lost",
        "panel_back",
        "dealer_entry_allowed",
        "button_stuck",
        "button_released",
        "presses_dropped",
    }
)


def print_dispute(account: RoundAccount, seat: int, zone: ZoneInfo) -> None:
    """Print what a seat pressed in a round that is narrowed to it, and its lamps."""
    click.echo()
    print_heading(f"What seat {seat} pressed")
    click.echo(_counted(account.presses))
    print_story(_presses(account.presses, zone))
    _print_trouble(account, zone)
    click.echo()
    print_heading(f"When seat {seat}'s panel was lit")
    if account.prompts:
        print_table(_LAMPS, [_lamps(prompt, zone) for prompt in account.prompts])
    else:
        click.echo("Never in this round.")


def _counted(presses: Iterable[PressAccount]) -> str:
    made = tuple(presses)
    refused = sum(press.reason is not None for press in made)
    if not made:
        return (
            "Nothing: no press of this seat reached the table in this round. A panel "
            "repeats a press until the table has taken it, unless it loses power."
        )
    many = f"{len(made)} times" if len(made) > 1 else "Once"
    return f"{many}; {len(made) - refused} taken, {refused} refused."


def _presses(
    presses: Iterable[PressAccount], zone: ZoneInfo
) -> Iterator[tuple[str, str, str, bool]]:
    for press in presses:
        source = f"[record {press.sequence}]"
        yield time_of_day(press.at, zone), press.text, source, False
        if press.reason is not None:
            yield "", "Nothing came of it: a refused press changes nothing", "", True
        for text in press.became:
            yield "", text, "", True


def _print_trouble(account: RoundAccount, zone: ZoneInfo) -> None:
    """Print what was wrong with the panel, which may be the answer."""
    found = [entry for entry in account.timeline if entry.type in _PANEL_TROUBLE]
    if not found:
        click.echo("Nothing was found wrong with its panel.")
        return
    click.echo("What was found of its panel:")
    print_story(
        (time_of_day(entry.at, zone), entry.text, f"[record {entry.sequence}]", False)
        for entry in found
    )


def _lamps(prompt: PromptAccount, zone: ZoneInfo) -> tuple[str, ...]:
    return (
        time_of_day(prompt.lit_at, zone) if prompt.lit_at else "",
        time_of_day(prompt.until_at, zone) if prompt.until_at else "",
        str(prompt.number),
        prompt.hand,
        " ".join(prompt.buttons),
        _ended(prompt),
    )


def _ended(prompt: PromptAccount) -> str:
    if prompt.ended is None:
        return "lit still"
    if prompt.ended is not Ended.ANSWERED:
        return _ENDED[prompt.ended]
    assert prompt.answer is not None
    answer = f"{prompt.answer.upper()}, record {prompt.press}"
    if prompt.waited_ms is None:
        return answer
    return f"{answer}, after {wait_text(Wait(prompt.waited_ms, prompt.by_clock))}"
