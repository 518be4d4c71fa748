"""Rows that another program left behind, referring to rows that are gone."""

import sqlite3
from collections.abc import AsyncGenerator
from contextlib import closing
from pathlib import Path

import pytest

from fakes.store import Bench, bench, lay_down
from intaglio.store import orphans

MADE = "'2026-01-01T00:00:00.000Z'"
ENTITY = (
    "INSERT INTO entities(seq, id, agent_id, name, canonical_name, entity_type, origin, "  # noqa: S608 - a constant
    f"merged_into, created_at, updated_at) VALUES (1, 'e', 'default', 'Ann', 'ann', 'person', "
    f"'linker', 77, {MADE}, {MADE})"
)
ASPECTS = (
    "INSERT INTO entity_aspects(id, entity, agent_id, name, canonical_name, created_at, "  # noqa: S608 - constants
    f"updated_at) VALUES ('kept', 1, 'default', 'food', 'food', {MADE}, {MADE}), "
    f"('orphan', 99, 'default', 'food', 'food', {MADE}, {MADE})"
)


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[Bench]:
    lay_down(tmp_path / "intaglio.db")
    # Without foreign keys, which SQLite leaves off unless a program asks for them.
    with closing(sqlite3.connect(tmp_path / "intaglio.db", isolation_level=None)) as other:
        other.execute("DROP TRIGGER entities_inserted")
        for statement in (ENTITY, ASPECTS):
            other.execute(statement)
    async with bench(tmp_path) as opened:
        yield opened


async def test_orphan_rows_are_deleted_and_optional_references_cleared(store: Bench) -> None:
    assert await store.db.read(orphans.count) == 2
    assert await orphans.delete(store.db) == 2
    assert await store.db.read(orphans.count) == 0
    left = await store.db.read(lambda tx: tx.column(str, "SELECT id FROM entity_aspects"))
    assert left == ["kept"]
    merged = await store.db.read(lambda tx: tx.all("SELECT id, merged_into FROM entities"))
    assert merged == [("e", None)]
