"""The console's words about who speaks: `login ID`, `witness ID`, `lift ID`, `logout`.

A PIN is asked for apart, so that it is never part of a line: lines stay on the screen
and in the terminal's history.
"""

from collections.abc import Callable
from typing import Final

from controller.cli.control_client import ControlClient, Reply

LOGIN_WORDS: Final = ("login ID", "witness ID", "lift ID", "logout")


def login_reply(
    client: ControlClient, line: str, ask_pin: Callable[[], str]
) -> Reply | None:
    """Do a line that is about who speaks; None for any other line.

    Raises:
        NoTableError: The table left, or did not answer in time.

    """
    match line.split():
        case ["login", name]:
            return client.request({"login": name, "pin": ask_pin()})
        case ["witness", name]:
            return client.request({"witness": name, "pin": ask_pin()})
        case ["lift", name]:
            return client.request({"lift": name})
        case ["logout"]:
            return client.request({"logout": True})
        case ["login" | "witness" | "lift" as word, *_]:
            return Reply(error=f"expected {word} and an id alone; a PIN is asked for")
        case _:
            return None
