import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from simulators.rigs.controller_process import ControllerProcess
from simulators.rigs.errors import ControllerEndedError

BOUND_S = 60


@pytest.fixture
def process(tmp_path: Path) -> Iterator[ControllerProcess]:
    """A controller whose hardware file is not there, so that it ends by itself."""
    none = tmp_path / "none.toml"
    process = ControllerProcess(none, tmp_path / "journal", tmp_path / "log")
    yield process
    process.kill()


def watch(process: ControllerProcess) -> NoReturn:
    """Look at a controller until it is found to have ended."""
    while True:
        process.check()
        time.sleep(0.01)


def test_one_that_was_not_started_is_told(process: ControllerProcess) -> None:
    with pytest.raises(ControllerEndedError, match=r"was not started; .* none"):
        process.check()
    with pytest.raises(ControllerEndedError, match="was not started"):
        process.stop()
    process.kill()


@pytest.mark.timeout(BOUND_S)
def test_one_that_ends_by_itself_is_told_with_its_last_words(
    process: ControllerProcess,
) -> None:
    process.start()
    with pytest.raises(ControllerEndedError) as told:
        watch(process)
    assert "ended with status 2" in str(told.value)
    assert "none.toml: cannot be read: No such file or directory" in str(told.value)
    assert process.starts == 1
