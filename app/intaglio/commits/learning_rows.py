"""SQL on the reverts of a project, and on the memories that were made of them."""

import json
from collections.abc import Sequence

from intaglio.memory import rows as memories
from intaglio.memory.values import COMMIT_SOURCE, Memory
from intaglio.store.tx import ReadTx


def reverts(tx: ReadTx, project: str, limit: int) -> list[int]:
    """Return the newest commits of a project that revert others."""
    return tx.column(
        int,
        "SELECT seq FROM commits WHERE project = ? AND kind = 'revert' "
        "ORDER BY committed_at DESC, seq LIMIT ?",
        (project, limit),
    )


def subjects(tx: ReadTx, project: str, starts: Sequence[str]) -> dict[str, str]:
    """Return the subjects of the commits whose hashes begin so, by hash."""
    return dict(
        tx.rows(
            tuple[str, str],
            "SELECT c.hash, c.subject FROM json_each(?) j JOIN commits c "
            "ON c.project = ? AND c.hash >= j.value AND c.hash < j.value || 'g'",
            (json.dumps([*starts]), project),
        )
    )


def last_committed(tx: ReadTx, project: str, wanted: Sequence[str]) -> dict[str, str]:
    """Return when a commit with each of these subjects was last made."""
    return dict(
        tx.rows(
            tuple[str, str],
            "SELECT subject, max(committed_at) FROM commits WHERE project = ? "
            "AND subject IN (SELECT value FROM json_each(?)) GROUP BY subject",
            (project, json.dumps([*wanted])),
        )
    )


def of_project(tx: ReadTx, project: str) -> list[Memory]:
    """Return the live memories that were made of a project's reverts."""
    numbers = tx.column(
        int,
        "SELECT seq FROM memories WHERE project = ? AND type = 'learning' AND source_type = ? "
        "AND is_deleted = 0",
        (project, COMMIT_SOURCE),
    )
    return list(memories.by_seq(tx, numbers).values())


def projects(tx: ReadTx) -> list[str]:
    """Return the projects that have such memories."""
    return tx.column(
        str,
        "SELECT DISTINCT project FROM memories WHERE type = 'learning' AND source_type = ? "
        "AND is_deleted = 0 AND project IS NOT NULL",
        (COMMIT_SOURCE,),
    )
