"""All checkers together, as a table is watched."""

from controller.core.state import TableState
from simulators.rigs.checkers.by_hand import NothingCountsByHand
from simulators.rigs.checkers.cards import CardsRackedOnce, InventoryIsPublic
from simulators.rigs.checkers.checker import Checker
from simulators.rigs.checkers.dealer import DealerByRule, RevealStands
from simulators.rigs.checkers.money import (
    InsuranceFollowsTheDealer,
    MoneyConserved,
    PayoutsRight,
)
from simulators.rigs.checkers.prompts import (
    GateOpenWhileDue,
    LampsLegal,
    OnePressPerPrompt,
    OneSeatCanAct,
    PromptNumbersRise,
    RefusedPressChangesNothing,
)
from simulators.rigs.checkers.replay import ReplayEqualsPlay
from simulators.rigs.checkers.secrecy import CommitmentsOpen, SecretsHidden
from simulators.rigs.checkers.suspension import SupervisorDecides
from simulators.rigs.checkers.wagers import WagersAsPlaced, WagersSettledOnce


def all_checkers(opened: TableState) -> tuple[Checker, ...]:
    """Return a fresh one of every checker that needs no more than the steps."""
    return (
        MoneyConserved(),
        WagersAsPlaced(),
        WagersSettledOnce(),
        PayoutsRight(),
        InsuranceFollowsTheDealer(),
        CardsRackedOnce(),
        InventoryIsPublic(),
        DealerByRule(),
        RevealStands(),
        OneSeatCanAct(),
        OnePressPerPrompt(),
        LampsLegal(),
        PromptNumbersRise(),
        GateOpenWhileDue(),
        RefusedPressChangesNothing(),
        NothingCountsByHand(),
        SecretsHidden(),
        CommitmentsOpen(),
        SupervisorDecides(),
        ReplayEqualsPlay(opened),
    )
