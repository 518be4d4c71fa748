"""An index of memories that lacks rows, or has too many, is filled again while memories change."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from fakes.store import Bench, bench
from intaglio.memory import operations
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor, Change
from intaglio.pipeline.ingest import Remember, Saved
from intaglio.store.memory_index import IndexDifference, difference, fill_again
from intaglio.store.tx import ReadTx, WriteTx

USER = Actor("user")
EMPTIED = "INSERT INTO memories_fts(memories_fts) VALUES ('delete-all')"
EXTRA = "INSERT INTO memories_fts(rowid, content, tags) VALUES (999, 'ghost', '')"
CHECK = "INSERT INTO memories_fts(memories_fts, rank) VALUES ('integrity-check', 1)"


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[Bench]:
    async with bench(tmp_path) as opened:
        yield opened


async def remember(store: Bench, text: str) -> str:
    saved = await store.ingest.remember(Remember(content=text, actor=USER))
    assert isinstance(saved, Saved)
    return saved.id


async def execute(store: Bench, sql: str) -> None:
    await store.db.write(lambda tx: tx.execute(sql))


async def found(store: Bench, word: str) -> int:
    def count(tx: ReadTx) -> int:
        return tx.count("SELECT count(*) FROM memories_fts WHERE memories_fts MATCH ?", (word,))

    return await store.db.read(count)


async def compare(store: Bench) -> IndexDifference:
    return await store.db.read(difference)


async def test_missing_rows_are_added(store: Bench) -> None:
    for number in range(3):
        await remember(store, f"The parser is in module {number}")
    await execute(store, EMPTIED)
    assert (await compare(store)).missing == 3
    assert await fill_again(store.db, everything=False) == 3
    assert (await compare(store)).is_same
    assert await found(store, "parser") == 3


async def test_rows_of_no_memory_are_removed(store: Bench) -> None:
    await remember(store, "The parser is hand-written")
    await execute(store, EXTRA)
    assert (await compare(store)).extra == 1
    await fill_again(store.db, everything=False)
    assert (await compare(store)).is_same
    assert await found(store, "ghost") == 0
    await execute(store, CHECK)


async def test_a_memory_that_is_not_indexed_can_be_changed_and_forgotten(store: Bench) -> None:
    changed = await remember(store, "The parser is hand-written")
    forgotten = await remember(store, "The lexer is generated")
    await execute(store, EMPTIED)

    def change(tx: WriteTx) -> None:
        audit = Audit(USER)
        new = Change(content="The parser is generated")
        operations.modify(tx, changed, new, audit, store.context)
        operations.forget(tx, forgotten, audit, store.context)

    await store.db.write(change)
    await fill_again(store.db, everything=False)
    assert await found(store, "parser") == 1
    assert await found(store, "lexer") == 0
    await execute(store, CHECK)


async def test_a_sound_index_is_left_alone(store: Bench) -> None:
    await remember(store, "The parser is hand-written")
    assert await fill_again(store.db, everything=False) == 0
