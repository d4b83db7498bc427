"""docs/faults.md: every irregularity and fault, what to do, who clears it."""

from collections.abc import Mapping
from typing import Final

from controller.core.ids import Kind
from controller.core.irregularities import KINDS
from controller.core.mirror import MIRROR_WORDS
from tools.tables import code, table

_INTRO: Final = """# Faults

Made from the code by `make docs`; a test compares.

## What stops the table

Each of these is a record `irregularity_found` with its code as `kind`, followed by
`table_suspended` where the table was not stopped yet. It ends with
`irregularity_cleared`; when the last one is cleared, `table_resumed` follows. All
action lamps are off meanwhile, waits stand still, the gate of the shoe is locked, and
the supervisor reads the words and what to do. Only a supervisor's decision ends it
([clauses](rules.md)), with the exceptions named here.

{stops}

## What does not stop it by itself

{others}
"""

_CLEARED_BY: Final[Mapping[Kind, str]] = {
    Kind.CARD_DRAWN_IN_ERROR: "the supervisor",
    Kind.CARD_UNREAD: "the supervisor; or by itself, if the shoe reads the card again "
    "under its number",
    Kind.CARD_IMPOSSIBLE: "the supervisor",
    Kind.SHOE_FAULT: "the dealer clears the shoe, the supervisor resumes",
    Kind.SHOE_POSITION_UNKNOWN: "the supervisor",
    Kind.SHOE_EMPTY: "the dealer shuffles and cuts, the supervisor resumes",
    Kind.PANEL_LOST: "the supervisor; or by itself, if the panel is back before any "
    "decision",
    Kind.RECONCILIATION_MISMATCH: "the supervisor",
    Kind.CALLED: "the supervisor",
    Kind.INTERNAL_FAULT: "the supervisor",
    Kind.JOURNAL_DAMAGED: "a supervisor and a technician, with a successor journal",
    Kind.JOURNAL_BEHIND: "a supervisor and a technician, with a successor journal",
    Kind.JOURNAL_FULL: "a technician",
    Kind.SOFTWARE_CHANGED: "a supervisor and a technician, with `tablectl accept`; or "
    "the supervisor, once the accepted program is back",
}

_WHEN: Final[Mapping[Kind, str]] = {
    Kind.CARD_DRAWN_IN_ERROR: "a card leaves the shoe and none is due",
    Kind.CARD_UNREAD: "a card is due or needed and its face is not known",
    Kind.CARD_IMPOSSIBLE: "a card becomes public more often than the shoe holds it",
    Kind.SHOE_FAULT: "lid open, jam, no answer, or a shuffle out of turn, while a card "
    "is due or when one is next needed; an alarm or an unknown line in a round",
    Kind.SHOE_POSITION_UNKNOWN: "card numbers are missing that the shoe cannot give "
    "again, between rounds at DEAL; in a round the shoe counts anew",
    Kind.SHOE_EMPTY: "the shoe is empty and a card is due",
    Kind.PANEL_LOST: "the seat must act; if its card is due, after that card",
    Kind.RECONCILIATION_MISMATCH: "at DEAL, if cards returned or counted do not match",
    Kind.CALLED: "the dealer calls, at any time of an open shift",
    Kind.INTERNAL_FAULT: "the program failed on an input",
    Kind.JOURNAL_DAMAGED: "at start",
    Kind.JOURNAL_BEHIND: "at start",
    Kind.JOURNAL_FULL: "at start",
    Kind.SOFTWARE_CHANGED: "at start of a live table, if a part of the program, the "
    "ruleset or the hardware file is not the accepted one ([self-test](self-test.md))",
}

_MIRROR_FAULTS: Final = ", ".join(
    f"`{fault.value}`, {words}" for fault, words in MIRROR_WORDS.items()
)

_OTHERS: Final = (
    (
        "panel_lost",
        "panel_back",
        "A panel's link is gone: its seat is dark",
        "Reconnect it. In turn, the table stops (above)",
        "itself, when the panel answers",
    ),
    (
        "button_stuck",
        "button_released",
        (
            "A button is held since its panel's start, or too long: it is ignored, the "
            "rest of the panel works"
        ),
        "Release it, for a second",
        "itself, when it is released",
    ),
    (
        "shoe_changed",
        "shoe_changed",
        (
            "The shoe is lost, open or jammed (`sign`) and no card is due: the next "
            "card that is due stops the table"
        ),
        "Close, clear or reconnect the shoe",
        "itself, with the sign that it is back, closed or cleared",
    ),
    (
        "shoe_remarked",
        "shoe_remarked",
        (
            "A shoe that prints lines warned, gave an alarm, or said what cannot be "
            "read (`remark`, `words`); in a round an alarm or an unknown line stops "
            "the table ([line shoes](protocol/line-shoe.md))"
        ),
        "Look at the shoe and its cable",
        "itself: the notice goes when the next bets are closed",
    ),
    (
        "disk_nearly_full",
        "disk_roomy",
        (
            "The journal's disk is nearly full: this round is finished, DEAL is "
            "refused (`disk_full`)"
        ),
        "Call the technician",
        "the technician makes room",
    ),
    (
        "mirror_lost",
        "mirror_back",
        (
            "The copy of the journal on the second device cannot be counted on "
            f"(`fault`): {_MIRROR_FAULTS}. The game goes on"
        ),
        "Call the technician",
        (
            "itself, when the mirror holds what the journal holds; after a mismatch, "
            "the technician ([mirror](mirror.md))"
        ),
    ),
    (
        "enclosure_opened",
        "enclosure_closed",
        "The door of the enclosure is open, or its wire is cut. The game goes on",
        "Look who opened it",
        "itself, when the door is shut",
    ),
    (
        "computer_fault_found",
        "computer_fault_ended",
        (
            "The computer says that something fails it (`fault`): `under-voltage`, its "
            "supply is too weak, `throttled`, it runs slowly, since it is too hot or "
            "its supply too weak, `clock-battery`, the battery of its clock is low or "
            "missing, so that its time is lost with the power. The game goes on"
        ),
        "Call the technician",
        "itself, when the computer has not said so for a minute",
    ),
    (
        "usb_device_inserted",
        "usb_device_removed",
        (
            "Something was plugged into a USB port of the computer (`device`). What is "
            "the table's own (`own`) gives no notice. The game goes on"
        ),
        "Look what it is and who plugged it in",
        (
            "itself, when it has been away for a minute; or the technician, who stops "
            "and starts the table ([why](decisions/what-is-plugged-in-at-a-start.md))"
        ),
    ),
    (
        "panels_slow",
        "panels_timely",
        (
            "Panels that remember no press are looked at each `scan_ms` on the average "
            "of a second, longer than a tap lasts: short presses are lost "
            "([Modbus panels](protocol/modbus-panels.md)). The game goes on"
        ),
        "Press long; call the technician, who looks at the bus and its modules",
        "itself, after a second in which they were looked at often enough",
    ),
    (
        "presses_dropped",
        "presses_dropped",
        (
            "A panel had no place for presses: it holds four that are not taken yet; "
            "its lamps showed that these were not"
        ),
        "Nothing; the player presses again",
        "itself: each record has the count since the panel's start",
    ),
    (
        "clock_stepped",
        "clock_stepped",
        (
            "The wall clock was set by `stepped_ms`; no wait runs on it, and times of "
            "records before and after are not comparable"
        ),
        "Nothing; tell the technician if it comes again",
        "itself",
    ),
    (
        "sealed_cards_lost",
        "sealed_cards_lost",
        (
            "The escrow was missing or damaged at the start: the faces of these cards "
            "are unread"
        ),
        "Key the hole card with a witness when it is needed, or void the round",
        "the supervisor, card by card",
    ),
    (
        "software_changed",
        "software_accepted",
        (
            "What runs a simulated table is not what ran it last; a live one is "
            "stopped by it (above)"
        ),
        "Nothing",
        "itself",
    ),
    (
        "power_loss_found",
        "table_recovered",
        (
            "The controller ended without being stopped, and the computer was started "
            "since: the power failed, or somebody pulled the plug"
        ),
        "Nothing; tell the technician if it comes again",
        "itself",
    ),
    (
        "abrupt_end_found",
        "table_recovered",
        (
            "The controller ended without being stopped, while the computer ran on: "
            "the program failed or hung, or somebody killed it"
        ),
        "Tell the technician, who keeps the log",
        "itself",
    ),
    (
        "control_resumed",
        "table_recovered",
        (
            "The controller was started on an existing journal: everything is as it "
            "was, faults too; a running stage of waiting starts anew"
        ),
        "Nothing",
        "itself",
    ),
)
"""Record of the occurrence, record of the clearing, words, what to do, who clears."""

OTHER_RECORDS: Final = tuple(sorted({tag for row in _OTHERS for tag in row[:2]}))


def faults_document() -> str:
    """Return the document of the faults."""
    stops = (
        (
            code(kind.value),
            of.words,
            _WHEN[kind],
            of.what_to_do,
            _CLEARED_BY[kind],
            of.clause,
        )
        for kind, of in KINDS.items()
    )
    others = (
        (code(occurs), code(ends), words, what_to_do, cleared_by)
        for occurs, ends, words, what_to_do, cleared_by in _OTHERS
    )
    return _INTRO.format(
        stops=table(
            ("code", "words", "when", "what to do", "cleared by", "clause"), stops
        ),
        others=table(
            ("begins with", "ends with", "words", "what to do", "cleared by"), others
        ),
    )
