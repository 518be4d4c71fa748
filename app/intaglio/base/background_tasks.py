"""Work that nobody waits for: kept alive, its failure logged, finished before the end."""

import asyncio
from collections.abc import Awaitable

from intaglio.base.errors import UnavailableError
from intaglio.base.log import get_logger


class BackgroundTasks:
    """Holds what was started and is not awaited."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Awaitable[None]) -> None:
        """Let the work go on; its failure goes to the log."""
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
                get_logger("background").info("left undone", reason=failure.detail)
            case _:
                get_logger("background").error("failed", exc_info=failure)

    async def finish(self, seconds: float) -> None:
        """Wait at most that long for what was started."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)


async def _done(work: Awaitable[None]) -> None:
    await work
