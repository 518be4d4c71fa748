"""Vectors: one per content and model, deleted when no live memory has the content."""

from typing import Final

NAME: Final = "embeddings"

# The content's key is the first 8 bytes of its SHA-256: with it, a page holds ten rows and the
# index takes 20 bytes per row (0007-vectors.md). Two contents with the same key would share a
# vector.
_KEY: Final = "substr(old.content_hash, 1, 8)"
_LAST_OF_KEY: Final = f"CAST({_KEY} || x'{'ff' * 24}' AS BLOB)"
_DELETE_UNUSED: Final = f"""
      DELETE FROM embeddings WHERE content_key = {_KEY} AND NOT EXISTS (
        SELECT 1 FROM memories
        WHERE is_deleted = 0 AND content_hash BETWEEN {_KEY} AND {_LAST_OF_KEY}
      );
"""  # noqa: S608 - constants only

STATEMENTS: Final[tuple[str, ...]] = (
    """
    CREATE TABLE embedding_models(
      id INTEGER PRIMARY KEY,
      provider TEXT NOT NULL,
      model TEXT NOT NULL,
      hash TEXT NOT NULL,
      dimensions INTEGER NOT NULL,
      scale REAL NOT NULL,
      created_at TEXT NOT NULL,
      UNIQUE(provider, model, hash, dimensions)
    ) STRICT
    """,
    """
    CREATE TABLE embeddings(
      id INTEGER PRIMARY KEY,
      content_key BLOB NOT NULL,
      model INTEGER NOT NULL REFERENCES embedding_models(id),
      vector BLOB NOT NULL
    ) STRICT
    """,
    "CREATE UNIQUE INDEX embeddings_content ON embeddings(content_key, model)",
    f"""
    CREATE TRIGGER memories_vector_changed AFTER UPDATE OF content_hash, is_deleted ON memories
    WHEN old.content_hash IS NOT new.content_hash OR old.is_deleted IS NOT new.is_deleted
    BEGIN
      UPDATE memories SET embedding_model = NULL
      WHERE seq = new.seq AND embedding_model IS NOT NULL;
{_DELETE_UNUSED}    END
    """,  # noqa: S608 - constants only
    f"""
    CREATE TRIGGER memories_vector_deleted AFTER DELETE ON memories WHEN old.is_deleted = 0 BEGIN
{_DELETE_UNUSED}    END
    """,
    """
    CREATE INDEX jobs_ready ON jobs(type, ifnull(not_before, created_at), id)
    WHERE status = 'pending'
    """,
    "CREATE INDEX jobs_leased ON jobs(leased_at) WHERE status = 'leased'",
)
