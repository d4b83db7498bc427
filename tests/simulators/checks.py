"""What must hold after a run, counted on the devices' side.

Each check returns what is wrong in words, one line a finding; none is right.
"""

from collections import Counter
from collections.abc import Iterator

from drivers.events import ShoeEventReceived, ShoeGapFound
from drivers.shoe.messages import CardDrawn, CardUnread
from simulators.devices.presses import MadePress
from tests.simulators.host import TakenPress
from tests.simulators.world import World

Key = tuple[int, int, int]


def findings(world: World) -> list[str]:
    """Return everything that is wrong in a run that has come to rest."""
    return [
        *presses_taken_twice(world),
        *presses_never_made(world),
        *acknowledged_presses_lost(world),
        *presses_forgotten(world),
        *wrong_prompts(world),
        *prompts_answered_twice(world),
        *events_taken_twice(world),
        *events_altered(world),
        *acknowledged_events_lost(world),
        *events_forgotten(world),
        *gaps_invented(world),
        *cards_miscounted(world),
    ]


def taken_presses(world: World) -> dict[Key, TakenPress]:
    """Return the journal's presses by address, boot id and number."""
    return {
        (taken.address, taken.cursor.boot_id, taken.cursor.number): taken
        for taken in world.journal.presses
    }


def made_presses(world: World) -> dict[Key, MadePress]:
    """Return all presses that any panel ever kept, by the same key."""
    return {
        key(address, made): made
        for address, panel in world.bus.panels.items()
        for made in (
            *panel.memory.acknowledged,
            *panel.memory.lost,
            *panel.memory.waiting,
        )
    }


def key(address: int, made: MadePress) -> Key:
    """Return what names a press on the whole table."""
    return address, made.boot_id, made.press.number


def presses_taken_twice(world: World) -> Iterator[str]:
    """No press is counted twice."""
    counts = Counter((taken.address, taken.cursor) for taken in world.journal.presses)
    for (address, cursor), count in counts.items():
        if count > 1:
            yield f"press {cursor.number} of panel {address} was taken {count} times"


def presses_never_made(world: World) -> Iterator[str]:
    """Every press in the journal is one that a person made, with the same words."""
    made = made_presses(world)
    for name, taken in taken_presses(world).items():
        if name not in made:
            yield f"press {name} was never made"
        elif told(taken) != told(made[name]):
            yield f"press {name} was made as {made[name]}, taken as {taken}"


def told(press: TakenPress | MadePress) -> tuple[object, ...]:
    """Return what a press says; its age alone changes from report to report."""
    said = press.press
    return said.button, said.prompt_number, said.amount_cents, said.spot


def acknowledged_presses_lost(world: World) -> Iterator[str]:
    """What a panel was told is taken is in the journal."""
    taken = taken_presses(world)
    for address, panel in world.bus.panels.items():
        for made in panel.memory.acknowledged:
            if key(address, made) not in taken:
                yield f"press {key(address, made)} was acknowledged and is not taken"


def presses_forgotten(world: World) -> Iterator[str]:
    """What was pressed is taken, or went with the panel's power."""
    taken = taken_presses(world)
    for address, panel in world.bus.panels.items():
        lost = {key(address, made) for made in panel.memory.lost}
        kept = [name for name in made_presses(world) if name[0] == address]
        for name in kept:
            if name not in taken and name not in lost:
                yield f"press {name} was neither taken nor lost with the power"
        if panel.memory.pressed != len(kept) + panel.memory.without_room:
            yield f"panel {address} cannot account for all that was pressed"


def wrong_prompts(world: World) -> Iterator[str]:
    """A press answers only the prompt that its panel showed when it was pressed."""
    made = made_presses(world)
    for name, taken in taken_presses(world).items():
        if not taken.accepted_for or name not in made:
            continue
        shown = made[name].press.prompt_number
        if taken.accepted_for != shown:
            yield f"press {name} saw prompt {shown}, answered {taken.accepted_for}"


def prompts_answered_twice(world: World) -> Iterator[str]:
    """At most one press answers a prompt."""
    counts = Counter(
        (taken.address, taken.accepted_for)
        for taken in world.journal.presses
        if taken.accepted_for
    )
    for (address, prompt), count in counts.items():
        if count > 1:
            yield f"prompt {prompt} of panel {address} was answered {count} times"


def taken_events(world: World) -> list[ShoeEventReceived]:
    """Return the shoe's events in the journal."""
    return [e for e in world.journal.shoe if isinstance(e, ShoeEventReceived)]


def declared_gaps(world: World) -> set[tuple[int, int]]:
    """Return boot id and number of every event that the journal says is missing."""
    return {
        (gap.cursor.boot_id, number)
        for gap in world.journal.shoe
        if isinstance(gap, ShoeGapFound)
        for number in range(
            gap.cursor.number - gap.events_missing + 1, gap.cursor.number + 1
        )
    }


def events_taken_twice(world: World) -> Iterator[str]:
    """No event of the shoe is counted twice, and none comes before its turn."""
    last: dict[int, int] = {}
    for taken in taken_events(world):
        boot_id, number = taken.cursor.boot_id, taken.cursor.number
        if number <= last.get(boot_id, 0):
            yield f"shoe event {number} came after event {last[boot_id]}"
        last[boot_id] = number


def events_altered(world: World) -> Iterator[str]:
    """Every event in the journal happened at the shoe, exactly so."""
    happened = {
        (report.boot_id, report.number): report.event
        for report in world.shoe.memory.happened
    }
    for taken in taken_events(world):
        name = (taken.cursor.boot_id, taken.cursor.number)
        if happened.get(name) != taken.event:
            yield f"shoe event {name} was {happened.get(name)}, taken as {taken.event}"


def acknowledged_events_lost(world: World) -> Iterator[str]:
    """What the shoe was told is taken is in the journal, or declared missing."""
    taken = {(t.cursor.boot_id, t.cursor.number) for t in taken_events(world)}
    known = taken | declared_gaps(world)
    for report in world.shoe.memory.acknowledged:
        if (report.boot_id, report.number) not in known:
            yield f"shoe event {report.number} was acknowledged and is not taken"


def events_forgotten(world: World) -> Iterator[str]:
    """What happened at the shoe is taken, unless the shoe forgot it first."""
    taken = {(t.cursor.boot_id, t.cursor.number) for t in taken_events(world)}
    lost = {(report.boot_id, report.number) for report in world.shoe.memory.lost}
    for report in world.shoe.memory.happened:
        name = (report.boot_id, report.number)
        if name not in taken and name not in lost:
            yield f"shoe event {name} was neither taken nor forgotten by the shoe"


def gaps_invented(world: World) -> Iterator[str]:
    """Only what the shoe really cannot give is declared missing."""
    lost = {(report.boot_id, report.number) for report in world.shoe.memory.lost}
    for name in sorted(declared_gaps(world) - lost):
        yield f"shoe event {name} was declared missing and the shoe had it"


def cards_miscounted(world: World) -> Iterator[str]:
    """Under the shoe's last boot id every card number is taken or declared missing."""
    boot_id = world.shoe.memory.boot_id
    counted: set[int] = set()
    for record in world.journal.shoe:
        if record.cursor.boot_id != boot_id:
            continue
        match record:
            case ShoeEventReceived(_, CardDrawn(card_number)):
                counted.add(card_number)
            case ShoeEventReceived(_, CardUnread(card_number)):
                counted.add(card_number)
            case ShoeGapFound():
                first = record.first_card_number
                counted.update(range(first, first + record.cards_missing))
            case _:
                pass
    drawn = set(range(1, world.shoe.next_card_number))
    if counted != drawn:
        yield f"cards {sorted(drawn ^ counted)} are counted at one side only"
