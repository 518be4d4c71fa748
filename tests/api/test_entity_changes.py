"""Changing entities over HTTP: pinning, names, merging, splitting, and undoing all of it."""

import json
import random
from typing import Any

import httpx
import pytest

from fakes.api import Api
from intaglio.graph.edits.entity_edits import EntityEdits

ENTITIES = "/api/knowledge/entities"


async def ids(api: Api) -> dict[str, str]:
    reply = await api.client.get(ENTITIES)
    return {item["entity"]["name"]: item["entity"]["id"] for item in reply.json()["items"]}


async def two(api: Api) -> tuple[str, str]:
    """Make `billing-api`, in two memories, and `ledger-api`; return their ids."""
    await api.remember("Deploys of the `billing-api` run on Fridays")
    await api.remember("Alerts of the `billing-api` go to Marco")
    await api.remember("Backups of the `ledger-api` are nightly")
    found = await ids(api)
    return found["billing-api"], found["ledger-api"]


async def entity(api: Api, entity_id: str) -> dict[str, Any]:
    reply = await api.client.get(f"{ENTITIES}/{entity_id}")
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()["entity"]
    return found


async def undo(api: Api, reply: httpx.Response) -> httpx.Response:
    assert reply.status_code == 200, reply.text
    return await api.client.post(f"/api/knowledge/changes/{reply.json()['changeId']}/undo")


async def test_an_entity_is_pinned_and_unpinned(api: Api) -> None:
    billing, _ = await two(api)
    reply = await api.client.post(f"{ENTITIES}/{billing}/pin", json={"reason": "my service"})
    pinned = await entity(api, billing)
    assert reply.json() == {"pinned": True, "pinnedAt": pinned["pinnedAt"]}
    assert pinned["pinReason"] == "my service"
    reply = await api.client.delete(f"{ENTITIES}/{billing}/pin")
    assert reply.json() == {"pinned": False}
    assert (await entity(api, billing))["pinnedAt"] is None


async def test_pinning_needs_no_body(api: Api) -> None:
    billing, _ = await two(api)
    assert (await api.client.post(f"{ENTITIES}/{billing}/pin")).status_code == 200


async def test_an_entity_is_never_pinned_and_suppressed(api: Api) -> None:
    billing, _ = await two(api)
    await api.client.post(f"{ENTITIES}/{billing}/pin")
    reply = await api.client.post(f"{ENTITIES}/{billing}/suppress")
    assert reply.json() == {"suppressed": True}
    assert (await entity(api, billing))["pinned"] is False
    await api.client.post(f"{ENTITIES}/{billing}/pin")
    assert (await entity(api, billing))["suppressed"] is False


async def test_a_merged_entity_counts_as_the_other_until_undone(api: Api) -> None:
    billing, ledger = await two(api)
    reply = await api.client.post(f"{ENTITIES}/{ledger}/merge", json={"into": billing})
    assert (await entity(api, ledger))["id"] == billing
    assert (await entity(api, billing))["mentions"] == 3
    assert (await undo(api, reply)).status_code == 200
    assert (await entity(api, ledger))["mentions"] == 1
    assert (await entity(api, billing))["mentions"] == 2


async def test_memories_can_be_split_off(api: Api) -> None:
    billing, _ = await two(api)
    memories = (await api.client.get(f"{ENTITIES}/{billing}/memories")).json()["items"]
    reply = await api.client.post(
        f"{ENTITIES}/{billing}/split",
        json={"name": "Billing (new)", "memoryIds": [memories[0]["id"]]},
    )
    made = reply.json()["entity"]
    assert made["name"] == "Billing (new)"
    assert made["mentions"] == 1
    assert (await entity(api, billing))["mentions"] == 1
    assert (await undo(api, reply)).json()["entity"]["mentions"] == 2


async def test_a_renamed_entity_keeps_its_old_name_as_an_alias(api: Api) -> None:
    billing, _ = await two(api)
    reply = await api.client.patch(f"{ENTITIES}/{billing}", json={"name": "Billing"})
    assert reply.json()["entity"]["name"] == "Billing"
    names = (await api.client.get(f"{ENTITIES}/{billing}/aliases")).json()["items"]
    assert [each["alias"] for each in names] == ["billing-api", "Billing"]
    assert (await undo(api, reply)).json()["entity"]["name"] == "billing-api"


async def test_a_taken_name_conflicts_and_names_its_entity(api: Api) -> None:
    billing, ledger = await two(api)
    reply = await api.client.patch(f"{ENTITIES}/{billing}", json={"name": "Ledger-API"})
    assert reply.status_code == 409
    assert reply.json()["entityId"] == ledger
    assert "merge them" in reply.json()["hint"]


async def test_an_alias_is_added_and_removed(api: Api) -> None:
    billing, _ = await two(api)
    added = await api.client.post(f"{ENTITIES}/{billing}/aliases", json={"alias": "Payments"})
    names = (await api.client.get(f"{ENTITIES}/{billing}/aliases")).json()["items"]
    assert [each["alias"] for each in names] == ["billing-api", "Payments"]
    removed = await api.client.delete(f"{ENTITIES}/{billing}/aliases/{names[1]['id']}")
    assert (await undo(api, removed)).status_code == 200
    assert (await undo(api, added)).status_code == 200
    names = (await api.client.get(f"{ENTITIES}/{billing}/aliases")).json()["items"]
    assert [each["alias"] for each in names] == ["billing-api"]


async def test_changes_are_listed_with_what_they_did(api: Api) -> None:
    billing, ledger = await two(api)
    await api.client.patch(f"{ENTITIES}/{billing}", json={"name": "Billing"})
    await api.client.patch(f"{ENTITIES}/{billing}", json={"entityType": "system"})
    merged = await api.client.post(f"{ENTITIES}/{ledger}/merge", json={"into": billing})
    await undo(api, merged)
    items = (await api.client.get(f"{ENTITIES}/{billing}/changes")).json()["items"]
    assert [each["summary"] for each in items] == [
        "Changed the type from service to system",
        "Renamed billing-api to Billing",
    ]
    [only] = (await api.client.get(f"{ENTITIES}/{ledger}/changes")).json()["items"]
    assert only["summary"] == "Merged ledger-api into Billing"
    assert only["undoneAt"] is not None


async def test_name_and_type_are_changed_together_or_not_at_all(api: Api) -> None:
    billing, _ = await two(api)
    both = {"name": "ledger-api", "entityType": "service", "description": "Bills."}
    assert (await api.client.patch(f"{ENTITIES}/{billing}", json=both)).status_code == 409
    assert (await entity(api, billing))["description"] is None
    both["name"] = "Billing"
    both["entityType"] = "tool"
    reply = (await api.client.patch(f"{ENTITIES}/{billing}", json=both)).json()["entity"]
    assert (reply["name"], reply["entityType"]) == ("Billing", "tool")
    assert (reply["description"], reply["project"]) == ("Bills.", None)


async def test_a_weight_is_set_and_taken_back(api: Api) -> None:
    billing, _ = await two(api)
    for weight in (0.25, None):
        reply = await api.client.patch(f"{ENTITIES}/{billing}", json={"weightOverride": weight})
        assert reply.json()["changeId"] is None
        assert reply.json()["entity"]["weightOverride"] == weight


async def test_a_change_without_effect_offers_no_undo(api: Api) -> None:
    billing, _ = await two(api)
    for body in ({}, {"name": "billing-api"}, {"entityType": "service"}):
        reply = await api.client.patch(f"{ENTITIES}/{billing}", json=body)
        assert reply.json()["changeId"] is None


async def test_names_and_reasons_are_stored_without_secrets_and_invisible_characters(
    api: Api,
) -> None:
    billing, _ = await two(api)
    secret = "ghp_" + "R8kx2LqZ9vTnB4wYh6JcMd1PsAf3Ue7GtHoQ"
    await api.client.post(f"{ENTITIES}/{billing}/pin", json={"reason": f"key {secret}"})
    body = {"name": " Bill\u200bing\n \u202eapi ", "description": f"Uses {secret}"}
    await api.client.patch(f"{ENTITIES}/{billing}", json=body)
    found = await entity(api, billing)
    assert found["name"] == "Billing api"
    assert secret not in str(found)


@pytest.mark.parametrize("name", ["", " ", "\u200b", "\n\t", "x" * 201])
async def test_a_name_needs_letters_and_has_a_limit(api: Api, name: str) -> None:
    billing, _ = await two(api)
    reply = await api.client.patch(f"{ENTITIES}/{billing}", json={"name": name})
    assert reply.status_code == 400
    assert (await api.client.post(f"{ENTITIES}/{billing}/aliases", json={"alias": name})).is_error


@pytest.mark.parametrize("path", ["/pin", "/suppress"])
async def test_an_unknown_entity_is_not_found(api: Api, path: str) -> None:
    for method in ("POST", "DELETE"):
        reply = await api.client.request(method, f"{ENTITIES}/nothing{path}")
        assert reply.status_code == 404
        assert reply.json()["error"] == "Entity not found"
    reply = await api.client.post("/api/knowledge/changes/nothing/undo")
    assert reply.status_code == 404


async def test_an_agent_changes_only_what_it_sees(api: Api) -> None:
    await api.remember("Deploys of the `secret-api`", agentId="ann", visibility="private")
    found = (await api.client.get(ENTITIES, params={"agentId": "ann"})).json()["items"]
    [hidden] = [each["entity"] for each in found if each["entity"]["name"] == "secret-api"]
    billing, _ = await two(api)
    renamed = await api.client.patch(
        f"{ENTITIES}/{hidden['id']}", json={"name": "hidden-api", "agentId": "ann"}
    )
    requests: tuple[tuple[str, str, dict[str, Any] | None], ...] = (
        ("PATCH", f"{ENTITIES}/{hidden['id']}", {"name": "mine"}),
        ("POST", f"{ENTITIES}/{hidden['id']}/pin", {}),
        ("POST", f"{ENTITIES}/{hidden['id']}/merge", {"into": billing}),
        ("POST", f"{ENTITIES}/{billing}/merge", {"into": hidden["id"]}),
        ("POST", f"{ENTITIES}/{hidden['id']}/aliases", {"alias": "mine"}),
        ("POST", f"{ENTITIES}/{hidden['id']}/split", {"name": "mine", "memoryIds": ["x"]}),
        ("POST", f"/api/knowledge/changes/{renamed.json()['changeId']}/undo", {}),
    )
    for method, path, body in requests:
        reply = await api.client.request(method, path, json=body)
        assert reply.status_code == 404, path
    assert (await api.client.get(f"{ENTITIES}/{hidden['id']}/changes")).status_code == 404


async def fact(api: Api) -> dict[str, Any]:
    """Return the fact of the one memory that there is."""
    found = (await api.client.get("/api/knowledge/constellation")).json()["entities"]
    [of] = [fact for each in found for aspect in each["aspects"] for fact in aspect["attributes"]]
    return {**of, "path": f"/api/knowledge/attributes/{of['id']}"}


async def test_a_fact_is_put_below_another_aspect(api: Api) -> None:
    await api.remember("`billing-api` stores invoices in Postgres")
    known = await fact(api)
    reply = (
        await api.client.patch(known["path"], json={"aspect": "Data Protection"}, headers=api.owner)
    ).json()
    assert reply["origin"] == "user"
    [aspect] = [
        aspect
        for each in (await api.client.get("/api/knowledge/constellation")).json()["entities"]
        for aspect in each["aspects"]
    ]
    assert (aspect["id"], aspect["name"]) == (reply["aspectId"], "Data Protection")


async def test_a_fact_that_the_user_placed_stays_there_when_its_project_changes(api: Api) -> None:
    memory = await api.remember("`billing-api` stores invoices in Postgres", project="/work/shop")
    known = await fact(api)
    await api.client.patch(known["path"], json={"kind": "constraint"}, headers=api.owner)
    body = {"type": "semantic", "reason": "it is", "project": "/work/shop"}
    assert (await api.client.patch(f"/api/memory/{memory}", json=body)).status_code == 200
    assert (await fact(api))["kind"] == "constraint"


async def test_a_fact_without_its_status_keeps_its_memory(api: Api) -> None:
    memory = await api.remember("`billing-api` stores invoices in Postgres")
    known = await fact(api)
    for status in ("superseded", "deleted", "active"):
        reply = await api.client.patch(known["path"], json={"status": status}, headers=api.owner)
        assert reply.json()["status"] == status
        assert (await api.client.get(f"/api/memory/{memory}")).status_code == 200


@pytest.mark.parametrize(
    ("actor", "status"), [("operator", 200), ("sdk", 200), ("agent", 403), ("pipeline", 403)]
)
async def test_only_the_user_makes_a_constraint(api: Api, actor: str, status: int) -> None:
    await api.remember("`billing-api` stores invoices in Postgres")
    reply = await api.client.patch(
        (await fact(api))["path"],
        json={"kind": "constraint"},
        headers={**api.owner, "x-signet-actor-type": actor},
    )
    assert reply.status_code == status


async def test_a_program_without_the_token_changes_no_fact(api: Api) -> None:
    await api.remember("`billing-api` stores invoices in Postgres")
    known = await fact(api)
    reply = await api.client.patch(known["path"], json={"kind": "constraint"})
    assert reply.status_code == 401
    assert (await fact(api))["kind"] == "attribute"


async def test_while_changes_are_frozen_nothing_is_changed(api: Api) -> None:
    billing, ledger = await two(api)
    object.__setattr__(api.kernel.get(EntityEdits), "frozen", lambda: True)
    requests: tuple[tuple[str, str, dict[str, Any] | None], ...] = (
        ("PATCH", f"{ENTITIES}/{billing}", {"name": "mine"}),
        ("POST", f"{ENTITIES}/{billing}/pin", {}),
        ("DELETE", f"{ENTITIES}/{billing}/pin", None),
        ("POST", f"{ENTITIES}/{billing}/suppress", None),
        ("POST", f"{ENTITIES}/{ledger}/merge", {"into": billing}),
        ("POST", f"{ENTITIES}/{billing}/split", {"name": "mine", "memoryIds": ["x"]}),
        ("POST", f"{ENTITIES}/{billing}/aliases", {"alias": "mine"}),
        ("DELETE", f"{ENTITIES}/{billing}/aliases/1", None),
        ("POST", "/api/knowledge/changes/x/undo", None),
        ("PATCH", "/api/knowledge/attributes/x", {"status": "deleted"}),
    )
    for method, path, body in requests:
        reply = await api.client.request(method, path, json=body, headers=api.owner)
        assert reply.status_code == 503, path


ODD_VALUES: tuple[object, ...] = (
    *(None, True, 0, -1, 1e308, 0.5, "", " ", "x", "\u0000", "\ud800", "\u202e", "🦄", "%00"),
    *("billing-api", "Ledger-API", "You", "tool", "constraint", "superseded", "a" * 200, "b" * 201),
    *([], ["x"], [None], {}, {"a": 1}),
)
FIELDS = (
    *("name", "entityType", "description", "weightOverride", "into", "memoryIds", "alias"),
    *("reason", "status", "kind", "aspect"),
)
PATHS = (
    *(("PATCH", ""), ("POST", "/pin"), ("DELETE", "/pin"), ("POST", "/merge"), ("POST", "/split")),
    *(
        ("POST", "/aliases"),
        ("DELETE", "/aliases/1"),
        ("DELETE", "/aliases/٣"),
        ("GET", "/changes"),
    ),
    *(
        ("DELETE", f"/aliases/{'9' * 18}"),
        ("DELETE", f"/aliases/{'9' * 30}"),
        ("GET", "/neighbors"),
    ),
)


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(each, marks=pytest.mark.slow) for each in range(2, 8))]
)
async def test_bad_input_is_refused_with_a_title(api: Api, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - a test
    memory = await api.remember("The `billing-api` calls the `ledger-api`")
    for _ in range(60):
        known = [*(await ids(api)).values(), memory, "x", "%00", "' OR 1"]
        target = chance.choice(known)
        values = (*ODD_VALUES, *known, [memory])
        body = {name: chance.choice(values) for name in chance.sample(FIELDS, chance.randrange(4))}
        method, path = chance.choice(PATHS)
        content = json.dumps(body).encode()
        for address, verb in (
            (f"{ENTITIES}/{target}{path}", method),
            (f"/api/knowledge/attributes/{target}", "PATCH"),
            (f"/api/knowledge/changes/{target}/undo", "POST"),
        ):
            reply = await api.client.request(verb, address, content=content, headers=api.owner)
            assert reply.status_code < 500, (verb, address, body, reply.text)
            if reply.is_error:
                assert reply.json()["title"]
                assert reply.json()["hint"] or reply.status_code in {400, 405}, reply.text


async def test_an_agent_changes_no_entity_of_another_agent(api: Api) -> None:
    await api.remember("The `open-gate` is known", agentId="ann")
    listed = await api.client.get("/api/knowledge/entities", params={"agent_id": "ann"})
    [entity] = [
        item["entity"]["id"]
        for item in listed.json()["items"]
        if item["entity"]["name"] == "open-gate"
    ]
    refused = await api.client.post(
        f"/api/knowledge/entities/{entity}/pin", params={"agent_id": "bob"}
    )
    assert (refused.status_code, "ann" in refused.json()["hint"]) == (403, True)
    done = await api.client.post(
        f"/api/knowledge/entities/{entity}/pin", params={"agent_id": "ann"}
    )
    assert done.json()["pinned"] is True
