"""One self-contained page of a round: drawings, timeline, and how it ended.

It needs no network and may use none: a policy in its head allows the one script and
the one style sheet that stand in it, by their digests, and forbids everything else.
Without JavaScript the whole timeline and the final layout are there to be read.
"""

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from controller.evidence.account import RoundAccount
from controller.evidence.heading import heading
from controller.evidence.page.controls import controls
from controller.evidence.page.drawing import drawing
from controller.evidence.page.markup import Html, tag, text
from controller.evidence.page.result import rack_section, result
from controller.evidence.page.scenes import Reel, scenes_of
from controller.evidence.page.timeline import timeline
from controller.evidence.reconstruct import Replayed

_ASSETS: Final = Path(__file__).parent / "assets"
_STYLES: Final = ("page.css", "table.css", "print.css")
_SCRIPT: Final = "page.js"
_AT_ONCE: Final = frozenset({"Time", "Dealer", "Result"})


def page(replayed: Replayed) -> str:
    """Return the page of a round, or of what concerns one seat in it."""
    account = replayed.account
    zone = ZoneInfo(account.time_zone)
    scenes = scenes_of(replayed)
    reel = Reel(scenes)
    # What we ship ourselves goes in as it is: it is no text, and its digest counts.
    style, script = Html(_asset(*_STYLES)), Html(_asset(_SCRIPT))
    body = tag(
        "body",
        tag(
            "main",
            _heading(account, zone),
            _stage(replayed, len(scenes)),
            result(account),
            rack_section(account, zone),
            _grounds(account, zone),
            class_="left",
        ),
        timeline(scenes, reel, zone),
        *(
            tag("template", piece, id=f"piece-{number}")
            for number, piece in enumerate(reel.pieces)
        ),
        tag("script", script),
    )
    whole = tag("html", _head(account, style, script), body, lang="en")
    return f"<!DOCTYPE html>\n{whole}\n"


def _asset(*names: str) -> str:
    return "\n".join((_ASSETS / name).read_text(encoding="utf-8") for name in names)


def _head(account: RoundAccount, style: Html, script: Html) -> Html:
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
        tag("style", style),
    )


def _digest(source: Html) -> str:
    """Return how a policy names a script or a style sheet that it allows."""
    return f"'sha256-{b64encode(sha256(source.encode()).digest()).decode()}'"


def _heading(account: RoundAccount, zone: ZoneInfo) -> Html:
    """Return what is wanted at once; it is short, so that the table stays in view."""
    return tag(
        "header",
        tag("h1", text(f"Round {account.round} at table {account.table}")),
        _facts(fact for fact in heading(account, zone) if fact[0] in _AT_ONCE),
    )


def _grounds(account: RoundAccount, zone: ZoneInfo) -> Html:
    """Return how far the times can be trusted, and by which rules it was played."""
    return tag(
        "section",
        tag("h2", text("Times and rules")),
        _facts(fact for fact in heading(account, zone) if fact[0] not in _AT_ONCE),
        class_="result",
    )


def _facts(facts: Iterable[tuple[str, str]]) -> Html:
    pairs = (
        tag("div", tag("dt", text(name)), tag("dd", text(fact))) for name, fact in facts
    )
    return tag("dl", *pairs, class_="facts")


def _stage(replayed: Replayed, steps: int) -> Html:
    """Return the layout as it was in the end, and what steps through the round."""
    return tag(
        "section",
        tag("h2", text("The table"), class_="unseen"),
        drawing(replayed.steps[-1].table),
        controls(replayed.account, steps),
        class_="stage",
        aria_label="The table",
    )
