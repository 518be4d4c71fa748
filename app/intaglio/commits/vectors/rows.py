"""SQL on the vectors of commits; no other module writes this table."""

from array import array
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from intaglio.store.tx import ReadTx, WriteTx


@dataclass(frozen=True, slots=True)
class CommitVector:
    """A commit's vector: signed bytes, ascending distinct word pieces as little-endian uint16."""

    seq: int
    vector: bytes
    pieces: bytes


def of_rows(tx: ReadTx, model: str, first: int, last: int) -> list[tuple[int, bytes]]:
    """Return the vectors by a model of the commits from one row to another; 2 µs each."""
    return tx.rows(
        tuple[int, bytes],
        "SELECT seq, vector FROM commit_vectors WHERE seq BETWEEN ? AND ? AND model = ?",
        (first, last, model),
    )


def of_commits(tx: ReadTx, model: str, commits: Collection[int]) -> list[CommitVector]:
    """Return the vectors of commits by a model."""
    return tx.map(
        CommitVector,
        "SELECT seq, vector, pieces FROM commit_vectors "
        "WHERE model = ? AND seq IN (SELECT value FROM carray(?))",
        (model, tx.bind_integers(array("q", sorted(commits)))),
    )


def changes(tx: ReadTx, number: int) -> int:
    """Return a number that grows whenever the vectors of a project change."""
    return tx.count("SELECT vector_changes FROM commit_reading WHERE number = ?", (number,))


def put(tx: WriteTx, model: str, made: Sequence[CommitVector]) -> None:
    """Store vectors, except of commits that are gone."""
    for each in made:
        tx.execute(
            "INSERT OR REPLACE INTO commit_vectors(seq, model, vector, pieces) "
            "SELECT ?1, ?2, ?3, ?4 WHERE EXISTS (SELECT 1 FROM commits WHERE seq = ?1)",
            (each.seq, model, each.vector, each.pieces),
        )


def lacking(tx: ReadTx, project: str, model: str, newest: int, limit: int) -> list[int]:
    """Return commits without a vector by this model, of a project's newest ones, newest first."""
    return tx.column(
        int,
        "SELECT c.seq FROM (SELECT seq, committed_at FROM commits WHERE project = ? "
        "ORDER BY committed_at DESC, seq LIMIT ?) c "
        "LEFT JOIN commit_vectors v ON v.seq = c.seq AND v.model = ? WHERE v.seq IS NULL "
        "ORDER BY c.committed_at DESC, c.seq LIMIT ?",
        (project, newest, model, limit),
    )


def projects(tx: ReadTx) -> list[str]:
    """Return the projects with commits, that of the latest session first."""
    return tx.column(
        str,
        "SELECT project FROM commit_reading r WHERE enabled IS NOT 0 "
        "AND EXISTS (SELECT 1 FROM commits c WHERE c.project = r.project) "
        "ORDER BY session_at DESC, project",
    )
