"""The step that makes the agents' table knows who wrote before there was one."""

from pathlib import Path

from fakes.store import MovableClock
from intaglio.agents import rows
from intaglio.store import migrations
from intaglio.store.connection import open_writer
from intaglio.store.tx import WriteTx

INSERT = (
    "INSERT INTO memories(id, content, content_hash, type, importance, confidence, pinned, who, "
    "agent_id, visibility, source_type, created_at, updated_at, updated_by) "
    "VALUES (?, '', randomblob(32), 'fact', 0.8, 1, 0, 'w', ?, 'global', 's', ?, ?, '')"
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
                    tx.execute(INSERT, (str(number), agent, at, at))
            migrations.apply(tx, step, MovableClock())
        known = rows.all_agents(tx)
        assert known.keys() == {"ann", "default"}
        ann = known["ann"]
        assert (ann.source, ann.read_policy) == ("seen", "shared")
        assert (ann.created_at, ann.last_seen_at) == ("2026-01-01", "2026-01-02")
        assert (known["default"].source, known["default"].archived_at) == ("api", None)
    finally:
        connection.close()
