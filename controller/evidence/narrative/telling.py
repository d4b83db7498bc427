"""Finds the sentence of a record, whatever its type."""

from collections.abc import Iterable
from typing import Final

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.evolve import Record as Fact
from controller.evidence.narrative import (
    cards,
    computer,
    house,
    people,
    play,
    presses,
    settlement,
    stops,
    wagers,
)
from controller.evidence.narrative.moment import Line, Moment, Teller

TELLERS: Final[dict[type, Teller]] = {
    **wagers.TELLERS,
    **cards.TELLERS,
    **presses.TELLERS,
    **play.TELLERS,
    **settlement.TELLERS,
    **house.TELLERS,
    **computer.TELLERS,
    **people.TELLERS,
    **stops.TELLERS,
}

SILENT: Final[frozenset[type]] = frozenset(
    {
        # Of what came in, the records that it led to tell.
        cm.OpenShift,
        cm.CloseShift,
        cm.PressButton,
        cm.UndoDeal,
        cm.OpenSeat,
        cm.ClarifyChoice,
        cm.MoveCash,
        cm.ReportCard,
        cm.ReportReturn,
        cm.ReportShoe,
        cm.ReportShoeState,
        cm.ReportGap,
        cm.ReportRemark,
        cm.ReportPanel,
        cm.AdoptPanel,
        cm.ReportStrayPress,
        cm.ReportStuckButton,
        cm.ReportDrops,
        cm.TakeDecision,
        cm.ReportLogin,
        cm.ReportLogout,
        cm.LiftDelay,
        cm.TurnAway,
        cm.BeginTestMode,
        cm.EndTestMode,
        cm.ReachTime,
        cm.ReportFault,
        cm.ReportDisk,
        cm.ReportMirror,
        cm.ReportHouseInput,
        cm.ReportScan,
        cm.ReportClockStep,
        cm.ReportComputer,
        cm.ReportUsb,
        cm.ResumeControl,
        cm.ReportSelfTest,
        cm.AcceptSoftware,
        # It repeats the whole table for the next start.
        ev.TableStateRecorded,
        # It vouches for the records before it, and tells nothing of the game.
        ev.HeadSigned,
    }
)


def tell(fact: Fact, moment: Moment) -> Iterable[Line]:
    """Return what a record says, in sentences; nothing where others say it."""
    if type(fact) in SILENT:
        return ()
    return TELLERS[type(fact)](fact, moment)
