"""SQL that counts the memories of projects, and gives all of a project to another one."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.base.agent_id import DEFAULT_AGENT
from intaglio.base.clock import epoch_ms
from intaglio.domain.reader import GLOBAL, Reader
from intaglio.memory.filters import Filter, where
from intaglio.memory.values import Actor
from intaglio.store.tx import ReadTx, WriteTx

_BY_PROJECT: Final = "SELECT m.project, count(*), max(m.created_at)"


def by_project(tx: ReadTx, reader: Reader) -> list[tuple[str | None, int, str]]:
    """Count what a reader may read in each project, with when the newest was created.

    The user reads everything, so that an index alone answers, however many memories there are.
    """
    condition, params = where(Filter(reader=reader))
    return tx.rows(
        tuple[str | None, int, str],
        f"{_BY_PROJECT} FROM memories m INDEXED BY memories_project WHERE {condition} "
        "GROUP BY m.project",
        params,
    )


def by_type(tx: ReadTx, filters: Filter) -> list[tuple[str, int]]:
    """Count the matching memories of each type, the most frequent first."""
    condition, params = where(filters)
    return tx.rows(
        tuple[str, int],
        f"SELECT m.type, count(*) AS total FROM memories m WHERE {condition} "  # noqa: S608 - see where()
        "GROUP BY m.type ORDER BY total DESC, m.type",
        params,
    )


def count_all(tx: ReadTx, project: str) -> tuple[int, int]:
    """Count a project's memories: the live and the forgotten ones."""
    live = "SELECT count(*) FROM memories WHERE project = ? AND is_deleted = 0"
    forgotten = "SELECT count(*) FROM memories WHERE project = ? AND is_deleted = 1"
    return tx.count(live, (project,)), tx.count(forgotten, (project,))


def has_live(tx: ReadTx, project: str) -> bool:
    """Tell whether a project has a live memory."""
    sql = "SELECT EXISTS (SELECT 1 FROM memories WHERE project = ? AND is_deleted = 0)"
    return bool(tx.count(sql, (project,)))


def former_keys(tx: ReadTx, project: str | None) -> list[str]:
    """Return the projects that were moved into this one, directly or not, and still are."""
    if project is None:
        return []
    return tx.column(
        str,
        "WITH RECURSIVE former(key) AS (SELECT ?1 UNION SELECT c.project FROM project_changes c "
        "JOIN former f ON c.target = f.key WHERE c.kind IN ('move', 'merge') "
        "AND c.undone_at IS NULL) SELECT key FROM former WHERE key <> ?1",
        (project,),
    )


@dataclass(frozen=True, slots=True)
class TwinMemories:
    """A live memory, and that of another project which has the same content or source."""

    id: str
    pinned: bool
    other_id: str
    other_pinned: bool


def _twins(id_: str, pinned: int, other_id: str, other_pinned: int) -> TwinMemories:
    return TwinMemories(id_, bool(pinned), other_id, bool(other_pinned))


def twins(tx: ReadTx, project: str, target: str) -> list[TwinMemories]:
    """Return a project's live memories that another project has too."""
    same_scope = (
        "o.project = ?2 AND o.is_deleted = 0 AND o.agent_id = mine.agent_id "
        "AND o.visibility = mine.visibility"
    )
    return tx.map(
        _twins,
        "SELECT mine.id, mine.pinned, o.id, o.pinned FROM memories mine JOIN memories o "  # noqa: S608 - a constant
        "ON substr(o.content_hash, 1, 8) = substr(mine.content_hash, 1, 8) "
        f"AND o.content_hash = mine.content_hash AND {same_scope} "
        "WHERE mine.project = ?1 AND mine.is_deleted = 0 "
        "UNION SELECT mine.id, mine.pinned, o.id, o.pinned FROM memories mine JOIN memories o "
        f"ON o.source_id = mine.source_id AND o.source_type = mine.source_type AND {same_scope} "
        "WHERE mine.project = ?1 AND mine.is_deleted = 0 AND mine.source_id IS NOT NULL",
        (project, target),
    )


def numbers_of(tx: ReadTx, project: str, limit: int) -> list[int]:
    """Return row numbers of a project's memories, live and forgotten."""
    return tx.column(int, "SELECT seq FROM memories WHERE project = ? LIMIT ?", (project, limit))


@dataclass(frozen=True, slots=True)
class BulkMove:
    """A move of a whole project: the id of its change, between which projects, by whom, when."""

    change_id: str
    project: str
    target: str
    actor: Actor
    at: str
    reason: str


def are_twins(tx: ReadTx, twin: TwinMemories, to: BulkMove) -> bool:
    """Tell whether both still are live memories of these projects with one content or source."""
    return (
        tx.value(
            "SELECT 1 FROM memories mine JOIN memories o ON o.id = ? WHERE mine.id = ? "
            "AND mine.is_deleted = 0 AND o.is_deleted = 0 AND mine.project = ? AND o.project = ? "
            "AND (o.content_hash = mine.content_hash "
            "OR (o.source_id = mine.source_id AND o.source_type = mine.source_type))",
            (twin.other_id, twin.id, to.project, to.target),
        )
        is not None
    )


def give_memories(tx: WriteTx, seqs: Sequence[int], to: BulkMove) -> int:
    """Give those of these memories that are a project's to another one; returns how many.

    It is no edit: versions and times stay, and the history says what happened. The caller has made
    sure that the other project has none of the same content or source.
    """
    chosen = "project = ? AND seq IN (SELECT value FROM json_each(?))"
    which = (to.project, json.dumps(list(seqs)))
    tx.execute(
        "INSERT INTO memory_history(memory, id, event, changed_by, actor_type, reason, metadata, "  # noqa: S608 - a constant
        "created_at, agent_id, visibility) "
        "SELECT seq, ? || '-' || seq, 'updated', ?, nullif(?, 'operator'), ?, "
        "json_object('project', json_array(?, ?)), ?, nullif(agent_id, ?), nullif(visibility, ?) "
        f"FROM memories WHERE {chosen}",
        (
            to.change_id,
            to.actor.name,
            to.actor.type,
            to.reason,
            to.project,
            to.target,
            epoch_ms(to.at),
            DEFAULT_AGENT,
            GLOBAL,
            *which,
        ),
    )
    return tx.execute(f"UPDATE memories SET project = ? WHERE {chosen}", (to.target, *which))  # noqa: S608 - a constant


def moved_by(tx: ReadTx, change_id: str, project: str) -> list[tuple[int, str]]:
    """Return the memories that a change gave to a project and that still are there.

    Each with its row number and its id.
    """
    return tx.rows(
        tuple[int, str],
        "SELECT mine.seq, mine.id FROM memories mine WHERE mine.project = ? AND EXISTS ("
        "SELECT 1 FROM memory_history h WHERE h.memory = mine.seq AND h.id = ? || '-' || mine.seq)",
        (project, change_id),
    )


def shared_sessions(tx: ReadTx, project: str, other: str) -> list[str]:
    """Return the sessions that both projects have memories of."""
    return tx.column(
        str,
        "SELECT session_id FROM memories WHERE project = ? AND session_id IS NOT NULL "
        "INTERSECT SELECT session_id FROM memories WHERE project = ?",
        (project, other),
    )
