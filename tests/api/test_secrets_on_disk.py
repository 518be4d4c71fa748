"""A secret in any text that a request can carry reaches no file, whatever the field is called."""

import json
import random
from pathlib import Path

import pytest

from fakes.api import Api, described, running_api
from fakes.inbox import suggest, suggestion
from fakes.planted_secrets import Plan, Planted, made_up_key

_MIN_ACCEPTED = 60


def _source() -> random.Random:
    return random.Random(7)  # noqa: S311 - the same keys each time


async def _is_accepted(api: Api, planted: Planted) -> bool:
    token = api.install.hook_token if planted.by_hook else api.install.token
    reply = await api.client.request(
        planted.method,
        planted.path,
        json=planted.body,
        params=planted.query,
        headers={"authorization": f"Bearer {token}", **planted.headers},
    )
    assert reply.status_code < 500, (planted.where, reply.text)
    return reply.is_success


def _on_disk(home: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(home.rglob("*")) if file.is_file())


async def test_no_field_of_a_request_stores_a_secret(tmp_path: Path) -> None:
    async with running_api(tmp_path) as api:
        memory = await api.remember("The cache of the shop is Redis.")
        context = api.kernel.change_context
        item = await api.kernel.database.write(lambda tx: suggest(tx, context, suggestion()))
        entities = (await api.client.get("/api/knowledge/entities")).json()["items"]
        entity = entities[0]["entity"]["id"]
        plan = list(Plan(json.loads(described()), memory, _source(), item, entity).requests())
        accepted = {each.where for each in plan if await _is_accepted(api, each)}
        await api.kernel.settled()
        written = _on_disk(tmp_path)
    assert sorted({each.where for each in plan if each.secret.encode() in written}) == []
    assert b"[redacted:" in written
    assert len(accepted) >= _MIN_ACCEPTED, accepted


async def test_keys_that_differ_only_in_a_secret_stay_two(api: Api) -> None:
    source = _source()
    first, second = made_up_key(source), made_up_key(source)
    one = await api.remember("The build is cached.", idempotencyKey=f"build-{first}")
    two = await api.remember("The tests are cached.", idempotencyKey=f"build-{second}")
    again = await api.remember("The docs are cached.", idempotencyKey=f"build-{first}")
    assert one != two
    assert again == one


@pytest.mark.parametrize("visibility", ["global", "private"])
async def test_a_memory_is_found_by_the_agent_and_project_that_it_was_saved_with(
    api: Api, visibility: str
) -> None:
    source = _source()
    agent = f"a-{made_up_key(source)}"
    scope = {"agentId": agent, "project": f"/srv/{made_up_key(source)}"}
    saved = await api.remember("The tea is green.", **scope, visibility=visibility)
    found = await api.recall("Which tea is there?", **scope)
    assert [memory["id"] for memory in found] == [saved]
    listed = await api.client.get("/api/memories", params=scope, headers=api.owner)
    assert [memory["id"] for memory in listed.json()["memories"]] == [saved]
    changed = await api.client.patch(
        f"/api/memory/{saved}",
        json={"content": "The tea is black.", "reason": "x"},
        headers={"x-signet-agent-id": agent},
    )
    assert changed.status_code == 200, changed.text


async def test_a_source_is_recognised_by_the_id_it_was_sent_with(api: Api) -> None:
    source = {"sourceType": "file", "sourceId": f"notes/{made_up_key(_source())}"}
    saved = await api.remember("The door is blue.", **source)
    assert await api.remember("The door is red.", **source) == saved
