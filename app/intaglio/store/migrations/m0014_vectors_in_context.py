"""Vectors by memory, made with the memories right before; deleted when any of these changes."""

from typing import Final

NAME: Final = "vectors in context"


def delete_following(row: str) -> str:
    """Delete the vectors that a live memory is the context of, or would be from now on.

    A conversation is the live memories of one session, agent, project and visibility, in the order
    of their numbers. A vector is made with at most two memories before its own, each at most 1,000
    numbers before the next. Vectors without pieces are made without context.
    """
    return f"""
      DELETE FROM embeddings WHERE pieces IS NOT NULL AND {row}.is_deleted = 0 AND memory IN (
        SELECT seq FROM memories
        WHERE session_id = {row}.session_id AND seq > {row}.seq AND seq <= {row}.seq + 2000
        AND agent_id = {row}.agent_id AND project IS {row}.project
        AND visibility = {row}.visibility AND is_deleted = 0 ORDER BY seq LIMIT 2
      );
"""  # noqa: S608 - constants only


def delete_of_statement(row: str) -> str:
    """Delete the vector of a statement's memory, unless it is made with another context."""
    return f"""
      DELETE FROM embeddings WHERE pieces IS NOT NULL AND previous IS NULL
      AND memory = (SELECT seq FROM memories WHERE id = {row}.memory_id);
"""  # noqa: S608 - constants only


_MOVED: Final = (
    "old.agent_id IS NOT new.agent_id OR old.project IS NOT new.project "
    "OR old.visibility IS NOT new.visibility OR old.session_id IS NOT new.session_id"
)
_REWRITTEN: Final = "old.content IS NOT new.content OR old.is_deleted IS NOT new.is_deleted"

STATEMENTS: Final[tuple[str, ...]] = (
    "DROP TRIGGER memories_vector_changed",
    "DROP TRIGGER memories_vector_deleted",
    "ALTER TABLE embeddings RENAME TO embeddings_by_content",
    # Only vectors of a model with token states have `pieces`, `length` and context: `previous` is
    # the memory before, `statement` is the statement whose context was used instead of memories.
    """
    CREATE TABLE embeddings(
      id INTEGER PRIMARY KEY,
      memory INTEGER NOT NULL,
      model INTEGER NOT NULL REFERENCES embedding_models(id),
      vector BLOB NOT NULL,
      pieces BLOB,
      length INTEGER,
      previous INTEGER,
      statement INTEGER
    ) STRICT
    """,
    """
    INSERT INTO embeddings(memory, model, vector)
    SELECT m.seq, e.model, e.vector FROM memories m
    JOIN embeddings_by_content e ON e.content_key = substr(m.content_hash, 1, 8)
    WHERE m.is_deleted = 0 ORDER BY m.seq
    """,
    "DROP TABLE embeddings_by_content",
    "CREATE UNIQUE INDEX embeddings_memory ON embeddings(memory, model)",
    "CREATE INDEX embeddings_previous ON embeddings(previous) WHERE previous IS NOT NULL",
    # What the user and the agent said around a statement, redacted.
    "ALTER TABLE statements ADD COLUMN context TEXT NOT NULL DEFAULT ''",
    """
    CREATE TRIGGER embeddings_deleted AFTER DELETE ON embeddings BEGIN
      UPDATE memories SET embedding_model = NULL
      WHERE seq = old.memory AND embedding_model = CAST(old.model AS TEXT);
    END
    """,
    f"""
    CREATE TRIGGER memories_vector_changed
    AFTER UPDATE OF content, is_deleted, agent_id, project, visibility, session_id ON memories
    WHEN {_REWRITTEN} OR {_MOVED}
    BEGIN
      DELETE FROM embeddings WHERE memory = old.seq AND ({_REWRITTEN} OR pieces IS NOT NULL);
{delete_following("old")}{delete_following("new")}    END
    """,  # noqa: S608 - constants only
    f"""
    CREATE TRIGGER memories_vector_deleted AFTER DELETE ON memories BEGIN
      DELETE FROM embeddings WHERE memory = old.seq;
{delete_following("old")}    END
    """,  # noqa: S608 - constants only
    f"""
    CREATE TRIGGER statements_vector_changed
    AFTER UPDATE OF context, memory_id, agent_id, project ON statements
    WHEN old.context IS NOT new.context OR new.context <> '' AND (
      old.memory_id IS NOT new.memory_id OR old.agent_id IS NOT new.agent_id
      OR old.project IS NOT new.project
    ) BEGIN
{delete_of_statement("old")}{delete_of_statement("new")}    END
    """,
    f"""
    CREATE TRIGGER statements_vector_deleted AFTER DELETE ON statements
    WHEN old.memory_id IS NOT NULL AND old.context <> '' BEGIN
{delete_of_statement("old")}    END
    """,
)
