"""How a command says no: one clear line, and the status that goes with it."""

import contextlib
import enum
from collections.abc import Iterator

import click


class Status(enum.IntEnum):
    """What a command's exit status means, the same for every command."""

    DONE = 0
    NO = 1
    MISUSE = 2
    JOURNAL_UNUSABLE = 3
    OWN_FAULT = 4


class AnswerIsNoError(click.ClickException):
    """What was asked has the answer no: a bad journal, a missing round."""

    exit_code = Status.NO


class MisuseError(click.ClickException):
    """The command cannot do its work with what it was given."""

    exit_code = Status.MISUSE


class JournalUnusableError(click.ClickException):
    """The journal cannot be written, so nothing may happen at the table."""

    exit_code = Status.JOURNAL_UNUSABLE


class OwnFaultError(click.ClickException):
    """The program is at fault; started again, it goes on from what is on disk."""

    exit_code = Status.OWN_FAULT


@contextlib.contextmanager
def reading_a_journal(
    foreign: type[click.ClickException] = MisuseError,
) -> Iterator[None]:
    """Turn what a journal's reader raises in the block into one line.

    A missing file is a wrong argument; a damaged journal, or one that lacks the
    round asked for, is an answer. `foreign` is raised for a file that is something
    else: a wrong argument, unless the question is whether it is a journal.
    """
    from controller.journal.errors import (  # noqa: PLC0415 - only who reads a journal pays for it
        JournalError,
        JournalMissingError,
        NotAJournalError,
    )

    try:
        yield
    except JournalMissingError as error:
        raise MisuseError(str(error)) from error
    except NotAJournalError as error:
        raise foreign(str(error)) from error
    except JournalError as error:
        raise AnswerIsNoError(str(error)) from error


@contextlib.contextmanager
def writing_a_journal() -> Iterator[None]:
    """Turn what keeps a stopped table's journal from being written into one line.

    That the table runs is an answer: it is to be stopped first.
    """
    from controller.journal.errors import (  # noqa: PLC0415 - only who writes a journal pays for it
        JournalError,
        JournalLockedError,
        JournalMissingError,
        SigningError,
    )

    try:
        yield
    except JournalLockedError as error:
        raise AnswerIsNoError(str(error)) from error
    except (JournalMissingError, SigningError) as error:
        raise MisuseError(str(error)) from error
    except (JournalError, OSError) as error:
        raise JournalUnusableError(str(error)) from error
