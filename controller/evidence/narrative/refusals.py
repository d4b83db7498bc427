"""Why something was refused: in words, and the clause behind it."""

from typing import Final, NamedTuple

from controller.core.ids import Reason


class Refused(NamedTuple):
    """A reason as it is said aloud, and the clause that it stands in."""

    words: str
    clause: str


REFUSED: Final[dict[Reason, Refused]] = {
    Reason.SHIFT_CLOSED: Refused("no shift is open", "PICKUP-1b"),
    Reason.TABLE_SUSPENDED: Refused("the table is stopped", "IRR-1"),
    Reason.BETS_CLOSED: Refused("the bets are closed", "BET"),
    Reason.WRONG_PHASE: Refused("this part of the round has no use for it", "ORDER"),
    Reason.NO_WAGER: Refused("there is no wager", "BET"),
    Reason.NOT_YOUR_TURN: Refused("it is not this seat's turn", "ORDER"),
    Reason.STALE_PRESS: Refused("it was for an earlier prompt", "PLAY-2"),
    Reason.ALREADY_ANSWERED: Refused("the seat has answered already", "INS"),
    Reason.ACTION_NOT_ALLOWED: Refused("the button was not lit", "PLAY-1"),
    Reason.SPOT_TAKEN: Refused("another player's wager lies there", "MULTI"),
    Reason.SIDE_WAGERS_PROHIBITED: Refused("the seat may not wager there", "SIDE"),
    Reason.INSURANCE_OVER_HALF: Refused("insurance is at most half the wager", "INS"),
    Reason.NO_PREVIOUS_WAGER: Refused("there is no wager to repeat", "BET"),
    Reason.HAND_NOT_SETTLED: Refused("not every hand is settled", "PICKUP-1b"),
    Reason.ROUND_OPEN: Refused("a round is open", "VAR"),
    Reason.SHUFFLE_DUE: Refused("a shuffle is due", "CUT"),
    Reason.CASH_TRANSACTION_OPEN: Refused("cash is being accepted", "CASH"),
    Reason.EXTRA_SPOT_MINIMUM: Refused(
        "one of several spots carries too little", "MULTI"
    ),
    Reason.TOO_EARLY_TO_MOVE_ON: Refused("the player still has time", "PLAY-3"),
    Reason.PANEL_NOT_LOST: Refused("the seat's panel works", "PLAY-2"),
    Reason.SUPERVISOR_REQUIRED: Refused("a supervisor must decide this", "PLAY-4"),
    Reason.CASH_OUT_OF_ORDER: Refused("the four steps have an order", "CASH"),
    Reason.CASH_AMOUNTS_DIFFER: Refused("the chips are not the stated amount", "CASH"),
    Reason.UNKNOWN_PERSON: Refused("this person is not known here", "IRR-1"),
    Reason.WITNESS_REQUIRED: Refused("a second person must witness it", "MISREAD"),
    Reason.UNKNOWN_HAND: Refused("there is no such hand", "IRR-1"),
    Reason.DECISION_NOT_APPLICABLE: Refused("this decision does not apply", "IRR-1"),
    Reason.UNKNOWN_SEAT: Refused("this table has no such seat", "PLAY-4"),
    Reason.DISK_FULL: Refused("the journal has no room", "Faults"),
    Reason.LOGIN_REQUIRED: Refused("the person is not logged in there", "People"),
    Reason.LOGIN_DELAYED: Refused("too many logins were refused before", "People"),
    Reason.WRONG_PIN: Refused("the PIN is not this person's", "People"),
    Reason.NO_PIN: Refused("this person has no PIN yet", "People"),
    Reason.TEST_MODE: Refused("buttons and lamps are tried by hand", "Faults"),
    Reason.NO_TEST_MODE: Refused("nothing is tried by hand", "Faults"),
    Reason.WAGERS_LIE: Refused("wagers lie on the layout", "BET"),
    Reason.ROLE_NOT_ALLOWED: Refused("it is not for this role", "People"),
}
