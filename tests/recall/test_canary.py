"""A known memory is recalled each hour: what search can't find any more is noticed."""

from pathlib import Path

from fakes.store import Bench, bench
from intaglio.memory.values import Actor
from intaglio.pipeline.ingest import Remember
from intaglio.recall.canary import Canary

ME = Actor("me")


def canary_of(store: Bench) -> Canary:
    return Canary(
        db=store.db,
        recall=store.recall,
        is_loaded=lambda: False,
        random=lambda: 0.5,
        clock=store.clock,
        seconds=lambda: 0.0,
    )


async def keep(store: Bench, count: int) -> None:
    for number in range(count):
        content = f"The billing service number {number} writes its invoices to Postgres"
        await store.ingest.remember(Remember(content=content, actor=ME))


async def test_a_known_memory_is_found_by_its_own_words(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await keep(store, 20)
        canary = canary_of(store)
        await canary.recall_once()
        checked = await canary.check()
        assert (checked.issues, checked.penalty) == ((), 0.0)
        assert [each.value for each in checked.figures[1:]] == [True, 0.0]


async def test_a_fresh_store_has_nothing_to_recall_and_is_well(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        canary = canary_of(store)
        assert (await canary.check()).issues == ()
        for _ in range(3):
            await canary.recall_once()
        assert (await canary.check()).issues == ()


async def test_a_search_that_finds_nothing_is_named_after_the_second_run(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await keep(store, 5)
        # Of the newest ones, search notices by itself.
        await store.db.write(
            lambda tx: tx.execute(
                "INSERT INTO memories_fts(memories_fts, rowid, content, tags) "
                "SELECT 'delete', seq, content, tags FROM memories WHERE seq <= 3"
            )
        )
        canary = canary_of(store)
        await canary.recall_once()
        assert (await canary.check()).issues == ()
        await canary.recall_once()
        (issue,) = (await canary.check()).issues
        assert (issue.id, issue.repair) == ("recall_canary", "check-fts")
        await store.db.write(
            lambda tx: tx.execute("INSERT INTO memories_fts(memories_fts) VALUES ('rebuild')")
        )
        await canary.recall_once()
        assert (await canary.check()).issues == ()


async def test_the_runs_do_not_count_as_use(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await keep(store, 3)
        await canary_of(store).recall_once()
        used = await store.db.read(lambda tx: tx.column(int, "SELECT access_count FROM memories"))
        assert used == [0, 0, 0]
