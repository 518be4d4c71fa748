"""SQL that gives a project's inbox items to another project."""

import json
from collections.abc import Sequence

from intaglio.store.tx import ReadTx, WriteTx


def count_open(tx: ReadTx, project: str) -> int:
    """Count a project's open items."""
    return tx.count(
        "SELECT count(*) FROM inbox_items WHERE status = 'open' AND project = ?", (project,)
    )


def items_of(tx: ReadTx, project: str) -> list[str]:
    """Return the ids of a project's items, open and done."""
    return tx.column(str, "SELECT id FROM inbox_items WHERE project = ?", (project,))


def give(tx: WriteTx, ids: Sequence[str], project: str, target: str) -> None:
    """Give those of these items that are a project's to another one."""
    tx.execute(
        "UPDATE inbox_items SET project = ? WHERE project = ? "
        "AND id IN (SELECT value FROM json_each(?))",
        (target, project, json.dumps(list(ids))),
    )
