"""Steps of the schema that carry data over."""

from pathlib import Path

from fakes.store import MovableClock
from intaglio.agents import rows
from intaglio.store import migrations
from intaglio.store.connection import open_writer
from intaglio.store.tx import WriteTx

AGENTS_MEMORY = (
    "INSERT INTO memories(id, content, content_hash, type, importance, confidence, pinned, who, "
    "agent_id, visibility, source_type, created_at, updated_at, updated_by) "
    "VALUES (?, '', randomblob(32), 'fact', 0.8, 1, 0, 'w', ?, 'global', 's', ?, ?, '')"
)
MEMORY = (
    "INSERT INTO memories(id, content, content_hash, type, importance, confidence, pinned, who, "
    "agent_id, visibility, project, source_type, created_at, updated_at, updated_by, is_deleted, "
    "embedding_model) "
    "VALUES (?1, ?2, CAST(?2 || '_padded' AS BLOB), 'fact', 0.8, 1, 0, 'w', 'a', 'global', ?3, "
    "'s', '', '', '', ?4, '1')"
)


def test_whoever_wrote_a_memory_is_an_agent_that_was_seen(tmp_path: Path) -> None:
    connection = open_writer(tmp_path / "old.db")
    try:
        tx = WriteTx(connection)
        for step in migrations.pending(tx):
            if step.number == 4:
                for number, (agent, at) in enumerate(
                    [("ann", "2026-01-02"), ("ann", "2026-01-01"), ("default", "2026-01-03")]
                ):
                    tx.execute(AGENTS_MEMORY, (str(number), agent, at, at))
            migrations.apply(tx, step, MovableClock())
        known = rows.all_agents(tx)
        assert known.keys() == {"ann", "default"}
        ann = known["ann"]
        assert (ann.source, ann.read_policy) == ("seen", "shared")
        assert (ann.created_at, ann.last_seen_at) == ("2026-01-01", "2026-01-02")
        assert (known["default"].source, known["default"].archived_at) == ("api", None)
    finally:
        connection.close()


def test_each_live_memory_keeps_the_vectors_of_its_content(tmp_path: Path) -> None:
    connection = open_writer(tmp_path / "old.db")
    try:
        tx = WriteTx(connection)
        for step in migrations.pending(tx):
            if step.number == 14:
                for number in (1, 2):
                    tx.execute(
                        "INSERT INTO embedding_models(id, provider, model, hash, dimensions, "
                        "scale, created_at) VALUES (?, 'p', ?, '', 1, 1, '')",
                        (number, str(number)),
                    )
                for number, (content, deleted) in enumerate(
                    [("the same", 0), ("the same", 0), ("forgotten", 1), ("no vector", 0)]
                ):
                    tx.execute(MEMORY, (str(number), content, str(number), deleted))
                for model, vector in ((1, b"\x01"), (2, b"\x02")):
                    tx.execute(
                        "INSERT INTO embeddings(content_key, model, vector) VALUES (?, ?, ?)",
                        (b"the same", model, vector),
                    )
            migrations.apply(tx, step, MovableClock())
        assert tx.all("SELECT memory, model, vector, pieces, previous FROM embeddings") == [
            (1, 1, b"\x01", None, None),
            (1, 2, b"\x02", None, None),
            (2, 1, b"\x01", None, None),
            (2, 2, b"\x02", None, None),
        ]
        tx.execute("UPDATE memories SET is_deleted = 1 WHERE id = '0'")
        assert tx.column(int, "SELECT DISTINCT memory FROM embeddings") == [2]
        assert tx.all("SELECT embedding_model FROM memories WHERE id = '0'") == [(None,)]
    finally:
        connection.close()
