"""SQL on sessions and the injection ledger; no other module writes these tables."""

import json
from dataclasses import dataclass
from typing import Final

from intaglio.base.text import estimate_tokens
from intaglio.domain.reader import Reader, UserReader
from intaglio.sessions.commits import rows as commits
from intaglio.sessions.past_sessions import rows as past_sessions
from intaglio.sessions.values import (
    HELD_BACK,
    SAME_AS,
    CommitCandidate,
    ContextEntry,
    KnownSession,
    SessionCandidate,
    SessionReadState,
    SessionRef,
)
from intaglio.store.tx import ReadTx, WriteTx

_RECENT_PROMPTS: Final = 5
_MAX_ENTRIES: Final = 60
# The session that started last is among these: hardly ever are more of a project open at once.
_RECENT_SESSIONS: Final = 50
IMPORTED: Final = "imported"
"""Why an imported session ended; it has another reason once it went on."""
ERASED: Final = "erased"
"""The reason in an entry of a memory that was erased."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Injection:
    """A hook call for the ledger; ``event`` is session_start, prompt, edit or recall."""

    event: str
    source: str | None
    prompt_id: str | None
    project: str | None
    terms: str | None
    text: str
    entries: tuple[ContextEntry, ...]
    elapsed_ms: float
    at: str
    sessions: tuple[SessionCandidate, ...] = ()
    commits: tuple[CommitCandidate, ...] = ()


def touch(tx: WriteTx, session: SessionRef, project: str | None, at: str) -> None:
    """Insert or update a session; a different transcript is read from its start.

    It stays the agent's that it began with.
    """
    tx.execute(
        "INSERT INTO sessions(harness, id, agent_id, project, cwd, transcript_path, runtime_path, "
        "started_at, last_seen_at, number) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, "
        "(SELECT ifnull(max(number), 0) + 1 FROM sessions)) "
        "ON CONFLICT(harness, id) DO UPDATE SET "
        "project = ifnull(excluded.project, project), "
        "cwd = ifnull(excluded.cwd, cwd), "
        "runtime_path = ifnull(excluded.runtime_path, runtime_path), "
        "transcript_position = iif(excluded.transcript_path IS NULL "
        "OR excluded.transcript_path IS transcript_path, transcript_position, ''), "
        "transcript_path = ifnull(excluded.transcript_path, transcript_path)",
        (
            session.harness,
            session.id,
            session.agent_id,
            project,
            session.project,
            session.transcript,
            session.runtime_path,
            at,
            at,
        ),
    )


def mark_active(tx: WriteTx, session: SessionRef, at: str) -> None:
    """Mark a known session as active, even if it had ended."""
    tx.execute(
        "UPDATE sessions SET last_seen_at = ?, ended_at = NULL, end_reason = NULL "
        "WHERE harness = ? AND id = ?",
        (at, session.harness, session.id),
    )


def note_activity(tx: WriteTx, session: SessionRef, at: str) -> None:
    """Record activity in a known session; one that has ended stays ended.

    One that is being imported ends with its last activity.
    """
    tx.execute(
        "UPDATE sessions SET last_seen_at = max(last_seen_at, ?1), "
        "ended_at = iif(end_reason = ?2, max(ended_at, ?1), ended_at) "
        "WHERE harness = ?3 AND id = ?4 AND (ended_at IS NULL OR importing = 1)",
        (at, IMPORTED, session.harness, session.id),
    )


def add_imported(
    tx: WriteTx, session: SessionRef, project: str | None, import_id: str, at: str
) -> None:
    """Add a session that an import brings in, which began at a time, as one that has ended."""
    touch(tx, session, project, at)
    tx.execute(
        "UPDATE sessions SET import_id = ?, ended_at = ?, end_reason = ? "
        "WHERE harness = ? AND id = ?",
        (import_id, at, IMPORTED, *session.key),
    )


def set_importing(tx: WriteTx, session: SessionRef, at: str, *, importing: bool) -> None:
    """Mark that an import begins or ends to read a session: until then, nothing else does."""
    tx.execute(
        "UPDATE sessions SET importing = ?, imported_at = ? WHERE harness = ? AND id = ?",
        (int(importing), at, *session.key),
    )


def end_importing(tx: WriteTx, at: str) -> None:
    """Mark that no import reads a session any more, even one that was broken off."""
    tx.execute("UPDATE sessions SET importing = 0, imported_at = ? WHERE importing = 1", (at,))


def known(tx: ReadTx, harness: str, session_id: str) -> SessionReadState | None:
    """Return how far a session was read; None for one that isn't known."""
    found = tx.map(
        SessionReadState,
        "SELECT agent_id, cwd, transcript_path, transcript_position, read_at, "
        "ended_at IS NULL, importing, import_id FROM sessions WHERE harness = ? AND id = ?",
        (harness, tx.as_stored(session_id)),
    )
    return found[0] if found else None


def count_prompt(tx: WriteTx, session: SessionRef) -> None:
    """Increment a known session's prompt count."""
    tx.execute(
        "UPDATE sessions SET prompts = prompts + 1 WHERE harness = ? AND id = ?",
        (session.harness, session.id),
    )


def advance(tx: WriteTx, session: SessionRef, position: str, read_at: str | None) -> None:
    """Record how far the transcript was read, once its memories are stored.

    ``read_at`` is when the reading started, if it reached the transcript's end.
    """
    tx.execute(
        "UPDATE sessions SET transcript_position = ?, read_at = ifnull(?, read_at) "
        "WHERE harness = ? AND id = ?",
        (position, read_at, session.harness, session.id),
    )


def close(tx: WriteTx, session: SessionRef, reason: str, at: str) -> None:
    """Mark a session as ended."""
    tx.execute(
        "UPDATE sessions SET ended_at = ?, end_reason = ? WHERE harness = ? AND id = ?",
        (at, reason or None, session.harness, session.id),
    )


def position(tx: ReadTx, session: SessionRef) -> str:
    """Return how far the transcript was read; empty if it is unknown or another one."""
    found = tx.scalar(
        str,
        "SELECT transcript_position FROM sessions WHERE harness = ? AND id = ? "
        "AND (? IS NULL OR transcript_path IS ?)",
        (session.harness, session.id, session.transcript, session.transcript),
    )
    return found or ""


def transcript_of(tx: ReadTx, session: SessionRef) -> str | None:
    """Return the path of a session's transcript as it was reported last."""
    return tx.scalar(
        str, "SELECT transcript_path FROM sessions WHERE harness = ? AND id = ?", session.key
    )


def read_at(tx: ReadTx, session: SessionRef) -> str | None:
    """Return a time before anything beyond the session's position was written."""
    return tx.scalar(
        str,
        "SELECT read_at FROM sessions WHERE harness = ? AND id = ? "
        "AND transcript_position <> '' AND (? IS NULL OR transcript_path IS ?)",
        (session.harness, session.id, session.transcript, session.transcript),
    )


def exists(tx: ReadTx, session: SessionRef) -> bool:
    """Whether the session has a row."""
    return bool(
        tx.count(
            "SELECT count(*) FROM sessions WHERE harness = ? AND id = ?",
            (session.harness, session.id),
        )
    )


def projects(tx: ReadTx) -> list[str]:
    """List the keys of all projects that sessions ran in."""
    return tx.column(
        str, "SELECT DISTINCT project FROM sessions WHERE project IS NOT NULL ORDER BY project"
    )


def agent_of(tx: ReadTx, harness: str, session_id: str) -> str | None:
    """Return a session's agent, or None for an unknown session."""
    return tx.scalar(
        str, "SELECT agent_id FROM sessions WHERE harness = ? AND id = ?", (harness, session_id)
    )


def started_at(tx: ReadTx, harness: str, session_id: str) -> str | None:
    """Return when a session started, or None for an unknown session."""
    return tx.scalar(
        str, "SELECT started_at FROM sessions WHERE harness = ? AND id = ?", (harness, session_id)
    )


def directory_of(tx: ReadTx, session: SessionRef) -> str | None:
    """Return the directory of an agent's session, or None if it isn't known."""
    return tx.scalar(
        str,
        "SELECT cwd FROM sessions WHERE harness = ? AND id = ? AND agent_id = ?",
        (session.harness, session.id, session.agent_id),
    )


def started_in(tx: ReadTx, session: SessionRef) -> list[str]:
    """Return the projects that a session was started in; a resumed one may have several."""
    rows = tx.rows(
        tuple[str],
        "SELECT DISTINCT project FROM injections WHERE harness = ? AND session_id = ? "
        "AND event = 'session_start' AND project IS NOT NULL",
        session.key,
    )
    return [project for (project,) in rows]


def open_session(tx: ReadTx, harness: str, session_id: str) -> tuple[SessionRef, str | None] | None:
    """Return a session that hasn't ended, and the key of its project."""
    found = tx.rows(
        tuple[str, str | None, str | None, str | None],
        "SELECT agent_id, cwd, transcript_path, project FROM sessions "
        "WHERE harness = ? AND id = ? AND ended_at IS NULL",
        (harness, session_id),
    )
    for agent, cwd, transcript, project in found:
        ref = SessionRef(
            harness=harness, id=session_id, agent_id=agent, project=cwd, transcript=transcript
        )
        return ref, project
    return None


def find(tx: ReadTx, harness: str, session_id: str) -> SessionRef | None:
    """Return a session as it was reported last, whether it has ended or not."""
    found = tx.row(
        tuple[str, str | None, str | None],
        "SELECT agent_id, cwd, transcript_path FROM sessions WHERE harness = ? AND id = ?",
        (harness, session_id),
    )
    if found is None:
        return None
    agent, cwd, transcript = found
    return SessionRef(
        harness=harness, id=session_id, agent_id=agent, project=cwd, transcript=transcript
    )


def is_known(tx: ReadTx, session: SessionRef) -> bool:
    """Whether the session has already received its start context."""
    return bool(
        tx.count(
            "SELECT count(*) FROM injections "
            "WHERE harness = ? AND session_id = ? AND event = 'session_start'",
            (session.harness, session.id),
        )
    )


def unread(tx: ReadTx, ended_since: str, limit: int) -> list[KnownSession]:
    """List sessions with a transcript that are open or ended recently, latest first.

    What was imported is read on by an import.
    """
    rows = tx.rows(
        tuple[str, str, str, str | None, str, str],
        "SELECT harness, id, agent_id, cwd, transcript_path, transcript_position FROM sessions "
        "WHERE transcript_path IS NOT NULL AND (ended_at IS NULL OR ended_at >= ?) "
        "AND importing = 0 AND ifnull(end_reason, '') <> ? ORDER BY last_seen_at DESC LIMIT ?",
        (ended_since, IMPORTED, limit),
    )
    return [
        KnownSession(
            SessionRef(harness=harness, id=session, agent_id=agent, project=cwd, transcript=path),
            read,
        )
        for harness, session, agent, cwd, path, read in rows
    ]


def said_before(tx: ReadTx, session: SessionRef) -> list[tuple[list[str], str]]:
    """Return the searched words of a session's prompts and searches, and what each was told.

    Those since its context was last cleared or compacted.
    """
    found = tx.rows(
        tuple[str, str],
        "SELECT ifnull(terms, '[]'), ifnull(text, '') FROM injections "
        "WHERE harness = ?1 AND session_id = ?2 AND seq >= ifnull((SELECT max(seq) "
        "FROM injections WHERE harness = ?1 AND session_id = ?2 "
        "AND event = 'session_start' AND source IN ('clear', 'compact')), 0)",
        (session.harness, session.id),
    )
    return [(json.loads(terms), text) for terms, text in found]


def record(tx: WriteTx, session: SessionRef, injection: Injection) -> None:
    """Append a hook call and its candidates to the ledger."""
    shown = [entry for entry in injection.entries if entry.shown]
    tx.execute(
        "INSERT INTO injections(harness, session_id, event, source, prompt_id, project, terms, "
        "text, candidates, injected, tokens, elapsed_ms, created_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            session.harness,
            session.id,
            injection.event,
            injection.source,
            injection.prompt_id,
            injection.project,
            injection.terms,
            injection.text or None,
            len(injection.entries),
            len(shown),
            # What a recall's reply looks like isn't known here: its lines alone count.
            estimate_tokens(injection.text)
            if injection.event != "recall"
            else sum(entry.tokens for entry in shown),
            injection.elapsed_ms,
            injection.at,
        ),
    )
    number = tx.last_row()
    past_sessions.record(tx, number, injection.sessions)
    commits.record(tx, number, injection.commits)
    # Record all injected memories, the constraints that were held back, and the best of the others:
    # a complete ledger would outgrow the memories themselves.
    ranked = list(enumerate(injection.entries, 1))
    always = [pair for pair in ranked if pair[1].left_out in ("", HELD_BACK)]
    others = [pair for pair in ranked if pair[1].left_out not in ("", HELD_BACK)]
    for rank, entry in (*always, *others[: max(0, _MAX_ENTRIES - len(always))]):
        tx.execute(
            "INSERT INTO session_memories(injection, rank, memory_id, score, reason, tokens, "
            "injected) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                number,
                rank,
                entry.candidate.memory.id,
                entry.candidate.score,
                entry.reason,
                entry.tokens,
                int(entry.shown),
            ),
        )


def erase_content(tx: WriteTx, memory_id: str) -> None:
    """Remove a memory's content from the ledger: texts with it, and words of prompts it matched.

    The entries themselves, with times and figures, stay.
    """
    tx.execute(
        "UPDATE injections SET terms = NULL, text = NULL "
        "WHERE seq IN (SELECT injection FROM session_memories WHERE memory_id = ?)",
        (memory_id,),
    )
    # What was left out in favour of this memory quotes it.
    tx.execute(
        "UPDATE session_memories SET reason = ?1 WHERE reason LIKE ?1 || '%' AND injection IN "
        "(SELECT injection FROM session_memories WHERE memory_id = ?2)",
        (SAME_AS, memory_id),
    )
    tx.execute("UPDATE session_memories SET reason = ? WHERE memory_id = ?", (ERASED, memory_id))


def in_context(tx: ReadTx, session: SessionRef) -> dict[str, str]:
    """Return the ids of the memories in the session's context, and when they were injected.

    These are the ones from its start, its edits and its last 5 prompts, since the context was last
    cleared or compacted.
    """
    return _injected(tx, session, _RECENT_PROMPTS)


def in_conversation(tx: ReadTx, session: SessionRef) -> dict[str, str]:
    """Return the ids of all memories injected since the context was last cleared or compacted."""
    return _injected(tx, session, -1)


def held_back(tx: ReadTx, session: SessionRef) -> list[str]:
    """Return the ids of the constraints that the session's start held back, best first.

    Without those that it was sent since; of the last start after which its context was whole.
    """
    return tx.column(
        str,
        "WITH starts AS (SELECT max(seq) AS seq FROM injections WHERE harness = ?1 "
        "AND session_id = ?2 AND event = 'session_start') "
        "SELECT m.memory_id FROM starts JOIN session_memories m ON m.injection = starts.seq "
        "WHERE m.injected = 0 AND m.reason = ?3 AND NOT EXISTS (SELECT 1 FROM injections i "
        "JOIN session_memories t ON t.injection = i.seq AND t.memory_id = m.memory_id "
        "AND t.injected = 1 WHERE i.harness = ?1 AND i.session_id = ?2 AND i.seq > starts.seq "
        "AND i.event = 'prompt') ORDER BY m.rank",
        (*session.key, HELD_BACK),
    )


def conversation_since(tx: ReadTx, session: SessionRef) -> str:
    """Return when the session's context was last cleared or compacted; empty if never."""
    found = tx.scalar(
        str,
        "SELECT max(created_at) FROM injections WHERE harness = ? AND session_id = ? "
        "AND event = 'session_start' AND source IN ('clear', 'compact')",
        session.key,
    )
    return found or ""


def _injected(tx: ReadTx, session: SessionRef, prompts: int) -> dict[str, str]:
    """Return what its start, edits and last prompts injected; -1 for all prompts."""
    rows = tx.rows(
        tuple[str, str],
        "WITH own AS (SELECT seq, event, created_at FROM injections "
        "WHERE harness = ?1 AND session_id = ?2 AND seq >= ifnull((SELECT max(seq) FROM injections "
        "WHERE harness = ?1 AND session_id = ?2 AND event = 'session_start' "
        "AND source IN ('clear', 'compact')), 0)), "
        "near AS (SELECT seq, created_at FROM own WHERE event IN ('session_start', 'edit') "
        "UNION ALL "
        "SELECT * FROM (SELECT seq, created_at FROM own WHERE event = 'prompt' "
        "ORDER BY seq DESC LIMIT ?3)) "
        "SELECT m.memory_id, max(near.created_at) FROM near "
        "JOIN session_memories m ON m.injection = near.seq AND m.injected = 1 GROUP BY m.memory_id",
        (session.harness, session.id, prompts),
    )
    return dict(rows)


def prompts_told(tx: ReadTx, session: SessionRef) -> int:
    """Count the session's prompts since its context was last cleared or compacted."""
    return tx.count(
        "SELECT count(*) FROM injections WHERE harness = ?1 AND session_id = ?2 "
        "AND event = 'prompt' AND seq >= ifnull((SELECT max(seq) FROM injections "
        "WHERE harness = ?1 AND session_id = ?2 AND event = 'session_start' "
        "AND source IN ('clear', 'compact')), 0)",
        session.key,
    )


def last_active(tx: ReadTx, session: SessionRef, project: str | None) -> str | None:
    """Return when another session of the project was last seen."""
    return tx.scalar(
        str,
        "SELECT max(last_seen_at) FROM sessions "
        "WHERE project IS ? AND NOT (harness = ? AND id = ?)",
        (project, session.harness, session.id),
    )


def last_started(tx: ReadTx, project: str | None, besides: SessionRef | None) -> str | None:
    """Return when a project's latest session started; ``besides`` is left out."""
    harness, session_id = besides.key if besides else (None, None)
    return tx.scalar(
        str,
        "SELECT max(started_at) FROM (SELECT started_at FROM sessions WHERE project IS ? "
        "AND NOT (harness IS ? AND id IS ?) ORDER BY last_seen_at DESC LIMIT ?)",
        (project, harness, session_id, _RECENT_SESSIONS),
    )


def last_ended(tx: ReadTx, reader: Reader, since: str) -> str | None:
    """Return when the reader's latest session ended, if that was at or after a time."""
    agent = None if isinstance(reader, UserReader) else reader.agent_id
    return tx.scalar(
        str,
        "SELECT max(ended_at) FROM sessions WHERE ended_at >= ?1 AND (?2 IS NULL OR agent_id = ?2)",
        (since, agent),
    )


def sessions_since(tx: ReadTx, project: str | None, since: str) -> int:
    """Count the project's sessions active at or after a time."""
    return tx.count(
        "SELECT count(*) FROM sessions WHERE project IS ? AND last_seen_at >= ?", (project, since)
    )


def count_active(tx: ReadTx, since: str) -> int:
    """Count the sessions that haven't ended and were active at or after a time."""
    return tx.count(
        "SELECT count(*) FROM sessions WHERE ended_at IS NULL AND last_seen_at >= ?", (since,)
    )


def count_bypassed(tx: ReadTx, since: str) -> int:
    """Count those of them that are told nothing.

    They are active only until they are switched off, so each counts that hasn't ended.
    """
    return tx.count(
        "SELECT count(*) FROM bypasses b JOIN sessions s ON s.harness = b.harness "
        "AND s.id = b.session_id WHERE b.ended_at IS NULL AND s.ended_at IS NULL "
        "AND max(s.last_seen_at, b.started_at) >= ?",
        (since,),
    )


def by_project(tx: ReadTx, reader: Reader) -> list[tuple[str | None, int, str]]:
    """Count the sessions of each project, with when the latest was active.

    The user sees the sessions of all agents, an agent its own.
    """
    agent = None if isinstance(reader, UserReader) else reader.agent_id
    return tx.rows(
        tuple[str | None, int, str],
        "SELECT project, count(*), max(last_seen_at) FROM sessions "
        "WHERE ?1 IS NULL OR agent_id = ?1 GROUP BY project",
        (agent,),
    )


def last_activity(tx: ReadTx) -> dict[str, str]:
    """Return when each harness last reported something, by name; an import isn't its report."""
    rows = tx.rows(
        tuple[str, str],
        "SELECT harness, max(max(last_seen_at, ifnull(ended_at, ''))) FROM sessions "
        "WHERE end_reason IS NOT ? GROUP BY harness",
        (IMPORTED,),
    )
    return dict(rows)
