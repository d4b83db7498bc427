"""What happened at the table. `evolve` folds these; nothing here can be refused.

Three kinds, which `controller.core.evolve.history` tells apart:

* *acts* are what people and the shoe did to the round: a card laid, a choice;
* *consequences* follow from acts by themselves: a bust, its pickup, a
  settlement. Taking an act back takes its consequences back with it;
* everything else (refusals, prompts, irregularities, links) is never taken back.

This is the catalogue: each event by its name, whichever module it stands in. A new
one joins the union at the end of its module, and the names here.
"""

from controller.core.events.cards import CardBurned as CardBurned
from controller.core.events.cards import CardCorrected as CardCorrected
from controller.core.events.cards import CardDealt as CardDealt
from controller.core.events.cards import CardDiscarded as CardDiscarded
from controller.core.events.cards import CardDrawnInError as CardDrawnInError
from controller.core.events.cards import CardEvent
from controller.core.events.cards import CardHeld as CardHeld
from controller.core.events.cards import CardIdentified as CardIdentified
from controller.core.events.cards import CardOpened as CardOpened
from controller.core.events.cards import CardWithdrawn as CardWithdrawn
from controller.core.events.cards import DealerPeeked as DealerPeeked
from controller.core.events.cards import HoleCardDealt as HoleCardDealt
from controller.core.events.cards import HoleCardKeyed as HoleCardKeyed
from controller.core.events.cards import HoleCardRevealed as HoleCardRevealed
from controller.core.events.cards import PlayTakenBack as PlayTakenBack
from controller.core.events.cash import CashDropped as CashDropped
from controller.core.events.cash import CashEvent
from controller.core.events.cash import CashMoved as CashMoved
from controller.core.events.cash import CashReturned as CashReturned
from controller.core.events.computer import ComputerEvent
from controller.core.events.computer import ComputerFaultEnded as ComputerFaultEnded
from controller.core.events.computer import ComputerFaultFound as ComputerFaultFound
from controller.core.events.computer import UsbDeviceInserted as UsbDeviceInserted
from controller.core.events.computer import UsbDeviceRemoved as UsbDeviceRemoved
from controller.core.events.computer import UsbDevicesFound as UsbDevicesFound
from controller.core.events.ending import DealerDraws as DealerDraws
from controller.core.events.ending import DealerTurnBegan as DealerTurnBegan
from controller.core.events.ending import EndingEvent
from controller.core.events.ending import HandPickedUp as HandPickedUp
from controller.core.events.ending import HandSettled as HandSettled
from controller.core.events.ending import HandVoided as HandVoided
from controller.core.events.ending import RoundClosed as RoundClosed
from controller.core.events.ending import RoundSettled as RoundSettled
from controller.core.events.insurance import InsuranceClosed as InsuranceClosed
from controller.core.events.insurance import InsuranceDeclined as InsuranceDeclined
from controller.core.events.insurance import InsuranceEvent
from controller.core.events.insurance import InsuranceOpened as InsuranceOpened
from controller.core.events.insurance import InsuranceSettled as InsuranceSettled
from controller.core.events.insurance import InsuranceTaken as InsuranceTaken
from controller.core.events.irregularities import DecisionTaken as DecisionTaken
from controller.core.events.irregularities import (
    IrregularityCleared as IrregularityCleared,
)
from controller.core.events.irregularities import IrregularityEvent
from controller.core.events.irregularities import IrregularityFound as IrregularityFound
from controller.core.events.irregularities import TableResumed as TableResumed
from controller.core.events.irregularities import TableSuspended as TableSuspended
from controller.core.events.panels import ButtonReleased as ButtonReleased
from controller.core.events.panels import ButtonStuck as ButtonStuck
from controller.core.events.panels import DealerEntryAllowed as DealerEntryAllowed
from controller.core.events.panels import PanelBack as PanelBack
from controller.core.events.panels import PanelEvent
from controller.core.events.panels import PanelLost as PanelLost
from controller.core.events.panels import PressesDropped as PressesDropped
from controller.core.events.people import LoginDelayLifted as LoginDelayLifted
from controller.core.events.people import LoginRefused as LoginRefused
from controller.core.events.people import PersonEvent
from controller.core.events.people import PersonLoggedIn as PersonLoggedIn
from controller.core.events.people import PersonLoggedOut as PersonLoggedOut
from controller.core.events.play import CardAsked as CardAsked
from controller.core.events.play import CardOffered as CardOffered
from controller.core.events.play import ChoiceMade as ChoiceMade
from controller.core.events.play import ChoiceOffered as ChoiceOffered
from controller.core.events.play import CompletedAsDealt as CompletedAsDealt
from controller.core.events.play import HandBusted as HandBusted
from controller.core.events.play import HandDoubled as HandDoubled
from controller.core.events.play import HandSplit as HandSplit
from controller.core.events.play import HandStood as HandStood
from controller.core.events.play import HandSurrendered as HandSurrendered
from controller.core.events.play import MoveOnAllowed as MoveOnAllowed
from controller.core.events.play import OfferAccepted as OfferAccepted
from controller.core.events.play import OfferRefused as OfferRefused
from controller.core.events.play import PlayerAsked as PlayerAsked
from controller.core.events.play import PlayerPassedOver as PlayerPassedOver
from controller.core.events.play import PlayEvent
from controller.core.events.play import PlayOpened as PlayOpened
from controller.core.events.play import PressAccepted as PressAccepted
from controller.core.events.play import PressRefused as PressRefused
from controller.core.events.play import TurnPassed as TurnPassed
from controller.core.events.prompts import PromptEvent
from controller.core.events.prompts import PromptsChanged as PromptsChanged
from controller.core.events.shoe import CardNumbersMissing as CardNumbersMissing
from controller.core.events.shoe import CardReturned as CardReturned
from controller.core.events.shoe import CardWaiting as CardWaiting
from controller.core.events.shoe import MissingCardKnown as MissingCardKnown
from controller.core.events.shoe import ShoeAdopted as ShoeAdopted
from controller.core.events.shoe import ShoeChanged as ShoeChanged
from controller.core.events.shoe import ShoeEvent
from controller.core.events.shoe import ShoeRemarked as ShoeRemarked
from controller.core.events.shoe import ShoeReplaced as ShoeReplaced
from controller.core.events.shoe import ShoeShuffled as ShoeShuffled
from controller.core.events.shoe import UnseenCardNumbered as UnseenCardNumbered
from controller.core.events.software import SoftwareAccepted as SoftwareAccepted
from controller.core.events.software import SoftwareChanged as SoftwareChanged
from controller.core.events.software import SoftwareEvent
from controller.core.events.surroundings import ClockStepped as ClockStepped
from controller.core.events.surroundings import DiskNearlyFull as DiskNearlyFull
from controller.core.events.surroundings import DiskRoomy as DiskRoomy
from controller.core.events.surroundings import EnclosureClosed as EnclosureClosed
from controller.core.events.surroundings import EnclosureOpened as EnclosureOpened
from controller.core.events.surroundings import InternalFault as InternalFault
from controller.core.events.surroundings import KeySwitchTurned as KeySwitchTurned
from controller.core.events.surroundings import MirrorBack as MirrorBack
from controller.core.events.surroundings import MirrorLost as MirrorLost
from controller.core.events.surroundings import PanelsSlow as PanelsSlow
from controller.core.events.surroundings import PanelsTimely as PanelsTimely
from controller.core.events.surroundings import SealedCardsLost as SealedCardsLost
from controller.core.events.surroundings import SurroundingsEvent
from controller.core.events.table import AbruptEndFound as AbruptEndFound
from controller.core.events.table import CommandRefused as CommandRefused
from controller.core.events.table import ControlResumed as ControlResumed
from controller.core.events.table import HeadSigned as HeadSigned
from controller.core.events.table import JournalOpened as JournalOpened
from controller.core.events.table import PowerLossFound as PowerLossFound
from controller.core.events.table import Predecessor as Predecessor
from controller.core.events.table import RulesetSet as RulesetSet
from controller.core.events.table import SeatOpened as SeatOpened
from controller.core.events.table import ShiftClosed as ShiftClosed
from controller.core.events.table import ShiftOpened as ShiftOpened
from controller.core.events.table import SigningKeySet as SigningKeySet
from controller.core.events.table import TableEvent
from controller.core.events.table import TableStateRecorded as TableStateRecorded
from controller.core.events.testing import TestingEvent
from controller.core.events.testing import TestModeBegun as TestModeBegun
from controller.core.events.testing import TestModeEnded as TestModeEnded
from controller.core.events.wagers import BetsClosed as BetsClosed
from controller.core.events.wagers import DealListed as DealListed
from controller.core.events.wagers import DealUndone as DealUndone
from controller.core.events.wagers import MinimumExplained as MinimumExplained
from controller.core.events.wagers import MinimumRefused as MinimumRefused
from controller.core.events.wagers import WagerEvent
from controller.core.events.wagers import WagerPlaced as WagerPlaced
from controller.core.events.wagers import WagerReduced as WagerReduced
from controller.core.events.wagers import WagerReturned as WagerReturned

Event = (
    TableEvent
    | WagerEvent
    | CardEvent
    | InsuranceEvent
    | PlayEvent
    | EndingEvent
    | PromptEvent
    | CashEvent
    | ShoeEvent
    | PanelEvent
    | SurroundingsEvent
    | ComputerEvent
    | PersonEvent
    | TestingEvent
    | SoftwareEvent
    | IrregularityEvent
)
