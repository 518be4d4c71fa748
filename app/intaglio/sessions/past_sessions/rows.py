"""SQL on what past sessions tell, and on the ledger of sessions that prompts were compared with."""

import json
from collections.abc import Mapping, Sequence

from intaglio.sessions.values import SessionCandidate
from intaglio.store.tx import ReadTx, WriteTx
from intaglio.transcripts.removal import REMOVED


def page_number(tx: ReadTx, harness: str, session_id: str) -> int:
    """Return the number of a session's page; 0 if it has none."""
    return tx.count(
        "SELECT number FROM sessions WHERE harness = ? AND id = ?", (harness, session_id)
    )


def judged(
    tx: ReadTx, harness: str, session_id: str
) -> list[tuple[str, int, int, str, float, str | None, int]]:
    """Return what capture judged of a session: message, start, end, sentence, confidence, memory.

    The last column is 1 if the sentence was taken back, or the user decided against it.
    """
    key = (tx.as_stored(session_id), harness)
    return tx.rows(
        tuple[str, int, int, str, float, str | None, int],
        "SELECT t.message_id, t.start_char, t.end_char, t.sentence, t.confidence, t.memory_id, "
        "t.state <> 'live' OR t.outcome = 'withdrawal' OR ifnull(i.action, '') = 'drop' "
        "FROM statements t LEFT JOIN inbox_items i ON i.id = t.inbox_id "
        "WHERE t.session_id = ? AND t.harness = ? "
        "UNION ALL SELECT message_id, start_char, end_char, sentence, confidence, NULL, 0 "
        "FROM considered_statements WHERE session_id = ? AND harness = ?",
        (*key, *key),
    )


def record(tx: WriteTx, injection: int, compared: Sequence[SessionCandidate]) -> None:
    """Record the sessions that a prompt was compared with."""
    for rank, each in enumerate(compared, 1):
        tx.execute(
            "INSERT INTO compared_sessions(injection, rank, transcript, harness, session_id, "
            "score, floor, shown, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                injection,
                rank,
                each.transcript,
                each.harness,
                each.session_id,
                each.score,
                each.floor,
                int(each.shown),
                each.reason,
            ),
        )


def told_in(tx: ReadTx, harness: str, session_id: str) -> frozenset[int]:
    """Return the transcripts that a session's prompts were told of in its present context.

    A start tells only what the last session left open, and not what was settled in it.
    """
    found = tx.column(
        int,
        "SELECT c.transcript FROM injections i JOIN compared_sessions c ON c.injection = i.seq "
        "WHERE i.harness = ?1 AND i.session_id = ?2 AND c.shown = 1 AND i.event = 'prompt' "
        "AND i.seq >= ifnull("
        "(SELECT max(seq) FROM injections WHERE harness = ?1 AND session_id = ?2 "
        "AND event = 'session_start' AND source IN ('clear', 'compact')), 0)",
        (harness, session_id),
    )
    return frozenset(found)


def compared_with(tx: ReadTx, injections: Sequence[int]) -> Mapping[int, list[SessionCandidate]]:
    """Return the sessions that prompts were compared with, told ones first, by injection.

    Sessions that were deleted or forgotten since aren't listed.
    """
    found: dict[int, list[SessionCandidate]] = {}
    rows = tx.rows(
        tuple[int, int, int, str, str, str, str, float, float, int, str],
        "SELECT c.injection, c.transcript, s.number, c.harness, c.session_id, "
        "ifnull((SELECT substr(m.text, 1, 200) FROM transcript_messages m "
        "WHERE m.seq BETWEEN c.transcript << 20 AND (c.transcript << 20) + 1048575 "
        "AND m.role = 'user' AND m.text <> '' AND instr(m.text, ?) = 0 "
        "ORDER BY m.seq LIMIT 1), ''), "
        "t.ended_at, c.score, c.floor, c.shown, c.reason FROM compared_sessions c "
        "JOIN sessions s ON s.harness = c.harness AND s.id = c.session_id "
        "JOIN transcripts t ON t.seq = c.transcript AND t.session_id = c.session_id "
        "AND t.agent_id <> '' "
        "WHERE c.injection IN (SELECT value FROM json_each(?)) "
        "ORDER BY c.injection, c.shown DESC, c.rank",
        (REMOVED, json.dumps([*injections])),
    )
    for (
        injection,
        transcript,
        number,
        harness,
        session,
        title,
        at,
        score,
        floor,
        shown,
        why,
    ) in rows:
        found.setdefault(injection, []).append(
            SessionCandidate(
                transcript=transcript,
                number=number,
                harness=harness,
                session_id=session,
                title=title,
                at=at,
                score=score,
                floor=floor,
                shown=bool(shown),
                reason=why,
            )
        )
    return found


def forget(tx: WriteTx, harness: str, session_id: str) -> None:
    """Remove the texts in which other sessions were told of this one, and what it was compared by.

    That they were told something stays, with times and figures.
    """
    _remove_texts(tx, "c.session_id = ? AND c.harness = ?", (session_id, harness))
    tx.execute(
        "DELETE FROM compared_sessions WHERE session_id = ? AND harness = ?", (session_id, harness)
    )


def erase_memory(tx: WriteTx, memory_id: str) -> None:
    """Remove the texts in which sessions were told of one in which the user said a memory."""
    _remove_texts(
        tx,
        "EXISTS (SELECT 1 FROM statements t WHERE t.memory_id = ? "
        "AND t.session_id = c.session_id AND t.harness = c.harness)",
        (memory_id,),
    )


def _remove_texts(tx: WriteTx, condition: str, params: tuple[str, ...]) -> None:
    tx.execute(
        "UPDATE injections SET terms = NULL, text = NULL WHERE seq IN "  # noqa: S608 - a condition of this module
        f"(SELECT c.injection FROM compared_sessions c WHERE c.shown = 1 AND {condition})",
        params,
    )


def purge(tx: WriteTx, injections: Sequence[int]) -> None:
    """Delete what the ledger says of these calls."""
    tx.execute(
        "DELETE FROM compared_sessions WHERE injection IN (SELECT value FROM json_each(?))",
        (json.dumps([*injections]),),
    )
