"""The grammar of what follows the word `expect`."""

from collections.abc import Callable, Mapping

from controller.core.ids import InsuranceResult, Kind, Outcome, Phase
from controller.words import fields
from controller.words.amounts import net_cents_of
from controller.words.errors import WordsError
from controller.words.names import (
    card_meant,
    hand_of,
    number_of,
    seen_card_of,
    snake_of,
)
from controller.words.reading import END_OF_LINE, Reader
from simulators.rigs.scenario.expectations import (
    ExpectAccepted,
    Expectation,
    ExpectBlackjack,
    ExpectBust,
    ExpectCards,
    ExpectEvent,
    ExpectGate,
    ExpectInsurance,
    ExpectIrregularity,
    ExpectLamps,
    ExpectNoEvent,
    ExpectNotice,
    ExpectPhase,
    ExpectPrompt,
    ExpectRack,
    ExpectRefused,
    ExpectSettled,
    ExpectTotal,
    ExpectTurn,
    ExpectWager,
)
from simulators.rigs.scenario.vocabulary import Gate, Staff
from simulators.rigs.scenario.wording import said_words

_NOBODY = "none"
_BLACKJACK = "blackjack"
_BUST = "bust"
_TOTAL_MAX = 99
_GROUP_END = "|"
_SEAT = "seat"


def expectation(reader: Reader) -> Expectation:
    """Read what follows the word `expect`.

    Raises:
        WordsError: the line is no expectation; says what was expected, what came.
    """
    read = reader.choose("what is expected", _EXPECTATIONS)(reader)
    reader.end()
    return read


def _turn(reader: Reader) -> ExpectTurn:
    hand = reader.read(
        "a hand such as 3 or 3.2, dealer or none",
        lambda text: _NOBODY if text == _NOBODY else hand_of(text),
    )
    return ExpectTurn(None if hand == _NOBODY else hand)


def _lamps(reader: Reader) -> ExpectLamps:
    seat = fields.seat(reader)
    buttons = set()
    while reader.next is not None:
        buttons.add(fields.button(reader))
    return ExpectLamps(seat, frozenset(buttons))


def _cards(reader: Reader) -> ExpectCards:
    hand = fields.hand(reader)
    return ExpectCards(hand, fields.one_or_more(reader, fields.seen_card))


def _total(reader: Reader) -> ExpectTotal | ExpectBlackjack | ExpectBust:
    hand = fields.hand(reader)
    total = reader.read("a total, blackjack or bust", _total_of)
    if total == _BLACKJACK:
        return ExpectBlackjack(hand)
    if total == _BUST:
        return ExpectBust(hand)
    return ExpectTotal(hand, int(total), _soft(reader))


def _total_of(text: str) -> str | None:
    named = text in {_BLACKJACK, _BUST}
    return text if named or number_of(text, 0, _TOTAL_MAX) is not None else None


def _soft(reader: Reader) -> bool:
    if reader.next is None:
        return False
    return reader.read(f"soft or {END_OF_LINE}", {"soft": True}.get)


def _wager(reader: Reader) -> ExpectWager:
    return ExpectWager(fields.hand(reader), fields.amount(reader))


def _settled(reader: Reader) -> ExpectSettled:
    hand = fields.hand(reader)
    return ExpectSettled(hand, reader.name("an outcome", Outcome), _net(reader))


def _insurance(reader: Reader) -> ExpectInsurance:
    seat = fields.seat(reader)
    outcome = reader.name("what became of the insurance", InsuranceResult)
    return ExpectInsurance(seat, outcome, _net(reader))


def _net(reader: Reader) -> int:
    return reader.read("a win or loss such as +37.50, 0 or -25", net_cents_of)


def _rack(reader: Reader) -> ExpectRack:
    groups = [_group(reader)]
    while reader.next is not None:
        reader.take(_GROUP_END)
        groups.append(_group(reader))
    return ExpectRack(tuple(groups))


def _group(reader: Reader) -> tuple[str, ...]:
    group = [fields.seen_card(reader)]
    while reader.next is not None and reader.next.raw != _GROUP_END:
        group.append(
            reader.read("a card such as Th or ??, or |", seen_card_of, card_meant)
        )
    return tuple(group)


def _refused(reader: Reader) -> ExpectRefused:
    return ExpectRefused(
        reader.read("a reason for refusing such as not_your_turn", snake_of)
    )


def _event(reader: Reader) -> ExpectEvent:
    return ExpectEvent(_event_type(reader), reader.pairs("field=value"))


def _event_type(reader: Reader) -> str:
    return reader.read("the type of an event such as card_dealt", snake_of)


def _notice(reader: Reader) -> ExpectNotice:
    return ExpectNotice(_audience(reader), _wording(reader))


def _audience(reader: Reader) -> Staff | int:
    audiences = {**{staff.value: staff for staff in Staff}, _SEAT: _SEAT}
    to = reader.choose("whom the notice is for", audiences)
    return to if isinstance(to, Staff) else fields.seat(reader)


def _wording(reader: Reader) -> tuple[str, ...]:
    words = tuple(word.spoken for word in reader.take_all())
    if not any(said_words(word) for word in words):
        raise WordsError("words of the text that shows", " ".join(words) or END_OF_LINE)
    return words


_PHASES: Mapping[str, Phase] = {phase.name: phase for phase in Phase}

_EXPECTATIONS: Mapping[str, Callable[[Reader], Expectation]] = {
    "phase": lambda reader: ExpectPhase(reader.choose("a phase", _PHASES)),
    "turn": _turn,
    "lamps": _lamps,
    "cards": _cards,
    "total": _total,
    "wager": _wager,
    "settled": _settled,
    "insurance": _insurance,
    "rack": _rack,
    "refused": _refused,
    "accepted": lambda _reader: ExpectAccepted(),
    "notice": _notice,
    "prompt": lambda reader: ExpectPrompt(_wording(reader)),
    "gate": lambda reader: ExpectGate(reader.name("the gate", Gate)),
    "irregularity": lambda reader: ExpectIrregularity(
        reader.name("an irregularity", Kind)
    ),
    "event": _event,
    "no-event": lambda reader: ExpectNoEvent(_event_type(reader)),
}
