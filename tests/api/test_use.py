"""A memory's use is counted for agents and programs, never for what the dashboard reads."""

import re
from collections.abc import Mapping
from typing import Final

import pytest

from fakes.api import Api
from intaglio.recall.recall_counts import RecallCounts
from structure.source import ROOT

QUERY: Final[Mapping[str, Mapping[str, str]]] = {
    "/api/memory/search": {"q": "granite", "explain": "true"},
    "/memory/search": {"q": "granite"},
    "/memory/similar": {"id": "ID"},
    "/api/pipeline/prompts": {"session": "1"},
    "/api/projects/detail": {"global": "true"},
    "/api/projects/commits": {"project": "/srv/quarry"},
    "/api/projects/settings": {"project": "/srv/quarry"},
    "/api/commits/{commit_hash}": {"project": "/srv/quarry"},
    "/api/embeddings/projection/edges": {"token": "1"},
    "/api/embeddings/projection/labels": {"token": "1"},
}
"""What a path is asked, where it needs anything."""


def dashboard_reads() -> list[str]:
    """List the paths that the dashboard reads, and the older search, which other ones used."""
    calls = (ROOT / "ui" / "src" / "lib" / "api").glob("*.ts")
    found = {
        path for file in calls for path in re.findall(r'http\.GET\("([^"]+)"', file.read_text())
    }
    assert {"/api/memories", "/api/memory/search", "/memory/similar"} <= found
    return sorted(found | {"/memory/search"})


async def use_of(api: Api, memory_id: str) -> tuple[int, str | None]:
    await api.kernel.get(RecallCounts).write()
    row = (await api.client.get(f"/api/memory/{memory_id}")).json()
    return row["access_count"], row["last_accessed"]


async def test_nothing_that_the_dashboard_reads_counts_as_use(api: Api) -> None:
    memory_id = await api.remember("granite quarry")
    headers = {"cookie": (await api.signed_in())["cookie"]}
    for path in dashboard_reads():
        query = QUERY.get(path, {}).items()
        reply = await api.client.get(
            path.replace("{memory_id}", memory_id).replace("{commit_hash}", "a" * 40),
            params={name: memory_id if value == "ID" else value for name, value in query},
            headers=headers,
        )
        # Without a model there are no neighbours; it is asked for them all the same.
        assert reply.status_code in {200, 404}, reply.text
        assert await use_of(api, memory_id) == (0, None), path


async def test_a_preview_of_what_would_be_forgotten_counts_as_no_use(api: Api) -> None:
    memory_id = await api.remember("granite quarry")
    body = {"mode": "preview", "query": "granite"}
    reply = await api.client.post("/api/memory/forget", json=body, headers=await api.signed_in())
    assert reply.status_code == 200, reply.text
    assert await use_of(api, memory_id) == (0, None)


@pytest.mark.parametrize(
    ("method", "path", "asked"),
    [
        ("POST", "/api/memory/recall", {"query": "granite"}),
        ("GET", "/api/memory/search", {"q": "granite"}),
        ("GET", "/memory/search", {"q": "granite"}),
        ("POST", "/api/hooks/recall", {"harness": "openclaw", "query": "granite"}),
        (
            "POST",
            "/api/hooks/user-prompt-submit",
            {"harness": "openclaw", "sessionKey": "k", "userMessage": "where is granite quarried?"},
        ),
    ],
)
async def test_what_a_program_or_an_agent_recalls_counts_once(
    api: Api, method: str, path: str, asked: dict[str, str]
) -> None:
    memory_id = await api.remember("granite quarry")
    given = {"params": asked} if method == "GET" else {"json": asked}
    reply = await api.client.request(method, path, **given)  # type: ignore[arg-type]  # either
    assert reply.status_code == 200, reply.text
    count, last = await use_of(api, memory_id)
    assert (count, last is not None) == (1, True)
