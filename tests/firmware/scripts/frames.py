"""Runs under CPython and MicroPython: prints the golden frames as the panel has them.

What each says is written out here from the comments of docs/protocol/panel.md.
"""

import binascii

from panel.messages import (
    IDENTITY,
    REPORT,
    Press,
    Who,
    identity_payload,
    is_identify,
    read_poll,
    report_payload,
)
from panel.protocol import Receiver, encode_frame

SEAT = 0x5EA70003
DEALER = 0xDEA1E201
NOW = 100_000


def press(number: int, button: int, prompt: int, age: int) -> Press:
    return Press(number, button, prompt, NOW - age)


def bet(waiting: Press, amount: int, spot: int) -> Press:
    waiting.amount = amount
    waiting.spot = spot
    return waiting


def tell(name: str, frame: bytes) -> None:
    print(name + ": " + binascii.hexlify(frame, " ").decode())


def tell_identity(name: str, sequence: int, who: Who, boot_id: int) -> None:
    payload = identity_payload(who, boot_id, "1.0.2")
    tell(name, encode_frame(who.address, sequence, IDENTITY, payload))


def tell_report(
    name: str, place: tuple[int, int], head: tuple[int, int, int, int], *presses: Press
) -> None:
    payload = report_payload(head, list(presses), NOW)
    tell(name, encode_frame(place[0], place[1], REPORT, payload))


def tell_what_is_read(wire: str) -> None:
    receiver = Receiver()
    for byte in binascii.unhexlify(wire.replace(" ", "")):
        if receiver.take(byte):
            frame, length = receiver.frame, receiver.length
            poll = read_poll(frame, length)
            said = "identify" if is_identify(frame, length) else "nothing"
            if poll:
                state = (poll.prompt, poll.lamps, poll.boot_id, poll.taken)
                said = " ".join(["poll"] + [str(number) for number in state])
            print("read:", frame[0], frame[1], said)


who = Who(3, 3, "RP-10", "000317")
tell_identity("identity-of-a-seat", 1, who, SEAT)
who = Who(32, 0, "RD-5", "000042")
tell_identity("identity-of-the-dealer", 9, who, DEALER)
tell_report("report-nothing", (3, 2), (SEAT, 16, 0, 0))
tell_report("report-a-press", (3, 3), (SEAT, 16, 1 << 3, 0), press(17, 4, 58, 12))
tell_report(
    "report-a-bet-beside",
    (3, 4),
    (SEAT, 17, 0, 0),
    bet(press(18, 1, 60, 1030), 2500, 4),
)
tell_report(
    "report-the-largest-amount",
    (3, 5),
    (SEAT, 18, 0, 0),
    bet(press(19, 1, 60, 70_000), 4294967295, 0),
)
tell_report(
    "report-four-waiting",
    (3, 255),
    (SEAT, 19, 1 << 4 | 1 << 9, 2),
    press(20, 5, 61, 900),
    press(21, 5, 61, 700),
    press(22, 5, 61, 500),
    press(23, 10, 0, 0),
)
tell_report("report-of-the-dealer", (32, 10), (DEALER, 4, 0, 0), press(5, 14, 7, 3))
tell_what_is_read("00 06 03 01 01 b6 dc 00")
tell_what_is_read("00 04 03 02 02 01 01 01 01 01 01 01 01 01 01 01 01 01 03 fb 7a 00")
tell_what_is_read("00 04 03 03 02 01 01 02 3a 04 f8 5e a7 02 03 01 01 04 10 e6 6f 00")
tell_what_is_read("00 04 20 0a 02 01 01 03 07 44 05 de a1 e2 01 01 01 04 04 2e 7e 00")
