"""What the shoe reports: cards first of all."""

from typing import Final

from msgspec.structs import replace

from controller.core import events as ev
from controller.core.actions import actor
from controller.core.cards import UNKNOWN
from controller.core.commands import (
    ReportCard,
    ReportGap,
    ReportRemark,
    ReportReturn,
    ReportShoe,
    ReportShoeState,
)
from controller.core.decide.draft import Draft
from controller.core.ids import NO_HAND, ROUND_OPEN, Kind, Phase, ShoeSign
from controller.core.irregularities import (
    shoe_fault,
    unread_at,
)
from controller.core.remarks import STOPPING, remark_words
from controller.core.secrets import SealedCard, hidden, plain
from controller.core.shoe import expected_count
from controller.core.state import TableState, hole_number


def is_repeated(state: TableState, command: ReportCard) -> bool:
    """Return whether this card was taken before and tells nothing new.

    A report that the shoe was not told of yet is none: it is acknowledged once it is
    on disk, and a record that lacked it would lag behind the shoe.
    """
    if _is_new_to_the_cursor(state, command):
        return False
    return _says_nothing_new(state, command)


def _is_new_to_the_cursor(state: TableState, command: ReportCard) -> bool:
    cursor = command.cursor
    return cursor is not None and not (
        cursor.boot_id == state.shoe.boot_id
        and cursor.number <= state.shoe.event_number
    )


def _says_nothing_new(state: TableState, command: ReportCard) -> bool:
    return command.number <= state.shoe.last_card and not _is_reread(state, command)


def recorded(state: TableState, command: ReportCard) -> ReportCard:
    """Return the report as it may be recorded: a face only where it is public now."""
    if _goes_public(state, command):
        return plain(command)
    if _says_nothing_new(state, command):
        # What the card was committed to stands already.
        return replace(hidden(command), commitment="")
    return hidden(command)


def _goes_public(state: TableState, command: ReportCard) -> bool:
    if command.number <= state.shoe.last_card:
        return unread_at(state.play, command.number) is not None
    return _is_due(state, command) and not state.play.places[0].face_down


def _is_due(state: TableState, command: ReportCard) -> bool:
    follows = command.number == state.shoe.last_card + 1
    return follows and not state.suspended and bool(state.play.places)


def _is_reread(state: TableState, command: ReportCard) -> bool:
    if command.unread:
        return False
    if unread_at(state.play, command.number) is not None:
        return True
    hole = hole_number(state.play) == command.number
    return hole and state.play.dealer.hole_unread and not state.play.dealer.revealed


def report_card(draft: Draft, command: ReportCard) -> None:
    """Lay a due card; keep any other face down and stop the table."""
    state = draft.state
    if _says_nothing_new(state, command):
        return
    if command.number <= state.shoe.last_card:
        _read_again(draft, command)
    elif command.number > state.shoe.last_card + 1:
        _gap(draft, command)
    elif _shows_gap(state, command):
        _let_wait(draft, command)
    elif _is_due(state, command):
        _lay(draft, command)
    else:
        _keep_hidden(draft, command)


def _sealed(draft: Draft, command: ReportCard) -> SealedCard:
    return SealedCard(
        command.number, draft.state.round, command.card, command.salt, command.raw
    )


def _seal(draft: Draft, command: ReportCard) -> None:
    if not command.unread:
        draft.seal(_sealed(draft, command))


def _lay(draft: Draft, command: ReportCard) -> None:
    place = draft.state.play.places[0]
    if place.is_burn:
        _seal(draft, command)
        draft.record(
            ev.CardBurned(number=command.number, commitment=command.commitment)
        )
    elif place.face_down:
        _seal(draft, command)
        draft.record(
            ev.HoleCardDealt(
                number=command.number,
                commitment=command.commitment,
                unread=command.unread,
            )
        )
    else:
        card = UNKNOWN if command.unread else command.card
        draft.record(ev.CardDealt(number=command.number, hand=place.hand, card=card))
    if command.unread and not place.is_burn:
        draft.find(Kind.CARD_UNREAD, hand=place.hand, number=command.number)


def _keep_hidden(draft: Draft, command: ReportCard) -> None:
    """A card that was not due is shown to nobody until a decision (rules.md)."""
    _seal(draft, command)
    draft.record(
        ev.CardDrawnInError(
            number=command.number,
            commitment=command.commitment,
            unread=command.unread,
        )
    )
    hand = actor(draft.state) if draft.state.play_phase is Phase.PLAYING else None
    draft.find(
        Kind.CARD_DRAWN_IN_ERROR,
        number=command.number,
        hand=hand.id if hand is not None else NO_HAND,
    )


def _gap(draft: Draft, command: ReportCard) -> None:
    """Numbers are missing: the card that shows it waits (POSITION)."""
    draft.record(
        ev.CardNumbersMissing(
            first=draft.state.shoe.last_card + 1, last=command.number - 1
        )
    )
    _let_wait(draft, command)
    draft.find(Kind.SHOE_POSITION_UNKNOWN, number=command.number)


def _shows_gap(state: TableState, command: ReportCard) -> bool:
    """Return whether this is the card that follows missing ones, told already."""
    return state.suspended and command.number - 1 in state.missing


def _let_wait(draft: Draft, command: ReportCard) -> None:
    """Let the card that showed a gap wait until those before it are known."""
    _seal(draft, command)
    draft.record(
        ev.CardWaiting(
            number=command.number,
            commitment=command.commitment,
            unread=command.unread,
        )
    )


def _read_again(draft: Draft, command: ReportCard) -> None:
    """The shoe read a card again under its number; that ends its own suspension."""
    hand = unread_at(draft.state.play, command.number)
    if hand is None:
        _seal(draft, command)
        draft.record(
            ev.HoleCardKeyed(number=command.number, commitment=command.commitment)
        )
    else:
        draft.record(
            ev.CardIdentified(number=command.number, hand=hand, card=command.card)
        )
    clear_by_itself(draft, Kind.CARD_UNREAD, command.number)


def clear_by_itself(draft: Draft, kind: Kind, number: int = 0, seat: int = 0) -> None:
    """End an irregularity whose cause went away before anybody decided."""
    for found in draft.state.irregularities:
        if found.kind is kind and found.number == number and found.seat == seat:
            draft.record(
                ev.IrregularityCleared(irregularity=found.irregularity, kind=found.kind)
            )
    if draft.state.suspended and not draft.state.irregularities:
        draft.record(ev.TableResumed(phase=draft.state.play_phase))


def is_known_gap(state: TableState, command: ReportGap) -> bool:
    """Return whether a gap hides no card and tells of no event that is new."""
    if command.last > state.shoe.last_card:
        return False
    cursor = command.cursor
    return cursor is None or (
        cursor.boot_id == state.shoe.boot_id
        and cursor.number <= state.shoe.event_number
    )


def report_gap(draft: Draft, command: ReportGap) -> None:
    """Note card numbers that the shoe cannot give again (POSITION)."""
    first = draft.state.shoe.last_card + 1
    if command.last < first:
        return
    draft.record(ev.CardNumbersMissing(first=first, last=command.last))
    if draft.state.play_phase in ROUND_OPEN:
        draft.find(Kind.SHOE_POSITION_UNKNOWN, number=command.last)


_LEVELS: Final = (
    ("lid_open", ShoeSign.LID_OPEN, ShoeSign.LID_CLOSED),
    ("jammed", ShoeSign.JAM, ShoeSign.CLEARED),
    ("empty", ShoeSign.EMPTY, None),
    ("cut_card_out", ShoeSign.CUT_CARD, None),
)


def _signs(state: TableState, command: ReportShoeState) -> tuple[ShoeSign, ...]:
    """Return what the shoe tells of itself that is not known yet.

    Empty and cut card end with a shuffle only, which is an event of its own.
    """
    signs = []
    for field, on, off in _LEVELS:
        is_so, was_so = getattr(command, field), getattr(state.shoe, field)
        sign = on if is_so else off
        if is_so is not was_so and sign is not None:
            signs.append(sign)
    return tuple(signs)


def is_known_state(state: TableState, command: ReportShoeState) -> bool:
    """Return whether the shoe tells of itself only what is known."""
    return command.boot_id == state.shoe.boot_id and not _signs(state, command)


def report_state(draft: Draft, command: ReportShoeState) -> None:
    """Take how the shoe stands; one that numbers anew was out of sight (POSITION)."""
    shoe = draft.state.shoe
    if command.boot_id != shoe.boot_id:
        draft.record(
            ev.ShoeAdopted(
                boot_id=command.boot_id,
                event_number=command.event_number,
                card_offset=shoe.last_card - command.next_card + 1,
            )
        )
        # A cable that rattles makes it count anew again and again: once is enough.
        if draft.state.play_phase in ROUND_OPEN and not shoe.uncounted:
            draft.find(
                Kind.SHOE_POSITION_UNKNOWN,
                number=shoe.last_card,
                words="The shoe counts anew",
            )
    for sign in _signs(draft.state, command):
        draft.record(ev.ShoeChanged(sign=sign))


def report_remark(draft: Draft, command: ReportRemark) -> None:
    """Note what a shoe says of itself; in a round an alarm stops the table (SHOE)."""
    remark, words = command.remark, command.words
    draft.record(ev.ShoeRemarked(remark=remark, words=words))
    state = draft.state
    listed = (found.kind for found in state.irregularities)
    if remark not in STOPPING or state.play_phase not in ROUND_OPEN:
        return
    if Kind.SHOE_FAULT not in listed:
        draft.find(Kind.SHOE_FAULT, words=remark_words(remark, words))


def report_return(draft: Draft, command: ReportReturn) -> None:
    """Match a card that went back into the shoe with the rack (PICKUP-2)."""
    draft.record(ev.CardReturned(card=command.card))


def report_shoe(draft: Draft, command: ReportShoe) -> None:
    """Take what the shoe tells besides cards."""
    if command.sign is ShoeSign.SHUFFLED:
        _shuffled(draft, command.count)
        return
    draft.record(ev.ShoeChanged(sign=command.sign))
    if command.sign is ShoeSign.SHUFFLE_STARTED and (
        draft.state.shoe.shuffling_out_of_turn
    ):
        draft.find(Kind.SHOE_FAULT, words=shoe_fault(draft.state.shoe))


def _shuffled(draft: Draft, count: int) -> None:
    """All racked cards are back: what was burned unseen may be opened (BURN, CUT)."""
    for card in draft.state.sealed:
        open_sealed(draft, card.number)
    differs = count >= 0 and count != expected_count(draft.state)
    draft.record(ev.ShoeShuffled(count=count, differs=differs))


def open_sealed(draft: Draft, number: int) -> None:
    """Open a card that was sealed until the end of its shoe."""
    card = draft.unseal(number)
    draft.record(
        ev.CardOpened(number=number, card=card.card, salt=card.salt, raw=card.raw)
    )
