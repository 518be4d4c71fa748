"""SQL that reads what was said and kept in sessions, to tell them apart in lists."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from intaglio.domain.reader import Reader
from intaglio.memory.filters import reader_condition
from intaglio.sessions.values import SessionKey
from intaglio.store.tx import ReadTx

_MOST_KEPT: Final = 3
_WANTED: Final = (
    "WITH wanted AS (SELECT value ->> 0 AS harness, value ->> 1 AS id FROM json_each(?1)) "
)


def _listed(sessions: Sequence[SessionKey]) -> str:
    return json.dumps([*map(list, sessions)], ensure_ascii=False)


def kept(
    tx: ReadTx, sessions: Sequence[SessionKey], reader: Reader, chars: int
) -> Mapping[SessionKey, list[str]]:
    """Return the beginnings of at most three live memories that each session led to."""
    condition, params = reader_condition(reader)
    led_to = "SELECT w.harness, w.id, m.seq, m.content FROM wanted w"
    live = f"WHERE m.is_deleted = 0 AND {condition}"
    said = (
        f"{led_to} CROSS JOIN statements t ON t.session_id = w.id AND t.harness = w.harness "
        "AND t.state = 'live' AND t.outcome <> 'withdrawal' "
        f"CROSS JOIN memories m ON m.id = t.memory_id {live}"
    )
    saved = f"{led_to} CROSS JOIN memories m ON m.session_id = w.id {live}"
    rows = tx.rows(
        tuple[str, str, str],
        "WITH wanted AS (SELECT value ->> 0 AS harness, value ->> 1 AS id FROM json_each(?)) "  # noqa: S608 - built by reader_condition
        f"SELECT harness, id, substr(content, 1, ?) FROM ({said} UNION {saved}) ORDER BY seq",
        (_listed(sessions), chars, *params, *params),
    )
    found: dict[SessionKey, list[str]] = {}
    for harness, session_id, content in rows:
        own = found.setdefault((harness, session_id), [])
        if len(own) < _MOST_KEPT:
            own.append(content)
    return found


def first_said(tx: ReadTx, sessions: Sequence[SessionKey]) -> Mapping[SessionKey, str]:
    """Return the first sentence of each session that capture judged, as far as it still holds.

    What was taken back, dropped or forgotten isn't returned.
    """
    rows = tx.rows(
        tuple[str, str, str],
        f"{_WANTED} SELECT harness, id, sentence FROM ("  # noqa: S608 - a constant
        "SELECT w.harness, w.id, t.said_at, t.seq, t.sentence FROM wanted w "
        "CROSS JOIN statements t ON t.session_id = w.id AND t.harness = w.harness "
        "LEFT JOIN memories m ON m.id = t.memory_id LEFT JOIN inbox_items i ON i.id = t.inbox_id "
        "WHERE t.state = 'live' AND t.outcome <> 'withdrawal' AND t.sentence <> '' "
        "AND (t.memory_id IS NULL OR ifnull(m.is_deleted, 1) = 0) "
        "AND ifnull(i.action, '') <> 'drop' "
        "UNION ALL SELECT w.harness, w.id, c.said_at, c.seq, c.sentence FROM wanted w "
        "CROSS JOIN considered_statements c ON c.session_id = w.id AND c.harness = w.harness"
        ") ORDER BY said_at DESC, seq DESC",
        (_listed(sessions),),
    )
    # Of each session, the first one stands last.
    return {(harness, session_id): sentence for harness, session_id, sentence in rows}


def first_words(tx: ReadTx, sessions: Sequence[SessionKey]) -> Mapping[SessionKey, list[str]]:
    """Return the searched words of each session's first prompt."""
    rows = tx.rows(
        tuple[str, str, str],
        f"{_WANTED} SELECT w.harness, w.id, i.terms FROM wanted w CROSS JOIN injections i "  # noqa: S608 - a constant
        "ON i.session_id = w.id AND i.harness = w.harness "
        "WHERE i.event = 'prompt' AND i.terms IS NOT NULL ORDER BY i.seq DESC",
        (_listed(sessions),),
    )
    return {(harness, session_id): json.loads(terms) for harness, session_id, terms in rows}
