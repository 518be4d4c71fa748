"""SQL on notes and summaries of sessions; no other module writes these tables."""

import json
from collections.abc import Collection, Sequence
from typing import Final, Literal

import msgspec

from intaglio.domain.memory_types import MemoryType
from intaglio.inference.completion.ports import ModelName
from intaglio.session_notes.values import (
    NO_SUMMARY,
    MadeBy,
    ModelNote,
    NoteOrigin,
    PendingNote,
    SessionPart,
    SessionSummary,
)
from intaglio.sessions.values import SessionKey, SessionRef
from intaglio.store.like import LIKE, containing
from intaglio.store.tx import ReadTx, Row, WriteTx

# The row of a transcript's last message; see `transcripts.rows`.
_LAST_ROW: Final = "((t.seq << 20) | t.last_number)"
_SUMMARY: Final = (
    "LEFT JOIN session_summaries n ON n.session_id = t.session_id AND n.harness = t.harness "
    "AND n.transcript = t.seq"
)
_NO_JOB: Final = (
    "NOT EXISTS (SELECT 1 FROM jobs j WHERE j.subject = t.harness || ' ' || t.session_id "
    "AND j.type = ?)"
)
_MOST_FOUND: Final = 50
# Of each session, its newest part comes last.
_PART: Final = (
    "SELECT t.seq, t.harness, t.session_id, t.agent_id, t.project, t.started_at, "  # noqa: S608 - constants
    "ifnull(n.read_up_to, 0), ifnull(n.summary, ''), ifnull(n.topics, '[]'), "
    f"ifnull(n.decisions, '[]') FROM transcripts t {_SUMMARY} "
)


class _StoredNote(msgspec.Struct):
    """A pending note, as its column holds it."""

    content: str
    type: MemoryType
    evidence: str
    accepted: str
    prompt: str
    version: int
    provider: str
    model: str
    outdates: str = ""


def due(
    tx: ReadTx,
    job_type: str,
    idle_since: str,
    said_since: str,
    limit: int,
    *,
    closed: Collection[str] = (),
) -> list[SessionKey]:
    """Return sessions to read: ended or idle ones with messages that weren't read yet.

    Those in which nothing was said since a time are left out, those of ``closed`` projects,
    imported ones, and those with a job, even a failed one: it isn't tried again by itself.
    """
    return tx.rows(
        tuple[str, str],
        f"SELECT DISTINCT t.harness, t.session_id FROM transcripts t {_SUMMARY} "  # noqa: S608 - constants
        "LEFT JOIN sessions s ON s.harness = t.harness AND s.id = t.session_id "
        "WHERE t.ended_at >= ? AND t.agent_id <> '' AND t.messages > 1 "
        "AND (s.ended_at IS NOT NULL OR ifnull(s.last_seen_at, t.ended_at) < ?) "
        "AND ifnull(s.end_reason, '') <> 'imported' "
        f"AND {_LAST_ROW} > ifnull(n.read_up_to, 0) AND {_NO_JOB} AND (t.project IS NULL "
        "OR t.project NOT IN (SELECT value FROM json_each(?))) LIMIT ?",
        (said_since, idle_since, job_type, json.dumps(list(closed)), limit),
    )


def parts(tx: ReadTx, session: SessionKey) -> list[SessionPart]:
    """Return the parts of a session that are stored, in the order in which they began."""
    harness, session_id = session
    return tx.map(
        _part,
        f"{_PART} WHERE t.session_id = ? AND t.harness = ? AND t.agent_id <> '' "
        "AND t.messages > 0 ORDER BY t.started_at, t.seq",
        (tx.as_stored(session_id), harness),
    )


def part(tx: ReadTx, transcript: int) -> SessionPart | None:
    """Return a part by its transcript; None if it isn't stored any more."""
    found = tx.map(_part, f"{_PART} WHERE t.seq = ? AND t.agent_id <> ''", (transcript,))
    return found[0] if found else None


def _part(  # noqa: PLR0913, PLR0917 - the columns
    transcript: int,
    harness: str,
    session_id: str,
    agent_id: str,
    project: str | None,
    started_at: str,
    read_up_to: int,
    summary: str,
    topics: str,
    decisions: str,
) -> SessionPart:
    session = SessionRef(harness=harness, id=session_id, agent_id=agent_id, project=project)
    return SessionPart(
        transcript=transcript,
        session=session,
        project=project,
        started_at=started_at,
        read_up_to=read_up_to,
        # Read again from the start, it is summarised anew.
        so_far=_summary(summary, topics, decisions) if read_up_to else NO_SUMMARY,
    )


def _summary(text: str, topics: str, decisions: str) -> SessionSummary:
    return SessionSummary(text, tuple(json.loads(topics)), tuple(json.loads(decisions)))


def store_reply(  # noqa: PLR0913, PLR0917 - what is stored of a reply
    tx: WriteTx,
    part: SessionPart,
    notes: Sequence[tuple[int, ModelNote]],
    summary: SessionSummary,
    read_up_to: int,
    made_by: MadeBy,
    at: str,
    outdated: Sequence[tuple[int, str, str]] = (),
) -> None:
    """Store a reply: its notes, each with the row of its message, to be kept one by one.

    ``outdated`` are the row of a message, the words in it that take something back, and the memory
    that says it. They come after the notes, which may say what holds instead.
    """
    harness, session_id = part.key
    tx.execute(
        "INSERT INTO session_summaries(harness, session_id, transcript, read_up_to, summary, "
        "topics, decisions, prompt, version, provider, model, made_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET "
        "read_up_to = excluded.read_up_to, summary = excluded.summary, topics = excluded.topics, "
        "decisions = excluded.decisions, prompt = excluded.prompt, version = excluded.version, "
        "provider = excluded.provider, model = excluded.model, made_at = excluded.made_at",
        (
            harness,
            session_id,
            part.transcript,
            read_up_to,
            summary.text,
            json.dumps(summary.topics, ensure_ascii=False),
            json.dumps(summary.decisions, ensure_ascii=False),
            made_by.prompt,
            made_by.version,
            made_by.model.provider,
            made_by.model.model,
            at,
        ),
    )
    by = (made_by.prompt, made_by.version, made_by.model.provider, made_by.model.model)
    stored_notes = [
        *(
            (row, _StoredNote(note.content, note.type, note.evidence, note.accepted, *by))
            for row, note in notes
        ),
        *(
            (row, _StoredNote("", "fact", evidence, "", *by, outdates=memory_id))
            for row, evidence, memory_id in outdated
        ),
    ]
    for row, stored in stored_notes:
        tx.execute(
            "INSERT INTO pending_notes(harness, session_id, transcript, message, note, made_at) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (
                harness,
                session_id,
                part.transcript,
                row,
                msgspec.json.encode(stored).decode(),
                at,
            ),
        )


def skip(tx: WriteTx, part: SessionPart, read_up_to: int, at: str) -> None:
    """Record that messages aren't worth a request; they are context from now on."""
    harness, session_id = part.key
    tx.execute(
        "INSERT INTO session_summaries(harness, session_id, transcript, read_up_to, summary, "
        "topics, decisions, prompt, version, provider, model, made_at) "
        "VALUES (?, ?, ?, ?, '', '[]', '[]', '', 0, '', '', ?) "
        "ON CONFLICT DO UPDATE SET read_up_to = excluded.read_up_to",
        (harness, session_id, part.transcript, read_up_to, at),
    )


def pending(tx: ReadTx, part: SessionPart) -> list[PendingNote]:
    """Return the notes of a part that aren't kept yet, in order."""
    harness, session_id = part.key
    found = tx.rows(
        tuple[int, int, str],
        "SELECT seq, message, note FROM pending_notes "
        "WHERE session_id = ? AND harness = ? AND transcript = ? ORDER BY seq",
        (tx.as_stored(session_id), harness, part.transcript),
    )
    return [_pending(seq, row, note) for seq, row, note in found]


def _pending(seq: int, row: int, note: str) -> PendingNote:
    stored = msgspec.json.decode(note, type=_StoredNote)
    return PendingNote(
        seq=seq,
        content=stored.content,
        type=stored.type,
        message_row=row,
        evidence=stored.evidence,
        accepted=stored.accepted,
        made_by=MadeBy(stored.prompt, stored.version, ModelName(stored.provider, stored.model)),
        outdates=stored.outdates,
    )


def drop_pending(tx: WriteTx, seq: int) -> None:
    """Delete a note that was kept, or left out."""
    tx.execute("DELETE FROM pending_notes WHERE seq = ?", (seq,))


def is_pending(tx: ReadTx, seq: int) -> bool:
    """Whether a note is still to be kept."""
    return bool(tx.count("SELECT count(*) FROM pending_notes WHERE seq = ?", (seq,)))


def add_result(  # noqa: PLR0913 - the columns
    tx: WriteTx,
    session: SessionKey,
    message_id: str,
    origin: NoteOrigin,
    made_by: MadeBy,
    at: str,
    *,
    memory_id: str | None = None,
    inbox_id: str | None = None,
) -> None:
    """Record what a note became."""
    harness, session_id = session
    tx.execute(
        "INSERT INTO session_notes(harness, session_id, message_id, origin, memory_id, inbox_id, "
        "prompt, version, provider, model, made_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            harness,
            session_id,
            message_id,
            origin,
            memory_id,
            inbox_id,
            made_by.prompt,
            made_by.version,
            made_by.model.provider,
            made_by.model.model,
            at,
        ),
    )


def results(tx: ReadTx, session: SessionKey) -> list[tuple[NoteOrigin, str | None, str | None]]:
    """Return origin, memory and inbox item of what was made of a session's notes."""
    harness, session_id = session
    return tx.rows(
        tuple[NoteOrigin, str | None, str | None],
        "SELECT DISTINCT origin, memory_id, inbox_id FROM session_notes "
        "WHERE session_id = ? AND harness = ?",
        (tx.as_stored(session_id), harness),
    )


def noted(
    tx: ReadTx, session: SessionKey, kind: Literal["memory_id", "inbox_id"]
) -> list[tuple[str, str]]:
    """Return message and memory or inbox item of a session's notes, each once, the first first."""
    harness, session_id = session
    found = tx.rows(
        tuple[str, str, int],
        f"SELECT message_id, {kind}, min(seq) FROM session_notes WHERE session_id = ? "  # noqa: S608 - names of columns
        f"AND harness = ? AND {kind} IS NOT NULL GROUP BY {kind} ORDER BY min(seq)",
        (tx.as_stored(session_id), harness),
    )
    return [(message_id, noted_as) for message_id, noted_as, _ in found]


def not_noted_last(tx: ReadTx, part: SessionPart) -> list[str]:
    """Return the memories of a part's notes that its last reply didn't note again."""
    harness, session_id = part.key
    found = tx.rows(
        tuple[str],
        "SELECT n.memory_id FROM session_summaries s JOIN session_notes n "
        "ON n.session_id = s.session_id AND n.harness = s.harness "
        "WHERE s.transcript = ?1 AND s.session_id = ?2 AND s.harness = ?3 AND s.version > 0 "
        "AND n.memory_id IS NOT NULL AND n.message_id IN (SELECT message_id "
        "FROM transcript_messages WHERE seq BETWEEN ?1 << 20 AND ((?1 + 1) << 20) - 1) "
        "GROUP BY n.memory_id HAVING max(n.made_at) < max(s.made_at)",
        (part.transcript, tx.as_stored(session_id), harness),
    )
    return [memory_id for (memory_id,) in found]


def summaries(tx: ReadTx, session: SessionKey) -> list[tuple[int, SessionSummary]]:
    """Return the summaries of a session's parts by transcript; those without a text are left out.

    The caller must have checked that its reader may read the session.
    """
    harness, session_id = session
    found = tx.rows(
        tuple[int, str, str, str],
        "SELECT transcript, summary, topics, decisions FROM session_summaries "
        "WHERE session_id = ? AND harness = ? AND summary <> '' ORDER BY transcript",
        (tx.as_stored(session_id), harness),
    )
    return [
        (number, _summary(text, topics, decisions)) for number, text, topics, decisions in found
    ]


def summary_texts(tx: ReadTx, sessions: Collection[SessionKey]) -> dict[SessionKey, str]:
    """Return the summaries of sessions as one text each; those without one are left out."""
    found: dict[SessionKey, str] = {}
    for key in sessions:
        texts = [summary.text for _, summary in summaries(tx, key)]
        if texts:
            found[key] = " ".join(texts)
    return found


def summarised_with(tx: ReadTx, parts: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return harness, session and text of summaries with any of these parts, the latest first."""
    if not parts:
        return []
    joined = " OR ".join(f"summary {LIKE}" for _ in parts)
    return tx.rows(
        tuple[str, str, str],
        "SELECT harness, session_id, summary FROM session_summaries "  # noqa: S608 - marks for parameters
        f"WHERE summary <> '' AND ({joined}) ORDER BY made_at DESC LIMIT ?",
        (*map(containing, parts), _MOST_FOUND),
    )


def forget(tx: WriteTx, harness: str, session_id: str) -> None:
    """Delete the summary of a session that the user forgot, and what isn't kept of it yet."""
    key = (tx.as_stored(session_id), harness)
    tx.execute("DELETE FROM session_summaries WHERE session_id = ? AND harness = ?", key)
    tx.execute("DELETE FROM pending_notes WHERE session_id = ? AND harness = ?", key)
    tx.execute("DELETE FROM session_notes WHERE session_id = ? AND harness = ?", key)


def drop_summaries_of(tx: WriteTx, memory_id: str) -> None:
    """Remove the texts of the summaries of the sessions that a memory was noted in."""
    tx.execute(
        "UPDATE session_summaries SET summary = '', topics = '[]', decisions = '[]' "
        "WHERE (session_id, harness) IN "
        "(SELECT session_id, harness FROM session_notes WHERE memory_id = ?)",
        (memory_id,),
    )


def erase_memory(tx: WriteTx, memory_id: str) -> None:
    """Forget which session an erased memory is from."""
    tx.execute("DELETE FROM session_notes WHERE memory_id = ?", (memory_id,))


def count_read(tx: ReadTx, since: str) -> int:
    """Count the sessions in which something was said since a time, read or not."""
    return tx.count(
        "SELECT count(*) FROM (SELECT DISTINCT harness, session_id FROM transcripts "
        "WHERE ended_at >= ? AND agent_id <> '' AND messages > 1)",
        (since,),
    )


def read_again(tx: WriteTx, since: str) -> list[SessionKey]:
    """Have the sessions in which something was said since a time be read from the start.

    Returns those; what was made of them stays.
    """
    found = tx.rows(
        tuple[str, str],
        "SELECT DISTINCT harness, session_id FROM transcripts "
        "WHERE ended_at >= ? AND agent_id <> '' AND messages > 1",
        (since,),
    )
    tx.execute(
        "UPDATE session_summaries SET read_up_to = 0 WHERE (session_id, harness) IN "
        "(SELECT session_id, harness FROM transcripts WHERE ended_at >= ?)",
        (since,),
    )
    return found


def old(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List summaries that were made before a time."""
    return tx.all(
        "SELECT session_id, harness, transcript FROM session_summaries WHERE made_at < ? LIMIT ?",
        (before, limit),
    )


def purge(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete such a summary."""
    return tx.execute(
        "DELETE FROM session_summaries WHERE session_id = ? AND harness = ? AND transcript = ? "
        "AND made_at < ?",
        (*key, before),
    )


def old_results(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List what was recorded before a time of what became of notes."""
    return tx.all(
        "SELECT seq FROM session_notes WHERE made_at < ? ORDER BY made_at LIMIT ?", (before, limit)
    )


def purge_results(tx: WriteTx, keys: Sequence[Row], _before: str, _now: str) -> int:
    """Delete these records."""
    return tx.execute(
        "DELETE FROM session_notes WHERE seq IN (SELECT value FROM json_each(?))",
        (json.dumps([seq for (seq,) in keys]),),
    )
