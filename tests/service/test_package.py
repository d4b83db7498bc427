"""The package, in a Debian of its own: in, changed, refused, out, and in again."""

import contextlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core.ids import Button, DealerButton
from simulators.rigs.table_folder import hardware_text, lay_out
from tests.journal.played import Played, dealer
from tests.service.debian import ENVIRONMENT, Debian, copied, made, mounted, tool

ROOT: Final = Path(__file__).parents[2]
PLACE: Final = "/opt/blackjack-table"
NOT_SOURCES: Final = shutil.ignore_patterns(".*", "build", "run", "node_modules")
STATE: Final = "/var/lib/blackjack-table"
JOURNAL: Final = f"{STATE}/table.journal"
HARDWARE: Final = "/etc/blackjack-table/table.toml"
KEY: Final = "/etc/blackjack-table/signing-key"
PEOPLE: Final = f"{STATE}/people.toml"
EXAMPLE: Final = "/etc/blackjack-table/examples/serial-seven.toml"
AS_TABLE: Final = ("runuser", "-u", "blackjack-table", "--")
# As above, but in the process that is started, which can then be stopped.
BECOME_TABLE: Final = (
    *("setpriv", "--reuid=blackjack-table", "--regid=blackjack-table"),
    "--init-groups",
)
RUNS: Final = ["blackjack-table.target", "blackjack-table.service"]

pytestmark = [pytest.mark.prove, pytest.mark.timeout(7200)]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Path]:
    """Return a folder for two systems, which are not kept: they are large."""
    yield tmp_path
    # What should still be mounted there is not ours to empty.
    words = [tool("rm"), "-rf", "--one-file-system", str(tmp_path)]
    subprocess.run(words, check=True)  # noqa: S603 - our own words


def test_a_table_is_installed_changed_and_removed_and_its_record_outlives_it(
    room: Path,
) -> None:
    bare = made(room / "bare")
    table = copied(bare, room / "table")
    package = built(bare, room)
    newer = changed(package, room / "newer", version="0.1.1")
    with contextlib.ExitStack() as held:
        for kind, place in (("proc", "proc"), ("devpts", "dev/pts")):
            held.enter_context(mounted("-t", kind, kind, at=table.root / place))
        it_is_put_in(table, package)
        it_plays(table)
        a_live_journal_lies_on_a_disk(table, room)
        it_is_not_changed_under_an_open_round(table, newer, room)
        its_services_are_stopped_and_go_on_where_it_was_not_changed(table, newer, room)
        it_is_changed_between_rounds(table, newer)
        it_is_backed_up(table)
        it_is_taken_out_and_the_record_stays(table, newer)
        it_is_restored(table, newer)


# --- Making it ----------------------------------------------------------------------


def built(debian: Debian, folder: Path) -> Path:
    """Build the package in a Debian, of the files that are ours."""
    make("wheels", f"WHEELS={folder / 'wheels'}", f"BIN={Path(sys.executable).parent}")
    debian.install("debhelper", "make", "python3", "python3-venv")
    sources = debian.at("/src")
    shutil.copytree(ROOT, sources, symlinks=True, ignore=NOT_SOURCES)
    shutil.copytree(folder / "wheels", sources / "build/wheels")
    debian.do("make", "-C", "/src", "package")
    (package,) = (sources / "build").glob("*.deb")
    return package


def make(*words: str) -> None:
    """Run our Makefile with the environment that runs this test, as it is."""
    done = subprocess.run(  # noqa: S603 - our own Makefile
        [tool("make"), "-C", str(ROOT), "-o", "setup", *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def changed(package: Path, folder: Path, *, version: str, preinst: str = "") -> Path:
    """Return the same package as another version, and with a script that may fail."""
    deb = tool("dpkg-deb")
    subprocess.run([deb, "-R", str(package), str(folder)], check=True)  # noqa: S603 - our package
    control = folder / "DEBIAN/control"
    text = control.read_text("utf-8").replace("Version: ", f"Version: {version}+")
    control.write_text(text, "utf-8")
    if preinst:
        (folder / "DEBIAN/preinst").write_text(preinst, "utf-8")
        (folder / "DEBIAN/preinst").chmod(0o755)
    target = folder.with_suffix(".deb")
    subprocess.run([deb, "-b", "-Zgzip", str(folder), str(target)], check=True)  # noqa: S603 - the same
    return target


# --- What is done to it -------------------------------------------------------------


def put_in(table: Debian, package: Path) -> str:
    shutil.copy(package, table.at("/root/package.deb"))
    return table.install("--allow-downgrades", "/root/package.deb")


def tried(table: Debian, package: Path, **more: str) -> tuple[int, str]:
    """Try to change the package, as dpkg alone does; return its status and words."""
    shutil.copy(package, table.at("/root/package.deb"))
    done = table.ask("dpkg", "-i", "/root/package.deb", **more)
    return done.returncode, done.stdout


def version(table: Debian) -> str:
    shown = ("dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}")
    return table.do(*shown, "blackjack-table")


def play(table: Debian, folder: Path, *, to_the_end: bool) -> None:
    """Put a journal in place that ends in its first round, or behind it."""
    path = folder / f"played-{len(list(folder.iterdir()))}" / "table.journal"
    path.parent.mkdir()
    played = Played(path)
    with played.journal:
        played.deal()
        if to_the_end:
            played.do(played.press(Button.STAND))
            played.do(dealer(DealerButton.PICKUP))
            played.do(cm.CloseShift())
    for file in table.at(STATE).glob("table.journal*"):
        file.unlink()
    for file in path.parent.iterdir():
        shutil.copy(file, table.at(STATE))
    table.do("chown", "-R", "blackjack-table:blackjack-table", STATE)


def hardware(folder: Path) -> str:
    """Return the file of the table whose journal `play` lays out."""
    place = folder / "laid-out"
    place.mkdir()
    laid = lay_out(place, seats=3).hardware
    journal = replace(laid.journal, path=JOURNAL)
    return hardware_text(replace(laid, table_id="BJ-01", journal=journal))


def it_is_put_in(table: Debian, package: Path) -> None:
    said = put_in(table, package)
    assert f"not started. First write {HARDWARE}" in said
    assert table.do("stat", "-c", "%U:%G %a", STATE) == (
        "blackjack-table:blackjack-table 700\n"
    )
    groups = table.do("id", "-Gn", "blackjack-table").split()
    assert {"dialout", "gpio", "blackjack-control"} <= set(groups)
    for unit, of in (("service", "blackjack-table"), ("target", "multi-user")):
        link = f"/etc/systemd/system/{of}.target.wants/blackjack-table.{unit}"
        assert table.at(link).is_symlink()
    conffiles = table.do("dpkg-query", "-W", "-f", "${Conffiles}", "blackjack-table")
    assert EXAMPLE in conffiles
    assert "71-blackjack-table-names.rules" in conffiles
    assert not list(table.at(PLACE).rglob("direct_url.json"))
    assert not list(table.root.glob(f"{PLACE[1:]}/**/pip.conf"))


def it_plays(table: Debian) -> None:
    """A simulated table plays with what was put in, as the table's user."""
    words = ("demo", "--fast", "--rounds", "2", "--journal", f"{STATE}/demo.journal")
    table.do(*AS_TABLE, "tablectl", *words)
    said = table.do(
        *AS_TABLE, "tablectl", "verify", "--journal", f"{STATE}/demo.journal"
    )
    assert ": good, " in said
    table.do("sh", "-c", f"rm {STATE}/demo.journal*")


def a_live_journal_lies_on_a_disk(table: Debian, folder: Path) -> None:
    run = ("tablectl", "run", EXAMPLE)
    state = table.at(STATE)
    with mounted("-t", "tmpfs", "tmpfs", at=state):
        done = table.ask(*AS_TABLE, *run)
    (line,) = done.stdout.splitlines()
    assert done.returncode == 2
    assert f"{STATE} is tmpfs: what is written is in memory" in line
    disk = folder / "disk"
    with disk.open("wb") as file:
        file.truncate(16 << 20)
    subprocess.run([tool("mkfs.ext4"), "-q", str(disk)], check=True)  # noqa: S603 - a file of ours
    with mounted("-o", "loop,nobarrier", str(disk), at=state):
        table.do("chown", "blackjack-table:", STATE)
        table.do("mkdir", "-p", "/run/blackjack-table")
        with subprocess.Popen(  # noqa: S603 - our own words
            [tool("chroot"), str(table.root), *BECOME_TABLE, *run],
            env=ENVIRONMENT,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                assert process.stderr is not None
                assert any("disk has no barriers" in line for line in process.stderr)
                process.terminate()
                process.communicate(timeout=60)
                assert process.returncode == 0
            finally:
                process.kill()


def it_is_not_changed_under_an_open_round(
    table: Debian, newer: Path, folder: Path
) -> None:
    table.write(HARDWARE, hardware(folder))
    play(table, folder, to_the_end=False)
    before = version(table)
    for words in (("-i", "/root/package.deb"), ("-r", "blackjack-table")):
        shutil.copy(newer, table.at("/root/package.deb"))
        done = table.ask("dpkg", *words)
        assert done.returncode != 0
        assert "round 1 is open; finish it, or void it, first" in done.stdout
        assert version(table) == before
    owners = table.do("sh", "-c", f"stat -c %U {STATE}/*").split()
    assert set(owners) == {"blackjack-table"}
    # A round that cannot be finished waits in the journal, if people say so.
    status, said = tried(table, newer, BLACKJACK_TABLE_ROUND="interrupt")
    assert status == 0, said
    assert version(table) != before


def its_services_are_stopped_and_go_on_where_it_was_not_changed(
    table: Debian, newer: Path, folder: Path
) -> None:
    play(table, folder, to_the_end=True)
    failing = changed(
        newer, folder / "failing", version="0.1.2", preinst="#!/bin/false"
    )
    before = version(table)
    with table.with_services():
        table.said()
        assert tried(table, failing)[0] != 0
        stop, start = table.said()
        assert stop.split() == ["stop", *RUNS]
        assert start.split() == ["start", *RUNS]
        # A round begins between the question and the stop.
        play(table, folder, to_the_end=False)
        table.do("sh", "-c", f"mv {JOURNAL} {STATE}/open")
        opens = f"#!/bin/sh\ncp -p {STATE}/open {JOURNAL}\n"
        table.write("/root/at-stop", opens, 0o755)
        status, said = tried(table, newer)
        assert status != 0
        assert "round 1 is open" in said
        stop, start = (line.split()[0] for line in table.said()[:2])
        assert (stop, start) == ("stop", "start")
    table.at("/root/at-stop").unlink()
    table.at(f"{STATE}/open").unlink()
    assert version(table) == before


def it_is_changed_between_rounds(table: Debian, newer: Path) -> None:
    play(table, newer.parent, to_the_end=True)
    with table.with_services():
        status, said = tried(table, newer)
        assert status == 0, said
        assert "between rounds; the next is round 2" in said
        assert "First a supervisor and a technician accept" in said
        assert [line.split()[0] for line in table.said()] == ["stop"]
    assert table.at(HARDWARE).exists()


def it_is_backed_up(table: Debian) -> None:
    """By the words of docs/installation.md, with a file put aside before."""
    table.do("tablectl", "key", "new", KEY, "--name", "BJ-01")
    people = ("people", PEOPLE, "add", "S1", "supervisor", "--no-pin")
    table.do(*AS_TABLE, "tablectl", *people)
    (old,) = table.do(*AS_TABLE, "tablectl", "archive", HARDWARE).split()
    assert old == f"{JOURNAL}.to-round-1"
    table.do("install", "-d", "-o", "blackjack-table", "-m", "0700", "/backup")
    for file in (JOURNAL, old):
        copy = ("copy", f"/backup/{Path(file).name}", "--journal", file)
        table.do(*AS_TABLE, "tablectl", *copy)
    table.do("cp", "-p", HARDWARE, KEY, PEOPLE, "/backup")


def it_is_taken_out_and_the_record_stays(table: Debian, newer: Path) -> None:
    put_in(table, newer)
    table.do("dpkg", "-r", "blackjack-table")
    assert not table.at(PLACE).exists()
    assert table.at(EXAMPLE).exists()
    said = table.do("dpkg", "-P", "blackjack-table")
    for kept in (STATE, "/etc/blackjack-table"):
        assert f"kept, with all that lies in it: {kept}" in said
    assert not table.at(EXAMPLE).exists()
    for file in (JOURNAL, f"{JOURNAL}.to-round-1", PEOPLE, HARDWARE, KEY):
        assert table.at(file).exists()
    assert table.do("stat", "-c", "%U", STATE) == "blackjack-table\n"


def it_is_restored(table: Debian, newer: Path) -> None:
    """As onto a new card: the files come back from the copy alone."""
    table.do("rm", "-r", STATE, "/etc/blackjack-table")
    put_in(table, newer)
    table.do(
        "cp", "-p", "/backup/table.toml", "/backup/signing-key", "/etc/blackjack-table"
    )
    owned = "-o blackjack-table -g blackjack-table -m 0600"
    files = "/backup/table.journal* /backup/people.toml"
    table.do("sh", "-c", f"install {owned} -t {STATE} {files}")
    said = table.do(*AS_TABLE, "tablectl", "verify", "--replay", "--journal", JOURNAL)
    assert said.count(": good, ") == 2
    assert "next is round 2" in table.do(*AS_TABLE, "tablectl", "idle", HARDWARE)
    assert "S1" in table.do(*AS_TABLE, "tablectl", "people", PEOPLE, "list")
