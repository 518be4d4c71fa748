"""SQL that finds sessions by what they were told, by what they led to, and by what capture judged.

The last is for sessions whose transcripts aren't stored.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from intaglio.sessions.values import SessionKey
from intaglio.store.like import LIKE, containing
from intaglio.store.tx import ReadTx

_LISTED: Final = "IN (SELECT value FROM json_each(?))"
_MOST: Final = 200
_NEWEST: Final = 5_000


def led_to(tx: ReadTx, memory_ids: Collection[str]) -> Mapping[SessionKey, list[str]]:
    """Return which of these memories each session led to, by session."""
    listed = json.dumps([*memory_ids])
    rows = tx.rows(
        tuple[str, str, str],
        "SELECT harness, session_id, memory_id FROM statements "  # noqa: S608 - a constant
        f"WHERE memory_id {_LISTED} AND state = 'live' AND outcome <> 'withdrawal' "
        "UNION SELECT o.harness, o.id, m.id FROM memories m JOIN sessions o ON o.id = m.session_id "
        f"WHERE m.id {_LISTED} AND m.session_id IS NOT NULL LIMIT ?",
        (listed, listed, _MOST),
    )
    return _by_session(rows)


def told(tx: ReadTx, memory_ids: Collection[str]) -> Mapping[SessionKey, list[str]]:
    """Return which of these memories each session was told, latest sessions first.

    Without what was told at a session's start, which is the same for all of a project.
    """
    rows = tx.rows(
        tuple[str, str, str],
        "SELECT i.harness, i.session_id, m.memory_id FROM session_memories m "  # noqa: S608 - a constant
        f"JOIN injections i ON i.seq = m.injection WHERE m.memory_id {_LISTED} "
        "AND m.injected = 1 AND i.event <> 'session_start' ORDER BY i.seq DESC LIMIT ?",
        (json.dumps([*memory_ids]), _MOST),
    )
    return _by_session(rows)


def _by_session(rows: Sequence[tuple[str, str, str]]) -> Mapping[SessionKey, list[str]]:
    found: dict[SessionKey, list[str]] = {}
    for harness, session_id, memory_id in rows:
        found.setdefault((harness, session_id), []).append(memory_id)
    return found


def judged_with(tx: ReadTx, parts: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return harness, session and sentence of what capture judged that has all these parts.

    Of the newest, without what was taken back, dropped or forgotten.
    """
    if not parts:
        return []
    holds = " AND ".join(f"sentence {LIKE}" for _ in parts)
    patterns = [containing(each) for each in parts]
    return tx.rows(
        tuple[str, str, str],
        "SELECT harness, session_id, sentence FROM ("  # noqa: S608 - marks for parameters
        "SELECT t.seq, t.harness, t.session_id, t.sentence FROM statements t "
        "LEFT JOIN memories m ON m.id = t.memory_id LEFT JOIN inbox_items i ON i.id = t.inbox_id "
        f"WHERE t.seq > (SELECT max(seq) FROM statements) - {_NEWEST} AND t.state = 'live' "
        "AND t.outcome <> 'withdrawal' AND ifnull(i.action, '') <> 'drop' "
        f"AND (t.memory_id IS NULL OR ifnull(m.is_deleted, 1) = 0) AND {holds} "
        "UNION ALL SELECT seq, harness, session_id, sentence FROM considered_statements "
        f"WHERE seq > (SELECT max(seq) FROM considered_statements) - {_NEWEST} AND {holds}"
        ") ORDER BY seq DESC LIMIT ?",
        (*patterns, *patterns, _MOST),
    )


def asked_with(tx: ReadTx, parts: Sequence[str]) -> list[tuple[str, str, str]]:
    """Return harness, session and searched words of the newest prompts with all these parts."""
    if not parts:
        return []
    holds = " AND ".join(f"terms {LIKE}" for _ in parts)
    rows = tx.rows(
        tuple[str, str, str],
        "SELECT harness, session_id, terms FROM injections "  # noqa: S608 - marks for parameters
        f"WHERE seq > (SELECT max(seq) FROM injections) - {_NEWEST} AND event = 'prompt' "
        f"AND {holds} ORDER BY seq DESC LIMIT ?",
        (*map(containing, parts), _MOST),
    )
    return [(harness, session, ", ".join(json.loads(terms))) for harness, session, terms in rows]
