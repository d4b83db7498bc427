"""Where the board starts: `main.py` beside this package calls `run`."""

from .board import Board, is_in_service, new_boot_id, serial_number
from .loop import codes_of, start
from .messages import Who
from .settings import ADDRESS, ROLE

MODEL = "RP2040"


def run() -> None:
    """Be a panel, for ever; or nothing, while the service jumper is in."""
    if is_in_service():
        return
    codes = codes_of(ROLE)
    who = Who(ADDRESS, ROLE, f"{MODEL}-{len(codes)}", serial_number())
    turns = start(Board(codes), who, new_boot_id())
    while True:
        turns.turn()
