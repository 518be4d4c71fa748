"""The schema's numbered migrations: forward only, each in one transaction, with a checksum.

A package declares the migrations of its own tables; the numbers are shared by all. Those of this
folder are from before that, and many of them concern several packages.
"""

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from intaglio.base.clock import Clock, iso
from intaglio.store.migrations import (
    m0001_initial,
    m0002_embeddings,
    m0003_pauses,
    m0004_agents,
    m0005_retention,
    m0006_queue,
    m0007_feedback,
    m0008_index_pages,
    m0009_inbox,
    m0010_statements,
    m0011_session_pages,
    m0012_list_orders,
    m0013_agent_claims,
    m0014_vectors_in_context,
    m0015_smaller_rows,
    m0016_graph,
    m0017_projects,
    m0018_long_words,
    m0019_agent_changes,
    m0020_transcript_positions,
)
from intaglio.store.tx import WriteTx


@dataclass(frozen=True, slots=True)
class Migration:
    """A migration: its number, name and statements."""

    number: int
    name: str
    statements: tuple[str, ...]

    @property
    def checksum(self) -> str:
        """SHA-256 over the statements with collapsed whitespace, as hex."""
        return _checksum(self.statements)


@cache
def _checksum(statements: tuple[str, ...]) -> str:
    text = "\n".join(" ".join(statement.split()) for statement in statements)
    return hashlib.sha256(text.encode()).hexdigest()


class MigrationError(Exception):
    """The database's recorded migrations don't fit this program."""


EARLIER: Final = (
    Migration(1, m0001_initial.NAME, m0001_initial.STATEMENTS),
    Migration(2, m0002_embeddings.NAME, m0002_embeddings.STATEMENTS),
    Migration(3, m0003_pauses.NAME, m0003_pauses.STATEMENTS),
    Migration(4, m0004_agents.NAME, m0004_agents.STATEMENTS),
    Migration(5, m0005_retention.NAME, m0005_retention.STATEMENTS),
    Migration(6, m0006_queue.NAME, m0006_queue.STATEMENTS),
    Migration(7, m0007_feedback.NAME, m0007_feedback.STATEMENTS),
    Migration(8, m0008_index_pages.NAME, m0008_index_pages.STATEMENTS),
    Migration(9, m0009_inbox.NAME, m0009_inbox.STATEMENTS),
    Migration(10, m0010_statements.NAME, m0010_statements.STATEMENTS),
    Migration(11, m0011_session_pages.NAME, m0011_session_pages.STATEMENTS),
    Migration(12, m0012_list_orders.NAME, m0012_list_orders.STATEMENTS),
    Migration(13, m0013_agent_claims.NAME, m0013_agent_claims.STATEMENTS),
    Migration(14, m0014_vectors_in_context.NAME, m0014_vectors_in_context.STATEMENTS),
    Migration(15, m0015_smaller_rows.NAME, m0015_smaller_rows.STATEMENTS),
    Migration(16, m0016_graph.NAME, m0016_graph.STATEMENTS),
    Migration(17, m0017_projects.NAME, m0017_projects.STATEMENTS),
    Migration(18, m0018_long_words.NAME, m0018_long_words.STATEMENTS),
    Migration(19, m0019_agent_changes.NAME, m0019_agent_changes.STATEMENTS),
    Migration(20, m0020_transcript_positions.NAME, m0020_transcript_positions.STATEMENTS),
)

_RECORD = """
CREATE TABLE IF NOT EXISTS schema_migrations(
  number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL,
  applied_at TEXT NOT NULL, duration_ms REAL NOT NULL
) STRICT
"""


def applied(tx: WriteTx) -> dict[int, str]:
    """Return the checksum of each applied migration by number."""
    tx.execute(_RECORD)
    done = "SELECT number, checksum FROM schema_migrations ORDER BY number"
    return dict(tx.rows(tuple[int, str], done))


def pending(tx: WriteTx, steps: Sequence[Migration]) -> list[Migration]:
    """Return the migrations that aren't applied yet.

    Raises MigrationError if an applied migration differs from the program's, or is unknown to it.
    """
    done = applied(tx)
    known = {step.number: step for step in steps}
    for number, checksum in done.items():
        step = known.get(number)
        if step is None:
            raise MigrationError(f"it was written by a newer version (migration {number})")
        if step.checksum != checksum:
            raise MigrationError(
                f"migration {number} ({step.name}) differs from the one that was applied"
            )
    return [step for step in steps if step.number not in done]


def apply(tx: WriteTx, step: Migration, clock: Clock) -> None:
    """Apply and record one migration inside the caller's transaction."""
    started = time.perf_counter()
    for statement in step.statements:
        tx.execute(statement)
    millis = (time.perf_counter() - started) * 1000
    tx.execute(
        "INSERT INTO schema_migrations(number, name, checksum, applied_at, duration_ms) "
        "VALUES (?, ?, ?, ?, ?)",
        (step.number, step.name, step.checksum, iso(clock()), millis),
    )
