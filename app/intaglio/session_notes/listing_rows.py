"""SQL that lists what is written of whole sessions: by models, at compactions, at their ends."""

import json
from collections.abc import Sequence
from typing import Final

from intaglio.domain.reader import Reader, UserReader
from intaglio.memory.values import FROM_COMPACTION
from intaglio.session_notes.values import ListedSummary
from intaglio.sessions.continuity import rows as checkpoints
from intaglio.store.tx import ReadTx, Sql

# Kind, id, text, project, start, last activity, session, harness, agent, when it was written. Of
# checkpoints, the text is composed when they are read.
_OF_MODELS: Final = (
    "SELECT 'session', 'session-' || n.transcript, n.summary, s.project, s.started_at, "
    "s.last_seen_at, s.id, s.harness, s.agent_id, n.made_at FROM session_summaries n "
    "JOIN sessions s ON s.id = n.session_id AND s.harness = n.harness WHERE n.summary <> ''"
)
_OF_COMPACTIONS: Final = (
    "SELECT 'compaction', m.id, m.content, m.project, ifnull(s.started_at, m.created_at), "
    "m.created_at, ifnull(m.session_id, ''), ifnull(s.harness, ''), m.agent_id, m.created_at "
    "FROM memories m LEFT JOIN sessions s ON s.number = "
    "(SELECT max(number) FROM sessions WHERE id = m.session_id) "
    "WHERE m.why = ?1 "
    "AND m.is_deleted = 0 AND m.valid_until IS NULL"
)
_OF_ENDS: Final = (
    "SELECT 'checkpoint', c.id, '', s.project, s.started_at, s.last_seen_at, s.id, s.harness, "
    "s.agent_id, c.created_at FROM sessions s JOIN checkpoints c ON c.seq = "
    "(SELECT max(seq) FROM checkpoints WHERE session = s.number AND cause = 'session_end')"
)
_FOUND: Final = (
    "WITH found(kind, id, text, project, started_at, active_at, session, harness, agent, at) AS "
    f"({_OF_MODELS} UNION ALL {_OF_COMPACTIONS} UNION ALL {_OF_ENDS}) "
)
_WANTED: Final = (
    "FROM found WHERE (?2 IS NULL OR agent = ?2) "
    "AND (?3 IS NULL OR project IN (SELECT value FROM json_each(?3)))"
)


def listed(
    tx: ReadTx, projects: Sequence[str] | None, reader: Reader, limit: int, offset: int
) -> tuple[list[ListedSummary], int]:
    """Return a part of the summaries, the latest active session first, and how many there are.

    Of all projects without ``projects``. The user reads those of all agents, an agent its own.
    """
    wanted: tuple[Sql, ...] = (
        FROM_COMPACTION,
        None if isinstance(reader, UserReader) else reader.agent_id,
        None if projects is None else json.dumps(list(projects), ensure_ascii=False),
    )
    total = tx.count(f"{_FOUND} SELECT count(*) {_WANTED}", wanted)
    found = tx.map(
        ListedSummary,
        f"{_FOUND} SELECT * {_WANTED} ORDER BY active_at DESC, at DESC, id LIMIT ?4 OFFSET ?5",
        (*wanted, limit, offset),
    )
    digests = checkpoints.digests(tx, [each.id for each in found if each.kind == "checkpoint"])
    return [each.having(digests.get(each.id)) for each in found], total
