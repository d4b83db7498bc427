"""What comes in from people, panels, shoe and clock.

A command is recorded under its past participle (its tag), first of the records
it causes, so that the journal is the whole input of the table. A command that
carries a card not yet public is recorded with `??` and without its secret
fields; `controller.core.secrets` makes that public form.

This is the catalogue: each command by its name, whichever module it stands in. A new
one joins the union at the end of its module, and the names here.
"""

from controller.core.commands.base import Amount as Amount
from controller.core.commands.base import Cursor as Cursor
from controller.core.commands.base import Person as Person
from controller.core.commands.game import ClarifyChoice as ClarifyChoice
from controller.core.commands.game import CloseShift as CloseShift
from controller.core.commands.game import GameCommand
from controller.core.commands.game import MoveCash as MoveCash
from controller.core.commands.game import OpenSeat as OpenSeat
from controller.core.commands.game import OpenShift as OpenShift
from controller.core.commands.game import PressButton as PressButton
from controller.core.commands.game import PressDealerButton as PressDealerButton
from controller.core.commands.game import ReportStrayPress as ReportStrayPress
from controller.core.commands.game import UndoDeal as UndoDeal
from controller.core.commands.panels import AdoptPanel as AdoptPanel
from controller.core.commands.panels import PanelCommand
from controller.core.commands.panels import ReportDrops as ReportDrops
from controller.core.commands.panels import ReportPanel as ReportPanel
from controller.core.commands.panels import ReportStuckButton as ReportStuckButton
from controller.core.commands.shoe import ReportCard as ReportCard
from controller.core.commands.shoe import ReportGap as ReportGap
from controller.core.commands.shoe import ReportRemark as ReportRemark
from controller.core.commands.shoe import ReportReturn as ReportReturn
from controller.core.commands.shoe import ReportShoe as ReportShoe
from controller.core.commands.shoe import ReportShoeState as ReportShoeState
from controller.core.commands.shoe import ShoeCommand
from controller.core.commands.software import AcceptSoftware as AcceptSoftware
from controller.core.commands.software import ReportSelfTest as ReportSelfTest
from controller.core.commands.software import ResumeControl as ResumeControl
from controller.core.commands.software import SoftwareCommand
from controller.core.commands.software import StopControl as StopControl
from controller.core.commands.staff import BeginTestMode as BeginTestMode
from controller.core.commands.staff import EndTestMode as EndTestMode
from controller.core.commands.staff import LiftDelay as LiftDelay
from controller.core.commands.staff import ReportLogin as ReportLogin
from controller.core.commands.staff import ReportLogout as ReportLogout
from controller.core.commands.staff import StaffCommand
from controller.core.commands.staff import TakeDecision as TakeDecision
from controller.core.commands.staff import TryButton as TryButton
from controller.core.commands.staff import TurnAway as TurnAway
from controller.core.commands.surroundings import ReachTime as ReachTime
from controller.core.commands.surroundings import ReportClockStep as ReportClockStep
from controller.core.commands.surroundings import ReportComputer as ReportComputer
from controller.core.commands.surroundings import ReportDisk as ReportDisk
from controller.core.commands.surroundings import ReportFault as ReportFault
from controller.core.commands.surroundings import ReportHouseInput as ReportHouseInput
from controller.core.commands.surroundings import ReportMirror as ReportMirror
from controller.core.commands.surroundings import ReportScan as ReportScan
from controller.core.commands.surroundings import ReportUsb as ReportUsb
from controller.core.commands.surroundings import SurroundingsCommand

Command = (
    GameCommand
    | ShoeCommand
    | PanelCommand
    | StaffCommand
    | SurroundingsCommand
    | SoftwareCommand
)
