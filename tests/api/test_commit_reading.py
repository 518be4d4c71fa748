"""A session's start has the commits of its project read, after it was answered."""

from pathlib import Path

from fakes.api import Api
from fakes.git import git, repository
from fakes.waiting import until
from intaglio.commits.upkeep import CommitUpkeep

HOOK = "/api/hooks/native/claude-code"


async def test_a_session_start_has_the_commits_of_its_repository_read(
    api: Api, tmp_path: Path
) -> None:
    project = repository(tmp_path / "project")
    git(project, "commit", "-q", "--allow-empty", "-m", "Retry\n\nThe gateway drops calls.")
    (project / "below").mkdir()
    told = {
        "hook_event_name": "SessionStart",
        "session_id": "s1",
        "source": "startup",
        "cwd": str(project / "below"),
    }
    reply = await api.client.post(HOOK, json=told)
    assert reply.status_code == 200
    upkeep = api.kernel.get(CommitUpkeep)
    assert (await upkeep.status(str(project))).reading
    # What reads it leaves the session some seconds; a user doesn't wait for that.
    status = await upkeep.read_now(str(project))

    async def is_read() -> bool:
        return (await upkeep.status(str(project))).stored == 1

    await until(is_read, "the commit is read")
    assert status.stopped == ""
