"""SQL on considered statements: what capture judged, and neither kept nor offered.

No other module writes this table.
"""

import json
from collections.abc import Sequence
from typing import Any, Final

from intaglio.domain.reader import Reader, UserReader
from intaglio.sessions.statements.values import RecordedStatement
from intaglio.store.tx import ReadTx, Row, Sql, WriteTx

MAX_OF_SESSION: Final = 200
"""Most considered statements of a session, apart from suggestions that better ones replaced."""
_COLUMNS: Final = (
    "seq, harness, session_id, message_id, start_char, end_char, said_at, recorded_at, agent_id, "
    "project, sentence, content, type, everywhere, confidence"
)
_FIELDS: Final = (
    *("seq", "harness", "session_id", "message_id", "start", "end", "said_at", "recorded_at"),
    *("agent_id", "project", "sentence", "content", "type", "everywhere", "confidence"),
)
# As `rows.erase` recognises a sentence.
_TOLD_BY: Final = 40


def _statement(row: Row) -> RecordedStatement:
    # The table is STRICT, so each column has the type of its field; flags are 0 or 1.
    values: dict[str, Any] = dict(zip(_FIELDS, row, strict=True))
    values["everywhere"] = bool(values["everywhere"])
    return RecordedStatement(
        **values, outcome="considered", state="live", memory_id=None, inbox_id=None
    )


def _select(tx: ReadTx, condition: str, params: Sequence[Sql]) -> list[RecordedStatement]:
    sql = f"SELECT {_COLUMNS} FROM considered_statements WHERE {condition}"  # noqa: S608 - conditions of this module
    return [_statement(row) for row in tx.all(sql, params)]


def is_full(tx: ReadTx, harness: str, session_id: str) -> bool:
    """Whether a session has enough considered statements."""
    return (
        tx.count(
            "SELECT count(*) FROM considered_statements WHERE session_id = ? AND harness = ?",
            (tx.as_stored(session_id), harness),
        )
        >= MAX_OF_SESSION
    )


def insert(tx: WriteTx, statement: RecordedStatement) -> None:
    """Record a statement, unless its place is known; its ``seq`` is assigned here."""
    values = [getattr(statement, name) for name in _FIELDS[1:]]
    tx.execute(
        f"INSERT OR IGNORE INTO considered_statements({_COLUMNS.partition(', ')[2]}) "  # noqa: S608 - names of columns
        f"VALUES ({', '.join('?' * len(values))})",
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


def of_session(tx: ReadTx, harness: str, session_id: str) -> list[RecordedStatement]:
    """Return a session's considered statements, in the order in which they were said."""
    return _select(
        tx,
        "session_id = ? AND harness = ? ORDER BY said_at, seq",
        (tx.as_stored(session_id), harness),
    )


def get(tx: ReadTx, seq: int, reader: Reader) -> RecordedStatement | None:
    """Return a statement by its number, if the reader may read it."""
    readable, params = _readable(reader)
    found = _select(tx, f"seq = ? AND {readable}", (seq, *params))
    return found[0] if found else None


def count_since(tx: ReadTx, reader: Reader, since: str) -> int:
    """Count the statements that a reader may read and that were recorded at or after a time."""
    readable, params = _readable(reader)
    return tx.count(
        f"SELECT count(*) FROM considered_statements WHERE recorded_at >= ? AND {readable}",  # noqa: S608 - a condition of this module
        (since, *params),
    )


def _readable(reader: Reader) -> tuple[str, tuple[Sql, ...]]:
    if isinstance(reader, UserReader):
        return "1", ()
    return "agent_id = ?", (reader.agent_id,)


def delete(tx: WriteTx, seq: int) -> None:
    """Delete a statement that became a suggestion or a memory."""
    tx.execute("DELETE FROM considered_statements WHERE seq = ?", (seq,))


def delete_of_session(tx: WriteTx, harness: str, session_id: str) -> int:
    """Delete a session's considered statements; returns how many."""
    return tx.execute(
        "DELETE FROM considered_statements WHERE session_id = ? AND harness = ?",
        (tx.as_stored(session_id), harness),
    )


def erase(tx: WriteTx, statements: Sequence[RecordedStatement]) -> None:
    """Delete what repeats the sentences of an erased memory's statements, in their sessions."""
    for each in statements:
        tx.execute(
            "DELETE FROM considered_statements WHERE session_id = ? AND harness = ? "
            "AND (instr(sentence, ?) OR instr(sentence, ?))",
            (
                each.session_id,
                each.harness,
                each.sentence[:_TOLD_BY],
                each.sentence[-_TOLD_BY:],
            ),
        )


def old(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List the statements that were recorded before a time."""
    return tx.all(
        "SELECT seq FROM considered_statements WHERE recorded_at < ? ORDER BY recorded_at LIMIT ?",
        (before, limit),
    )


def purge(tx: WriteTx, keys: Sequence[Row], _before: str, _now: str) -> int:
    """Delete those statements."""
    return tx.execute(
        "DELETE FROM considered_statements WHERE seq IN (SELECT value FROM json_each(?))",
        (json.dumps([seq for (seq,) in keys]),),
    )
