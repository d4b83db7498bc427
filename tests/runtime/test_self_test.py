"""What a process is made of, part by part, whatever shape its modules have."""

import hashlib
import json
import sys
from importlib import metadata
from pathlib import Path
from types import ModuleType

import cobs.cobs
import msgspec
import pytest

import controller
import controller.core
import simulators
from controller.core.ruleset_digest import ruleset_digest
from controller.core.software import Software, changes
from controller.runtime.listing import file_digest, listing
from controller.runtime.self_test import (
    HARDWARE_FILE,
    OTHERS,
    PYTHON,
    RULESET,
    STANDARD_LIBRARY,
    START_UP,
    SYSTEM,
    Part,
    examine,
    parts,
)
from controller.version import DISTRIBUTION, VERSION
from hw_config.loader import shipped_hardware
from tests.core.table import rules

HARDWARE = shipped_hardware("serial-seven")


def module(name: str, **said: object) -> ModuleType:
    made = ModuleType(name)
    vars(made).update(said)
    return made


def loaded(*more: ModuleType) -> dict[str, ModuleType]:
    """Return a small process: the product, one library, and these modules."""
    known = (controller, controller.core, cobs, cobs.cobs, json, msgspec, sys)
    return {one.__name__: one for one in (*known, *more)}


def found(*more: ModuleType) -> dict[str, Part]:
    return {part.name: part for part in parts(loaded(*more))}


def test_the_parts_have_names_that_people_know() -> None:
    names = {
        PYTHON,
        STANDARD_LIBRARY,
        START_UP,
        SYSTEM,
        DISTRIBUTION,
        "cobs",
        "msgspec",
    }
    assert found().keys() == names


def test_every_file_of_the_product_is_looked_at_whether_loaded_or_not() -> None:
    product = found()[DISTRIBUTION]
    folder = Path(next(iter(controller.__path__)))
    wanted = {
        f"controller/{file.relative_to(folder).as_posix()}"
        for file in folder.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert product.files.keys() == wanted
    assert "controller/rulesets/colorado.toml" in wanted
    assert product.version == VERSION


def test_the_simulators_count_only_where_they_are_loaded() -> None:
    assert "simulators/commands.py" not in found()[DISTRIBUTION].files
    assert "simulators/commands.py" in found(simulators)[DISTRIBUTION].files


def test_a_library_has_its_version_and_all_of_its_files() -> None:
    library = found()["msgspec"]
    assert library.version == metadata.version("msgspec")
    assert any(name.endswith(".so") for name in library.files)
    assert "msgspec/json.py" in library.files


def test_what_is_imported_of_python_later_is_in_the_standard_library_too() -> None:
    library = found()[STANDARD_LIBRARY].files
    assert {"os.py", "encodings/idna.py"} <= library.keys()
    assert not any("site-packages" in name for name in library)


def test_the_libraries_that_the_kernel_mapped_are_named_in_full() -> None:
    assert any("libc" in name for name in found()[SYSTEM].files)
    assert all(name.startswith("/") for name in found()[SYSTEM].files)


def test_a_file_of_nobody_is_still_looked_at(tmp_path: Path) -> None:
    file = tmp_path / "planted.py"
    file.write_text("planted = True\n")
    others = found(module("planted", __file__=str(file)))[OTHERS]
    assert others.files == {str(file): file}


def test_a_module_of_a_package_that_lies_elsewhere_is_looked_at(tmp_path: Path) -> None:
    file = tmp_path / "core.py"
    file.write_text("")
    planted = module("controller.planted", __file__=str(file))
    assert str(file) in found(planted)[OTHERS].files


def test_an_editable_install_is_where_its_folder_is_and_its_pth_is_a_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "made.pth").write_text("/somewhere\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert str(tmp_path / "made.pth") in found()[START_UP].files


def test_modules_without_a_file_and_strange_ones_do_no_harm() -> None:
    strange = module("strange", __file__=None, __path__=None)
    assert found(module("none"), strange).keys() == found().keys()


def test_a_module_whose_file_is_gone_is_unreadable_not_left_out(tmp_path: Path) -> None:
    gone = found(module("gone", __file__=str(tmp_path / "gone.py")))[OTHERS]
    assert listing(gone.files).startswith(b"unreadable  ")


def test_a_namespace_package_is_all_of_its_folders(tmp_path: Path) -> None:
    folders = [tmp_path / "one" / "cobs", tmp_path / "two" / "cobs"]
    for folder, name in zip(folders, ("a.py", "b.py"), strict=True):
        folder.mkdir(parents=True)
        (folder / name).write_text("")
    spread = module("cobs", __path__=[str(folder) for folder in folders])
    assert found(spread)["cobs"].files.keys() >= {"cobs/a.py", "cobs/b.py"}


def test_no_loaded_file_is_in_two_parts() -> None:
    own = found(module("cobs_again", __file__=cobs.cobs.__file__))
    assert OTHERS not in own


# --- With a table -------------------------------------------------------------------


def software(hardware: Path = HARDWARE, ruleset: str = "colorado") -> Software:
    return examine(hardware, rules(ruleset), loaded()).software


def test_ruleset_and_hardware_file_are_parts_with_their_plain_digests() -> None:
    by_name = {part.name: part for part in software().components}
    assert by_name[RULESET].digest == ruleset_digest(rules("colorado"))
    assert by_name[RULESET].version == rules("colorado").name
    assert by_name[HARDWARE_FILE].digest == file_digest(HARDWARE)


def test_looked_at_twice_it_is_the_same() -> None:
    assert software() == software()


def test_another_ruleset_differs_in_that_part_alone() -> None:
    changed = changes(software(), software(ruleset="house"))
    assert [change.name for change in changed] == [RULESET]


def test_another_hardware_file_differs_in_that_part_alone(tmp_path: Path) -> None:
    other = tmp_path / "table.toml"
    other.write_bytes(HARDWARE.read_bytes() + b"\n")
    changed = changes(software(), software(hardware=other))
    assert [change.name for change in changed] == [HARDWARE_FILE]


def test_each_listing_is_what_its_digest_is_of() -> None:
    examined = examine(modules=loaded())
    for part in examined.software.components:
        made = hashlib.sha256(examined.listings[part.name]).hexdigest()
        assert made == part.digest
