"""SQL on related sessions; no other module writes this table.

Triggers delete what is known of a transcript with any of its text, and when its project or its
agent changes.
"""

import json
from collections.abc import Collection
from typing import Final

from intaglio.store.tx import ReadTx, WriteTx
from intaglio.transcripts.related.values import (
    AGREES,
    CONTRADICTS,
    SAME_SUBJECT,
    SessionRelations,
    TranscriptHead,
)

MAX_COMPARED: Final = 2_000
"""Of a project with more earlier transcripts, a transcript is compared with the latest."""
SAME_PLACE: Final = (
    "l.agent_id = +e.agent_id AND l.project IS +e.project AND l.agent_id <> '' "
    "AND l.ended_at > e.ended_at"
)
"""Whether the transcript ``l`` is later than ``e``, and of its project and agent.

The signs keep SQLite from looking up all transcripts of a project for each one.
"""

LIKENESS: Final = (
    f"CASE WHEN r.likeness >= {SAME_SUBJECT} THEN r.likeness "
    f"WHEN r.contradiction >= {CONTRADICTS} THEN {SAME_SUBJECT} "
    f"WHEN r.contradiction < {AGREES} THEN 0.0 ELSE r.likeness END"
)
"""The likeness of a related session ``r``.

Of sessions that are less alike, enough for the same subject if both contradict each other, and none
if they don't.
"""


def heads(tx: ReadTx, transcripts: Collection[int]) -> dict[int, TranscriptHead]:
    """Return the heads of those of some transcripts that have a text, by row number."""
    found = tx.rows(
        tuple[int, str, str | None, int, int],
        "SELECT seq, agent_id, project, last_number, characters FROM transcripts "
        "WHERE seq IN (SELECT value FROM json_each(?)) AND agent_id <> '' AND words > 0",
        (json.dumps([*transcripts]),),
    )
    return {row[0]: TranscriptHead(*row[1:]) for row in found}


def earlier(tx: ReadTx, transcript: int) -> list[int]:
    """Return the transcripts of its project and agent that ended before one, the latest first."""
    return tx.column(
        int,
        "SELECT e.seq FROM transcripts l JOIN transcripts e ON e.project IS l.project "
        "AND e.agent_id = l.agent_id AND (e.ended_at, e.seq) < (l.ended_at, l.seq) "
        "WHERE l.seq = ? AND l.agent_id <> '' AND e.words > 0 "
        "ORDER BY e.ended_at DESC, e.seq DESC LIMIT ?",
        (transcript, MAX_COMPARED),
    )


def put(tx: WriteTx, made: SessionRelations) -> bool:
    """Replace what a transcript is related to; returns False if one of them has changed meanwhile.

    It was moved, forgotten or deleted, then, or its text is another one.
    """
    compared = {each.transcript: each.head for each in made.found} | {made.transcript: made.head}
    if heads(tx, compared) != compared:
        return False
    tx.execute("DELETE FROM related_sessions WHERE later = ?", (made.transcript,))
    tx.execute(
        "INSERT INTO related_sessions(later, earlier, likeness) "
        "SELECT ?, value ->> 0, value ->> 1 FROM json_each(?)",
        (made.transcript, json.dumps([(each.transcript, each.likeness) for each in made.found])),
    )
    tx.execute(
        "UPDATE transcripts SET compared = ? WHERE seq = ?", (made.compared, made.transcript)
    )
    return True


def unread(tx: ReadTx, limit: int) -> list[tuple[int, int]]:
    """Return the later and the earlier of sessions that may contradict each other, unread yet.

    Those are enough alike to be stored, and not enough to be about the same subject; the most
    alike come first.
    """
    return tx.rows(
        tuple[int, int],
        "SELECT later, earlier FROM related_sessions "
        "WHERE contradiction IS NULL AND likeness < ? ORDER BY likeness DESC LIMIT ?",
        (SAME_SUBJECT, limit),
    )


def set_contradiction(tx: WriteTx, later: int, earlier: int, probability: float) -> None:
    """Store how likely (0 to 1) two sessions contradict each other, if they still are related."""
    tx.execute(
        "UPDATE related_sessions SET contradiction = ? WHERE later = ? AND earlier = ?",
        (probability, later, earlier),
    )


def read_again(tx: WriteTx, harness: str, session_id: str) -> None:
    """Have a session be read once more with those that it is related to."""
    tx.execute(
        "WITH own AS (SELECT seq FROM transcripts WHERE harness = ? AND session_id = ?) "
        "UPDATE related_sessions SET contradiction = NULL WHERE contradiction IS NOT NULL "
        "AND (later IN own OR earlier IN own)",
        (harness, tx.as_stored(session_id)),
    )


def later_of(tx: ReadTx, transcript: int) -> list[int]:
    """Return the transcripts that are related to an earlier one, whatever the likeness."""
    return tx.column(
        int, "SELECT later FROM related_sessions WHERE earlier = ? ORDER BY later", (transcript,)
    )


def lacking(tx: ReadTx, model: str) -> list[int]:
    """Return transcripts that weren't compared with all earlier ones, the latest first.

    Of the earlier ones that a transcript is compared with, those count that have vectors by the
    model; without a model (""), all.
    """
    return tx.column(
        int,
        "SELECT seq FROM (SELECT t.seq, t.ended_at, t.compared, "  # noqa: S608 - a constant
        "sum(?1 = '' OR v.transcript IS NOT NULL) OVER (PARTITION BY t.project, t.agent_id "
        f"ORDER BY t.ended_at, t.seq ROWS BETWEEN {MAX_COMPARED} PRECEDING AND 1 PRECEDING) "
        "AS earlier FROM transcripts t LEFT JOIN transcript_vectors v "
        "ON v.transcript = t.seq AND v.model = ?1 AND v.numbers <> x'' "
        "WHERE t.words > 0 AND t.agent_id <> '') WHERE compared < ifnull(earlier, 0) "
        "ORDER BY ended_at DESC, seq DESC",
        (model,),
    )
