"""SQL that reads what happened; each row is a time, the event's name and its details as JSON.

Ids of memories are those of memories that still exist: one that was erased leaves nothing.
"""

import json
from collections.abc import Sequence
from typing import Final

from intaglio.base.clock import iso_of_ms
from intaglio.domain.reader import Reader, may_read
from intaglio.store.tx import ReadTx, Sql
from intaglio.timelines.values import TimelineEvent, TimelineSource

MOST: Final = 500
"""How many events of a kind are read, the newest."""

_SCANNED_CHANGES: Final = 50_000
_EXISTS: Final = "EXISTS (SELECT 1 FROM memories WHERE id = {0})"


def _events(
    tx: ReadTx, source: TimelineSource, sql: str, params: Sequence[Sql]
) -> list[TimelineEvent]:
    rows = tx.rows(tuple[str, str, str], sql, params)
    return [TimelineEvent(at, source, event, json.loads(details)) for at, event, details in rows]


def told(tx: ReadTx, memory_id: str, agent: str | None) -> list[TimelineEvent]:
    """Return when sessions were told a memory; those of one agent only, unless it is None."""
    return _events(
        tx,
        "history",
        "SELECT i.created_at, 'told', json_object('session', s.number, 'harness', s.harness, "
        "'hook', i.event, 'rank', m.rank) FROM session_memories m "
        "JOIN injections i ON i.seq = m.injection "
        "JOIN sessions s ON s.harness = i.harness AND s.id = i.session_id "
        "WHERE m.memory_id = ? AND m.injected = 1 AND (? IS NULL OR s.agent_id = ?) "
        "ORDER BY m.injection DESC LIMIT ?",
        (memory_id, agent, agent, MOST),
    )


def ratings(tx: ReadTx, memory_id: str, agent: str | None) -> list[TimelineEvent]:
    """Return how sessions rated a memory."""
    return _events(
        tx,
        "history",
        "SELECT created_at, 'rated', json_object('rating', rating, 'agentId', agent_id) "
        "FROM feedback WHERE memory_id = ? AND (? IS NULL OR agent_id = ?) LIMIT ?",
        (memory_id, agent, agent, MOST),
    )


def inbox(tx: ReadTx, subject: str, agent: str | None) -> list[TimelineEvent]:
    """Return when the user was asked about a memory or an entity, and when they decided."""
    return [
        event
        for column in ("memory_id", "older_id", "entity_id", "other_entity_id")
        for at, name in (("created_at", "asked"), ("decided_at", "decided"))
        for event in _events(
            tx,
            "history",
            f"SELECT {at}, '{name}', json_object('kind', kind, 'item', id, 'action', "  # noqa: S608 - constants
            f"CASE '{name}' WHEN 'decided' THEN action END) FROM inbox_items "
            f"WHERE {column} = ? AND {at} IS NOT NULL AND (? IS NULL OR agent_id = ?) "
            "ORDER BY seq DESC LIMIT ?",
            (subject, agent, agent, MOST),
        )
    ]


def jobs(tx: ReadTx, subject: str) -> list[TimelineEvent]:
    """Return the background work on a subject that waits or has failed; done work leaves no row."""
    return [
        event
        for at, name in (("created_at", "queued"), ("failed_at", "failed"))
        for event in _events(
            tx,
            "job",
            f"SELECT {at}, '{name}', json_object('type', type, 'status', status, "  # noqa: S608 - constants
            f"'attempts', attempts) FROM jobs WHERE {_OF_SUBJECT} AND {at} IS NOT NULL LIMIT ?",
            (*_subject(subject), MOST),
        )
    ]


def model_calls(tx: ReadTx, subject: str) -> list[TimelineEvent]:
    """Return the calls of a language model about a subject."""
    return _events(
        tx,
        "job",
        "SELECT at, 'model call', json_object('stage', stage, 'provider', provider, "  # noqa: S608 - a constant
        "'model', model, 'outcome', outcome, 'ms', ms, 'tokens', tokens_read + tokens_written) "
        f"FROM model_calls WHERE {_OF_SUBJECT} ORDER BY id DESC LIMIT ?",
        (*_subject(subject), MOST),
    )


_OF_SUBJECT: Final = "(subject = ? OR (subject >= ? AND subject < ?))"


def _subject(subject: str) -> tuple[str, str, str]:
    # That of a part of a session goes on after a space.
    return subject, f"{subject} ", f"{subject}!"


def session(tx: ReadTx, harness: str, session_id: str, number: int) -> list[TimelineEvent]:
    """Return what happened in a session."""
    key = (harness, session_id)
    return [
        *_events(
            tx,
            "history",
            "SELECT started_at, 'started', json_object('harness', harness) FROM sessions "
            "WHERE harness = ? AND id = ?",
            key,
        ),
        *_events(
            tx,
            "history",
            "SELECT ended_at, 'ended', json_object('reason', end_reason, 'prompts', prompts) "
            "FROM sessions WHERE harness = ? AND id = ? AND ended_at IS NOT NULL",
            key,
        ),
        *_events(
            tx,
            "history",
            "SELECT created_at, iif(injected > 0, 'told', 'considered'), json_object("
            "'hook', event, 'source', source, 'considered', candidates, 'told', injected, "
            "'tokens', tokens, 'ms', round(elapsed_ms, 1)) FROM injections "
            "WHERE harness = ? AND session_id = ? ORDER BY seq DESC LIMIT ?",
            (*key, MOST),
        ),
        *_events(
            tx,
            "history",
            "SELECT recorded_at, outcome, json_object('memoryId', memory_id, 'item', inbox_id, "  # noqa: S608 - a constant
            "'confidence', round(confidence, 3)) FROM statements "
            "WHERE harness = ? AND session_id = ? AND state <> 'erased' "
            f"AND (memory_id IS NULL OR {_EXISTS.format('memory_id')}) ORDER BY seq DESC LIMIT ?",
            (*key, MOST),
        ),
        *_events(
            tx,
            "history",
            "SELECT created_at, 'reminded', json_object('tokens', tokens, 'confidence', "
            "round(confidence, 3)) FROM reminders WHERE harness = ? AND session_id = ? "
            "ORDER BY seq DESC LIMIT ?",
            (*key, MOST),
        ),
        *_events(
            tx,
            "history",
            "SELECT made_at, 'summarised', json_object('provider', provider, 'model', model) "
            "FROM session_summaries WHERE harness = ? AND session_id = ? LIMIT ?",
            (*key, MOST),
        ),
        *_events(
            tx,
            "history",
            "SELECT created_at, 'checkpoint', json_object('cause', cause, 'prompts', prompts) "
            "FROM checkpoints WHERE session = ? ORDER BY seq DESC LIMIT ?",
            (number, MOST),
        ),
        *_events(
            tx,
            "history",
            "SELECT f.created_at, 'rated', json_object('memoryId', f.memory_id, 'rating', "  # noqa: S608 - a constant
            "f.rating) FROM feedback f JOIN sessions s ON s.id = f.session_id "
            "AND s.agent_id = f.agent_id WHERE s.number = ? "
            f"AND {_EXISTS.format('f.memory_id')} LIMIT ?",
            (number, MOST),
        ),
    ]


def entity(tx: ReadTx, seq: int) -> list[TimelineEvent]:
    """Return what happened to an entity itself, and what was changed of it."""
    return [
        *(
            event
            for at, name in (
                ("created_at", "created"),
                ("pinned_at", "pinned"),
                ("pruned_at", "pruned"),
            )
            for event in _events(
                tx,
                "history",
                f"SELECT {at}, '{name}', json_object('type', entity_type, 'origin', origin) "  # noqa: S608 - constants
                f"FROM entities WHERE seq = ? AND {at} IS NOT NULL",
                (seq,),
            )
        ),
        *(
            event
            for at, name in (("created_at", "kind"), ("undone_at", "'undo ' || kind"))
            for event in _events(
                tx,
                "history",
                f"SELECT {at}, {name}, json_object('actor', changed_by) FROM entity_changes "  # noqa: S608 - constants
                f"WHERE entity = ? AND {at} IS NOT NULL ORDER BY seq DESC LIMIT ?",
                (seq, MOST),
            )
        ),
    ]


def mentions(tx: ReadTx, seq: int, reader: Reader) -> list[TimelineEvent]:
    """Return the memories that name an entity, as of when they were made, if the reader may."""
    rows = tx.rows(
        tuple[str, str, str, str],
        "SELECT created_at, id, agent_id, visibility FROM memories WHERE is_deleted = 0 AND seq IN "
        "(SELECT m.memory FROM entity_aliases a JOIN memory_entity_mentions m ON m.alias = a.seq "
        "WHERE a.entity = ?) ORDER BY created_at DESC LIMIT ?",
        (seq, 2 * MOST),
    )
    return [
        TimelineEvent(at, "history", "named", {"memoryId": memory_id})
        for at, memory_id, agent, visibility in rows
        if may_read(reader, agent, visibility)
    ][:MOST]


def request(tx: ReadTx, request_id: str, reader: Reader) -> list[TimelineEvent]:
    """Return the changes that a request made of memories, among the latest 50,000 changes."""
    rows = tx.rows(
        tuple[int, str, str, str | None, str, str, str],
        "SELECT h.created_at, h.event, m.id, h.session_id, h.changed_by, m.agent_id, m.visibility "
        "FROM memory_history h JOIN memories m ON m.seq = h.memory "
        "WHERE h.seq > (SELECT max(seq) FROM memory_history) - ? AND h.request_id = ? LIMIT ?",
        (_SCANNED_CHANGES, tx.as_stored(request_id), MOST),
    )
    return [
        TimelineEvent(
            iso_of_ms(at),
            "history",
            event,
            {"memoryId": memory_id, "sessionId": session_id, "actor": actor},
        )
        for at, event, memory_id, session_id, actor, agent, visibility in rows
        if may_read(reader, agent, visibility)
    ]
