"""From words to commands: what a line of the staff asks of the core."""

from collections.abc import Callable

import msgspec

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core.cards import Card
from controller.core.errors import RulesetError
from controller.core.ids import (
    NO_HAND,
    Button,
    CashStep,
    DealerButton,
    Direction,
    HandId,
)
from controller.core.rules import Rules
from controller.words import decisions as wd
from controller.words import lines as wl


class Meaning(msgspec.Struct, frozen=True):
    """What words alone do not say: who a person is, what a ruleset holds.

    `rules` takes a ruleset's name (None: the one in force) and the keys to change.

    Raises (from `rules`):
        RulesetError: There is no such ruleset or key, or it contradicts itself.

    """

    person: Callable[[str], cm.Person]
    rules: Callable[[str | None, dict[str, str]], Rules]


def command_of(line: wl.Line, meaning: Meaning) -> cm.Command:
    """Return the command that a line of the staff gives."""
    match line:
        case wl.ShiftOpen():
            return cm.OpenShift(
                dealer=meaning.person(line.dealer),
                direction=Direction(line.pickup.value),
            )
        case wl.ShiftClose():
            return cm.CloseShift()
        case wl.SupervisorDecides():
            witness = meaning.person(line.witness) if line.witness else None
            return cm.TakeDecision(
                person=meaning.person(line.person),
                decision=decision_of(line.decision, meaning),
                reason=line.reason or "",
                witness=witness,
            )
        case (
            wl.CashSpread()
            | wl.CashState()
            | wl.CashChips()
            | wl.CashDrop()
            | (wl.CashBack())
        ):
            return _cash(line)
        case _:
            return _dealer(line)


def _cash(line: wl.CashLine) -> cm.MoveCash:
    match line:
        case wl.CashSpread():
            return cm.MoveCash(seat=line.seat, step=CashStep.SPREAD)
        case wl.CashState():
            return cm.MoveCash(
                seat=line.seat, step=CashStep.STATE, amount_cents=line.amount_cents
            )
        case wl.CashChips():
            return cm.MoveCash(
                seat=line.seat, step=CashStep.CHIPS, amount_cents=line.amount_cents
            )
        case wl.CashDrop():
            return cm.MoveCash(seat=line.seat, step=CashStep.DROP)
        case wl.CashBack():
            return cm.MoveCash(seat=line.seat, step=CashStep.BACK)


def _dealer(line: wl.DealerLine) -> cm.Command:
    match line:
        case wl.DealerDeal():
            return cm.PressDealerButton(button=DealerButton.DEAL)
        case wl.DealerNext():
            return cm.PressDealerButton(button=DealerButton.NEXT)
        case wl.DealerPickup():
            return cm.PressDealerButton(button=DealerButton.PICKUP)
        case wl.DealerCloseInsurance():
            return cm.PressDealerButton(button=DealerButton.CLOSE_INSURANCE)
        case wl.DealerCall():
            return cm.PressDealerButton(button=DealerButton.CALL, words=line.reason)
        case wl.DealerUndoDeal():
            return cm.UndoDeal()
        case wl.DealerSeatOpen():
            return cm.OpenSeat(seat=line.seat)
        case wl.DealerClarify():
            return cm.ClarifyChoice(seat=line.seat, button=Button(line.button.value))


def decision_of(said: wd.Decision, meaning: Meaning) -> dc.Decision:
    """Return the decision that a supervisor's words name."""
    match said:
        case wd.Resume():
            return dc.Resume()
        case wd.VoidHand():
            return dc.VoidHand(HandId(said.hand))
        case wd.VoidRound():
            return dc.VoidRound()
        case wd.MissedFirst():
            return dc.MissedFirst(said.spot)
        case wd.MissedSecond():
            return dc.MissedSecond(said.spot, said.after_dealer)
        case wd.PlayAsDealt():
            return dc.PlayAsDealt(HandId(said.hand))
        case wd.OfferChoice():
            return dc.OfferChoice(HandId(said.hand))
        case wd.LiesAt():
            return dc.LiesAt(HandId(said.hand))
        case wd.ExposeHole():
            return dc.ExposeHole()
        case wd.DiscardCard():
            return dc.DiscardCard(*_at(said.at))
        case wd.UseCard():
            return dc.UseCard()
        case wd.OfferCard():
            return dc.OfferCard()
        case wd.BurnCard():
            return dc.BurnCard()
        case wd.DealerMissedFirst():
            return dc.DealerMissed(second=False)
        case wd.DealerMissedSecond():
            return dc.DealerMissed(
                second=True, hand=HandId(said.hand) if said.hand else NO_HAND
            )
        case wd.Misdeal():
            return dc.Misdeal()
        case wd.KeyCard():
            return dc.KeyCard(Card(said.card))
        case wd.CorrectCard():
            hand, position = _at(said.at)
            return dc.CorrectCard(hand, position, Card(said.card))
        case wd.NoCard():
            return dc.NoCard(*_at(said.at))
        case wd.NewShoe():
            return dc.NewShoe(said.decks)
        case wd.AllowDealerEntry():
            return dc.AllowDealerEntry(said.seat)
        case wd.SetRules():
            return _set_rules(said, meaning)


def _set_rules(said: wd.SetRules, meaning: Meaning) -> dc.SetRules:
    """Make a ruleset of the words; why that fails is the core's to say."""
    try:
        return dc.SetRules(meaning.rules(said.ruleset, dict(said.overrides)))
    except RulesetError as error:
        return dc.SetRules(problem=str(error))


def _at(place: wd.CardPlace | None) -> tuple[HandId, int]:
    return (HandId(place.hand), place.place) if place is not None else (NO_HAND, 0)
