"""What this process is made of: every file of the product and what it has loaded.

Packages are looked at whole, so that what is imported later is covered too. The digests
say whether anything differs from what was accepted. They cannot say that this very
program tells the truth; docs/self-test.md shows how to check it from outside.
"""

import os
import platform
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from importlib import metadata
from importlib.machinery import all_suffixes
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import msgspec

from controller.core.rules import Rules
from controller.core.ruleset_digest import ruleset_digest
from controller.core.software import Component, Software
from controller.runtime import listing
from controller.runtime.listing import NO_SOURCES, Files
from controller.version import DISTRIBUTION, VERSION

PRODUCT: Final = ("controller", "drivers", "hw_config", "simulators")

PYTHON: Final = "python"
STANDARD_LIBRARY: Final = "standard library"
START_UP: Final = "start-up files"
SYSTEM: Final = "system libraries"
OTHERS: Final = "other files"
RULESET: Final = "ruleset"
HARDWARE_FILE: Final = "hardware file"

_NOT_OF_PYTHON: Final = NO_SOURCES | {"site-packages", "dist-packages", "test", "tests"}
_MAPPED: Final = re.compile(r"\S+ ..x. \S+ \S+ \S+ +(/.*)")
"""A line of /proc/self/maps: a file from which code runs."""


class Part(msgspec.Struct, frozen=True):
    """One component before its digest is taken: its files by name."""

    name: str
    version: str
    files: Files


class Examined(msgspec.Struct, frozen=True):
    """The digests of all parts, and the lines that each of them is a digest of."""

    software: Software
    listings: Mapping[str, bytes]


def examine(
    hardware_file: Path | None = None,
    rules: Rules | None = None,
    modules: Mapping[str, ModuleType] = sys.modules,
) -> Examined:
    """Return what runs here, with a table's hardware file and ruleset if given.

    Takes some tenths of a second, and what the disk needs for some 50 MB.
    """
    listings = {}
    components = []
    for part in parts(modules):
        listings[part.name] = listing.listing(part.files)
        found = listing.digest_of_lines(listings[part.name])
        components.append(Component(part.name, part.version, found))
    if rules is not None:
        components.append(Component(RULESET, rules.name, ruleset_digest(rules)))
    if hardware_file is not None:
        found = listing.file_digest(hardware_file)
        components.append(Component(HARDWARE_FILE, "", found))
    return Examined(together(components), listings)


def together(components: Iterable[Component]) -> Software:
    """Return components by name, and the digest over them."""
    ordered = tuple(sorted(components, key=lambda component: component.name))
    lines = listing.digest_lines((each.name, each.digest) for each in ordered)
    return Software(ordered, listing.digest_of_lines(lines))


def parts(modules: Mapping[str, ModuleType] = sys.modules) -> tuple[Part, ...]:
    """Return what is loaded, in parts that people know by name, each file in one."""
    modules = dict(modules)  # What is asked of them may import more.
    known = (
        Part(PYTHON, platform.python_version(), _executable()),
        Part(STANDARD_LIBRARY, platform.python_version(), dict(_standard_library())),
        Part(START_UP, "", dict(_start_up_files())),
        *_packages(modules),
    )
    held = {os.path.realpath(file) for part in known for file in part.files.values()}
    others = _absolute(_loaded(modules), held)
    held |= {os.path.realpath(file) for file in others.values()}
    system = _absolute(_mapped(), held)
    rest = (Part(OTHERS, "", others), Part(SYSTEM, "", system))
    return (*known, *(part for part in rest if part.files))


# --- Python itself ----------------------------------------------------------------


def _executable() -> Files:
    return {"python": Path("/proc/self/exe")}


def _standard_library() -> Iterator[tuple[str, Path]]:
    """Yield all that can be imported, but for what Python is tested with."""
    suffixes = tuple(all_suffixes())
    root = Path(sysconfig.get_path("stdlib"))
    yield from listing.files_below(
        root, "", _NOT_OF_PYTHON, lambda name: name.endswith(suffixes)
    )


def _start_up_files() -> Iterator[tuple[str, Path]]:
    """Yield what Python reads before any program: whence to import, what to run."""
    for folder in map(Path, dict.fromkeys(sys.path)):
        for file in sorted(folder.glob("*.pth")) if folder.is_dir() else ():
            yield str(file.absolute()), file
    configuration = Path(sys.prefix, "pyvenv.cfg")
    if configuration.exists():
        yield str(configuration), configuration


# --- Packages ---------------------------------------------------------------------


def _packages(modules: Mapping[str, ModuleType]) -> Iterator[Part]:
    """Yield the product and each distribution of which a module is loaded."""
    found: dict[str, dict[str, Path]] = {}
    distributions = metadata.packages_distributions()
    for top in sorted({name.partition(".")[0] for name in modules}):
        name = _distribution(top, distributions)
        if name and top in modules:
            found.setdefault(name, {}).update(_files_of(modules[top]))
    for name, files in found.items():
        yield Part(name, VERSION if name == DISTRIBUTION else _version(name), files)


def _distribution(top: str, distributions: Mapping[str, list[str]]) -> str:
    """Return whose a top-level package is, empty where no distribution names it.

    A package that several share, as namespaces are, has all of their names.
    """
    if top in PRODUCT:
        return DISTRIBUTION
    return ", ".join(sorted(set(distributions.get(top, ()))))


def _version(name: str) -> str:
    return ", ".join(metadata.version(one) for one in name.split(", "))


def _files_of(module: ModuleType) -> Iterator[tuple[str, Path]]:
    """Yield a top-level module's files: all of its folders, or the one file it is."""
    folders = [Path(folder) for folder in _said(module, "__path__") or ()]
    for folder in folders:
        yield from listing.files_below(folder, f"{folder.name}/")
    file = _said(module, "__file__")
    if file and not folders:
        yield Path(file).name, Path(file)


# --- What belongs to none of them -------------------------------------------------


def _loaded(modules: Mapping[str, ModuleType]) -> Iterator[str]:
    for module in modules.values():
        file = _said(module, "__file__")
        if isinstance(file, str):
            yield file


def _mapped() -> Iterator[str]:
    """Yield the files from which code of this process runs, as the kernel says."""
    with Path("/proc/self/maps").open(errors="surrogateescape") as lines:
        for line in lines:
            found = _MAPPED.match(line)
            # A file that is gone is missed in the list, which differs as well.
            if found and not found[1].endswith(" (deleted)"):
                yield found[1].replace("\\012", "\n")


def _said(module: object, name: str) -> Any:  # noqa: ANN401 - whatever stands there
    """Return what a module says of itself, without letting it import more."""
    return getattr(module, "__dict__", {}).get(name)


def _absolute(files: Iterable[str], held: set[str]) -> Files:
    """Return those files that no part holds yet, under their full names."""
    full = {os.path.abspath(file) for file in files}  # noqa: PTH100 - text, not links
    return {file: Path(file) for file in full if os.path.realpath(file) not in held}
