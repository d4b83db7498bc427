"""What each decision of a supervisor does (rules.md, Irregularities).

Every function here takes the draft and works the decision out, or raises
NotApplicableError with the reason. Nothing else says whether a decision applies:
the console offers exactly those that can be worked out.
"""

from collections.abc import Callable
from typing import Any, Final

from controller.core import decisions as dc
from controller.core.commands import TakeDecision
from controller.core.decide.draft import Draft
from controller.core.decide.verdicts import (
    deal,
    ending,
    equipment,
    loose,
    misread,
    wrong_hand,
)
from controller.core.decide.verdicts.misread import key_target

Verdict = Callable[[Draft, Any, TakeDecision], None]

VERDICTS: Final[dict[type, Verdict]] = {
    dc.Resume: ending.resume,
    dc.VoidHand: ending.void_hand,
    dc.VoidRound: ending.void_round,
    dc.Misdeal: ending.misdeal,
    dc.MissedFirst: deal.missed_first,
    dc.MissedSecond: deal.missed_second,
    dc.DealerMissed: deal.dealer_missed,
    dc.PlayAsDealt: wrong_hand.play_as_dealt,
    dc.OfferChoice: wrong_hand.offer_choice,
    dc.LiesAt: wrong_hand.lay_at_other,
    dc.ExposeHole: loose.expose_hole,
    dc.DiscardCard: loose.discard_card,
    dc.NoCard: loose.no_card,
    dc.UseCard: loose.use_card,
    dc.OfferCard: loose.offer_card,
    dc.BurnCard: loose.burn_card,
    dc.KeyCard: misread.key_card,
    dc.CorrectCard: misread.correct_card,
    dc.NewShoe: equipment.new_shoe,
    dc.AllowDealerEntry: equipment.allow_dealer_entry,
    dc.SetRules: equipment.set_rules,
}

__all__ = ["VERDICTS", "Verdict", "key_target"]
