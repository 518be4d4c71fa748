"""The daemon's two loops over the workspace's repository, and what it says is wrong."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from fakes.waiting import until
from fakes.workspace_git import NOW, GitWorkspace, git_workspace
from intaglio.base.bus import EventBus
from intaglio.workspace.git.repository_state import GitProblem
from intaglio.workspace.git.service import SyncDone, WorkspaceGit


@pytest.fixture
def workspace(tmp_path: Path) -> GitWorkspace:
    return git_workspace(tmp_path)


def service_of(workspace: GitWorkspace) -> WorkspaceGit:
    return WorkspaceGit(
        repository=workspace.repository,
        record_file=workspace.folder / "state" / "workspace-git.json",
        settings=lambda: workspace.settings,
        bus=EventBus(),
        clock=lambda: NOW,
        quiet_s=0.1,
        check_s=0.2,
    )


@asynccontextmanager
async def committing(service: WorkspaceGit) -> AsyncGenerator[None]:
    task = asyncio.create_task(service.keep_committed())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def test_changes_are_committed_by_themselves(workspace: GitWorkspace) -> None:
    # What changed while the daemon didn't run, too.
    workspace.write("SOUL.md", "Calm.\n")
    async with committing(service_of(workspace)):
        await until(lambda: "SOUL.md" in workspace.committed(), "the first commit")
        workspace.write("memory/2026-03-04.md", "Went well.\n")
        await until(lambda: "memory/2026-03-04.md" in workspace.committed(), "the next commit")
    assert workspace.git("status", "--porcelain") == ""


async def test_the_first_commit_does_not_wait_for_the_watcher(workspace: GitWorkspace) -> None:
    workspace.write("SOUL.md", "Calm.\n")
    async with committing(replace(service_of(workspace), check_s=60.0)):
        await until(lambda: "SOUL.md" in workspace.committed(), "the first commit")


async def test_a_sync_commits_pulls_and_pushes(workspace: GitWorkspace) -> None:
    workspace.with_remote()
    workspace.write("SOUL.md", "Calm.\n")
    service = service_of(workspace)
    assert await service.sync() == SyncDone(0, 1)
    workspace.elsewhere("USER.md", "I am Ann.\n")
    assert await service.sync() == SyncDone(1, 0)
    assert await service.sync() == SyncDone(0, 0)
    _, record = await service.status()
    assert record.synced == "2026-03-04T05:06:07.000Z"
    assert workspace.git("rev-parse", "HEAD") == workspace.git("rev-parse", "origin/main")


async def test_what_only_the_user_can_solve_is_an_issue_until_it_is_solved(
    workspace: GitWorkspace,
) -> None:
    workspace.with_remote()
    workspace.change(auto_sync=True)
    workspace.elsewhere("SOUL.md", "Theirs.\n")
    workspace.write("SOUL.md", "Ours.\n")
    service = service_of(workspace)
    assert isinstance(await service.sync(), GitProblem)
    (issue,) = await service.issues()
    assert issue.title == "The workspace can't be synced"
    later = replace(service, clock=lambda: NOW + timedelta(days=2))
    assert isinstance(await later.sync(), GitProblem)
    (issue,) = await later.issues()
    assert issue.title == "The workspace hasn't been synced for 2 days"
    assert "both have commits of their own" in issue.text
    workspace.git("reset", "-q", "--hard", "origin/main")
    assert isinstance(await later.sync(), SyncDone)
    assert await later.issues() == []


async def test_a_remote_that_is_away_is_an_issue_only_after_a_day(workspace: GitWorkspace) -> None:
    workspace.with_remote()
    workspace.change(auto_sync=True)
    workspace.bare.rename(workspace.folder / "away")
    service = service_of(workspace)
    assert isinstance(await service.sync(), GitProblem)
    assert await service.issues() == []
    (issue,) = await replace(service, clock=lambda: NOW + timedelta(days=1)).issues()
    assert issue.title == "The workspace hasn't been synced for 1 day"


async def test_what_a_pull_left_in_the_stash_is_an_issue_until_it_is_gone(
    workspace: GitWorkspace,
) -> None:
    workspace.change(auto_commit=False)
    workspace.with_remote()
    workspace.elsewhere("AGENTS.md", "Theirs.\n")
    workspace.write("AGENTS.md", "Ours.\n")
    service = service_of(workspace)
    await service.sync()
    await service.sync()
    (issue,) = await service.issues()
    assert issue.id == "workspace-git-stash"
    workspace.git("stash", "drop", "-q")
    assert await service.issues() == []


async def test_what_stopped_a_commit_is_tried_again(workspace: GitWorkspace) -> None:
    lock = workspace.own / ".git" / "index.lock"
    lock.touch()
    workspace.write("SOUL.md", "Calm.\n")

    async def pause(_: float) -> None:
        await asyncio.sleep(0.05)

    service = replace(service_of(workspace), pause=pause)
    async with committing(service):
        await until(lambda: service.last_problem, "the refusal")
        lock.unlink()
        await until(lambda: "SOUL.md" in workspace.committed(), "the commit")


async def test_files_that_are_left_out_are_an_issue_by_name(workspace: GitWorkspace) -> None:
    for number in range(4):
        workspace.write(f"large-{number}", b"x" * 1_000_001)
    service = service_of(workspace)
    await service.commit()
    (issue,) = await service.issues()
    assert issue.text.startswith(
        "Not committed: large-0 is larger than 1 MB; large-1 is larger than 1 MB; "
        "large-2 is larger than 1 MB; and 1 more."
    )
    for number in range(4):
        (workspace.own / f"large-{number}").unlink()
    await service.commit()
    assert await service.issues() == []


async def test_why_nothing_is_committed_is_an_issue(workspace: GitWorkspace) -> None:
    workspace.git("checkout", "-q", "--detach")
    workspace.write("SOUL.md", "Calm.\n")
    service = service_of(workspace)
    await service.commit()
    (issue,) = await service.issues()
    assert issue.text == "No branch is checked out in the workspace (detached HEAD)."
    workspace.change(enabled=False)
    assert await service.issues() == []
