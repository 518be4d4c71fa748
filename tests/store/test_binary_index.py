"""The mirror alone: it finds the true neighbours, keeps its slots dense, and minds its mask."""

import json
import tracemalloc
from array import array
from collections.abc import Callable
from dataclasses import astuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.store.vectors import quantization
from intaglio.store.vectors.binary_index import BinaryIndex, cosines
from intaglio.store.vectors.index import CANDIDATES
from intaglio.store.vectors.values import FilterHints, FilterKey, VectorColumns, VectorEntry

Floats = npt.NDArray[np.float32]
SCALE = 0.25
FACETS = [FilterKey("default", "global", project, "fact", pinned=False) for project in ("/a", "/b")]


def clustered(count: int, seed: int, dimensions: int = 384) -> Floats:
    """Make unit vectors in topics and sub-topics, with the spread of a sentence model's."""
    random = np.random.default_rng(seed)
    spread = np.exp(-np.arange(dimensions) / 120)
    topics = random.normal(size=(60, dimensions)) * spread
    inner = topics[random.integers(0, 60, 600)] + random.normal(size=(600, dimensions)) * spread
    rows = inner[random.integers(0, 600, count)] + random.normal(size=(count, dimensions)) * spread
    turned = rows @ np.linalg.qr(random.normal(size=(dimensions, dimensions)))[0]
    made: Floats = (turned / np.linalg.norm(turned, axis=1, keepdims=True)).astype(np.float32)
    return made


def stored(vectors: Floats) -> list[bytes]:
    levels = np.clip(np.rint(vectors * (quantization.LEVELS / SCALE)), -127, 127).astype(np.int8)
    return [row.tobytes() for row in levels]


def filled(rows: list[bytes]) -> BinaryIndex:
    mirror = BinaryIndex(len(rows[0]))
    mirror.put([VectorEntry(i + 1, i + 1, FACETS[i % 2], row) for i, row in enumerate(rows)])
    return mirror


def found(
    binary_index: BinaryIndex, rows: list[bytes], query: Floats, k: int, wanted: int
) -> list[int]:
    near: list[int] = binary_index.nearest(query.tolist(), None, wanted).seqs.tolist()
    scores = cosines(query.tolist(), [rows[seq - 1] for seq in near])
    return [seq for _, seq in sorted(zip(scores, near, strict=True), reverse=True)[:k]]


def test_99_percent_of_the_nearest_vectors_are_found() -> None:
    vectors = clustered(12_050, seed=5)
    kept, queries = vectors[:12_000], vectors[12_000:]
    rows = stored(kept)
    mirror = filled(rows)
    hits = {10: 0, 100: 0}
    for query in queries:
        true = np.argsort(kept @ query)[::-1] + 1
        for k in hits:
            hits[k] += len(set(true[:k].tolist()) & set(found(mirror, rows, query, k, CANDIDATES)))
    assert all(count / (k * len(queries)) >= 0.99 for k, count in hits.items()), hits


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 12)), max_size=60),
    st.integers(0, 2**31),
)
def test_slots_stay_dense_and_belong_to_their_memories(
    steps: list[tuple[bool, int]], seed: int
) -> None:
    random = np.random.default_rng(seed)
    mirror = BinaryIndex(64)
    expected: dict[int, bytes] = {}
    for add, seq in steps:
        if add:
            row = random.integers(-127, 128, 64).astype(np.int8).tobytes()
            mirror.put([VectorEntry(seq, seq + 100, FACETS[seq % 2], row)])
            expected[seq] = row
        else:
            mirror.remove([seq])
            expected.pop(seq, None)
    assert sorted(mirror.seqs()) == sorted(expected)
    for seq, row in expected.items():
        query = array("b", row).tolist()
        near = mirror.nearest(query, mirror.slots_of(array("q", [seq])), 1)
        assert (near.seqs.tolist(), near.vector_ids.tolist()) == ([seq], [seq + 100])


@pytest.mark.parametrize("share", [2, 200])
def test_a_mask_hides_no_matching_memory(share: int) -> None:
    rows = stored(clustered(4_000, seed=1))
    mirror = filled(rows)
    chosen = list(range(1, 4_001, share))
    near = mirror.nearest([1.0] * 384, mirror.slots_of(array("q", chosen)), 50)
    assert len(near.seqs) >= min(50, len(chosen))
    assert set(near.seqs.tolist()) <= set(chosen)


def test_a_filter_is_asked_once_for_each_combination_of_facets() -> None:
    mirror = filled(stored(clustered(100, seed=2)))
    asked: list[FilterKey] = []

    def passes(facets: FilterKey) -> bool:
        asked.append(facets)
        return facets.project == "/b"

    mask = mirror.matching_slots(passes, FilterHints())
    assert mask is not None
    assert (int(mask.sum()), len(asked)) == (50, 2)


@pytest.mark.parametrize(
    "hints",
    [
        FilterHints(),
        FilterHints(tags=("a",)),
        FilterHints(who="bob", importance_min=0.5),
        FilterHints(since="2026-01-02T00:00:00.000Z"),
    ],
)
def test_vectors_added_in_bulk_equal_single_ones(hints: FilterHints) -> None:
    rows = stored(clustered(40, seed=4))
    tags = [None, '["a"]', '["a", "b"]', '["b"]'] * 10
    who, days = ["ann", "bob"] * 20, [f"2026-01-0{1 + n % 3}T00:00:00.000Z" for n in range(40)]
    importance = [n / 40 for n in range(40)]
    single, bulk = BinaryIndex(384), BinaryIndex(384)
    for start in (0, 20):
        part = range(start, start + 20)
        keys = [astuple(FACETS[n % 2]) for n in part]
        single.put(
            [
                VectorEntry(
                    n + 1,
                    n + 100,
                    FACETS[n % 2],
                    rows[n],
                    tuple(json.loads(tags[n] or "[]")),
                    who[n],
                    days[n],
                    importance[n],
                )
                for n in part
            ]
        )
        some = slice(start, start + 20)
        bulk.append(
            VectorColumns(
                [n + 1 for n in part],
                [n + 100 for n in part],
                keys,
                rows[some],
                tags[some],
                who[some],
                days[some],
                importance[some],
            )
        )
    bulk.remove([7])
    single.remove([7])
    found: list[list[tuple[int, int]]] = []
    for index in (single, bulk):
        mask = index.matching_slots(lambda key: key.project == "/b", hints)
        near = index.nearest([1.0] * 384, mask, 10)
        found.append(sorted(zip(near.seqs.tolist(), near.vector_ids.tolist(), strict=True)))
    assert found[0] == found[1] != []


def test_many_equal_vectors_do_not_make_the_candidates_endless() -> None:
    (row,) = stored(clustered(1, seed=3))
    mirror = filled([row] * 5_000)
    assert len(mirror.nearest([1.0] * 384, None, 100).seqs) == 100


def most_held_by(work: Callable[[], object]) -> int:
    """Return the most bytes that the work held at a moment, beside what was there before."""
    work()  # what is imported or made once does not count
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_a_search_never_allocates_a_megabyte_at_once() -> None:
    rows = stored(clustered(4_000, seed=8))
    mirror = filled(rows)
    assert most_held_by(lambda: mirror.nearest([1.0] * 384, None, CANDIDATES)) < 1_000_000
    assert most_held_by(lambda: cosines([1.0] * 384, rows[: 4 * CANDIDATES])) < 1_000_000


def test_any_number_of_dimensions_is_supported() -> None:
    vectors = clustered(50, seed=4, dimensions=100)
    rows = stored(vectors)
    assert found(filled(rows), rows, vectors[7], 1, 10) == [8]


def test_an_empty_index_finds_nothing() -> None:
    mirror = filled(stored(clustered(10, seed=6)))
    assert mirror.nearest([1.0] * 384, mirror.slots_of(array("q")), 5).seqs.size == 0
