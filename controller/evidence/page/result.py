"""How a round ended, in a table: every hand and every insurance wager."""

from controller.core.totals import TWENTY_ONE
from controller.evidence.account import HandAccount, InsuranceAccount, RoundAccount
from controller.evidence.page.faces import face
from controller.evidence.page.markup import NOTHING, Html, join, tag, text
from controller.words.amounts import amount_text, net_text

_HEADINGS = ("hand", "seat", "cards", "total", "wager", "outcome", "net")


def result(account: RoundAccount) -> Html:
    """Return hands and insurance with what each player won or lost."""
    rows = [
        *map(_hand, account.hands),
        *(_insurance(each) for each in account.insurance if each.amount),
    ]
    if not rows:
        return NOTHING
    heads = (tag("th", text(name), scope="col") for name in _HEADINGS)
    return tag(
        "section",
        tag("h2", text("How it ended" if account.ended_at else "How it stands")),
        tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *rows)),
        class_="result card-words",
    )


def _hand(hand: HandAccount) -> Html:
    soft = "soft " if hand.soft and hand.total != TWENTY_ONE else ""
    return _row(
        text(hand.hand),
        text(str(hand.seat)),
        join([face(card) for card in hand.cards]),
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
