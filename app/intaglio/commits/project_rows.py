"""SQL that gives another project what the user chose for a project's commits.

The commits themselves are read again from its folder.
"""

from intaglio.store.tx import WriteTx


def give_choices(tx: WriteTx, project: str, target: str) -> None:
    """Keep what was forgotten forgotten, and reading switched as it is unless the other's is.

    Undoing needs nothing: the project keeps its own.
    """
    tx.execute(
        "INSERT OR IGNORE INTO forgotten_commits(project, hash, forgotten_at) "
        "SELECT ?, hash, forgotten_at FROM forgotten_commits WHERE project = ?",
        (target, project),
    )
    tx.execute(
        "INSERT INTO commit_reading(project, enabled) "
        "SELECT ?, enabled FROM commit_reading WHERE project = ? AND enabled IS NOT NULL "
        "ON CONFLICT DO UPDATE SET enabled = ifnull(enabled, excluded.enabled)",
        (target, project),
    )
