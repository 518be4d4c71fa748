"""What is wrong with this installation, and what to do about each: the one list of issues.

Status, `intaglio doctor`, `intaglio status` and the tray show it.
"""

import math
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final

from intaglio.base.clock import parse_moment
from intaglio.base.installation import command as shell_command
from intaglio.connect.values import ConnectionRefused
from intaglio.harness.connections import Connection
from intaglio.wire.status import (
    EmbeddingStatus,
    IssueAction,
    IssueLevel,
    IssueRow,
    Status,
)

LOW_DISK_BYTES: Final = 2_000_000_000
FULL_DISK_BYTES: Final = 500_000_000
_LOW_RECALL: Final = 0.95
_OLD_BACKUP: Final = timedelta(hours=48)
# A daemon that just started may not have made its first backup yet.
_YOUNG_DAEMON_S: Final = 3_600
_MANY_EVENTS: Final = 100
_DAY_S: Final = 86_400
_HOUR_S: Final = 3_600
_LEVELS: Final = ("danger", "warn", "info")
_DATA_KINDS: Final = {
    "ledger": "ledger entries",
    "completed_jobs": "finished jobs",
    "dead_jobs": "failed jobs",
    "set_aside": "damaged databases",
    "history": "history entries",
}


def find_issues(status: Status, connections: Sequence[Connection], now: datetime) -> list[IssueRow]:
    """Return the issues, worst first; ``status`` is without them."""
    found = [
        *_database(status),
        *_disk(status),
        *_agents(connections),
        *_clock(status),
        *_model(status.embedding),
        *_jobs(status),
        *_spool(status),
        *_backup(status, now),
        *_retention(status),
        *_settings(status),
        *_capture(status),
    ]
    return sorted(found, key=lambda issue: _LEVELS.index(issue.level))


def _issue(  # noqa: PLR0913 - the fields of a row
    issue_id: str,
    level: IssueLevel,
    title: str,
    text: str,
    *,
    command: str = "",
    page: str = "",
    action: IssueAction = "",
) -> IssueRow:
    return IssueRow(
        id=issue_id, level=level, title=title, text=text, command=command, page=page, action=action
    )


def _count(number: int, one: str, many: str) -> str:
    return f"1 {one}" if number == 1 else f"{number:,} {many}"


def _database(status: Status) -> Iterator[IssueRow]:
    match status.state:
        case "ready":
            return
        case "checking":
            yield _issue(
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
            yield _issue(
                "database",
                "danger",
                title,
                f"{why} {status.hint}".strip(),
                action="restore" if can_restore else "",
            )


def _disk(status: Status) -> Iterator[IssueRow]:
    free = status.process.disk_free_bytes
    if free >= LOW_DISK_BYTES or status.cause == "unwritable":
        return
    yield _issue(
        "disk",
        "danger" if free < FULL_DISK_BYTES else "warn",
        "Disk almost full",
        f"{free / 1e6:,.0f} MB left. Free up space, or new memories can't be saved.",
    )


def _agents(connections: Sequence[Connection]) -> Iterator[IssueRow]:
    if not any(each.state in {"connected", "partly"} for each in connections):
        yield _issue(
            "agents",
            "warn",
            "No agent is connected",
            "Sessions are told nothing, and nothing is captured. To connect one, run",
            command=shell_command("connect"),
            page="/connections",
        )
    for each in connections:
        if each.state == "partly":
            yield _issue(
                f"agents-{each.harness}",
                "warn",
                f"{each.label} is connected in part",
                "Hooks are missing, or they are those of another or an older installation. "
                "To renew them, run",
                command=each.command,
                page="/connections",
            )
        elif isinstance(each.state, ConnectionRefused) and each.is_installed:
            yield _issue(
                f"agents-{each.harness}",
                "warn",
                f"{each.label} can't be connected",
                f"{each.state.reason} {each.state.hint}",
                page="/connections",
            )


def _clock(status: Status) -> Iterator[IssueRow]:
    jump = status.clock
    if jump is None:
        return
    days = _count(round(abs(jump.ahead_s) / _DAY_S), "day", "days")
    hours = max(1, math.ceil(jump.resumes_in_s / _HOUR_S))
    wait = _count(hours, "hour passes", "hours pass")
    yield _issue(
        "clock",
        "warn",
        "The computer's clock jumped",
        f"It's {days} {'ahead of' if jump.ahead_s > 0 else 'behind'} the expected time. "
        f"Nothing will be deleted by age until you confirm the clock or {wait}. If it's wrong, "
        "correct it in your system settings; if it's right, confirm it:",
        command=shell_command("db confirm-clock"),
        action="confirm-clock",
    )


def _model(embedding: EmbeddingStatus | None) -> Iterator[IssueRow]:
    if embedding is None:
        return
    is_usable = embedding.available and embedding.phase not in {"failing", "damaged"}
    if not is_usable:
        what = (embedding.detail or f"The embedding model is {embedding.phase}").rstrip(".")
        former = embedding.searched_meanwhile
        meanwhile = f"search uses {former}" if former else "search finds keywords only"
        yield _issue(
            "model",
            "warn",
            "Embedding model unavailable",
            f"{what}. Until this is fixed, {meanwhile}. Check embedding.* in agent.yaml.",
            page="/help/settings",
        )
    elif embedding.embedded < embedding.total and embedding.pending:
        left = _count(embedding.total - embedding.embedded, "memory isn't", "memories aren't")
        yield _issue(
            "embedding",
            "info",
            "Embedding memories",
            f"{left} embedded yet. Until then, search finds them by keywords only.",
        )
    recall = embedding.index_recall
    if recall is not None and recall < _LOW_RECALL:
        yield _issue(
            "recall",
            "warn",
            "The search index misses results",
            f"It found {recall:.1%} of the true matches at the last check. If this stays, "
            "restart the daemon.",
        )


def _jobs(status: Status) -> Iterator[IssueRow]:
    dead = status.queue.dead
    if dead:
        yield _issue(
            "dead",
            "warn",
            f"{_count(dead, 'job', 'jobs')} failed",
            "See the errors and retry in the queue, on the dashboard's Status page.",
            page="/status#queue",
        )


def _spool(status: Status) -> Iterator[IssueRow]:
    store = status.store
    if store.spool_rejected:
        yield _issue(
            "rejected",
            "warn",
            f"{_count(store.spool_rejected, 'hook event', 'hook events')} rejected",
            "They failed three times and weren't captured. For the reason, run",
            command=shell_command("daemon logs"),
        )
    if store.spool > _MANY_EVENTS and status.state == "ready":
        yield _issue(
            "spool",
            "info",
            f"Catching up on {store.spool:,} hook events",
            "They arrived while the daemon was stopped and are being processed. Nothing is lost.",
        )


def _backup(status: Status, now: datetime) -> Iterator[IssueRow]:
    last = status.store.last_backup
    made = parse_moment(last) if last else None
    is_old = made is None or now - made > _OLD_BACKUP
    if is_old and status.uptime > _YOUNG_DAEMON_S and status.state == "ready":
        yield _issue(
            "backup",
            "warn",
            "No backup yet" if made is None else "Backup is overdue",
            "Backups are made daily. To see why one is missing, run",
            command=shell_command("daemon logs"),
        )


def _retention(status: Status) -> Iterator[IssueRow]:
    last = status.retention.last if status.retention else None
    if last is not None and last.failed:
        failed = "; ".join(
            f"{_DATA_KINDS.get(kind, kind.replace('_', ' '))}: {why}"
            for kind, why in last.failed.items()
        )
        yield _issue(
            "retention",
            "warn",
            "The last cleanup was incomplete",
            f"{failed}. The next cleanup tries again.",
        )


def _settings(status: Status) -> Iterator[IssueRow]:
    # A key may have several problems.
    for number, problem in enumerate(status.setting_problems):
        yield _issue(
            f"setting-{number}-{problem.key}",
            "warn",
            f"Setting {problem.key} {problem.message}",
            "Fix it in agent.yaml. Until then, the default or the last valid value applies.",
            page="/help/settings",
        )


def _capture(status: Status) -> Iterator[IssueRow]:
    if status.capture is not None and status.capture.paused:
        yield _issue(
            "capture",
            "info",
            "Capture paused",
            "Nothing from your sessions is saved. Recall still works. To resume, run",
            command=shell_command("resume"),
            page="/help/pause",
        )
