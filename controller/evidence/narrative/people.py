"""Who logged in and out, and who was not let in."""

from collections.abc import Iterable
from typing import Final

from controller.core import events as ev
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


TELLERS: Final[dict[type, Teller]] = {
    ev.PersonLoggedIn: _logged_in,
    ev.LoginRefused: _refused,
    ev.PersonLoggedOut: _logged_out,
    ev.LoginDelayLifted: _lifted,
}
