"""Shifts, rules, shoe, links and disk: what surrounds a round."""

from collections.abc import Iterable
from typing import Final

import msgspec

from controller.core import events as ev
from controller.core.cards import Card
from controller.core.ids import DEALER_SEAT, ShoeSign
from controller.core.mirror import MIRROR_WORDS
from controller.core.remarks import remark_words
from controller.core.rules import Rules
from controller.evidence.narrative.moment import Line, Moment, Teller
from controller.evidence.narrative.wording import card_words, listed, sentence
from controller.words.amounts import amount_text


def _opened(event: ev.JournalOpened, _moment: Moment) -> Iterable[Line]:
    text = (
        f"The {event.kind} journal of table {event.table} begins, with "
        f"{event.seats} seats and the rules {event.rules.name}"
    )
    yield Line(None, text, "VAR")
    if event.succeeds is not None:
        yield from _succeeded(event.succeeds)


def _succeeded(old: ev.Predecessor) -> Iterable[Line]:
    begun = f"after its record {old.sequence}" if old.sequence else "with nothing of it"
    if not old.found:
        yield Line(None, f"It goes on from {old.file}, {begun}", "Faults")
        return
    text = (
        f"It takes the place of {old.file} and goes on {begun}, decided by supervisor "
        f"{old.supervisor} with technician {old.technician}: {old.reason}. "
        f"Of the old one was found: {old.found}"
    )
    yield Line(None, text, "Faults")
    if not old.void_round:
        return
    yield Line(None, f"Round {old.void_round} is void", "Faults")
    for wager in old.wagers:
        amount = amount_text(wager.amount_cents)
        text = f"The wager of {amount} on spot {wager.spot} goes back"
        yield Line(wager.seat, text, "Faults")
    for answer in old.insurance:
        amount = amount_text(answer.amount_cents)
        yield Line(answer.seat, f"The insurance of {amount} goes back", "Faults")


def _key_set(event: ev.SigningKeySet, _moment: Moment) -> Iterable[Line]:
    yield Line(None, f"The journal is signed by the key {event.key} from here on", "")


def _rules_set(event: ev.RulesetSet, moment: Moment) -> Iterable[Line]:
    rules = event.rules
    approval = (
        f", approved by {rules.approval.authority} under {rules.approval.reference}"
        if rules.approval
        else ""
    )
    text = f"The rules {rules.name} are in force from the next round on{approval}"
    yield Line(None, f"{text}: {_differences(moment.before.rules, rules)}", "VAR")


def _differences(before: Rules, now: Rules) -> str:
    """Return `wager_min_cents 1000 instead of 500`, for each key that differs."""
    was, new = (msgspec.to_builtins(rules) for rules in (before, now))
    changed = [
        f"{key} {new[key]} instead of {was[key]}"
        for key in new
        if new[key] != was[key] and key != "approval"
    ]
    return listed(changed) if changed else "no key differs"


def _shift_opened(event: ev.ShiftOpened, _moment: Moment) -> Iterable[Line]:
    way = event.direction.value.replace("-", " ")
    text = f"Dealer {event.dealer} opens shift {event.shift} and picks up {way}"
    yield Line(None, text, "PICKUP-1b")


def _shift_closed(event: ev.ShiftClosed, _moment: Moment) -> Iterable[Line]:
    yield Line(None, f"Shift {event.shift} is closed", "PICKUP-1b")


def _seat_opened(event: ev.SeatOpened, _moment: Moment) -> Iterable[Line]:
    yield Line(event.seat, f"A new player sits at seat {event.seat}", "LIMIT-MIN")


# --- The shoe ------------------------------------------------------------------

_SIGNS: Final[dict[ShoeSign, tuple[str, str]]] = {
    ShoeSign.LID_OPEN: ("The shoe's lid is open", "SHOE"),
    ShoeSign.LID_CLOSED: ("The shoe's lid is closed", "SHOE"),
    ShoeSign.JAM: ("The shoe is jammed", "SHOE"),
    ShoeSign.CLEARED: ("The shoe is cleared", "SHOE"),
    ShoeSign.CUT_CARD: ("The cut card is out: a shuffle follows this round", "CUT"),
    ShoeSign.EMPTY: ("The shoe is empty", "CUT"),
    ShoeSign.SHUFFLE_STARTED: ("The shoe begins to shuffle", "CUT"),
    ShoeSign.SHUFFLED: ("The shoe is shuffled", "CUT"),
    ShoeSign.LOST: ("The shoe does not answer", "SHOE"),
    ShoeSign.BACK: ("The shoe answers again", "SHOE"),
}


def _shoe_changed(event: ev.ShoeChanged, _moment: Moment) -> Iterable[Line]:
    yield Line(None, *_SIGNS[event.sign])


def _remarked(event: ev.ShoeRemarked, _moment: Moment) -> Iterable[Line]:
    yield Line(None, remark_words(event.remark, event.words), "SHOE")


def _shuffled(event: ev.ShoeShuffled, _moment: Moment) -> Iterable[Line]:
    text = "The shoe is shuffled, all racked cards are back in it"
    if event.count >= 0:
        text += f"; it counts {event.count} cards"
    if event.differs:
        text += ", which is not what the record expects"
    yield Line(None, text, "PICKUP-2" if event.differs else "CUT")


def _replaced(event: ev.ShoeReplaced, _moment: Moment) -> Iterable[Line]:
    text = (
        f"Another shoe of {event.decks} decks takes its place; the old one was short "
        f"of {_counted(event.short)} and over by {_counted(event.over)}"
    )
    yield Line(None, text, "SHOE")


def _counted(cards: dict[Card, int]) -> str:
    return listed(f"{count} × {card}" for card, count in cards.items())


def _card_returned(event: ev.CardReturned, _moment: Moment) -> Iterable[Line]:
    text = f"{card_words(event.card)} is back in the shoe"
    yield Line(None, sentence(text), "PICKUP-2")


def _adopted(_event: ev.ShoeAdopted, _moment: Moment) -> Iterable[Line]:
    yield Line(None, "The shoe was started anew and numbers its cards anew", "POSITION")


def _numbered(event: ev.UnseenCardNumbered, _moment: Moment) -> Iterable[Line]:
    text = f"A card left the shoe unseen and gets number {event.number}"
    yield Line(None, text, "POSITION")


# --- Links, buttons, clock, disk ------------------------------------------------


def _panel(seat: int) -> str:
    return "The dealer's panel" if seat == DEALER_SEAT else f"The panel of seat {seat}"


def _panel_lost(event: ev.PanelLost, _moment: Moment) -> Iterable[Line]:
    yield Line(event.seat, f"{_panel(event.seat)} is lost and dark", "PANEL")


def _panel_back(event: ev.PanelBack, _moment: Moment) -> Iterable[Line]:
    yield Line(event.seat, f"{_panel(event.seat)} is back", "PANEL")


def _entry_allowed(event: ev.DealerEntryAllowed, _moment: Moment) -> Iterable[Line]:
    text = f"The dealer may enter the choices of seat {event.seat}, its panel is lost"
    yield Line(event.seat, text, "PLAY-4")


def _stuck(event: ev.ButtonStuck, _moment: Moment) -> Iterable[Line]:
    text = f"{_panel(event.seat)}: {event.button} is held down and ignored"
    yield Line(event.seat, text, "Faults")


def _released(event: ev.ButtonReleased, _moment: Moment) -> Iterable[Line]:
    text = f"{_panel(event.seat)}: {event.button} is released and counts again"
    yield Line(event.seat, text, "Faults")


def _dropped(event: ev.PressesDropped, _moment: Moment) -> Iterable[Line]:
    text = (
        f"{_panel(event.seat)} had no place for presses, {event.total} since it was "
        "started; its lamps showed that they were not taken"
    )
    yield Line(event.seat, text, "Faults")


def _clock(event: ev.ClockStepped, _moment: Moment) -> Iterable[Line]:
    way = "forward" if event.stepped_ms > 0 else "back"
    seconds = abs(event.stepped_ms) / 1000
    text = f"The clock was set {way} by {seconds:g} s; no wait runs on it"
    yield Line(None, text, "Faults")


def _disk(_event: ev.DiskNearlyFull, _moment: Moment) -> Iterable[Line]:
    text = "The journal's disk is nearly full: this round is the last one"
    yield Line(None, text, "Faults")


def _roomy(_event: ev.DiskRoomy, _moment: Moment) -> Iterable[Line]:
    yield Line(None, "There is room on the journal's disk again", "Faults")


def _mirror_lost(event: ev.MirrorLost, _moment: Moment) -> Iterable[Line]:
    words = MIRROR_WORDS[event.fault]
    held = f"it holds records up to {event.sequence}" if event.sequence else ""
    known = held or "what it holds is not known"
    yield Line(None, f"The mirror of the journal is lost: {words}; {known}", "Faults")


def _mirror_back(_event: ev.MirrorBack, _moment: Moment) -> Iterable[Line]:
    yield Line(None, "The mirror of the journal is in order again", "Faults")


def _enclosure_opened(_event: ev.EnclosureOpened, _moment: Moment) -> Iterable[Line]:
    yield Line(None, "The enclosure of the table is opened", "Faults")


def _enclosure_closed(_event: ev.EnclosureClosed, _moment: Moment) -> Iterable[Line]:
    yield Line(None, "The enclosure of the table is shut", "Faults")


def _key_switch(event: ev.KeySwitchTurned, _moment: Moment) -> Iterable[Line]:
    yield Line(None, f"The key switch is turned {'on' if event.on else 'off'}", "IRR-1")


def _slow(event: ev.PanelsSlow, _moment: Moment) -> Iterable[Line]:
    text = f"The panels are read too slowly, each {event.scan_ms} ms: short presses"
    yield Line(None, f"{text} are lost", "Faults")


def _timely(event: ev.PanelsTimely, _moment: Moment) -> Iterable[Line]:
    text = f"The panels are read often enough again, each {event.scan_ms} ms"
    yield Line(None, text, "Faults")


TELLERS: Final[dict[type, Teller]] = {
    ev.JournalOpened: _opened,
    ev.SigningKeySet: _key_set,
    ev.RulesetSet: _rules_set,
    ev.ShiftOpened: _shift_opened,
    ev.ShiftClosed: _shift_closed,
    ev.SeatOpened: _seat_opened,
    ev.ShoeChanged: _shoe_changed,
    ev.ShoeShuffled: _shuffled,
    ev.ShoeReplaced: _replaced,
    ev.CardReturned: _card_returned,
    ev.ShoeRemarked: _remarked,
    ev.ShoeAdopted: _adopted,
    ev.UnseenCardNumbered: _numbered,
    ev.PanelLost: _panel_lost,
    ev.PanelBack: _panel_back,
    ev.DealerEntryAllowed: _entry_allowed,
    ev.ButtonStuck: _stuck,
    ev.ButtonReleased: _released,
    ev.PressesDropped: _dropped,
    ev.ClockStepped: _clock,
    ev.DiskNearlyFull: _disk,
    ev.DiskRoomy: _roomy,
    ev.MirrorLost: _mirror_lost,
    ev.MirrorBack: _mirror_back,
    ev.EnclosureOpened: _enclosure_opened,
    ev.EnclosureClosed: _enclosure_closed,
    ev.KeySwitchTurned: _key_switch,
    ev.PanelsSlow: _slow,
    ev.PanelsTimely: _timely,
}
