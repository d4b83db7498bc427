"""Who logged in and out, who was not let in, and who tried the panels by hand."""

from collections.abc import Iterable
from typing import Final

from controller.core import events as ev
from controller.core.ids import EndOfTestMode
from controller.evidence.narrative.moment import Line, Moment, Teller
from controller.evidence.narrative.refusals import REFUSED

_CLAUSE: Final = "People"


def _logged_in(event: ev.PersonLoggedIn, _moment: Moment) -> Iterable[Line]:
    what = f"to witness {event.witness_to}" if event.witness_to else "at the console"
    text = f"{event.person}, {event.role.value}, logs in {what}"
    yield Line(None, text, _CLAUSE)


def _refused(event: ev.LoginRefused, _moment: Moment) -> Iterable[Line]:
    who = event.person or "somebody who is not listed"
    why = REFUSED[event.reason].words
    counted = f", {event.failures} in a row" if event.failures else ""
    text = f"The login of {who} is refused: {why}{counted} ({event.reason.value})"
    yield Line(None, text, _CLAUSE)


def _logged_out(event: ev.PersonLoggedOut, _moment: Moment) -> Iterable[Line]:
    why = ", having said nothing for long" if event.lapsed else ""
    text = f"{event.person}, {event.role.value}, is logged out{why}"
    yield Line(None, text, _CLAUSE)


def _lifted(event: ev.LoginDelayLifted, _moment: Moment) -> Iterable[Line]:
    text = f"{event.lifted_by}, {event.role.value}, lets {event.person} log in again"
    yield Line(None, text, _CLAUSE)


_ENDED: Final[dict[EndOfTestMode, str]] = {
    EndOfTestMode.ASKED: "is ended",
    EndOfTestMode.CLIENT_LEFT: "ends: the program that began it has left",
    EndOfTestMode.SILENT: "ends: nothing was heard of who began it",
    EndOfTestMode.IRREGULARITY: "ends: the table is stopped",
    EndOfTestMode.STOPPED: "ends: the controller is stopped",
    EndOfTestMode.RESTARTED: "ended with the controller's last run",
}


def _tests(event: ev.TestModeBegun, _moment: Moment) -> Iterable[Line]:
    text = f"{event.person}, {event.role.value}, tries buttons and lamps by hand"
    yield Line(None, f"{text}: nothing that is pressed counts", "Faults")


def _tests_no_more(event: ev.TestModeEnded, _moment: Moment) -> Iterable[Line]:
    by = f" by {event.person}" if event.person else ""
    text = f"The test mode {_ENDED[event.why]}{by}"
    yield Line(None, f"{text}; the table is as it was before", "Faults")


TELLERS: Final[dict[type, Teller]] = {
    ev.PersonLoggedIn: _logged_in,
    ev.LoginRefused: _refused,
    ev.PersonLoggedOut: _logged_out,
    ev.LoginDelayLifted: _lifted,
    ev.TestModeBegun: _tests,
    ev.TestModeEnded: _tests_no_more,
}
