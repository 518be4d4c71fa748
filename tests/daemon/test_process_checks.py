"""A full disk, a folder that can't be written and a process that uses too much are named."""

from dataclasses import replace
from pathlib import Path

import pytest

from intaglio.api.status.process_stats import ProcessMeter, ProcessStats
from intaglio.base.clock import monotonic_s
from intaglio.daemon.process_checks import ProcessChecks, judge_disk, judge_process
from intaglio.store.values import Degraded, Ready

ROOMY = 50_000_000_000
MODEST = ProcessStats(
    rss=200_000_000, threads=20, handles=60, children=1, cpu_s=12.0, disk_free=ROOMY
)


@pytest.mark.parametrize(
    ("free", "level"), [(1_900_000_000, "warn"), (499_000_000, "danger"), (0, "danger")]
)
def test_a_disk_that_is_almost_full_is_named(free: int, level: str) -> None:
    (issue,) = judge_disk(free, "", Ready()).issues
    assert (issue.id, issue.level, issue.title) == ("disk", level, "Disk almost full")


def test_a_full_disk_is_named_once_after_a_write_has_failed() -> None:
    assert judge_disk(0, "", Degraded("The disk is full.", "unwritable")).issues == ()


def test_a_folder_that_cannot_be_written_is_named_before_anything_is_written() -> None:
    (issue,) = judge_disk(ROOMY, "The workspace is read-only.", Ready()).issues
    assert (issue.level, issue.title) == ("danger", "Nothing can be saved")
    degraded = Degraded("The workspace is read-only.", "read_only")
    assert judge_disk(ROOMY, "The workspace is read-only.", degraded).issues == ()


@pytest.mark.parametrize(
    ("stats", "what"),
    [
        (replace(MODEST, rss=3_500_000_000), "3.5 GB of RAM"),
        (replace(MODEST, threads=400), "400 threads"),
        (replace(MODEST, handles=900), "900 open files"),
    ],
)
def test_a_process_that_uses_too_much_is_to_be_restarted(stats: ProcessStats, what: str) -> None:
    (issue,) = judge_process(stats, 1_024).issues
    assert what in issue.text
    assert issue.command.endswith("daemon restart")


async def test_this_process_and_this_disk_are_measured(tmp_path: Path) -> None:
    checks = ProcessChecks(
        meter=ProcessMeter(tmp_path, monotonic_s), database=tmp_path / "a.db", state=Ready
    )
    assert judge_process(MODEST, None).issues == ()
    figures = {each.name: each.value for each in (await checks.process()).figures}
    assert figures.keys() == {"rssBytes", "threads", "handles", "children", "cpuS"}
    assert all(isinstance(value, int | float) for value in figures.values())
    assert (await checks.disk()).figures[1].value is True
