"""The tables of the pipeline."""

from typing import Final

from intaglio.pipeline.extraction.job_type import EXTRACT
from intaglio.store.migrations import Migration

_IS_JOB: Final = "{0}.type = '" + EXTRACT.name + "'"
_OF_JOB: Final = "WHERE memory = (SELECT seq FROM memories WHERE id = {0}.subject)"
_NEW, _OLD = _IS_JOB.format("new"), _IS_JOB.format("old")


def _trigger(name: str, event: str, body: str) -> str:
    return f"CREATE TRIGGER {name} AFTER {event} BEGIN {body}; END"


MIGRATIONS: Final = (
    Migration(
        43,
        "facts read in memories",
        (
            # How far a memory is read: 'pending', 'completed' or 'failed'; without a row, nobody
            # wanted it read. Memories themselves don't change by being read.
            """
            CREATE TABLE extractions(
              memory INTEGER PRIMARY KEY,
              status TEXT NOT NULL,
              finished_at TEXT,
              version INTEGER,
              model TEXT,
              is_skipped INTEGER NOT NULL DEFAULT 0
            ) STRICT
            """,
            "CREATE INDEX extractions_finished ON extractions(finished_at)",
            # A source stays named after it is purged: what was read in it is still there.
            """
            CREATE TABLE derived_facts(
              memory INTEGER NOT NULL,
              source_id TEXT NOT NULL,
              quote TEXT NOT NULL,
              version INTEGER NOT NULL,
              model TEXT NOT NULL,
              gone_with INTEGER NOT NULL DEFAULT 0,
              created_at TEXT NOT NULL,
              PRIMARY KEY(memory, source_id)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX derived_facts_source ON derived_facts(source_id)",
            _trigger(
                "memories_reading_deleted",
                "DELETE ON memories",
                "DELETE FROM extractions WHERE memory = old.seq; "
                "DELETE FROM derived_facts WHERE memory = old.seq",
            ),
            # The queue tells how far a memory is, whoever retries, discards or drops its job.
            _trigger(
                "jobs_reading_queued",
                f"INSERT ON jobs WHEN {_NEW} AND new.status = 'pending'",
                "INSERT INTO extractions(memory, status) "
                "SELECT seq, 'pending' FROM memories WHERE id = new.subject "
                "ON CONFLICT(memory) DO UPDATE SET status = 'pending'",
            ),
            _trigger(
                "jobs_reading_failed",
                f"UPDATE OF status ON jobs WHEN {_NEW} AND new.status = 'dead'",
                "UPDATE extractions SET status = 'failed' " + _OF_JOB.format("new"),  # noqa: S608 - constants
            ),
            _trigger(
                "jobs_reading_retried",
                f"UPDATE OF status ON jobs WHEN {_NEW} AND old.status = 'dead' "
                "AND new.status = 'pending'",
                "UPDATE extractions SET status = 'pending' " + _OF_JOB.format("new"),  # noqa: S608 - constants
            ),
            _trigger(
                "jobs_reading_dropped",
                f"DELETE ON jobs WHEN {_OLD} AND old.status IN ('pending', 'leased')",
                "UPDATE extractions SET status = iif(finished_at IS NULL, 'none', 'completed') "  # noqa: S608 - constants
                + _OF_JOB.format("old")
                + " AND status = 'pending'",
            ),
            # The page of the pipeline lists them, newest first.
            "CREATE INDEX memory_history_proposals ON memory_history(seq) WHERE event = 'none'",
        ),
    ),
)
