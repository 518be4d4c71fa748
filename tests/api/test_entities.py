"""Entities over HTTP: listed for those who may read what names them, and gone with it."""

from typing import Any

import pytest

from fakes.api import Api
from intaglio.graph import entity_rows
from intaglio.store.tx import WriteTx

Row = dict[str, Any]


async def get(api: Api, path: str, agent: str | None = None, **params: str) -> Any:  # noqa: ANN401 - JSON
    headers = {} if agent is None else {"x-signet-agent-id": agent}
    reply = await api.client.get(f"/api/knowledge{path}", params=params, headers=headers)
    assert reply.status_code == 200, reply.text
    return reply.json()


async def entities(api: Api, agent: str | None = None, **params: str) -> dict[str, Row]:
    found = await get(api, "/entities", agent, **params)
    return {item["entity"]["name"]: item for item in found["items"]}


async def forget(api: Api, memory: str, **params: str) -> None:
    reply = await api.client.delete(
        f"/api/memory/{memory}", params={"reason": "x", **params}, headers=api.owner
    )
    assert reply.status_code == 200, reply.text


async def test_a_remembered_name_is_an_entity_with_its_mention(api: Api) -> None:
    text = "Deploys of the `billing-api` run at night"
    memory = await api.remember(text)
    found = (await entities(api))["billing-api"]["entity"]
    [mention] = (await get(api, f"/entities/{found['id']}/mentions"))["items"]
    assert mention["memoryId"] == memory
    assert text[mention["start"] : mention["end"]] == mention["surface"] == "billing-api"
    [row] = (await get(api, f"/entities/{found['id']}/memories"))["items"]
    assert row["id"] == memory
    listed = await entities(api, memoryId=memory)
    assert "billing-api" in listed


async def test_every_fact_has_a_place_in_the_graph(api: Api) -> None:
    for text in ("The first fact", "Ask Priya about PostgreSQL", "I prefer tabs", "Ship on Friday"):
        await api.remember(text)
    await api.remember("Releases are cut from main", project="lantern")
    stats = await get(api, "/stats")
    assert (stats["coveragePercent"], stats["unassignedMemoryCount"]) == (100.0, 0)


async def test_equal_names_of_two_projects_are_two_entities(api: Api) -> None:
    for project in ("lantern", "beacon"):
        await api.remember("The `job-dispatcher` retries twice", project=project)
    found = (await get(api, "/entities", q="job-dispatcher"))["items"]
    assert {item["entity"]["project"] for item in found} == {"lantern", "beacon"}
    for project in ("lantern", "beacon"):
        listed = await get(api, "/entities", project=project, q="job-dispatcher")
        assert [item["entity"]["project"] for item in listed["items"]] == [project]


async def test_a_forgotten_memorys_entity_is_hidden_until_it_is_restored(api: Api) -> None:
    memory = await api.remember("Ask about the `zorblax-sync` first")
    await forget(api, memory)
    assert "zorblax-sync" not in await entities(api)
    reply = await api.client.post(f"/api/memory/{memory}/recover", json={"reason": "x"})
    assert reply.status_code == 200
    assert (await entities(api))["zorblax-sync"]["entity"]["mentions"] == 1


@pytest.mark.parametrize("pinned", [False, True])
async def test_erasing_a_memory_leaves_nothing_of_it_in_the_file(api: Api, pinned: bool) -> None:
    memory = await api.remember("Ask about the `zorblax-sync` first", project="quibbleproject")
    other = await api.remember("The `kept-service` is unaffected")
    entity = (await entities(api))["zorblax-sync"]["entity"]
    if pinned:
        await api.client.post(f"/api/knowledge/entities/{entity['id']}/pin", headers=api.owner)
    await forget(api, memory, force="true")
    assert "kept-service" in await entities(api)
    await api.kernel.database.write(lambda tx: tx.empty_log_after_commit())
    path = api.kernel.running.paths.database
    for file in (path, path.with_name(f"{path.name}-wal")):
        assert b"zorblax" not in file.read_bytes()
    assert (await api.client.get(f"/api/memory/{other}")).status_code == 200


async def test_a_name_that_another_memory_uses_too_survives_an_erase(api: Api) -> None:
    first = await api.remember("Ask about the `zorblax-sync` first")
    await api.remember("The `zorblax-sync` is slow")
    await forget(api, first, force="true")
    assert (await entities(api))["zorblax-sync"]["entity"]["mentions"] == 1


async def test_a_changed_text_changes_the_entities(api: Api) -> None:
    memory = await api.remember("Ask about the `zorblax-sync` first")
    reply = await api.client.patch(
        f"/api/memory/{memory}", json={"content": "Ask about the `other-sync` first", "reason": "x"}
    )
    assert reply.status_code == 200
    found = await entities(api)
    assert "zorblax-sync" not in found
    assert "other-sync" in found


async def test_an_agent_sees_what_its_memories_allow(api: Api) -> None:
    await api.remember("The `hidden-gate` is secret", agentId="ann", visibility="private")
    await api.remember("The `open-gate` is known", agentId="ann")
    seen = await entities(api, "bob")
    assert "open-gate" in seen
    assert "hidden-gate" not in seen
    assert {"open-gate", "hidden-gate"} <= (await entities(api, "ann")).keys()
    hidden = (await entities(api, "ann"))["hidden-gate"]["entity"]["id"]
    for path in ("", "/aliases", "/mentions", "/memories", "/aspects", "/dependencies"):
        reply = await api.client.get(
            f"/api/knowledge/entities/{hidden}{path}", headers={"x-signet-agent-id": "bob"}
        )
        assert reply.status_code == 404
        assert reply.json()["error"] == "Entity not found"


async def test_a_name_from_a_private_memory_stays_hidden(api: Api) -> None:
    await api.remember(
        "The Kestrel Billing Service (KBS) is ours", agentId="ann", visibility="private"
    )
    await api.remember("The `open-gate` calls KBS daily", agentId="ann")
    listed = await get(api, "/entities", "bob")
    assert "kestrel" not in str(listed).lower()
    assert (await get(api, "/entities", "bob", q="kestrel"))["items"] == []


async def test_memories_are_filtered_by_entity(api: Api) -> None:
    memory = await api.remember("Ask about the `zorblax-sync` first")
    await api.remember("Something else")
    entity = (await entities(api))["zorblax-sync"]["entity"]["id"]
    listed = (await api.client.get("/api/memories", params={"entity": entity})).json()
    assert [row["id"] for row in listed["memories"]] == [memory]
    found = await api.recall("what should I ask first?", entity=entity)
    assert {row["id"] for row in found} <= {memory}


@pytest.mark.parametrize(
    ("path", "params"),
    [
        ("/entities", {"type": "nonsense"}),
        ("/entities", {"limit": "0"}),
        ("/entities", {"limit": "x"}),
        ("/entities", {"offset": "-1"}),
        ("/entities", {"q": "x" * 401}),
        ("/entities/none/mentions", {"cursor": "x"}),
        ("/entities/health", {"since": "zz"}),
    ],
)
async def test_bad_input_is_refused(api: Api, path: str, params: dict[str, str]) -> None:
    reply = await api.client.get(f"/api/knowledge{path}", params=params)
    assert reply.status_code == 400
    assert reply.json()["error"]


async def test_only_an_aspect_of_the_entity_is_found(api: Api) -> None:
    await api.remember("`billing-api` stores invoices in Postgres")
    [each] = [each for each in (await get(api, "/constellation"))["entities"] if each["aspects"]]
    path = f"/api/knowledge/entities/{each['id']}/aspects"
    replies = [
        await api.client.get(f"{path}/{aspect}/attributes", params={"kind": "constraint"})
        for aspect in (each["aspects"][0]["id"], "unclassified", "zzz")
    ]
    assert [reply.status_code for reply in replies] == [200, 200, 404]


@pytest.mark.parametrize("text", ['"', "*", "a* OR b", "NEAR(", "%", "日本", "a-b:c"])
async def test_any_text_can_be_searched_for(api: Api, text: str) -> None:
    assert (await get(api, "/entities", q=text))["items"] == []


async def test_the_list_pages_through_every_entity_once(api: Api) -> None:
    for number in range(7):
        await api.remember(f"Look at the `part-{number}-service`")
    seen: list[str] = []
    for offset in range(0, 20, 3):
        found = await get(api, "/entities", limit="3", offset=str(offset))
        seen += [item["entity"]["id"] for item in found["items"]]
    assert len(seen) == len(set(seen)) == (await get(api, "/entities"))["total"]


async def test_the_entity_of_exactly_the_searched_name_comes_first(api: Api) -> None:
    await api.remember("Look at the `Part-Service`")
    for number in range(3):
        await api.remember(f"Look at the `part-service-{number}` again")
        await api.remember(f"The `part-service-{number}` is slow")
    found = await get(api, "/entities", q="part-service", limit="2")
    assert found["items"][0]["entity"]["name"] == "Part-Service"
    after = await get(api, "/entities", q="part-service", limit="2", offset="2")
    names = {item["entity"]["name"] for item in (*found["items"], *after["items"])}
    assert len(names) == 4


async def test_neighbours_are_named_by_the_same_memories(api: Api) -> None:
    for text in ("`billing-api` calls `ledger-api`", "`ledger-api` calls `audit-api`"):
        await api.remember(text)
    found = await entities(api)
    address = f"/api/knowledge/entities/{found['billing-api']['entity']['id']}/neighbors"
    near = (await api.client.get(address)).json()
    assert [(node["name"], node["depth"]) for node in near["nodes"]] == [
        ("billing-api", 0),
        ("ledger-api", 1),
    ]
    assert [edge["type"] for edge in near["edges"]] == ["mentioned_with"]
    far = (await api.client.get(address, params={"depth": "2"})).json()
    assert [node["name"] for node in far["nodes"]] == ["billing-api", "ledger-api", "audit-api"]
    assert far == (await api.client.get(address, params={"depth": "2"})).json()


async def test_the_constellation_has_entities_with_their_facts(api: Api) -> None:
    memory = await api.remember("`billing-api` stores invoices in Postgres")
    found = (await api.client.get("/api/knowledge/constellation")).json()
    facts = [
        fact
        for each in found["entities"]
        for aspect in each["aspects"]
        for fact in aspect["attributes"]
    ]
    assert [fact["memoryId"] for fact in facts] == [memory]


async def test_an_entity_found_to_be_a_tool_is_shared_by_all_projects(api: Api) -> None:
    await api.remember("We looked at Zorblax yesterday", project="lantern")
    found = (await entities(api))["Zorblax"]["entity"]
    assert (found["entityType"], found["project"]) == ("unknown", "lantern")

    def become_tool(tx: WriteTx) -> None:
        entity = entity_rows.get(tx, found["id"])
        assert entity is not None
        entity_rows.set_type(tx, entity.seq, "tool", entity.updated_at)

    await api.kernel.database.write(become_tool)
    found = (await entities(api))["Zorblax"]["entity"]
    assert (found["entityType"], found["project"]) == ("tool", None)
