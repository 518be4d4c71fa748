"""Judges the database: its state and size, its full-text index, and orphan rows."""

from pathlib import Path
from typing import Final

from intaglio.base.text import count_of
from intaglio.domain.health import Checked, Figure
from intaglio.domain.issues import Issue
from intaglio.store.memory_index import IndexDifference
from intaglio.store.values import Checking, DatabaseState, Degraded, DegradedCause, Opening

_LARGE_MISMATCH: Final = 0.1
_TITLES: Final[dict[DegradedCause, str]] = {
    "damaged": "The database is damaged",
    "unwritable": "Nothing can be saved",
}


def judge_state(state: DatabaseState, size: int, damage: str = "") -> Checked:
    """Judge the state of the database, and tell its size in bytes.

    ``damage`` names the damaged page, if that is known.
    """
    figures = (Figure("dbSizeBytes", "Size of the database", size, "bytes"),)
    match state:
        case Opening() | Checking():
            issue = Issue(
                "checking",
                "info",
                "Checking the database",
                "Intaglio didn't shut down cleanly. You can browse; changes are saved once "
                "the check is done.",
            )
        case Degraded(reason, cause, hint):
            can_restore = cause not in {"read_only", "unwritable"}
            what = (damage if cause == "damaged" else "") or reason or "The database is damaged"
            issue = Issue(
                "database",
                "danger",
                _TITLES.get(cause, "The database is read-only"),
                f"{what.rstrip('.')}. {hint}".strip(),
                action="restore" if can_restore else "",
            )
        case _:
            return Checked(figures=figures)
    penalty = 1.0 if issue.level == "danger" else 0.0
    return Checked(issues=(issue,), figures=figures, penalty=penalty)


def judge_index(found: IndexDifference) -> Checked:
    """Judge the full-text index of memories."""
    mismatch = max(found.missing, found.extra) / max(1, found.live)
    is_large = mismatch > _LARGE_MISMATCH
    figures = (
        Figure("ftsRowCount", "Rows of the search index", found.indexed),
        Figure("memoriesRowCount", "Memories that it should have", found.live),
        Figure("ftsMismatch", "They differ by more than a tenth", is_large),
    )
    if found.is_same:
        return Checked(figures=figures, line=f"{found.indexed:,} indexed")
    missing = f"lacks {count_of(found.missing, 'memory', 'memories')}, which searches by words miss"
    extra = f"has {count_of(found.extra, 'row', 'rows')} of no memory"
    parts = (missing if found.missing else "", extra if found.extra else "")
    issue = Issue(
        "search_index",
        "warn",
        "The search index is out of step with the memories",
        f"It {', and '.join(filter(None, parts))}. Fill it again.",
        action="repair",
        repair="check-fts",
    )
    return Checked(issues=(issue,), figures=figures, penalty=0.5 if is_large else 0.0)


def judge_orphans(count: int) -> Checked:
    """Judge how many rows refer to rows that are gone."""
    figures = (Figure("orphanRows", "Orphan rows", count),)
    if count == 0:
        return Checked(figures=figures)
    rows = count_of(count, "row refers", "rows refer")
    issue = Issue(
        "orphan_rows",
        "warn",
        "The database has orphan rows",
        f"{rows} to rows that are gone: another program wrote to the database. Delete them.",
        action="repair",
        repair="clean-orphans",
    )
    return Checked(issues=(issue,), figures=figures)


def database_size(file: Path) -> int:
    """Return the size of the database in bytes, with its write-ahead log."""
    files = (file, file.with_name(f"{file.name}-wal"))
    return sum(each.stat().st_size for each in files if each.exists())
