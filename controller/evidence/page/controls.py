"""What steps through a round: buttons, a slider, and what is to be read."""

from controller.evidence.account import RoundAccount
from controller.evidence.page.markup import NOTHING, Html, tag, text


def controls(account: RoundAccount, steps: int) -> Html:
    """Return the controls; without JavaScript they stay hidden."""
    buttons = [
        _button("first", "|\N{BLACK LEFT-POINTING TRIANGLE}", "First step"),
        _button("back", "\N{BLACK LEFT-POINTING TRIANGLE}", "Step back"),
        _button("on", "\N{BLACK RIGHT-POINTING TRIANGLE}", "Step on"),
        _button("last", "\N{BLACK RIGHT-POINTING TRIANGLE}|", "Last step"),
    ]
    slider = tag(
        "input",
        type="range",
        id="slider",
        min="1",
        max=str(steps),
        value=str(steps),
        aria_label="Step",
    )
    sentence = tag("div", id="sentence", aria_live="polite", aria_atomic="true")
    return tag(
        "div",
        sentence,
        tag("div", *buttons, slider, class_="row"),
        tag("div", *_filters(account), class_="row"),
        id="controls",
        hidden="",
    )


def _button(name: str, sign: str, words: str) -> Html:
    return tag(
        "button",
        text(sign + "\N{VARIATION SELECTOR-15}"),
        type="button",
        id=name,
        aria_label=words,
        title=words,
    )


def _filters(account: RoundAccount) -> list[Html]:
    everyone = tag("option", text("every seat"), value="")
    each = [
        tag("option", text(f"seat {seat}"), value=str(seat)) for seat in account.seats
    ]
    seats = (
        tag("label", text("Show "), tag("select", everyone, *each, id="seat"))
        if len(each) > 1
        else NOTHING
    )
    lamps = tag("input", type="checkbox", id="lamps", checked="")
    keys = tag(
        "span",
        text("Keys: \N{LEFTWARDS ARROW} \N{RIGHTWARDS ARROW}, Home, End"),
        class_="keys",
    )
    return [seats, tag("label", lamps, text(" changes of lamps")), keys]
