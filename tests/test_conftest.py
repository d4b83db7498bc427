"""The watch over tests: one that leaves something running is told so."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

LEAVES_A_THREAD = """
import threading

def test_that_leaves_a_thread():
    threading.Thread(target=threading.Event().wait, name="stray", daemon=True).start()
"""
ENDS_ITS_THREAD = """
import threading

def test_that_ends_its_thread():
    threading.Thread(target=threading.Event().wait, args=(0.01,)).start()
"""
LEAVES_A_TASK = """
import asyncio

async def test_that_leaves_a_task():
    waiting = asyncio.Event().wait()
    test_that_leaves_a_task.kept = asyncio.create_task(waiting, name="stray")
"""
CANCELS_ITS_TASK = """
import asyncio

async def test_that_cancels_its_task():
    asyncio.create_task(asyncio.Event().wait()).cancel()
"""
TWO_PROOFS = """
import pytest

@pytest.mark.prove
def test_long(request):
    assert request.node.get_closest_marker("timeout").args == (3600,)

@pytest.mark.prove
@pytest.mark.timeout(5)
def test_with_its_own_time(request):
    assert request.node.get_closest_marker("timeout").args == (5,)

def test_short(request):
    assert request.node.get_closest_marker("timeout") is None
"""


@pytest.fixture
def watched(pytester: pytest.Pytester) -> pytest.Pytester:
    """Return a project whose tests are watched as ours are."""
    pytester.makeconftest(Path(__file__).with_name("conftest.py").read_text())
    pytester.makepyprojecttoml("""
        [tool.pytest]
        asyncio_mode = "auto"
        markers = ["prove: long"]
    """)
    return pytester


def test_what_a_test_leaves_running_is_an_error_and_what_ends_with_it_is_none(
    watched: pytest.Pytester,
) -> None:
    # Each is a file, and all are one run: starting pytest is most of the time.
    watched.makepyfile(
        test_thread_stays=LEAVES_A_THREAD,
        test_task_stays=LEAVES_A_TASK,
        test_thread_ends=ENDS_ITS_THREAD,
        test_task_ends=CANCELS_ITS_TASK,
    )
    result = watched.runpytest_subprocess("-p", "no:randomly")
    result.assert_outcomes(passed=4, errors=2)
    for kind in ("task", "thread"):
        result.stdout.fnmatch_lines(
            [
                f"*ERROR at teardown of test_that_leaves_a_{kind}*",
                f"*{kind}s left behind: stray*",
            ]
        )


def test_a_proof_has_an_hour_unless_it_names_its_own_time(
    watched: pytest.Pytester,
) -> None:
    watched.makepyfile(TWO_PROOFS)
    watched.runpytest_subprocess().assert_outcomes(passed=3)
