"""Between the core's values and the journal's columns `type`, `version`, `body`.

A record is read for years after the code that wrote it is gone. A field is never
renamed or removed: a type that changes gets a higher version, and an upcaster
that makes the older body into the newer.
"""

import typing
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Generic, TypeVar

import msgspec
from msgspec import Struct

from controller.journal.errors import CodecError
from controller.journal.records import Record

FactT = TypeVar("FactT", bound=Struct)

Body = dict[str, object]
Upcaster = Callable[[Body], Body]
"""Makes the body of one version into that of the next."""


class Written(Struct, frozen=True):
    """A value as the journal's columns hold it."""

    type: str
    version: int
    body: str


class _Kind(Generic[FactT]):
    """One class of the union, and all that reading and writing it takes."""

    def __init__(self, struct: type[FactT], tag: str, tag_bytes: int) -> None:
        """Take the class, its tag, and how many bytes of JSON the tag takes."""
        self.tag = tag
        self.tag_bytes = tag_bytes
        self.version: int = getattr(struct, "VERSION", 1)
        self._struct = struct

    @cached_property
    def decoder(self) -> msgspec.json.Decoder[FactT]:
        """The reader of its bodies.

        Made when the first one comes: whoever asks for one round meets few types,
        and waits for each decoder that is made.
        """
        return msgspec.json.Decoder(self._struct)


class Codec(Generic[FactT]):
    """Writes and reads the values of one union of tagged Structs.

    A class says its version with `VERSION: ClassVar[int]`; without it is at 1.
    """

    def __init__(
        self,
        union: object,
        upcasters: Mapping[tuple[str, int], Upcaster] | None = None,
    ) -> None:
        """Take the union, and an upcaster for each older version of its types.

        `upcasters` are found by the type and version that they lead away from.

        Raises:
            CodecError: a class has no tag, a tag twice, or leaves out defaults; an
                older version has no upcaster, or an upcaster no older version.
        """
        self._encoder = msgspec.json.Encoder()
        self._upcasters = dict(upcasters or {})
        self._by_class: dict[type[FactT], _Kind[FactT]] = {}
        self._by_tag: dict[str, _Kind[FactT]] = {}
        for struct in typing.get_args(union) or (union,):
            self._add(struct)
        self._require_upcasters()

    def encode(self, fact: FactT) -> Written:
        """Return a value as columns; the body has its fields without the tag."""
        kind = self._by_class[type(fact)]
        # msgspec writes the tag first, so the fields are what follows it.
        fields = self._encoder.encode(fact)[kind.tag_bytes :].removeprefix(b",")
        return Written(kind.tag, kind.version, "{" + fields.decode())

    def decode(self, record: Record) -> FactT:
        """Return the value that a record holds, brought up to today's version.

        Raises:
            CodecError: the type or version is unknown, or the body does not fit.
        """
        kind = self._kind_of(record)
        try:
            if record.version == kind.version:
                return kind.decoder.decode(record.body)
            return kind.decoder.decode(self._upcast(record, kind.version))
        except msgspec.DecodeError as error:
            raise CodecError(
                f"record {record.sequence}: expected the body of {record.type} "
                f"version {record.version}, {error}; verify the journal"
            ) from error

    def require_known(self, record: Record) -> None:
        """Refuse a record of a type or version that we do not know, by its columns.

        Raises:
            CodecError: the type or version is unknown.
        """
        self._kind_of(record)

    def _kind_of(self, record: Record) -> _Kind[FactT]:
        kind = self._by_tag.get(record.type)
        if kind is None or not 1 <= record.version <= kind.version:
            raise CodecError(_unknown(record, kind.version if kind else None))
        return kind

    def _upcast(self, record: Record, version: int) -> bytes:
        """Return the body as JSON of `version`, one upcaster after the other."""
        body = msgspec.json.decode(record.body, type=Body)
        for older in range(record.version, version):
            body = self._upcasters[record.type, older](body)
        return self._encoder.encode(body)

    def _add(self, struct: type[FactT]) -> None:
        config = struct.__struct_config__
        tag = config.tag
        if not isinstance(tag, str) or config.omit_defaults or tag in self._by_tag:
            raise CodecError(
                f"{struct.__name__}: expected a tag of its own in words, and every "
                f"field written out; found tag {tag!r}, "
                f"omit_defaults {config.omit_defaults}"
            )
        prefix = self._encoder.encode({config.tag_field: tag})[:-1]
        kind = _Kind(struct, tag, len(prefix))
        self._by_class[struct] = self._by_tag[tag] = kind

    def _require_upcasters(self) -> None:
        needed = {
            (kind.tag, older)
            for kind in self._by_tag.values()
            for older in range(1, kind.version)
        }
        if odd := needed ^ self._upcasters.keys():
            raise CodecError(
                "expected one upcaster for each older version of each type; "
                f"missing or of no use: {sorted(odd)}"
            )


def _unknown(record: Record, newest: int | None) -> str:
    known = f"versions 1 to {newest}" if newest else "no such type"
    return (
        f"record {record.sequence}: found {record.type} version {record.version}, "
        f"this software knows {known}; use the software that wrote it"
    )
