"""Fills a database, while no daemon has it open, with what a sweep has to purge."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from hashlib import sha256
from pathlib import Path

_LONG_AGO = "2020-01-01T00:00:00.000Z"
_NOW = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"


def add_memories(file: Path, contents: Iterable[str], *, expired: bool) -> None:
    """Write memories with a history row each: tombstones over their time, or live ones."""
    with closing(sqlite3.connect(file)) as connection:
        for content in contents:
            digest = sha256(content.encode()).digest()
            name = digest.hex()[:36]
            connection.execute(
                "INSERT INTO memories(id, content, content_hash, type, importance, confidence, "  # noqa: S608 - a constant
                "pinned, who, agent_id, visibility, source_type, source_id, created_at, "
                "updated_at, updated_by, is_deleted, deleted_at) VALUES (?, ?, ?, 'fact', 0.8, 1, "
                f"0, 'w', 'default', 'global', 'claude-code', ?, {_NOW}, {_NOW}, 'w', ?, ?)",
                (name, content, digest, f"{name}#0", int(expired), _LONG_AGO if expired else None),
            )
            connection.execute(
                "INSERT INTO memory_history(id, memory, event, old_content, changed_by, "
                "created_at) SELECT ?, max(seq), 'deleted', ?, 'w', 0 FROM memories",
                (name, content if expired else None),
            )
        connection.commit()


def count(file: Path, sql: str) -> int:
    """Return the number that a statement gives."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        return int(connection.execute(sql).fetchone()[0])
