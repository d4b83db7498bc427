"""Rounds of a whole table: players, dealer and supervisor do what the table shows."""

from random import Random
from typing import Final, assert_never

from msgspec.structs import replace

from controller.core import commands as cm
from controller.core import events as ev
from controller.core.commands import Person
from controller.core.decide import Decision as Decided
from controller.core.decide.verdicts import key_target
from controller.core.decisions import Decision, KeyCard, Misdeal, VoidRound
from controller.core.ids import DealerButton, Direction, Kind, Phase, Role, ShoeSign
from controller.core.irregularities import seats_to_act_in_the_dark
from simulators.rigs.robots.dealer import DealerMove, next_move
from simulators.rigs.robots.players import Player, Press
from simulators.rigs.robots.sight import Sight, sight_of
from simulators.rigs.robots.supervisor import decisions
from simulators.rigs.soak.physical_shoe import PhysicalShoe, lying_numbers
from simulators.rigs.soak.rig import Rig

DEALER: Final = Person("D1", Role.DEALER)
SUPERVISOR: Final = Person("S1", Role.SUPERVISOR)
WITNESS: Final = Person("S2", Role.SUPERVISOR)
TECHNICIAN: Final = Person("T1", Role.TECHNICIAN)

_CUT_CARD_AT: Final = 75
_DECISIONS_A_ROUND_MAX: Final = 30
_MOVES_A_ROUND_MAX: Final = 500


class StuckTableError(Exception):
    """A round did not end although everybody did what the table showed."""


class Evening:
    """A shift at one table.

    With `always_shuffled` the shoe is shuffled before every round, else when the
    cut card has come out.
    """

    def __init__(
        self,
        rig: Rig,
        shoe: PhysicalShoe,
        players: tuple[Player, ...],
        rng: Random,
        *,
        always_shuffled: bool = False,
    ) -> None:
        self.rig, self.shoe, self.rng = rig, shoe, rng
        self._players = {player.seat: player for player in players}
        self._always_shuffled = always_shuffled
        self._asked_to_bet: set[int] = set()
        self._cut_card_seen = False
        self._decided = self._moves = 0

    def play_round(self) -> None:
        """Play until one more round is over.

        Raises:
            StuckTableError: It does not end.

        """
        number = self.rig.state.round
        self.begin_round()
        while self.rig.state.round == number:
            self.move()

    def begin_round(self) -> None:
        """Let everybody think of a new wager, and shuffle where the plan says so."""
        self._asked_to_bet.clear()
        self._decided = self._moves = 0
        if self._always_shuffled and self.rig.state.phase is Phase.BETTING:
            self.shuffle()

    def move(self) -> None:
        """Let whoever has to do something do it.

        Raises:
            StuckTableError: So much was done, and the round is not over.

        """
        state = self.rig.state
        self._moves += 1
        if self._moves > _MOVES_A_ROUND_MAX:
            kinds = [found.kind.value for found in state.irregularities]
            raise StuckTableError(
                f"round {state.round} did not end: {state.phase.value} {kinds}"
            )
        if state.suspended:
            self.end_suspension()
            return
        sight = sight_of(state, self.rig.shown)
        if state.phase is Phase.BETTING:
            press = self._next_bet(sight)
            if press is not None:
                self.press(press)
                return
        else:
            lit = [p.seat for p in self.rig.shown.prompts[1:] if p.buttons]
            if lit:
                self.answer(lit[0], sight)
                return
        self._dealer_moves(next_move(sight))

    # --- Players ------------------------------------------------------------------

    def _next_bet(self, sight: Sight) -> Press | None:
        """Return the next wager; everybody is asked until somebody has bet."""
        if len(self._asked_to_bet) == len(self._players) and not self.rig.state.wagers:
            self._asked_to_bet.clear()
        for seat, player in self._players.items():
            if seat not in self._asked_to_bet:
                self._asked_to_bet.add(seat)
                press = player.bet(sight)
                if press is not None:
                    return press
        return None

    def answer(self, seat: int, sight: Sight) -> None:
        """Let the player of a seat answer its lamps; by the dealer's hand if dark."""
        press = self._players[seat].answer(sight)
        if self.rig.state.seats[seat - 1].panel_lost:
            self.rig.send(cm.ClarifyChoice(seat=seat, button=press.button))
        else:
            self.press(press)

    def press(self, press: Press) -> Decided:
        """Let a panel report a press for the prompt that it shows."""
        return self.rig.press(
            cm.PressButton(
                seat=press.seat,
                button=press.button,
                prompt=self.rig.shown.prompts[press.seat].number,
                amount_cents=press.amount_cents or 0,
                with_amount=press.amount_cents is not None,
                spot=press.spot,
            )
        )

    # --- The dealer and the shoe ----------------------------------------------------

    def _dealer_moves(self, move: DealerMove | DealerButton) -> None:
        match move:
            case DealerMove.OPEN_SHIFT:
                self.rig.send(
                    cm.OpenShift(dealer=DEALER, direction=Direction.RIGHT_TO_LEFT)
                )
            case DealerMove.DRAW:
                self.draw()
            case DealerMove.SHUFFLE:
                self.shuffle()
            case DealerMove.WAIT:
                self.rig.wait()
            case DealerButton():
                self.rig.send(cm.PressDealerButton(button=move))
            case _:
                assert_never(move)

    def draw(self) -> None:
        """Let a card leave the shoe, or the shoe say that it has none."""
        if not self.shoe.left:
            self.rig.send(cm.ReportShoe(sign=ShoeSign.EMPTY))
            return
        card = self.shoe.draw()
        self.rig.card(self.shoe.number, card)
        if self.shoe.left < _CUT_CARD_AT and not self._cut_card_seen:
            self._cut_card_seen = True
            self.rig.send(cm.ReportShoe(sign=ShoeSign.CUT_CARD))

    def shuffle(self) -> None:
        """Put the racked cards back and shuffle."""
        self.shoe.shuffle(lying_numbers(self.rig.state))
        self._cut_card_seen = False
        if not self._always_shuffled:
            self.rig.send(cm.ReportShoe(sign=ShoeSign.SHUFFLE_STARTED))
        self.rig.send(cm.ReportShoe(sign=ShoeSign.SHUFFLED))

    # --- The supervisor -------------------------------------------------------------

    def end_suspension(self) -> None:
        """Mend what can be mended, then let the supervisor decide until it goes on.

        Raises:
            StuckTableError: No decision was accepted.

        """
        self.mend()
        state = self.rig.state
        if not state.suspended:
            return
        kinds = tuple(found.kind for found in state.irregularities)
        sight, decks = sight_of(state, self.rig.shown), state.rules.decks
        patience_is_out = self._decided >= _DECISIONS_A_ROUND_MAX
        ends = (VoidRound(), Misdeal()) if patience_is_out else ()
        for decision in (*ends, *decisions(kinds, sight, self.rng, decks=decks)):
            if self.decide(decision):
                self._decided += 1
                return
        raise StuckTableError(f"no decision ends {[kind.value for kind in kinds]}")

    def decide(self, decision: Decision) -> bool:
        """Let the supervisor decide; return whether it was accepted."""
        if isinstance(decision, KeyCard):
            target = key_target(self.rig.state)
            if target is None:
                return False
            decision = replace(decision, card=self.shoe.face(target[0]))
        person, witness = self._supervisor_and_witness()
        decided = self.rig.send(
            cm.TakeDecision(person=person, decision=decision, witness=witness)
        )
        return any(isinstance(r, ev.DecisionTaken) for r in decided.records)

    def mend(self) -> None:
        """Close the lid, clear the jam, connect what is lost, fill the empty shoe.

        And let two people accept another program.
        """
        shoe = self.rig.state.shoe
        signs = (
            (shoe.lid_open, ShoeSign.LID_CLOSED),
            (shoe.jammed, ShoeSign.CLEARED),
            (shoe.lost, ShoeSign.BACK),
        )
        for wrong, sign in signs:
            if wrong:
                self.rig.send(cm.ReportShoe(sign=sign))
        kinds = {found.kind for found in self.rig.state.irregularities}
        if shoe.shuffling_out_of_turn or Kind.SHOE_EMPTY in kinds:
            self.shuffle()
        for seat in seats_to_act_in_the_dark(self.rig.state):
            self.rig.send(cm.ReportPanel(seat=seat, lost=False))
        found = self.rig.state.software_found
        if found.components:
            self.rig.send(
                cm.AcceptSoftware(
                    supervisor=self._supervisor_and_witness()[0],
                    technician=TECHNICIAN,
                    digest=found.digest,
                    reason="what runs was looked at",
                )
            )

    def _supervisor_and_witness(self) -> tuple[Person, Person]:
        """Return who decides and who looks on: nobody decides on their own shift."""
        shift = self.rig.state.shift
        if shift is not None and shift.dealer == SUPERVISOR.id:
            return WITNESS, SUPERVISOR
        return SUPERVISOR, WITNESS
