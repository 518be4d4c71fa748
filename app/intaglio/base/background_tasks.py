"""Tasks that nobody awaits: they are kept alive, their failures logged, and awaited at shutdown."""

import asyncio
from collections.abc import Awaitable

from intaglio.base.errors import UnavailableError
from intaglio.base.log import get_logger


class BackgroundTasks:
    """Runs tasks in the background and keeps references to them."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Awaitable[None]) -> None:
        """Start a task; if it fails, the failure is logged."""
        task = asyncio.ensure_future(_done(work))
        self._tasks.add(task)
        task.add_done_callback(self._settle)

    def _settle(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        failure = None if task.cancelled() else task.exception()
        match failure:
            case None:
                pass
            case UnavailableError():
                get_logger("background").info("skipped", reason=failure.detail)
            case _:
                get_logger("background").error("failed", exc_info=failure)

    async def finish(self, seconds: float) -> None:
        """Wait for running tasks, at most this many seconds."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)


async def _done(work: Awaitable[None]) -> None:
    await work
