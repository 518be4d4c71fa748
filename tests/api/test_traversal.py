"""The last walk, and what is known about one entity, over HTTP."""

from typing import Any

import pytest

from fakes.api import Api

PROJECT = "/work/lantern"


@pytest.fixture(autouse=True)
async def filled(api: Api) -> None:
    await api.remember("We decided that lantern never deploys on Fridays.", project=PROJECT)
    await api.remember("Lantern uses PostgreSQL for its jobs.", type="fact", project=PROJECT)
    await api.remember(
        "PostgreSQL must never be exposed to the internet.", type="rule", project=PROJECT
    )
    await api.remember("PostgreSQL 16 keeps the invoices.", type="fact", project=PROJECT)
    await api.remember("PostgreSQL stores the site's sessions.", type="fact", project="/work/site")


async def expand(api: Api, entity: str, **more: object) -> dict[str, Any]:
    body = {"entity": entity, **more}
    reply = await api.client.post("/api/knowledge/expand", json=body)
    assert reply.status_code == 200, reply.text
    return dict(reply.json())


async def test_before_the_first_walk_there_is_no_status(api: Api) -> None:
    reply = await api.client.get("/api/knowledge/traversal/status")
    assert reply.json() == {"status": None}


async def test_the_status_shows_the_last_sessions_walk(api: Api) -> None:
    start = {"harness": "claude-code", "sessionKey": "s1", "project": PROJECT}
    assert (await api.client.post("/api/hooks/session-start", json=start)).status_code == 200
    status = (await api.client.get("/api/knowledge/traversal/status")).json()["status"]
    assert status["phase"] == "session_start"
    assert status["source"] == "project"
    assert [name.lower() for name in status["focalEntityNames"]] == ["lantern"]
    assert status["focalEntities"] == 1
    assert status["constraintCount"] >= 1
    assert status["timedOut"] is False


async def test_a_preview_is_no_walk_of_a_session(api: Api) -> None:
    await api.client.post("/api/sessions/preview", json={"project": PROJECT})
    assert (await api.client.get("/api/knowledge/traversal/status")).json() == {"status": None}


async def test_an_entity_is_expanded_by_name_alias_and_id(api: Api) -> None:
    found = await expand(api, "postgres")
    assert found["entity"]["name"] == "PostgreSQL"
    assert found == await expand(api, found["entity"]["id"]) == await expand(api, "PostgreSQL")
    assert [each["content"] for each in found["constraints"]] == [
        "PostgreSQL must never be exposed to the internet."
    ]
    assert found["memoryCount"] >= len(found["memories"]) >= 1


async def test_constraints_are_told_whatever_the_limit(api: Api) -> None:
    found = await expand(api, "PostgreSQL", maxTokens=1)
    assert len(found["constraints"]) == 1
    assert found["aspects"] == []


async def test_a_question_puts_the_facts_first_that_share_its_words(api: Api) -> None:
    for question, first in (("invoices?", "invoices"), ("the site's sessions", "sessions")):
        found = await expand(api, "PostgreSQL", question=question)
        for aspect in found["aspects"]:
            contents = [each["content"] for each in aspect["attributes"]]
            assert sorted(contents, key=lambda each: first not in each) == contents


async def test_with_a_project_other_projects_are_left_out(api: Api) -> None:
    assert "site" in str(await expand(api, "PostgreSQL"))
    assert "site" not in str(await expand(api, "PostgreSQL", project=PROJECT))


async def test_an_unknown_entity_has_the_same_keys_and_an_error(api: Api) -> None:
    reply = await api.client.post("/api/knowledge/expand", json={"entity": "Nobody"})
    assert reply.status_code == 404
    nothing: dict[str, object] = {
        "entity": None,
        "constraints": [],
        "aspects": [],
        "dependencies": [],
        "memoryCount": 0,
        "memories": [],
        "error": "Entity not found",
    }
    assert reply.json() | nothing == reply.json()


@pytest.mark.parametrize("body", [{}, {"entity": " "}])
async def test_an_entity_must_be_named(api: Api, body: dict[str, str]) -> None:
    reply = await api.client.post("/api/knowledge/expand", json=body)
    assert reply.status_code == 400
    assert reply.json()["error"] == "entity name is required"
