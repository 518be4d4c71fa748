"""SQL on transcripts; no other module writes these tables."""

import json
from array import array
from collections.abc import Collection, Sequence
from typing import Final

from intaglio.store.fts import count_each, match_any
from intaglio.store.tx import ReadTx, Row, SearchExpression, Sql, WriteTx
from intaglio.transcripts.values import (
    NewMessage,
    SessionOwner,
    StoredMessage,
    TranscriptFilter,
    TranscriptSize,
)

_NUMBER_BITS: Final = 20
_MAX_NUMBER: Final = (1 << _NUMBER_BITS) - 1
_NOT_EMPTY: Final = "text <> ''"
_MESSAGE: Final = "seq, message_id, role, said_at, text"
_LISTED: Final = "IN (SELECT value FROM json_each(?))"


def _first(transcript: int) -> int:
    return transcript << _NUMBER_BITS


def rows_of(transcript: int) -> tuple[int, int]:
    """Return the first and the last row that a transcript's messages can have."""
    return _first(transcript), _first(transcript) | _MAX_NUMBER


def transcript_of(number: int) -> int:
    """Return the transcript of a message's row."""
    return number >> _NUMBER_BITS


def add(tx: WriteTx, owner: SessionOwner, messages: Sequence[NewMessage]) -> int:
    """Store a session's messages, in order; returns how many were new.

    Messages that are stored already are left out, and so are those that were said before the user
    forgot their session.
    """
    added = 0
    for message in messages:
        if message.text and not _is_known(tx, owner, message) and not _is_gone(tx, owner, message):
            added += _insert(tx, owner, message)
    return added


def _is_known(tx: ReadTx, owner: SessionOwner, message: NewMessage) -> bool:
    return bool(numbers_with_id(tx, owner.harness, message.message_id))


def _is_gone(tx: ReadTx, owner: SessionOwner, message: NewMessage) -> bool:
    sessions = (owner.session_id, message.first_session)
    return any(
        (forgotten_at(tx, owner.harness, each) or "") >= message.said_at for each in sessions
    )


def _insert(tx: WriteTx, owner: SessionOwner, message: NewMessage) -> int:
    transcript = _find(tx, owner, message.project) or _create(tx, owner, message)
    number = tx.count("SELECT last_number FROM transcripts WHERE seq = ?", (transcript,)) + 1
    if number > _MAX_NUMBER:
        return 0
    tx.execute(
        "INSERT INTO transcript_messages(seq, message_id, role, said_at, text, pairs, words) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            _first(transcript) | number,
            message.message_id,
            message.role,
            message.said_at,
            message.text,
            message.pairs,
            message.words,
        ),
    )
    tx.execute(
        "UPDATE transcripts SET last_number = ?, messages = messages + 1, words = words + ?, "
        "characters = characters + ?, compared = -1, started_at = min(started_at, ?), "
        "ended_at = max(ended_at, ?) WHERE seq = ?",
        (
            number,
            message.words,
            len(message.text),
            message.said_at,
            message.said_at,
            transcript,
        ),
    )
    return 1


def _find(tx: ReadTx, owner: SessionOwner, project: str | None) -> int | None:
    return tx.scalar(
        int,
        "SELECT seq FROM transcripts WHERE session_id = ? AND harness = ? AND agent_id = ? "
        "AND project IS ?",
        (owner.session_id, owner.harness, owner.agent_id, project),
    )


def _create(tx: WriteTx, owner: SessionOwner, message: NewMessage) -> int:
    tx.execute(
        "INSERT INTO transcripts(harness, session_id, agent_id, project, started_at, ended_at) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (
            owner.harness,
            owner.session_id,
            owner.agent_id,
            message.project,
            message.said_at,
            message.said_at,
        ),
    )
    return tx.last_row()


def of_session(tx: ReadTx, wanted: TranscriptFilter, harness: str, session_id: str) -> list[int]:
    """Return a session's transcripts, one for each of its projects, that may be read."""
    condition, params = readable(wanted)
    return tx.column(
        int,
        f"SELECT seq FROM transcripts WHERE session_id = ? AND harness = ? AND {condition} "  # noqa: S608 - a condition of this module
        "ORDER BY seq",
        [session_id, harness, *params],
    )


def _parts(tx: ReadTx, harness: str, session_id: str) -> list[int]:
    return tx.column(
        int,
        "SELECT seq FROM transcripts WHERE session_id = ? AND harness = ?",
        (session_id, harness),
    )


def size(tx: ReadTx, harness: str, session_id: str) -> TranscriptSize:
    """Return how much of a session is stored."""
    found = tx.row(
        tuple[int, int],
        "SELECT ifnull(sum(messages), 0), ifnull(sum(characters), 0) FROM transcripts "
        "WHERE session_id = ? AND harness = ? AND agent_id <> ''",
        (session_id, harness),
    )
    return TranscriptSize(*(found or (0, 0)))


def messages(tx: ReadTx, transcript: int) -> list[StoredMessage]:
    """Return a transcript's messages in the order in which they were said."""
    return tx.map(
        StoredMessage,
        f"SELECT {_MESSAGE} FROM transcript_messages "  # noqa: S608 - constants
        f"WHERE seq BETWEEN ? AND ? AND {_NOT_EMPTY} ORDER BY said_at, seq",
        rows_of(transcript),
    )


def message_ids(tx: ReadTx, transcript: int) -> frozenset[str]:
    """Return the ids of a transcript's messages that have a text."""
    found = tx.column(
        str,
        "SELECT message_id FROM transcript_messages "  # noqa: S608 - constants
        f"WHERE seq BETWEEN ? AND ? AND {_NOT_EMPTY}",
        rows_of(transcript),
    )
    return frozenset(found)


def last_row(tx: ReadTx, transcript: int) -> int:
    """Return the row of a transcript's last message, with or without a text; 0 for none."""
    return tx.count(
        "SELECT ifnull(max(seq << ? | last_number), 0) FROM transcripts WHERE seq = ?",
        (_NUMBER_BITS, transcript),
    )


def last_of_agent(tx: ReadTx, transcript: int) -> StoredMessage | None:
    """Return the agent's last message of a transcript, unless it was removed."""
    found = tx.map(
        StoredMessage,
        f"SELECT {_MESSAGE} FROM transcript_messages WHERE seq BETWEEN ? AND ? "  # noqa: S608 - constants
        "AND role = 'agent' ORDER BY said_at DESC, seq DESC LIMIT 1",
        rows_of(transcript),
    )
    return found[0] if found and found[0].text else None


def turns(tx: ReadTx, number: int) -> list[tuple[int, str]]:
    """Return row and role of all messages of a message's session, removed ones too, in order."""
    return tx.rows(
        tuple[int, str],
        "SELECT m.seq, m.role FROM transcripts t JOIN transcripts s "
        "ON s.session_id = t.session_id AND s.harness = t.harness "
        "JOIN transcript_messages m ON m.seq BETWEEN s.seq << ?1 AND (s.seq << ?1) + ?2 "
        "WHERE t.seq = ?3 ORDER BY m.said_at, m.seq",
        (_NUMBER_BITS, _MAX_NUMBER, transcript_of(number)),
    )


def numbers_with_id(tx: ReadTx, harness: str, message_id: str) -> list[int]:
    """Return the rows of the messages with an id; at most one as a rule."""
    return tx.column(
        int,
        "SELECT m.seq FROM transcript_messages m JOIN transcripts t ON t.seq = m.seq >> ? "
        "WHERE m.message_id = ? AND t.harness = ?",
        (_NUMBER_BITS, message_id, harness),
    )


def of_agent(tx: ReadTx, numbers: Collection[int]) -> frozenset[int]:
    """Return those of some messages that the agent said."""
    found = tx.column(
        int,
        "SELECT seq FROM transcript_messages WHERE role = 'agent' "
        "AND seq IN (SELECT value FROM carray(?))",
        (tx.bind_integers(array("q", numbers)),),
    )
    return frozenset(found)


def text_of(tx: ReadTx, number: int) -> str:
    """Return the text of a message, empty if it was removed."""
    found = tx.scalar(str, "SELECT text FROM transcript_messages WHERE seq = ?", (number,))
    return found or ""


def in_scope(tx: ReadTx, wanted: TranscriptFilter) -> dict[int, int]:
    """Return the number of words of each transcript that may be searched."""
    condition, params = readable(wanted)
    rows = tx.rows(
        tuple[int, int],
        f"SELECT seq, words FROM transcripts WHERE {condition} AND words > 0",  # noqa: S608 - a condition of this module
        params,
    )
    found = dict(rows)
    if wanted.without is not None:
        for transcript in _parts(tx, *wanted.without):
            found.pop(transcript, None)
    return found


def readable(wanted: TranscriptFilter, table: str = "") -> tuple[str, list[Sql]]:
    """Return a condition on transcripts that may be read, and its parameters.

    ``table`` precedes each column. The session that is left out isn't part of it.
    """
    parts, params = [f"{table}agent_id <> ''"], list[Sql]()
    if wanted.projects is not None:
        named = [key for key in wanted.projects if key is not None]
        choices = [f"{table}project IS NULL"] if None in wanted.projects else []
        if named:
            choices.append(f"{table}project IN ({', '.join('?' * len(named))})")
            params += named
        parts.append(f"({' OR '.join(choices)})" if choices else "0")
    if wanted.not_in:
        left_out = ", ".join("?" * len(wanted.not_in))
        parts.append(f"ifnull({table}project, '') NOT IN ({left_out})")
        params += wanted.not_in
    limits = {
        "agent_id = ?": wanted.agent_id,
        "agent_id IS ?": wanted.of_agent,
        "harness = ?": wanted.harness,
        "ended_at >= ?": wanted.said_since,
        "started_at < ?": wanted.said_before,
    }
    for condition, value in limits.items():
        if value is not None:
            parts.append(f"{table}{condition}")
            params.append(value)
    return " AND ".join(parts), params


def heads(
    tx: ReadTx, transcripts: Collection[int]
) -> dict[int, tuple[str, str, str, str | None, str, str, int]]:
    """Return harness, session, agent, project, start, end and messages of transcripts."""
    rows = tx.rows(
        tuple[int, str, str, str, str | None, str, str, int],
        "SELECT seq, harness, session_id, agent_id, project, started_at, ended_at, messages "  # noqa: S608 - a constant
        f"FROM transcripts WHERE seq {_LISTED}",
        (json.dumps([*transcripts]),),
    )
    return {row[0]: row[1:] for row in rows}


def count_all(tx: ReadTx) -> int:
    """Count all stored messages."""
    return tx.count("SELECT ifnull(sum(messages), 0) FROM transcripts")


def count_messages(tx: ReadTx, term: str) -> int:
    """Count the messages that contain an index term; about 20 ns each."""
    return tx.count("SELECT doc FROM transcripts_vocabulary WHERE term = ?", (term,))


def count_terms(tx: ReadTx, terms: Collection[str]) -> dict[str, int]:
    """Return in how many messages terms are, of those that are in any; about 4 µs each."""
    return count_each(tx, "transcripts_vocabulary", terms)


def counts_by_transcript(tx: ReadTx, word: str) -> list[tuple[int, int]]:
    """Return in how many of its messages each transcript contains a word; 0.15 µs a message.

    The word is spelled as in a text: the index stems it.
    """
    return tx.rows(
        tuple[int, int],
        "SELECT rowid >> ?, count(*) FROM transcripts_fts WHERE transcripts_fts MATCH ? GROUP BY 1",
        (_NUMBER_BITS, match_any([word])),
    )


def containing(tx: ReadTx, word: str, first: int, last: int) -> list[int]:
    """Return the rows from one to another of messages that contain a word."""
    return tx.column(
        int,
        "SELECT rowid FROM transcripts_fts WHERE transcripts_fts MATCH ? AND rowid BETWEEN ? AND ?",
        (match_any([word]), first, last),
    )


def containing_all(tx: ReadTx, words: Sequence[str], limit: int) -> list[int]:
    """Return the rows of messages that contain all of these words, in any order."""
    expression = SearchExpression(" AND ".join(str(match_any([word])) for word in words))
    return tx.column(
        int,
        "SELECT rowid FROM transcripts_fts WHERE transcripts_fts MATCH ? LIMIT ?",
        (expression, limit),
    )


def rewrite(tx: WriteTx, number: int, text: str, pairs: str | None, words: int) -> None:
    """Replace a message's text; an empty one removes it and leaves its id."""
    old = tx.row(
        tuple[int, int],
        "SELECT length(text), words FROM transcript_messages WHERE seq = ?",
        (number,),
    )
    if old is None:
        return
    length, counted = old
    tx.execute(
        "UPDATE transcript_messages SET text = ?, pairs = ?, words = ? WHERE seq = ?",
        (text, pairs, words, number),
    )
    tx.execute(
        "UPDATE transcripts SET characters = characters + ?, words = words + ?, "
        "messages = messages + ? WHERE seq = ?",
        (
            len(text) - length,
            words - counted,
            bool(text) - bool(length),
            transcript_of(number),
        ),
    )


def oldest(tx: ReadTx, transcript: int, limit: int) -> list[tuple[int, int]]:
    """Return row and length of a transcript's oldest messages, the agent's first."""
    return tx.rows(
        tuple[int, int],
        "SELECT seq, length(text) FROM transcript_messages "  # noqa: S608 - a constant
        f"WHERE seq BETWEEN ? AND ? AND {_NOT_EMPTY} ORDER BY role <> 'agent', seq LIMIT ?",
        (*rows_of(transcript), limit),
    )


def sizes_of_session(tx: ReadTx, owner: SessionOwner) -> dict[int, TranscriptSize]:
    """Return how much each transcript of a session holds."""
    rows = tx.rows(
        tuple[int, int, int],
        "SELECT seq, messages, characters FROM transcripts WHERE session_id = ? AND harness = ?",
        (owner.session_id, owner.harness),
    )
    return {seq: TranscriptSize(count, characters) for seq, count, characters in rows}


def message_rows(tx: ReadTx, harness: str, session_id: str) -> list[int]:
    """Return the rows of all of a session's messages that have a text, or had one."""
    return [
        number
        for transcript in _parts(tx, harness, session_id)
        for number in tx.column(
            int,
            f"SELECT seq FROM transcript_messages m WHERE seq BETWEEN ? AND ? AND ({_NOT_EMPTY} "  # noqa: S608 - a constant
            "OR EXISTS (SELECT 1 FROM transcript_cuts c WHERE c.message = m.seq))",
            rows_of(transcript),
        )
    ]


def remove_text(tx: WriteTx, number: int) -> None:
    """Remove a message's text for good, and what was taken out of it; its id stays."""
    rewrite(tx, number, "", None, 0)
    tx.execute("DELETE FROM transcript_cuts WHERE message = ?", (number,))


def delete_message(tx: WriteTx, number: int) -> int:
    """Delete a message, and its transcript with the last one; returns 1 if it was there.

    Taking it out of the index costs about 3 ms at 60,000 messages.
    """
    done = tx.execute("DELETE FROM transcript_messages WHERE seq = ?", (number,))
    tx.execute("DELETE FROM transcript_cuts WHERE message = ?", (number,))
    transcript = transcript_of(number)
    left = "SELECT 1 FROM transcript_messages WHERE seq BETWEEN ? AND ?"
    if tx.value(left, rows_of(transcript)) is None:
        tx.execute("DELETE FROM transcripts WHERE seq = ?", (transcript,))
    return done


def mark_forgotten(tx: WriteTx, harness: str, session_id: str, at: str) -> None:
    """Record that the user forgot a session: what was said until now doesn't come back.

    Nobody can read it from now on, while its messages are removed one by one.
    """
    tx.execute(
        "INSERT INTO forgotten_transcripts(session_id, harness, forgotten_at) VALUES (?, ?, ?) "
        "ON CONFLICT DO UPDATE SET forgotten_at = max(forgotten_at, excluded.forgotten_at)",
        (session_id, harness, at),
    )
    tx.execute(
        "UPDATE transcripts SET agent_id = '', title = '', title_by = 'removed' "
        "WHERE session_id = ? AND harness = ?",
        (session_id, harness),
    )


def forgotten_at(tx: ReadTx, harness: str, session_id: str) -> str | None:
    """Return when the user forgot a session: what was said until then stays away; or None."""
    return tx.scalar(
        str,
        "SELECT forgotten_at FROM forgotten_transcripts WHERE session_id = ? AND harness = ?",
        (session_id, harness),
    )


def set_forgotten_at(tx: WriteTx, harness: str, session_id: str, at: str | None) -> None:
    """Record that a session isn't forgotten any more, or was before: up to a time.

    Its removed messages are deleted by `removed_rows`, so that they can be read again.
    """
    tx.execute(
        "DELETE FROM forgotten_transcripts WHERE session_id = ? AND harness = ?",
        (session_id, harness),
    )
    if at is not None:
        tx.execute(
            "INSERT INTO forgotten_transcripts(session_id, harness, forgotten_at) VALUES (?, ?, ?)",
            (session_id, harness, at),
        )


def removed_rows(tx: ReadTx, harness: str, session_id: str, since: str) -> list[int]:
    """Return the rows of a forgotten session's messages said after a time; they have no text."""
    return tx.column(
        int,
        "SELECT m.seq FROM transcripts t JOIN transcript_messages m "
        "ON m.seq BETWEEN t.seq << ?1 AND (t.seq << ?1) + ?2 "
        "WHERE t.session_id = ?3 AND t.harness = ?4 AND t.agent_id = '' AND m.said_at > ?5 "
        "AND m.text = ''",
        (_NUMBER_BITS, _MAX_NUMBER, session_id, harness, since),
    )


def old(tx: ReadTx, before: str, _now: str, limit: int) -> list[Row]:
    """List the messages of transcripts in which nothing was said since a time."""
    return tx.all(
        "SELECT m.seq FROM transcripts t JOIN transcript_messages m "
        "ON m.seq BETWEEN t.seq << ?1 AND (t.seq << ?1) + ?2 "
        "WHERE t.ended_at < ?3 ORDER BY t.ended_at LIMIT ?4",
        (_NUMBER_BITS, _MAX_NUMBER, before, limit),
    )


def purge(tx: WriteTx, key: Row, before: str, _now: str) -> int:
    """Delete such a message, unless its session has gone on since."""
    number = int(str(key[0]))
    is_old = "SELECT 1 FROM transcripts WHERE seq = ? AND ended_at < ?"
    if tx.value(is_old, (transcript_of(number), before)) is None:
        return 0
    return delete_message(tx, number)


def of_project(tx: ReadTx, project: str) -> list[int]:
    """Return the numbers of a project's transcripts."""
    return tx.column(int, "SELECT seq FROM transcripts WHERE project = ?", (project,))


def give(tx: WriteTx, transcripts: Sequence[int], project: str, target: str, before: str) -> None:
    """Give those of these transcripts that are a project's to another one.

    Only those that began before a time: a number may have been given again.
    """
    tx.execute(
        "UPDATE transcripts SET project = ? WHERE project = ? AND started_at <= ? "  # noqa: S608 - a constant
        f"AND seq {_LISTED}",
        (target, project, before, json.dumps([*transcripts])),
    )


def mean_characters(tx: ReadTx, sessions: int) -> tuple[int, int]:
    """Return how long the latest transcripts are on average, in characters, and of how many."""
    found = tx.rows(
        tuple[int, int],
        "SELECT count(*), ifnull(cast(avg(characters) AS INTEGER), 0) FROM (SELECT characters "
        "FROM transcripts WHERE messages > 0 ORDER BY ended_at DESC LIMIT ?)",
        (sessions,),
    )
    count, mean = found[0]
    return mean, count
