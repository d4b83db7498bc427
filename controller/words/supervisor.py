"""The grammar of a supervisor's line: `supervisor ID COMMAND [ARGS] [reason=…]`."""

from collections.abc import Callable, Mapping

from controller.words import fields
from controller.words.decisions import (
    AllowDealerEntry,
    BurnCard,
    CardPlace,
    CorrectCard,
    DealerMissedFirst,
    DealerMissedSecond,
    Decision,
    DiscardCard,
    ExposeHole,
    KeyCard,
    LiesAt,
    Misdeal,
    MissedFirst,
    MissedSecond,
    NewShoe,
    NoCard,
    OfferCard,
    OfferChoice,
    PlayAsDealt,
    Resume,
    SetRules,
    UseCard,
    VoidHand,
    VoidRound,
)
from controller.words.errors import WordsError
from controller.words.lines import SupervisorDecides
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


def _card_place(reader: Reader) -> CardPlace:
    return CardPlace(fields.hand(reader), fields.place_in_hand(reader))


def _card_place_if_any(reader: Reader) -> CardPlace | None:
    return None if reader.next is None else _card_place(reader)


def _missed_second(reader: Reader) -> MissedSecond:
    spot = fields.spot(reader)
    after_dealer = reader.next is not None
    if after_dealer:
        reader.read(f"{_AFTER_DEALER} or {END_OF_LINE}", {_AFTER_DEALER: True}.get)
    return MissedSecond(spot, after_dealer)


def _dealer_missed(reader: Reader) -> DealerMissedFirst | DealerMissedSecond:
    return reader.choose("which card the dealer missed", _DEALER_MISSED)(reader)


def _dealer_missed_second(reader: Reader) -> DealerMissedSecond:
    return DealerMissedSecond(None if reader.next is None else fields.hand(reader))


def _new_shoe(reader: Reader) -> NewShoe:
    return NewShoe(
        reader.read(
            "the number of decks",
            lambda text: number_of(text, 1, _DECKS_MAX),
        )
    )


def _set_rules(reader: Reader) -> SetRules:
    expected = "the name of a ruleset or key=value"
    if reader.next is None:
        raise WordsError(expected, END_OF_LINE)
    named = reader.next.key is None
    ruleset = reader.read(expected, ruleset_of) if named else None
    return SetRules(ruleset, reader.pairs("key=value"))


_DEALER_MISSED: Mapping[
    str, Callable[[Reader], DealerMissedFirst | DealerMissedSecond]
] = {
    "first": lambda _reader: DealerMissedFirst(),
    "second": _dealer_missed_second,
}

_DECISIONS: Mapping[str, Callable[[Reader], Decision]] = {
    "resume": lambda _reader: Resume(),
    "void-hand": lambda reader: VoidHand(fields.hand(reader)),
    "void-round": lambda _reader: VoidRound(),
    "missed-first": lambda reader: MissedFirst(fields.spot(reader)),
    "missed-second": _missed_second,
    "play-as-dealt": lambda reader: PlayAsDealt(fields.hand(reader)),
    "offer-choice": lambda reader: OfferChoice(fields.hand(reader)),
    "lies-at": lambda reader: LiesAt(fields.hand(reader)),
    "expose-hole": lambda _reader: ExposeHole(),
    "discard-card": lambda reader: DiscardCard(_card_place_if_any(reader)),
    "use-card": lambda _reader: UseCard(),
    "offer-card": lambda _reader: OfferCard(),
    "burn-card": lambda _reader: BurnCard(),
    "dealer-missed": _dealer_missed,
    "misdeal": lambda _reader: Misdeal(),
    "key-card": lambda reader: KeyCard(fields.card(reader)),
    "correct-card": lambda reader: CorrectCard(
        _card_place(reader), fields.card(reader)
    ),
    "no-card": lambda reader: NoCard(_card_place_if_any(reader)),
    "new-shoe": _new_shoe,
    "allow-dealer-entry": lambda reader: AllowDealerEntry(fields.seat(reader)),
    "set-rules": _set_rules,
}
