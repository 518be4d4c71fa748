"""Keeps the vector index in step with the database in the background, and checks it when idle."""

import asyncio
from dataclasses import dataclass
from typing import Final

from intaglio.base.errors import UnavailableError
from intaglio.base.log import get_logger
from intaglio.store.database import Database
from intaglio.store.vectors.index import VectorIndex

# Commits in quick succession are applied together.
_GATHER_S: Final = 0.2
_IDLE_S: Final = 5.0
_RETRY_S: Final = 5.0
_CHECKS: Final = 20
_GROWTH: Final = 1.2


@dataclass(slots=True)
class IndexSync:
    """Builds the index when needed, applies commits, and compares it with exact search."""

    db: Database
    vectors: VectorIndex
    _loop: asyncio.AbstractEventLoop | None = None
    _news: asyncio.Event | None = None
    _checks: int = _CHECKS
    _checked: int = 0

    def __post_init__(self) -> None:
        self.db.watch("memories", self._touched)
        self.vectors.when_needed(self._wake_threadsafe)

    def _touched(self, generation: int, seqs: frozenset[int] | None) -> None:
        self.vectors.touched(generation, seqs)
        self._wake_threadsafe()

    def _wake_threadsafe(self) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.wake)

    def wake(self) -> None:
        """Update the index now; call on the event loop's thread."""
        if self._news is not None:
            self._news.set()

    def rebuild(self) -> None:
        """Rebuild the index from the table; the current one serves until the new one is ready."""
        self.vectors.touched(self.db.generation, None)
        self.wake()

    async def run(self) -> None:
        """Run until cancelled."""
        self._loop, self._news = asyncio.get_running_loop(), asyncio.Event()
        try:
            while True:
                self._news.clear()
                await self._follow()
                await self._wait(self._news)
        finally:
            self._loop = self._news = None

    async def _follow(self) -> None:
        try:
            left = True
            while left:
                left = await self.db.read(self.vectors.upkeep)
        except UnavailableError as error:
            get_logger("embedding").warning(
                "index update failed; retrying later", reason=error.detail
            )
            await asyncio.sleep(_RETRY_S)

    async def _wait(self, news: asyncio.Event) -> None:
        while not news.is_set():
            try:
                async with asyncio.timeout(_IDLE_S if self._due() else None):
                    await news.wait()
            except TimeoutError:
                await self._check()
        await asyncio.sleep(_GATHER_S)

    def _due(self) -> bool:
        state = self.vectors.state
        if state.vectors > self._checked * _GROWTH or state.recall is None:
            self._checks, self._checked = max(self._checks, _CHECKS), state.vectors
        return state.vectors > 0 and self._checks > 0

    async def _check(self) -> None:
        self._checks -= 1
        before = self.vectors.state.candidates
        try:
            await self.db.read(self.vectors.check)
        except UnavailableError:
            return
        after = self.vectors.state.candidates
        if after != before:
            get_logger("embedding").warning("using more candidates", candidates=after)
