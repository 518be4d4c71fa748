"""Triggers that take out of the index only what is in it.

Taking out a row that isn't there damages an FTS5 index. So it may lack rows, as while it is filled
again in short transactions, and memories can be changed meanwhile.
"""

from typing import Final

NAME: Final = "index guard"

_IS_INDEXED: Final = "EXISTS (SELECT 1 FROM memories_fts_docsize WHERE id = old.seq)"
_TAKE_OUT: Final = """
      INSERT INTO memories_fts(memories_fts, rowid, content, tags)
      SELECT 'delete', seq, content, tags FROM live_memories WHERE seq = old.seq;
"""

STATEMENTS: Final[tuple[str, ...]] = (
    "DROP TRIGGER memories_deleted",
    "DROP TRIGGER memories_changing",
    f"""
    CREATE TRIGGER memories_deleted BEFORE DELETE ON memories
    WHEN old.is_deleted = 0 AND {_IS_INDEXED} BEGIN {_TAKE_OUT} END
    """,
    f"""
    CREATE TRIGGER memories_changing BEFORE UPDATE OF content, tags, is_deleted ON memories
    WHEN (old.content IS NOT new.content OR old.tags IS NOT new.tags
      OR old.is_deleted IS NOT new.is_deleted) AND {_IS_INDEXED}
    BEGIN {_TAKE_OUT} END
    """,
)
