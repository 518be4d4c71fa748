"""How capture and context were in the last seven days: what was kept, and what was told."""

from datetime import timedelta
from typing import Final

from intaglio.base.clock import Clock, iso
from intaglio.domain.health import Checked, Figure, HealthCheck
from intaglio.package import of_snapshot
from intaglio.sessions import health_rows
from intaglio.sessions.health_rows import CaptureCounts, ToldCounts
from intaglio.sessions.statements import rows as statements
from intaglio.sessions.statements.values import KeptLately
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx

WITHIN: Final = timedelta(days=7)
# An import can capture many thousand lines at once.
_MOST_LINES: Final = 1_000
_FRESH_S: Final = 60.0


def week_checks(db: Database, clock: Clock) -> tuple[HealthCheck, ...]:
    """Return the checks; they show figures and find nothing wrong by themselves."""

    def since() -> str:
        return iso(clock() - WITHIN)

    def captured(tx: ReadTx) -> tuple[CaptureCounts, KeptLately]:
        counts = health_rows.capture_counts(tx, since())
        return counts, statements.kept_lately(tx, since(), 0.0, _MOST_LINES)

    return (
        HealthCheck(
            name="capture_week",
            domain="capture",
            title="Capture",
            reads="What was kept, suggested and dropped in the last 7 days, and the share of what "
            "was kept that you neither forgot nor rewrote.",
            run=of_snapshot(db, captured, lambda found: judge_capture(*found)),
            fresh_s=_FRESH_S,
        ),
        HealthCheck(
            name="context_week",
            domain="context",
            title="Context",
            reads="What sessions were told in the last 7 days, how much of it they had been told "
            "before, and what was left out for lack of room.",
            run=of_snapshot(db, lambda tx: health_rows.told_counts(tx, since()), judge_told),
            fresh_s=_FRESH_S,
        ),
    )


def judge_capture(counts: CaptureCounts, lately: KeptLately) -> Checked:
    """Return the figures of capture."""
    precision = lately.precision
    return Checked(
        figures=(
            Figure("kept", "Kept in 7 days", counts.kept),
            Figure("suggested", "Suggested in 7 days", counts.suggested),
            Figure("dropped", "Dropped in 7 days", counts.dropped),
            Figure("decided", "Suggestions that you decided on in 7 days", counts.decided),
            Figure(
                "precision",
                "Kept lines that you neither forgot nor rewrote",
                None if precision is None else round(precision, 3),
                "share",
            ),
        ),
        line=f"{counts.kept:,} kept in 7 days",
    )


def judge_told(counts: ToldCounts) -> Checked:
    """Return the figures of what sessions were told."""
    share = counts.repeated / counts.lines if counts.lines else None
    return Checked(
        figures=(
            Figure("toldTokens", "Tokens told in 7 days", counts.tokens),
            Figure("injections", "Replies that told something in 7 days", counts.injections),
            Figure("toldLines", "Memories told in 7 days", counts.lines),
            Figure(
                "toldAgainShare",
                "Told before in the same session",
                None if share is None else round(share, 3),
                "share",
            ),
            Figure("cutForRoom", "Left out for lack of room in 7 days", counts.cut),
        ),
        line=f"{counts.tokens:,} tokens told in 7 days",
    )
