"""Reading a ruleset: one that is shipped, by its name, or a file of the house."""

import tomllib
from pathlib import Path

from controller.core.errors import RulesetError
from controller.core.rules import Rules, rules_from, with_changes

_SUFFIX = ".toml"

# Beside this file: importlib.resources would also look into archives, which the
# product never is, and takes longer to import than all rulesets to read.
_SHIPPED = Path(__file__).parent


def shipped_names() -> tuple[str, ...]:
    """Return the names of the rulesets we ship, in alphabetical order."""
    return tuple(sorted(file.stem for file in _SHIPPED.glob(f"*{_SUFFIX}")))


def load_ruleset(name: str) -> Rules:
    """Return the ruleset of that name, or of that file where it ends in `.toml`.

    Raises:
        RulesetError: There is no such ruleset, or it cannot be used; the message
            names file and key, and what was expected.

    """
    if name.endswith(_SUFFIX):
        return _parse(_read(Path(name)), name)
    if name not in shipped_names():
        raise RulesetError(
            f"no ruleset {name!r}; expected one of {', '.join(shipped_names())}, "
            "or a file that ends in .toml"
        )
    return _parse(_read(_SHIPPED / (name + _SUFFIX)), name + _SUFFIX)


def ruleset_of(file: Path, name: str) -> Rules:
    """Return the ruleset that a hardware file names.

    Raises:
        RulesetError: As `load_ruleset`; the message also names the hardware file.

    """
    if name not in shipped_names():
        names = ", ".join(shipped_names())
        raise RulesetError(
            f"{file}: ruleset: no ruleset {name!r}; expected one of {names}"
        )
    return load_ruleset(name)


def ruleset_with(name: str, changes: dict[str, str]) -> Rules:
    """Return a ruleset with some keys set from text, as scenarios write them.

    Raises:
        RulesetError: As `load_ruleset` and `with_changes`.

    """
    rules = load_ruleset(name)
    return with_changes(rules, changes) if changes else rules


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RulesetError(f"{path}: expected a ruleset file: {error}") from error


def _parse(text: str, source: str) -> Rules:
    try:
        return rules_from(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise RulesetError(f"{source}: expected TOML: {error}") from error
    except RulesetError as error:
        raise RulesetError(f"{source}: {error}") from error
