"""SQL on the ledger of commits that prompts were compared with."""

import json
from collections.abc import Mapping, Sequence

from intaglio.sessions.values import CommitCandidate
from intaglio.store.tx import ReadTx, WriteTx


def record(tx: WriteTx, injection: int, compared: Sequence[CommitCandidate]) -> None:
    """Record the commits that a prompt was compared with."""
    for rank, each in enumerate(compared, 1):
        tx.execute(
            "INSERT INTO compared_commits(injection, rank, project, hash, score, floor, shown, "
            "tokens, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                injection,
                rank,
                each.project,
                each.hash,
                each.score,
                each.floor,
                int(each.shown),
                each.tokens,
                each.reason,
            ),
        )


def told_in(tx: ReadTx, harness: str, session_id: str) -> frozenset[str]:
    """Return the hashes of commits that are in a session's present context.

    What its agent's tools found doesn't count.
    """
    found = tx.column(
        str,
        "SELECT c.hash FROM injections i JOIN compared_commits c ON c.injection = i.seq "
        "WHERE i.harness = ?1 AND i.session_id = ?2 AND i.event <> 'recall' AND c.shown = 1 "
        "AND i.seq >= ifnull("
        "(SELECT max(seq) FROM injections WHERE harness = ?1 AND session_id = ?2 "
        "AND event = 'session_start' AND source IN ('clear', 'compact')), 0)",
        (harness, session_id),
    )
    return frozenset(found)


def compared_with(tx: ReadTx, injections: Sequence[int]) -> Mapping[int, list[CommitCandidate]]:
    """Return the commits that prompts were compared with, told ones first, by injection.

    Commits that are no longer stored aren't listed.
    """
    found: dict[int, list[CommitCandidate]] = {}
    rows = tx.rows(
        tuple[int, str, str, str, str, float, float, int, int, str],
        "SELECT c.injection, c.project, c.hash, s.committed_at, s.subject, c.score, c.floor, "
        "c.shown, c.tokens, c.reason FROM compared_commits c "
        "JOIN commits s ON s.project = c.project AND s.hash = c.hash "
        "WHERE c.injection IN (SELECT value FROM json_each(?)) "
        "ORDER BY c.injection, c.shown DESC, c.rank",
        (json.dumps([*injections]),),
    )
    for injection, project, digits, at, subject, score, floor, shown, tokens, why in rows:
        found.setdefault(injection, []).append(
            CommitCandidate(
                project=project,
                hash=digits,
                at=at,
                subject=subject,
                score=score,
                floor=floor,
                shown=bool(shown),
                reason=why,
                tokens=tokens,
            )
        )
    return found


def forget(tx: WriteTx, project: str, digits: str) -> None:
    """Remove the texts in which sessions were told of a commit, and what it was compared by."""
    tx.execute(
        "UPDATE injections SET terms = NULL, text = NULL WHERE seq IN "
        "(SELECT injection FROM compared_commits WHERE shown = 1 AND project = ? AND hash = ?)",
        (project, digits),
    )
    tx.execute("DELETE FROM compared_commits WHERE project = ? AND hash = ?", (project, digits))


def purge(tx: WriteTx, injections: Sequence[int]) -> None:
    """Delete what the ledger says of these calls."""
    tx.execute(
        "DELETE FROM compared_commits WHERE injection IN (SELECT value FROM json_each(?))",
        (json.dumps([*injections]),),
    )
