"""SQL on statements; no other module writes this table."""

import json
from collections.abc import Collection, Sequence
from dataclasses import fields
from typing import Any, Final

from intaglio.domain.reader import Reader
from intaglio.inbox.values import Evidence
from intaglio.memory.filters import reader_condition
from intaglio.sessions.statements import considered_rows
from intaglio.sessions.statements.values import (
    KeptLately,
    OfferedSuggestion,
    RecordedStatement,
    SavedLine,
    StatementCounts,
    StatementState,
)
from intaglio.sessions.values import SessionKey
from intaglio.store.tx import ReadTx, Row, Sql, WriteTx

_RENAMED: Final = {"start": "start_char", "end": "end_char"}
_NAMES: Final = tuple(field.name for field in fields(RecordedStatement))
_COLUMN_NAMES: Final = tuple(_RENAMED.get(name, name) for name in _NAMES)
_COLUMNS: Final = ", ".join(_COLUMN_NAMES)
MAX_OF_SESSION: Final = 500
_MAX_EVIDENCE: Final = 200
# A sentence is told by this many characters of its beginning or end.
_TOLD_BY: Final = 40


def _statement(row: Row) -> RecordedStatement:
    # The table is STRICT, so each column has the type of its field; flags are 0 or 1.
    values: dict[str, Any] = dict(zip(_NAMES, row, strict=True))
    values["everywhere"] = bool(values["everywhere"])
    return RecordedStatement(**values)


def _select(tx: ReadTx, condition: str, params: Sequence[Sql]) -> list[RecordedStatement]:
    sql = f"SELECT {_COLUMNS} FROM statements WHERE {condition}"  # noqa: S608 - conditions of this module
    return [_statement(row) for row in tx.all(sql, params)]


def insert(tx: WriteTx, statement: RecordedStatement) -> None:
    """Write a statement; its ``seq`` is assigned here."""
    names = _COLUMN_NAMES[1:]
    values = [getattr(statement, name) for name in _NAMES[1:]]
    tx.execute(
        f"INSERT INTO statements({', '.join(names)}) VALUES ({', '.join('?' * len(names))})",  # noqa: S608 - names of columns
        [int(value) if isinstance(value, bool) else value for value in values],
    )


def at(tx: ReadTx, harness: str, message_id: str, start: int) -> RecordedStatement | None:
    """Return the statement at a place."""
    found = _select(
        tx,
        "message_id = ? AND start_char = ? AND harness = ?",
        (tx.as_stored(message_id), start, harness),
    )
    return found[0] if found else None


def within(
    tx: ReadTx, harness: str, message_id: str, start: int, end: int
) -> list[RecordedStatement]:
    """Return the statements that begin within a part of a message, in order."""
    return _select(
        tx,
        "message_id = ? AND start_char >= ? AND start_char < ? AND harness = ? ORDER BY start_char",
        (tx.as_stored(message_id), start, max(end, start + 1), harness),
    )


def of_session(tx: ReadTx, harness: str, session_id: str) -> list[RecordedStatement]:
    """Return a session's latest statements that hold, in the order in which they were said."""
    return _latest(tx, harness, session_id, ("live",))


def not_withdrawn(tx: ReadTx, harness: str, session_id: str) -> list[RecordedStatement]:
    """Return a session's latest statements that hold or were replaced, in the order of saying."""
    return _latest(tx, harness, session_id, ("live", "replaced"))


def _latest(
    tx: ReadTx, harness: str, session_id: str, states: Sequence[StatementState]
) -> list[RecordedStatement]:
    found = _select(
        tx,
        "session_id = ? AND harness = ? AND state IN (SELECT value FROM json_each(?)) "
        "AND outcome <> 'withdrawal' ORDER BY seq DESC LIMIT ?",
        (tx.as_stored(session_id), harness, json.dumps(states), MAX_OF_SESSION),
    )
    return sorted(found, key=lambda each: (each.said_at or "", each.seq))


def all_of_session(tx: ReadTx, harness: str, session_id: str) -> list[RecordedStatement]:
    """Return a session's statements, whether they hold or not, oldest first; with texts.

    At most ``MAX_OF_SESSION``, and one more if there are more.
    """
    return _select(
        tx,
        "session_id = ? AND harness = ? AND state <> 'erased' ORDER BY said_at, seq LIMIT ?",
        (tx.as_stored(session_id), harness, MAX_OF_SESSION + 1),
    )


def memories_said_by(tx: ReadTx, message_id: str) -> frozenset[str]:
    """Return the memories that a message said."""
    found = tx.column(
        str,
        "SELECT DISTINCT memory_id FROM statements WHERE message_id = ? AND memory_id IS NOT NULL",
        (tx.as_stored(message_id),),
    )
    return frozenset(found)


def latest_memories(
    tx: ReadTx, agent_id: str, project: str | None, limit: int
) -> list[tuple[str, str]]:
    """Return the live memories of a scope's latest statements, with their contents."""
    return tx.rows(
        tuple[str, str],
        "SELECT DISTINCT m.id, m.content FROM (SELECT memory_id FROM statements "
        "WHERE state = 'live' AND memory_id IS NOT NULL AND agent_id = ? "
        "AND ifnull(project, '') = ifnull(?, '') ORDER BY seq DESC LIMIT ?) t "
        "JOIN memories m ON m.id = t.memory_id AND m.is_deleted = 0",
        (tx.as_stored(agent_id), None if project is None else tx.as_stored(project), limit),
    )


def of_memory(tx: ReadTx, memory_id: str) -> list[RecordedStatement]:
    """Return the statements that a memory has as evidence, whether they still hold or not."""
    return _select(
        tx,
        "memory_id = ? AND outcome <> 'withdrawal' AND state <> 'erased' "
        "ORDER BY said_at, seq LIMIT ?",
        (memory_id, _MAX_EVIDENCE),
    )


def outcomes_in(
    tx: ReadTx, harness: str, session_id: str
) -> list[tuple[str, str, StatementState, str, int, int]]:
    """Return what became of a session's statements.

    Message, sentence, state, since when its memory doesn't hold ("" if it does), 1 if a newer one
    holds instead, and 1 if the user dropped it, or its memory is forgotten.
    """
    return tx.rows(
        tuple[str, str, StatementState, str, int, int],
        "SELECT t.message_id, t.sentence, t.state, ifnull(m.valid_until, ''), "
        "m.superseded_by IS NOT NULL, "
        "ifnull(i.action, '') = 'drop' "
        "OR (t.state = 'live' AND t.memory_id IS NOT NULL AND ifnull(m.is_deleted, 1) = 1) "
        "FROM statements t LEFT JOIN inbox_items i ON i.id = t.inbox_id "
        "LEFT JOIN memories m ON m.id = t.memory_id "
        "WHERE t.session_id = ? AND t.harness = ? AND t.sentence <> ''",
        (tx.as_stored(session_id), harness),
    )


def gone_messages(tx: ReadTx, harness: str, ids: Collection[str]) -> set[str]:
    """Return those of these messages whose statements were erased or are forgotten memories."""
    found = tx.column(
        str,
        "SELECT DISTINCT t.message_id FROM statements t LEFT JOIN memories m ON m.id = t.memory_id "
        "WHERE t.message_id IN (SELECT value FROM json_each(?)) AND t.harness = ? "
        "AND (t.state = 'erased' OR (t.state = 'live' AND m.is_deleted = 1))",
        (json.dumps([tx.as_stored(each) for each in ids]), harness),
    )
    return set(found)


def of_item(tx: ReadTx, inbox_id: str) -> list[RecordedStatement]:
    """Return the statements that an inbox item has as evidence."""
    return _select(tx, "inbox_id = ?", (inbox_id,))


def evidence(tx: ReadTx, memory_id: str) -> list[Evidence]:
    """Return where the user said a memory, oldest first."""
    return [statement.evidence for statement in of_memory(tx, memory_id)]


def captured_in(tx: ReadTx, harness: str, session_id: str, since: str) -> dict[str, str]:
    """Return the ids of the memories said in a session after a time, and when."""
    found = tx.rows(
        tuple[str, str],
        "SELECT memory_id, max(recorded_at) FROM statements WHERE session_id = ? AND harness = ? "
        "AND memory_id IS NOT NULL AND ifnull(said_at, recorded_at) >= ? GROUP BY memory_id",
        (tx.as_stored(session_id), harness, since),
    )
    return dict(found)


def memories_said_in(tx: ReadTx, sessions: Collection[SessionKey]) -> dict[str, bool]:
    """Return the ids of the memories said in sessions, and whether another one says them too."""
    return _said_in(tx, "memory_id", sessions)


def items_said_in(tx: ReadTx, sessions: Collection[SessionKey]) -> dict[str, bool]:
    """Return the ids of the inbox items said in sessions, and whether another one says them too.

    Statements whose suggestion became a memory belong to that memory alone.
    """
    return _said_in(tx, "inbox_id", sessions)


def _said_in(tx: ReadTx, column: str, sessions: Collection[SessionKey]) -> dict[str, bool]:
    found = tx.rows(
        tuple[str, int],
        "WITH own(harness, session_id) AS (SELECT value ->> 0, value ->> 1 FROM json_each(?)) "  # noqa: S608 - names of columns
        f"SELECT t.{column}, EXISTS (SELECT 1 FROM statements o WHERE o.{column} = t.{column} "
        "AND o.outcome <> 'withdrawal' AND o.state = 'live' "
        "AND (o.harness, o.session_id) NOT IN (SELECT harness, session_id FROM own)) "
        f"FROM (SELECT DISTINCT s.{column} FROM own CROSS JOIN statements s "
        "ON s.session_id = own.session_id AND s.harness = own.harness "
        f"WHERE s.outcome <> 'withdrawal' AND s.{column} IS NOT NULL) t",
        (json.dumps([(harness, tx.as_stored(session)) for harness, session in sessions]),),
    )
    return {found_id: bool(elsewhere) for found_id, elsewhere in found}


# The live memories of the lines that capture saved at or after a time.
_KEPT_SINCE: Final = (
    "FROM statements t JOIN memories m "
    "ON m.id = t.memory_id AND m.source_id = t.message_id || '@' || t.start_char "
    "WHERE t.recorded_at >= ? AND t.outcome = 'kept' AND t.state = 'live' AND m.is_deleted = 0 "
)


def kept_since(tx: ReadTx, reader: Reader, since: str) -> int:
    """Count the live memories for a reader that capture saved at or after a time."""
    readable, params = reader_condition(reader)
    return tx.count(f"SELECT count(*) {_KEPT_SINCE} AND {readable}", (since, *params))


def saved_since(
    tx: ReadTx, reader: Reader, since: str, said_since: str, limit: int
) -> list[SavedLine]:
    """List the latest of these memories, newest first, without what was said before a time."""
    readable, params = reader_condition(reader)
    return tx.map(
        SavedLine,
        f"SELECT m.id, t.recorded_at, m.content {_KEPT_SINCE} AND {readable} "
        "AND ifnull(t.said_at, t.recorded_at) >= ? ORDER BY t.recorded_at DESC, t.seq DESC LIMIT ?",
        (since, *params, said_since, limit),
    )


def kept_lately(tx: ReadTx, since: str, confidence: float, limit: int) -> KeptLately:
    """Return what became of the latest lines that capture kept without asking since a time.

    Only those of at least a confidence count. A memory that a newer one replaced was right. One
    that was taken back with its source doesn't count: that isn't about the line.
    """
    return tx.map(
        KeptLately,
        "SELECT count(*), "
        "ifnull(sum(m.id IS NULL OR (m.is_deleted AND NOT EXISTS (SELECT 1 FROM inbox_items i "
        "WHERE i.older_id = m.id AND i.action = 'newer_wins'))), 0), "
        "ifnull(sum(m.is_deleted = 0 AND EXISTS (SELECT 1 FROM memory_history h "
        "WHERE h.memory = m.seq AND h.actor_type IS NULL AND h.event = 'updated' "
        "AND h.new_content IS NOT NULL)), 0) "
        "FROM (SELECT t.memory_id FROM statements t LEFT JOIN memories n ON n.id = t.memory_id "
        "WHERE t.outcome = 'kept' AND t.state IN ('live', 'erased') AND t.memory_id IS NOT NULL "
        "AND t.recorded_at >= ? AND t.confidence >= ? "
        "AND (n.id IS NULL OR n.source_id = t.message_id || '@' || t.start_char) "
        "AND NOT (n.is_deleted AND EXISTS (SELECT 1 FROM source_removal_items r "
        "WHERE r.id = n.id AND r.kind = 'memory' AND r.outcome = 'forgotten')) "
        "GROUP BY t.memory_id ORDER BY max(t.recorded_at) DESC LIMIT ?) k "
        "LEFT JOIN memories m ON m.id = k.memory_id",
        (since, confidence, limit),
    )[0]


def set_state(tx: WriteTx, seq: int, state: StatementState) -> None:
    """Record that a statement was taken back or replaced."""
    tx.execute("UPDATE statements SET state = ? WHERE seq = ?", (state, seq))


def attach_item(tx: WriteTx, inbox_id: str, memory_id: str) -> None:
    """Make the statements of a suggestion evidence of the memory that it became."""
    tx.execute(
        "UPDATE statements SET memory_id = ? WHERE inbox_id = ? AND state = 'live'",
        (memory_id, inbox_id),
    )


def detach_item(tx: WriteTx, inbox_id: str) -> None:
    """Undo `attach_item`: the suggestion is open again."""
    tx.execute("UPDATE statements SET memory_id = NULL WHERE inbox_id = ?", (inbox_id,))


def attach(tx: WriteTx, seqs: Collection[int], memory_id: str | None, item_id: str | None) -> None:
    """Make statements evidence of another memory or inbox item."""
    tx.execute(
        "UPDATE statements SET memory_id = ?, inbox_id = ? "
        "WHERE seq IN (SELECT value FROM json_each(?))",
        (memory_id, item_id, json.dumps(list(seqs))),
    )


def erase(tx: WriteTx, memory_id: str) -> None:
    """Remove the texts of an erased memory's statements, also from others' contexts.

    Their places stay. A context may hold only the beginning or the end of a sentence.
    """
    statements = of_memory(tx, memory_id)
    for each in statements:
        tx.execute(
            "UPDATE statements SET context = '' WHERE context <> '' AND (message_id = ? "
            "OR instr(context, ?) OR instr(context, ?))",
            (each.message_id, each.sentence[:_TOLD_BY], each.sentence[-_TOLD_BY:]),
        )
    considered_rows.erase(tx, statements)
    _blank(tx, json.dumps([each.seq for each in statements]))


def offered_in(tx: ReadTx, harness: str, session_id: str) -> list[OfferedSuggestion]:
    """Return what a session has offered: its suggestions that are open or that the user decided.

    The latest come first. Those that another session suggested first aren't its own.
    """
    return tx.map(
        OfferedSuggestion,
        "SELECT i.id, i.confidence, i.status = 'open' FROM statements t JOIN inbox_items i "
        "ON i.id = t.inbox_id AND i.source_id = t.message_id || '@' || t.start_char "
        "WHERE t.session_id = ? AND t.harness = ? "
        "AND (i.status = 'open' OR i.action IN ('keep', 'drop')) ORDER BY i.seq DESC",
        (tx.as_stored(session_id), harness),
    )


def delete(tx: WriteTx, seqs: Collection[int]) -> None:
    """Delete statements that are recorded elsewhere from now on."""
    tx.execute(
        "DELETE FROM statements WHERE seq IN (SELECT value FROM json_each(?))",
        (json.dumps(list(seqs)),),
    )


def _blank(tx: WriteTx, seqs: str) -> int:
    return tx.execute(
        "UPDATE statements SET sentence = '', content = '', context = '', state = 'erased' "
        "WHERE seq IN (SELECT value FROM json_each(?))",
        (seqs,),
    )


def due(tx: ReadTx, idle_since: str, limit: int) -> list[tuple[str, str]]:
    """Return the sessions with unsettled statements that have ended or are idle since a time."""
    return tx.rows(
        tuple[str, str],
        "SELECT t.harness, t.session_id FROM "
        "(SELECT DISTINCT harness, session_id FROM statements WHERE settled = 0) t "
        "LEFT JOIN sessions s ON s.harness = t.harness AND s.id = t.session_id "
        "WHERE s.id IS NULL OR (s.importing = 0 "
        "AND (s.ended_at IS NOT NULL OR s.last_seen_at < ?)) LIMIT ?",
        (idle_since, limit),
    )


def mark_settled(tx: WriteTx, harness: str, session_id: str, up_to: int) -> None:
    """Record that a session's statements up to this row were settled."""
    tx.execute(
        "UPDATE statements SET settled = 1 "
        "WHERE session_id = ? AND harness = ? AND settled = 0 AND seq <= ?",
        (session_id, harness, up_to),
    )


def counts_since(tx: ReadTx, harness: str, session_id: str, at: str) -> StatementCounts:
    """Count what became of a session's statements that were recorded since a time."""
    found = tx.map(
        StatementCounts,
        "SELECT count(DISTINCT m.id), count(DISTINCT i.id), count(*) FILTER "
        "(WHERE t.outcome <> 'withdrawal' AND m.id IS NULL AND i.id IS NULL) FROM statements t "
        "LEFT JOIN memories m ON m.id = t.memory_id AND m.source_type = t.harness "
        "AND m.source_id = t.message_id || '@' || t.start_char "
        "LEFT JOIN inbox_items i ON i.id = t.inbox_id AND i.source_type = t.harness "
        "AND i.source_id = t.message_id || '@' || t.start_char "
        "WHERE t.session_id = ? AND t.harness = ? AND t.recorded_at >= ?",
        (tx.as_stored(session_id), harness, at),
    )
    return found[0]


def newest(tx: ReadTx, harness: str, session_id: str) -> int:
    """Return the number of a session's newest row; 0 if it has none."""
    return tx.count(
        "SELECT ifnull(max(seq), 0) FROM statements WHERE session_id = ? AND harness = ?",
        (session_id, harness),
    )


def left_over(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List old statements with texts whose memory and inbox item are gone."""
    return tx.all(
        "SELECT seq FROM statements t WHERE recorded_at < ? AND state <> 'erased' AND NOT EXISTS "
        "(SELECT 1 FROM memories m WHERE m.id = t.memory_id) AND NOT EXISTS "
        "(SELECT 1 FROM inbox_items i WHERE i.id = t.inbox_id) ORDER BY recorded_at LIMIT ?",
        (before, limit),
    )


def purge_texts(tx: WriteTx, keys: Sequence[Row], _before: str, _now: str) -> int:
    """Remove the texts of those statements; their places stay."""
    return _blank(tx, json.dumps([seq for (seq,) in keys]))


def old_places(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List statements without texts that were recorded before a time."""
    return tx.all(
        "SELECT seq FROM statements WHERE recorded_at < ? AND state = 'erased' "
        "ORDER BY recorded_at LIMIT ?",
        (before, limit),
    )


def purge_places(tx: WriteTx, keys: Sequence[Row], _before: str, _now: str) -> int:
    """Delete statements without texts."""
    return tx.execute(
        "DELETE FROM statements WHERE seq IN (SELECT value FROM json_each(?)) AND state = 'erased'",
        (json.dumps([seq for (seq,) in keys]),),
    )
