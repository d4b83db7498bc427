"""What each panel showed, from when to when, and what ended it.

A lamp is lit with the record that changed its prompt, unless the panel was lost or
lamps were tried by hand: then it shows nothing of its prompt until that is over.
"""

import enum
from collections.abc import Mapping, Sequence

import msgspec

from controller.core import events as ev
from controller.core.evolve import Record as Fact
from controller.core.ids import NO_HAND, HandId
from controller.core.state import Prompt, TableState
from controller.evidence.times import wait_between
from controller.journal.records import Record as Row


class Ended(enum.StrEnum):
    """What ended a prompt."""

    ANSWERED = "answered"
    MOVED_ON = "moved_on"
    BETS_CLOSED = "bets_closed"
    INSURANCE_CLOSED = "insurance_closed"
    STOPPED = "stopped"
    PANEL_LOST = "panel_lost"
    TEST_MODE = "test_mode"
    CHANGED = "changed"


class Lit(msgspec.Struct, frozen=True):
    """What a panel shows, and the record since which it does.

    Without a record it was so before all that is looked at. `dark` says that the
    panel is lost or tried by hand, and shows nothing of its prompt. `started_at` is
    when the controller was last started since; for that time the lamps were off.
    """

    prompt: Prompt
    since: Row | None = None
    dark: bool = False
    started_at: str | None = None


class PromptAccount(msgspec.Struct, frozen=True):
    """A time for which a panel was lit: from the record `lit` to the record `until`.

    `waited_ms` is how long it took until the press `answer`, which stands in the
    record `press`; `by_clock` says that only the wall clock tells. Seat 0 is the
    dealer's panel, which has no waits.
    """

    seat: int
    number: int
    buttons: tuple[str, ...]
    hand: HandId
    lit: int | None
    lit_at: str | None
    until: int | None = None
    until_at: str | None = None
    ended: Ended | None = None
    answer: str | None = None
    press: int | None = None
    waited_ms: int | None = None
    by_clock: bool = False


class Panels:
    """Follows a table's panels through its records."""

    def __init__(self) -> None:
        self._lit: dict[int, Lit] = {}
        self._done: list[PromptAccount] = []
        self._step = _Step(0)
        self._lost: set[int] = set()
        self._tried = False

    @property
    def lit(self) -> Mapping[int, Lit]:
        """What each panel shows now, by seat."""
        return self._lit

    @property
    def done(self) -> Sequence[PromptAccount]:
        """The times of lamps that are over, in the order in which they ended."""
        return self._done

    def begin(self, row: Row, state: TableState) -> None:
        """Take what the panels show where the records begin."""
        panels = (state.dealer_panel, *state.seats)
        self._lost = {seat for seat, panel in enumerate(panels) if panel.panel_lost}
        self._tried = state.test_mode is not None
        for prompt in state.prompts:
            self._lit[prompt.seat] = Lit(prompt, row, dark=self._is_dark(prompt.seat))

    def take(self, row: Row, fact: Fact) -> None:
        """Take one record, in order."""
        of_step = row.cause or row.sequence
        if of_step != self._step.input:
            self._step = _Step(of_step)
        self._step.take(row, fact)
        match fact:
            case ev.PromptsChanged():
                for prompt in fact.prompts:
                    self._change(row, prompt)
            case ev.PanelLost():
                self._lose(row, fact.seat)
            case ev.PanelBack():
                self._lost.discard(fact.seat)
                shown = self._shown(fact.seat)
                dark = self._is_dark(fact.seat)
                self._lit[fact.seat] = Lit(shown.prompt, row, dark=dark)
            case ev.TestModeBegun() | ev.TestModeEnded():
                self._try(row, begun=isinstance(fact, ev.TestModeBegun))
            case ev.ControlResumed():
                self._started(row)
            case _:
                pass

    def forget_done(self) -> tuple[PromptAccount, ...]:
        """Return the times that are over and keep them no longer."""
        done = tuple(self._done)
        self._done.clear()
        return done

    def prompts(self) -> tuple[PromptAccount, ...]:
        """Return every time that a panel was lit, those that still are at the end."""
        still = (_account(lit) for lit in self._lit.values() if _is_lit(lit))
        return (*self._done, *still)

    def _shown(self, seat: int) -> Lit:
        return self._lit.get(seat, Lit(Prompt(seat)))

    def _change(self, row: Row, prompt: Prompt) -> None:
        shown = self._shown(prompt.seat)
        if _is_lit(shown):
            self._done.append(self._step.ended(shown, row))
        self._lit[prompt.seat] = Lit(prompt, row, dark=shown.dark)

    def _lose(self, row: Row, seat: int) -> None:
        self._lost.add(seat)
        self._darken(row, seat, Ended.PANEL_LOST)

    def _darken(self, row: Row, seat: int, ended: Ended) -> None:
        shown = self._shown(seat)
        if _is_lit(shown):
            self._done.append(_until(_account(shown), row, ended))
        self._lit[seat] = Lit(shown.prompt, row, dark=True)

    def _try(self, row: Row, *, begun: bool) -> None:
        self._tried = begun
        for seat, shown in tuple(self._lit.items()):
            if begun:
                self._darken(row, seat, Ended.TEST_MODE)
            else:
                self._lit[seat] = Lit(shown.prompt, row, dark=self._is_dark(seat))

    def _is_dark(self, seat: int) -> bool:
        return self._tried or seat in self._lost

    def _started(self, row: Row) -> None:
        for seat, shown in self._lit.items():
            if _is_lit(shown):
                at = row.recorded_at
                self._lit[seat] = msgspec.structs.replace(shown, started_at=at)


class _Step:
    """What one input led to, as far as it can end a prompt."""

    def __init__(self, input_: int) -> None:
        self.input = input_
        self._answers: dict[int, tuple[Row, ev.PressAccepted]] = {}
        self._ended: Ended | None = None

    def take(self, row: Row, fact: Fact) -> None:
        match fact:
            case ev.PressAccepted():
                self._answers[fact.seat] = (row, fact)
            case (
                ev.PlayerPassedOver()
                | ev.ChoiceMade(passed_over=True)
                | ev.OfferRefused(passed_over=True)
            ):
                self._ended = Ended.MOVED_ON
            case ev.BetsClosed():
                self._ended = Ended.BETS_CLOSED
            case ev.InsuranceClosed():
                self._ended = Ended.INSURANCE_CLOSED
            case ev.TableSuspended():
                self._ended = Ended.STOPPED
            case _:
                pass

    def ended(self, shown: Lit, row: Row) -> PromptAccount:
        """Return the time of a prompt that this step ended."""
        account = _account(shown)
        answer = self._answers.get(shown.prompt.seat)
        if answer is None or answer[1].prompt != shown.prompt.number:
            ended = Ended.CHANGED if shown.prompt.seat == 0 else self._ended
            return _until(account, row, ended or Ended.CHANGED)
        press, fact = answer
        wait = wait_between(shown.since, press) if shown.since is not None else None
        return msgspec.structs.replace(
            _until(account, row, Ended.ANSWERED),
            answer=fact.button.value,
            press=press.sequence,
            waited_ms=wait.ms if wait else None,
            by_clock=wait.by_clock if wait else False,
        )


def _is_lit(lit: Lit) -> bool:
    return bool(lit.prompt.buttons) and not lit.dark


def _account(lit: Lit) -> PromptAccount:
    since = lit.since
    return PromptAccount(
        seat=lit.prompt.seat,
        number=lit.prompt.number,
        buttons=lit.prompt.buttons,
        hand=lit.prompt.hand or NO_HAND,
        lit=since.sequence if since else None,
        lit_at=since.recorded_at if since else None,
    )


def _until(account: PromptAccount, row: Row, ended: Ended) -> PromptAccount:
    return msgspec.structs.replace(
        account, until=row.sequence, until_at=row.recorded_at, ended=ended
    )
