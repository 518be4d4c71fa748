"""The tables of maps: their layouts, the points of each, and why runs failed."""

from typing import Final

from intaglio.store.migrations import Migration

# A layout is known by its scope's key; one that is being written has this before it.
DRAFT: Final = "draft:"


def _moved(column: str, kind: str) -> str:
    """Take a memory out of the layouts of all projects or agents but the one that it moves to.

    A project's layouts also have memories under its other names, which tables don't tell. One that
    moves from the key to such a name is placed again.
    """
    stays = f"'{kind}:' || ifnull(new.{column}, '')"
    left = (
        f"(scope GLOB '{kind}:*' OR scope GLOB '{DRAFT}{kind}:*') "
        f"AND scope NOT IN ({stays}, '{DRAFT}' || {stays})"
    )
    return f"""
    CREATE TRIGGER projection_points_{kind}_left AFTER UPDATE OF {column} ON memories
    WHEN old.{column} IS NOT new.{column} BEGIN
      UPDATE projections SET revision = revision + 1 WHERE {left}
      AND EXISTS (SELECT 1 FROM projection_points WHERE projection = number AND memory = old.seq);
      DELETE FROM projection_points WHERE memory = old.seq
      AND projection IN (SELECT number FROM projections WHERE {left});
    END
    """  # noqa: S608 - constants only


MIGRATIONS: Final = (
    Migration(
        51,
        "maps of memories",
        (
            # `generation` grows with each full run and `revision` with each change of a point;
            # `model` is the embedding model's row, 0 if there was none. `points` were laid out by
            # the full run.
            """
            CREATE TABLE projections(
              number INTEGER PRIMARY KEY,
              scope TEXT NOT NULL,
              dimensions INTEGER NOT NULL,
              generation INTEGER NOT NULL,
              revision INTEGER NOT NULL,
              method TEXT NOT NULL,
              model INTEGER NOT NULL,
              points INTEGER NOT NULL,
              computed_at TEXT NOT NULL,
              asked_at TEXT NOT NULL,
              seconds REAL NOT NULL,
              UNIQUE(scope, dimensions)
            ) STRICT
            """,
            # A point stands for a vector; `vector` is 0 once the memory's text has changed. Points
            # of a layout that is no longer there are deleted a few at a time. `neighbours` are the
            # row numbers of the nearest memories, as little-endian 64-bit integers, nearest first.
            """
            CREATE TABLE projection_points(
              projection INTEGER NOT NULL,
              memory INTEGER NOT NULL,
              vector INTEGER NOT NULL,
              x REAL NOT NULL,
              y REAL NOT NULL,
              z REAL,
              placed INTEGER NOT NULL,
              neighbours BLOB,
              PRIMARY KEY(projection, memory)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX projection_points_memory ON projection_points(memory)",
            """
            CREATE INDEX projection_points_placed ON projection_points(projection)
            WHERE placed = 1
            """,
            # `times` counts failures since the last run that succeeded. `is_open` is 0 once a run
            # was asked for again.
            """
            CREATE TABLE projection_failures(
              scope TEXT PRIMARY KEY,
              reason TEXT NOT NULL,
              hint TEXT NOT NULL,
              at TEXT NOT NULL,
              times INTEGER NOT NULL,
              is_open INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
            _moved("project", "project"),
            _moved("agent_id", "agent"),
            """
            CREATE TRIGGER projection_points_rewritten AFTER UPDATE OF content ON memories
            WHEN old.content IS NOT new.content BEGIN
              UPDATE projection_points SET vector = 0 WHERE memory = old.seq;
            END
            """,
            """
            CREATE TRIGGER projection_points_hidden AFTER UPDATE OF is_deleted ON memories
            WHEN old.is_deleted IS NOT new.is_deleted BEGIN
              UPDATE projections SET revision = revision + 1
              WHERE number IN (SELECT projection FROM projection_points WHERE memory = old.seq);
            END
            """,
            """
            CREATE TRIGGER projection_points_deleted AFTER DELETE ON memories BEGIN
              UPDATE projections SET revision = revision + 1
              WHERE number IN (SELECT projection FROM projection_points WHERE memory = old.seq);
              DELETE FROM projection_points WHERE memory = old.seq;
            END
            """,
        ),
    ),
)
