"""Irregularities: what was found, what was decided and by whom, how it went on."""

from collections.abc import Iterable
from typing import Final

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.ids import Kind
from controller.core.irregularities import KINDS
from controller.core.software import SHORT_CHARACTERS, changes_text
from controller.evidence.narrative.moment import Line, Moment, Teller


def _found(event: ev.IrregularityFound, moment: Moment) -> Iterable[Line]:
    where = [
        f"hand {event.hand}" if event.hand else "",
        f"seat {event.seat}" if event.seat else "",
        f"card number {event.number}" if event.number else "",
    ]
    places = f" ({', '.join(filter(None, where))})" if any(where) else ""
    words = f": {event.words}" if event.words else ""
    text = f"Irregularity: {_words(event.kind)}{places}{words}"
    seat = event.seat or (moment.seat_of(event.hand) if event.hand else None)
    yield Line(seat, text, KINDS[event.kind].clause)


def _words(kind: Kind) -> str:
    words = KINDS[kind].words
    return words[0].lower() + words[1:]


def _suspended(event: ev.TableSuspended, _moment: Moment) -> Iterable[Line]:
    text = "The table is stopped, all action lamps off, until a supervisor decides"
    yield Line(None, text, KINDS[event.kind].clause)


def _decided(event: ev.DecisionTaken, _moment: Moment) -> Iterable[Line]:
    hand = f" for hand {event.hand}" if event.hand else ""
    witness = f", witnessed by {event.witness}" if event.witness else ""
    reason = f": {event.reason}" if event.reason else ", no reason is given"
    who = f"{event.role.value.capitalize()} {event.person}"
    text = f"{who} decides {event.command}{hand}{witness}{reason}"
    yield Line(None, text, event.clause)


def _cleared(event: ev.IrregularityCleared, _moment: Moment) -> Iterable[Line]:
    text = f"Answered or gone: {_words(event.kind)}"
    yield Line(None, text, KINDS[event.kind].clause)


def _resumed(event: ev.TableResumed, _moment: Moment) -> Iterable[Line]:
    phase = event.phase.name.replace("_", " ")
    yield Line(None, f"The table goes on where it was, in {phase}", "IRR-1")


def _fault(event: ev.InternalFault, _moment: Moment) -> Iterable[Line]:
    text = "The program could not handle an input; it was kept as it came"
    yield Line(event.seat, text, "Faults")


def _stopped(_command: cm.StopControl, _moment: Moment) -> Iterable[Line]:
    yield Line(None, "The controller is stopped in good order", "Faults")


def _power_loss(_event: ev.PowerLossFound, _moment: Moment) -> Iterable[Line]:
    text = "The power failed, or the computer was started anew, while the table ran"
    yield Line(None, text, "Faults")


def _abrupt_end(_event: ev.AbruptEndFound, _moment: Moment) -> Iterable[Line]:
    text = "The program had ended without being stopped, while the computer ran on"
    yield Line(None, text, "Faults")


def _software_changed(event: ev.SoftwareChanged, _moment: Moment) -> Iterable[Line]:
    text = f"What runs the table has changed: {changes_text(event.changes)}"
    yield Line(None, text, "Faults")


def _software_accepted(event: ev.SoftwareAccepted, _moment: Moment) -> Iterable[Line]:
    what = f"the program {event.software.digest[:SHORT_CHARACTERS]}"
    if event.supervisor:
        people = f"Supervisor {event.supervisor} and technician {event.technician}"
        text = f"{people} accept {what}: {event.reason}"
    else:
        text = f"Later starts are held against {what}"
    yield Line(None, text, "Faults")


TELLERS: Final[dict[type, Teller]] = {
    ev.IrregularityFound: _found,
    ev.TableSuspended: _suspended,
    ev.DecisionTaken: _decided,
    ev.IrregularityCleared: _cleared,
    ev.TableResumed: _resumed,
    ev.InternalFault: _fault,
    cm.StopControl: _stopped,
    ev.PowerLossFound: _power_loss,
    ev.AbruptEndFound: _abrupt_end,
    ev.SoftwareChanged: _software_changed,
    ev.SoftwareAccepted: _software_accepted,
}
