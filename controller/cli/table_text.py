"""A table's view as lines of text, each understood by itself.

So a console that shows only the lines that changed says enough, and over a slow
line says it soon. Amounts and cards are written as in scenarios.
"""

import enum
from collections.abc import Iterator

import msgspec

from controller.core.ids import DEALER_SEAT, Phase
from controller.core.views import HandView, SeatView, TotalView
from controller.runtime.view import LinkView, RestartsView, View
from controller.words.amounts import amount_text, net_text


class Mood(enum.Enum):
    """How much a line asks for attention."""

    PLAIN = "plain"
    HEAD = "head"
    DUE = "due"
    NOTICE = "notice"
    ALARM = "alarm"


class TextLine(msgspec.Struct, frozen=True):
    """One line of the table's state."""

    text: str
    mood: Mood = Mood.PLAIN


def table_lines(view: View) -> tuple[TextLine, ...]:
    """Return the whole state of the table."""
    return tuple(_lines(view))


def link_lines(view: View) -> tuple[TextLine, ...]:
    """Return how each port fares, for a technician."""
    return tuple(TextLine(link_words(link)) for link in view.links)


def link_words(link: LinkView) -> str:
    """Return how one port fares, on one line."""
    parts = [f"{link.name} at {link.port}", link.error or "open"]
    counts = (
        ("errors", link.errors),
        ("strays", link.strays),
        ("gaps", link.gaps),
        ("resends", link.resends),
        ("reopens", link.reopens),
        ("frames in", link.frames_received),
        ("out", link.frames_sent),
        ("bytes in", link.bytes_received),
        ("out", link.bytes_sent),
        ("worst answer in ms", link.worst_answer_ms),
        ("worst scan in ms", link.worst_scan_ms),
    )
    parts += [f"{name} {count}" for name, count in counts if count is not None]
    return "; ".join(parts)


def _lines(view: View) -> Iterator[TextLine]:
    yield TextLine(_head(view), Mood.HEAD)
    if view.prompt.words:
        yield TextLine(f"dealer: {view.prompt.words} ({view.prompt.clause})", Mood.DUE)
    for found in view.irregularities:
        said = f": {found.said}" if found.said else ""
        where = f", hand {found.hand}" if found.hand else ""
        where += f", seat {found.seat}" if found.seat else ""
        where += f", card {found.number}" if found.number else ""
        yield TextLine(
            f"{found.kind.value}{where}: {found.words}{said}."
            f" {found.what_to_do} ({found.clause})",
            Mood.ALARM,
        )
    if view.dealer.cards:
        yield TextLine(_cards("dealer", view.dealer.cards, view.dealer.total))
    for hand in view.hands:
        yield TextLine(_hand(view, hand))
    for wager in view.wagers:
        by = f" by seat {wager.seat}" if wager.seat != wager.spot else ""
        yield TextLine(f"spot {wager.spot} bet {amount_text(wager.amount_cents)}{by}")
    yield from _insurance(view)
    for seat in view.seats:
        yield from _seat(seat)
    if view.rack:
        yield TextLine("rack " + " | ".join(" ".join(cards) for cards in view.rack))
    if view.shoe.fault:
        yield TextLine(f"shoe: {view.shoe.fault}", Mood.NOTICE)
    for link in view.links:
        if link.error:
            yield TextLine(f"{link.name}: {link.error}", Mood.NOTICE)
    yield from _restarts(view.restarts)
    yield from _notices(view)


def _restarts(restarts: RestartsView) -> Iterator[TextLine]:
    """Yield what a technician looks into: nobody stopped it, and it began again."""
    counts = (("by itself", restarts.abrupt), ("after a loss of power", restarts.power))
    said = [f"{_times(count)} {how}" for how, count in counts if count]
    if said:
        text = f"controller began again {', '.join(said)} since it was last stopped"
        yield TextLine(text, Mood.NOTICE)


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def _notices(view: View) -> Iterator[TextLine]:
    """Yield what is said to somebody, but for what stands as an irregularity."""
    for notice in view.notices:
        if any(found.words in notice.words for found in view.irregularities):
            continue
        to = f"seat {notice.to}" if notice.to.isdigit() else notice.to
        yield TextLine(f"to {to}: {notice.words}", Mood.NOTICE)


def _head(view: View) -> str:
    phase = view.phase.name
    if view.interrupted is not None:
        phase += f" in {view.interrupted.name}"
    parts = [view.table, phase, f"round {view.round}"]
    if view.test_mode:
        parts.append(f"TEST MODE by {view.test_mode}")
    if view.turn:
        parts.append(f"turn {view.turn}")
    parts.append("gate open" if view.shoe.gate_open else "gate locked")
    if view.shift is not None:
        parts.append(f"shift of {view.shift.dealer}, {view.shift.direction.value}")
    return "; ".join(parts)


def _cards(name: str, cards: tuple[str, ...], total: TotalView | None) -> str:
    spoken = f" ({_total(total)})" if total is not None else ""
    return " ".join((name, *cards)) + spoken


def _total(total: TotalView) -> str:
    if total.blackjack:
        return "blackjack"
    if total.bust:
        return f"{total.points} bust"
    return f"{total.points}s" if total.soft else f"{total.points}"


def _hand(view: View, hand: HandView) -> str:
    text = _cards(f"hand {hand.hand}", hand.cards, hand.total)
    text += f" wager {amount_text(hand.wager_cents)}"
    if hand.outcome is not None:
        text += f" {hand.outcome.value} {net_text(hand.net_cents)}"
    lit = view.seats[hand.seat]
    if lit.hand == hand.hand and lit.lamps:
        text += f"; lamps {' '.join(lit.lamps)}"
    return text + (" in the rack" if hand.picked_up else "")


def _insurance(view: View) -> Iterator[TextLine]:
    for answer in view.insurance:
        text = f"seat {answer.seat} insurance "
        text += amount_text(answer.amount_cents) if answer.amount_cents else "declined"
        if answer.result is not None:
            text += f" {answer.result.value} {net_text(answer.net_cents)}"
        yield TextLine(text)
    if view.phase is Phase.INSURANCE:
        for seat in view.seats[1:]:
            if seat.lamps:
                yield TextLine(f"seat {seat.seat} lamps {' '.join(seat.lamps)}")


def _seat(seat: SeatView) -> Iterator[TextLine]:
    name = "dealer's panel" if seat.seat == DEALER_SEAT else f"seat {seat.seat}"
    if seat.panel_lost:
        how = f", the dealer may enter its choices: dealer clarify {seat.seat} …"
        entry = how if seat.dealer_entry else ""
        yield TextLine(f"{name} panel lost{entry}", Mood.NOTICE)
    for button in seat.stuck:
        yield TextLine(f"{name} button {button} stuck", Mood.NOTICE)
    if seat.cash is not None:
        stated = seat.cash.stated_cents
        text = f"{name} cash " + ("spread" if stated is None else amount_text(stated))
        yield TextLine(text + (", chips given" if seat.cash.chips_given else ""))
