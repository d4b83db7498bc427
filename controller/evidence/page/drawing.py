"""The table drawn: from public data to HTML, region by region, and nothing else.

Whoever shows a table, a page of a round or a screen beside the felt, puts `drawing`
on it once and then exchanges those `regions` that changed. How they look is the style
sheet's, `assets/table.css`. The dealer is at the top and faces us, so that first base,
the dealer's left, is on the right.
"""

from controller.core.ids import DEALER_SEAT
from controller.evidence.page.data import PublicTable
from controller.evidence.page.house import dealer, rack, shoe, status
from controller.evidence.page.markup import Html, tag, text
from controller.evidence.page.seats import panel, spot


def regions(table: PublicTable) -> dict[str, Html]:
    """Return the content of every region of the drawing, by the region's name."""
    drawn = {
        "status": status(table),
        "rack": rack(table),
        "dealer": dealer(table),
        "shoe": shoe(table),
    }
    for seat in table.seats:
        drawn[f"panel-{seat.seat}"] = panel(seat)
        if seat.seat != DEALER_SEAT:
            drawn[f"spot-{seat.seat}"] = spot(table, seat.seat)
    return drawn


def drawing(table: PublicTable) -> Html:
    """Return the whole table, each region in an element of its name."""
    drawn = regions(table)

    def region(name: str) -> Html:
        kind, _, _ = name.partition("-")
        return tag("div", drawn[name], id=name, class_=f"region {kind}")

    seats = [
        tag(
            "section",
            region(f"spot-{seat.seat}"),
            tag("h3", text(f"Seat {seat.seat}")),
            region(f"panel-{seat.seat}"),
            class_=f"seat at-{seat.seat}",
            aria_label=f"Seat {seat.seat}",
        )
        for seat in table.seats[1:]
    ]
    house = tag(
        "section",
        region("dealer"),
        tag("h3", text("Dealer")),
        region("panel-0"),
        class_="house",
        aria_label="Dealer",
    )
    top = tag("div", region("rack"), house, region("shoe"), class_="top")
    places = tag("div", *seats, class_="seats")
    felt = tag("div", top, places, class_=f"felt of-{len(seats)}")
    return tag("div", region("status"), felt, class_="table")
