"""A full-text index with anything in it: what is stored is found, and nothing is lost."""

import asyncio
import random
import uuid
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from fakes.store import Bench, MovableClock, bench
from intaglio.daemon.packages import PACKAGES
from intaglio.memory.filters import Filter
from intaglio.memory.values import Actor
from intaglio.pipeline.ingest import Remember, Saved
from intaglio.recall.values import Question
from intaglio.store import migrations
from intaglio.store.connection import find_faults, open_writer
from intaglio.store.index_repair.rebuild import is_index_fault
from intaglio.store.tx import ReadTx, WriteTx, run
from intaglio.store.values import Checking, Ready

ME = Actor("me")
LONG = {
    "two bytes": "xя" * 30_000,
    "three bytes": "a" + "語" * 15_000,
    "four bytes": "ab" + "𐐀" * 12_000,
    "one byte": "x" * 80_000,
}
TABLES = {"data": "block", "idx": "pgno", "docsize": "sz", "config": "v"}
BROKEN = "UPDATE memories_fts_data SET block = x'00' WHERE id > 10"
GARBAGE: dict[str, str] = {
    "odd bytes": f"x'{random.Random(7).randbytes(50).hex()}'",  # noqa: S311 - repeatable garbage
    "nothing": "NULL",
    "text": "'text'",
    "a number": "4611686018427387904",
    "a cut value": "substr({column}, 1, length({column}) / 2)",
}


async def keep(store: Bench, content: str) -> None:
    assert isinstance(await store.ingest.remember(Remember(content=content, actor=ME)), Saved)


async def found(store: Bench, words: str) -> list[str]:
    answer = await store.recall.recall(Question(text=words, filters=Filter()))
    return [each.memory.content for each in answer.hits]


async def filled(folder: Path) -> None:
    async with bench(folder) as store:
        # Other ids than those that a store gives which is opened again.
        store.context = replace(store.context, new_id=lambda: str(uuid.uuid4()))
        for number in range(5):
            await keep(store, f"Zebra number{number} lives in Lisbon")


def damage(folder: Path, sql: str) -> None:
    connection = apsw.Connection(str(folder / "intaglio.db"))
    run(connection, sql).fetchall()
    connection.close()


def is_sound(tx: WriteTx) -> bool:
    for index in ("memories_fts", "entities_fts", "transcripts_fts"):
        tx.execute(f"INSERT INTO {index}({index}, rank) VALUES ('integrity-check', 1)")  # noqa: S608 - constants
    return True


@pytest.mark.parametrize("garbage", GARBAGE)
@pytest.mark.parametrize("table", TABLES)
async def test_a_question_rebuilds_a_damaged_index(
    tmp_path: Path, table: str, garbage: str
) -> None:
    await filled(tmp_path)
    column = TABLES[table]
    value = GARBAGE[garbage].format(column=column)
    damage(tmp_path, f"UPDATE OR REPLACE memories_fts_{table} SET {column} = {value}")  # noqa: S608 - constants
    async with bench(tmp_path) as store:
        asked = [found(store, f"number{number} lisbon") for number in range(5)]
        answers = await asyncio.gather(*asked)
        assert isinstance(store.db.state, Ready)
        assert [answer[0] for answer in answers] == [
            f"Zebra number{number} lives in Lisbon" for number in range(5)
        ]


@pytest.mark.parametrize("table", TABLES)
async def test_a_write_rebuilds_a_damaged_index(tmp_path: Path, table: str) -> None:
    await filled(tmp_path)
    for index in ("memories_fts", "entities_fts", "transcripts_fts"):
        damage(tmp_path, f"UPDATE OR REPLACE {index}_{table} SET {TABLES[table]} = x'ff'")  # noqa: S608 - constants
    async with bench(tmp_path) as store:
        await asyncio.gather(*(keep(store, f"A giraffe of place{number}") for number in range(5)))
        assert isinstance(store.db.state, Ready)
        await found(store, "zebra")
        assert (await found(store, "giraffe place3"))[0] == "A giraffe of place3"


async def test_the_check_after_an_unclean_stop_rebuilds_it(tmp_path: Path) -> None:
    await filled(tmp_path)
    damage(tmp_path, "DELETE FROM memories_fts_docsize")
    damage(tmp_path, BROKEN)
    (tmp_path / "intaglio.db.open").touch()
    async with bench(tmp_path) as store:
        assert isinstance(store.db.state, Checking | Ready)
        assert await store.db.write(is_sound)
        assert len(await found(store, "zebra")) == 5


async def test_a_backup_of_a_damaged_index_is_a_good_backup(tmp_path: Path) -> None:
    await filled(tmp_path)
    damage(tmp_path, "UPDATE memories_fts_data SET block = x'ff'")
    async with bench(tmp_path) as store:
        await store.db.back_up(None)
        assert isinstance(store.db.state, Ready)
        await store.db.restore()
        assert len(await found(store, "zebra")) == 5


async def test_faults_of_the_index_and_of_the_file_are_told_apart(tmp_path: Path) -> None:
    await filled(tmp_path)
    for sql, is_damaged in (("PRAGMA user_version", False), (BROKEN, True)):
        damage(tmp_path, sql)
        connection = open_writer(tmp_path / "intaglio.db")
        for thorough in (False, True):
            faults = find_faults(connection, thorough=thorough)
            assert (faults.fault, faults.index_fault != "") == ("", is_damaged)
        connection.close()
    assert not is_index_fault(apsw.CorruptError("the file is damaged"))
    assert not is_index_fault(apsw.ConstraintError("UNIQUE constraint failed: memories.id"))


@pytest.mark.parametrize("word", LONG.values(), ids=LONG)
async def test_a_long_word_is_cut_before_it_is_indexed(tmp_path: Path, word: str) -> None:
    async with bench(tmp_path) as store:
        for place in ("Lisbon", "Porto"):
            await keep(store, f"Zebras of {place}: {word} and more of {place}")
        terms = await store.db.read(
            lambda tx: tx.rows(
                tuple[str, int], "SELECT term, length(CAST(term AS BLOB)) FROM memories_vocabulary"
            )
        )
        assert max(length for _, length in terms) < 32_768
    async with bench(tmp_path) as store:
        assert len(await found(store, "zebras")) == 2
        assert (await found(store, "porto"))[0].startswith("Zebras of Porto")
        assert await store.db.write(is_sound)
        await found(store, word[:20_000])


@pytest.mark.parametrize("separator", [" ", "\n", ", "])
async def test_every_word_of_a_long_text_is_found(tmp_path: Path, separator: str) -> None:
    words = [f"wört{number}" for number in range(9_000)]
    async with bench(tmp_path) as store:
        await keep(store, separator.join(words))
        terms = await store.db.read(
            lambda tx: tx.column(str, "SELECT term FROM memories_vocabulary")
        )
        assert len(terms) == len(words)
        await store.db.write(lambda tx: tx.execute("UPDATE memories SET content = 'short'"))
        assert await store.db.write(is_sound)
        await store.db.write(lambda tx: tx.execute("DELETE FROM memories"))
        left = await store.db.read(lambda tx: tx.count("SELECT count(*) FROM memories_vocabulary"))
        assert left == 0


def test_an_index_that_was_poisoned_before_is_mended_by_the_migration(tmp_path: Path) -> None:
    connection = open_writer(tmp_path / "old.db")
    try:
        tx = WriteTx(connection)
        memory = (
            "INSERT INTO memories(id, content, content_hash, type, importance, confidence, "
            "pinned, who, agent_id, visibility, source_type, created_at, updated_at, updated_by) "
            "VALUES (?, ?, randomblob(16), 'fact', 0.8, 1, 0, 'w', 'a', 'global', 's', '', '', '')"
        )
        terms = "SELECT term FROM memories_vocabulary WHERE doc > 1"
        for step in migrations.pending(tx, PACKAGES.schema):
            if step.number == 18:
                for number in range(2):
                    tx.execute(memory, (str(number), f"kept {LONG['two bytes']}"))
                assert any("\ufffd" in term for term in tx.column(str, terms))
                # Not even a format that can't be read stops it.
                tx.execute("DELETE FROM memories_fts_config")
            migrations.apply(tx, step, MovableClock())
        assert not any("\ufffd" in term for term in tx.column(str, terms))
        assert "kept" in tx.column(str, terms)
        assert is_sound(tx)
    finally:
        connection.close()


def pair(number: int, text: str | None) -> tuple[int, str | None]:
    return number, text


READS: dict[str, Callable[[ReadTx], object]] = {
    "rows": lambda tx: tx.rows(tuple[int, str], "SELECT n, t FROM texts ORDER BY n DESC"),
    "all": lambda tx: tx.all("SELECT n, t FROM texts ORDER BY n DESC"),
    "map": lambda tx: tx.map(pair, "SELECT n, t FROM texts ORDER BY n DESC"),
    "with": lambda tx: tx.all(
        "WITH these AS (SELECT * FROM texts WHERE n > ?) SELECT n, t FROM these ORDER BY n DESC",
        (-1,),
    ),
}


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_a_text_that_is_not_utf8_hides_no_other_row(
    tmp_path: Path, read: Callable[[ReadTx], object]
) -> None:
    connection = open_writer(tmp_path / "a.db")
    tx = WriteTx(connection)
    tx.execute("CREATE TABLE texts(n INTEGER, t TEXT) STRICT")
    tx.execute("INSERT INTO texts VALUES (0, 'ü'), (1, CAST(x'61ff62' AS TEXT)), (2, NULL)")
    assert read(tx) == [(2, None), (1, "a\ufffdb"), (0, "ü")]
    assert tx.scalar(str, "SELECT t FROM texts WHERE n = ?", (1,)) == "a\ufffdb"
    assert tx.column(str, "SELECT t FROM texts WHERE n < 2") == ["ü", "a\ufffdb"]
    with pytest.raises(UnicodeDecodeError):
        tx.all("UPDATE texts SET n = n RETURNING t")
    connection.close()


async def test_random_bytes_in_every_page_of_the_index_are_survived(tmp_path: Path) -> None:
    await filled(tmp_path)
    good = (tmp_path / "intaglio.db").read_bytes()
    for seed in range(40):
        chance = random.Random(seed)  # noqa: S311 - repeatable garbage
        folder = tmp_path / str(seed)
        folder.mkdir()
        (folder / "intaglio.db").write_bytes(good)
        connection = apsw.Connection(str(folder / "intaglio.db"))
        for index in ("memories_fts", "entities_fts", "transcripts_fts"):
            for table, column in TABLES.items():
                if chance.random() < 0.5:
                    run(
                        connection,
                        f"UPDATE OR REPLACE {index}_{table} SET {column} = ? WHERE random() % 2",  # noqa: S608 - constants
                        (chance.randbytes(chance.randrange(60)),),
                    )
        connection.close()
        async with bench(folder) as store:
            await found(store, "zebra lisbon")
            await keep(store, "A giraffe in Porto")
            assert isinstance(store.db.state, Ready)
            count = await store.db.read(lambda tx: tx.count("SELECT count(*) FROM memories"))
            assert count == 6
