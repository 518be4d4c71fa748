"""The repairs of embeddings: missing ones, those of no memory, and the index in memory."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from intaglio.base.text import count_of
from intaglio.domain.repair import Repair, RepairOptions, RepairResult
from intaglio.embedding import rows
from intaglio.embedding.index_sync import IndexSync
from intaglio.embedding.job_types import EMBEDDING_TYPE_NAMES
from intaglio.embedding.tracker import EmbeddingTracker
from intaglio.jobs import rows as jobs
from intaglio.memory.embedding_model_rows import correct_models, count_incorrect_models
from intaglio.memory.operations import ChangeContext
from intaglio.store import orphans
from intaglio.store.database import Database
from intaglio.store.tx import WriteTx

_BATCH: Final = 500
_EMBEDDED_AT_ONCE: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingRepairs:
    """The repairs; ``recheck`` tries a failed model again, ``done`` runs after each repair."""

    db: Database
    context: ChangeContext
    tracker: EmbeddingTracker
    index_sync: IndexSync
    recheck: Callable[[], Awaitable[None]]
    done: Callable[[], None]

    def declare(self) -> tuple[Repair, ...]:
        """Return the declarations of the repairs."""
        return (
            Repair(
                action="re-embed",
                title="Embed what lacks an embedding",
                text="Queues memories that lack an embedding, and checks a failed model again.",
                budget="embedding",
                count=self._count_lacking,
                run=self._re_embed,
                is_heavy=True,
            ),
            Repair(
                action="resync-vec",
                title="Rebuild the index of embeddings",
                text="Corrects which model each memory counts as embedded by, and rebuilds the "
                "index in memory.",
                budget="embedding",
                count=self._count_unsynced,
                run=self._resync,
                is_heavy=True,
            ),
            Repair(
                action="clean-orphans",
                title="Delete orphan rows",
                text="Deletes embeddings of no memory, and rows that refer to rows which are gone.",
                budget="embedding",
                count=self._count_orphans,
                run=self._clean_orphans,
            ),
        )

    async def _count_lacking(self, options: RepairOptions) -> RepairResult:
        model = self.tracker.embed.model
        lacking = await self.db.read(lambda tx: rows.count_lacking(tx, model))
        most = lacking if options.everything else options.limit or _EMBEDDED_AT_ONCE
        return RepairResult(
            affected=min(lacking, most),
            message=count_of(lacking, "memory isn't embedded", "memories aren't embedded"),
        )

    async def _re_embed(self, options: RepairOptions) -> RepairResult:
        """Queue memories that lack a vector: those with failed or discarded jobs, then others."""
        await self.recheck()
        count = await self._revive()
        most = options.limit or _EMBEDDED_AT_ONCE
        while options.everything or count < most:
            found = await self.tracker.fill(
                _BATCH if options.everything else min(most - count, _BATCH)
            )
            count += found
            if found == 0:
                break
        self.tracker.wake()
        self.done()
        return RepairResult(affected=count, message=f"{count} queued")

    async def _revive(self) -> int:
        count = 0
        for name in EMBEDDING_TYPE_NAMES:

            def step(tx: WriteTx, name: str = name) -> int:
                jobs.delete_discarded(tx, name)
                return jobs.retry_all(tx, name, self.context.now)

            while revived := await self.db.write(step):
                count += revived
        return count

    async def _count_unsynced(self, _: RepairOptions) -> RepairResult:
        model = self.tracker.embed.model
        number = model.id if model else None
        count = await self.db.read(lambda tx: count_incorrect_models(tx, number))
        return RepairResult(
            affected=count,
            message=count_of(count, "memory counts", "memories count")
            + " as embedded by another model",
        )

    async def _resync(self, _: RepairOptions) -> RepairResult:
        model, after, count = self.tracker.embed.model, -1, 0
        number = model.id if model else None
        while found := await self.db.write(
            partial(correct_models, model=number, after=after, limit=_BATCH)
        ):
            after, count = found[0], count + found[1]
        self.index_sync.rebuild()
        self.tracker.wake()
        self.done()
        return RepairResult(
            affected=count,
            message=count_of(count, "memory", "memories")
            + " corrected; the index is being rebuilt",
        )

    async def _count_orphans(self, _: RepairOptions) -> RepairResult:
        unused = await self.db.read(rows.count_unused)
        others = await self.db.read(orphans.count)
        return RepairResult(
            affected=unused + others,
            message=count_of(unused, "embedding belongs", "embeddings belong")
            + f" to no memory, {count_of(others, 'row', 'rows')} to rows that are gone",
        )

    async def _clean_orphans(self, _: RepairOptions) -> RepairResult:
        after, count = -1, 0
        while found := await self.db.write(partial(rows.delete_unused, after=after, limit=_BATCH)):
            after, count = found[0], count + found[1]
        count += await orphans.delete(self.db)
        self.done()
        return RepairResult(affected=count, message=f"{count} deleted")
