"""SQL that finds what came from a source; it writes nothing."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from intaglio.base.agent_id import DEFAULT_AGENT
from intaglio.domain.reader import Reader
from intaglio.memory.filters import reader_condition
from intaglio.memory.values import AGENT_SOURCE, COMMIT_SOURCE, FILE_SOURCE, USER_AUTHOR
from intaglio.store.tx import ReadTx, Sql

NamedKind: TypeAlias = Literal["file", "agent", "tool"]
"""The sources that memories name themselves."""

_LIVE: Final = "is_deleted = 0"
_IDS: Final = "(SELECT value FROM json_each(?))"
_HAS_STATEMENT: Final = (
    "EXISTS (SELECT 1 FROM statements t WHERE t.memory_id = m.id AND t.state = 'live' "
    "AND t.outcome <> 'withdrawal')"
)
_FROM_FILE: Final = f"source_type = '{FILE_SOURCE}'"
_FROM_AGENT: Final = f"source_type = '{AGENT_SOURCE}'"
# A claim that the user has kept is the user's.
_BY_AGENT: Final = f"{_FROM_AGENT} AND who <> '{USER_AUTHOR}'"
_IS_OWN_AGENT: Final = f"agent_id = ?1 AND ?1 <> '{DEFAULT_AGENT}'"
# What was said in sessions has their harness as its source; old sessions are gone, their statements
# stay.
_OF_TOOLS: Final = (
    f"source_type NOT IN ('{AGENT_SOURCE}', '{FILE_SOURCE}', '{COMMIT_SOURCE}', 'pipeline') "  # noqa: S608 - constants
    "AND source_type NOT IN (SELECT DISTINCT harness FROM sessions) AND NOT EXISTS "
    "(SELECT 1 FROM statements t WHERE t.harness = m.source_type AND t.{} = m.id)"
)
_BY_TOOL: Final = _OF_TOOLS.format("memory_id")
_TOOL: Final = "iif(source_type = 'manual', who, source_type)"
# A memory that a suggestion became has no path, and its source's id begins with it.
_BEGINS: Final = "source_id >= ?1 || '#' AND source_id < ?1 || '$'"
_CONDITIONS: Final[dict[NamedKind, str]] = {
    "file": f"{_FROM_FILE} AND (source_path = ?1 OR {_BEGINS})",
    "agent": f"{_BY_AGENT} AND (who = ?1 OR ({_IS_OWN_AGENT}))",
    "tool": f"{_BY_TOOL} AND {_TOOL} = ?1",
}
_OF_OTHERS: Final = (
    "SELECT 1 FROM inbox_evidence e WHERE e.item = m.seq "  # noqa: S608 - constants
    f"AND (e.message_id IS NOT NULL OR NOT (e.harness = ?1 OR ({_IS_OWN_AGENT})))"
)
_SUGGESTED: Final[dict[NamedKind, str]] = {
    "file": f"{_FROM_FILE} AND (source_id = ?1 OR {_BEGINS})",
    "agent": f"{_FROM_AGENT} AND NOT EXISTS ({_OF_OTHERS})",
    "tool": f"{_OF_TOOLS.format('inbox_id')} AND source_type = ?1",
}
_OTHER_AGENT: Final = f"{_BY_AGENT} AND agent_id <> '{DEFAULT_AGENT}'"
_GROUPS: Final[dict[NamedKind, tuple[tuple[str, str], ...]]] = {
    "file": (("source_path", f"{_FROM_FILE} AND source_path IS NOT NULL"),),
    "agent": (("who", _BY_AGENT), ("agent_id", _OTHER_AGENT)),
    "tool": ((_TOOL, _BY_TOOL),),
}


@dataclass(frozen=True, slots=True)
class LiveMemory:
    """What tells whether a memory comes from a source alone; ``said`` if it has statements."""

    seq: int
    id: str
    session_id: str | None
    pinned: bool
    why: str | None
    said: bool


def _live(tx: ReadTx, condition: str, params: Collection[Sql]) -> list[LiveMemory]:
    return tx.map(
        LiveMemory,
        f"SELECT seq, id, session_id, pinned, why, {_HAS_STATEMENT} FROM memories m "  # noqa: S608 - conditions of this module
        f"WHERE {_LIVE} AND {condition} ORDER BY created_at DESC, seq DESC",
        (*params,),
    )


def with_ids(tx: ReadTx, ids: Collection[str], reader: Reader) -> list[LiveMemory]:
    """Return the live memories with these ids that a reader may read, newest first."""
    readable, params = reader_condition(reader)
    return _live(tx, f"id IN {_IDS} AND {readable}", (json.dumps([*ids]), *params))


def of_sessions(tx: ReadTx, session_ids: Collection[str], reader: Reader) -> list[LiveMemory]:
    """Return the live memories saved in sessions; what commits said isn't theirs."""
    readable, params = reader_condition(reader)
    condition = f"session_id IN {_IDS} AND source_type <> '{COMMIT_SOURCE}' AND {readable}"
    return _live(tx, condition, (json.dumps([*session_ids]), *params))


def of_source(tx: ReadTx, kind: NamedKind, name: str) -> list[LiveMemory]:
    """Return the live memories that name a source, newest first."""
    return _live(tx, _CONDITIONS[kind], (tx.as_stored(name),))


def suggestions_of_source(tx: ReadTx, kind: NamedKind, name: str) -> list[str]:
    """Return the ids of the open suggestions that only this source made, oldest first."""
    return tx.column(
        str,
        "SELECT id FROM inbox_items m WHERE status = 'open' AND kind = 'suggestion' "  # noqa: S608 - conditions of this module
        f"AND {_SUGGESTED[kind]} ORDER BY seq",
        (tx.as_stored(name),),
    )


def imported_at(tx: ReadTx, import_id: str) -> str | None:
    """Return when an import read the first of its sessions that are still there."""
    return tx.scalar(str, "SELECT min(imported_at) FROM sessions WHERE import_id = ?", (import_id,))


def imports(tx: ReadTx) -> list[tuple[str, int, int, str | None]]:
    """Return the imports: how many sessions each brought in, their live memories, and when."""
    return tx.rows(
        tuple[str, int, int, str | None],
        "SELECT s.import_id, count(DISTINCT s.number), count(DISTINCT m.id), min(s.imported_at) "
        "FROM sessions s "
        "LEFT JOIN statements t ON t.session_id = s.id AND t.harness = s.harness "
        "AND t.outcome <> 'withdrawal' AND t.memory_id IS NOT NULL "
        "LEFT JOIN memories m ON m.id = t.memory_id AND m.is_deleted = 0 "
        "WHERE s.import_id IS NOT NULL GROUP BY 1",
    )


def counts(tx: ReadTx, kind: NamedKind) -> dict[str, int]:
    """Return how many live memories name each source of a kind."""
    found: dict[str, int] = {}
    for name, condition in _GROUPS[kind]:
        rows = tx.rows(
            tuple[str, int],
            f"SELECT {name}, count(*) FROM memories m WHERE {_LIVE} AND {condition} GROUP BY 1",  # noqa: S608 - conditions of this module
        )
        found |= dict(rows)
    return found
