"""SQL on learnings about a file, and on how many a session was told with its edits."""

from typing import Final, Literal, TypeAlias

from intaglio.graph.query_rows import numbered
from intaglio.memory.filters import Filter, where
from intaglio.sessions.values import SessionRef
from intaglio.store.tx import ReadTx

Match: TypeAlias = Literal["place", "commit", "name"]
"""Why a learning is about a file: it has a place there, it is of a commit that changed it, or its
text may name it."""

_MOST: Final = 20
# What a larger commit took back says little about each of its files.
_FEW_FILES: Final = 12


def learnings_about(
    tx: ReadTx, filters: Filter, path: str, name: str
) -> list[tuple[int, Match, str]]:
    """Return the learnings that may be about a file: row number, why, and text; newest first.

    ``path`` has slashes and may be absolute; ``name`` is its last part. A stored path is that of
    the file if ``path`` ends with it.
    """
    condition, params = where(filters)
    ends = "(?1 = {0} OR substr(?1, -length({0}) - 1) = '/' || {0})"
    placed = ends.format("iif(p.now_path = '', p.path, p.now_path)")
    return tx.rows(
        tuple[int, Match, str],
        "SELECT m.seq, CASE "  # noqa: S608 - built by where() and of constants
        "WHEN EXISTS (SELECT 1 FROM memory_places p WHERE p.memory_id = m.id "
        f"AND p.state NOT IN ('gone', 'symbol_gone') AND {placed}) THEN 'place' "
        "WHEN EXISTS (SELECT 1 FROM commits c "
        "JOIN commit_files f ON f.commit_seq = c.seq JOIN commit_paths t ON t.seq = f.path_seq "
        f"WHERE c.project = m.project AND c.hash = m.source_id AND {ends.format('t.path')} "
        "AND (SELECT count(*) FROM commit_files n WHERE n.commit_seq = c.seq) <= ?3) THEN 'commit' "
        "WHEN instr(m.content, ?2) > 0 THEN 'name' END AS kind, m.content "
        f"FROM memories m WHERE {numbered(condition, 5)} AND kind IS NOT NULL "
        "ORDER BY m.created_at DESC LIMIT ?4",
        (path, name, _FEW_FILES, _MOST, *params),
    )


def told_since(tx: ReadTx, session: SessionRef, since: str) -> int:
    """Count the edits with which the session was told something at or after a time."""
    return tx.count(
        "SELECT count(*) FROM injections WHERE harness = ? AND session_id = ? AND event = 'edit' "
        "AND created_at >= ?",
        (*session.key, since),
    )
