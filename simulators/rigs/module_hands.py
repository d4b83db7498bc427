"""Hands at a panel that is wired to a Modbus module: buttons, and nothing to key in.

Source: docs/protocol/modbus-panels.md, Scenarios.
"""

from collections.abc import Iterable
from typing import Final, assert_never

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.evolve import Record
from controller.core.ids import DEALER_SEAT, Reason
from drivers.panel.messages import Button
from simulators.devices.modbus import ModbusModule
from simulators.rigs.errors import DeviceStepError
from simulators.rigs.scenario import steps as st

_SEE: Final = "see docs/protocol/modbus-panels.md"


def work_module(
    module: ModbusModule, step: st.PlayerStep | Button, bet_step_cents: int
) -> None:
    """Let hands at a module's panel take a step.

    An amount is so many pushes of BET; before them CLEAR takes back what lies there.

    Raises:
        DeviceStepError: No hand can: no such button, another spot, an amount that is no
            number of steps, a press from before, a panel without power.

    """
    for button in _pushes(module, step, bet_step_cents):
        if button not in module.buttons:
            known = ", ".join(sorted(each.value for each in module.buttons))
            raise DeviceStepError(
                f"panel {module.role} has no button {button.value}; it has {known}"
            )
        if not module.powered:
            raise DeviceStepError(
                f"panel {module.role} made no press of {button.value}: it has no power"
            )
        module.tap(button)


def pressed_in_doubt(
    records: Iterable[Record],
) -> tuple[list[tuple[int, Button]], list[Record]]:
    """Return which presses hands make again, and the records without their first try.

    On a busy machine an answer may come too late, and what was pressed meanwhile is for
    no prompt, and refused: "please press again". A person does.
    """
    again: list[tuple[int, Button]] = []
    rest: list[Record] = []
    for record in records:
        pressed = _for_no_prompt(rest[-1]) if rest else None
        if pressed is not None and _is_stale(record):
            rest.pop()
            again.append(pressed)
        else:
            rest.append(record)
    return again, rest


def _for_no_prompt(given: Record) -> tuple[int, Button] | None:
    """Return whose button a press was, if it was a panel's and for no prompt."""
    match given:
        case cm.PressButton(seat=seat, prompt=0) if given.number:
            return seat, Button(given.button.value)
        case cm.PressDealerButton(prompt=0) if given.number:
            return DEALER_SEAT, Button(given.button.value)
        case _:
            return None


def _is_stale(record: Record) -> bool:
    refusals = ev.PressRefused | ev.CommandRefused
    return isinstance(record, refusals) and record.reason is Reason.STALE_PRESS


def _pushes(
    module: ModbusModule, step: st.PlayerStep | Button, bet_step_cents: int
) -> list[Button]:
    match step:
        case Button():
            return [step]
        case (
            st.Bet(seat=seat, spot=int(spot)) | st.Clear(seat=seat, spot=int(spot))
        ) if spot != seat:
            raise DeviceStepError(f"a module's panel has no button for a spot; {_SEE}")
        case st.Bet(amount_cents=0) | st.Clear():
            return [Button.CLEAR]
        case st.Bet(amount_cents=amount):
            return [*_taken_back(module), *_steps(amount, bet_step_cents)]
        case st.Press(amount_cents=None, button=button):
            return [Button(button.value)]
        case st.Press():
            raise DeviceStepError(f"a module's panel takes no amount; {_SEE}")
        case st.LatePress():
            raise DeviceStepError(
                f"a module keeps no press until later, nor a prompt with it; {_SEE}"
            )
        case _:
            assert_never(step)


def _taken_back(module: ModbusModule) -> list[Button]:
    is_lit = Button.CLEAR in module.lamps
    return [Button.CLEAR] if is_lit else []


def _steps(amount_cents: int, bet_step_cents: int) -> list[Button]:
    if not bet_step_cents or amount_cents % bet_step_cents:
        raise DeviceStepError(f"a module's panel takes no amount; {_SEE}")
    return [Button.BET] * (amount_cents // bet_step_cents)
