"""docs/operating.md: every sample is there, holds, and speaks of what there is."""

import re
from pathlib import Path
from typing import Final

import pytest

from controller.core.ids import Kind
from simulators.rigs.scenario.core_table import CoreTable
from simulators.rigs.scenario.language import read_scenario
from simulators.rigs.scenario.run import play
from tools.documents import DOCS
from tools.records import DECISIONS, tag_of

TEXT: Final = (DOCS / "operating.md").read_text("utf-8")
SAMPLES: Final = sorted((DOCS / "operating").glob("*.scenario"))


@pytest.mark.parametrize("cut_everywhere", [False, True], ids=["plain", "power cuts"])
@pytest.mark.parametrize("file", SAMPLES, ids=lambda file: file.stem)
def test_a_sample_holds(file: Path, *, cut_everywhere: bool) -> None:
    played = play(read_scenario(file), CoreTable, cut_everywhere=cut_everywhere)
    assert played.failures == ()


def test_the_document_names_each_sample_and_no_other() -> None:
    named = set(re.findall(r"`docs/operating/([a-z-]+\.scenario)`", TEXT))
    assert named == {file.name for file in SAMPLES}


def test_the_document_tells_of_every_kind_that_stops_the_table() -> None:
    assert [kind for kind in Kind if f"`{kind.value}`" not in TEXT] == []


def test_the_document_tells_of_every_decision() -> None:
    spoken = set(re.findall(r"`([a-z]+(?:-[a-z]+)*)(?: [^`]*)?`", TEXT))
    assert {tag_of(decision) for decision in DECISIONS} <= spoken
