"""SQL that sums up how sessions rated the memories that they were told."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from intaglio.domain.reader import Reader, UserReader
from intaglio.store.tx import ReadTx, Sql

_TOLD: Final = (
    "(SELECT count(DISTINCT m.memory_id) FROM injections i JOIN session_memories m "
    "ON m.injection = i.seq AND m.injected = 1 "
    "WHERE i.session_id = s.id AND i.harness = s.harness AND i.event <> 'recall')"
)


@dataclass(frozen=True, slots=True)
class SessionScore:
    """A session's ratings: their mean from 0 to 1, how many memories it was told, rated, used."""

    number: int
    session_id: str
    harness: str
    project: str | None
    score: float
    told: int
    rated: int
    used: int
    at: str


def scores(
    tx: ReadTx, reader: Reader, projects: Sequence[str] | None, limit: int
) -> list[SessionScore]:
    """List sessions with ratings, the latest rated first; an agent sees its own sessions only."""
    conditions, params = ["1"], list[Sql]()
    if not isinstance(reader, UserReader):
        conditions.append("s.agent_id = ?")
        params.append(reader.agent_id)
    if projects is not None:
        conditions.append("s.project IN (SELECT value FROM json_each(?))")
        params.append(json.dumps(list(projects), ensure_ascii=False))
    return tx.map(
        SessionScore,
        f"SELECT s.number, s.id, s.harness, s.project, (avg(f.rating) + 1) / 2, {_TOLD}, count(*), "  # noqa: S608 - constants
        "sum(f.rating > 0), max(f.created_at) FROM feedback f JOIN sessions s "
        f"ON s.id = f.session_id AND s.agent_id = f.agent_id WHERE {' AND '.join(conditions)} "
        "GROUP BY s.number ORDER BY max(f.created_at) DESC, s.number DESC LIMIT ?",
        (*params, limit),
    )


def latest_by_project(tx: ReadTx, reader: Reader) -> list[SessionScore]:
    """Return the latest score of each project, by its latest rating."""
    found = dict[str | None, SessionScore]()
    for each in scores(tx, reader, None, _SCANNED):
        found.setdefault(each.project, each)
    return list(found.values())


_SCANNED: Final = 2_000


@dataclass(frozen=True, slots=True)
class ConsideredMemory:
    """A memory that a session considered: its place, whether it was told, and its rating if any."""

    injection: int
    rank: int
    session_id: str
    harness: str
    event: str
    memory_id: str
    score: float | None
    told: bool
    rating: float | None
    at: str


def considered_memories(
    tx: ReadTx, reader: Reader, after: tuple[int, int], limit: int
) -> list[ConsideredMemory]:
    """List what sessions considered after a place (injection and rank), in order.

    Not memories that are gone; an agent sees its own sessions only.
    """
    agent = None if isinstance(reader, UserReader) else reader.agent_id
    return tx.map(
        _considered,
        "SELECT i.seq, m.rank, i.session_id, i.harness, i.event, m.memory_id, m.score, m.injected, "
        "f.rating, i.created_at FROM session_memories m JOIN injections i ON i.seq = m.injection "
        "JOIN sessions s ON s.harness = i.harness AND s.id = i.session_id "
        "LEFT JOIN feedback f ON f.session_id = i.session_id AND f.memory_id = m.memory_id "
        "WHERE (m.injection, m.rank) > (?, ?) AND (? IS NULL OR s.agent_id = ?) "
        "AND EXISTS (SELECT 1 FROM memories WHERE id = m.memory_id) "
        "ORDER BY m.injection, m.rank LIMIT ?",
        (*after, agent, agent, limit),
    )


def _considered(*row: Any) -> ConsideredMemory:  # noqa: ANN401 - the columns of STRICT tables
    found = ConsideredMemory(*row)
    return replace(found, told=bool(found.told))
