from pathlib import Path

from hw_config.loader import load_hardware
from simulators.rigs.table_folder import lay_out


def test_the_file_says_what_was_laid_out(tmp_path: Path) -> None:
    laid = lay_out(tmp_path, seats=3, ruleset="house", panel_lost_after_s=0.5)
    hardware = load_hardware(laid.hardware_file)
    assert hardware == laid.hardware
    assert (hardware.seats, hardware.ruleset) == (3, "house")
    assert hardware.bus.seat_addresses == (1, 2, 3)
    assert hardware.bus.panel_lost_after_s == 0.5


def test_every_file_is_in_the_folder(tmp_path: Path) -> None:
    laid = lay_out(tmp_path)
    hardware = laid.hardware
    ports = (hardware.bus.port, hardware.shoe.port, hardware.control_socket)
    files = [*map(Path, ports), laid.journal, laid.log, laid.hardware_file]
    assert all(file.is_relative_to(tmp_path) for file in files)
    assert len(set(files)) == len(files)


def test_a_journal_that_is_named_lies_elsewhere(tmp_path: Path) -> None:
    kept = tmp_path / "kept" / "a.journal"
    laid = lay_out(tmp_path, journal=kept)
    assert laid.journal == kept
    assert kept.parent.is_dir()
    assert load_hardware(laid.hardware_file).journal.path == str(kept)


def test_a_folder_with_quotes_in_its_name_is_written_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / 'a "table" at ♥'
    folder.mkdir()
    laid = lay_out(folder)
    assert load_hardware(laid.hardware_file) == laid.hardware


def test_a_table_on_pins_is_laid_out_with_the_pins_of_its_seats(tmp_path: Path) -> None:
    laid = lay_out(tmp_path, seats=3, shipped="simulation-gpio")
    hardware = load_hardware(laid.hardware_file)
    assert hardware == laid.hardware
    assert hardware.pins is not None
    assert [seat.chip for seat in hardware.pins.seats] == ["seat-1", "seat-2", "seat-3"]
