"""Search by meaning over a real database: what is found, what never is, and how it is kept."""

import asyncio
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from fakes.embedder import HashEmbedder
from fakes.semantic_index import ACTOR, Index, indexed, over
from fakes.waiting import PATIENCE_S
from intaglio.domain.reader import GroupReader, IsolatedReader, SharedReader
from intaglio.embedding import rows
from intaglio.embedding.values import Coverage
from intaglio.inference.ports import ModelIdentity
from intaglio.memory.filters import Filter
from intaglio.memory.operations import Audit
from intaglio.memory.values import Change
from intaglio.store.connection import open_reader
from intaglio.store.tx import ReadTx, Row, Sql, run
from intaglio.store.vectors.index import VectorIndex
from intaglio.store.vectors.values import Model

WHY = Audit(ACTOR)
APPLE, PEAR, TRAIN = "the apple is red", "the pear is green", "trains leave at noon"


def stored(tx: ReadTx) -> int:
    return tx.count("SELECT count(*) FROM embeddings")


async def three(index: Index) -> list[str]:
    ids = [await index.remember(text) for text in (APPLE, PEAR, TRAIN)]
    await index.work()
    await index.follow()
    return ids


@pytest.mark.parametrize("small", [0, 1000], ids=["mirror", "exact"])
async def test_the_nearest_comes_first(tmp_path: Path, small: int) -> None:
    async with indexed(tmp_path, small=small) as index:
        await three(index)
        matches = await index.search("apple is red")
        assert matches.method == ("exact" if small else "mirror")
        assert (await index.found("apple is red"))[0] == APPLE
        cosines = list(matches.cosines.values())
        assert cosines == sorted(cosines, reverse=True)
        assert 0.7 < cosines[0] <= 1.001


@pytest.mark.parametrize("small", [0, 1000], ids=["mirror", "exact"])
async def test_a_forgotten_memory_is_not_found(tmp_path: Path, small: int) -> None:
    async with indexed(tmp_path, small=small) as index:
        apple, *_ = await three(index)
        await index.store.remove.forget(apple, WHY)
        assert APPLE not in await index.found("apple")


async def test_a_new_vector_is_found_by_the_very_next_search(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        await three(index)
        await index.remember("oranges are orange")
        await index.work()
        assert (await index.found("oranges"))[0] == "oranges are orange"


async def test_sql_answers_until_the_index_is_built(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        await index.remember(APPLE)
        await index.work()
        before = await index.search("apple")
        await index.follow()
        after = await index.search("apple")
        assert (before.method, after.method) == ("exact", "mirror")
        assert before.cosines == pytest.approx(after.cosines, abs=1e-4)


async def test_without_a_model_nothing_is_found(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        await index.remember(APPLE)
        assert (await index.search("apple")).method == "none"


@pytest.mark.parametrize("vector", [[1.0], [0.0] * 64, [float("nan")] * 64])
async def test_a_useless_query_finds_nothing(tmp_path: Path, vector: list[float]) -> None:
    async with indexed(tmp_path) as index:
        await three(index)
        probe = replace(index.probe("apple", Filter()), vector=vector)
        found = await index.store.db.read(lambda tx: index.vectors.search(tx, probe))
        assert found.cosines == {}


@pytest.mark.parametrize("small", [0, 1000], ids=["mirror", "exact"])
@pytest.mark.parametrize(
    ("filters", "seen"),
    [
        (Filter(), {"mine", "global", "here", "there", "global of ann"}),
        (
            Filter(reader=SharedReader("ann")),
            {"global", "here", "there", "private", "global of ann"},
        ),
        (Filter(project="/here"), {"mine", "global", "here", "global of ann"}),
        (Filter(project="/here", exact_project=True), {"here"}),
        (Filter(global_only=True), {"mine", "global", "global of ann"}),
        (Filter(type="rule"), set[str]()),
        (Filter(tags=("x",)), {"there"}),
        (Filter(reader=IsolatedReader("ann")), {"private", "global of ann"}),
        (Filter(reader=GroupReader("bob", ("ann",))), {"global of ann"}),
        (Filter(pinned=True), {"here"}),
        (Filter(importance_min=0.9), {"mine"}),
        (Filter(who="nobody"), set[str]()),
        (Filter(who="bob", tags=("x",)), {"there"}),
        (Filter(until="2026-01-30T23:59:59.999Z"), set[str]()),
        (Filter(since="2026-01-31T08:00:00.000Z", pinned=True), {"here"}),
    ],
    ids=lambda value: str(value) if isinstance(value, Filter) else "seen",
)
async def test_a_filter_applies_before_the_nearest_are_chosen(
    tmp_path: Path, filters: Filter, seen: set[str], small: int
) -> None:
    async with indexed(tmp_path, small=small) as index:
        await index.remember("mine", visibility="private", importance=0.9)
        await index.remember("global")
        await index.remember("here", project="/here", pinned=True)
        await index.remember("there", project="/there", tags="x", who="bob")
        await index.remember("private", agent_id="ann", visibility="private")
        await index.remember("global of ann", agent_id="ann")
        await index.work()
        await index.follow()
        found = await index.found("global", filters, limit=6)
        assert set(found) == seen


async def test_a_change_of_filtered_fields_reaches_the_index(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        apple, *_ = await three(index)
        assert await index.found("apple", Filter(type="rule")) == []
        await index.store.revise.modify(apple, Change(type="rule"), WHY)
        assert await index.found("apple", Filter(type="rule")) == [APPLE]


async def test_equal_contents_of_two_projects_have_a_vector_each(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        for project in ("/a", "/b"):
            await index.remember(APPLE, project=project)
            await index.work()
        await index.follow()
        assert await index.store.db.read(stored) == 2
        assert await index.found("apple", Filter(project="/b")) == [APPLE]


async def test_a_vector_goes_with_its_memory(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        ids = [await index.remember(APPLE, project=project) for project in ("/a", "/b")]
        await index.work()
        await index.store.remove.forget(ids[0], WHY)
        assert await index.store.db.read(stored) == 1
        await index.store.remove.forget(ids[1], WHY)
        assert await index.store.db.read(stored) == 0


async def test_a_changed_content_loses_its_vector_until_it_has_a_new_one(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        apple, *_ = await three(index)
        await index.store.revise.modify(apple, Change(content="the plum is blue"), WHY)
        model = index.vectors.model
        assert await index.store.db.read(lambda tx: rows.coverage(tx, model)) == Coverage(3, 2)
        assert await index.store.db.read(stored) == 2
        await index.work()
        assert (await index.found("plum"))[0] == "the plum is blue"


async def test_a_recovered_memory_gets_its_vector_again(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        apple, *_ = await three(index)
        await index.store.remove.forget(apple, WHY)
        await index.store.remove.recover(apple, WHY)
        await index.work()
        assert APPLE in await index.found("apple")


@pytest.mark.parametrize("small", [0, 1000], ids=["mirror", "exact"])
async def test_a_vector_of_another_model_finds_nothing(tmp_path: Path, small: int) -> None:
    async with indexed(tmp_path, small=small) as index:
        await three(index)
        searched = index.vectors.model
        assert searched is not None
        probe = index.probe("apple is red", Filter())
        for model, found in ((searched, 3), (replace(searched, id=searched.id + 1), 0)):

            def ask(tx: ReadTx, model: Model = model) -> tuple[int, int]:
                matches = index.vectors.search(tx, replace(probe, model=model))
                others = index.vectors.cosines(tx, probe.vector, [1, 2, 3], model)
                return len(matches.cosines), len(others)

            assert await index.store.db.read(ask) == (found, found)


async def test_another_model_has_vectors_of_its_own(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        await three(index)
        wider = HashEmbedder(ModelIdentity("fake", "wider", "2", 128))
        second = await over(index.store, wider)
        assert (await second.search("apple")).method == "none"
        await second.work()
        assert await index.store.db.read(stored) == 6
        # Now that they are whole, they are searched, and the former ones go.
        await second.tracker.fill_if_low()
        await second.follow()
        assert (await second.found("apple"))[0] == APPLE
        assert await index.store.db.read(stored) == 3


async def test_a_start_queues_memories_without_vectors(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        await three(index)
        await index.store.db.write(lambda tx: tx.execute("DELETE FROM embeddings"))
        await index.store.db.write(
            lambda tx: tx.execute("UPDATE memories SET embedding_model = NULL")
        )
        again = await over(index.store, index.embedder)
        assert await again.work() == 3
        assert (await again.found("apple"))[0] == APPLE


async def test_the_self_check_accepts_a_sound_index(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        await three(index)
        assert await index.store.db.read(index.vectors.check) == 1.0
        assert index.vectors.state.recall == 1.0
        assert index.vectors.state.candidates == 640


async def test_the_self_check_raises_the_candidates_of_a_poor_index(
    tmp_path: Path,
) -> None:
    async with indexed(tmp_path) as index:
        await three(index)
        mirror = index.vectors._binary_index  # pyright: ignore[reportPrivateUsage] - it is broken on purpose
        assert mirror is not None
        mirror.remove([1, 3])
        for _ in range(5):
            await index.store.db.read(index.vectors.check)
        assert index.vectors.state.candidates > 640


async def test_a_snapshot_older_than_a_commit_does_not_hide_it(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        apple, *_ = await three(index)
        await index.store.remove.forget(apple, WHY)
        old = index.store.db.generation - 1

        def behind(tx: ReadTx) -> bool:
            tx.generation = old
            return index.vectors.update(tx)

        assert await index.store.db.read(behind) is True
        assert index.vectors.state.waiting == 1
        await index.follow()
        assert index.vectors.state.waiting == 0


async def test_a_mirror_is_not_built_from_a_snapshot_that_missed_a_commit(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        await index.remember(APPLE)
        await index.work()
        old = index.store.db.generation - 1

        def behind(tx: ReadTx) -> bool:
            tx.generation = old
            return index.vectors.build(tx)

        assert await index.store.db.read(behind) is False
        assert index.vectors.state.method == "exact"


async def test_an_older_snapshot_does_not_take_the_place_of_a_newer_mirror(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        await three(index)
        reader = open_reader(tmp_path / "intaglio.db")
        run(reader, "BEGIN")
        before = ReadTx(reader, index.store.db.generation)
        before.count("SELECT count(*) FROM memories")
        await index.remember("oranges are orange")
        await index.work()
        await index.follow()
        assert index.vectors.build(before) is False
        reader.close()
        assert len(index.vectors.members()) == 4


async def test_the_index_is_built_at_the_first_search(
    tmp_path: Path,
) -> None:
    async with indexed(tmp_path) as index:
        await three(index)
        again = VectorIndex(lambda _: 0)
        told: list[bool] = []
        again.on_first_use(lambda: told.append(True))
        again.set_model(index.vectors.model)
        assert await index.store.db.read(again.update) is False
        assert (again.state.method, told) == ("exact", [])
        probe = index.probe("apple is red", Filter())
        first = await index.store.db.read(lambda tx: again.search(tx, probe))
        assert told == [True]
        await index.store.db.read(again.update)
        second = await index.store.db.read(lambda tx: again.search(tx, probe))
        assert (first.method, second.method) == ("exact", "mirror")
        assert first.cosines == pytest.approx(second.cosines, abs=1e-4)


async def test_a_search_waits_for_the_mirror_that_is_being_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("intaglio.store.vectors.index._BUILD_TIMEOUT_S", PATIENCE_S)
    async with indexed(tmp_path) as index:
        await three(index)
        again = VectorIndex(lambda _: 0)
        again.set_model(index.vectors.model)
        begun, go_on = threading.Event(), threading.Event()

        def slowly(tx: ReadTx) -> bool:
            read = tx.all

            def reading(sql: str, params: Sequence[Sql] = ()) -> list[Row]:
                begun.set()
                assert go_on.wait(PATIENCE_S)
                return read(sql, params)

            tx.all = reading  # type: ignore[method-assign] # the first read stops until told
            return again.build(tx)

        building = asyncio.create_task(index.store.db.read(slowly))
        assert await asyncio.to_thread(begun.wait, PATIENCE_S)
        probe = index.probe("apple is red", Filter())
        search = asyncio.create_task(index.store.db.read(lambda tx: again.search(tx, probe)))
        await asyncio.sleep(0.05)
        assert not search.done()
        go_on.set()
        assert await building is True
        assert (await search).method == "mirror"


async def test_concurrent_searches_and_commits_keep_the_index_in_sync(
    tmp_path: Path,
) -> None:
    async with indexed(tmp_path) as index:
        await three(index)

        async def write(name: str) -> None:
            for number in range(15):
                kept = await index.remember(f"{name} {number}")
                await index.work()
                if number % 3 == 0:
                    await index.store.remove.forget(kept, WHY)

        async def look() -> None:
            for number in range(40):
                found = await index.search(f"first {number % 15}")
                assert len(found.cosines) >= 3

        async def follow() -> None:
            for _ in range(40):
                await index.store.db.read(index.vectors.update)
                await index.store.db.read(index.vectors.build)

        await asyncio.gather(write("first"), write("second"), look(), look(), follow())
        await index.work(rounds=5)
        await index.follow()
        live = await index.store.db.read(
            lambda tx: tx.all("SELECT seq FROM memories WHERE is_deleted = 0")
        )
        assert len(live) == 23
        assert index.vectors.members() == {seq for (seq,) in live}


async def test_a_restored_database_gets_a_new_index(tmp_path: Path) -> None:
    async with indexed(tmp_path) as index:
        apple, *_ = await three(index)
        await index.store.db.back_up(1)
        await index.store.remove.forget(apple, WHY)
        await index.follow()
        await index.store.db.restore()
        await index.follow()
        assert (await index.found("apple"))[0] == APPLE
