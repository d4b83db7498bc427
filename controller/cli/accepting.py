"""What `tablectl accept` does, once its process runs from sources."""

import os
from collections.abc import Iterator
from pathlib import Path

# What runs a table is what the service imports; so it is imported here as well.
import controller.cli.service  # noqa: F401 - said above
from controller.cli.asked_pin import asked_pin
from controller.cli.failures import AnswerIsNoError, MisuseError, writing_a_journal
from controller.core.errors import RulesetError
from controller.core.software import change_text
from controller.journal.records import JournalKind
from controller.journal.recovery import recover
from controller.rulesets.loader import ruleset_of
from controller.runtime.acceptance import Acceptance, Accepting
from controller.runtime.clock import SystemClock
from controller.runtime.errors import NotTakenError, RunError
from controller.runtime.people import people_at
from controller.runtime.self_test import examine
from controller.runtime.signing_key import signing_of
from controller.runtime.stopped import StoppedTable
from hw_config.errors import HardwareFileError
from hw_config.loader import load_hardware
from hw_config.schema import Kind


def accept(
    hardware_file: Path, journal: Path | None, words: tuple[str, str, str]
) -> Iterator[str]:
    """Yield what differs, then ask for the PINs, and yield what was written down.

    `words` are the ids of supervisor and technician, and their reason.

    Raises:
        click.ClickException: It was not accepted.

    """
    accepting = Accepting(words[0], words[1], words[2].strip())
    if not accepting.reason:
        raise MisuseError("--reason: expected words, got none")
    try:
        hardware = load_hardware(hardware_file)
        rules = ruleset_of(hardware_file, hardware.ruleset)
        people = people_at(hardware)
        signing = signing_of(hardware)
    except (HardwareFileError, RulesetError, RunError) as error:
        raise MisuseError(str(error)) from error
    if hardware.kind is not Kind.LIVE:
        raise AnswerIsNoError(
            f"{hardware_file}: a simulated table takes any program; start it"
        )
    path = journal or Path(hardware.journal.path)
    if not path.exists():
        raise MisuseError(f"{path}: expected a journal; the first start begins one")
    software = examine(hardware_file, rules).software
    clock = SystemClock()
    with writing_a_journal():
        recovered = recover(path, JournalKind(hardware.kind.value))
        with recovered.journal as opened:
            if signing is not None:
                opened.sign_with(signing, clock.stamp())
            acceptance = Acceptance(
                StoppedTable(recovered, clock.stamp), software, people, os.getuid()
            )
            yield from _accepted(path, acceptance, accepting)
            opened.sign_head(clock.stamp())


def _accepted(
    path: Path, acceptance: Acceptance, accepting: Accepting
) -> Iterator[str]:
    changed = acceptance.changes
    if not changed:
        raise AnswerIsNoError(f"{path}: nothing differs from what was accepted")
    for change in changed:
        yield change_text(change)
    try:
        acceptance.accept(accepting, asked_pin)
    except NotTakenError as error:
        raise AnswerIsNoError(str(error)) from error
    people = f"supervisor {accepting.supervisor} and technician {accepting.technician}"
    yield f"accepted by {people}"
