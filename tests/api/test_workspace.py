"""/api/workspace over HTTP: files, targets, switches and conflicts."""

from pathlib import Path
from typing import Any, Final

from fakes.api import Api
from fakes.workspace import sections
from intaglio.connect.plans import apply
from intaglio.connect.values import ConnectionApplied, ConnectionPlan
from intaglio.harness.connections import Connections
from intaglio.health.diagnosis import Diagnosis

TOKEN: Final = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def workspace_of(api: Api) -> Path:
    return api.kernel.running.paths.workspace


def connect(api: Api, harness: str) -> Path:
    """Connect a harness and return its file of instructions."""
    connections = api.kernel.get(Connections)
    target = connections.targets[harness]
    plan = target.plan_connect(connections.install)
    assert isinstance(plan, ConnectionPlan)
    assert isinstance(apply(plan), ConnectionApplied)
    assert target.instructions_file is not None
    return target.instructions_file


async def state(api: Api) -> dict[str, Any]:
    reply = await api.client.get("/api/workspace")
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def target(api: Api, id_: str) -> dict[str, Any]:
    return next(each for each in (await state(api))["targets"] if each["id"] == id_)


async def sync(api: Api, path: str = "/api/workspace/sync") -> dict[str, Any]:
    reply = await api.client.post(path, headers=api.owner)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def test_a_connected_agent_gets_the_workspaces_files(api: Api) -> None:
    file = connect(api, "claude-code")
    (workspace_of(api) / "USER.md").write_text("I am Ann.\n")
    assert (await target(api, "claude-code"))["state"] == "waiting"
    done = await sync(api, "/api/harnesses/regenerate")
    assert (done["success"], done["written"]) == (True, ["claude-code"])
    assert sections(file) == {"USER.md": "I am Ann."}
    found = await state(api)
    assert [each["state"] for each in found["targets"] if each["id"] == "claude-code"] == ["synced"]
    assert {"codex": "disconnected"}.items() <= {
        each["id"]: each["state"] for each in found["targets"]
    }.items()
    user = next(each for each in found["files"] if each["name"] == "USER.md")
    assert (user["exists"], user["size"]) == (True, 10)


async def test_a_target_is_switched_off_and_on(api: Api) -> None:
    file = connect(api, "claude-code")
    (workspace_of(api) / "USER.md").write_text("I am Ann.\n")
    await sync(api)
    for enabled, wanted in ((False, "off"), (True, "synced")):
        reply = await api.client.post(
            "/api/workspace/targets/claude-code", json={"enabled": enabled}, headers=api.owner
        )
        assert reply.status_code == 200, reply.text
        assert (await target(api, "claude-code"))["state"] == wanted
        assert file.exists() is enabled


async def test_a_project_has_a_block_only_once_it_is_switched_on(api: Api, tmp_path: Path) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    (project / "CLAUDE.md").write_text("# Shop\n")
    (workspace_of(api) / "USER.md").write_text("I am Ann.\n")
    await sync(api)
    assert not (project / "AGENTS.md").exists()
    address = f"/api/workspace/targets/project:{project}"
    on = await api.client.post(address, json={"enabled": True}, headers=api.owner)
    assert on.status_code == 200, on.text
    assert sections(project / "AGENTS.md") == {"USER.md": "I am Ann."}
    assert sections(project / "CLAUDE.md") == {"USER.md": "I am Ann."}
    await api.client.post(address, json={"enabled": False}, headers=api.owner)
    assert not (project / "AGENTS.md").exists()
    assert (project / "CLAUDE.md").read_text() == "# Shop\n"


async def test_no_secret_of_the_workspace_is_written_into_a_project(
    api: Api, tmp_path: Path
) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    (workspace_of(api) / "USER.md").write_text(f"My token is {TOKEN}.\n")
    address = f"/api/workspace/targets/project:{project}"
    on = await api.client.post(address, json={"enabled": True}, headers=api.owner)
    assert on.status_code == 200, on.text
    shown = await target(api, f"project:{project}")
    assert (shown["state"], shown["hint"]) == ("refused", "Take the secret out of USER.md.")
    assert not (project / "AGENTS.md").exists()


async def test_an_agents_workspace_has_its_own_soul(api: Api) -> None:
    config = api.kernel.get(Connections).targets["openclaw"]
    config.settings.parent.mkdir()
    config.settings.write_text("{}")
    plan = config.plan_connect(api.kernel.get(Connections).install)
    assert isinstance(plan, ConnectionPlan)
    assert isinstance(apply(plan), ConnectionApplied)
    own = workspace_of(api) / "agents/ann"
    own.mkdir(parents=True)
    (own / "SOUL.md").write_text("Be kind.")
    (workspace_of(api) / "SOUL.md").write_text("Be brief.")
    await sync(api)
    assert sections(own / "workspace/AGENTS.md") == {"agents/ann/SOUL.md": "Be kind."}
    assert (await state(api))["agents"] == ["ann"]


async def test_a_preview_shows_what_would_be_written(api: Api) -> None:
    connect(api, "claude-code")
    (workspace_of(api) / "USER.md").write_text("I am Ann.\n")
    reply = await api.client.get("/api/workspace/targets/claude-code", headers=api.owner)
    assert "+I am Ann." in reply.json()["diff"]
    await sync(api)
    reply = await api.client.get("/api/workspace/targets/claude-code", headers=api.owner)
    assert reply.json()["diff"] == ""


async def test_both_texts_of_a_conflict_are_shown(api: Api) -> None:
    file = connect(api, "claude-code")
    (workspace_of(api) / "USER.md").write_text("I am Ann.\n")
    await sync(api)
    file.write_text(file.read_text().replace("Ann", "Bea"))
    await sync(api)
    item = (await target(api, "claude-code"))["item"]
    reply = await api.client.get(f"/api/workspace/conflicts/{item}", headers=api.owner)
    found = reply.json()
    assert ("Ann" in found["ours"], "Bea" in found["theirs"]) == (True, True)
    assert (found["file"], found["target"]) == ("USER.md", "claude-code")
    shown = (await api.client.get(f"/api/inbox/{item}", headers=api.owner)).json()
    assert "+I am Bea." in shown["content"]


async def test_unknown_targets_and_conflicts_are_not_found(api: Api, tmp_path: Path) -> None:
    headers = api.owner
    for address in ("/api/workspace/targets/nobody", "/api/workspace/conflicts/none"):
        assert (await api.client.get(address, headers=headers)).status_code == 404
    reply = await api.client.post(
        "/api/workspace/targets/nobody", json={"enabled": True}, headers=headers
    )
    assert reply.status_code == 404
    for project in ("shop", "", tmp_path / "none", f"{tmp_path}/%2e%2e/{tmp_path.name}"):
        reply = await api.client.post(
            f"/api/workspace/targets/project:{project}", json={"enabled": True}, headers=headers
        )
        assert (reply.status_code, "folder" in str(reply.json().get("hint"))) == (400, True)


async def test_writing_needs_the_token(api: Api) -> None:
    for address in ("/api/workspace/sync", "/api/harnesses/regenerate"):
        assert (await api.client.post(address)).status_code == 401


async def test_disconnecting_takes_the_block_out_without_the_daemon(api: Api) -> None:
    connections = api.kernel.get(Connections)
    file = connect(api, "codex")
    file.write_bytes(b"# Mine\r\n")
    (workspace_of(api) / "USER.md").write_text("I am Ann.\n")
    await sync(api)
    assert sections(file)
    plan = connections.targets["codex"].plan_disconnect()
    assert isinstance(plan, ConnectionPlan)
    assert "-I am Ann." in plan.diff
    assert isinstance(apply(plan), ConnectionApplied)
    assert file.read_bytes() == b"# Mine\r\n"
    connect(api, "codex")
    await sync(api)
    assert sections(file)


async def test_an_edited_block_stays_when_the_agent_is_disconnected(api: Api) -> None:
    file = connect(api, "codex")
    (workspace_of(api) / "USER.md").write_text("I am Ann.\n")
    await sync(api)
    file.write_text(file.read_text().replace("Ann", "Bea"))
    plan = api.kernel.get(Connections).targets["codex"].plan_disconnect()
    assert isinstance(plan, ConnectionPlan)
    assert any("it was edited" in note for note in plan.notes)
    assert isinstance(apply(plan), ConnectionApplied)
    assert "Bea" in file.read_text()


async def test_the_preview_of_connecting_says_which_files_are_written(api: Api) -> None:
    (workspace_of(api) / "USER.md").write_text("I am Ann.\n")
    reply = await api.client.post(
        "/api/harnesses/claude-code/connect", json={"mode": "preview"}, headers=api.owner
    )
    [note] = [each for each in reply.json()["notes"] if "USER.md" in each]
    assert "CLAUDE.md" in note


async def test_an_agent_has_an_identity_of_its_own(api: Api) -> None:
    (workspace_of(api) / "IDENTITY.md").write_text("- name: Iris\n")
    own = workspace_of(api) / "agents/ann"
    own.mkdir(parents=True)
    (own / "IDENTITY.md").write_text("- name: Ann\n")
    for agent, name in (("ann", "Ann"), ("bea", "Iris")):
        reply = await api.client.get("/api/identity", params={"agent_id": agent})
        assert reply.json()["name"] == name


async def test_a_block_of_signet_and_a_refused_file_are_issues(api: Api) -> None:
    file = connect(api, "claude-code")
    file.write_text("<!-- SIGNET:START -->\nx\n<!-- SIGNET:END -->\n")
    (workspace_of(api) / "USER.md").write_text("I am Ann.\n")
    await sync(api)
    found = (await api.client.get("/api/status", headers=api.owner)).json()["issues"]
    assert "workspace-signet" in {each["id"] for each in found}
    file.write_text("<!-- INTAGLIO:END -->\n")
    await sync(api)
    api.kernel.get(Diagnosis).invalidate()
    found = (await api.client.get("/api/status", headers=api.owner)).json()["issues"]
    assert "workspace-claude-code" in {each["id"] for each in found}
