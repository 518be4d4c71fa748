"""The repository of the workspace over HTTP: 200 whatever git says, and settings that stay."""

from pathlib import Path

import pytest

from fakes.api import Api, running_api
from fakes.git import git

NO_REPOSITORY = "The workspace isn't a git repository."


@pytest.fixture(autouse=True)
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "agents"
    folder.mkdir()
    (folder / "AGENTS.md").write_text("Be brief.\n")
    return folder


async def test_without_a_repository_everything_is_answered_and_nothing_created(
    api: Api, workspace: Path
) -> None:
    status = (await api.client.get("/api/git/status")).json()
    nothing = dict.fromkeys(("isRepo", "hasCredentials", "autoSync"), False)
    assert status == {**nothing, "problem": NO_REPOSITORY}
    for action in ("pull", "push", "sync"):
        reply = await api.client.post(f"/api/git/{action}", headers=api.owner)
        assert reply.status_code == 200, reply.text
        assert reply.json() == {"success": False, "message": NO_REPOSITORY}
    assert not (workspace / ".git").exists()


async def test_the_configuration_is_kept_in_the_settings_file(tmp_path: Path) -> None:
    change = {"enabled": True, "syncInterval": 600, "branch": "trunk"}
    expected = {
        "enabled": True,
        "autoCommit": True,
        "autoSync": False,
        "syncInterval": 600,
        "remote": "origin",
        "branch": "trunk",
    }
    async with running_api(tmp_path) as api:
        reply = await api.client.post("/api/git/config", json=change, headers=api.owner)
        assert reply.json() == {"success": True, "config": expected}
    async with running_api(tmp_path) as again:
        assert (await again.client.get("/api/git/config")).json() == expected


@pytest.mark.parametrize(
    "body",
    [
        {"syncInterval": 1},
        {"remote": "--upload-pack=evil"},
        {"branch": "a b"},
        {"remote": "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"},
    ],
)
async def test_what_cannot_be_configured_is_refused(api: Api, body: dict[str, object]) -> None:
    reply = await api.client.post("/api/git/config", json=body, headers=api.owner)
    assert reply.status_code == 400
    assert not api.kernel.running.paths.settings.exists()


async def test_a_repository_is_described_and_its_obstacles_are_told(
    api: Api, workspace: Path
) -> None:
    git(workspace, "init", "-q", "-b", "main")
    git(workspace, "remote", "add", "origin", "https://ann:secret@127.0.0.1:1/agents.git")
    status = (await api.client.get("/api/git/status")).json()
    assert status["isRepo"] is True
    assert (status["branch"], status["uncommittedChanges"]) == ("main", 1)
    assert (status["hasCredentials"], status["authMethod"]) == (True, "address")
    assert "secret" not in str(status)
    reply = (await api.client.post("/api/git/sync", headers=api.owner)).json()
    assert reply["success"] is False
    assert "can't be reached" in reply["message"]
    assert "secret" not in reply["message"]


async def test_a_pull_by_hand_that_failed_is_no_lasting_problem(api: Api, workspace: Path) -> None:
    await api.client.post("/api/git/config", json={"enabled": True}, headers=api.owner)
    await api.client.post("/api/git/pull", headers=api.owner)
    git(workspace, "init", "-q", "-b", "main")
    assert "problem" not in (await api.client.get("/api/git/status")).json()


async def test_programs_without_the_token_change_nothing(api: Api) -> None:
    for action in ("pull", "push", "sync", "config"):
        reply = await api.client.post(f"/api/git/{action}", json={"enabled": True})
        assert reply.status_code == 401
