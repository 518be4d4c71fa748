"""Anything in a derived table: every question is answered, and what is stored stays."""

import json
import re
from pathlib import Path
from typing import Any

import apsw
import pytest

from fakes.api import Api, described, running_api
from fakes.streams import ENDLESS, STARTS_PROGRAM
from intaglio.store.page_check import PageCheck
from intaglio.store.tx import run

DERIVED = {
    "memories_fts_data": ("block",),
    "memories_fts_idx": ("term", "pgno"),
    "memories_fts_docsize": ("sz",),
    "memories_fts_config": ("v",),
    "entities_fts_data": ("block",),
    "entities_fts_idx": ("term", "pgno"),
    "entities_fts_docsize": ("sz",),
    "entities_fts_config": ("v",),
    "embeddings": ("model", "vector", "pieces", "length", "previous", "statement"),
    "embedding_models": ("provider", "model", "hash", "dimensions", "scale"),
    "memory_entity_mentions": ("memory", "alias"),
    "entity_aliases": ("entity", "name", "canonical", "kind"),
    "entities": ("name", "canonical_name", "entity_type", "summary", "mentions", "origin"),
    "entity_aspects": ("name", "canonical_name", "entity"),
    "entity_attributes": ("content", "kind", "status", "confidence", "importance", "is_primary"),
}
VALUES = (
    "CAST(x'ff00fe' AS TEXT)",
    "x'fffe00'",
    "zeroblob(300)",
    "''",
    "-1",
    "9223372036854775807",
    "9e999",
)
SESSION = {"harness": "openclaw", "sessionKey": "s1", "cwd": "/tmp"}  # noqa: S108 - a name only
CONTENTS = [f"The Checkout API number{n} stores invoices in Postgres" for n in range(8)]
READS = [
    (operation["operationId"], path)
    for path, item in json.loads(described())["paths"].items()
    for method, operation in item.items()
    if method == "get" and operation["operationId"] not in {*ENDLESS, *STARTS_PROGRAM}
]
ASKED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/api/memory/recall", {"query": "where does Checkout store invoices?", "limit": 20}),
    ("/api/hooks/session-start", SESSION),
    ("/api/hooks/user-prompt-submit", {**SESSION, "userMessage": "where are invoices stored?"}),
    ("/api/hooks/recall", {**SESSION, "query": "invoices Postgres"}),
)


@pytest.fixture(scope="module")
async def stored(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A database with memories, entities, vectors and a session, as a file."""
    home = tmp_path_factory.mktemp("stored")
    async with running_api(home) as api:
        for content in CONTENTS:
            await api.remember(content)
        await api.client.post("/api/hooks/session-start", json=SESSION)
        await api.client.get("/api/knowledge/entities")
        file = api.kernel.running.paths.database
    connection = apsw.Connection(str(file))
    for sql in (
        "INSERT INTO embedding_models VALUES (1, 'p', 'm', '', 4, 1, '')",
        "INSERT INTO embeddings(memory, model, vector) SELECT seq, 1, x'01020304' FROM memories",
        "PRAGMA wal_checkpoint(TRUNCATE)",
    ):
        run(connection, sql).fetchall()
    connection.close()
    return file.read_bytes()


def damage(file: Path, table: str, column: str, value: str) -> bool:
    connection = apsw.Connection(str(file))
    try:
        run(connection, "PRAGMA ignore_check_constraints = ON")
        run(connection, f"UPDATE OR IGNORE {table} SET {column} = {value}")  # noqa: S608 - constants
    except apsw.Error:
        # A column of a STRICT table holds nothing of another type.
        return False
    else:
        return connection.changes() > 0
    finally:
        connection.close()


async def answers(api: Api, memory: str, entity: str) -> list[str]:
    """Ask everything; return what wasn't answered, and what is missing from the answers."""
    wrong: list[str] = []
    for name, path in READS:
        target = re.sub(r"\{\w+\}", entity if "knowledge" in path else memory, path)
        reply = await api.client.get(target, headers=api.owner)
        if reply.status_code >= 500 and not (reply.status_code == 503 and reply.json()["detail"]):
            wrong.append(f"{name}: {reply.status_code} {reply.text[:200]}")
    for path, body in ASKED:
        reply = await api.client.post(path, json=body, headers=api.owner)
        if reply.status_code != 200:
            wrong.append(f"{path}: {reply.status_code} {reply.text[:200]}")
    if not await _finds_all(api):
        # An index that can be read, though it's wrong, is rebuilt by the check of all pages.
        await _check_all_pages(api)
        if not await _finds_all(api):
            wrong.append("recall doesn't find all memories")
    listed = (await api.client.get("/api/memories", headers=api.owner)).json()["memories"]
    if {each["content"] for each in listed} != set(CONTENTS):
        wrong.append("the list lacks a memory")
    return wrong


async def _check_all_pages(api: Api) -> None:
    check = api.kernel.get(PageCheck)
    await check.step()
    while check.left:
        await check.step()


async def _finds_all(api: Api) -> bool:
    path, body = ASKED[0]
    found = (await api.client.post(path, json=body, headers=api.owner)).json()["results"]
    return {each["content"] for each in found} == set(CONTENTS)


# By default one of the values, another one than for the table before: all are tried.
@pytest.mark.parametrize("most", [1, pytest.param(len(VALUES), marks=pytest.mark.slow)])
@pytest.mark.parametrize("table", DERIVED)
async def test_every_question_is_answered_whatever_a_derived_table_holds(
    tmp_path: Path, stored: bytes, table: str, most: int
) -> None:
    home = tmp_path / "home"
    database = home / "agents" / "memory" / "intaglio.db"
    database.parent.mkdir(parents=True)
    database.write_bytes(stored)
    with_ids = apsw.Connection(str(database))
    ids = "SELECT (SELECT id FROM memories LIMIT 1), (SELECT id FROM entities LIMIT 1)"
    [(memory, entity)] = run(with_ids, ids).fetchall()
    with_ids.close()
    tried = 0
    # Each value in all columns that take it.
    first = list(DERIVED).index(table) % len(VALUES)
    for value in (VALUES + VALUES)[first : first + len(VALUES)]:
        if tried == most:
            break
        for side in database.parent.glob("intaglio.db-*"):
            side.unlink()
        database.write_bytes(stored)
        damaged = [damage(database, table, each, value) for each in DERIVED[table]]
        if not any(damaged):
            continue
        tried += 1
        async with running_api(home) as api:
            assert await answers(api, str(memory), str(entity)) == [], value
            await api.remember("A giraffe lives in Porto")
            assert [each["content"] for each in await api.recall("giraffe")] == [
                "A giraffe lives in Porto"
            ]
    assert tried


async def test_an_index_that_is_wrong_and_can_be_read_is_rebuilt_by_the_check_of_pages(
    tmp_path: Path, stored: bytes
) -> None:
    database = tmp_path / "agents" / "memory" / "intaglio.db"
    database.parent.mkdir(parents=True)
    database.write_bytes(stored)
    connection = apsw.Connection(str(database))
    # One segment of the index begins with a word after the one sought, at a page that isn't there.
    wrong = "UPDATE memories_fts_idx SET term = x'1f', pgno = '8' WHERE segid = ?"
    [(segment,)] = run(connection, "SELECT max(segid) FROM memories_fts_idx").fetchall()
    run(connection, wrong, (segment,))
    connection.close()
    async with running_api(tmp_path) as api:
        assert not await _finds_all(api)
        await _check_all_pages(api)
        assert await _finds_all(api)
