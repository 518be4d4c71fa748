"""SQL that finds later sessions on the subject of those in which memories were said."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.store.tx import ReadTx
from intaglio.transcripts.related.rows import LIKENESS, SAME_PLACE
from intaglio.transcripts.rows import readable
from intaglio.transcripts.values import TranscriptFilter

SETTLES: Final = 0.25
"""How lasting something that was said must be to change what was settled."""


@dataclass(frozen=True, slots=True)
class AmendingSession:
    """A session by its harness's id, when something was last said in it, and its transcript.

    ``likeness`` is how much it is about the subject of the earlier one, ``lasting`` how surely
    (0 to 1) the user settled something in it by words of their own.
    """

    key: tuple[str, str]
    ended_at: str
    transcript: int
    likeness: float
    lasting: float


def later(
    tx: ReadTx, sessions: Collection[str], wanted: TranscriptFilter, likeness: float
) -> Mapping[str, Sequence[AmendingSession]]:
    """Return the later sessions that are about the subject of each of these, by id, latest first.

    Of the same project and agent as that session.
    """
    # The sign keeps SQLite from looking up all transcripts of a project for each session.
    condition, params = readable(wanted, "+l.")
    if wanted.without is not None:
        condition += " AND NOT (l.harness = ? AND l.session_id = ?)"
        params += wanted.without
    rows = tx.rows(
        tuple[str, str, str, str, int, float, float],
        "SELECT e.session_id, l.harness, l.session_id, l.ended_at, l.seq, r.likeness, "  # noqa: S608 - conditions of this module
        "CASE WHEN EXISTS (SELECT 1 FROM statements s WHERE s.session_id = l.session_id "
        "AND s.harness = l.harness AND s.state = 'live' AND s.outcome <> 'withdrawal') THEN 1.0 "
        "ELSE ifnull((SELECT max(c.confidence) FROM considered_statements c "
        "WHERE c.session_id = l.session_id AND c.harness = l.harness), 0.0) END "
        "FROM json_each(?) j "
        "CROSS JOIN transcripts e ON e.session_id = j.value "
        "CROSS JOIN related_sessions r ON r.earlier = e.seq "
        f"AND {LIKENESS} >= ? "
        f"CROSS JOIN transcripts l ON l.seq = r.later AND {SAME_PLACE} "
        f"WHERE {condition} ORDER BY l.ended_at DESC, l.seq DESC",
        (json.dumps([*sessions]), likeness, *params),
    )
    found: dict[str, list[AmendingSession]] = {}
    for session, harness, key, ended_at, transcript, near, lasting in rows:
        one = AmendingSession((harness, key), ended_at, transcript, near, lasting)
        found.setdefault(session, []).append(one)
    return found


def said(tx: ReadTx, memories: Sequence[str]) -> Mapping[str, Mapping[tuple[str, str], str]]:
    """Return in which sessions the user said memories, by harness and id, and when at last."""
    found: dict[str, dict[tuple[str, str], str]] = {}
    for memory, harness, session, at in tx.rows(
        tuple[str, str, str, str],
        "SELECT memory_id, harness, session_id, max(ifnull(said_at, recorded_at)) FROM statements "
        "WHERE memory_id IN (SELECT value FROM json_each(?)) AND state = 'live' "
        "AND outcome <> 'withdrawal' GROUP BY 1, 2, 3",
        (json.dumps(memories),),
    ):
        found.setdefault(memory, {})[harness, session] = at
    return found


def count_settled(tx: ReadTx, sessions: Collection[str]) -> Mapping[str, int]:
    """Return how many memories the user settled in sessions, by the session's id."""
    return dict(
        tx.rows(
            tuple[str, int],
            "SELECT session_id, count(DISTINCT memory_id) FROM statements "
            "WHERE session_id IN (SELECT value FROM json_each(?)) AND state = 'live' "
            "AND outcome <> 'withdrawal' GROUP BY 1",
            (json.dumps([*sessions]),),
        )
    )
