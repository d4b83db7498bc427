"""How a round ended, in tables: hands and insurance, and the rack."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from controller.core.cards import Card
from controller.core.totals import TWENTY_ONE
from controller.evidence.account import (
    DealerAccount,
    HandAccount,
    InsuranceAccount,
    RoundAccount,
)
from controller.evidence.page.faces import face
from controller.evidence.page.markup import NOTHING, Html, join, tag, text
from controller.evidence.rack_told import RACK_HEADINGS, how_to_show_again, rack_rows
from controller.words.amounts import amount_text, net_text

_HEADINGS = ("hand", "seat", "cards", "total", "wager", "outcome", "net")


def result(account: RoundAccount) -> Html:
    """Return hands and insurance with what each player won or lost."""
    rows = [
        *map(_hand, account.hands),
        *([_dealer(account.dealer)] if account.dealer.cards else []),
        *(_insurance(each) for each in account.insurance if each.amount),
    ]
    if not rows:
        return NOTHING
    title = "How it ended" if account.ended_at else "How it stands"
    return tag(
        "section",
        tag("h2", text(title)),
        _table(_HEADINGS, rows),
        class_="result ended card-words",
    )


def rack_section(account: RoundAccount, zone: ZoneInfo) -> Html:
    """Return whose each group of the rack is, and how a hand is shown again (RACK)."""
    if not account.rack_groups:
        return NOTHING
    rows = [
        _row(text(row.number), _cards(row.cards), text(row.whose), text(row.at))
        for row in rack_rows(account, zone)
    ]
    return tag(
        "section",
        tag("h2", text("The rack, from the bottom up")),
        _table(RACK_HEADINGS, rows),
        *(tag("p", text(sentence)) for sentence in how_to_show_again(account)),
        class_="result card-words",
    )


def _table(headings: Sequence[str], rows: Sequence[Html]) -> Html:
    heads = (tag("th", text(name), scope="col") for name in headings)
    return tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *rows))


def _cards(cards: Sequence[Card]) -> Html:
    return join([face(card) for card in cards])


def _dealer(dealer: DealerAccount) -> Html:
    total = "" if dealer.total is None else str(dealer.total)
    return _row(
        text("dealer"), NOTHING, _cards(dealer.cards), text(total), *[NOTHING] * 3
    )


def _hand(hand: HandAccount) -> Html:
    soft = "soft " if hand.soft and hand.total != TWENTY_ONE else ""
    return _row(
        text(hand.hand),
        text(str(hand.seat)),
        _cards(hand.cards),
        text("" if hand.total is None else f"{soft}{hand.total}"),
        text(amount_text(hand.wager)),
        text(hand.outcome or "open"),
        text("" if hand.net is None else net_text(hand.net)),
    )


def _insurance(answer: InsuranceAccount) -> Html:
    settled = answer.outcome is not None
    return _row(
        text("insurance"),
        text(str(answer.seat)),
        NOTHING,
        NOTHING,
        text(amount_text(answer.amount)),
        text(answer.outcome or "open"),
        text(net_text(answer.net) if settled else ""),
    )


def _row(name: Html, *cells: Html) -> Html:
    return tag("tr", tag("th", name, scope="row"), *(tag("td", cell) for cell in cells))
