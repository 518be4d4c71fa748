"""An index without long words: of a text above 32,768 bytes, pieces of 7,800 characters and more.

FTS5 cuts a word at 32,768 bytes, also within a character, and such a term can't be read as text.
"""

from typing import Final

NAME: Final = "long words"

# A piece ends at a blank of the next 200 characters, if there is one there.
_PIECE: Final = 7_800
_EDGE: Final = 200
_LONG_BYTES: Final = 32_768


def _edge(column: str, start: str) -> str:
    """Read where a piece that begins at ``start`` may end."""
    return f"replace(substr({column}, {start} + {_PIECE}, {_EDGE}), char(10), ' ')"


def _indexed(column: str) -> str:
    """Insert blanks into a long text, so that no word is longer than a piece."""
    length = f"{_PIECE} + length(rtrim(edge, replace(edge, ' ', '')))"
    return f"""iif(length(CAST({column} AS BLOB)) <= {_LONG_BYTES}, {column}, (
      WITH RECURSIVE pieces(start, edge) AS (
        SELECT 1, {_edge(column, "1")}
        UNION ALL
        SELECT start + {length}, {_edge(column, f"start + {length}")}
        FROM pieces WHERE edge <> ''
      )
      SELECT group_concat(substr({column}, start, {length}), ' ') FROM pieces
    ))"""  # noqa: S608 - constants only


_CREATE_INDEX: Final[tuple[str, ...]] = (
    """
    CREATE VIRTUAL TABLE memories_fts USING fts5(
      content, tags, content='live_memories', content_rowid='seq', tokenize='porter unicode61'
    )
    """,
    # Smaller pages and fewer segments make deleting faster.
    "INSERT INTO memories_fts(memories_fts, rank) VALUES ('pgsz', 1000)",
    "INSERT INTO memories_fts(memories_fts, rank) VALUES ('usermerge', 2)",
    "INSERT INTO memories_fts(memories_fts, rank) VALUES ('secure-delete', 1)",
    "INSERT INTO memories_fts(memories_fts) VALUES ('rebuild')",
)

STATEMENTS: Final[tuple[str, ...]] = (
    "DROP TRIGGER memories_inserted",
    "DROP TRIGGER memories_deleted",
    "DROP TRIGGER memories_updated",
    # An index of an unknown format can't even be dropped.
    "DELETE FROM memories_fts_config",
    "INSERT INTO memories_fts_config(k, v) VALUES ('version', 4)",
    "DROP TABLE memories_fts",
    "DROP VIEW live_memories",
    f"""
    CREATE VIEW live_memories AS
    SELECT seq, {_indexed("content")} AS content, {_indexed("tags")} AS tags
    FROM memories WHERE is_deleted = 0
    """,  # noqa: S608 - constants only
    *_CREATE_INDEX,
    # What is taken out of the index has to be what was put in: it is read before it changes.
    """
    CREATE TRIGGER memories_inserted AFTER INSERT ON memories WHEN new.is_deleted = 0 BEGIN
      INSERT INTO memories_fts(rowid, content, tags)
      SELECT seq, content, tags FROM live_memories WHERE seq = new.seq;
    END
    """,
    """
    CREATE TRIGGER memories_deleted BEFORE DELETE ON memories WHEN old.is_deleted = 0 BEGIN
      INSERT INTO memories_fts(memories_fts, rowid, content, tags)
      SELECT 'delete', seq, content, tags FROM live_memories WHERE seq = old.seq;
    END
    """,
    """
    CREATE TRIGGER memories_changing BEFORE UPDATE OF content, tags, is_deleted ON memories
    WHEN old.content IS NOT new.content OR old.tags IS NOT new.tags
      OR old.is_deleted IS NOT new.is_deleted
    BEGIN
      INSERT INTO memories_fts(memories_fts, rowid, content, tags)
      SELECT 'delete', seq, content, tags FROM live_memories WHERE seq = old.seq;
    END
    """,
    """
    CREATE TRIGGER memories_updated AFTER UPDATE OF content, tags, is_deleted ON memories
    WHEN old.content IS NOT new.content OR old.tags IS NOT new.tags
      OR old.is_deleted IS NOT new.is_deleted
    BEGIN
      INSERT INTO memories_fts(rowid, content, tags)
      SELECT seq, content, tags FROM live_memories WHERE seq = new.seq;
    END
    """,
)
