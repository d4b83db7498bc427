"""Records that a step caused, held against what an expectation says of them."""

from collections.abc import Collection, Iterable, Mapping

from controller.words.errors import WordsError, nearest
from simulators.rigs.scenario.errors import ScenarioError
from simulators.rigs.scenario.expectations import ExpectEvent, ExpectNoEvent
from simulators.rigs.scenario.language import Scenario
from simulators.rigs.scenario.view import EventView, FieldValue
from simulators.rigs.scenario.writing import event_text, value_text


def occurs(event: EventView, type_: str, fields: Iterable[tuple[str, str]]) -> bool:
    """Say whether a record is of that type and has all those values."""
    return event.type == type_ and all(
        name in event.fields and means(text, event.fields[name])
        for name, text in fields
    )


def means(text: str, value: FieldValue) -> bool:
    """Say whether a value as written is the value of a field; `+1000` is `1000`."""
    if isinstance(value, int) and not isinstance(value, bool):
        text = text.removeprefix("+")
    return text == value_text(value)


def events_text(events: Iterable[EventView], type_: str) -> str:
    """Write the records of that type, or of every type if there is none of it."""
    events = tuple(events)
    alike = tuple(event for event in events if event.type == type_)
    return ", ".join(event_text(event) for event in alike or events)


def check_event_names(scenario: Scenario, known: Mapping[str, Collection[str]]) -> None:
    """Refuse events and fields that no table ever writes.

    A misspelt `expect no-event` would otherwise hold for ever.

    Args:
        scenario: the file.
        known: the fields of every type of event.

    Raises:
        ScenarioError: an unknown type or field, with the nearest known one.
    """
    for statement in scenario.statements:
        try:
            match statement.said:
                case ExpectEvent(type_, fields):
                    _check_known("the type of an event", type_, known)
                    for name, _value in fields:
                        _check_known(f"a field of {type_}", name, known[type_])
                case ExpectNoEvent(type_):
                    _check_known("the type of an event", type_, known)
                case _:
                    pass
        except WordsError as cause:
            raise ScenarioError(scenario.file, statement.line, cause) from cause


def _check_known(what: str, name: str, known: Collection[str]) -> None:
    if name not in known:
        raise WordsError(what, name, nearest(name, known))
