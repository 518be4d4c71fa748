"""The mean vectors of past sessions that are kept between searches."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import numpy as np
import pytest

from fakes.store import bench
from fakes.transcripts import HARNESS, Talks
from intaglio.recall.past.centroid_cache import CentroidCache, Centroids
from intaglio.store.tx import WriteTx
from intaglio.transcripts import rows
from intaglio.transcripts.vectors import rows as vectors
from intaglio.transcripts.vectors.values import VECTOR_BYTES, SpokenVector, packed

MODEL = "model"
AT = "2026-03-02T10:00:00.000Z"


class Kept:
    """Three sessions whose vectors point along the first, second and third axis."""

    def __init__(self, talks: Talks) -> None:
        self.talks = talks
        self.cache = CentroidCache()

    async def embed(self, transcript: int, axis: int, model: str = MODEL) -> None:
        vector = bytes(127 if at == axis else 0 for at in range(VECTOR_BYTES))

        def put(tx: WriteTx) -> None:
            last = rows.last_row(tx, transcript)
            spoken = packed(transcript, [SpokenVector(last, vector, b"")])
            vectors.put(tx, model, spoken, last)

        await self.talks.bench.db.write(put)

    async def write(self, sql: str, *values: int) -> None:
        await self.talks.bench.db.write(lambda tx: tx.execute(sql, values))

    async def axes(self, *wanted: int, model: str = MODEL) -> dict[int, int]:
        """Return the axis of each transcript's vector."""
        found = await self.talks.bench.db.read(lambda tx: self.cache.get(tx, model, wanted))
        return axes_of(found)

    def kept(self) -> set[int]:
        """Return the transcripts whose vectors are in memory."""
        held = self.cache._kept  # pyright: ignore[reportPrivateUsage] # nothing else shows it
        assert held is None or len(held.vectors.units) == len(held.places)
        return set() if held is None else {*held.places}


def axes_of(found: Centroids) -> dict[int, int]:
    where: Sequence[int] = np.argmax(found.units, axis=1).tolist() if found.transcripts else []
    return dict(zip(found.transcripts, where, strict=True))


@pytest.fixture
async def kept(tmp_path: Path) -> AsyncGenerator[Kept]:
    async with bench(tmp_path) as opened:
        made = Kept(Talks(opened))
        for number in range(1, 4):
            await made.talks.talk(f"s{number}", f"Session number {number} is about boats.")
            await made.embed(number, number)
        yield made


async def test_each_scope_gets_its_own_vectors(kept: Kept) -> None:
    assert await kept.axes(3, 1) == {3: 3, 1: 1}
    assert await kept.axes(2) == {2: 2}
    assert await kept.axes(1, 2, 3) == {1: 1, 2: 2, 3: 3}
    assert await kept.axes(3, 2, 1) == {1: 1, 2: 2, 3: 3}
    assert await kept.axes() == {}
    assert kept.kept() == {1, 2, 3}


async def test_a_session_without_vectors_has_none(kept: Kept) -> None:
    await kept.talks.talk("s4", "Nobody embedded this one yet.")
    assert await kept.axes(4) == {}
    assert await kept.axes(4, 2) == {2: 2}


async def test_a_session_that_is_embedded_anew_is_read_again(kept: Kept) -> None:
    assert await kept.axes(1, 2) == {1: 1, 2: 2}
    await kept.talks.talk("s2", "More is said about boats.")
    await kept.embed(2, 9)
    assert await kept.axes(1, 2) == {1: 1, 2: 9}


async def test_a_session_whose_last_message_is_not_embedded_yet_is_not_kept(kept: Kept) -> None:
    await kept.talks.talk("s2", "More is said about boats.")
    assert await kept.axes(1, 2) == {1: 1, 2: 2}
    assert kept.kept() == {1}
    await kept.embed(2, 9)
    assert await kept.axes(1, 2) == {1: 1, 2: 9}


async def test_each_model_has_its_own_vectors(kept: Kept) -> None:
    await kept.axes(1, 2, 3)
    await kept.embed(1, 7, "other")
    assert await kept.axes(1, 2, 3, model="other") == {1: 7}
    assert kept.kept() == {1}
    assert await kept.axes(1, 2, 3) == {2: 2, 3: 3}
    assert await kept.axes(1, model="third") == {}
    assert kept.kept() == set()


async def test_a_forgotten_session_is_gone_with_the_next_search_of_whatever_scope(
    kept: Kept,
) -> None:
    await kept.axes(1, 2, 3)
    await kept.talks.bench.db.write(lambda tx: rows.mark_forgotten(tx, HARNESS, "s2", AT))
    assert await kept.axes(1) == {1: 1}
    assert kept.kept() == {1, 3}


async def test_what_was_taken_out_of_a_session_takes_its_vector_along(kept: Kept) -> None:
    await kept.axes(1, 2, 3)
    last = await kept.talks.bench.db.read(lambda tx: rows.last_row(tx, 3))
    await kept.talks.bench.db.write(lambda tx: rows.remove_text(tx, last))
    assert await kept.axes(1) == {1: 1}
    assert kept.kept() == {1, 2}


async def test_a_session_with_the_number_of_a_deleted_one_has_its_own_vector(kept: Kept) -> None:
    await kept.axes(1, 2, 3)
    last = await kept.talks.bench.db.read(lambda tx: rows.last_row(tx, 3))
    await kept.talks.bench.db.write(lambda tx: rows.delete_message(tx, last))
    await kept.talks.talk("s5", "Session number 3 is about boats.")
    await kept.write("UPDATE transcripts SET started_at = '2026-03-03' WHERE seq = ?", 3)
    await kept.embed(3, 11)
    assert await kept.axes(3) == {3: 11}


async def test_no_more_is_kept_than_the_limit(kept: Kept) -> None:
    kept.cache.most = 2
    await kept.axes(1, 2)
    await kept.axes(3)
    assert kept.kept() == {3}
    assert await kept.axes(1, 2) == {1: 1, 2: 2}


async def test_threads_that_search_at_once_get_what_they_asked_for(kept: Kept) -> None:
    scopes = [(1,), (2, 3), (3, 1), (1, 2, 3)] * 6
    found = await asyncio.gather(*(kept.axes(*scope) for scope in scopes))
    assert found == [{number: number for number in scope} for scope in scopes]
