"""SQL on related sessions; no other module writes this table.

Triggers delete what is known of a transcript with any of its text, and when its project or its
agent changes.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from intaglio.store.tx import ReadTx, WriteTx
from intaglio.transcripts.related.values import RelatedSession, SessionRelations

MAX_COMPARED: Final = 2_000
"""Of a project with more earlier transcripts, a transcript is compared with the latest."""
# The signs keep SQLite from looking up all transcripts of a project for each one.
_SAME_PLACE: Final = (
    "l.agent_id = +e.agent_id AND l.project IS +e.project AND l.agent_id <> '' "
    "AND l.ended_at > e.ended_at"
)


def head(tx: ReadTx, transcript: int) -> tuple[str, str | None, int, int] | None:
    """Return agent, project, last number and characters of a transcript that has a text."""
    return tx.row(
        tuple[str, str | None, int, int],
        "SELECT agent_id, project, last_number, characters FROM transcripts "
        "WHERE seq = ? AND agent_id <> '' AND words > 0",
        (transcript,),
    )


def earlier(tx: ReadTx, transcript: int) -> list[int]:
    """Return the transcripts of its project and agent that ended before one, the latest first."""
    return tx.column(
        int,
        "SELECT e.seq FROM transcripts l JOIN transcripts e ON e.project IS l.project "
        "AND e.agent_id = l.agent_id AND e.ended_at < l.ended_at "
        "WHERE l.seq = ? AND l.agent_id <> '' AND e.words > 0 "
        "ORDER BY e.ended_at DESC, e.seq DESC LIMIT ?",
        (transcript, MAX_COMPARED),
    )


def put(tx: WriteTx, made: SessionRelations) -> bool:
    """Replace what a transcript is related to; returns False if it has changed meanwhile.

    Without transcripts that were moved, forgotten or deleted meanwhile.
    """
    now = head(tx, made.transcript)
    if now is not None and now[2:] != (made.last_number, made.characters):
        return False
    tx.execute("DELETE FROM related_sessions WHERE later = ?", (made.transcript,))
    tx.execute(
        "INSERT INTO related_sessions(later, earlier, likeness) "  # noqa: S608 - a constant
        "SELECT l.seq, e.seq, j.value ->> 1 FROM json_each(?) j "
        "CROSS JOIN transcripts e ON e.seq = j.value ->> 0 "
        f"CROSS JOIN transcripts l ON l.seq = ? AND {_SAME_PLACE} WHERE e.words > 0",
        (json.dumps(made.found), made.transcript),
    )
    tx.execute(
        "UPDATE transcripts SET compared = ? WHERE seq = ?", (made.compared, made.transcript)
    )
    return True


def later_than(tx: ReadTx, transcripts: Collection[int]) -> Mapping[int, Sequence[RelatedSession]]:
    """Return the later sessions on the subject of each of these transcripts, the latest first.

    Of the same project and agent; a transcript without any isn't in it.
    """
    found: dict[int, list[RelatedSession]] = {}
    for earlier_one, later, ended_at, likeness in tx.rows(
        tuple[int, int, str, float],
        "SELECT r.earlier, r.later, l.ended_at, r.likeness FROM related_sessions r "  # noqa: S608 - a constant
        "CROSS JOIN transcripts e ON e.seq = r.earlier "
        "CROSS JOIN transcripts l ON l.seq = r.later "
        f"AND {_SAME_PLACE} WHERE r.earlier IN (SELECT value FROM json_each(?)) "
        "ORDER BY l.ended_at DESC, l.seq DESC",
        (json.dumps([*transcripts]),),
    ):
        found.setdefault(earlier_one, []).append(RelatedSession(later, ended_at, likeness))
    return found


def lacking(tx: ReadTx, model: str, limit: int) -> list[int]:
    """Return transcripts that weren't compared with all earlier ones, the latest first.

    Those count that have vectors by the model; without a model (""), all.
    """
    return tx.column(
        int,
        "SELECT seq FROM (SELECT t.seq, t.ended_at, t.compared, "
        "sum(?1 = '' OR v.transcript IS NOT NULL) OVER (PARTITION BY t.project, t.agent_id "
        "ORDER BY t.ended_at GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS earlier "
        "FROM transcripts t LEFT JOIN transcript_vectors v "
        "ON v.transcript = t.seq AND v.model = ?1 AND v.numbers <> x'' "
        "WHERE t.words > 0 AND t.agent_id <> '') WHERE compared < min(ifnull(earlier, 0), ?2) "
        "ORDER BY ended_at DESC LIMIT ?3",
        (model, MAX_COMPARED, limit),
    )
