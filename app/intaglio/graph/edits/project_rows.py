"""SQL that gives a project's entities to another project."""

import json
from collections.abc import Sequence

from intaglio.store.tx import ReadTx, WriteTx


def entities_of(tx: ReadTx, project: str) -> list[str]:
    """Return the ids of a project's entities."""
    return tx.column(str, "SELECT id FROM entities WHERE project = ?", (project,))


def same_keys(tx: ReadTx, project: str, target: str) -> list[tuple[int, int]]:
    """Return the entities of a project that another one has too: the row numbers of both."""
    return tx.rows(
        tuple[int, int],
        "SELECT e.seq, o.seq FROM entities e JOIN entities o "
        "ON o.canonical_name = e.canonical_name AND o.agent_id = e.agent_id "
        "AND ifnull(o.project, '') = ?2 AND o.entity_type = e.entity_type WHERE e.project = ?1",
        (project, target),
    )


def named_after(tx: ReadTx, project: str, canonical: str) -> list[tuple[int, str]]:
    """Return the entities that stand for a project itself, with the agents that have them."""
    return tx.rows(
        tuple[int, str],
        "SELECT seq, agent_id FROM entities WHERE project = ? AND canonical_name = ? "
        "AND entity_type = 'project' AND merged_into IS NULL",
        (project, canonical),
    )


def give(tx: WriteTx, ids: Sequence[str], project: str, target: str) -> list[str]:
    """Give those of these entities that are a project's to another one, and return their ids.

    Those that the other one has too stay.
    """
    listed = json.dumps(list(ids))
    free = (
        "project = ?2 AND id IN (SELECT value FROM json_each(?3)) AND NOT EXISTS ("
        "SELECT 1 FROM entities o WHERE o.canonical_name = entities.canonical_name "
        "AND o.agent_id = entities.agent_id AND ifnull(o.project, '') = ?1 "
        "AND o.entity_type = entities.entity_type)"
    )
    given = tx.column(str, f"SELECT id FROM entities WHERE {free}", (target, project, listed))  # noqa: S608 - a constant
    tx.execute(
        "UPDATE entities SET project = ? WHERE id IN (SELECT value FROM json_each(?))",
        (target, json.dumps(given)),
    )
    return given
