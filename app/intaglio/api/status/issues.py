"""What is wrong with this installation by its status, and what to do about each.

Status, `intaglio doctor`, `intaglio status` and the tray show it, with what the packages' own
health checks find.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote

from intaglio.base.installation import command as shell_command
from intaglio.domain.issues import Issue
from intaglio.wire.status import EmbeddingStatus, Status

_LOW_RECALL: Final = 0.95
_MANY_EVENTS: Final = 100
_DATA_KINDS: Final = {
    "ledger": "ledger entries",
    "completed_jobs": "finished jobs",
    "dead_jobs": "failed jobs",
    "set_aside": "damaged databases",
    "history": "history entries",
}


def find_issues(status: Status) -> list[Issue]:
    """Return the issues; ``status`` is without them."""
    return [
        *_database(status),
        *_model(status.embedding),
        *_jobs(status),
        *_spool(status),
        *_retention(status),
        *_settings(status),
    ]


def _count(number: int, one: str, many: str) -> str:
    return f"1 {one}" if number == 1 else f"{number:,} {many}"


def _database(status: Status) -> Iterator[Issue]:
    match status.state:
        case "ready":
            return
        case "checking":
            yield Issue(
                "checking",
                "info",
                "Checking the database",
                "Intaglio didn't shut down cleanly. You can browse; changes are saved once "
                "the check is done.",
            )
        case "degraded":
            can_restore = status.cause not in {"read_only", "unwritable"}
            why = status.reason or "The database is damaged."
            title = "The database is read-only"
            if status.cause == "unwritable":
                title = "Nothing can be saved"
            yield Issue(
                "database",
                "danger",
                title,
                f"{why} {status.hint}".strip(),
                action="restore" if can_restore else "",
            )


def _model(embedding: EmbeddingStatus | None) -> Iterator[Issue]:
    if embedding is None:
        return
    is_usable = embedding.available and embedding.phase not in {"failing", "damaged"}
    if not is_usable:
        what = (embedding.detail or f"The embedding model is {embedding.phase}").rstrip(".")
        former = embedding.searched_meanwhile
        meanwhile = f"search uses {former}" if former else "search finds keywords only"
        yield Issue(
            "model",
            "warn",
            "Embedding model unavailable",
            f"{what}. Until this is fixed, {meanwhile}.",
            page="/settings/embedding.provider",
        )
    elif embedding.embedded < embedding.total and embedding.pending:
        left = _count(embedding.total - embedding.embedded, "memory isn't", "memories aren't")
        yield Issue(
            "embedding",
            "info",
            "Embedding memories",
            f"{left} embedded yet. Until then, search finds them by keywords only.",
        )
    recall = embedding.index_recall
    if recall is not None and recall < _LOW_RECALL:
        yield Issue(
            "recall",
            "warn",
            "The search index misses results",
            f"It found {recall:.1%} of the true matches at the last check. If this stays, "
            "restart the daemon.",
        )


def _jobs(status: Status) -> Iterator[Issue]:
    dead = status.queue.dead
    if dead:
        yield Issue(
            "dead",
            "warn",
            f"{_count(dead, 'job', 'jobs')} failed",
            "See the errors and retry in the queue, on the dashboard's Status page.",
            page="/status#queue",
        )


def _spool(status: Status) -> Iterator[Issue]:
    store = status.store
    if store.spool_rejected:
        yield Issue(
            "rejected",
            "warn",
            f"{_count(store.spool_rejected, 'hook event', 'hook events')} rejected",
            "They failed three times and weren't captured. For the reason, run",
            command=shell_command("daemon logs"),
        )
    if store.spool > _MANY_EVENTS and status.state == "ready":
        yield Issue(
            "spool",
            "info",
            f"Catching up on {store.spool:,} hook events",
            "They arrived while the daemon was stopped and are being processed. Nothing is lost.",
        )


def _retention(status: Status) -> Iterator[Issue]:
    last = status.retention.last if status.retention else None
    if last is not None and last.failed:
        failed = "; ".join(
            f"{_DATA_KINDS.get(kind, kind.replace('_', ' '))}: {why}"
            for kind, why in last.failed.items()
        )
        yield Issue(
            "retention",
            "warn",
            "The last cleanup was incomplete",
            f"{failed}. The next cleanup tries again.",
        )


def _settings(status: Status) -> Iterator[Issue]:
    # A key may have several problems.
    for number, problem in enumerate(status.setting_problems):
        # No key has a slash; where the file itself can't be read, it is its path.
        is_file = Path(problem.key).is_absolute()
        name = Path(problem.key).name if is_file else f"Setting {problem.key}"
        yield Issue(
            f"setting-{number}-{problem.key}",
            "warn",
            f"{name} {problem.message}",
            "Until this is fixed, the last valid settings apply."
            if is_file
            else "Until this is fixed, the default or the last valid value applies.",
            page="/settings" if is_file else f"/settings/{quote(problem.key, safe='')}",
        )
