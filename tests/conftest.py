"""What holds for every test: how hard to search, and that nothing is left behind."""

import asyncio
import inspect
import os
import threading
from collections.abc import AsyncIterator, Iterator

import pytest
from hypothesis import settings

# Shared machines stall; pytest-timeout bounds a test, so no example is bounded.
settings.register_profile("default", deadline=None)
# One commit gives one verdict: every run of CI tries the same examples.
settings.register_profile(
    "ci", deadline=None, derandomize=True, database=None, print_blob=True
)
settings.register_profile(
    "prove", deadline=None, max_examples=5_000, stateful_step_count=100
)
settings.load_profile("ci" if os.environ.get("CI") else "default")

PROOF_TIMEOUT_S = 3600
THREAD_END_TIMEOUT_S = 2.0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give a long proof its time, where it does not name its own."""
    for item in items:
        if item.get_closest_marker("prove") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(PROOF_TIMEOUT_S))


@pytest.fixture(autouse=True)
def nothing_left_running(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a thread or an asyncio task behind.

    Whatever runs on would act in the middle of a later test.
    """
    before = set(threading.enumerate())
    if inspect.iscoroutinefunction(getattr(request, "function", None)):
        request.getfixturevalue("no_task_left")
    yield
    left = [thread for thread in threading.enumerate() if thread not in before]
    for thread in left:
        thread.join(THREAD_END_TIMEOUT_S)
    alive = [thread.name for thread in left if thread.is_alive()]
    assert not alive, f"threads left behind: {', '.join(alive)}"


@pytest.fixture
async def no_task_left() -> AsyncIterator[None]:
    """Fail a coroutine test that leaves a task pending on its loop."""
    before = asyncio.all_tasks()
    yield
    here = asyncio.current_task()
    left = [task for task in asyncio.all_tasks() - before if task is not here]
    # One turn of the loop lets a task end that has only been told to.
    await asyncio.sleep(0)
    pending = [task.get_name() for task in left if not task.done()]
    assert not pending, f"tasks left behind: {', '.join(pending)}"
