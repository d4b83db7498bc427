"""What `tablectl check` finds of a mirror, by the two files alone."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.journal.mirror import Mirror
from controller.journal.store import Store
from controller.runtime.mirror_probe import MirrorFinding, probe_mirror
from hw_config.schema import TableHardware
from simulators.rigs.table_folder import lay_out
from tests.journal.journals import SIMULATION, round_rows, tamper, write
from tests.journal.small_disks import mounted


@pytest.fixture
def hardware(tmp_path: Path) -> TableHardware:
    return lay_out(tmp_path, seats=3).hardware


def found(hardware: TableHardware, mirror: Path) -> MirrorFinding:
    journal = replace(hardware.journal, mirror=str(mirror))
    finding = probe_mirror(replace(hardware, journal=journal))
    assert finding is not None
    return finding


def copy(hardware: TableHardware, mirror: Path) -> None:
    copying = Mirror(Path(hardware.journal.path), mirror, SIMULATION).copying()
    assert next(copying).link.sequence > 0
    copying.close()


def test_where_no_mirror_shall_be_none_is_looked_for(hardware: TableHardware) -> None:
    assert probe_mirror(hardware) is None


def test_a_mirror_is_counted_against_its_journal(
    hardware: TableHardware, tmp_path: Path
) -> None:
    there, journal = tmp_path / "there", Path(hardware.journal.path)
    assert "expected a folder, found none" in found(hardware, there).problem
    there.mkdir()
    assert found(hardware, there).warning.startswith("on the same device as the")
    write(journal)
    assert "start tablectl mirror" in found(hardware, there).problem
    copy(hardware, there)
    finding = found(hardware, there)
    assert (finding.records, finding.of, finding.problem) == (10, 10, "")
    with Store.open(journal, SIMULATION) as store:
        store.append(round_rows(4))
    finding = found(hardware, there)
    assert (finding.records, finding.of, finding.problem) == (10, 14, "")
    tamper(journal, "DELETE FROM journal WHERE sequence > 5")
    assert "holds record 10, and" in found(hardware, there).problem


def test_a_mirror_that_is_no_journal_is_said(
    hardware: TableHardware, tmp_path: Path
) -> None:
    journal, there = Path(hardware.journal.path), tmp_path / "there"
    write(journal)
    there.mkdir()
    (there / journal.name).write_text("a letter")
    assert "expected a journal" in found(hardware, there).problem


def test_a_mirror_on_a_disk_of_its_own_is_no_poor_one(
    hardware: TableHardware, tmp_path: Path
) -> None:
    write(Path(hardware.journal.path))
    with mounted(tmp_path / "disk", "512k") as there:
        copy(hardware, there)
        finding = found(hardware, there)
    assert (finding.records, finding.problem, finding.warning) == (10, "", "")
