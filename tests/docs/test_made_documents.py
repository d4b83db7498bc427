"""The documents that are made from the code say what the code says."""

import typing

import pytest

from controller.core.events import Event
from controller.core.ids import Kind
from controller.core.phases import TRANSITIONS
from tools.documents import DOCS, NAMES, document
from tools.faults import OTHER_RECORDS
from tools.records import DECISIONS, RECORDS, SIGNIFICANT, meaning_of, sections, tag_of


def written(name: str) -> str:
    return (DOCS / name).read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_a_made_document_is_what_make_docs_would_write(name: str) -> None:
    assert written(name) == document(name), "run `make docs`"


def test_every_record_is_described() -> None:
    text = written("events.md")
    assert [tag for tag in map(tag_of, RECORDS) if f"\n| `{tag}` |" not in text] == []


def test_every_module_of_events_gives_one_title() -> None:
    modules = {event.__module__ for event in typing.get_args(Event)}
    titles = sections(typing.get_args(Event))
    assert "" not in titles
    assert len(titles) == len(modules)


def test_every_field_has_a_meaning() -> None:
    for struct in (*RECORDS, *DECISIONS):
        for field in struct.__struct_fields__:
            assert meaning_of(struct, field)


def test_every_significant_event_is_a_record() -> None:
    named = {record for records in SIGNIFICANT.values() for record in records}
    assert named <= set(map(tag_of, RECORDS))


def test_every_kind_of_irregularity_is_described() -> None:
    text = written("faults.md")
    assert [kind for kind in Kind if f"\n| `{kind.value}` |" not in text] == []


def test_every_record_that_a_fault_names_is_one() -> None:
    assert set(OTHER_RECORDS) <= set(map(tag_of, RECORDS))


def test_every_arrow_of_the_diagram_is_a_transition() -> None:
    arrows = {
        line.split(":")[1].split("[")[0].strip()
        for line in written("phases.md").splitlines()
        if "-->" in line and ":" in line
    }
    drawn = {name for arrow in arrows for name in arrow.split(" | ")}
    assert drawn == {transition["trigger"] for transition in TRANSITIONS}
