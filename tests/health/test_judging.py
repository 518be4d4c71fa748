"""What each check judges: how bad what was read is, what it is called, and what mends it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from intaglio.base.settings.reading import SettingProblem
from intaglio.daemon.settings_check import judge_settings
from intaglio.domain.health import Checked
from intaglio.domain.issues import Issue
from intaglio.embedding.health.checks import VectorCounts
from intaglio.embedding.health.judging import (
    EmbeddedShare,
    ModelCondition,
    judge_model,
    judge_share,
    judge_vectors,
)
from intaglio.harness.spool_health import judge_spool
from intaglio.jobs.health_checks import QueueHealth, judge
from intaglio.jobs.values import QueueCounts
from intaglio.lifecycle.clock_guard import ClockJump, clock_issue
from intaglio.lifecycle.duplicates.health_check import judge_duplicates
from intaglio.lifecycle.duplicates.rows import ExactDuplicates
from intaglio.lifecycle.sweep_health import judge_sweep
from intaglio.lifecycle.sweep_values import StepReport, SweepReport
from intaglio.memory.health_checks import judge_changes, judge_counts
from intaglio.memory.health_rows import MemoryTotals, RecentChanges
from intaglio.models.health_checks import RecentCalls, judge_calls
from intaglio.store.health_checks import judge_index, judge_orphans, judge_state
from intaglio.store.memory_index import IndexDifference
from intaglio.store.values import Checking, Degraded, Ready

NOW = datetime(2026, 3, 4, 12, tzinfo=UTC)
BROKEN_FILE = str(Path("/home/kim/.agents/agent.yaml").absolute())


def queue(
    *,
    dead: int = 0,
    ready: int = 0,
    oldest: datetime | None = None,
    silent: int = 0,
    stuck: int = 0,
) -> Checked:
    counts = QueueCounts(pending=ready, leased=0, dead=dead)
    return judge(
        QueueHealth(counts=counts, ready=ready, oldest=oldest, silent=silent, stuck=stuck, now=NOW)
    )


def model(phase: str = "ready", trouble: str = "", recall: float | None = 0.99) -> Checked:
    return judge_model(
        ModelCondition(
            is_on=True, model="minilm", phase=phase, trouble=trouble, fallback="", recall=recall
        )
    )


def vectors(*, unused: int = 0, misfits: int = 0, unsynced: int = 0) -> VectorCounts:
    return VectorCounts(
        live=12,
        embedded=12,
        pending=0,
        dead=0,
        unused=unused,
        misfits=misfits,
        unsynced=unsynced,
        indexable=12,
        oldest=None,
    )


def coverage(embedded: int, queued: int = 0, *, fills_gaps: bool = True) -> Checked:
    return judge_share(EmbeddedShare(12, embedded, queued, 0), is_on=True, fills_gaps=fills_gaps)


def sweep(error: str) -> Checked:
    return judge_sweep(
        SweepReport(
            cause="schedule",
            started_at="",
            ended_at="",
            outcome="done",
            steps=(StepReport("dead_jobs", error=error),),
            longest_ms=1,
            given_back_bytes=0,
        )
    )


def settings(key: str, *messages: str) -> Checked:
    return judge_settings([SettingProblem(key, message) for message in messages])


def unreadable(count: int, of: int) -> Checked:
    """Judge answered calls; the replies of some couldn't be read."""
    return judge_calls(
        RecentCalls(answered=of, failed=0, timed_out=0, replies=of, unreadable=count)
    )


@pytest.mark.parametrize(
    "found",
    [
        queue(ready=3, oldest=NOW - timedelta(seconds=20)),
        model(),
        judge_model(
            ModelCondition(
                is_on=False, model="none", phase="idle", trouble="", fallback="", recall=None
            )
        ),
        coverage(12),
        judge_share(EmbeddedShare(12, 0, 0, 0), is_on=False, fills_gaps=False),
        judge_vectors(vectors()),
        judge_index(IndexDifference(indexed=12, live=12, missing=0, extra=0)),
        judge_orphans(0),
        judge_state(Ready(), 4_096),
        judge_spool(100, 0),
        judge_counts(MemoryTotals(70, 30)),
        judge_changes(RecentChanges(5, 40)),
        judge_duplicates(ExactDuplicates(2, 5, 100)),
        judge_calls(RecentCalls(0, 0, 0)),
        judge_calls(RecentCalls(answered=20, failed=0, timed_out=0, replies=20)),
        sweep(""),
        settings("search.alpha"),
    ],
)
def test_what_is_well_has_no_issue_and_no_penalty(found: Checked) -> None:
    assert (found.issues, found.penalty) == ((), 0.0)


@pytest.mark.parametrize(
    ("found", "level", "title", "repair"),
    [
        (judge_state(Checking(), 0), "info", "Checking the database", ""),
        (queue(dead=1), "warn", "1 job failed", "requeue-dead"),
        (queue(dead=1_200), "warn", "1,200 jobs failed", "requeue-dead"),
        (queue(silent=1), "info", "1 job stands still", "release-leases"),
        (queue(silent=2, stuck=1), "warn", "2 jobs stand still", "release-leases"),
        (judge_spool(0, 1), "warn", "1 hook event rejected", ""),
        (judge_spool(101, 0), "info", "Catching up on 101 hook events", ""),
        (model("failing", "No answer."), "warn", "Embedding model unavailable", ""),
        (model(recall=0.9), "warn", "The index of embeddings misses results", "resync-vec"),
        (coverage(10, 2), "info", "Embedding memories", ""),
        (
            coverage(10, fills_gaps=False),
            "warn",
            "Memories lack an embedding",
            "re-embed",
        ),
        (judge_vectors(vectors(unsynced=1)), "warn", "Embeddings are missing", "resync-vec"),
        (
            judge_vectors(vectors(unused=3)),
            "warn",
            "Embeddings belong to no memory",
            "clean-orphans",
        ),
        (judge_vectors(vectors(misfits=1)), "danger", "Embeddings are damaged", ""),
        (
            judge_index(IndexDifference(indexed=11, live=12, missing=1, extra=0)),
            "warn",
            "The search index is out of step with the memories",
            "check-fts",
        ),
        (judge_orphans(1), "warn", "The database has orphan rows", "clean-orphans"),
        (unreadable(5, of=20), "warn", "The language model's replies can't be read", ""),
        (unreadable(3, of=3), "warn", "The language model's replies can't be read", ""),
        (sweep("locked"), "warn", "The last cleanup was incomplete", "retention-sweep"),
        (
            settings("search.alpha", "is no number"),
            "warn",
            "Setting search.alpha is no number",
            "",
        ),
        (settings(BROKEN_FILE, "can't be read"), "warn", "agent.yaml can't be read", ""),
    ],
)
def test_each_issue_has_a_level_a_title_and_what_repairs_it(
    found: Checked, level: str, title: str, repair: str
) -> None:
    (issue,) = found.issues
    assert (issue.level, issue.title, issue.repair) == (level, title, repair)
    assert (issue.action == "repair") == bool(repair)


@pytest.mark.parametrize(
    ("found", "penalty"),
    [
        (queue(ready=51), 0.3),
        (queue(ready=50), 0.0),
        (queue(dead=1, ready=99), 0.3),
        (queue(dead=2, ready=48), 0.3),
        (queue(ready=1, oldest=NOW - timedelta(seconds=301)), 0.2),
        (queue(silent=1), 0.2),
        (queue(ready=60, dead=5, oldest=NOW - timedelta(hours=1), silent=1), 1.0),
        (judge_counts(MemoryTotals(69, 31)), 0.3),
        (judge_index(IndexDifference(indexed=80, live=100, missing=20, extra=0)), 0.5),
        (judge_index(IndexDifference(indexed=95, live=100, missing=5, extra=0)), 0.0),
        (coverage(9, 3), 0.3),
        (judge_calls(RecentCalls(answered=60, failed=30, timed_out=10)), 0.4),
        (unreadable(20, of=20), 1.0),
        (unreadable(4, of=20), 0.2),
        (judge_changes(RecentChanges(6, 0)), 0.3),
        (judge_duplicates(ExactDuplicates(1, 6, 100)), 0.3),
        (judge_duplicates(ExactDuplicates(1, 11, 100)), 0.5),
    ],
)
def test_scores_are_lowered_at_the_thresholds_of_the_diagnostics(
    found: Checked, penalty: float
) -> None:
    assert found.penalty == pytest.approx(penalty)


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


def _degraded(state: Degraded) -> Issue:
    found = judge_state(state, 0)
    (issue,) = found.issues
    assert (issue.level, found.penalty) == ("danger", 1.0)
    return issue


def test_a_damaged_model_says_once_what_is_missing_without_it() -> None:
    [issue] = model("damaged", "The included model can't be used: it is gone.").issues
    assert issue.text == (
        "The included model can't be used: it is gone. Until this is fixed, search finds keywords "
        "only, and less is captured."
    )


def test_a_damaged_database_offers_a_restore() -> None:
    issue = _degraded(Degraded("A page is torn.", "damaged", "Do it."))
    assert (issue.title, issue.text) == ("The database is damaged", "A page is torn. Do it.")
    assert issue.action == "restore"


@pytest.mark.parametrize(
    ("cause", "title"),
    [("unwritable", "Nothing can be saved"), ("read_only", "The database is read-only")],
)
def test_a_full_disk_and_a_read_only_folder_offer_no_restore(cause: str, title: str) -> None:
    causes = {"unwritable": Degraded("Full.", "unwritable"), "read_only": Degraded("", "read_only")}
    issue = _degraded(causes[cause])
    assert (issue.title, issue.action) == (title, "")


def test_two_problems_of_one_setting_have_ids_of_their_own() -> None:
    found = settings("agents.roster[1]", "a", "b")
    assert len({issue.id for issue in found.issues}) == 2


def test_files_that_could_not_be_deleted_are_named() -> None:
    (issue,) = sweep("locked").issues
    assert issue.text.startswith("failed jobs: locked.")


def test_a_fifth_of_unreadable_replies_is_no_issue_yet_but_is_said() -> None:
    found = unreadable(4, of=20)
    assert found.issues == ()
    assert found.line == "20 of the latest 20 answered; 4 of 20 replies unreadable"
