"""One self-contained page of a round: drawings, timeline, and how it ended.

It needs no network and may use none: a policy in its head allows the one script and
the one style sheet that stand in it, by their digests, and forbids everything else.
Without JavaScript the whole timeline and the final layout are there to be read.
"""

from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from controller.evidence.account import RoundAccount
from controller.evidence.page.drawing import drawing
from controller.evidence.page.markup import NOTHING, Html, tag, text
from controller.evidence.page.result import result
from controller.evidence.page.scenes import Reel, scenes_of
from controller.evidence.page.timeline import timeline
from controller.evidence.reconstruct import Replayed
from controller.evidence.times import day_and_time

_ASSETS: Final = Path(__file__).parent / "assets"
_STYLES: Final = ("page.css", "table.css", "print.css")
_SCRIPT: Final = "page.js"


def page(replayed: Replayed) -> str:
    """Return the page of a round, or of what concerns one seat in it."""
    account = replayed.account
    zone = ZoneInfo(account.time_zone)
    scenes = scenes_of(replayed)
    reel = Reel(scenes)
    head = _head(account, _asset(*_STYLES), _asset(_SCRIPT))
    body = tag(
        "body",
        tag(
            "main",
            _heading(account, zone),
            _stage(replayed, len(scenes)),
            result(account),
            class_="left",
        ),
        timeline(scenes, reel, zone),
        *(
            tag("template", piece, id=f"piece-{number}")
            for number, piece in enumerate(reel.pieces)
        ),
        _script(_asset(_SCRIPT)),
    )
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def _asset(*names: str) -> str:
    return "\n".join((_ASSETS / name).read_text(encoding="utf-8") for name in names)


def _head(account: RoundAccount, style: str, script: str) -> Html:
    policy = (
        f"default-src 'none'; script-src {_digest(script)}; "
        f"style-src {_digest(style)}; base-uri 'none'; form-action 'none'"
    )
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name_="viewport", content="width=device-width, initial-scale=1"),
        tag("title", text(f"Round {account.round} at table {account.table}")),
        tag("style", Html(style)),
    )


def _script(source: str) -> Html:
    return tag("script", Html(source))


def _digest(source: str) -> str:
    """Return how a policy names a script or a style sheet that it allows."""
    return f"'sha256-{b64encode(sha256(source.encode()).digest()).decode()}'"


def _heading(account: RoundAccount, zone: ZoneInfo) -> Html:
    facts = [
        ("Time", f"{_times(account, zone)} ({zone.key})"),
        ("Dealer", account.dealer_person),
        ("Rules", account.ruleset),
    ]
    return tag(
        "header",
        tag("h1", text(f"Round {account.round} at table {account.table}")),
        tag(
            "dl",
            *(
                tag("div", tag("dt", text(name)), tag("dd", text(fact)))
                for name, fact in facts
            ),
        ),
    )


def _times(account: RoundAccount, zone: ZoneInfo) -> str:
    if account.started_at is None:
        return "the bets are open"
    began = day_and_time(account.started_at, zone)
    if account.ended_at is None:
        return f"{began}, still open"
    how = "DEAL was taken back" if account.undone else "to"
    return f"{began} {how} {day_and_time(account.ended_at, zone)}"


def _stage(replayed: Replayed, steps: int) -> Html:
    """Return the layout as it was in the end, and what steps through the round."""
    return tag(
        "section",
        tag("h2", text("The table"), class_="unseen"),
        drawing(replayed.steps[-1].table),
        _controls(replayed.account, steps),
        class_="stage",
        aria_label="The table",
    )


def _controls(account: RoundAccount, steps: int) -> Html:
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
