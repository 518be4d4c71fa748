"""How often one actor may change things: the contract's reply, its settings, and what counts."""

import time
from pathlib import Path

import httpx
import pytest

from fakes.api import Api, running_api
from intaglio.api.app import Application
from intaglio.api.gate.settings import AuthSettings
from intaglio.daemon.live_settings import LiveSettings

FORGET = ("forget",)
TOOL = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": %s}}'
ROUTES = Application().routes


@pytest.mark.parametrize(
    ("method", "path", "query", "body", "counts"),
    [
        ("PATCH", "/api/memory/1", "", b"{}", ("modify",)),
        ("POST", "/api/memory/modify", "", b"{}", ("modify",)),
        ("DELETE", "/api/memory/1", "", b"", ("forget",)),
        ("DELETE", "/api/memory/1/", "", b"", ("forget",)),
        ("DELETE", "/api/memory/1", "", b"not json", ("forget",)),
        ("DELETE", "/api/memory/1", "reason=x&force=TRUE", b"", ("forget", "forceDelete")),
        ("DELETE", "/api/memory/1", "force=false", b"", ("forget",)),
        ("DELETE", "/api/memory/1", "", b'{"force": true}', ("forget", "forceDelete")),
        ("POST", "/api/memory/forget", "", b'{"mode": "preview"}', ()),
        ("POST", "/api/memory/forget", "", b"{}", ()),
        ("POST", "/api/memory/forget", "", b'{"mode": "execute"}', ("batchForget",)),
        (
            "POST",
            "/api/memory/forget",
            "",
            b'{"mode": "execute", "force": true}',
            ("batchForget", "forceDelete"),
        ),
        ("POST", "/mcp", "", TOOL % b'"memory_forget"', FORGET),
        ("POST", "/mcp", "", TOOL % b'"memory_search"', ()),
        ("POST", "/mcp", "", TOOL % b'["memory_forget"]', ()),
        ("POST", "/mcp", "", b'[{"method":"tools/call"}]', ()),
        ("POST", "/api/agents", "", b"{}", ("admin",)),
        ("PATCH", "/api/agents/x", "", b"{}", ("admin",)),
        ("POST", "/api/repair/requeue-dead", "", b"", ("admin",)),
        ("POST", "/api/memory/remember", "", b"{}", ()),
        ("POST", "/api/memory/1/recover", "", b"{}", ()),
        ("GET", "/api/memory/1", "", b"", ()),
        ("GET", "/api/agents", "", b"", ()),
    ],
)
def test_what_a_request_counts_as(
    method: str, path: str, query: str, body: bytes, counts: tuple[str, ...]
) -> None:
    found = ROUTES.find(method, path)
    assert found.declaration.rate(query, body) == counts


async def forget(api: Api, actor: str = "ann", **params: str) -> httpx.Response:
    return await api.client.delete(
        "/api/memory/nothing",
        params={"reason": "x", **params},
        headers={"x-signet-actor": actor},
    )


def set_mode(api: Api, text: str) -> None:
    file = api.kernel.running.paths.settings
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    assert api.kernel.get(LiveSettings).refresh()


async def test_in_local_mode_there_is_no_limit(api: Api) -> None:
    for _ in range(70):
        assert (await forget(api)).status_code == 404


@pytest.mark.parametrize("mode", ["team", "hybrid"])
async def test_a_limited_request_is_told_when_to_retry(tmp_path: Path, mode: str) -> None:
    async with running_api(tmp_path) as api:
        set_mode(api, f"auth: {{mode: {mode}}}\n")
        for _ in range(30):
            assert (await forget(api)).status_code == 404
        before = time.time() * 1_000
        reply = await forget(api)
        assert reply.status_code == 429
        body = reply.json()
        assert body["error"] == "rate limit exceeded"
        assert isinstance(body["retryAfter"], int)
        assert before < body["retryAfter"] <= before + 61_000
        assert 0 < int(reply.headers["retry-after"]) <= 60
        assert "auth.rateLimits.forget" in body["hint"]
        # Another actor, and another operation, have limits of their own.
        assert (await forget(api, "bob")).status_code == 404
        modified = await api.client.patch(
            "/api/memory/nothing",
            json={"reason": "x", "pinned": True},
            headers={"x-signet-actor": "ann"},
        )
        assert modified.status_code == 404


async def test_a_caller_is_told_the_mode(tmp_path: Path) -> None:
    async with running_api(tmp_path) as api:
        set_mode(api, "auth: {mode: hybrid}\n")
        assert (await api.client.get("/api/auth/whoami")).json()["mode"] == "hybrid"


async def test_deleting_by_force_has_its_own_smaller_limit(tmp_path: Path) -> None:
    async with running_api(tmp_path) as api:
        set_mode(api, "auth: {mode: team}\n")
        replies = [(await forget(api, force="true")).status_code for _ in range(4)]
        assert replies == [404, 404, 404, 429]
        assert (await forget(api)).status_code == 404


async def test_the_settings_set_the_limits_and_take_effect_at_once(tmp_path: Path) -> None:
    async with running_api(tmp_path) as api:
        set_mode(api, "auth: {mode: team, rateLimits: {forget: {max: 1, windowMs: 60000}}}\n")
        assert [(await forget(api)).status_code for _ in range(2)] == [404, 429]
        set_mode(api, "auth: {mode: team, rateLimits: {forget: {max: 3, windowMs: 60000}}}\n#\n")
        assert [(await forget(api)).status_code for _ in range(3)] == [404, 404, 429]
        set_mode(api, "auth: {mode: local}\n")
        assert (await forget(api)).status_code == 404


async def test_an_unknown_mode_is_reported_and_means_local(tmp_path: Path) -> None:
    async with running_api(tmp_path) as api:
        set_mode(api, "auth: {mode: open}\n")
        [problem] = api.kernel.get(LiveSettings).problems()
        assert (problem.key, "local, hybrid, team" in problem.message) == ("auth.mode", True)
        assert api.kernel.get(LiveSettings).current().of(AuthSettings).mode == "local"
