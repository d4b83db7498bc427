"""The grammar of a supervisor's line: `supervisor ID COMMAND [ARGS] [reason=…]`."""

from collections.abc import Callable, Mapping

from controller.core import decisions as dc
from controller.core.ids import NO_HAND, HandId
from controller.words import fields
from controller.words.errors import WordsError
from controller.words.lines import ChangeRules, SupervisorDecides
from controller.words.names import number_of, person_of, ruleset_of
from controller.words.reading import END_OF_LINE, Reader

_DECKS_MAX = 99
_AFTER_DEALER = "after-dealer"


def supervisor_line(reader: Reader) -> SupervisorDecides:
    """Read what follows the word `supervisor`.

    `reason=` and `witness=` may stand anywhere after it.
    """
    reason = reader.option("reason", '"a reason in words"', _reason_of)
    witness = reader.option("witness", "ID of a second person", person_of)
    person = fields.person(reader, "the id of a supervisor, such as S1")
    decision = reader.choose("a supervisor's command", _DECISIONS)(reader)
    return SupervisorDecides(person, decision, reason, witness)


def _reason_of(text: str) -> str | None:
    return text.strip() or None


def _card_place(reader: Reader) -> tuple[HandId, int]:
    return fields.hand(reader), fields.place_in_hand(reader)


def _card_place_if_any(reader: Reader) -> tuple[HandId, int]:
    return (NO_HAND, 0) if reader.next is None else _card_place(reader)


def _missed_second(reader: Reader) -> dc.MissedSecond:
    spot = fields.spot(reader)
    after_dealer = reader.next is not None
    if after_dealer:
        reader.read(f"{_AFTER_DEALER} or {END_OF_LINE}", {_AFTER_DEALER: True}.get)
    return dc.MissedSecond(spot, after_dealer)


def _dealer_missed(reader: Reader) -> dc.DealerMissed:
    second = reader.choose("which card the dealer missed", _DEALER_MISSED)
    lies_at = second and reader.next is not None
    return dc.DealerMissed(second, fields.hand(reader) if lies_at else NO_HAND)


def _new_shoe(reader: Reader) -> dc.NewShoe:
    return dc.NewShoe(
        reader.read(
            "the number of decks",
            lambda text: number_of(text, 1, _DECKS_MAX),
        )
    )


def _change_rules(reader: Reader) -> ChangeRules:
    expected = "the name of a ruleset or key=value"
    if reader.next is None:
        raise WordsError(expected, END_OF_LINE)
    named = reader.next.key is None
    ruleset = reader.read(expected, ruleset_of) if named else None
    return ChangeRules(ruleset, reader.pairs("key=value"))


_DEALER_MISSED: Mapping[str, bool] = {"first": False, "second": True}

_DECISIONS: Mapping[str, Callable[[Reader], dc.Decision | ChangeRules]] = {
    "resume": lambda _reader: dc.Resume(),
    "void-hand": lambda reader: dc.VoidHand(fields.hand(reader)),
    "void-round": lambda _reader: dc.VoidRound(),
    "missed-first": lambda reader: dc.MissedFirst(fields.spot(reader)),
    "missed-second": _missed_second,
    "play-as-dealt": lambda reader: dc.PlayAsDealt(fields.hand(reader)),
    "offer-choice": lambda reader: dc.OfferChoice(fields.hand(reader)),
    "lies-at": lambda reader: dc.LiesAt(fields.hand(reader)),
    "expose-hole": lambda _reader: dc.ExposeHole(),
    "discard-card": lambda reader: dc.DiscardCard(*_card_place_if_any(reader)),
    "use-card": lambda _reader: dc.UseCard(),
    "offer-card": lambda _reader: dc.OfferCard(),
    "burn-card": lambda _reader: dc.BurnCard(),
    "dealer-missed": _dealer_missed,
    "misdeal": lambda _reader: dc.Misdeal(),
    "key-card": lambda reader: dc.KeyCard(fields.card(reader)),
    "correct-card": lambda reader: dc.CorrectCard(
        *_card_place(reader), fields.card(reader)
    ),
    "no-card": lambda reader: dc.NoCard(*_card_place_if_any(reader)),
    "new-shoe": _new_shoe,
    "allow-dealer-entry": lambda reader: dc.AllowDealerEntry(fields.seat(reader)),
    "set-rules": _change_rules,
}
