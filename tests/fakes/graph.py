"""A store whose memories are linked as they are written, and its jobs done one lease at a time."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

from fakes.store import Bench, bench
from intaglio.base.settings.values import Settings
from intaglio.graph.settings import GraphSettings
from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import Job, JobRunner, JobType
from intaglio.memory.values import Actor
from intaglio.pipeline.ingest import Remember, Saved
from intaglio.store.tx import ReadTx, Row

ACTOR = Actor("tester")
_DEFAULT: Final = GraphSettings()


@asynccontextmanager
async def linked_store(folder: Path, settings: GraphSettings = _DEFAULT) -> AsyncGenerator[Bench]:
    """Open a store in which each change of a memory is linked in its transaction."""
    async with bench(folder) as store:
        store.context = replace(store.context, settings=lambda: Settings().having(settings))
        yield store


async def remember(store: Bench, content: str, **fields: object) -> str:
    """Keep a memory and return its id."""
    command = replace(Remember(content=content, actor=ACTOR), **fields)  # type: ignore[arg-type]  # fields are those of Remember
    kept = await store.ingest.remember(command)
    assert isinstance(kept, Saved), kept
    return kept.id


async def lease(store: Bench, type_: JobType, most: int = 1) -> tuple[Job, ...]:
    """Lease jobs as the worker does."""
    token = store.context.new_id()
    return await store.db.write(lambda tx: jobs.lease(tx, [(type_, most)], token, store.clock(), 3))


async def work(store: Bench, type_: JobType, runner: JobRunner) -> int:
    """Do the jobs of a type until none is ready; return how many leases that took."""
    leases = 0
    while found := await lease(store, type_, runner.capacity):
        await runner.run(found)
        leases += 1
        assert leases < 1_000
    return leases


async def query(store: Bench, sql: str, params: Sequence[str | int] = ()) -> list[Row]:
    """Return the rows of a statement."""

    def read(tx: ReadTx) -> list[Row]:
        return tx.all(sql, list(params))

    return await store.db.read(read)
