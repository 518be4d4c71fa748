"""SQL on reviews of captured memories; no other module writes these tables."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, cast

from intaglio.domain.reader import Reader
from intaglio.inbox.values import Evidence
from intaglio.memory.filters import reader_condition
from intaglio.memory.values import WORDED
from intaglio.review.values import (
    Doubt,
    DoubtfulMemory,
    JudgeProgress,
    ReviewCandidate,
    ReviewPosition,
    SaidText,
)
from intaglio.store.tx import ReadTx, Row, Sql, WriteTx

FORGET_REASON: Final = "forgotten in the review of capture"
"""Why a memory was forgotten, in its history; it says which ones the review can restore."""

_MAX_SAID: Final = 20
# A memory that capture saved by itself: not one of the user, of an agent, or of the inbox.
_CAPTURED: Final = (
    "statements t JOIN memories m ON m.id = t.memory_id "
    "AND m.source_id = t.message_id || '@' || t.start_char "
    "AND m.source_type = t.harness AND t.outcome = 'kept' AND t.state <> 'erased' "
    f"AND ifnull(m.why, '') NOT IN {WORDED}"
)
# The user has edited, moved or pinned it, or decided in the inbox that it holds.
_CONFIRMED: Final = (
    "(m.pinned = 1 "
    "OR EXISTS (SELECT 1 FROM memory_history h WHERE h.memory = m.seq AND h.event = 'updated') "
    "OR EXISTS (SELECT 1 FROM inbox_items i WHERE i.memory_id = m.id "
    "AND i.action IN ('keep', 'keep_both', 'newer_wins', 'this_project', 'all_projects')) "
    "OR EXISTS (SELECT 1 FROM inbox_items i WHERE i.older_id = m.id "
    "AND i.action IN ('keep_both', 'older_wins')))"
)
_FORGOTTEN_HERE: Final = (
    "m.is_deleted = 1 AND ? = (SELECT h.reason FROM memory_history h "
    "WHERE h.memory = m.seq AND h.event = 'deleted' ORDER BY h.seq DESC LIMIT 1)"
)
_OF_PROGRESS: Final = "judge, since, position, finished_at, dismissed_at"


def progress(tx: ReadTx, judge: str) -> JudgeProgress | None:
    """Return how far a judge has come; None if this store hasn't seen it."""
    found = tx.map(
        JudgeProgress,
        f"SELECT {_OF_PROGRESS} FROM capture_judges WHERE judge = ?",  # noqa: S608 - a constant
        (judge,),
    )
    return found[0] if found else None


def add_judge(tx: WriteTx, judge: str, since: str) -> None:
    """Record a judge at its first sight: what was recorded before is its to review."""
    tx.execute("INSERT OR IGNORE INTO capture_judges(judge, since) VALUES (?, ?)", (judge, since))


def advance(tx: WriteTx, judge: str, position: int, finished_at: str | None) -> None:
    """Record how far a judge has come, and whether that was all."""
    tx.execute(
        "UPDATE capture_judges SET position = max(position, ?), finished_at = ? WHERE judge = ?",
        (position, finished_at, judge),
    )


def dismiss(tx: WriteTx, judge: str, at: str) -> bool:
    """Record that the notice about a judge's review was dismissed; False for an unknown judge."""
    return bool(
        tx.execute("UPDATE capture_judges SET dismissed_at = ? WHERE judge = ?", (at, judge))
    )


def candidates(tx: ReadTx, found: JudgeProgress, limit: int) -> list[ReviewCandidate]:
    """Return the next memories to judge, by the rows of their first statements."""
    listed = tx.rows(
        tuple[int, str],
        f"SELECT t.seq, m.id FROM {_CAPTURED} WHERE t.seq > ? AND t.recorded_at < ? "  # noqa: S608 - constants
        f"AND m.is_deleted = 0 AND NOT {_CONFIRMED} AND NOT EXISTS (SELECT 1 FROM "
        "capture_reviews r WHERE r.memory_id = m.id AND r.kept_at IS NOT NULL) "
        "ORDER BY t.seq LIMIT ?",
        (found.position, found.since, limit),
    )
    return [ReviewCandidate(seq, id_, tuple(_said(tx, id_))) for seq, id_ in listed]


def _said(tx: ReadTx, memory_id: str) -> list[SaidText]:
    return tx.map(
        SaidText,
        "SELECT sentence, context FROM statements WHERE memory_id = ? AND state <> 'erased' "
        "AND outcome <> 'withdrawal' ORDER BY seq LIMIT ?",
        (memory_id, _MAX_SAID),
    )


def record(tx: WriteTx, judge: str, verdicts: Mapping[str, Doubt | None], at: str) -> None:
    """Write what a judge makes of memories; None for one that it would keep.

    What the user has kept meanwhile stays so.
    """
    for memory_id, doubt in verdicts.items():
        if doubt is None:
            tx.execute(
                "DELETE FROM capture_reviews WHERE memory_id = ? AND kept_at IS NULL", (memory_id,)
            )
            continue
        tx.execute(
            "INSERT INTO capture_reviews(memory_id, judge, confidence, reason, judged_at) "
            "SELECT ?1, ?2, ?3, ?4, ?5 WHERE EXISTS (SELECT 1 FROM memories WHERE id = ?1) "
            "ON CONFLICT(memory_id) DO UPDATE SET judge = excluded.judge, "
            "confidence = excluded.confidence, reason = excluded.reason, "
            "judged_at = excluded.judged_at WHERE kept_at IS NULL",
            (memory_id, judge, doubt.confidence, doubt.reason, at),
        )


def _open(judge: str, reader: Reader, *, forgotten: bool) -> tuple[str, tuple[Sql, ...]]:
    readable, params = reader_condition(reader)
    state, more = (_FORGOTTEN_HERE, (FORGET_REASON,)) if forgotten else ("m.is_deleted = 0", ())
    return (
        (
            "capture_reviews r JOIN memories m ON m.id = r.memory_id WHERE r.judge = ? "
            f"AND r.kept_at IS NULL AND {state} AND NOT {_CONFIRMED} AND {readable}"
        ),
        (judge, *more, *params),
    )


def count(tx: ReadTx, judge: str, reader: Reader, *, forgotten: bool) -> int:
    """Count the doubtful memories, or those that were forgotten as such."""
    condition, params = _open(judge, reader, forgotten=forgotten)
    return tx.count(f"SELECT count(*) FROM {condition}", params)  # noqa: S608 - conditions of this module


def page(
    tx: ReadTx,
    judge: str,
    reader: Reader,
    limit: int,
    after: ReviewPosition | None,
    *,
    forgotten: bool,
) -> list[DoubtfulMemory]:
    """List doubtful memories, or those that were forgotten as such, least sure first."""
    condition, params = _open(judge, reader, forgotten=forgotten)
    if after is not None:
        condition += " AND (r.confidence, m.seq) > (?, ?)"
        params += (after.confidence, after.seq)
    found = tx.all(
        "SELECT m.seq, m.id, m.content, m.type, m.project, m.agent_id, m.created_at, m.version, "  # noqa: S608 - conditions of this module
        "r.confidence, r.reason, "
        "(SELECT min(t.seq) FROM statements t WHERE t.memory_id = m.id AND t.state <> 'erased' "
        f"AND t.outcome = 'kept') FROM {condition} ORDER BY r.confidence, m.seq LIMIT ?",
        (*params, limit),
    )
    said = _first_said(tx, [row[10] for row in found])
    return [_doubtful(row, said.get(cast("int", row[10]))) for row in found]


def _first_said(tx: ReadTx, seqs: Sequence[Sql]) -> dict[int, Row]:
    found = tx.all(
        "SELECT seq, sentence, harness, session_id, message_id, start_char, end_char, said_at, "
        "context FROM statements WHERE seq IN (SELECT value FROM json_each(?))",
        (json.dumps([seq for seq in seqs if seq is not None]),),
    )
    return {cast("int", row[0]): row for row in found}


def _doubtful(row: Row, said: Row | None) -> DoubtfulMemory:
    # The tables are STRICT, so each column has the type of its field.
    values: dict[str, Any] = dict(
        zip(
            (
                *("seq", "id", "content", "type", "project", "agent_id", "created_at", "version"),
                *("confidence", "reason"),
            ),
            row[:10],
            strict=True,
        )
    )
    told: Any = said or (0, "", "", "", "", 0, 0, None, "")
    return DoubtfulMemory(**values, evidence=Evidence(*told[1:8]), context=told[8])


def set_kept(tx: WriteTx, ids: Collection[str], at: str | None) -> list[str]:
    """Mark memories as kept by the user, or, with None, take that back; returns which changed."""
    return [
        memory_id
        for memory_id in ids
        if tx.execute(
            "UPDATE capture_reviews SET kept_at = ? "
            "WHERE memory_id = ? AND (kept_at IS NULL) = (? IS NOT NULL)",
            (at, memory_id, at),
        )
    ]


def erase(tx: WriteTx, memory_id: str) -> None:
    """Delete what is known about an erased memory."""
    tx.execute("DELETE FROM capture_reviews WHERE memory_id = ?", (memory_id,))


def left_over(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List old reviews whose memory is gone."""
    return tx.all(
        "SELECT memory_id FROM capture_reviews r WHERE judged_at < ? AND NOT EXISTS "
        "(SELECT 1 FROM memories m WHERE m.id = r.memory_id) LIMIT ?",
        (before, limit),
    )


def purge(tx: WriteTx, keys: Sequence[Row], _before: str, _now: str) -> int:
    """Delete those reviews."""
    return tx.execute(
        "DELETE FROM capture_reviews WHERE memory_id IN (SELECT value FROM json_each(?))",
        (json.dumps([key for (key,) in keys]),),
    )
