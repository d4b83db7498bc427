"""How many logins in a row were refused: all that the table remembers of them."""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from controller.core import events as ev
from controller.core.state import TableState


def _unchanged(state: TableState, _event: object) -> TableState:
    return state


def _login_refused(state: TableState, event: ev.LoginRefused) -> TableState:
    if not event.failures:
        return state
    counted = {**state.login_failures, event.person: event.failures}
    return replace(state, login_failures=counted)


def _forgiven(
    state: TableState, event: ev.PersonLoggedIn | ev.LoginDelayLifted
) -> TableState:
    if event.person not in state.login_failures:
        return state
    left = {
        person: count
        for person, count in state.login_failures.items()
        if person != event.person
    }
    return replace(state, login_failures=left)


APPLY: Final[dict[type, Callable[[TableState, Any], TableState]]] = {
    ev.PersonLoggedIn: _forgiven,
    ev.LoginRefused: _login_refused,
    ev.PersonLoggedOut: _unchanged,
    ev.LoginDelayLifted: _forgiven,
}
