"""Journal and escrow of a table: recovered as it was played, wherever it ended."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core import events as ev
from controller.core.cards import Card
from controller.core.commands import Command
from controller.core.ids import Button, DealerButton, Direction, Kind, Phase
from controller.core.secrets import SealedCard, Secrets
from controller.core.state import new_table
from controller.journal import reader
from controller.journal.chain import GENESIS
from controller.journal.errors import (
    CodecError,
    JournalError,
    JournalFullError,
    JournalLockedError,
    MalformedJournalError,
    NotAJournalError,
    WrongKindError,
)
from controller.journal.escrow import Escrow
from controller.journal.fold import state_at_end
from controller.journal.records import JournalKind, Row
from controller.journal.recovery import holds_records, recover
from controller.journal.sealed_cards import escrow_path
from controller.journal.store import Store
from controller.journal.table_journal import Decided, TableJournal, spot_of
from controller.runtime.planner import Standing
from tests.core.table import DEALER, SUPERVISOR, WITNESS, rules
from tests.journal.journals import row, tamper, write
from tests.journal.played import HOLE, SIMULATION, STAMP, Played, dealer, opening
from tests.runtime.chance import Chance


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


@pytest.fixture
def table(path: Path) -> Iterator[Played]:
    table = Played(path)
    yield table
    table.journal.close()


def by_number(secrets: Secrets) -> list[SealedCard]:
    return sorted(secrets.cards, key=lambda card: card.number)


def in_escrow(path: Path) -> list[int]:
    with Escrow.open(escrow_path(path)) as escrow:
        return [row.number for row in escrow.rows()]


def bytes_beside(path: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(path.parent.glob("*")))


# --- Played and recovered ---------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_what_is_recovered_is_what_was_played(path: Path, seed: int) -> None:
    # Burned cards stay sealed across rounds, until the shoe is shuffled.
    in_force = rules(burn_after_shuffle="1") if seed % 2 else rules()
    table, chance, source = Played(path, in_force), Chance(seed), Random(seed)
    decided: list[Decided] = []
    for _ in range(700):
        planned = table.plan(chance.next_command(table.state))
        decided += planned.decided
        table.standing = planned.after
        if source.random() < 0.7:
            continue
        table.journal.write(decided)
        decided.clear()
        if source.random() < 0.3:
            table.journal.tidy()
        if source.random() < 0.1:
            before = table.standing
            table.start_again()
            assert table.state == before.state
            assert by_number(table.secrets) == by_number(before.secrets)
    table.journal.write(decided)
    table.journal.tidy()
    kept = [card.number for card in by_number(table.secrets)]
    table.journal.close()
    assert table.state.round > 5
    assert in_escrow(path) == kept
    assert state_at_end(path) == table.state


def test_a_new_journal_is_a_closed_table(path: Path) -> None:
    with TableJournal.begin(path, opening(), STAMP) as journal:
        assert journal.next_sequence == 2
        assert journal.head == reader.head(path)
        assert journal.path == path
    recovered = recover(path, SIMULATION)
    recovered.journal.close()
    recovered.journal.close()
    assert recovered.state == new_table("BJ-01", 3, rules())
    assert recovered.secrets == Secrets()
    assert not recovered.is_new


def test_a_start_reads_no_more_than_since_the_last_round(table: Played) -> None:
    table.deal()
    table.do(table.press(Button.STAND))
    table.do(dealer(DealerButton.PICKUP))
    assert table.state.round == 2
    table.do(table.press(Button.BET, 5000))
    kinds = [record.type for record in reader.tail(table.path).records]
    assert kinds[0] == "table_state"
    assert "journal_opened" not in kinds
    before = table.state
    table.start_again()
    assert table.state == before


# --- Columns ----------------------------------------------------------------------


def test_the_records_of_an_input_name_it_as_their_cause(table: Played) -> None:
    table.do(cm.OpenShift(dealer=DEALER, direction=Direction.RIGHT_TO_LEFT))
    sequences = table.do(table.press(Button.BET, 2500), dealer(DealerButton.CALL))
    records = reader.all_records(table.path)
    written = [record for record in records if record.sequence in sequences]
    inputs = [r.sequence for r in written if r.cause is None]
    assert [r.type for r in written if r.cause is None] == [
        "button_pressed",
        "dealer_button_pressed",
    ]
    for record in written:
        earlier = [sequence for sequence in inputs if sequence <= record.sequence]
        assert record.cause in {None, earlier[-1]}


def test_a_record_written_without_an_input_has_no_cause(table: Played) -> None:
    fault = ev.InternalFault(input="{}", error="")
    stopped = ev.TableSuspended(kind=Kind.INTERNAL_FAULT)
    table.journal.write([Decided(STAMP, 1, (fault, stopped))])
    causes = [record.cause for record in reader.all_records(table.path)]
    assert causes == [None, None, None]


def test_a_round_and_its_end_have_its_number(table: Played) -> None:
    table.deal()
    table.do(table.press(Button.STAND))
    table.do(dealer(DealerButton.PICKUP))
    table.do(table.press(Button.BET, 2500))
    records = list(reader.all_records(table.path))
    rounds = [record.round for record in records if record.round is not None]
    assert rounds == sorted(rounds)
    (end,) = [record for record in records if record.type == "table_state"]
    assert end.round == 1
    assert {record.round for record in records[end.sequence :]} == {2}
    assert reader.last_rounds(table.path, 1)[0].number == 1


def test_the_time_is_beside_every_record(table: Played) -> None:
    (opened,) = reader.all_records(table.path)
    found = (opened.recorded_at, opened.boot_id, opened.monotonic_ns)
    assert found == (STAMP.recorded_at, STAMP.boot_id, STAMP.monotonic_ns)
    assert opened.clock_synchronised is STAMP.clock_synchronised


@pytest.mark.parametrize(
    ("record", "spot"),
    [
        (ev.CardDealt(number=1, hand="2", card=Card("9s")), 2),  # type: ignore[arg-type] # a HandId at run time
        (ev.CardDealt(number=1, hand="2.1", card=Card("9s")), 2),  # type: ignore[arg-type] # same
        (ev.CardDealt(number=1, hand="dealer", card=Card("9s")), None),  # type: ignore[arg-type] # same
        (ev.WagerPlaced(seat=2, spot=3, amount_cents=500), 3),
        (cm.PressButton(seat=2, button=Button.HIT, prompt=1), 2),
        (cm.PressButton(seat=2, button=Button.BET, prompt=1, spot=3), 3),
        (ev.InternalFault(input="", error="", seat=None), None),
        (ev.PanelLost(seat=0), None),
        (cm.UndoDeal(), None),
    ],
)
def test_a_record_concerns_the_spot_of_its_hand_or_else_of_its_seat(
    record: Command | ev.Event, spot: int | None
) -> None:
    assert spot_of(record) == spot


# --- The order on disk ------------------------------------------------------------


class Photographs:
    """Copies of all files after every change on disk, as a power cut leaves them."""

    def __init__(self, folder: Path, at: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.taken: list[tuple[str, Path]] = []
        self._folder = folder
        self._at = at
        for owner, name in ((Escrow, "put"), (Store, "append"), (Escrow, "delete")):
            self._watch(owner, name, monkeypatch)

    def _watch(self, owner: type, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        real = getattr(owner, name)

        def watched(*arguments: object) -> object:
            result = real(*arguments)
            self._photograph(name)
            return result

        monkeypatch.setattr(owner, name, watched)

    def _photograph(self, name: str) -> None:
        folder = self._folder / f"{len(self.taken):03}-{name}"
        folder.mkdir(parents=True)
        for file in self._at.parent.glob(self._at.name + "*"):
            if not file.name.endswith(("-shm", "-lock")):
                shutil.copy(file, folder / file.name)
        self.taken.append((name, folder / self._at.name))


def test_a_power_cut_between_any_two_writes_is_harmless(
    table: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    photographs = Photographs(tmp_path / "cuts", table.path, monkeypatch)
    expected: list[Standing] = []

    def step(*batch: Command) -> None:
        before, planned = table.standing, table.plan(*batch)
        table.journal.write(planned.decided)
        table.standing = planned.after
        table.journal.tidy()
        for name, _ in photographs.taken[len(expected) :]:
            # Before the journal has it, it did not happen.
            expected.append(before if name == "put" else planned.after)

    step(cm.OpenShift(dealer=DEALER, direction=Direction.RIGHT_TO_LEFT))
    step(table.press(Button.BET, 2500))
    step(dealer(DealerButton.DEAL))
    for face in ("9s", "7h", "7s", HOLE):
        step(table.card(face))
    step(table.press(Button.HIT))
    # A card in the same batch as one that nobody asked for.
    first = table.card("2c")
    step(first, replace(first, number=first.number + 1, card=Card("3c")))
    step(cm.TakeDecision(person=SUPERVISOR, decision=dc.DiscardCard()))
    step(table.press(Button.STAND))
    step(dealer(DealerButton.PICKUP))
    assert table.state.round == 2
    names = [name for name, _ in photographs.taken]
    assert names.count("put") == names.count("delete") == 2
    monkeypatch.undo()
    for (name, path), standing in zip(photographs.taken, expected, strict=True):
        recovered = recover(path, SIMULATION)
        with recovered.journal:
            assert recovered.state == standing.state, name
            assert recovered.secrets == standing.secrets, name
        assert in_escrow(path) == [card.number for card in standing.secrets.cards]


def test_secrets_are_on_disk_before_what_counts_on_them(
    table: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.deal("9s 7h 7s")
    photographs = Photographs(tmp_path / "cuts", table.path, monkeypatch)
    table.do(table.card(HOLE))
    assert [name for name, _ in photographs.taken] == ["put", "append"]


def test_an_opened_secret_is_gone_from_disk_once_tidied(table: Played) -> None:
    table.deal()
    sealed = table.secrets.cards[0]
    table.do(table.press(Button.STAND))
    assert table.journal.is_untidy
    assert in_escrow(table.path) == [4]
    table.journal.tidy()
    assert in_escrow(table.path) == []
    # The reveal took its salt into the journal.
    assert sealed.salt in bytes_beside(table.path).decode("latin1")


def test_without_opened_secrets_there_is_nothing_to_tidy(table: Played) -> None:
    table.deal()
    assert not table.journal.is_untidy
    table.journal.tidy()
    assert in_escrow(table.path) == [4]


def test_a_hole_card_is_in_no_byte_of_the_journal_before_the_reveal(
    table: Played,
) -> None:
    table.deal()
    sealed = table.secrets.cards[0]
    journal = b"".join(
        table.path.with_name(table.path.name + suffix).read_bytes()
        for suffix in ("", "-wal")
    )
    # In quotes, as a body holds it: two letters alone may be those of some hash.
    assert b'"9s"' in journal
    for secret in (f'"{HOLE}"', sealed.salt):
        assert secret.encode() not in journal


def test_a_commit_that_fails_leaves_the_table_as_it_was(
    table: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.deal("9s 7h 7s")
    before = table.standing

    def full(_store: Store, _rows: object) -> range:
        raise JournalFullError("the disk is full")

    with monkeypatch.context() as disk:
        disk.setattr(Store, "append", full)
        with pytest.raises(JournalFullError):
            table.do(table.card(HOLE))
    assert in_escrow(table.path) == [4]
    table.start_again()
    assert (table.state, table.secrets) == (before.state, before.secrets)
    assert in_escrow(table.path) == []
    # The shoe says the card again, and this time it is written.
    table.do(table.card(HOLE))
    assert in_escrow(table.path) == [4]


def test_the_log_is_copied_when_asked(table: Played) -> None:
    table.deal()
    size = table.path.stat().st_size
    table.journal.checkpoint()
    assert table.path.stat().st_size > size


# --- Without the escrow -----------------------------------------------------------


@pytest.fixture(params=["missing", "damaged"])
def without_escrow(table: Played, request: pytest.FixtureRequest) -> Played:
    """Return a table in mid-round that starts without its escrow, and says so."""
    table.deal()
    table.journal.close()
    escrow = escrow_path(table.path)
    if request.param == "missing":
        escrow.unlink()
    else:
        escrow.write_bytes(b"\xff" * 4096)
    table.start_again()
    assert table.secrets == Secrets()
    table.do(cm.ResumeControl())
    return table


def test_without_its_escrow_the_hole_card_is_unread(without_escrow: Played) -> None:
    table = without_escrow
    assert table.state.play.dealer.hole_unread
    # It matters only where the face is needed: the players go on.
    assert table.state.phase is Phase.PLAYING
    table.do(table.press(Button.STAND))
    (found,) = table.state.irregularities
    assert found.kind is Kind.CARD_UNREAD


def test_a_lost_hole_card_is_keyed_and_the_round_ends(without_escrow: Played) -> None:
    table = without_escrow
    table.do(table.press(Button.STAND))
    table.do(
        cm.TakeDecision(
            person=SUPERVISOR, decision=dc.KeyCard(Card(HOLE)), witness=WITNESS
        )
    )
    assert table.state.phase is Phase.SETTLED
    assert table.state.play.dealer.cards == ("7h", HOLE)
    table.do(dealer(DealerButton.PICKUP))
    assert table.state.round == 2


def test_a_round_with_a_lost_hole_card_can_be_voided(without_escrow: Played) -> None:
    table = without_escrow
    table.do(table.press(Button.STAND))
    table.do(cm.TakeDecision(person=SUPERVISOR, decision=dc.VoidRound()))
    assert table.state.phase is Phase.SETTLED
    table.do(dealer(DealerButton.PICKUP))
    assert table.state.round == 2


def test_an_escrow_that_was_begun_anew_keeps_secrets_again(
    without_escrow: Played,
) -> None:
    table = without_escrow
    table.do(dealer(DealerButton.CALL))
    table.do(cm.TakeDecision(person=SUPERVISOR, decision=dc.VoidRound()))
    table.do(dealer(DealerButton.PICKUP), table.press(Button.BET, 2500))
    table.do(table.press(Button.BET, 2500), dealer(DealerButton.DEAL))
    for face in ("9s", "7h", "7s", HOLE):
        table.do(table.card(face))
    assert in_escrow(table.path) == [card.number for card in table.secrets.cards] == [8]


# --- What cannot be used is one clear line ----------------------------------------


def refusal(path: Path, kind: JournalKind = SIMULATION) -> JournalError:
    with pytest.raises(JournalError) as caught:
        recover(path, kind)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)
    return caught.value


def test_a_journal_of_the_other_kind_is_refused(table: Played) -> None:
    table.journal.close()
    found = refusal(table.path, JournalKind.LIVE)
    assert isinstance(found, WrongKindError)


def test_a_journal_that_another_process_writes_is_refused(table: Played) -> None:
    assert isinstance(refusal(table.path), JournalLockedError)


def test_a_damaged_tail_is_refused_with_the_record(table: Played) -> None:
    table.deal()
    table.journal.close()
    tamper(table.path, "UPDATE journal SET body = '{}' WHERE sequence = 4")
    assert "record 4 does not match its hash" in str(refusal(table.path))


def test_a_record_of_newer_software_is_refused_with_its_type(table: Played) -> None:
    table.journal.close()
    append(table.path, row("jackpot_won"))
    found = refusal(table.path)
    assert isinstance(found, CodecError)
    assert "record 2: found jackpot_won version 1" in str(found)


def test_a_record_that_does_not_fit_the_table_is_refused(table: Played) -> None:
    table.journal.close()
    append(table.path, row("press_accepted", body=_press_of_seat(9)))
    found = refusal(table.path)
    assert isinstance(found, MalformedJournalError)
    assert "record 2 (press_accepted) does not fit the table as it was" in str(found)


def _press_of_seat(seat: int) -> str:
    press = ev.PressAccepted(seat=seat, button=Button.HIT, prompt=1)
    body = msgspec.to_builtins(press)
    del body["type"]
    return msgspec.json.encode(body).decode()


def append(path: Path, *rows: Row) -> None:
    """Write rows as software would that knows more than we do."""
    with Store.open(path, SIMULATION) as store:
        store.append(rows)


def test_a_journal_that_begins_with_anything_else_is_refused(path: Path) -> None:
    write(path)
    found = refusal(path)
    # Its first record is a journal's, but says too little for a table.
    assert isinstance(found, CodecError)


def test_a_round_end_without_its_state_is_refused(table: Played) -> None:
    table.journal.close()
    # A chain that holds, and whose tail begins with neither opening nor state.
    with pytest.raises(MalformedJournalError, match="expected journal_opened"):
        _fold_from_the_middle(table.path)


def _fold_from_the_middle(path: Path) -> None:
    append(path, row("shift_closed", body='{"shift":1}'))
    tamper(path, "DELETE FROM journal WHERE sequence = 1")
    tail = reader.Tail(GENESIS, tuple(reader.all_records(path)))
    original = reader.tail
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reader, "tail", lambda _: tail)
        patched.setattr("controller.journal.fold.tail_fault", lambda _tail: None)
        state_at_end(path)
    assert reader.tail is original


def test_something_else_is_refused(path: Path) -> None:
    path.write_bytes(b"a letter to the casino, longer than a header " * 50)
    assert isinstance(refusal(path), NotAJournalError)


# --- Beginning --------------------------------------------------------------------


def test_a_journal_is_not_begun_twice(table: Played) -> None:
    table.journal.close()
    with pytest.raises(MalformedJournalError, match="expected no journal there yet"):
        TableJournal.begin(table.path, opening(), STAMP)
    # The lock is free again, and what was there is still there.
    assert holds_records(table.path, SIMULATION)


def test_a_journal_that_cannot_begin_leaves_no_lock(path: Path) -> None:
    escrow_path(path).mkdir()
    with pytest.raises(JournalError, match="cannot be created"):
        TableJournal.begin(path, opening(), STAMP)
    escrow_path(path).rmdir()
    assert path.exists()
    assert not holds_records(path, SIMULATION)
    TableJournal.begin(path, opening(), STAMP).close()
    assert holds_records(path, SIMULATION)


def test_a_file_that_a_power_cut_left_empty_holds_no_records(path: Path) -> None:
    assert not holds_records(path, SIMULATION)
    path.touch()
    assert not holds_records(path, SIMULATION)
    found = refusal(path)
    assert "found none" in str(found)
