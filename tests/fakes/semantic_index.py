"""A database with the embed stage and the vector index over it, driven step by step."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from fakes.embedder import HashEmbedder, MoodyEmbedder
from fakes.store import Bench, bench
from intaglio.embedding.index_sync import IndexSync
from intaglio.embedding.job_types import EMBEDDING_TYPES
from intaglio.embedding.runner import EmbeddingRunner
from intaglio.embedding.settings import TrackerSettings
from intaglio.embedding.tracker import EmbeddingTracker
from intaglio.embedding.values import VectorSetIdentity
from intaglio.embedding.vector_sets import VectorSets
from intaglio.inference.cache import QueryVectors
from intaglio.inference.ports import Embedder
from intaglio.jobs import rows as jobs
from intaglio.jobs.job_type import Job
from intaglio.memory import rows as memories
from intaglio.memory.filters import Filter, vector_filter
from intaglio.memory.values import Actor
from intaglio.pipeline.ingest import Remember, Saved
from intaglio.store.tx import WriteTx
from intaglio.store.vectors.index import VectorIndex
from intaglio.store.vectors.values import VectorMatches, VectorQuery

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

    store: Bench
    vectors: VectorIndex
    index_sync: IndexSync
    embedder: HashEmbedder
    embed: EmbeddingRunner
    seconds: Passing
    sets: VectorSets
    tracker: EmbeddingTracker

    async def begin(self) -> None:
        """Take up what is stored and look for gaps, as a start of the daemon does."""
        await self.embed.begin()
        await self.sets.begin()
        await self.tracker.fill_if_low()

    async def remember(self, content: str, **fields: object) -> str:
        command = replace(Remember(content=content, actor=ACTOR), **fields)  # type: ignore[arg-type]  # fields are those of Remember
        kept = await self.store.ingest.remember(command)
        assert isinstance(kept, Saved)
        return kept.id

    async def work(self, rounds: int = 1) -> int:
        """Do the jobs that are ready, as the worker would; return how many were taken."""
        taken = 0
        for _ in range(rounds):
            capacity, token = self.embed.capacity, self.store.context.new_id()
            if capacity == 0:
                break

            def lease(tx: WriteTx, most: int = capacity, token: str = token) -> tuple[Job, ...]:
                wanted = [(each, most) for each in EMBEDDING_TYPES]
                return jobs.lease(tx, wanted, token, self.store.clock())

            found = await self.store.db.write(lease)
            if not found:
                break
            taken += len(found)
            await self.embed.run(found)
        return taken

    def forward(self, seconds: float) -> None:
        """Let time pass for clock and back-off alike."""
        self.seconds.now += seconds
        self.store.clock.forward(seconds=seconds)

    async def follow(self) -> None:
        """Bring the index in step."""
        while await self.store.db.read(self.vectors.update):
            pass

    def probe(
        self, text: str, filters: Filter, limit: int = 10, *, exact: bool = False
    ) -> VectorQuery:
        return VectorQuery(
            vector=self.embedder.vector(text),
            limit=limit,
            filter=vector_filter(filters),
            exact=exact,
        )

    async def search(
        self, text: str, wanted: Filter | None = None, limit: int = 10, *, exact: bool = False
    ) -> VectorMatches:
        probe = self.probe(text, wanted or Filter(), limit, exact=exact)
        return await self.store.db.read(lambda tx: self.vectors.search(tx, probe))

    async def found(self, text: str, wanted: Filter | None = None, limit: int = 10) -> list[str]:
        """Return the contents that are found, best first."""
        matches = await self.search(text, wanted, limit)
        held = await self.store.db.read(lambda tx: memories.by_seq(tx, list(matches.cosines)))
        return [held[seq].content for seq in matches.cosines]


@asynccontextmanager
async def indexed(
    folder: Path, embedder: HashEmbedder | None = None, small: int = 0
) -> AsyncGenerator[Index]:
    """Open a database in the folder with its index; nothing runs by itself."""
    async with bench(folder) as store:
        yield await over(store, embedder or MoodyEmbedder(), small)


def nobody(_: VectorSetIdentity) -> Embedder | None:
    """Know no former model's embedder."""
    return None


async def over(
    store: Bench,
    embedder: HashEmbedder,
    small: int = 0,
    former: Callable[[VectorSetIdentity], Embedder | None] = nobody,
) -> Index:
    """Put the index over an open database, as a start of the daemon does."""
    vectors = VectorIndex(lambda count: count // 2, small=small)
    vectors.request_build()
    seconds = Passing()
    embed = EmbeddingRunner(
        db=store.db,
        embedder=embedder,
        context=store.context,
        random=lambda: 0.0,
        monotonic_s=seconds,
        timeout_s=0.05,
        grace_s=0.0,
    )
    sets = VectorSets(
        db=store.db,
        embed=embed,
        vectors=vectors,
        questions=QueryVectors(embedder),
        former=former,
    )
    tracker = EmbeddingTracker(
        db=store.db, embed=embed, sets=sets, context=store.context, settings=TrackerSettings
    )
    index = Index(
        store, vectors, IndexSync(store.db, vectors), embedder, embed, seconds, sets, tracker
    )
    await index.begin()
    return index
