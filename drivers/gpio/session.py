"""All lines of a table that is wired to pins: what they say, and what they should show.

No I/O and no clock: whoever holds the lines hands in edges with their times, and levels
when they are asked for, writes what is wanted and says when that is done. Source:
docs/gpio.md.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from drivers.errors import UnknownAddressError
from drivers.events import (
    Cursor,
    Device,
    DeviceBack,
    DeviceIdentified,
    DeviceLost,
    HeldButtonsChanged,
    HouseInput,
    HouseInputChanged,
    PinEvent,
)
from drivers.gpio.contact import (
    Contact,
    Settled,
    at_rest,
    counts_as_down,
    deadline,
    edge,
    sample,
    settle,
)
from drivers.gpio.panel import PinPanel
from drivers.gpio.wiring import Key, Line, Wiring
from drivers.identity import PROTOCOL_VERSION, DeviceType, Identity
from drivers.link import (
    LinkCounters,
    LinkEvent,
    LinkState,
    LinkTiming,
    advance,
    handle_timer,
    new_link,
)
from drivers.panel.messages import NO_PROMPT, Button
from drivers.presence import Presence

LOOK_AGAIN_S: Final = 0.25
"""How often all lines are looked at, since an edge may be lost."""

_LINK: Final = LinkTiming(silence_s=None)
_NO_FIRMWARE: Final = "none"


class PinSession:
    """The host's side of all lines; `panels` are by address."""

    def __init__(
        self,
        wiring: Wiring,
        panels: Iterable[PinPanel],
        lost_after_s: float,
        now: float,
    ) -> None:
        self.wiring = wiring
        self._counters = LinkCounters(reopens=-1)
        self._panels = {panel.address: panel for panel in panels}
        self._keys = {
            key.button: (panel, key)
            for panel in self._panels.values()
            for key in panel.wiring.keys
        }
        self._inputs = {line: of for of, line in wiring.inputs.items()}
        self._link = new_link(_LINK)
        self._presence = Presence(lost_after_s, now)
        self._contacts: dict[Line, Contact] = {}
        self._looked_s = now
        self._house: dict[Line, bool] = {}
        self._written: dict[Line, bool] = {}
        self._held: dict[int, frozenset[Button]] = {}
        self._told: dict[HouseInput, bool] = {}
        self._events: deque[PinEvent] = deque()
        self.set_house(table_lamp=False, gate_open=False)

    # --- The link -------------------------------------------------------------------

    @property
    def wants_port(self) -> bool:
        """Whether the lines should be held; if they are not, take them now."""
        return self._link.wants_port

    @property
    def counters(self) -> LinkCounters:
        """What the lines have seen since the start; a frame is an edge."""
        reopens = max(self._counters.reopens, 0)
        return msgspec.structs.replace(self._counters, reopens=reopens)

    @property
    def state(self) -> LinkState:
        """Where the link to the lines is."""
        return self._link.state

    @property
    def deadline(self) -> float | None:
        """When to look at the lines, or call `handle_timer`, next at the latest."""
        times = [self._link.deadline, self._presence.deadline]
        if self._link.is_up:
            times += [self._looked_s + LOOK_AGAIN_S, self._next_rest()]
        return min((time for time in times if time is not None), default=None)

    def connection_made(self, levels: Mapping[Line, bool], now: float) -> None:
        """Note that the lines are held, and what they say: the state at the start."""
        self._counters.reopens += 1
        self._link = advance(self._link, LinkEvent.OPENED, now)
        self._link = advance(self._link, LinkEvent.IDENTIFIED, now)
        self._contacts = {line: at_rest(level, now) for line, level in levels.items()}
        self._looked_s = now
        self._written.clear()
        self._held.clear()
        self._told.clear()
        is_news = self._presence.came()
        for panel in self._panels.values():
            self._events.append(self._identified(panel))
            if is_news:
                self._events.append(DeviceBack(_device(panel)))
        self._tell_levels(now)

    def connection_lost(self, now: float) -> None:
        """Note that the lines failed, or could not be taken."""
        if not self._link.wants_port:
            return
        self._link = advance(self._link, LinkEvent.LOST, now)
        self._presence.went(now)
        for panel in self._panels.values():
            panel.went_dark()

    def next_event(self) -> PinEvent | None:
        """Return the oldest event that was not returned yet."""
        return self._events.popleft() if self._events else None

    def handle_timer(self, now: float) -> None:
        """Let contacts come to rest, and notice lines that do not come back."""
        self._link = handle_timer(self._link, now)
        if self._presence.handle_timer(now):
            self._events += [DeviceLost(_device(one)) for one in self._panels.values()]
        if self._link.is_up:
            for line, contact in self._contacts.items():
                self._step(line, settle(contact, now), now)
            self._tell_levels(now)

    # --- What the lines say ---------------------------------------------------------

    def receive_edge(self, line: Line, level: bool, at: float, now: float) -> None:  # noqa: FBT001 - the level itself
        """Take in an edge of a line, at the time at which it was."""
        if not self._link.is_up or line not in self._contacts:
            self._counters.strays += 1
            return
        self._counters.frames_received += 1
        self._step(line, edge(self._contacts[line], level, at), now)

    def wants_levels(self, now: float) -> bool:
        """Return whether all lines should be looked at now.

        They should before anything counts too: on a busy machine an edge may come late,
        and what it ended would seem to have lasted.
        """
        due, look_s = self._next_rest(), self._looked_s + LOOK_AGAIN_S
        return self._link.is_up and now >= (look_s if due is None else min(due, look_s))

    def receive_levels(self, levels: Mapping[Line, bool], now: float) -> None:
        """Take in what all lines say now; it mends an edge that was lost."""
        for line, level in levels.items():
            contact = self._contacts[line]
            step = sample(contact, level, self._looked_s, now)
            self._counters.gaps += step[0].level is not contact.level
            self._step(line, step, now)
        self._looked_s = now

    def acknowledge(self, address: int, cursor: Cursor) -> None:
        """Note that the presses of a panel up to this one are taken and on disk.

        Raises:
            AcknowledgedAheadError: This press was never handed over.

        """
        self._panel(address).acknowledge(cursor)

    # --- What the lines show --------------------------------------------------------

    def set_lamps(
        self, address: int, prompt_number: int, buttons: frozenset[Button]
    ) -> None:
        """Show exactly these lamps on a panel, for this prompt."""
        self._panel(address).set_lamps(prompt_number, buttons)

    def set_house(self, *, table_lamp: bool, gate_open: bool) -> None:
        """Light the table's lamp, and draw the relay of the shoe's gate, or not."""
        lines = (self.wiring.table_lamp, table_lamp), (self.wiring.shoe_gate, gate_open)
        self._house = {line: level for line, level in lines if line is not None}

    def put_lamps_out(self) -> None:
        """Put out every lamp and let the relay drop: a line may keep its level."""
        for panel in self._panels.values():
            panel.set_lamps(NO_PROMPT, frozenset())
        self.set_house(table_lamp=False, gate_open=False)

    @property
    def lamps_are_out(self) -> bool:
        """Whether the lamps are out, or the lines are lost and cannot be told."""
        return not self.lines_to_write()

    def lines_to_write(self) -> dict[Line, bool]:
        """Return the lines that do not show yet what they should, dark ones first.

        So two lamps that are lit in turn are never lit together.
        """
        if not self._link.is_up:
            return {}
        differing = [
            one for one in self._wanted() if self._written.get(one[0]) != one[1]
        ]
        return dict(sorted(differing, key=lambda one: one[1]))

    def lines_written(self, written: Mapping[Line, bool], now: float) -> None:
        """Note that all lines show what they should since `now`."""
        self._written |= written
        self._counters.frames_sent += len(written)
        for panel in self._panels.values():
            panel.written(now)

    # --- Inside -----------------------------------------------------------------------

    def _wanted(self) -> Iterator[tuple[Line, bool]]:
        for panel in self._panels.values():
            yield from panel.lamps()
        yield from self._house.items()

    def _panel(self, address: int) -> PinPanel:
        if address not in self._panels:
            known = ", ".join(str(known) for known in sorted(self._panels))
            raise UnknownAddressError(f"no panel is wired as {address}; {known} are")
        return self._panels[address]

    def _next_rest(self) -> float | None:
        dues = (deadline(contact) for contact in self._contacts.values())
        return min((due for due in dues if due is not None), default=None)

    def _step(
        self, line: Line, step: tuple[Contact, Settled | None], now: float
    ) -> None:
        self._contacts[line], settled = step
        if settled is None or not settled.is_down or line not in self._keys:
            return
        if settled.was_restless:
            self._counters.errors += 1  # Nobody can say for what it was pressed.
            return
        panel, key = self._keys[line]
        event = panel.press(key, settled.since_s, now)
        if event is None:
            self._counters.strays += 1
        else:
            self._events.append(event)

    def _tell_levels(self, now: float) -> None:
        """Tell which buttons are held and how the table's contacts stand, where new."""
        for panel in self._panels.values():
            held = frozenset(
                button
                for key in panel.wiring.keys
                if self._is_down(key, now)
                for button in key.does
            )
            if self._held.get(panel.address) != held:
                self._held[panel.address] = held
                self._events.append(HeldButtonsChanged(panel.address, held))
        for line, of in self._inputs.items():
            active = self._contacts[line].is_down
            if self._told.get(of) is not active:
                self._told[of] = active
                self._events.append(HouseInputChanged(of, active))

    def _is_down(self, key: Key, now: float) -> bool:
        return counts_as_down(self._contacts[key.button], now)

    def _identified(self, panel: PinPanel) -> DeviceIdentified:
        chips = sorted({key.button.chip for key in panel.wiring.keys})
        identity = Identity(
            PROTOCOL_VERSION,
            DeviceType.PANEL,
            panel.wiring.seat,
            panel.boot_id,
            model="buttons on pins",
            serial=" ".join(chips),
            firmware=_NO_FIRMWARE,
        )
        return DeviceIdentified(_device(panel), identity, raw=b"")


def _device(panel: PinPanel) -> Device:
    return Device(DeviceType.PANEL, panel.address)
