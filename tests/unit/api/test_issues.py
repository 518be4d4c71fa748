"""The list of issues: what is wrong, how bad it is, and what to do about it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from intaglio.api.status.issues import find_issues
from intaglio.domain.issues import Issue
from intaglio.lifecycle.clock_guard import ClockJump, clock_issue
from intaglio.wire.capture import CaptureStatus
from intaglio.wire.status import (
    EmbeddingStatus,
    ProcessStatus,
    QueueStatus,
    RetentionStatus,
    SettingProblemRow,
    Status,
    StoreStatus,
    SweepRow,
)

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
PROCESS = ProcessStatus(
    rss_bytes=58, threads=9, handles=40, children=0, cpu_s=12, disk_free_bytes=50_000_000_000
)
STORE = StoreStatus(
    bytes=1_200,
    schema_version=7,
    memories=12,
    deleted=2,
    jobs_pending=0,
    waiting_writes=0,
    spool=0,
    spool_rejected=0,
    last_backup="2026-03-04T09:00:00Z",
)
MODEL = EmbeddingStatus(
    provider="onnx",
    model="minilm",
    dimensions=384,
    available=True,
    phase="ready",
    detail="",
    embedded=12,
    total=12,
    pending=0,
    dead=0,
    searched_meanwhile="",
    late_interaction=True,
    index_method="mirror",
    index_vectors=12,
    index_waiting=0,
    index_candidates=0,
    index_bytes=4_000,
    index_recall=0.99,
)
BROKEN_FILE = str(Path("/home/kim/.agents/agent.yaml").absolute())
WELL = Status(
    status="running",
    state="ready",
    reason="",
    version="1.0",
    pid=7,
    uptime=7_200,
    started_at="2026-03-04T10:00:00Z",
    port=3850,
    host="127.0.0.1",
    bind_host="127.0.0.1",
    agents_dir="/home/kim/.agents",
    memory_db=True,
    log_file="daemon.log",
    command="intaglio",
    active_sessions=1,
    process=PROCESS,
    store=STORE,
    queue=QueueStatus(pending=0, leased=0, dead=0),
    embedding=MODEL,
    retention=None,
    capture=CaptureStatus(paused=False),
    setting_problems=[],
)
SWEEP = SweepRow(
    started_at="",
    ended_at="",
    cause="due",
    outcome="done",
    removed={},
    failed={"dead_jobs": "locked"},
    longest_ms=1,
    given_back_bytes=0,
)
SWEPT = RetentionStatus(running=False, next_at=None, free_bytes=0, windows={}, last=SWEEP)
ONE_DEAD = QueueStatus(pending=0, leased=0, dead=1)


def _issues(**change: Any) -> list[Issue]:  # noqa: ANN401 - fields
    return find_issues(structs.replace(WELL, **change))


def test_a_healthy_daemon_has_no_issues() -> None:
    assert _issues() == []
    assert _issues(embedding=None) == []


@pytest.mark.parametrize(
    ("change", "level", "title"),
    [
        ({"state": "checking"}, "info", "Checking the database"),
        ({"queue": ONE_DEAD}, "warn", "1 job failed"),
        (
            {"queue": structs.replace(ONE_DEAD, dead=1_200)},
            "warn",
            "1,200 jobs failed",
        ),
        ({"store": structs.replace(STORE, spool_rejected=1)}, "warn", "1 hook event rejected"),
        ({"store": structs.replace(STORE, spool=101)}, "info", "Catching up on 101 hook events"),
        (
            {"embedding": structs.replace(MODEL, phase="failing", detail="No answer.")},
            "warn",
            "Embedding model unavailable",
        ),
        (
            {"embedding": structs.replace(MODEL, index_recall=0.9)},
            "warn",
            "The search index misses results",
        ),
        (
            {"embedding": structs.replace(MODEL, embedded=10, pending=2)},
            "info",
            "Embedding memories",
        ),
        ({"retention": SWEPT}, "warn", "The last cleanup was incomplete"),
        (
            {"setting_problems": [SettingProblemRow(key="search.alpha", message="is no number")]},
            "warn",
            "Setting search.alpha is no number",
        ),
        (
            {"setting_problems": [SettingProblemRow(key=BROKEN_FILE, message="can't be read")]},
            "warn",
            "agent.yaml can't be read",
        ),
    ],
)
def test_each_issue_has_a_level_and_a_title(change: dict[str, Any], level: str, title: str) -> None:
    assert [(issue.level, issue.title) for issue in _issues(**change)] == [(level, title)]


@pytest.mark.parametrize(
    ("ahead", "left", "text"),
    [
        (timedelta(days=14), timedelta(hours=22.2), "14 days ahead of the expected time"),
        (timedelta(days=-1), timedelta(minutes=5), "1 day behind the expected time"),
    ],
)
def test_a_jump_of_the_clock_is_an_issue(ahead: timedelta, left: timedelta, text: str) -> None:
    issue = clock_issue(ClockJump(ahead, left))
    assert (issue.level, issue.title) == ("warn", "The computer's clock jumped")
    assert text in issue.text
    assert ("23 hours pass" if ahead > timedelta() else "1 hour passes") in issue.text


def test_a_damaged_database_offers_a_restore() -> None:
    (issue,) = _issues(state="degraded", cause="damaged", reason="A page is torn.", hint="Do it.")
    assert (issue.text, issue.action) == ("A page is torn. Do it.", "restore")


def test_a_full_disk_offers_no_restore() -> None:
    (issue,) = _issues(
        state="degraded",
        cause="unwritable",
        reason="The disk is full.",
        hint="Free up space.",
    )
    assert (issue.level, issue.title, issue.text, issue.action) == (
        "danger",
        "Nothing can be saved",
        "The disk is full. Free up space.",
        "",
    )


def test_two_problems_of_one_setting_have_ids_of_their_own() -> None:
    problems = [SettingProblemRow(key="agents.roster[1]", message=text) for text in ("a", "b")]
    assert len({issue.id for issue in _issues(setting_problems=problems)}) == 2


def test_files_that_could_not_be_deleted_are_named() -> None:
    (issue,) = _issues(retention=SWEPT)
    assert issue.text.startswith("failed jobs: locked.")
