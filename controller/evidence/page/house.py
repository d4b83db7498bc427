"""The house's side of the drawing: what goes on, the dealer, the rack, the shoe."""

from typing import Final

from controller.core.cards import UNKNOWN
from controller.core.ids import DEALER, Phase
from controller.core.views import DealerView, IrregularityView
from controller.evidence.page.data import PublicTable
from controller.evidence.page.faces import back, face
from controller.evidence.page.marks import clause_mark, hand_mark, total_line
from controller.evidence.page.markup import NOTHING, Html, join, tag, text

_PHASES: Final = {
    Phase.CLOSED: "Table closed",
    Phase.BETTING: "Bets are open",
    Phase.DEALING: "Dealing",
    Phase.INSURANCE: "Insurance",
    Phase.PLAYING: "Players act",
    Phase.DEALER_DRAWING: "The dealer draws",
    Phase.SETTLED: "Settled",
    Phase.SUSPENDED: "Stopped",
}


def status(table: PublicTable) -> Html:
    """Return the phase, the dealer's prompt, and why the table is stopped."""
    prompt = table.driven.prompt
    phase = _PHASES[table.phase]
    if table.interrupted is not None:
        phase += f" ({_PHASES[table.interrupted].lower()})"
    return join(
        [
            tag("p", text(phase), class_="phase"),
            tag(
                "p",
                text("Dealer\N{RIGHT SINGLE QUOTATION MARK}s prompt: "),
                tag("b", text(prompt.words)),
                clause_mark(prompt.clause),
                class_="prompt",
            ),
            *(_irregularity(found) for found in table.irregularities),
        ]
    )


def _irregularity(found: IrregularityView) -> Html:
    where = f", hand {found.hand}" if found.hand else ""
    where += f", seat {found.seat}" if found.seat else ""
    said = f": {found.said}" if found.said else ""
    return tag(
        "p",
        tag("b", text(f"{found.words}{where}{said}. ")),
        text(found.what_to_do),
        clause_mark(found.clause),
        class_="irregularity",
    )


def dealer(table: PublicTable) -> Html:
    """Return the dealer's hand; a hole card that is face down as a back."""
    turn = "turn" if table.turn == DEALER else ""
    due = "due" if table.due == DEALER else ""
    racked = "racked" if table.dealer.picked_up else ""
    cards = tag("p", *_dealers_cards(table.dealer), class_="cards")
    classes = " ".join(filter(None, ("hand", turn, due, racked)))
    mark = hand_mark(table, DEALER, picked_up=table.dealer.picked_up)
    return tag("div", cards, total_line(table.dealer.total), mark, class_=classes)


def _dealers_cards(dealer: DealerView) -> list[Html]:
    return [
        back("the hole card, face down")
        if at == dealer.hole and card == UNKNOWN
        else face(card)
        for at, card in enumerate(dealer.cards)
    ]


def rack(table: PublicTable) -> Html:
    """Return the discard rack, a group of cards for each hand (RACK)."""
    groups = [
        tag("li", *(face(card) for card in cards), class_="group")
        for cards in table.rack
    ]
    lying = tag("ol", *groups) if groups else tag("p", text("empty"), class_="quiet")
    return join([tag("h3", text("Rack, from the bottom")), lying])


def shoe(table: PublicTable) -> Html:
    """Return the shoe's gate, and cards that lie at no hand."""
    gate = "open" if table.driven.gate_open else "locked"
    beside = [
        (table.undecided, "to be decided"),
        (table.held, "held for the next need"),
    ]
    return join(
        [
            tag("h3", text("Shoe")),
            tag("p", text(f"gate {gate}"), class_=f"gate {gate}"),
            *(
                tag("p", *[back()] * count, text(f" {words}"), class_="beside")
                for count, words in beside
                if count
            ),
            NOTHING
            if table.offered is None
            else tag("p", face(table.offered), text(" on offer"), class_="beside"),
        ]
    )
