"""Any command whatever, sensible or not, in the words of one table at one moment.

All choices come from one `Random`, which Hypothesis may play too, so that the same
commands are searched for a shortest failure and rolled by the thousand.
"""

from collections.abc import Callable
from random import Random

from controller.core import commands as cm
from controller.core import decisions as dc
from controller.core.cards import UNKNOWN, Card
from controller.core.commands import Command, Cursor, Person
from controller.core.computer import UsbDevice
from controller.core.decisions import Decision
from controller.core.ids import (
    BY_HAND,
    DEALER,
    Button,
    CashStep,
    ComputerFault,
    DealerButton,
    Direction,
    EndOfTestMode,
    HandId,
    HouseInput,
    Kind,
    MirrorFault,
    Phase,
    Role,
    ShoeRemark,
    ShoeSign,
    Stage,
)
from controller.core.rules import composition, with_changes
from controller.core.software import Component, Software
from simulators.rigs.soak.rig import Rig

PEOPLE = (
    Person("S1", Role.SUPERVISOR),
    Person("S1", Role.SUPERVISOR),
    Person("S2", Role.SUPERVISOR),
    Person("D1", Role.DEALER),
    Person("D1", Role.SUPERVISOR),
    Person("T1", Role.TECHNICIAN),
    Person("N1", Role.UNKNOWN),
)
TECHNICIAN = Person("T1", Role.TECHNICIAN)
PROGRAMS = tuple(
    Software((Component("product", name, name * 64),), name * 64) for name in "ab"
)
PLUGGED = tuple(UsbDevice(f"1-{port}", "0403", "6001") for port in (1, 2, 3))
AMOUNTS_CENTS = (0, 1, 250, 500, 501, 1000, 1000, 2500, 50_000, 60_000)
# A journal that is damaged, behind or full is no supervisor's to decide.
SUSPENDING = (Kind.INTERNAL_FAULT, Kind.CALLED, Kind.RECONCILIATION_MISMATCH)


Maker = Callable[[Random], Command | None]
"""Makes a command of chance, where one of its kind can be made now."""


class AnyCommands:
    """Commands for one table, each from the chances it is given."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig

    def asked_for(self, chance: Random) -> Command | None:
        """Return what the table asks somebody to do."""
        if self._rig.state.software_found.components:
            return self._acceptance(chance)
        if self._rig.state.suspended:
            return self.good_decision(chance)
        if self._rig.state.test_mode is not None:
            return self._in_test_mode(chance)
        if not self._rig.state.wagers and chance.random() < 1 / 32:
            return cm.BeginTestMode(person=PEOPLE[0])
        if self._rig.state.phase is Phase.CLOSED:
            direction = chance.choice(tuple(Direction))
            return cm.OpenShift(dealer=PEOPLE[3], direction=direction)
        if self._rig.shown.gate_up_to:
            return self.card(chance)
        if self._rig.shown.dealer.clause == "CUT":
            return cm.ReportShoe(sign=ShoeSign.SHUFFLED)
        if self._rig.state.phase is Phase.BETTING and chance.random() < 2 / 3:
            return self.bet(chance)
        return self.lit_dealer_button(chance) or self.lit_press(chance)

    def anything(self) -> tuple[Maker, ...]:
        """Return every kind of command."""
        return (
            self.lit_press,
            self.bet,
            self.any_press,
            self.repeated_press,
            self.lit_dealer_button,
            self.any_dealer_button,
            self.any_panel_press,
            self.house,
            self.card,
            self.card_out_of_order,
            self.shoe,
            self.around,
            self.decision,
            self.good_decision,
            self.good_decision,
        )

    # --- Players --------------------------------------------------------------------

    def lit_press(self, chance: Random) -> Command | None:
        """Return a press of a lit button at some seat."""
        lit = [p for p in self._rig.shown.prompts[1:] if p.buttons]
        if not lit:
            return None
        prompt = chance.choice(lit)
        return self._press(
            chance, prompt.seat, Button(chance.choice(prompt.buttons)), prompt.number
        )

    def bet(self, chance: Random) -> Command | None:
        """Return a wager of any size, also beside the seat's own spot."""
        if self._rig.state.phase is not Phase.BETTING:
            return None
        seat = self._seat(chance)
        spot = chance.choice((0, 0, 0, seat, seat - 1, seat + 1, seat + 2))
        number = self._rig.shown.prompts[seat].number
        return cm.PressButton(
            seat=seat,
            button=Button.BET,
            prompt=number,
            number=self._next_press(seat),
            amount_cents=chance.choice(AMOUNTS_CENTS),
            with_amount=True,
            spot=max(spot, 0),
        )

    def any_press(self, chance: Random) -> Command:
        """Return any button at any seat, for a prompt shown now or another time."""
        seat = chance.randint(0, self._rig.state.seat_count + 1)
        shown = self._rig.shown.prompts
        now = shown[seat].number if seat < len(shown) else 0
        prompt = now - chance.choice((0, 0, 0, 1, 2, -1))
        return self._press(chance, seat, chance.choice(tuple(Button)), prompt)

    def repeated_press(self, _chance: Random) -> Command | None:
        """Return the last press once more, as a panel says it again."""
        return self._rig.last_press

    def _press(
        self, chance: Random, seat: int, button: Button, prompt: int
    ) -> cm.PressButton:
        amount = chance.choice(AMOUNTS_CENTS)
        keyed = button in (Button.BET, Button.INSURE) and chance.random() < 1 / 2
        return cm.PressButton(
            seat=seat,
            button=button,
            prompt=prompt,
            number=self._next_press(seat),
            boot_id=self._boot(seat),
            amount_cents=amount if keyed else 0,
            with_amount=keyed,
        )

    def _next_press(self, seat: int) -> int:
        if not 1 <= seat <= self._rig.state.seat_count:
            return 1
        return self._rig.state.seats[seat - 1].press_number + 1

    def _boot(self, seat: int) -> int:
        if not 1 <= seat <= self._rig.state.seat_count:
            return 0
        return self._rig.state.seats[seat - 1].boot_id

    def _seat(self, chance: Random) -> int:
        return chance.randint(1, self._rig.state.seat_count)

    # --- The dealer -----------------------------------------------------------------

    def lit_dealer_button(self, chance: Random) -> Command | None:
        """Return a lit button of the dealer's panel."""
        buttons = [b for b in self._rig.shown.prompts[0].buttons if b != "call"]
        lit = any(prompt.buttons for prompt in self._rig.shown.prompts[1:])
        if not buttons or (lit and chance.random() < 2 / 3):
            return None
        return cm.PressDealerButton(button=DealerButton(chance.choice(buttons)))

    def any_dealer_button(self, chance: Random) -> Command:
        """Return any button of the dealer's panel, for any prompt."""
        prompt = self._rig.shown.prompts[0].number - chance.choice((0, 1))
        return cm.PressDealerButton(
            button=chance.choice(tuple(DealerButton)),
            prompt=chance.choice((0, max(prompt, 0))),
        )

    def house(self, chance: Random) -> Command:
        """Return what a dealer says rather than presses."""
        seat = chance.randint(0, self._rig.state.seat_count + 1)
        return chance.choice(
            (
                cm.OpenShift(
                    dealer=chance.choice(PEOPLE),
                    direction=chance.choice(tuple(Direction)),
                ),
                cm.CloseShift(),
                cm.UndoDeal(),
                cm.OpenSeat(seat=seat),
                cm.ClarifyChoice(seat=seat, button=chance.choice(tuple(Button))),
                cm.MoveCash(
                    seat=seat,
                    step=chance.choice(tuple(CashStep)),
                    amount_cents=chance.choice((5000, 5000, 100)),
                ),
            )
        )

    # --- The shoe -------------------------------------------------------------------

    def card(self, chance: Random) -> Command:
        """Return the next card of the shoe, due or not, read or not, real or not."""
        number = self._rig.state.shoe.last_card + 1
        return self._report(chance, number)

    def card_out_of_order(self, chance: Random) -> Command:
        """Return a card under a number that is not the next."""
        number = self._rig.state.shoe.last_card + chance.choice((0, 0, -1, 2, 3))
        return self._report(chance, max(number, 1))

    def _report(self, chance: Random, number: int) -> cm.ReportCard:
        faces = (*composition(self._rig.state.rules), "X1")
        few = ("As", "Ah", "Td", "Kc", "8s", "8d", "6h", "5c")
        face = Card(chance.choice(chance.choice((faces, few, few))))
        unread = chance.random() < 1 / 16
        return cm.ReportCard(
            number=number,
            card=UNKNOWN if unread else face,
            unread=unread,
            raw=f"frame {number} {face}".encode().hex(),
            cursor=chance.choice((None, None, Cursor(1, number))),
        )

    def shoe(self, chance: Random) -> Command:
        """Return anything else that a shoe says."""
        last = self._rig.state.shoe.last_card
        said: tuple[Command, ...] = (
            *(
                cm.ReportShoe(sign=sign, count=chance.choice((-1, -1, 312, 100)))
                for sign in ShoeSign
            ),
            *(cm.ReportRemark(remark=remark, words="E5") for remark in ShoeRemark),
            cm.ReportGap(last=last + chance.randint(0, 2)),
            cm.ReportReturn(card=Card(chance.choice(("As", "Kd", "??")))),
            cm.ReportShoeState(
                boot_id=chance.randint(0, 1),
                event_number=0,
                next_card=chance.randint(1, 9),
                lid_open=chance.random() < 1 / 4,
            ),
        )
        return chance.choice(said)

    # --- Links, time and faults -----------------------------------------------------

    def around(self, chance: Random) -> Command:
        """Return what happens to panels, buttons, disk and process."""
        seat = chance.randint(0, self._rig.state.seat_count)
        stuck = chance.choice(("hit", "stand", "bet"))
        return chance.choice(
            (
                cm.ReportPanel(seat=seat, lost=True),
                cm.ReportPanel(seat=seat, lost=False),
                cm.ReportStuckButton(seat=seat, button=stuck, stuck=True),
                cm.ReportStuckButton(seat=seat, button=stuck, stuck=False),
                cm.ReportDisk(nearly_full=chance.random() < 1 / 3, free_bytes=1),
                cm.ReportScan(slow=chance.random() < 1 / 2, scan_ms=120),
                cm.ReportComputer(
                    fault=chance.choice(tuple(ComputerFault)),
                    present=chance.random() < 1 / 2,
                ),
                cm.ReportUsb(devices=PLUGGED[chance.randint(0, 3) :]),
                cm.ReportMirror(fault=chance.choice((None, *MirrorFault)), sequence=1),
                cm.ReportHouseInput(
                    house_input=chance.choice(tuple(HouseInput)),
                    active=chance.random() < 1 / 2,
                ),
                cm.ReportFault(kind=chance.choice(SUSPENDING), words=""),
                cm.ResumeControl(boot_id=chance.choice(("", "a", "b"))),
                cm.StopControl(),
                cm.EndTestMode(why=chance.choice(tuple(EndOfTestMode))),
                cm.EndTestMode(why=EndOfTestMode.ASKED, person=chance.choice(PEOPLE)),
                cm.BeginTestMode(person=chance.choice(PEOPLE)),
                cm.ReportSelfTest(software=chance.choice(PROGRAMS), live=False),
                cm.ReportSelfTest(software=chance.choice(PROGRAMS), live=True),
                self._acceptance(chance),
                cm.ReachTime(
                    wait=self._rig.state.wait.number - chance.choice((0, 0, 1)),
                    stage=chance.choice(tuple(Stage)),
                ),
            )
        )

    def _acceptance(self, chance: Random) -> Command:
        """Return that two people accept a program, mostly the one that was found."""
        found = self._rig.state.software_found
        shown = chance.choice((found, found, found, *PROGRAMS))
        return cm.AcceptSoftware(
            supervisor=chance.choice((PEOPLE[0], PEOPLE[2], *PEOPLE)),
            technician=chance.choice((TECHNICIAN, TECHNICIAN, TECHNICIAN, *PEOPLE)),
            digest=shown.digest,
            reason="update",
        )

    def _in_test_mode(self, chance: Random) -> Command:
        """Return that somebody tries a button, or that the test mode is ended."""
        if chance.random() < 1 / 4:
            return cm.EndTestMode(why=EndOfTestMode.ASKED, person=TECHNICIAN)
        return chance.choice((self.any_press, self.any_panel_press))(chance)

    def any_panel_press(self, chance: Random) -> Command:
        """Return a numbered press of the dealer's panel, or one it should not have."""
        panel = self._rig.state.dealer_panel
        prompt = chance.choice((self._rig.shown.prompts[0].number, 0, BY_HAND))
        number = panel.press_number + 1
        return chance.choice(
            (
                cm.PressDealerButton(
                    button=chance.choice(tuple(DealerButton)),
                    prompt=prompt,
                    boot_id=panel.boot_id,
                    number=number,
                ),
                cm.ReportStrayPress(
                    seat=0, button="hit", boot_id=panel.boot_id, number=number
                ),
            )
        )

    # --- The supervisor ---------------------------------------------------------------

    def decision(self, chance: Random) -> Command:
        """Return any decision by anybody."""
        return cm.TakeDecision(
            person=chance.choice(PEOPLE),
            decision=self._decision(chance),
            witness=chance.choice((None, *PEOPLE)),
        )

    def good_decision(self, chance: Random) -> Command:
        """Return any decision by a supervisor, witnessed."""
        return cm.TakeDecision(
            person=PEOPLE[0], decision=self._decision(chance), witness=PEOPLE[2]
        )

    def _decision(self, chance: Random) -> Decision:
        play = self._rig.state.play
        hands = [hand.id for hand in play.hands]
        hand = HandId(chance.choice((*hands, *hands, DEALER, "9")))
        named = chance.choice((HandId(""), hand))
        position = chance.randint(1, 3) if named else 0
        spot = chance.randint(1, self._rig.state.seat_count)
        face = Card(chance.choice(tuple(composition(self._rig.state.rules))))
        limit = {"wager_max_cents": chance.choice(("20000", "50000"))}
        return chance.choice(
            (
                dc.Resume(),
                dc.VoidHand(hand),
                dc.VoidRound(),
                dc.MissedFirst(spot),
                dc.MissedSecond(spot, after_dealer=chance.random() < 1 / 2),
                dc.PlayAsDealt(hand),
                dc.OfferChoice(hand),
                dc.LiesAt(hand),
                dc.ExposeHole(),
                dc.DiscardCard(named, position),
                dc.UseCard(),
                dc.OfferCard(),
                dc.BurnCard(),
                dc.DealerMissed(chance.random() < 1 / 2, named),
                dc.Misdeal(),
                dc.KeyCard(face),
                dc.CorrectCard(hand, max(position, 1), face),
                dc.NoCard(named, position),
                dc.NewShoe(chance.choice((6, 6, 4))),
                dc.AllowDealerEntry(spot),
                dc.SetRules(with_changes(self._rig.state.rules, limit)),
            )
        )
