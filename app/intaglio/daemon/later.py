"""Work that nobody waits for: kept alive, its failure logged, finished before the end."""

import asyncio
from collections.abc import Awaitable

from intaglio.base.errors import UnavailableError
from intaglio.base.log import get_logger


class Later:
    """Holds what was begun and not awaited."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def take(self, work: Awaitable[None]) -> None:
        """Let the work go on; a failure of it goes to the log."""
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
                get_logger("later").info("left undone", reason=failure.detail)
            case _:
                get_logger("later").error("failed", exc_info=failure)

    async def finish(self, seconds: float) -> None:
        """Wait that long for what is begun."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)


async def _done(work: Awaitable[None]) -> None:
    await work
