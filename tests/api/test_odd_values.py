"""Values that mean nothing, or more than they seem to: no fault, no loss, nothing told."""

import pytest

from fakes.api import Api

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.mark.parametrize("field", ["idempotencyKey", "sourceId"])
@pytest.mark.parametrize("blank", ["", " "])
async def test_blank_keys_and_sources_do_not_merge_memories(
    api: Api, field: str, blank: str
) -> None:
    first = await api.remember("The harbour opens at six", **{field: blank})
    assert await api.remember("The bakery opens at seven", **{field: blank}) != first


async def test_a_hook_with_a_blank_key_keeps_each_memory(api: Api) -> None:
    ids = set[str]()
    for content in ("The harbour opens at six", "The bakery opens at seven"):
        body = {"harness": "openclaw", "content": content, "idempotencyKey": ""}
        reply = await api.client.post("/api/hooks/remember", json=body)
        assert reply.status_code == 200, reply.text
        ids.add(reply.json()["id"])
    assert len(ids) == 2


@pytest.mark.parametrize("tags", [f"work,{SECRET}", ["work", SECRET]])
async def test_a_secret_in_a_changed_tag_is_redacted(api: Api, tags: object) -> None:
    memory = await api.remember("The harbour opens at six")
    body = {"reason": "why", "tags": tags}
    assert (await api.client.patch(f"/api/memory/{memory}", json=body)).status_code == 200
    shown = await api.client.get(f"/api/memory/{memory}")
    assert shown.json()["tags"].startswith("work,")
    assert SECRET.lower() not in shown.text.lower()


@pytest.mark.parametrize("mode", ["preview", "execute"])
@pytest.mark.parametrize("project", [" ", "\0", "\\"])
async def test_a_blank_project_filter_does_not_select_every_memory(
    api: Api, project: str, mode: str
) -> None:
    memory = await api.remember("The harbour opens at six")
    body = {"mode": mode, "project": project, "reason": "why"}
    reply = await api.client.post("/api/memory/forget", json=body)
    assert (reply.status_code, reply.json()["error"]) == (400, "Invalid project")
    assert (await api.client.get(f"/api/memory/{memory}")).status_code == 200


@pytest.mark.parametrize("project", [" ", "\0"])
async def test_a_change_to_a_blank_project_does_not_make_it_global(api: Api, project: str) -> None:
    memory = await api.remember("The harbour opens at six", project="docks")
    body = {"reason": "why", "project": project}
    assert (await api.client.patch(f"/api/memory/{memory}", json=body)).status_code == 400
    shown = (await api.client.get(f"/api/memory/{memory}")).json()
    assert shown["project"] == "docks"


async def test_a_conflict_does_not_name_what_the_asker_may_not_read(api: Api) -> None:
    hidden = await api.remember("The vault is in Bern", agentId="ann", visibility="private")
    bait = await api.remember("The vault is in Bern", agentId="ann")
    body = {"reason": "why", "visibility": "private"}
    reply = await api.client.patch(f"/api/memory/{bait}", json=body)
    assert reply.status_code == 409
    assert hidden not in reply.text
    own = await api.client.patch(f"/api/memory/{bait}?agentId=ann", json=body)
    assert own.json()["duplicateMemoryId"] == hidden
