"""SQL on what recent sessions of a project were about; reads the ledger only."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from intaglio.store.tx import ReadTx


@dataclass(frozen=True, slots=True)
class RecentSession:
    """A session in which the user asked something."""

    harness: str
    id: str
    agent_id: str
    last_seen_at: str


@dataclass(frozen=True, slots=True)
class SearchedWords:
    """The words of a prompt, or of an agent's question, that were searched for; a JSON array."""

    injection: int
    words: str
    at: str


def sessions(tx: ReadTx, project: str | None, limit: int) -> list[RecentSession]:
    """Return a project's latest sessions with prompts, latest first."""
    return tx.map(
        RecentSession,
        "SELECT harness, id, agent_id, last_seen_at FROM sessions "
        "WHERE project IS ? AND prompts > 0 ORDER BY last_seen_at DESC, number DESC LIMIT ?",
        (project, limit),
    )


def searched(tx: ReadTx, session: RecentSession, limit: int) -> list[SearchedWords]:
    """Return what was searched for in a session, latest first."""
    return tx.map(
        SearchedWords,
        "SELECT seq, terms, created_at FROM injections WHERE session_id = ? AND harness = ? "
        "AND terms IS NOT NULL ORDER BY seq DESC LIMIT ?",
        (session.id, session.harness, limit),
    )


def recalled(tx: ReadTx, injections: Sequence[int]) -> list[str]:
    """Return the ids of the memories that these calls of the ledger sent."""
    return tx.column(
        str,
        "SELECT DISTINCT memory_id FROM session_memories WHERE injected = 1 "
        "AND injection IN (SELECT value FROM json_each(?)) ORDER BY memory_id",
        (json.dumps(list(injections)),),
    )
