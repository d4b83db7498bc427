"""The document of the control socket says what the program does."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any, Final

from controller.runtime.by_hand import IDLE_AFTER_S, SILENT_AFTER_S
from controller.runtime.control_connection import UNSENT_MAX_BYTES
from controller.runtime.control_lines import LINE_MAX_BYTES
from controller.runtime.control_socket import CONNECTIONS_MAX, ControlSocket
from controller.runtime.health import Counters
from controller.runtime.logs import json_lines, logger_to
from controller.runtime.people import People, people_of
from controller.runtime.speakers import (
    FAILURES_MAX,
    LAPSES_AFTER_S,
    WITNESS_VALID_S,
)
from hw_config.schema import Kind
from tests.runtime.clocks import StandingClock
from tests.runtime.engines import CoreEngine
from tests.runtime.lineups import list_people, speakers
from tests.runtime.sinks import Lines
from tests.runtime.tables import state_after
from tests.runtime.technicians import NoDevices

DOCUMENT: Final = Path(__file__).parents[2] / "docs/control-socket.md"
TEXT: Final = DOCUMENT.read_text()
BOUND_S: Final = 5.0


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


def as_shown(answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer as the document shows it: only the first words of a view."""
    if "view" in answer:
        answer["view"] = {name: answer["view"][name] for name in ("table", "phase")}
    return answer


def unnumbered(lines: list[str]) -> list[str]:
    return [re.sub(r'"sequence": \d+', '"sequence": N', line) for line in lines]


async def played(
    path: Path, exchange: str, people: People, steps: str = "bet 1 25"
) -> list[str]:
    """Return an exchange as it really goes, asked and answered line by line."""
    engine = CoreEngine(state_after(steps))
    say = logger_to(Lines(), json_lines(StandingClock()))
    control = ControlSocket(
        engine,
        speakers(people, engine, say),
        say,
        Counters(),
        NoDevices(engine),
        seats=7,
    )
    heard = []
    async with asyncio.timeout(BOUND_S), await control.open(path):
        reader, writer = await asyncio.open_unix_connection(path)
        for line in exchange.splitlines():
            if line.startswith("> "):
                writer.write(line[2:].encode() + b"\n")
                heard.append(line)
            else:
                answer = as_shown(json.loads(await reader.readline()))
                heard.append(f"< {json.dumps(answer)}")
        writer.close()
        await writer.wait_closed()
    return heard


async def test_the_exchange_happens_as_it_is_written(tmp_path: Path) -> None:
    exchange, _, _ = blocks("")
    people = people_of(Kind.SIMULATION, None)
    heard = await played(tmp_path / "control.sock", exchange, people)
    # How many records a command leads to is the core's business.
    assert unnumbered(heard) == unnumbered(exchange.splitlines())


async def test_the_login_happens_as_it_is_written(tmp_path: Path) -> None:
    _, exchange, _ = blocks("")
    people = people_of(Kind.LIVE, list_people(tmp_path / "people.toml"))
    heard = await played(tmp_path / "control.sock", exchange, people)
    assert unnumbered(heard) == unnumbered(exchange.splitlines())


async def test_trying_by_hand_happens_as_it_is_written(tmp_path: Path) -> None:
    _, _, exchange = blocks("")
    people = people_of(Kind.SIMULATION, None)
    path = tmp_path / "control.sock"
    heard = await played(path, exchange, people, "shift close")
    assert unnumbered(heard) == unnumbered(exchange.splitlines())


def test_the_limits_are_those_of_the_program() -> None:
    assert f"at most {LINE_MAX_BYTES} bytes" in TEXT
    assert f"At most {CONNECTIONS_MAX} programs" in TEXT
    assert f"after\n  {LAPSES_AFTER_S:g} seconds without a line" in TEXT
    assert f'after {SILENT_AFTER_S:g} seconds without `"test_mode": "alive"`' in TEXT
    assert f"after {IDLE_AFTER_S:g}\n  seconds in which no lamp" in TEXT
    assert f"within {WITNESS_VALID_S:g} seconds" in TEXT
    assert f"After {FAILURES_MAX} refused logins" in TEXT
    assert f"{UNSENT_MAX_BYTES // 1024} KiB wait" in TEXT
