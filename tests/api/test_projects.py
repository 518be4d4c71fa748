"""A project has one identity: its directory, and the name that people call it by."""

from pathlib import Path
from typing import Any

import pytest

from fakes.api import Api
from fakes.repository import make_repository


@pytest.fixture
async def fleet(api: Api, tmp_path: Path) -> str:
    """Keep a memory in a repository and return its key."""
    root = make_repository(tmp_path / "src" / "fleet-infra", "git@example.org:acme/fleet.git")
    await api.remember("Deploy from main", project=str(root / "deep"))
    return str(root)


async def saved(api: Api, memory_id: str) -> dict[str, Any]:
    found: dict[str, Any] = (await api.client.get(f"/api/memory/{memory_id}")).json()
    return found


async def listed(api: Api, project: str) -> set[str]:
    reply = await api.client.get("/api/memories", params={"project": project})
    assert reply.status_code == 200, reply.text
    return {row["content"] for row in reply.json()["memories"]}


@pytest.mark.parametrize(
    "name", ["fleet-infra", "fleet", "acme/fleet", "https://example.org/acme/fleet.git"]
)
async def test_a_name_resolves_to_the_known_repository(api: Api, fleet: str, name: str) -> None:
    kept = await api.remember("Use Terraform", project=name)
    assert (await saved(api, kept))["project"] == fleet
    assert await listed(api, name) == {"Deploy from main", "Use Terraform"}
    found = await api.recall("terraform", project=name)
    assert [result["content"] for result in found] == ["Use Terraform"]


async def test_a_name_that_nothing_has_stays_a_name(api: Api, fleet: str) -> None:
    kept = await api.remember("Use Terraform", project="fleet-infr")
    assert (await saved(api, kept))["project"] == "fleet-infr"
    assert await listed(api, fleet) == {"Deploy from main"}


async def test_a_memory_is_moved_into_the_project_by_name(api: Api, fleet: str) -> None:
    kept = await api.remember("Use Terraform")
    await api.client.patch(
        f"/api/memory/{kept}", json={"project": "fleet-infra", "reason": "moved"}
    )
    assert (await saved(api, kept))["project"] == fleet


async def test_memories_saved_under_the_name_belong_to_the_project(
    api: Api, tmp_path: Path
) -> None:
    await api.remember("Use Terraform", project="fleet-infra")
    root = str(make_repository(tmp_path / "fleet-infra"))
    await api.remember("Deploy from main", project=root)
    both = {"Deploy from main", "Use Terraform"}
    assert await listed(api, "fleet-infra") == both
    assert await listed(api, root) == both
    (project,) = (await api.client.get("/api/memories/facets")).json()["facets"]["project"]
    assert project == {"value": root, "count": 2}
    found = await api.recall("terraform", project=root)
    assert [result["content"] for result in found] == ["Use Terraform"]


async def test_a_session_receives_memories_saved_under_the_projects_name(
    api: Api, tmp_path: Path
) -> None:
    await api.remember(
        "Always use Terraform modules for the staging cluster", project="fleet-infra", type="rule"
    )
    root = str(make_repository(tmp_path / "fleet-infra"))
    for project, shown in ((root, True), (str(tmp_path), False)):
        start = await api.client.post(
            "/api/hooks/session-start",
            json={"harness": "claude-code", "project": project, "sessionKey": f"s{shown}"},
        )
        assert ("Terraform" in start.json()["inject"]) is shown
    prompt = await api.client.post(
        "/api/hooks/user-prompt-submit",
        json={
            "harness": "claude-code",
            "project": root,
            "sessionKey": "another",
            "userMessage": "Which Terraform modules has the staging cluster?",
        },
    )
    assert "Terraform" in prompt.json()["inject"]


async def test_a_name_of_two_projects_is_refused_with_both(api: Api, tmp_path: Path) -> None:
    roots = [str(make_repository(tmp_path / place / "api")) for place in ("one", "two")]
    for root in roots:
        await api.remember(f"Kept in {root}", project=root)
    for reply in (
        await api.client.post("/api/memory/remember", json={"content": "x", "project": "api"}),
        await api.client.post("/api/memory/recall", json={"query": "x", "project": "api"}),
        await api.client.get("/api/memories", params={"project": "api"}),
        await api.client.get("/api/memories/facets", params={"project": "api"}),
    ):
        assert reply.status_code == 400, reply.text
        problem = reply.json()
        assert problem["code"] == "ambiguous_project"
        assert problem["candidates"] == roots
        assert all(root in problem["hint"] for root in roots)


async def test_a_session_of_an_ambiguous_name_is_shown_nothing_of_either(
    api: Api, tmp_path: Path
) -> None:
    for place in ("one", "two"):
        root = str(make_repository(tmp_path / place / "api"))
        await api.remember(f"Secret of {place}", project=root, type="rule")
    start = await api.client.post(
        "/api/hooks/session-start", json={"harness": "claude-code", "project": "api"}
    )
    assert start.status_code == 200
    assert "Secret" not in start.json()["inject"]


async def test_a_name_kept_before_two_projects_had_it_is_still_reached_by_it(
    api: Api, tmp_path: Path
) -> None:
    await api.remember("Named only", project="api")
    for place in ("one", "two"):
        await api.remember(
            f"Kept in {place}", project=str(make_repository(tmp_path / place / "api"))
        )
    assert await listed(api, "api") == {"Named only"}
    assert await listed(api, str(tmp_path / "one" / "api")) == {"Kept in one"}
