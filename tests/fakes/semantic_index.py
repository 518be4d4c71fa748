"""A database with the embed stage and the vector index over it, driven step by step."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from fakes.embedder import HashEmbedder, MoodyEmbedder
from fakes.store import Bench, bench
from intaglio.base.settings.values import QueueSettings
from intaglio.embedding.embed import EmbeddingRunner
from intaglio.embedding.index_sync import IndexSync
from intaglio.embedding.job_types import EMBEDDING_TYPES
from intaglio.embedding.tracker import Tracker
from intaglio.embedding.values import Identity
from intaglio.embedding.vector_sets import VectorSets
from intaglio.inference.cache import QueryVectors
from intaglio.inference.ports import Embedder
from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import Job
from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter, narrowing
from intaglio.memory.values import Actor
from intaglio.pipeline.ingest import Kept, Remember
from intaglio.store.tx import WriteTx
from intaglio.store.vectors.index import Vectors
from intaglio.store.vectors.values import Matches, Probe

ACTOR = Actor("tester")


@dataclass
class Passing:
    """Seconds that pass only when told."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Index:
    """The rooms that take part in search by meaning."""

    room: Bench
    vectors: Vectors
    index_sync: IndexSync
    embedder: HashEmbedder
    embed: EmbeddingRunner
    seconds: Passing
    sets: VectorSets
    tracker: Tracker

    async def begin(self) -> None:
        """Take up what is stored and look for gaps, as a start of the daemon does."""
        await self.embed.begin()
        await self.sets.begin()
        await self.tracker.cycle()

    async def remember(self, content: str, **fields: object) -> str:
        command = replace(Remember(content=content, actor=ACTOR), **fields)  # type: ignore[arg-type]  # fields are those of Remember
        kept = await self.room.ingest.remember(command)
        assert isinstance(kept, Kept)
        return kept.id

    async def work(self, rounds: int = 1) -> int:
        """Do the jobs that are ready, as the worker would; return how many were taken."""
        taken = 0
        for _ in range(rounds):
            room, token = self.embed.capacity, self.room.stamp.new_id()
            if room == 0:
                break

            def lease(tx: WriteTx, most: int = room, token: str = token) -> tuple[Job, ...]:
                wanted = [(each, most) for each in EMBEDDING_TYPES]
                return jobs.lease(tx, wanted, token, self.room.clock())

            found = await self.room.db.write(lease)
            if not found:
                break
            taken += len(found)
            await self.embed.run(found)
        return taken

    def forward(self, seconds: float) -> None:
        """Let time pass for clock and back-off alike."""
        self.seconds.now += seconds
        self.room.clock.forward(seconds=seconds)

    async def follow(self) -> None:
        """Bring the index in step."""
        while await self.room.db.read(self.vectors.upkeep):
            pass

    def probe(self, text: str, wanted: Filter, limit: int = 10, *, exact: bool = False) -> Probe:
        return Probe(
            vector=self.embedder.vector(text),
            limit=limit,
            among=narrowing(wanted),
            exact=exact,
        )

    async def search(
        self, text: str, wanted: Filter | None = None, limit: int = 10, *, exact: bool = False
    ) -> Matches:
        probe = self.probe(text, wanted or Filter(), limit, exact=exact)
        return await self.room.db.read(lambda tx: self.vectors.search(tx, probe))

    async def found(self, text: str, wanted: Filter | None = None, limit: int = 10) -> list[str]:
        """Return the contents that are found, best first."""
        matches = await self.search(text, wanted, limit)
        held = await self.room.db.read(lambda tx: memories.by_seq(tx, list(matches.cosines)))
        return [held[seq].content for seq in matches.cosines]


@asynccontextmanager
async def indexed(
    folder: Path, embedder: HashEmbedder | None = None, small: int = 0
) -> AsyncGenerator[Index]:
    """Open a database in the folder with its index; nothing runs by itself."""
    async with bench(folder) as room:
        yield await over(room, embedder or MoodyEmbedder(), small)


def nobody(_: Identity) -> Embedder | None:
    """Know no former model's embedder."""
    return None


async def over(
    room: Bench,
    embedder: HashEmbedder,
    small: int = 0,
    former: Callable[[Identity], Embedder | None] = nobody,
) -> Index:
    """Put the index over an open database, as a start of the daemon does."""
    vectors = Vectors(lambda count: count // 2, small=small)
    vectors.need()
    seconds = Passing()
    embed = EmbeddingRunner(
        db=room.db,
        embedder=embedder,
        stamp=room.stamp,
        random=lambda: 0.0,
        monotonic_s=seconds,
        timeout_s=0.05,
        grace_s=0.0,
    )
    sets = VectorSets(
        db=room.db,
        embed=embed,
        vectors=vectors,
        questions=QueryVectors(embedder),
        former=former,
    )
    tracker = Tracker(db=room.db, embed=embed, sets=sets, stamp=room.stamp, settings=QueueSettings)
    index = Index(
        room, vectors, IndexSync(room.db, vectors), embedder, embed, seconds, sets, tracker
    )
    await index.begin()
    return index
