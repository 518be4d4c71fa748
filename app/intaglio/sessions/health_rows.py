"""SQL of how capture and context were lately: counts only, nothing of their texts."""

from dataclasses import dataclass

from intaglio.sessions.context import OVER_BUDGET
from intaglio.sessions.values import HELD_BACK
from intaglio.store.tx import ReadTx


@dataclass(frozen=True, slots=True)
class CaptureCounts:
    """What became of statements since a time, and how many suggestions the user decided on."""

    kept: int
    suggested: int
    dropped: int
    decided: int


def capture_counts(tx: ReadTx, since: str) -> CaptureCounts:
    """Count the statements recorded since a time, and the suggestions decided on."""
    kept, suggested = tx.rows(
        tuple[int, int],
        "SELECT ifnull(sum(outcome = 'kept'), 0), ifnull(sum(outcome = 'suggested'), 0) "
        "FROM statements WHERE recorded_at >= ?",
        (since,),
    )[0]
    dropped = tx.count(
        "SELECT count(*) FROM considered_statements WHERE recorded_at >= ?", (since,)
    )
    decided = tx.count(
        "SELECT count(*) FROM inbox_items WHERE status = 'done' AND decided_at >= ? "
        "AND kind = 'suggestion'",
        (since,),
    )
    return CaptureCounts(kept, suggested, dropped, decided)


@dataclass(frozen=True, slots=True)
class ToldCounts:
    """What sessions were told since a time.

    ``injections`` are the replies with anything in them, ``lines`` the memories in these, and
    ``repeated`` those of them that the same session had been told before. ``cut`` were left out for
    lack of room.
    """

    injections: int
    tokens: int
    lines: int
    repeated: int
    cut: int


def told_counts(tx: ReadTx, since: str) -> ToldCounts:
    """Count what sessions were told since a time.

    Injections are numbered in the order of their times, so only those since then are read.
    """
    before = tx.scalar(
        int, "SELECT seq FROM injections WHERE created_at < ? ORDER BY seq DESC LIMIT 1", (since,)
    )
    injections, tokens = tx.rows(
        tuple[int, int],
        "SELECT ifnull(sum(injected > 0), 0), ifnull(sum(tokens), 0) FROM injections WHERE seq > ?",
        (before or 0,),
    )[0]
    lines, different, cut = tx.rows(
        tuple[int, int, int],
        "SELECT ifnull(sum(m.injected), 0), count(DISTINCT CASE WHEN m.injected "
        "THEN i.harness || ' ' || i.session_id || ' ' || m.memory_id END), "
        "ifnull(sum(m.reason IN (?, ?)), 0) "
        "FROM injections i JOIN session_memories m ON m.injection = i.seq WHERE i.seq > ?",
        (OVER_BUDGET, HELD_BACK, before or 0),
    )[0]
    return ToldCounts(injections, tokens, lines, lines - different, cut)
