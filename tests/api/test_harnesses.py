"""Which agents are connected, over HTTP."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from fakes.api import Api
from fakes.waiting import PATIENCE_S
from intaglio.base.events import Changed
from intaglio.domain.health import Checked, HealthCheck
from intaglio.domain.issues import Issue
from intaglio.harness.registry import connectors
from intaglio.health.diagnosis import Diagnosis

KEYS = {
    "name", "id", "path", "exists", "lastSeen", "connection", "reason", "hint", "command",
    "tools", "toolsReason", "lastEvent", "leftOver", "concerns", "drivenVersion",
}  # fmt: skip


async def listed(api: Api) -> dict[str, dict[str, Any]]:
    reply = await api.client.get("/api/harnesses")
    assert reply.status_code == 200, reply.text
    return {row["id"]: row for row in reply.json()["harnesses"]}


async def test_every_harness_is_listed_with_the_command_that_connects_it(api: Api) -> None:
    rows = await listed(api)
    assert {name: row["name"] for name, row in rows.items()} == {
        name: connector.label for name, connector in connectors().items()
    }
    assert all(row.keys() == KEYS for row in rows.values())
    assert all(row["command"].endswith(f"connect {name}") for name, row in rows.items())


async def test_the_first_hook_is_announced_and_shown(api: Api) -> None:
    assert (await listed(api))["claude-code"]["lastSeen"] is None
    with api.kernel.bus.listen() as events:
        body = {"hook_event_name": "SessionStart", "session_id": "s"}
        reply = await api.client.post("/api/hooks/native/claude-code", json=body)
        assert reply.status_code == 200, reply.text
        told = [events.get_nowait() for _ in range(events.qsize())]
    assert Changed("harnesses", "updated", ("claude-code",)) in told
    row = (await listed(api))["claude-code"]
    assert (row["lastSeen"] is not None, row["lastEvent"]) == (True, "session-start")


async def test_a_sessions_start_names_the_danger_that_the_last_checks_found(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    diagnosis = api.kernel.get(Diagnosis)
    danger = Issue("disk", "danger", "The disk is full", "Free up space.")

    async def find() -> Checked:
        return Checked(issues=(danger,))

    check = HealthCheck(name="disk", domain="disk", title="Disk", reads="Nothing.", run=find)
    monkeypatch.setattr(diagnosis, "checks", lambda: (check,))

    async def notice(session: str) -> str:
        body = {"hook_event_name": "SessionStart", "session_id": session, "source": "startup"}
        reply = await api.client.post("/api/hooks/native/claude-code", json=body)
        return str(json.loads(reply.text or "{}").get("systemMessage", ""))

    assert await notice("s1") == ""
    # That start had everything checked for the next one.
    await api.kernel.background.finish(PATIENCE_S)
    assert (await notice("s2")).startswith("Intaglio: The disk is full. What to do: ")


async def test_a_session_that_is_named_like_a_hook_test_is_stored(api: Api) -> None:
    name = "intaglio-probe-0123456789abcdef"
    body = {"hook_event_name": "SessionStart", "session_id": name}
    await api.client.post("/api/hooks/native/claude-code", json=body)
    # A start that takes long is stored after its reply.
    await api.kernel.session_writes.finish(PATIENCE_S)
    sessions = (await api.client.get("/api/sessions")).json()["sessions"]
    assert name in str(sessions)
    assert (await listed(api))["claude-code"]["lastEvent"] == "session-start"


async def test_a_contract_client_is_known_by_its_name(api: Api) -> None:
    for event, more in [
        ("session-start", {}),
        ("user-prompt-submit", {"userMessage": "hello there"}),
        ("session-end", {}),
    ]:
        with api.kernel.bus.listen() as events:
            body = {"harness": "claude-code", "sessionKey": "k", **more}
            await api.client.post(f"/api/hooks/{event}", json=body)
            told = [events.get_nowait() for _ in range(events.qsize())]
        assert Changed("harnesses", "updated", ("claude-code",)) in told, event


async def test_a_client_without_hooks_is_not_active(api: Api) -> None:
    body = {"hook_event_name": "SessionStart", "session_id": "s"}
    headers = {"x-signet-no-hooks": "1"}
    await api.client.post("/api/hooks/native/claude-code", json=body, headers=headers)
    assert (await listed(api))["claude-code"]["lastSeen"] is None


CHANGES = pytest.mark.parametrize("change", ["connect", "disconnect"])


async def post(api: Api, address: str, **body: object) -> tuple[int, dict[str, Any]]:
    headers = await api.signed_in()
    reply = await api.client.post(f"/api/harnesses/{address}", json=body, headers=headers)
    return reply.status_code, reply.json()


async def test_connecting_needs_the_token_of_the_shown_change(api: Api, own_home: Path) -> None:
    settings = own_home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{\n  "model": "opus"\n}\n')
    servers = own_home / ".claude.json"
    states = (("connect", "connected", "registered"), ("disconnect", "not", "missing"))
    for change, state, tools in states:
        before = settings.read_text()
        status, shown = await post(api, f"claude-code/{change}", mode="preview")
        assert (status, shown["path"], shown["changes"]) == (200, str(settings), True)
        assert "claude-code.py" in shown["diff"]
        assert (shown["tools"]["path"], shown["tools"]["commands"]) == (str(servers), [])
        assert "mcp.py" in shown["tools"]["diff"]
        assert settings.read_text() == before
        status, done = await post(api, f"claude-code/{change}", mode="apply", token=shown["token"])
        assert (status, done["changed"]) == (200, True)
        assert done["notes"] == []
        row = (await listed(api))["claude-code"]
        assert (row["connection"], row["tools"]) == (state, tools)
        status, shown = await post(api, f"claude-code/{change}", mode="preview")
        assert (shown["changes"], shown["diff"]) == (False, "")
    assert settings.read_text() == '{\n  "model": "opus"\n}\n'
    assert not servers.exists()


async def test_tools_can_be_declined(api: Api, own_home: Path) -> None:
    _, shown = await post(api, "claude-code/connect", mode="preview", tools=False)
    assert (shown["tools"]["diff"], shown["changes"]) == ("", True)
    body = {"mode": "apply", "token": shown["token"]}
    status, _ = await post(api, "claude-code/connect", **body, tools=True)
    assert status == 409
    status, _ = await post(api, "claude-code/connect", **body, tools=False)
    assert status == 200
    assert (await listed(api))["claude-code"]["tools"] == "declined"
    assert not (own_home / ".claude.json").exists()


async def test_an_unreadable_server_list_is_reported_with_the_reason(
    api: Api, own_home: Path
) -> None:
    (own_home / ".claude.json").write_text("{ no json")
    row = (await listed(api))["claude-code"]
    assert row["tools"] == "refused"
    assert "line 1" in row["toolsReason"]


async def test_what_keeps_hooks_from_running_is_listed_and_is_an_issue(
    api: Api, own_home: Path
) -> None:
    settings = own_home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"disableAllHooks": true}')
    assert (await listed(api))["claude-code"]["concerns"] == []
    _, shown = await post(api, "claude-code/connect", mode="preview")
    await post(api, "claude-code/connect", mode="apply", token=shown["token"])
    [concern] = (await listed(api))["claude-code"]["concerns"]
    assert "doesn't run Intaglio's hooks" in concern["text"]
    issues = (await api.client.get("/api/status")).json()["issues"]
    [issue] = [each for each in issues if each["id"] == "hooks-claude-code"]
    assert concern["hint"] in issue["text"]


async def test_versions_are_those_that_the_programs_say(
    api: Api, own_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = own_home / "claude"
    program.write_text("#!/bin/sh\necho '7.8.9 (Claude Code)'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{own_home}:/bin:/usr/bin")
    reply = await api.client.get("/api/harnesses/versions", headers=await api.signed_in())
    versions = reply.json()["versions"]
    assert versions["claude-code"] == "7.8.9"
    assert versions.keys() == connectors().keys()


@pytest.mark.parametrize(("method", "path"), [("GET", "versions"), ("POST", "claude-code/test")])
async def test_a_program_without_the_token_runs_nothing(api: Api, method: str, path: str) -> None:
    reply = await api.client.request(method, f"/api/harnesses/{path}")
    assert reply.status_code == 401


async def test_without_a_hook_there_is_nothing_to_test(api: Api) -> None:
    assert (await post(api, "claude-code/test"))[1]["outcome"] == "absent"
    assert (await post(api, "no-such-agent/test"))[0] == 404


async def test_other_clients_get_the_program_and_the_address(api: Api) -> None:
    found = (await api.client.get("/api/harnesses")).json()["mcp"]
    running = api.daemon.kernel.running
    assert found["url"] == f"http://127.0.0.1:{running.port}/mcp"
    assert found["args"][-1] == str(running.paths.hooks / "mcp.py")
    assert found["command"] == sys.executable


@CHANGES
async def test_settings_that_changed_since_are_left_alone(
    api: Api, own_home: Path, change: str
) -> None:
    settings = own_home / ".claude" / "settings.json"
    _, shown = await post(api, f"claude-code/{change}", mode="preview")
    settings.parent.mkdir()
    settings.write_text("{}")
    status, problem = await post(api, f"claude-code/{change}", mode="apply", token=shown["token"])
    assert (status, problem["code"]) == (409, "settings_changed")
    assert problem["title"]
    assert problem["hint"]
    assert settings.read_text() == "{}"


@CHANGES
@pytest.mark.parametrize("mode", ["preview", "apply"])
async def test_settings_that_cannot_be_changed_are_refused_with_the_reason(
    api: Api, own_home: Path, change: str, mode: str
) -> None:
    settings = own_home / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text("{ no json")
    body = {"mode": mode, "token": "any"}
    status, problem = await post(api, f"claude-code/{change}", **body)
    assert (status, problem["code"]) == (409, "settings_refused")
    assert "line 1" in problem["detail"]
    assert problem["hint"]


@CHANGES
@pytest.mark.parametrize(
    "body",
    [
        {},
        {"mode": "now"},
        {"mode": "apply"},
        {"mode": "apply", "token": 3},
        {"mode": "apply", "token": "x" * 100_000},
    ],
)
async def test_a_bad_request_writes_nothing(
    api: Api, own_home: Path, change: str, body: dict[str, object]
) -> None:
    status, problem = await post(api, f"claude-code/{change}", **body)
    assert (status, (own_home / ".claude").exists()) == (400, False)
    assert problem["hint"]


@CHANGES
async def test_an_unknown_harness_is_not_found(api: Api, change: str) -> None:
    status, problem = await post(api, f"no-such-agent/{change}", mode="preview")
    assert (status, problem["hint"]) == (404, "GET /api/harnesses lists them.")


@CHANGES
async def test_a_program_without_the_token_connects_nothing(api: Api, change: str) -> None:
    reply = await api.client.post(f"/api/harnesses/claude-code/{change}", json={"mode": "preview"})
    assert reply.status_code == 401
