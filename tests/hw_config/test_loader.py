"""Hardware files: those we ship load, and a bad one hears everything at once."""

import zoneinfo
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from hw_config.errors import Fault, HardwareFileError
from hw_config.loader import SHIPPED, load_hardware, moved_to, shipped_hardware
from hw_config.schema import Baud, Kind, PanelKind, ShoeKind, ShoeProfile

SHIPPED_FILES: Final = sorted(SHIPPED.glob("*.toml"))
GOOD: Final = shipped_hardware("simulation-seven").read_text()
LIVE: Final = shipped_hardware("serial-seven").read_text()

PLACE: Final = "a path, in full or from the working directory, without ~"
PANELS: Final = (
    "a table [panels] with port, baud, seat_addresses, dealer_address,"
    " panel_lost_after_s, kind, first_input,"
    " first_coil, answer_within_s, seat_wiring, dealer_wiring"
)


def faults_of(file: Path, text: str) -> list[str]:
    """Return the lines of the message about a file of this text, less its name."""
    file.write_text(text)
    with pytest.raises(HardwareFileError) as caught:
        load_hardware(file)
    lines = str(caught.value).split("\n")
    assert all(line.startswith(f"{file}: ") for line in lines)
    return [line.removeprefix(f"{file}: ") for line in lines]


def told_about(file: Path) -> tuple[list[str], tuple[Fault, ...]]:
    """Return the lines of the message and its faults; none if the file loads."""
    try:
        load_hardware(file)
    except HardwareFileError as error:
        return str(error).splitlines(), error.faults
    return [], ()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.toml"


@pytest.mark.parametrize("shipped", SHIPPED_FILES, ids=lambda path: path.stem)
def test_every_shipped_file_loads_under_its_own_name(shipped: Path) -> None:
    assert load_hardware(shipped).table_id == shipped.stem


def test_the_shipped_files_are_those_that_the_manual_names() -> None:
    tables = [load_hardware(path) for path in SHIPPED_FILES]
    assert {(table.table_id, table.kind, table.seats) for table in tables} == {
        ("simulation-seven", Kind.SIMULATION, 7),
        ("serial-seven", Kind.LIVE, 7),
        ("serial-three", Kind.LIVE, 3),
        ("line-shoe-seven", Kind.LIVE, 7),
        ("simulation-line-shoe", Kind.SIMULATION, 7),
        ("gpio-three", Kind.LIVE, 3),
        ("simulation-gpio", Kind.SIMULATION, 7),
        ("modbus-seven", Kind.LIVE, 7),
        ("modbus-three", Kind.LIVE, 3),
        ("simulation-modbus", Kind.SIMULATION, 7),
    }


def test_a_file_says_what_the_table_is() -> None:
    table = load_hardware(shipped_hardware("serial-three"))
    assert table.bus.port == "/dev/table/panels"
    assert table.bus.baud is Baud.B115200
    assert table.bus.seat_addresses == (1, 2, 3)
    assert table.bus.panel_lost_after_s == 2.0
    assert table.journal.disk_free_min_mib == 256


def test_a_shoe_speaks_the_reference_protocol_unless_the_file_says_otherwise() -> None:
    reference = load_hardware(shipped_hardware("serial-seven")).shoe
    assert (reference.kind, reference.profile) == (ShoeKind.REFERENCE, None)
    line = load_hardware(shipped_hardware("line-shoe-seven")).shoe
    assert (line.kind, line.profile) == (ShoeKind.LINE, ShoeProfile.BEETEK)
    assert line.baud is Baud.B9600


@pytest.mark.parametrize(
    ("lines", "faults"),
    [
        (
            'baud = 9600\nkind = "line"',
            ['shoe.profile: a line shoe needs one; expected "beetek"'],
        ),
        (
            'baud = 9600\nprofile = "beetek"',
            [
                (
                    "shoe.profile: belongs to a line shoe; "
                    'add kind = "line", or leave it out'
                ),
            ],
        ),
        (
            'baud = 19200\nkind = "line"\nprofile = "beetek"',
            ["shoe.baud: expected 9600, as a shoe of profile beetek prints, got 19200"],
        ),
        (
            'baud = 9600\nkind = "lines"\nprofile = "beeteck"',
            [
                'shoe.kind: expected "reference" or "line", got \'lines\'',
                (
                    'shoe.profile: expected a profile of a line shoe: "beetek",'
                    " got 'beeteck'"
                ),
            ],
        ),
        (
            'baud = 9600\nkind = "line"\nprofle = "beetek"',
            ["shoe.profle: unknown key; did you mean profile?"],
        ),
    ],
)
def test_a_line_shoe_is_described_in_full(
    file: Path, lines: str, faults: list[str]
) -> None:
    before, after = GOOD.rsplit("baud = 115200", 1)
    assert faults_of(file, before + lines + after) == faults


def test_panels_speak_the_reference_protocol_unless_the_file_says_otherwise() -> None:
    reference = load_hardware(shipped_hardware("serial-seven")).bus
    assert reference.kind is PanelKind.REFERENCE
    modules = load_hardware(shipped_hardware("modbus-three")).bus
    assert modules.kind is PanelKind.MODBUS
    assert (modules.first_input, modules.first_coil) == (0, 0)


@pytest.mark.parametrize(
    ("lines", "faults"),
    [
        (
            'kind = "modbus"\nbaud = 9600',
            [
                (
                    "panels.baud: expected 38400 or more, since a press that is shorter"
                    " than a look at 8 modules is lost, got 9600"
                )
            ],
        ),
        (
            "baud = 9600\nfirst_input = 32\nfirst_coil = 16\nanswer_within_s = 0.1",
            [
                ('panels.first_input: belongs to Modbus modules; add kind = "modbus"'),
                'panels.first_coil: belongs to Modbus modules; add kind = "modbus"',
                (
                    "panels.answer_within_s: belongs to Modbus modules;"
                    ' add kind = "modbus"'
                ),
            ],
        ),
        (
            'kind = "modbus"\nbaud = 115200\nfirst_coil = 65529',
            [
                "panels.first_coil: expected a whole number from 0 to 65528, got 65529",
            ],
        ),
        (
            'kind = "relay"\nbaud = 115200',
            ['panels.kind: expected "reference" or "modbus", got \'relay\''],
        ),
    ],
)
def test_modules_are_described_in_full(
    file: Path, lines: str, faults: list[str]
) -> None:
    before, after = GOOD.split("baud = 115200", 1)
    assert faults_of(file, before + lines + after) == faults


def test_three_modules_may_be_slower_than_seven(file: Path) -> None:
    three = shipped_hardware("modbus-three").read_text("utf-8")
    file.write_text(three.replace("baud = 115200 ", "baud = 19200 "))
    assert load_hardware(file).bus.baud is Baud.B19200


def test_inputs_and_coils_of_a_module_may_begin_elsewhere(file: Path) -> None:
    lines = 'kind = "modbus"\nbaud = 38400\nfirst_input = 32\nfirst_coil = 16'
    file.write_text(GOOD.replace("baud = 115200", lines, 1))
    panels = load_hardware(file).bus
    assert (panels.first_input, panels.first_coil) == (32, 16)


def each_line_spoilt(text: str) -> Iterator[tuple[str, str]]:
    """Yield each key of a file with a text in which it is misspelt, or its value."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        key, equals, _ = line.partition(" = ")
        if equals and not key.startswith("#"):
            for spoilt in (f"{key}x{line.removeprefix(key)}", f"{key} = 1979-05-27"):
                lines[number] = spoilt
                yield key, "\n".join(lines)
            lines[number] = line


@pytest.mark.parametrize("shipped", SHIPPED_FILES, ids=lambda path: path.stem)
def test_one_mistake_gets_one_line(shipped: Path, file: Path) -> None:
    spoilt = list(each_line_spoilt(shipped.read_text()))
    assert len(spoilt) > 20
    for key, text in spoilt:
        (line,) = faults_of(file, text)
        assert key in line


def test_a_port_whose_links_lead_nowhere_is_no_error_of_the_program(
    file: Path, tmp_path: Path
) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    (line,) = faults_of(file, LIVE.replace("/dev/table/shoe", f"{tmp_path}/a"))
    assert line.startswith("shoe.port: expected a serial device under /dev")


BAD: Final = {
    "a misspelt table of pins": (
        ("[panels]", "[pin]"),
        "pin: unknown key; did you mean pins?",
    ),
    "a misspelt key": (
        ("baud = 115200\nseat_addresses", "bauds = 115200\nseat_addresses"),
        "panels.bauds: unknown key; did you mean baud?",
    ),
    "a key that resembles none": (
        ("[shoe]", "[shoe]\ncolour = 3"),
        "shoe.colour: unknown key; expected one of port, baud, kind, profile",
    ),
    "a key that is not one line": (
        ("[shoe]", '[shoe]\n"a\\nb" = 3'),
        "shoe.'a\\nb': unknown key; expected one of port, baud, kind, profile",
    ),
    "a missing key": (
        ('kind = "simulation"', ""),
        'kind: missing; expected "simulation" or "live"',
    ),
    "a kind that does not exist": (
        ('"simulation"', '"training"'),
        'kind: expected "simulation" or "live", got \'training\'',
    ),
    "no seats": (
        ("seats = 7", "seats = 0"),
        "seats: expected a whole number from 1 to 7, got 0",
    ),
    "eight seats": (
        ("seats = 7", "seats = 8"),
        "seats: expected a whole number from 1 to 7, got 8",
    ),
    "a yes for a number": (
        ("seats = 7", "seats = true"),
        "seats: expected a whole number from 1 to 7, got True",
    ),
    "fewer seats than addresses": (
        ("seats = 7", "seats = 6"),
        "panels.seat_addresses: expected 6 addresses, one for each seat, got 7",
    ),
    "a rate that no line has": (
        ("baud = 115200\nseat", "baud = 115201\nseat"),
        (
            "panels.baud: expected one of 9600, 19200, 38400, 57600, 115200,"
            " 230400, got 115201"
        ),
    ),
    "an address out of range": (
        ("[1, 2, 3, 4, 5, 6, 7]", "[1, 2, 3, 4, 5, 6, 248]"),
        (
            "panels.seat_addresses: expected a list of addresses from 1 to 247,"
            " seat 1 first, got [1, 2, 3, 4, 5, 6, 248]"
        ),
    ),
    "seats that share an address": (
        ("[1, 2, 3, 4, 5, 6, 7]", "[1, 2, 3, 2, 5, 2, 7]"),
        (
            "panels: address 2 belongs to seat 2 and seat 4 and seat 6;"
            " expected an address of its own for each panel"
        ),
    ),
    "a dealer at a seat's address": (
        ("dealer_address = 32", "dealer_address = 7"),
        (
            "panels: address 7 belongs to seat 7 and the dealer;"
            " expected an address of its own for each panel"
        ),
    ),
    "a loss before a panel is dark": (
        ("panel_lost_after_s = 2.0", "panel_lost_after_s = 0.4"),
        "panels.panel_lost_after_s: expected seconds from 0.5 to 60, got 0.4",
    ),
    "a time that is no number": (
        ("panel_lost_after_s = 2.0", "panel_lost_after_s = nan"),
        "panels.panel_lost_after_s: expected seconds from 0.5 to 60, got nan",
    ),
    "a number past all bounds": (
        ("dealer_address = 32", f"dealer_address = {2**70}"),
        f"panels.dealer_address: expected an address from 1 to 247, got {2**70}",
    ),
    "one port for two": (
        ("run/simulation/shoe", "run/simulation/panels"),
        (
            "shoe.port: run/simulation/panels is panels.port already;"
            " expected another path"
        ),
    ),
    "a socket in the journal's place": (
        ("run/simulation/control.sock", "./run//simulation/table.journal"),
        (
            "control_socket: ./run//simulation/table.journal is journal.path"
            " already; expected another path"
        ),
    ),
    "a tilde": (
        ("run/simulation/table.journal", "~/table.journal"),
        f"journal.path: expected {PLACE}, got '~/table.journal'",
    ),
    "an empty path": (
        ("run/simulation/shoe", ""),
        f"shoe.port: expected {PLACE}, got ''",
    ),
    "a socket path that Linux cuts": (
        ("run/simulation/control.sock", "run/" + "é" * 52),
        "control_socket: expected at most 107 bytes, got 108; choose a shorter path",
    ),
    "a simulation on a device": (
        ("run/simulation/panels", "/dev/ttyUSB0"),
        (
            "panels.port: expected a path outside /dev, where the simulation may"
            " put a link to its pty, got /dev/ttyUSB0"
        ),
    ),
    "a misspelt time zone": (
        ("America/Denver", "America/Dever"),
        "time_zone: unknown time zone 'America/Dever'; did you mean America/Denver?",
    ),
    "a time zone like no other": (
        ("America/Denver", "#"),
        "time_zone: unknown time zone '#'; expected a name such as America/Denver",
    ),
    "a table id with a blank": (
        ('table_id = "simulation-seven"', 'table_id = "table 7"'),
        (
            "table_id: expected 1 to 32 letters, digits and hyphens,"
            " such as pit2-table4, got 'table 7'"
        ),
    ),
    "a ruleset by path": (
        ('"colorado"', '"../colorado"'),
        (
            "ruleset: expected the name of a ruleset, such as colorado,"
            " got '../colorado'"
        ),
    ),
    "a long value is cut": (
        ('"colorado"', f'"{"A" * 70}"'),
        (
            "ruleset: expected the name of a ruleset, such as colorado,"
            f" got '{'A' * 59}…"
        ),
    ),
    "a misspelt table": (
        ("[panels]", "[panels_]"),
        "panels_: unknown key; did you mean panels?",
    ),
}


@pytest.mark.parametrize(("change", "expected"), BAD.values(), ids=BAD.keys())
def test_a_bad_file_is_told_key_and_expectation(
    file: Path, change: tuple[str, str], expected: str
) -> None:
    assert change[0] in GOOD
    assert faults_of(file, GOOD.replace(*change, 1)) == [expected]


def test_all_faults_are_told_at_once(file: Path) -> None:
    text = (
        GOOD.replace("seats = 7", "seats = 9\ncolour = 1")
        .replace("[1, 2, 3,", "[1, 1, 3,")
        .replace("run/simulation/shoe", "run/simulation/panels")
        .replace("baud = 115200\nseat", "baud = 1\nseat")
    )
    assert faults_of(file, text) == [
        (
            "colour: unknown key; expected one of table_id, kind, seats, ruleset,"
            " time_zone, control_socket, journal, panels, pins, shoe, control_group,"
            " people"
        ),
        "seats: expected a whole number from 1 to 7, got 9",
        "panels.baud: expected one of 9600, 19200, 38400, 57600, 115200, 230400, got 1",
        (
            "panels: address 1 belongs to seat 1 and seat 2;"
            " expected an address of its own for each panel"
        ),
        (
            "shoe.port: run/simulation/panels is panels.port already;"
            " expected another path"
        ),
    ]


def test_an_empty_file_hears_what_it_must_hold(file: Path) -> None:
    said = faults_of(file, "")
    assert [line.split(": ")[0] for line in said] == [
        "table_id",
        "kind",
        "seats",
        "ruleset",
        "time_zone",
        "control_socket",
        "journal",
        "shoe",
        "panels",
    ]
    assert f"panels: missing; expected {PANELS}, or a table [pins]" in said


def test_a_value_is_not_taken_for_a_table(file: Path) -> None:
    text = (
        "panels = 3\n" + GOOD[: GOOD.index("[panels]")] + GOOD[GOOD.index("[shoe]") :]
    )
    assert faults_of(file, text) == [f"panels: expected {PANELS}, got 3"]


@pytest.mark.parametrize("port", ["/dev/pts/4", "/dev/ptmx", "run/simulation/panels"])
def test_a_live_table_refuses_a_port_of_the_simulation(file: Path, port: str) -> None:
    assert faults_of(file, LIVE.replace("/dev/table/panels", port)) == [
        (
            "panels.port: expected a serial device under /dev on a live table,"
            f" got {port}, where only a simulation answers"
        )
    ]


def test_a_live_table_refuses_a_way_round_to_a_pty(file: Path) -> None:
    port = "/dev/table/../pts/4"
    assert faults_of(file, LIVE.replace("/dev/table/panels", port)) == [
        (
            "panels.port: expected a serial device under /dev on a live table,"
            f" got {port}, where only a simulation answers"
        )
    ]


@pytest.fixture
def no_zones() -> Iterator[None]:
    """Hide the time zones of this machine, as where tzdata is not installed."""
    zoneinfo.reset_tzpath(to=[])
    # What was found once is kept.
    zoneinfo.ZoneInfo.clear_cache()
    yield
    zoneinfo.reset_tzpath()


@pytest.mark.usefixtures("no_zones")
def test_a_machine_without_time_zones_is_told_what_to_install(file: Path) -> None:
    assert faults_of(file, GOOD) == [
        (
            "time_zone: unknown time zone 'America/Denver';"
            " this machine knows none; install tzdata"
        )
    ]


def test_what_is_not_toml_is_told_with_its_line(file: Path) -> None:
    (line,) = faults_of(file, "seats = 7\nkind =\n")
    assert line == "expected TOML: Invalid value (at line 2, column 7)"


@pytest.mark.parametrize("text", ["x = " + "9" * 5_000, "x = " + "[" * 100_000])
def test_toml_past_all_bounds_is_no_crash(file: Path, text: str) -> None:
    (line,) = faults_of(file, text)
    assert line.startswith("expected TOML: ")


def test_a_file_that_is_not_there_is_told_so(file: Path) -> None:
    with pytest.raises(HardwareFileError) as caught:
        load_hardware(file)
    assert str(caught.value) == f"{file}: cannot be read: No such file or directory"


def test_bytes_that_are_not_text_are_told_so(file: Path) -> None:
    file.write_bytes(b"seats = 7 \xff")
    with pytest.raises(HardwareFileError) as caught:
        load_hardware(file)
    assert str(caught.value) == f"{file}: expected UTF-8 text, got a wrong byte at 10"


def test_an_unknown_shipped_file_hears_the_names_there_are() -> None:
    with pytest.raises(HardwareFileError) as caught:
        shipped_hardware("serial-nine")
    assert str(caught.value).endswith(
        "serial-nine.toml: not shipped;"
        " expected gpio-three, line-shoe-seven, modbus-seven, modbus-three,"
        " serial-seven, serial-three, simulation-gpio, simulation-line-shoe,"
        " simulation-modbus, simulation-seven"
    )


def test_a_moved_table_keeps_everything_but_its_places(tmp_path: Path) -> None:
    table = load_hardware(shipped_hardware("simulation-seven"))
    moved = moved_to(table, tmp_path)
    assert moved.bus.port == str(tmp_path / "run/simulation/panels")
    assert moved.shoe.port == str(tmp_path / "run/simulation/shoe")
    assert moved.journal.path == str(tmp_path / "run/simulation/table.journal")
    assert moved.control_socket == str(tmp_path / "run/simulation/control.sock")
    assert moved_to(moved, Path("/elsewhere")) == moved
    assert moved.bus.seat_addresses == table.bus.seat_addresses


@given(
    start=st.integers(0, len(GOOD)),
    length=st.integers(0, 12),
    put=st.text(max_size=6) | st.sampled_from(["9" * 20, "[1]", "{}", "-", '"', "\n"]),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_changed_anywhere_loads_or_is_told_line_by_line(
    file: Path, start: int, length: int, put: str
) -> None:
    file.write_text(GOOD[:start] + put + GOOD[start + length :], newline="")
    lines, faults = told_about(file)
    assert len(lines) == len(faults)
    assert all(line.startswith(f"{file}: ") for line in lines)


def test_people_and_the_sockets_group_may_be_named(file: Path) -> None:
    file.write_text('people = "people.toml"\ncontrol_group = "dealers"\n' + GOOD)
    table = load_hardware(file)
    assert (table.people, table.control_group) == ("people.toml", "dealers")
    assert moved_to(table, Path("/a")).people == "/a/people.toml"


def test_a_mirror_may_be_named_in_another_folder(file: Path) -> None:
    mirror = 'mirror = "/media/mirror/table-7"\nmirror_late_after_s = 30\n'
    file.write_text(GOOD.replace("[journal]\n", f"[journal]\n{mirror}"))
    table = load_hardware(file)
    assert table.journal.mirror == "/media/mirror/table-7"
    assert table.journal.mirror_late_after_s == 30
    moved = replace(table, journal=replace(table.journal, mirror="mirror"))
    assert moved_to(moved, Path("/a")).journal.mirror == "/a/mirror"


@pytest.mark.parametrize(
    "place",
    ["run/simulation", "./run/../run/simulation", "run/simulation/table.journal"],
)
def test_the_journals_own_place_is_no_mirror(file: Path, place: str) -> None:
    text = GOOD.replace("[journal]\n", f'[journal]\nmirror = "{place}"\n')
    (line,) = faults_of(file, text)
    assert line.startswith("journal.mirror: ")


def test_people_and_the_sockets_group_may_be_left_out(file: Path) -> None:
    file.write_text(GOOD)
    table = moved_to(load_hardware(file), Path("/a"))
    assert (table.people, table.control_group) == ("", "")
