"""What a technician sees and does of a running table's devices, beside the game."""

from collections.abc import Callable
from functools import partial
from typing import Any

from controller.runtime.answers import Answers, Finding
from controller.runtime.by_hand import ByHand
from controller.runtime.desk import Desk
from controller.runtime.device_names import SHOE, named_devices
from controller.runtime.lamp_board import Lamps
from controller.runtime.owner import Change, Owner
from controller.runtime.pump import AnyPump
from controller.runtime.seen import Sight
from controller.runtime.staff import decided
from drivers.events import Device, DriverEvent
from hw_config.schema import TableHardware


class Technician:
    """Who answers at the ports of a running table, and its test mode.

    Args:
        hardware: the table's hardware file.
        owner: the owner of the table, which writes down what happens.
        desk: where lamps are lit by hand.
        pumps: the panels' and the shoe's.
        now: monotonic seconds.
    """

    def __init__(
        self,
        hardware: TableHardware,
        owner: Owner,
        desk: Desk,
        pumps: tuple[AnyPump[Any], AnyPump[Any]],
        now: Callable[[], float],
    ) -> None:
        self._owner, self._desk, self._pumps = owner, desk, pumps
        named = named_devices(hardware, desk.addresses, pumps[0].place)
        self._answers = Answers(hardware, named)
        self._sight = Sight(named, desk.addresses)
        self.by_hand = ByHand(
            partial(decided, owner), self._light, self._sight.held, now
        )

    def told(self, event: DriverEvent) -> None:
        """Take what a driver tells, once the game has its part of it."""
        self._answers.take(event)
        for seen in self._sight.see(event):
            self.by_hand.see(seen)

    def changed(self, change: Change) -> None:
        """Take what is on disk."""
        self.by_hand.follow(change.records)

    def findings(self) -> tuple[Finding, ...]:
        """Return what every device answered, as `tablectl check` says it."""
        return self._answers.findings(self._port_error)

    def _port_error(self, device: Device) -> str:
        return self._pumps[device == SHOE].last_error

    def _light(self, lamps: Lamps) -> None:
        if self._owner.state.test_mode is None:
            return  # It has just ended: the lamps are the prompts' again.
        self._desk.light(lamps)
        for pump in self._pumps:
            pump.run()
