"""What is said over the control socket: one JSON object a line, both ways.

    {"id": 7, "command": "dealer next"}   a line of the staff
    {"id": 7, "accepted": true, "sequence": 812}
    {"id": 7, "refused": "too_early_to_move_on", "because": "…", "sequence": 812}
    {"id": 7, "error": "expected a dealer's step (deal, …), got dael; did you …"}
    {"subscribe": true}                   the view now, and after each commit
    {"view": {…}}
    {"sequence": 813, "view": {…}}
    {"login": "S1", "pin": "…"}           speak for oneself from now on
    {"accepted": true, "sequence": 814, "role": "supervisor"}
    {"witness": "S2", "pin": "…"}         witness the next decision
    {"logout": true}
    {"lift": "D1"}                        let somebody try a PIN again at once
    {"who": true}                         who speaks here, and whether that matters
    {"devices": true}                     what every device answered
    {"devices": [{…}, …]}
    {"test_mode": "begin", "person": "T1"}  try buttons and lamps by hand
    {"test_mode": "alive"}                the program that tries them works
    {"light": {"seat": 1, "buttons": ["hit"]}}
    {"seen": {"type": "button", "seat": 1, "button": "hit", "down": true}}
    {"test_mode": "end"}                  nobody tries them any more
    {"test_mode_ended": "asked"}          so it is
    {"login_required": true, "person": "S1", "role": "supervisor"}

`id` is the asker's own, a number or a text, and comes back as it was. Here is what is
asked; what is answered is in `control_answers`.
"""

import enum
from typing import Annotated, Final

import msgspec
from msgspec import UNSET, Meta, UnsetType

from controller.runtime.pins import PIN_MAX_CHARACTERS, Pin
from drivers.panel.messages import Button

LINE_MAX_BYTES: Final = 4_096
"""The longest line that is read; a staff line with a long reason has a tenth of it."""

Id = Annotated[int, Meta(ge=-(2**53), le=2**53)] | Annotated[str, Meta(max_length=64)]

MaybeId = Id | UnsetType


class Command(msgspec.Struct, frozen=True):
    """A line of the staff, in words."""

    id: MaybeId
    words: str


class Follow(msgspec.Struct, frozen=True):
    """The wish to see the table, now and after each commit."""

    id: MaybeId


class LogIn(msgspec.Struct, frozen=True):
    """An id and a PIN: to speak for oneself, or to witness the next decision."""

    id: MaybeId
    person: str
    pin: Pin
    as_witness: bool = False


class LogOut(msgspec.Struct, frozen=True):
    """Whoever is logged in here leaves."""

    id: MaybeId


class Lift(msgspec.Struct, frozen=True):
    """The wish that somebody may try a PIN again at once."""

    id: MaybeId
    person: str


class Who(msgspec.Struct, frozen=True):
    """The question who is logged in here, and whether anybody must be."""

    id: MaybeId


class Devices(msgspec.Struct, frozen=True):
    """The question what every device answered."""

    id: MaybeId


class HandStep(enum.Enum):
    """What a program says of the test mode."""

    BEGIN = "begin"
    ALIVE = "alive"
    END = "end"


class TryByHand(msgspec.Struct, frozen=True):
    """A step of the test mode; `person` is who says so where nobody logs in."""

    id: MaybeId
    step: HandStep
    person: str = ""


class Light(msgspec.Struct, frozen=True):
    """Exactly these lamps of one panel shall be lit; seat 0 is the dealer's panel."""

    id: MaybeId
    seat: int
    buttons: frozenset[Button]


Asked = Command | Follow | LogIn | LogOut | Lift | Who | Devices | TryByHand | Light

_PersonId = Annotated[str, Meta(max_length=64)]


class _Lamps(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    seat: int
    buttons: frozenset[Button]


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line that came in; one of these is asked, and a PIN goes with a login."""

    id: MaybeId = UNSET
    command: str | UnsetType = UNSET
    subscribe: bool = False
    login: _PersonId | UnsetType = UNSET
    witness: _PersonId | UnsetType = UNSET
    pin: Annotated[str, Meta(max_length=PIN_MAX_CHARACTERS)] | UnsetType = UNSET
    logout: bool = False
    lift: _PersonId | UnsetType = UNSET
    who: bool = False
    devices: bool = False
    test_mode: HandStep | UnsetType = UNSET
    person: _PersonId | UnsetType = UNSET
    light: _Lamps | UnsetType = UNSET


class BadLineError(ValueError):
    """A line that is not in the protocol; the message says what was expected.

    It never quotes the line, which may hold a PIN. `id` is the asker's own where it
    could be read all the same.
    """

    def __init__(self, message: str, asker_id: MaybeId = UNSET) -> None:
        super().__init__(message)
        self.id = asker_id


_EXPECTED: Final = (
    'expected one of "command": "…", "subscribe": true, "login": "…",'
    ' "witness": "…", "logout": true, "lift": "…", "who": true, "devices": true,'
    ' "test_mode": "…", "light": {…}'
)

_decoder: Final = msgspec.json.Decoder(_Line)


class _IdAlone(msgspec.Struct, frozen=True):
    """The one field of a line that is answered whatever the others hold."""

    id: MaybeId = UNSET


# Brackets without end are what the last of these says.
_UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)

_id_decoder: Final = msgspec.json.Decoder(_IdAlone)


def decode_line(line: bytes) -> Asked:
    """Return what a line asks.

    Raises:
        BadLineError: It is no JSON object of this protocol.

    """
    try:
        said = _decoder.decode(line)
    except _UNREADABLE as error:
        raise BadLineError(
            f'expected a JSON object such as {{"command": "dealer next"}}: {error}',
            _id_in(line),
        ) from error
    asked = _all_asked(said)
    if len(asked) != 1:
        raise BadLineError(_EXPECTED, said.id)
    if isinstance(asked[0], LogIn) is isinstance(said.pin, UnsetType):
        words = 'expected "pin": "…" with a login and nowhere else'
        raise BadLineError(words, said.id)
    if not isinstance(said.person, UnsetType) and not isinstance(asked[0], TryByHand):
        words = 'expected "person": "…" with "test_mode" and nowhere else'
        raise BadLineError(words, said.id)
    return asked[0]


def _id_in(line: bytes) -> MaybeId:
    """Return the id of a line that is otherwise not in the protocol, if it has one."""
    try:
        return _id_decoder.decode(line).id
    except _UNREADABLE:
        return UNSET


def _all_asked(said: _Line) -> list[Asked]:
    """Return each thing that a line asks; more than one is too many."""
    pin = Pin("" if isinstance(said.pin, UnsetType) else said.pin)
    asked: list[Asked] = []
    if not isinstance(said.command, UnsetType):
        asked.append(Command(said.id, said.command))
    if said.subscribe:
        asked.append(Follow(said.id))
    if not isinstance(said.login, UnsetType):
        asked.append(LogIn(said.id, said.login, pin))
    if not isinstance(said.witness, UnsetType):
        asked.append(LogIn(said.id, said.witness, pin, as_witness=True))
    if said.logout:
        asked.append(LogOut(said.id))
    if not isinstance(said.lift, UnsetType):
        asked.append(Lift(said.id, said.lift))
    if said.who:
        asked.append(Who(said.id))
    asked += _asked_by_hand(said)
    return asked


def _asked_by_hand(said: _Line) -> list[Asked]:
    """Return what of the panels and the shoe themselves a line asks."""
    asked: list[Asked] = []
    if said.devices:
        asked.append(Devices(said.id))
    if not isinstance(said.test_mode, UnsetType):
        person = "" if isinstance(said.person, UnsetType) else said.person
        asked.append(TryByHand(said.id, said.test_mode, person))
    if not isinstance(said.light, UnsetType):
        asked.append(Light(said.id, said.light.seat, said.light.buttons))
    return asked
