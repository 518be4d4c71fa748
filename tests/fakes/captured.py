"""Memories that an earlier version captured, and what the review made of them, as rows."""

from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import Final

from fakes.dashboard import Dashboard
from intaglio.base.settings.values import Settings
from intaglio.capture.judge_version import judge_version
from intaglio.capture.settings import CaptureSettings
from intaglio.review.values import DoubtReason
from intaglio.store.connection import open_writer
from intaglio.store.tx import WriteTx

_AT: Final = "2026-01-01T08:00:00.000Z"
_MEMORY: Final = (
    "INSERT INTO memories(id, content, content_hash, type, importance, confidence, pinned, who, "
    "agent_id, visibility, project, source_type, source_id, created_at, updated_at, updated_by) "
    "VALUES (?1, ?2, CAST(?1 || '_padded' AS BLOB), 'rule', 0.8, 0.9, 0, 'user', 'default', "
    "'global', ?4, 'claude-code', ?3 || '@0', ?5, ?5, 'claude-code')"
)
_STATEMENT: Final = (
    "INSERT INTO statements(harness, session_id, message_id, start_char, end_char, said_at, "
    "recorded_at, agent_id, project, sentence, content, type, everywhere, confidence, outcome, "
    "state, memory_id, settled, context) VALUES ('claude-code', 's1', ?1, 0, 20, NULL, ?4, "
    "'default', ?5, ?2, ?2, 'rule', 0, 0.9, 'kept', 'live', ?3, 1, 'Shall I go on?')"
)


def add_captured(tx: WriteTx, texts: Iterable[str], project: str | None = None) -> list[str]:
    """Write memories that capture saved without asking, with their statements; return the ids."""
    ids: list[str] = []
    for number, text in enumerate(texts):
        id_, message = f"0199-0000-0000-0000-{number:08d}", f"m{number}"
        tx.execute(_MEMORY, (id_, text, message, project, _AT))
        tx.execute(_STATEMENT, (message, text, id_, _AT, project))
        ids.append(id_)
    return ids


def present_judge() -> str:
    """Return the version of the judge of a daemon with the usual settings."""
    return f"{judge_version()}-{Settings().of(CaptureSettings).keep_at:g}"


def add_reviewed(
    dashboard: Dashboard, doubts: Sequence[tuple[str, float, DoubtReason | None]], project: str
) -> None:
    """Write memories with what a finished review found out about them."""
    dashboard.stop()
    with closing(open_writer(dashboard.daemon.paths.database)) as connection:
        tx = WriteTx(connection)
        ids = add_captured(tx, [text for text, _, _ in doubts], project)
        judge = present_judge()
        tx.execute(
            "INSERT INTO capture_judges(judge, since, finished_at) VALUES (?, ?, ?)",
            (judge, _AT, _AT),
        )
        for id_, (_, confidence, reason) in zip(ids, doubts, strict=True):
            tx.execute(
                "INSERT INTO capture_reviews(memory_id, judge, confidence, reason, judged_at) "
                "VALUES (?, ?, ?, ?, ?)",
                (id_, judge, confidence, reason, _AT),
            )
    dashboard.start_again()
