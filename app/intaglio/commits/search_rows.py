"""SQL by which commits are searched; see `rows.py` for who writes them."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from intaglio.commits import rows
from intaglio.commits.values import StoredCommit
from intaglio.store.fts import count_each, match_any
from intaglio.store.tx import ReadTx

_LISTED: Final = "IN (SELECT value FROM json_each(?))"


@dataclass(frozen=True, slots=True)
class CommitHead:
    """What a search knows of a commit before it reads its message."""

    seq: int
    committed_at: str
    words: int
    files: int


def count_all(tx: ReadTx) -> int:
    """Return about how many commits of all projects there are; counting them takes 50 ns each."""
    numbers = tx.column(int, "SELECT number FROM commit_reading")
    return sum(count_between(tx, *rows.rows_of(number)) for number in numbers)


def count_between(tx: ReadTx, first: int, last: int) -> int:
    """Return about how many commits there are from one row to another."""
    newest = tx.scalar(
        int,
        "SELECT seq FROM commits WHERE seq BETWEEN ? AND ? ORDER BY seq DESC LIMIT 1",
        (first, last),
    )
    return 0 if newest is None else newest - first + 1


def count_containing(tx: ReadTx, term: str) -> int:
    """Count the commits that contain an index term."""
    return tx.count("SELECT doc FROM commits_vocabulary WHERE term = ?", (term,))


def count_terms(tx: ReadTx, terms: Collection[str]) -> dict[str, int]:
    """Return in how many commits terms are, of those that are in any; about 4 µs each."""
    return count_each(tx, "commits_vocabulary", terms)


def containing(tx: ReadTx, word: str, first: int, last: int) -> list[int]:
    """Return the commits from one row to another that contain a word, spelled as in a text."""
    return tx.column(
        int,
        "SELECT rowid FROM commits_fts WHERE commits_fts MATCH ? AND rowid BETWEEN ? AND ?",
        (match_any([word]), first, last),
    )


def heads(tx: ReadTx, commits: Collection[int]) -> list[CommitHead]:
    """Return what is known of commits without their messages."""
    return tx.map(
        CommitHead,
        "SELECT c.seq, c.committed_at, c.words, "  # noqa: S608 - a constant
        "(SELECT count(*) FROM commit_files f WHERE f.commit_seq = c.seq) "
        f"FROM commits c WHERE c.seq {_LISTED}",
        (json.dumps([*commits]),),
    )


def touching(
    tx: ReadTx, project: str, paths: Sequence[str], most: int
) -> list[tuple[str, int, int]]:
    """Return the newest commits that touched each path: path, commit, how many touched it in all.

    At most ``most`` of each path.
    """
    found: list[tuple[str, int, int]] = []
    for path in paths:
        number = tx.scalar(
            int, "SELECT seq FROM commit_paths WHERE project = ? AND path = ?", (project, path)
        )
        if number is None:
            continue
        total = tx.count("SELECT count(*) FROM commit_files WHERE path_seq = ?", (number,))
        commits = tx.column(
            int,
            "SELECT f.commit_seq FROM commit_files f JOIN commits c ON c.seq = f.commit_seq "
            "WHERE f.path_seq = ? ORDER BY c.committed_at DESC LIMIT ?",
            (number, most),
        )
        found += [(path, commit, total) for commit in commits]
    return found


def reverting(tx: ReadTx, project: str, commits: Collection[str]) -> Mapping[str, StoredCommit]:
    """Return what takes back each of these commits, by hash; nothing that was taken back itself."""
    numbers = tx.column(
        int,
        "SELECT c.seq FROM commits c WHERE c.project = ?1 "
        "AND c.reverts IN (SELECT value FROM json_each(?2)) "
        "AND NOT EXISTS "
        "(SELECT 1 FROM commits b WHERE b.project = ?1 AND b.reverts = c.hash)",
        (project, json.dumps([*commits])),
    )
    found = rows.read_many(tx, numbers) if numbers else []
    return {each.reverts: each for each in found if each.reverts}
