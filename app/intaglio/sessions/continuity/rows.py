"""SQL on checkpoints; no other module writes this table."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Final, NamedTuple

from intaglio.domain.reader import Reader, UserReader
from intaglio.graph.entity_rows import LINKED
from intaglio.sessions.continuity.values import (
    Checkpoint,
    CheckpointTrigger,
    DigestKind,
    DigestLine,
    NamedId,
    NewCheckpoint,
    StructuralSnapshot,
    kept_text,
)
from intaglio.sessions.values import SessionKey, SessionRef
from intaglio.store.tx import ReadTx, Row, Sql, WriteTx
from intaglio.transcripts.removal import REMOVED
from intaglio.transcripts.rows import rows_of
from intaglio.transcripts.values import TranscriptRole

_QUERIES: Final = 5
_MOST_ENTITIES: Final = 8
_MOST_ASPECTS: Final = 12
_LISTED: Final = "IN (SELECT value FROM json_each(?))"
_SELECT: Final = (
    "SELECT c.id, c.cause, s.harness, s.id, s.number, s.agent_id, s.project, c.prompts, c.lines, "
    "c.summary, c.focal_entities, c.active_aspects, c.constraints, c.traversed, c.created_at "
    "FROM sessions s JOIN checkpoints c ON c.session = s.number "
)


class CheckpointedSession(NamedTuple):
    """A session's number, agent, project, count of prompts, start and last activity."""

    number: int
    agent_id: str
    project: str | None
    prompts: int
    started_at: str
    last_seen_at: str


class LatestSession(NamedTuple):
    """A session, when it was active, and when it ended."""

    harness: str
    id: str
    last_seen_at: str
    ended_at: str | None

    @property
    def key(self) -> SessionKey:
        """The session's unique key."""
        return self.harness, self.id


class LastMessage(NamedTuple):
    """A message of a transcript."""

    id: str
    role: TranscriptRole
    text: str


class _Stored(NamedTuple):
    id: str
    trigger: CheckpointTrigger
    harness: str
    session_id: str
    number: int
    agent_id: str
    project: str | None
    prompts: int
    lines: str
    summary: str
    focal_entities: str
    active_aspects: str
    constraints: int
    traversed: int
    at: str


def session(tx: ReadTx, key: SessionKey) -> CheckpointedSession | None:
    """Return what is stored of a session; None if nothing is."""
    found = tx.map(
        CheckpointedSession,
        "SELECT number, agent_id, project, prompts, started_at, last_seen_at FROM sessions "
        "WHERE harness = ? AND id = ?",
        key,
    )
    return found[0] if found else None


def insert(tx: WriteTx, new_id: str, session: int, new: NewCheckpoint, most: int) -> None:
    """Write a checkpoint of the session with this number; older ones than ``most`` are deleted."""
    tx.execute(
        "INSERT INTO checkpoints(id, session, cause, prompts, lines, summary, focal_entities, "
        "active_aspects, constraints, traversed, created_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            new_id,
            session,
            new.trigger,
            new.prompts,
            _written(new.lines),
            new.summary,
            json.dumps(new.snapshot.focal_entities),
            json.dumps(new.snapshot.active_aspects),
            new.snapshot.constraints,
            new.snapshot.traversed,
            new.at,
        ),
    )
    tx.execute(
        "DELETE FROM checkpoints WHERE session = ?1 AND seq <= (SELECT seq FROM checkpoints "
        "WHERE session = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)",
        (session, most),
    )


def _written(lines: Sequence[DigestLine]) -> str:
    rows = [
        # What a memory says is read from it again.
        [each.kind, "" if each.memory_id else each.text, each.memory_id, list(each.messages)]
        for each in lines
    ]
    return json.dumps(rows, ensure_ascii=False)


def _lines(stored: str, contents: Mapping[str, str]) -> tuple[DigestLine, ...]:
    """Read lines; ``contents`` are those of live memories, without which their lines go."""
    found: list[tuple[DigestKind, str, str | None, list[str]]] = json.loads(stored)
    return tuple(
        DigestLine(
            kind, text if memory_id is None else contents[memory_id], memory_id, tuple(messages)
        )
        for kind, text, memory_id, messages in found
        if memory_id is None or memory_id in contents
    )


def of_projects(
    tx: ReadTx, projects: Collection[str], reader: Reader, limit: int
) -> list[Checkpoint]:
    """Return the latest checkpoints of sessions in these projects, latest first."""
    condition, params = _readable(reader)
    return _read(
        tx,
        f"s.project {_LISTED} AND {condition} ORDER BY c.created_at DESC, c.seq DESC LIMIT ?",
        (json.dumps(list(projects), ensure_ascii=False), *params, limit),
    )


def of_session(
    tx: ReadTx, session_id: str, harness: str | None, reader: Reader, limit: int
) -> list[Checkpoint]:
    """Return the latest checkpoints of the sessions with an id, latest first.

    Without a harness, of whichever has it.
    """
    condition, params = _readable(reader)
    return _read(
        tx,
        f"s.id = ? AND (? IS NULL OR s.harness = ?) AND {condition} ORDER BY c.seq DESC LIMIT ?",
        (session_id, harness, harness, *params, limit),
    )


def digests(tx: ReadTx, ids: Collection[str]) -> dict[str, str]:
    """Return what checkpoints say, by id.

    The caller must have checked that its reader may read their sessions.
    """
    found = _read(tx, f"c.id {_LISTED}", (json.dumps(list(ids)),)) if ids else []
    return {each.id: each.digest for each in found}


def _readable(reader: Reader) -> tuple[str, tuple[str, ...]]:
    """Return a condition: the user reads those of all agents, an agent its own."""
    if isinstance(reader, UserReader):
        return "1", ()
    return "s.agent_id = ?", (reader.agent_id,)


def _read(tx: ReadTx, condition: str, params: Sequence[Sql]) -> list[Checkpoint]:
    stored = tx.map(_Stored, f"{_SELECT} WHERE {condition}", params)
    entities = _names(tx, "entities", [each.focal_entities for each in stored])
    aspects = _names(tx, "entity_aspects", [each.active_aspects for each in stored])
    return [_checkpoint(tx, each, entities, aspects) for each in stored]


def _names(tx: ReadTx, table: str, lists: Sequence[str]) -> dict[str, str]:
    ids = {each for written in lists for each in json.loads(written)}
    if not ids:
        return {}
    found = tx.rows(
        tuple[str, str],
        f"SELECT id, name FROM {table} WHERE id {_LISTED}",  # noqa: S608 - names of tables
        (json.dumps(sorted(ids)),),
    )
    return dict(found)


def _checkpoint(
    tx: ReadTx, stored: _Stored, entities: dict[str, str], aspects: dict[str, str]
) -> Checkpoint:
    lines = read_lines(tx, stored.lines)
    return Checkpoint(
        id=stored.id,
        trigger=stored.trigger,
        harness=stored.harness,
        session_id=stored.session_id,
        number=stored.number,
        agent_id=stored.agent_id,
        project=stored.project,
        prompts=stored.prompts,
        lines=lines,
        summary=stored.summary,
        focal_entities=_named(stored.focal_entities, entities),
        active_aspects=_named(stored.active_aspects, aspects),
        constraints=stored.constraints,
        traversed=stored.traversed,
        queries=_queries(tx, (stored.harness, stored.session_id), stored.at),
        remembered=tuple(each.text for each in lines if each.memory_id),
        at=stored.at,
    )


def _named(written: str, names: dict[str, str]) -> tuple[NamedId, ...]:
    return tuple(NamedId(each, names[each]) for each in json.loads(written) if each in names)


def _queries(tx: ReadTx, key: SessionKey, at: str) -> tuple[str, ...]:
    found = tx.column(
        str,
        "SELECT terms FROM injections WHERE harness = ? AND session_id = ? AND created_at <= ? "
        "AND terms IS NOT NULL ORDER BY seq DESC LIMIT ?",
        (*key, at, _QUERIES),
    )
    return tuple(" ".join(json.loads(each)) for each in found)


def read_lines(tx: ReadTx, stored: str) -> tuple[DigestLine, ...]:
    """Read stored lines; those of memories say what these say now."""
    ids = [row[2] for row in json.loads(stored) if row[2]]
    if not ids:
        return _lines(stored, {})
    found = tx.rows(
        tuple[str, str],
        f"SELECT id, content FROM memories WHERE is_deleted = 0 AND id {_LISTED}",  # noqa: S608 - a constant
        (json.dumps(ids),),
    )
    return _lines(stored, {id_: kept_text(content) for id_, content in found})


def due(tx: ReadTx, prompts: int, before: str, active_since: str, limit: int) -> list[SessionRef]:
    """Return open sessions with so many prompts since their last checkpoint, or one before a time.

    Only those that were active since a time, and after that checkpoint.
    """
    found = tx.rows(
        tuple[str, str, str, str | None, str | None],
        "SELECT s.harness, s.id, s.agent_id, s.cwd, s.transcript_path FROM sessions s "
        "LEFT JOIN checkpoints c ON c.seq = "
        "(SELECT max(seq) FROM checkpoints WHERE session = s.number) "
        "WHERE s.ended_at IS NULL AND s.last_seen_at >= ?3 AND s.prompts > 0 "
        "AND s.last_seen_at > ifnull(c.created_at, '') "
        "AND (s.prompts >= ifnull(c.prompts, 0) + ?1 "
        "OR ifnull(c.created_at, s.started_at) <= ?2) "
        "ORDER BY s.last_seen_at DESC LIMIT ?4",
        (prompts, before, active_since, limit),
    )
    return [
        SessionRef(harness=harness, id=id_, agent_id=agent, project=cwd, transcript=transcript)
        for harness, id_, agent, cwd, transcript in found
    ]


def latest_sessions(
    tx: ReadTx, projects: Collection[str | None], agent_id: str, since: str, limit: int
) -> list[LatestSession]:
    """Return an agent's latest sessions with prompts in a project, latest first."""
    return tx.map(
        LatestSession,
        "SELECT s.harness, s.id, s.last_seen_at, s.ended_at FROM json_each(?) p "
        "CROSS JOIN sessions s ON s.project IS p.value "
        "WHERE s.last_seen_at >= ? AND s.agent_id = ? AND s.prompts > 0 "
        "ORDER BY s.last_seen_at DESC, s.number DESC LIMIT ?",
        (json.dumps([*projects], ensure_ascii=False), since, agent_id, limit),
    )


def was_told(tx: ReadTx, key: SessionKey, since: str) -> bool:
    """Whether a start told of a session after a time."""
    return bool(
        tx.count(
            "SELECT EXISTS (SELECT 1 FROM compared_sessions c CROSS JOIN injections i "
            "ON i.seq = c.injection WHERE c.shown = 1 AND i.event = 'session_start' "
            "AND i.created_at >= ? AND c.session_id = ? AND c.harness = ?)",
            (since, key[1], key[0]),
        )
    )


def told_in(tx: ReadTx, key: SessionKey, *, at_start: bool) -> list[str]:
    """Return the ids of the memories that a session was told, at its starts or otherwise."""
    return tx.column(
        str,
        "SELECT DISTINCT m.memory_id FROM injections i JOIN session_memories m "
        "ON m.injection = i.seq AND m.injected = 1 WHERE i.session_id = ? AND i.harness = ? "
        "AND (i.event = 'session_start') = ?",
        (key[1], key[0], int(at_start)),
    )


def snapshot(tx: ReadTx, memories: Collection[str], constraints: int) -> StructuralSnapshot:
    """Return what these memories say something about, the most named first."""
    listed = json.dumps(sorted(memories))
    chosen = f"WITH mine AS MATERIALIZED (SELECT seq FROM memories WHERE id {_LISTED}) "  # noqa: S608 - a constant
    entities = tx.column(
        str,
        f"{chosen} SELECT e.id FROM mine CROSS JOIN entities n ON n.seq IN "  # noqa: S608 - constants
        f"({LINKED.format('mine.seq')}) JOIN entities e ON e.seq = ifnull(n.merged_into, n.seq) "
        "WHERE e.suppressed = 0 GROUP BY e.seq ORDER BY count(DISTINCT mine.seq) DESC, "
        "e.mentions DESC LIMIT ?",
        (listed, _MOST_ENTITIES),
    )
    aspects = tx.column(
        str,
        f"{chosen} SELECT a.id FROM mine JOIN entity_attributes t ON t.memory = mine.seq "  # noqa: S608 - constants
        "JOIN entity_aspects a ON a.seq = t.aspect WHERE t.status = 'active' "
        "GROUP BY a.seq ORDER BY count(*) DESC, a.weight DESC LIMIT ?",
        (listed, _MOST_ASPECTS),
    )
    traversed = tx.count(
        f"{chosen} SELECT count(DISTINCT t.memory) FROM mine "  # noqa: S608 - constants
        "JOIN entity_attributes t ON t.memory = mine.seq WHERE t.status = 'active'",
        (listed,),
    )
    return StructuralSnapshot(
        focal_entities=tuple(entities),
        active_aspects=tuple(aspects),
        constraints=constraints,
        traversed=traversed,
    )


def last_messages(tx: ReadTx, transcript: int, limit: int) -> list[LastMessage]:
    """Return the last messages of a transcript out of which nothing was taken, oldest first."""
    found = tx.map(
        LastMessage,
        "SELECT message_id, role, text FROM transcript_messages WHERE seq BETWEEN ? AND ? "
        "AND text <> '' AND instr(text, ?) = 0 ORDER BY seq DESC LIMIT ?",
        (*rows_of(transcript), REMOVED, limit),
    )
    return found[::-1]


def intact(tx: ReadTx, harness: str, messages: Collection[str]) -> frozenset[str]:
    """Return those of these messages out of which nothing was taken, and that may be read."""
    found = tx.column(
        str,
        "SELECT m.message_id FROM transcript_messages m JOIN transcripts t ON t.seq = m.seq >> 20 "  # noqa: S608 - a constant
        f"WHERE m.message_id {_LISTED} AND t.harness = ? AND t.agent_id <> '' "
        "AND m.text <> '' AND instr(m.text, ?) = 0",
        (json.dumps(list(messages), ensure_ascii=False), harness, REMOVED),
    )
    return frozenset(found)


def texts(tx: ReadTx) -> list[tuple[int, str, str, str]]:
    """Return the row number, the harness, the lines and the summary of all checkpoints."""
    return tx.rows(
        tuple[int, str, str, str],
        "SELECT c.seq, s.harness, c.lines, c.summary FROM checkpoints c "
        "JOIN sessions s ON s.number = c.session WHERE c.lines <> '[]' OR c.summary <> ''",
    )


def rewrite(tx: WriteTx, seq: int, lines: Sequence[DigestLine], summary: str) -> None:
    """Replace what a checkpoint says."""
    tx.execute(
        "UPDATE checkpoints SET lines = ?, summary = ? WHERE seq = ?",
        (_written(lines), summary, seq),
    )


def forget(tx: WriteTx, harness: str, session_id: str) -> None:
    """Delete the checkpoints of a session."""
    tx.execute(
        "DELETE FROM checkpoints WHERE session = "
        "(SELECT number FROM sessions WHERE harness = ? AND id = ?)",
        (harness, session_id),
    )


def old(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List the checkpoints of before a time."""
    return tx.all("SELECT seq FROM checkpoints WHERE created_at < ? LIMIT ?", (before, limit))


def purge(tx: WriteTx, keys: Sequence[Row], before: str, _now: str) -> int:
    """Delete these checkpoints."""
    return tx.execute(
        f"DELETE FROM checkpoints WHERE created_at < ? AND seq {_LISTED}",  # noqa: S608 - a constant
        (before, json.dumps([seq for (seq,) in keys])),
    )
