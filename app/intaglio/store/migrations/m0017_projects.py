"""What is known of each project's folder, and the user's changes of whole projects."""

from typing import Final

from intaglio.store.migrations.m0014_vectors_in_context import (
    delete_following,
    delete_of_statement,
)

NAME: Final = "projects"

# While a whole project moves, every conversation keeps its memories, so that vectors stay true.
_MOVED_ALONE: Final = (
    "old.project IS NOT new.project AND NOT EXISTS ("
    "SELECT 1 FROM project_changes c WHERE c.is_running = 1 "
    "AND old.project IN (c.project, c.target) AND new.project IN (c.project, c.target))"
)
_MOVED: Final = (
    f"old.agent_id IS NOT new.agent_id OR ({_MOVED_ALONE}) "
    "OR old.visibility IS NOT new.visibility OR old.session_id IS NOT new.session_id"
)
_REWRITTEN: Final = "old.content IS NOT new.content OR old.is_deleted IS NOT new.is_deleted"

STATEMENTS: Final[tuple[str, ...]] = (
    # What a folder was like when it was last read. `first_entry` is a hash of the first line of
    # git's log of HEAD, `folder_id` the numbers of the folder's device and inode.
    """
    CREATE TABLE projects(
      key TEXT PRIMARY KEY,
      display_name TEXT,
      archived_at TEXT,
      remote TEXT,
      first_entry TEXT,
      folder_id TEXT
    ) STRICT, WITHOUT ROWID
    """,
    # `detail` holds what undoing needs: ids and row numbers, no text of a memory. `is_running` is 1
    # while rows move.
    """
    CREATE TABLE project_changes(
      seq INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      kind TEXT NOT NULL,
      project TEXT NOT NULL,
      target TEXT,
      detail TEXT NOT NULL,
      is_detected INTEGER NOT NULL,
      is_running INTEGER NOT NULL DEFAULT 0,
      changed_by TEXT NOT NULL,
      created_at TEXT NOT NULL,
      undone_at TEXT
    ) STRICT
    """,
    "CREATE INDEX project_changes_running ON project_changes(seq) WHERE is_running = 1",
    "DROP TRIGGER memories_vector_changed",
    f"""
    CREATE TRIGGER memories_vector_changed
    AFTER UPDATE OF content, is_deleted, agent_id, project, visibility, session_id ON memories
    WHEN {_REWRITTEN} OR {_MOVED}
    BEGIN
      DELETE FROM embeddings WHERE memory = old.seq AND ({_REWRITTEN} OR pieces IS NOT NULL);
{delete_following("old")}{delete_following("new")}    END
    """,  # noqa: S608 - constants only
    "DROP TRIGGER statements_vector_changed",
    f"""
    CREATE TRIGGER statements_vector_changed
    AFTER UPDATE OF context, memory_id, agent_id, project ON statements
    WHEN old.context IS NOT new.context OR new.context <> '' AND (
      old.memory_id IS NOT new.memory_id OR old.agent_id IS NOT new.agent_id
      OR ({_MOVED_ALONE})
    ) BEGIN
{delete_of_statement("old")}{delete_of_statement("new")}    END
    """,
)
