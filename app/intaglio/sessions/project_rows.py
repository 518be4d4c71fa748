"""SQL that gives a project's sessions and statements to another project.

The ledger of what sessions were told stays as it was written.
"""

import json
from collections.abc import Sequence

from intaglio.store.tx import ReadTx, WriteTx


def count(tx: ReadTx, project: str) -> int:
    """Count a project's sessions."""
    return tx.count("SELECT count(*) FROM sessions WHERE project = ?", (project,))


def sessions_of(tx: ReadTx, project: str) -> list[int]:
    """Return the numbers of a project's sessions."""
    return tx.column(int, "SELECT number FROM sessions WHERE project = ?", (project,))


def statements_of(tx: ReadTx, project: str) -> list[int]:
    """Return the row numbers of a project's statements."""
    return tx.column(int, "SELECT seq FROM statements WHERE project = ?", (project,))


def considered_of(tx: ReadTx, project: str) -> list[int]:
    """Return the row numbers of a project's considered statements."""
    return tx.column(int, "SELECT seq FROM considered_statements WHERE project = ?", (project,))


def give_sessions(
    tx: WriteTx, numbers: Sequence[int], project: str, target: str, before: str
) -> int:
    """Give those of these sessions that are a project's to another one; returns how many.

    Only those that began before a time: a number may have been given again.
    """
    return tx.execute(
        "UPDATE sessions SET project = ? WHERE project = ? AND started_at <= ? "
        "AND number IN (SELECT value FROM json_each(?))",
        (target, project, before, json.dumps(list(numbers))),
    )


def give_statements(
    tx: WriteTx, seqs: Sequence[int], project: str, target: str, before: str
) -> None:
    """Give those of these statements that are a project's, and from before a time, to another."""
    tx.execute(
        "UPDATE statements SET project = ? WHERE project = ? AND recorded_at <= ? "
        "AND seq IN (SELECT value FROM json_each(?))",
        (target, project, before, json.dumps(list(seqs))),
    )


def give_considered(
    tx: WriteTx, seqs: Sequence[int], project: str, target: str, before: str
) -> None:
    """Do the same with considered statements."""
    tx.execute(
        "UPDATE considered_statements SET project = ? WHERE project = ? AND recorded_at <= ? "
        "AND seq IN (SELECT value FROM json_each(?))",
        (target, project, before, json.dumps(list(seqs))),
    )
