"""A host, a faulty line and a panel's firmware on virtual time, with a finger on it.

What counts is what happened on the device's side: the finger counts its presses, the
panel's memory says which got which number, and the host's journal what was taken.
"""

import itertools
import random
from typing import Final

import msgspec

from drivers.bus import BusTiming
from drivers.events import Cursor, PressesDropped, PressReceived
from drivers.identity import DeviceType, Expected
from drivers.panel.messages import SEAT_BUTTONS, Button
from drivers.panel.session import PanelBusSession
from drivers.panel.station import PanelConfig
from firmware.panel.loop import Loop
from tests.drivers.transports import Pipe, Transport, whole
from tests.firmware.bench import ADDRESS, WHO, Bench

STEP_S: Final = 0.002
COMMIT_S: Final = 0.04
# Longer than a host is off at most.
CALM_S: Final = 8.0
NEVER: Final = float("inf")
CALM: Final = Transport("whole", whole)


class Given(msgspec.Struct, frozen=True):
    """A press that the panel gave a number: its button's code and its prompt."""

    boot_id: int
    number: int
    code: int
    prompt: int


class Finger:
    """Presses one button after the other, each with bounces at both ends.

    It lets go of everything while the panel has no power, and waits for it.
    """

    def __init__(self, source: random.Random) -> None:
        self.pressed = 0
        self._source = source
        self._changes: list[tuple[float, int]] = []

    def is_down(self) -> bool:
        return bool(self._changes)

    def move(self, now: float, *, may_press: bool) -> int | None:
        """Return the mask of closed contacts, if it changes now."""
        if not self._changes and may_press and self._source.random() < 0.01:
            self._plan(now, 1 << self._source.randrange(10))
        if not self._changes or now < self._changes[0][0]:
            return None
        return self._changes.pop(0)[1]

    def _plan(self, now: float, mask: int) -> None:
        self.pressed += 1
        at = now
        for level in (mask, 0, mask, 0, mask):
            self._changes.append((at, level))
            at += self._source.uniform(0.002, 0.006)
        at += self._source.uniform(0.02, 0.2)
        for level in (0, mask, 0, mask, 0):
            self._changes.append((at, level))
            at += self._source.uniform(0.002, 0.006)
        # It ends when the button counts as up.
        self._changes.append((at + 0.02, 0))


class Journal:
    """What the host has on disk."""

    def __init__(self) -> None:
        self.taken: list[PressReceived] = []
        self.cursor: Cursor | None = None
        self.dropped: dict[int, int] = {}


class Host:
    """A session that goes on from the journal, and commits what came in batches."""

    def __init__(self, journal: Journal, now: float) -> None:
        expected = Expected(DeviceType.PANEL, ADDRESS, "a line", "a test")
        panel = PanelConfig(ADDRESS, expected, journal.cursor)
        self.session = PanelBusSession([panel], BusTiming(), now)
        self.session.connection_made(now)
        self._journal = journal
        self._inbox: list[PressReceived] = []
        self._commit_at = NEVER

    def run_once(self, inward: Pipe, outward: Pipe, now: float) -> None:
        self.session.receive_data(inward.read(now), now)
        self.session.handle_timer(now)
        while data := self.session.data_to_send(now):
            outward.write(data, now)
        for event in iter(self.session.next_event, None):
            if isinstance(event, PressReceived):
                self._inbox.append(event)
                self._commit_at = min(self._commit_at, now + COMMIT_S)
            elif isinstance(event, PressesDropped):
                self._journal.dropped[event.boot_id] = event.total
        if now >= self._commit_at:
            self._commit()

    def _commit(self) -> None:
        self._commit_at = NEVER
        for press in self._inbox:
            self._journal.taken.append(press)
            self._journal.cursor = press.cursor
            self.session.acknowledge(ADDRESS, press.cursor)
        self._inbox.clear()


class World:
    """All of it; `run` plays it, calm at the end, so that all can be taken."""

    def __init__(self, seed: int, transport: Transport, restarts: int) -> None:
        self._source = random.Random(f"{seed} {transport.name}")
        self.now = 100.0
        self.journal = Journal()
        self.given: dict[tuple[int, int], Given] = {}
        self.acknowledged: dict[int, int] = {}
        self.pressed: dict[int, int] = {}
        self.dropped: dict[int, int] = {}
        self.finger = Finger(self._source)
        self._boot_ids = itertools.count(1)
        self._restarts = restarts
        self._use(transport)
        self._power_on()
        self._restart_host()

    def run(self, acting_s: float) -> "World":
        """Play for so long, with the finger and the faults, then in calm."""
        count = round(acting_s / STEP_S)
        at = {self._source.randrange(count) for _ in range(self._restarts)}
        owed = 0
        for step in range(count):
            owed += step in at
            if owed and not self.finger.is_down():
                owed -= 1
                self._source.choice((self._power_on, self._restart_host))()
            self._step(may_press=self.now > self._may_press_from)
        self._use(CALM)
        for _ in range(round(CALM_S / STEP_S)):
            self._step(may_press=False)
        return self

    @property
    def boot_id(self) -> int:
        return self._loop.panel.boot_id

    def _use(self, transport: Transport) -> None:
        self._inward = Pipe(transport, self._source)
        self._outward = Pipe(transport, self._source)

    def _power_on(self) -> None:
        self._bench = Bench()
        self._started = self.now
        self._loop = Loop(self._bench, WHO, next(self._boot_ids))
        self._pressed_before = self.finger.pressed
        self._may_press_from = self.now + 0.02

    def _restart_host(self) -> None:
        self._host_is_up_from = self.now + self._source.choice((0.0, 0.1, 4.0))
        self._host = Host(self.journal, self._host_is_up_from)

    def _step(self, *, may_press: bool) -> None:
        self.now += STEP_S
        mask = self.finger.move(self.now, may_press=may_press)
        if mask is not None:
            self._bench.contacts = mask
        if self._source.random() < 0.01:
            prompt = self._source.randrange(1, 1000)
            lamps = frozenset(self._source.sample(sorted_buttons(), 3))
            self._host.session.set_lamps(ADDRESS, prompt, lamps)
        if self.now >= self._host_is_up_from:
            self._host.run_once(self._inward, self._outward, self.now)
        self._play_panel()
        self._note()

    def _play_panel(self) -> None:
        self._bench.inward += self._outward.read(self.now)
        self._bench.now = round((self.now - self._started) * 1000)
        self._loop.turn()
        for frame in self._bench.sent:
            self._inward.write(frame, self.now)
        self._bench.sent.clear()

    def _note(self) -> None:
        panel = self._loop.panel
        for press in panel.waiting:
            key = (panel.boot_id, press.number)
            given = Given(*key, press.button, press.prompt)
            assert self.given.setdefault(key, given) == given
        self.acknowledged[panel.boot_id] = panel.acknowledged
        self.dropped[panel.boot_id] = panel.dropped
        self.pressed[panel.boot_id] = self.finger.pressed - self._pressed_before


def sorted_buttons() -> list[Button]:
    return [button for button in Button if button in SEAT_BUTTONS]
