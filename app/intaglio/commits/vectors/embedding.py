"""Embeds commit messages in the background, with the included model only."""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from intaglio.base.bus import EventBus
from intaglio.base.errors import UnavailableError
from intaglio.base.events import BusEvent, Changed
from intaglio.commits import rows as commits
from intaglio.commits.values import TOPIC, StoredCommit
from intaglio.commits.vectors import rows
from intaglio.commits.vectors.job_types import queue_commits
from intaglio.commits.vectors.rows import CommitVector
from intaglio.inference.background_embedding import embed_stored
from intaglio.inference.onnx import OnnxEmbedder, usable_model
from intaglio.inference.ports import Embedder, MemoryVector
from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import Job
from intaglio.memory.operations import ChangeContext
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.store.values import Ready

MOST_EMBEDDED: Final = 4_000
"""Of a project, so many commits have a vector: the newest. One takes about 10 ms of CPU."""
_EMBEDDED_CHARS: Final = 1_500
_AT_ONCE: Final = 16
# A job takes a few seconds, so that others get their turn.
_BATCHES: Final = 20
_LOOK_EVERY_S: Final = 300.0


@dataclass(frozen=True, slots=True)
class CommitEmbedding:
    """Runs jobs of type `embed_commits`, whose subject is a project.

    ``embedder`` is the configured one; ``bus`` tells of commits that were read.
    """

    db: Database
    bus: EventBus
    context: ChangeContext
    embedder: Callable[[], Embedder]

    def model(self) -> str:
        """Return what identifies vectors of the included model; empty if it isn't used."""
        return usable_model(self.embedder())

    async def run(self, job: Job) -> None:
        """Embed some of what a project's newest commits lack, and queue the rest."""
        has_more = True
        for _ in range(_BATCHES):
            has_more = await self._step(job.subject)
            if not has_more:
                break

        def finish(tx: WriteTx) -> None:
            jobs.complete(tx, job, self.context.now)
            if has_more:
                queue_commits(tx, job.subject, self.context.now)

        await self.db.write(finish)

    async def _step(self, project: str) -> bool:
        """Embed some commits; returns whether more are left."""
        embedder, model = self.embedder(), self.model()
        if not isinstance(embedder, OnnxEmbedder) or not model:
            return False

        def todo(tx: ReadTx) -> list[StoredCommit]:
            return commits.read_many(tx, rows.lacking(tx, project, model, MOST_EMBEDDED, _AT_ONCE))

        some = await self.db.read(todo)
        if not some:
            return False
        made = await embed_stored(embedder, [_text(each) for each in some])
        if made is None:
            return False
        new = [_vector(each, vector) for each, vector in zip(some, made, strict=True)]
        await self.db.write(lambda tx: rows.put(tx, model, new))
        return True

    async def keep_queued(self) -> None:
        """Queue what lacks a vector whenever commits were read, and every few minutes."""
        with self.bus.listen() as events:
            while True:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_LOOK_EVERY_S):
                        while not _is_of_commits(await events.get()):
                            pass
                with contextlib.suppress(UnavailableError):
                    await self.catch_up()

    async def catch_up(self) -> None:
        """Queue the projects whose newest commits lack a vector."""
        model = self.model()
        if not model or not isinstance(self.db.state, Ready):
            return

        def lacking(tx: ReadTx) -> list[str]:
            return [
                project
                for project in rows.projects(tx)
                if rows.lacking(tx, project, model, MOST_EMBEDDED, 1)
            ]

        found = await self.db.read(lacking)

        def queue(tx: WriteTx) -> None:
            for project in found:
                queue_commits(tx, project, self.context.now)

        if found:
            await self.db.write(queue)


def _is_of_commits(event: BusEvent) -> bool:
    return isinstance(event, Changed) and event.topic == TOPIC


def _text(commit: StoredCommit) -> str:
    return f"{commit.subject}\n{commit.body}"[:_EMBEDDED_CHARS]


def _vector(commit: StoredCommit, made: MemoryVector) -> CommitVector:
    return CommitVector(commit.seq, made.levels, made.pieces)
