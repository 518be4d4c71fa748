"""Finds memories that lack a vector and have no job to make one, and queues them in batches."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from intaglio.base.errors import UnavailableError
from intaglio.base.log import get_logger
from intaglio.embedding import rows
from intaglio.embedding.job_types import EMBEDDING_TYPE_NAMES, REEMBED
from intaglio.embedding.runner import EmbeddingRunner
from intaglio.embedding.settings import TrackerSettings
from intaglio.embedding.vector_sets import VectorSets
from intaglio.jobs import rows as jobs
from intaglio.memory.operations import ChangeContext
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx
from intaglio.store.vectors.values import Model

# The queue is filled up to the first number when it falls below the second: rows take space.
_FULL: Final = 500
_LOW: Final = 128


@dataclass(frozen=True, slots=True)
class TrackerState:
    """What the tracker has done since the start; ``queued`` jobs of its type are pending."""

    running: bool
    processed: int
    failed: int
    skipped: int
    last_cycle_at: str | None
    queued: int


@dataclass(slots=True, kw_only=True)
class EmbeddingTracker:
    """Looks for gaps periodically, and without pauses while there are many.

    Gaps are found in the memories themselves, so it resumes after a crash. If there are none, the
    configured model's vectors are complete (see `vector_sets.py`).
    """

    db: Database
    embed: EmbeddingRunner
    sets: VectorSets
    context: ChangeContext
    settings: Callable[[], TrackerSettings]
    _loop: asyncio.AbstractEventLoop | None = None
    _news: asyncio.Event | None = None
    _more: bool = False
    _skipped: int = 0
    _last: str | None = None
    _queued: int = 0

    def __post_init__(self) -> None:
        self.db.watch("jobs", self._touched)

    @property
    def state(self) -> TrackerState:
        """The current state."""
        return TrackerState(
            running=self._loop is not None and self.settings().enabled,
            processed=self.embed.made,
            failed=self.embed.given_up,
            skipped=self._skipped,
            last_cycle_at=self._last,
            queued=self._queued,
        )

    def _touched(self, _generation: int, _rows: frozenset[int] | None) -> None:
        # Only while more is expected; otherwise every job of the day would wake it.
        if self._more and self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.wake)

    def wake(self) -> None:
        """Look for gaps now; call on the event loop's thread."""
        if self._news is not None:
            self._news.set()

    async def run(self) -> None:
        """Run until cancelled."""
        self._loop, self._news = asyncio.get_running_loop(), asyncio.Event()
        try:
            while True:
                self._news.clear()
                await self._look()
                try:
                    async with asyncio.timeout(self.settings().poll_ms / 1_000):
                        await self._news.wait()
                except TimeoutError:
                    continue
        finally:
            self._loop = self._news = None

    async def _look(self) -> None:
        if not self.settings().enabled or not self.embed.is_on or self.embed.rest_s > 0:
            self._skipped += 1
            return
        try:
            await self.fill_if_low()
        except UnavailableError as error:
            self._skipped += 1
            get_logger("embedding").debug("tracker paused", reason=error.detail)

    async def fill_if_low(self) -> int:
        """Fill up the queue if it is low; return how many jobs were added.

        If nothing but failed jobs lacks a vector, the set is complete.
        """
        self._last = self.context.now
        embedder, model = self.embed.embedder, self.embed.model
        self._queued = await self.db.read(lambda tx: jobs.count_open(tx, REEMBED.name))
        if self._queued > _LOW:
            return 0
        found = await self._gaps(model, _FULL - self._queued)
        if found:
            await self.db.write(lambda tx: self._enqueue(tx, found))
            self._queued += len(found)
        self._more = bool(self._queued)
        unchanged = embedder is self.embed.embedder and model == self.embed.model
        if self._queued == 0 and unchanged:
            await self.sets.whole()
        return len(found)

    async def fill(self, most: int) -> int:
        """Queue up to ``most`` gaps, however full the queue is; return how many."""
        model = self.embed.model
        found = await self._gaps(model, most)
        if found:
            await self.db.write(lambda tx: self._enqueue(tx, found))
        return len(found)

    async def _gaps(self, model: Model | None, most: int) -> list[str]:
        return await self.db.read(lambda tx: rows.gaps(tx, model, EMBEDDING_TYPE_NAMES, most))

    def _enqueue(self, tx: WriteTx, ids: list[str]) -> None:
        for id_ in ids:
            jobs.enqueue(tx, REEMBED, id_, self.context.now)
