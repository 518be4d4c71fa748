"""Steps of the schema that carry data over."""

from pathlib import Path

import apsw
import pytest

from fakes.store import MovableClock
from intaglio.agents import rows
from intaglio.daemon.packages import PACKAGES
from intaglio.domain.reader import USER
from intaglio.memory import history_rows
from intaglio.memory import rows as memory_rows
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


def test_the_migration_records_every_author_as_an_agent(tmp_path: Path) -> None:
    connection = open_writer(tmp_path / "old.db")
    try:
        tx = WriteTx(connection)
        for step in migrations.pending(tx, PACKAGES.schema):
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
        for step in migrations.pending(tx, PACKAGES.schema):
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


def test_the_migration_to_smaller_rows_loses_nothing(tmp_path: Path) -> None:
    at = ("2026-01-01T00:00:00.123Z", "2026-01-02T00:00:00.000Z")
    connection = open_writer(tmp_path / "old.db")
    try:
        tx = WriteTx(connection)
        for step in migrations.pending(tx, PACKAGES.schema):
            if step.number == 15:
                for number, changed in (("1", at[0]), ("2", at[1])):
                    tx.execute(AGENTS_MEMORY, (number, "ann", at[0], changed))
                tx.execute("UPDATE memories SET updated_by = iif(id = '1', who, 'bob')")
                for key, of, event, kind in (
                    (1, "1", "created", "operator"),
                    (2, "2", "updated", "agent"),
                    (3, "purged", "deleted", "operator"),
                ):
                    tx.execute(
                        "INSERT INTO memory_history(id, memory_id, event, changed_by, actor_type, "
                        "created_at) VALUES (?, ?, ?, 'carl', ?, ?)",
                        (f"h{key}", of, event, kind, at[0]),
                    )
            migrations.apply(tx, step, MovableClock())
        found = memory_rows.by_ids(tx, ["1", "2"])
        assert [(each.updated_at, each.updated_by) for each in found.values()] == [
            (at[0], "w"),
            (at[1], "bob"),
        ]
        told = [history_rows.history(tx, of, USER, 5) for of in ("1", "2", "purged")]
        assert [
            (each.id, each.event, each.changed_by, each.actor_type, each.created_at)
            for of in told
            for each in of or ()
        ] == [
            ("1", "created", "carl", "operator", at[0]),
            ("h2", "updated", "carl", "agent", at[0]),
            ("h3", "deleted", "carl", "operator", at[0]),
        ]
    finally:
        connection.close()


def test_a_memory_takes_over_no_history_with_the_number_of_its_row(tmp_path: Path) -> None:
    connection = open_writer(tmp_path / "new.db")
    try:
        tx = WriteTx(connection)
        for step in migrations.pending(tx, PACKAGES.schema):
            migrations.apply(tx, step, MovableClock())
        for number in ("first", "second"):
            tx.execute(AGENTS_MEMORY, (number, "ann", "", ""))
            tx.execute(
                "INSERT INTO memory_history(memory, event, changed_by, created_at) "
                "SELECT seq, 'created', ?, 0 FROM memories",
                (number,),
            )
            tx.execute("DELETE FROM memories WHERE id = 'first'")
        told = [history_rows.history(tx, number, USER, 5) or [] for number in ("first", "second")]
        assert [[event.changed_by for event in each] for each in told] == [["first"], ["second"]]
    finally:
        connection.close()


TWICE: dict[str, tuple[str, tuple[str | int, ...]]] = {
    "insert": (MEMORY, ("4", "the same", "here", 0)),
    "move": ("UPDATE memories SET project = 'here' WHERE id = ?", ("2",)),
    "recover": ("UPDATE memories SET is_deleted = 0 WHERE id = ?", ("3",)),
}


@pytest.mark.parametrize("how", TWICE)
def test_no_scope_has_equal_live_contents(tmp_path: Path, how: str) -> None:
    connection = open_writer(tmp_path / "new.db")
    try:
        tx = WriteTx(connection)
        for step in migrations.pending(tx, PACKAGES.schema):
            migrations.apply(tx, step, MovableClock())
        tx.execute(MEMORY, ("1", "the same", "here", 0))
        tx.execute(MEMORY, ("2", "the same", "there", 0))
        tx.execute(MEMORY, ("3", "the same", "here", 1))
        with pytest.raises(apsw.ConstraintError, match="this content"):
            tx.execute(*TWICE[how])
    finally:
        connection.close()
