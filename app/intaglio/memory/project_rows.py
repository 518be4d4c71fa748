"""SQL that counts the live memories of projects."""

from typing import Final

from intaglio.base.agents.reader import Reader
from intaglio.memory.filters import Filter, where
from intaglio.store.tx import ReadTx

_BY_PROJECT: Final = "SELECT m.project, count(*), max(m.created_at)"


def by_project(tx: ReadTx, reader: Reader) -> list[tuple[str | None, int, str]]:
    """Count what a reader may read in each project, with when the newest was created.

    The user reads everything, so that an index alone answers, however many memories there are.
    """
    condition, params = where(Filter(reader=reader))
    return tx.rows(
        tuple[str | None, int, str],
        f"{_BY_PROJECT} FROM memories m INDEXED BY memories_project WHERE {condition} "
        "GROUP BY m.project",
        params,
    )


def by_type(tx: ReadTx, filters: Filter) -> list[tuple[str, int]]:
    """Count the matching memories of each type, the most frequent first."""
    condition, params = where(filters)
    return tx.rows(
        tuple[str, int],
        f"SELECT m.type, count(*) AS total FROM memories m WHERE {condition} "  # noqa: S608 - see where()
        "GROUP BY m.type ORDER BY total DESC, m.type",
        params,
    )
