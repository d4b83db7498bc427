"""A live table as a process: it runs from sources, and not what nobody accepted."""

import contextlib
import json
import marshal
import os
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from typing import Final

import click
import cobs
import pytest
from msgspec.structs import replace

from controller.cli import service
from controller.cli.from_sources import NOWHERE
from controller.cli.service import serve
from controller.core.ids import Kind
from controller.evidence.software_history import software_history
from controller.evidence.verify import verify
from controller.journal import reader
from controller.journal.errors import JournalError
from controller.journal.fold import state_at_end
from controller.runtime.errors import JournalDiskError
from controller.runtime.journal_disk import MOUNTS, require_lasting
from controller.runtime.notify import READY
from controller.version import DISTRIBUTION
from hw_config.schema import Kind as TableKind
from simulators.rigs.table_folder import TableFolder, hardware_text, lay_out
from tests.runtime.lineups import PINS, list_people
from tests.runtime.managers import managing

ROOT: Final = Path(__file__).parents[2]
BOUND_S: Final = 60.0
TABLECTL: Final = ("-c", "from controller.cli.main import main; main()")
PRODUCT: Final = ("controller", "drivers", "hw_config")
ASKED: Final = ("--supervisor", "S1", "--technician", "T1", "--reason", "update")

pytestmark = pytest.mark.timeout(180)


class Machine:
    """A machine of its own: a copy of the product, and a table that it runs."""

    def __init__(self, folder: Path, kind: TableKind) -> None:
        self.product = folder / "product"
        self.libraries = folder / "libraries"
        made = shutil.ignore_patterns("__pycache__")
        for name in PRODUCT:
            shutil.copytree(ROOT / name, self.product / name, ignore=made)
        shutil.copytree(Path(cobs.__path__[0]), self.libraries / "cobs", ignore=made)
        self.table = table(folder, kind)
        named = ("TABLE_JOURNAL", "PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE")
        kept = {name: of for name, of in os.environ.items() if name not in named}
        path = os.pathsep.join(map(str, (self.product, self.libraries)))
        self.environment: Mapping[str, str] = {**kept, "PYTHONPATH": path}

    def do(self, *words: str, piped: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - our own interpreter and words
            [sys.executable, *TABLECTL, *words],
            cwd=self.product,
            env=self.environment,
            input=piped,
            capture_output=True,
            text=True,
            check=False,
            timeout=BOUND_S,
        )

    @contextlib.contextmanager
    def running(self) -> Iterator[subprocess.Popen[str]]:
        """Run the table until the end of the block; it must then stop by itself."""
        words = ("run", str(self.table.hardware_file))
        starts = self.starts
        process = subprocess.Popen(  # noqa: S603 - our own interpreter and words
            [sys.executable, *TABLECTL, *words],
            cwd=self.product,
            env=self.environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            until(lambda: self.starts > starts or process.poll() is not None)
            until(self.table.control_socket.exists)
            yield process
            process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=BOUND_S)
            assert process.returncode == 0, said
        finally:
            if process.poll() is None:
                process.kill()
                process.communicate()

    @property
    def starts(self) -> int:
        """How often a start has looked at itself."""
        with contextlib.suppress(JournalError):
            records = reader.all_records(self.table.journal)
            return sum(record.type == "self_test_reported" for record in records)
        return 0

    @property
    def stops(self) -> list[Kind]:
        found = state_at_end(self.table.journal).irregularities
        return [irregularity.kind for irregularity in found]

    def parts(self) -> dict[str, str]:
        file = str(self.table.hardware_file)
        said = json.loads(self.do("version", file, "--json").stdout)
        parts = said["software"]["components"]
        return {part["name"]: part["digest"] for part in parts}


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + BOUND_S
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def table(folder: Path, kind: TableKind) -> TableFolder:
    """Lay out a table; a live one at devices that are not there."""
    laid = lay_out(folder, seats=3)
    hardware = replace(
        laid.hardware, kind=kind, people=str(list_people(folder / "people.toml"))
    )
    if kind is TableKind.LIVE:
        hardware = replace(
            hardware,
            panels=replace(hardware.bus, port="/dev/table/no-panels"),
            shoe=replace(hardware.shoe, port="/dev/table/no-shoe"),
        )
    laid.hardware_file.write_text(hardware_text(hardware), "utf-8")
    return replace(laid, hardware=hardware)


@pytest.fixture
def live(tmp_path: Path) -> Machine:
    try:
        require_lasting(tmp_path, MOUNTS.read_text("utf-8", "surrogateescape"))
    except JournalDiskError as error:
        pytest.skip(f"no live table runs in the folder for tests: {error}")
    return Machine(tmp_path, TableKind.LIVE)


def forge(source: Path, says: Path) -> None:
    """Put bytecode beside a source that Python takes for its own: it leaves a file."""
    status = source.stat()
    words = f"open({str(says)!r}, 'w').close()\n{source.read_text('utf-8')}"
    stamp = struct.pack("<III", 0, int(status.st_mtime), status.st_size)
    forged = marshal.dumps(compile(words, str(source), "exec"))
    cached = Path(cache_from_source(str(source)))
    cached.parent.mkdir(exist_ok=True)
    cached.write_bytes(MAGIC_NUMBER + stamp + forged)


def test_forged_bytecode_beside_an_unchanged_source_does_not_run_a_live_table(
    live: Machine, tmp_path: Path
) -> None:
    says = tmp_path / "forged code ran"
    for name in ("runtime/planner.py", "cli/service.py", "core/decide/__init__.py"):
        forge(live.product / "controller" / name, says)
    # The forgery is good: whoever imports as usual runs it.
    assert live.do("version").returncode == 0
    assert says.exists()
    says.unlink()
    with live.running():
        assert live.stops == []
    assert not says.exists()


@pytest.mark.prove
def test_a_live_table_tells_its_manager_as_the_process_that_was_started(
    live: Machine, tmp_path: Path
) -> None:
    with managing(tmp_path) as manager:
        live.environment = {**live.environment, "NOTIFY_SOCKET": manager.address}
        with live.running() as process:
            # It has begun again from its sources by then, under the same number.
            assert manager.hears_fact(READY).process == process.pid


@pytest.mark.prove
def test_a_process_that_began_with_the_prefix_believes_not_even_its_first_module(
    live: Machine, tmp_path: Path
) -> None:
    says = tmp_path / "forged code ran"
    forge(live.product / "controller" / "cli" / "main.py", says)
    environment = {**live.environment, "PYTHONPYCACHEPREFIX": NOWHERE}
    live.environment = environment
    with live.running():
        assert live.starts == 1
    assert not says.exists()


@pytest.mark.prove
def test_a_changed_file_of_the_product_stops_a_live_table_until_two_accept_it(
    live: Machine,
) -> None:
    hardware = str(live.table.hardware_file)
    with live.running():
        assert live.stops == []
    with (live.product / "controller" / "words" / "lines.py").open("a") as file:
        file.write("# One line more.\n")
    with live.running():
        assert live.stops == [Kind.SOFTWARE_CHANGED]
    (found,) = state_at_end(live.table.journal).irregularities
    assert found.words.startswith(f"{DISTRIBUTION} ")

    pins = f"{PINS['S1']}\n{PINS['T1']}\n"
    done = live.do("accept", hardware, *ASKED, piped=pins)
    assert (done.returncode, done.stderr) == (0, "")
    changed, accepted = done.stdout.splitlines()
    assert changed.startswith(f"{DISTRIBUTION} ")
    assert accepted == "accepted by supervisor S1 and technician T1"

    with live.running():
        assert live.stops == []
    _first, change = software_history(live.table.journal, last=10)
    assert (change.supervisor, change.technician) == ("S1", "T1")
    assert verify(live.table.journal, replay=True).good


@pytest.mark.prove
def test_a_simulated_table_says_what_changed_and_plays_on(tmp_path: Path) -> None:
    simulated = Machine(tmp_path, TableKind.SIMULATION)
    with simulated.running():
        pass
    with (simulated.libraries / "cobs" / "__init__.py").open("a") as file:
        file.write("# One line more.\n")
    with simulated.running():
        assert simulated.stops == []
    types = [record.type for record in reader.all_records(simulated.table.journal)]
    assert types.count("software_changed") == 1


@pytest.mark.prove
def test_each_change_shows_in_its_own_part_alone(live: Machine) -> None:
    before = live.parts()
    (live.product / "controller" / "rulesets" / "planted.so").touch()
    for file in (live.libraries / "cobs" / "__init__.py", live.table.hardware_file):
        file.write_text(file.read_text("utf-8") + "\n", "utf-8")
    now = live.parts()
    changed = {name for name in now if now[name] != before[name]}
    assert changed == {DISTRIBUTION, "cobs", "hardware file"}


def test_a_live_table_in_a_process_with_bytecode_is_refused(live: Machine) -> None:
    with pytest.raises(click.ClickException, match="changed while it was read"):
        serve(live.table.hardware_file, None)


@pytest.mark.parametrize("kind", TableKind)
def test_a_live_table_refuses_a_journal_that_would_go_with_the_power(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: TableKind
) -> None:
    monkeypatch.setattr(service, "is_from_sources", lambda: True)
    # Everything is on an overlay there.
    monkeypatch.setattr(service, "MOUNTS", ROOT / "tests/golden/mountinfo/overlay-root")
    laid = table(tmp_path, kind)
    is_live = kind is TableKind.LIVE
    # A simulated table does not mind, and ends for want of its ruleset.
    lacking = laid.hardware_file.read_text("utf-8").replace("colorado", "no-such")
    laid.hardware_file.write_text(lacking, "utf-8")
    expected = "expected a journal on a disk" if is_live else "no-such"
    with pytest.raises(click.ClickException, match=expected):
        serve(laid.hardware_file, None)
    assert not laid.journal.exists()
