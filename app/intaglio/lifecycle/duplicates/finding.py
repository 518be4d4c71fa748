"""Finds duplicates: exact ones by their hash, others by vectors and then by words."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Protocol, TypeVar

from intaglio.embedding.runner import EmbeddingRunner
from intaglio.lifecycle.duplicates import rows
from intaglio.lifecycle.duplicates.judging import choose_kept, say_alike
from intaglio.lifecycle.duplicates.rows import CompareScope, EmbeddedMemory
from intaglio.lifecycle.duplicates.similar_pairs import find_pairs
from intaglio.memory import rows as memories
from intaglio.memory.values import Memory
from intaglio.store.database import Database
from intaglio.store.vectors.values import Model

T = TypeVar("T")

_ROWS_PER_READ: Final = 2_000
_PAIRS_PER_READ: Final = 200


class InThread(Protocol):
    """Runs work in a thread."""

    def __call__(self, work: Callable[[], T], /) -> Awaitable[T]:
        """Return the work's result."""
        ...


@dataclass(frozen=True, slots=True)
class DuplicatePair:
    """A memory that says the same as one that is kept, and the versions that were compared."""

    kept: str
    gone: str
    kept_version: int
    gone_version: int


@dataclass(frozen=True, slots=True)
class ScanPosition:
    """Where a scan goes on: a scope, and the number of its memories that are compared."""

    scope: CompareScope
    start: int


@dataclass(frozen=True, slots=True)
class ScanExtent:
    """How much a scan finds and how long it takes at most; where it begins, None for the start."""

    limit: int
    most_s: float
    begin: ScanPosition | None


@dataclass(slots=True)
class DuplicatesFound:
    """The duplicates of a scan; ``rest`` is where it ended, None if it's complete.

    No memory is kept for one that is forgotten itself.
    """

    all: list[DuplicatePair] = field(default_factory=list[DuplicatePair])
    rest: ScanPosition | None = None
    kept: set[str] = field(default_factory=set[str])
    gone: set[str] = field(default_factory=set[str])

    def add(self, one: Memory, other: Memory) -> None:
        """Add a pair that says the same, unless one of both is spoken for."""
        chosen = choose_kept(one, other)
        if chosen is None:
            return
        kept, gone = chosen
        if kept.id in self.gone or gone.id in self.gone or gone.id in self.kept:
            return
        self.kept.add(kept.id)
        self.gone.add(gone.id)
        self.all.append(DuplicatePair(kept.id, gone.id, kept.version, gone.version))


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateFinder:
    """Scans all memories for duplicates, a scope at a time; ``seconds`` is a monotonic clock."""

    db: Database
    embed: EmbeddingRunner
    in_thread: InThread
    seconds: Callable[[], float]

    async def exact(self, limit: int) -> DuplicatesFound:
        """Find memories with the same content in one scope."""
        found = DuplicatesFound()
        groups = await self.db.read(lambda tx: rows.exact(tx, limit))
        for group in groups:
            known = await self.db.read(partial(memories.by_ids, ids=group))
            first, *others = sorted(known.values(), key=lambda memory: memory.seq)
            for other in others:
                found.add(first, other)
        return found

    async def in_other_words(
        self, found: DuplicatesFound, threshold: float, extent: ScanExtent
    ) -> DuplicatesFound:
        """Add memories with alike vectors whose words say the same."""
        model = self.embed.model
        if model is None:
            return found
        ends, begin, limit = self.seconds() + extent.most_s, extent.begin, extent.limit
        for scope in await self.db.read(rows.scopes):
            if begin is not None and scope < begin.scope:
                continue
            start = begin.start if begin is not None and scope == begin.scope else 0
            if len(found.all) >= limit or self.seconds() >= ends:
                found.rest = ScanPosition(scope, start)
                break
            rest = await self._scan(found, (scope, model), threshold, start, ends)
            if len(found.all) > limit:
                # The others are found again once these are forgotten.
                rest = start
            if rest is not None:
                found.rest = ScanPosition(scope, rest)
                break
        del found.all[limit:]
        return found

    async def _scan(
        self,
        found: DuplicatesFound,
        of: tuple[CompareScope, Model],
        threshold: float,
        start: int,
        ends: float,
    ) -> int | None:
        scope, model = of
        compared = await self._embedded(scope, model)

        def find() -> tuple[tuple[tuple[int, int, float], ...], int | None]:
            vectors = [each.vector for each in compared]
            pairs = find_pairs(
                vectors, model.dimensions, threshold, start, lambda: self.seconds() >= ends
            )
            return pairs.pairs, pairs.ended_at

        pairs, rest = await self.in_thread(find)
        for first in range(0, len(pairs), _PAIRS_PER_READ):
            some = [
                (compared[one].id, compared[other].id)
                for one, other, _ in pairs[first : first + _PAIRS_PER_READ]
            ]
            await self._judge(found, some)
        return rest

    async def _judge(self, found: DuplicatesFound, pairs: Sequence[tuple[str, str]]) -> None:
        ids = {each for pair in pairs for each in pair}
        known = await self.db.read(partial(memories.by_ids, ids=ids))

        def same() -> list[tuple[Memory, Memory]]:
            return [
                (known[one], known[other])
                for one, other in pairs
                if one in known
                and other in known
                and say_alike(known[one].content, known[other].content)
            ]

        for one, other in await self.in_thread(same):
            found.add(one, other)

    async def _embedded(self, scope: CompareScope, model: Model) -> list[EmbeddedMemory]:
        found: list[EmbeddedMemory] = []
        while True:
            after = found[-1].seq if found else -1
            some = await self.db.read(
                partial(rows.embedded, scope=scope, model=model, after=after, limit=_ROWS_PER_READ)
            )
            found += some
            if len(some) < _ROWS_PER_READ:
                return found
