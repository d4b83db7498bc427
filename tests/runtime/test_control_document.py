"""The document of the control socket says what the program does."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any, Final

from controller.core.ids import Role
from controller.runtime.control_lines import LINE_MAX_BYTES
from controller.runtime.control_socket import (
    CONNECTIONS_MAX,
    UNSENT_MAX_BYTES,
    ControlSocket,
)
from controller.runtime.health import Counters
from controller.runtime.logs import json_lines, logger_to
from controller.runtime.people import people_of
from hw_config.schema import Kind
from tests.runtime.clocks import StandingClock
from tests.runtime.engines import CoreEngine
from tests.runtime.sinks import Lines
from tests.runtime.tables import state_after

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


async def test_the_exchange_happens_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "control.sock"
    engine = CoreEngine(state_after("bet 1 25"))
    control = ControlSocket(
        engine,
        people_of(Kind.SIMULATION, None).person,
        logger_to(Lines(), json_lines(StandingClock())),
        Counters(),
        seats=7,
    )
    (exchange,) = blocks("")
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
    # How many records a command leads to is the core's business.
    assert unnumbered(heard) == unnumbered(exchange.splitlines())


def test_the_list_of_people_loads(tmp_path: Path) -> None:
    (sample,) = blocks("toml")
    file = tmp_path / "people.toml"
    file.write_text(sample)
    people = people_of(Kind.LIVE, file)
    assert people.person("S1").role is Role.SUPERVISOR
    assert people.person("D1").role is Role.DEALER


def test_the_limits_are_those_of_the_program() -> None:
    assert f"at most {LINE_MAX_BYTES} bytes" in TEXT
    assert f"At most {CONNECTIONS_MAX} programs" in TEXT
    assert f"{UNSENT_MAX_BYTES // 1024} KiB wait" in TEXT
