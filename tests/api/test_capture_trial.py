"""What capture would make of a text, tried before anything is connected; nothing is stored."""

from typing import Any

import pytest

from fakes.api import Api

RULE = "Never push to main without a review."


async def tried(api: Api, text: str, **more: object) -> Any:  # noqa: ANN401 - JSON
    body = {"text": text, **more}
    reply = await api.client.post("/api/capture/try", json=body, headers=api.owner)
    assert reply.status_code == 200, reply.text
    return reply.json()


async def counted(api: Api, sql: str) -> int:
    return await api.kernel.database.read(lambda tx: tx.count(sql))


async def test_a_rule_would_be_kept_and_told_at_the_next_start(api: Api) -> None:
    found = await tried(api, f"Thanks! {RULE} What is left to do?")
    (kept,) = [one for one in found["statements"] if one["outcome"] == "kept"]
    assert (kept["content"], kept["type"], kept["everywhere"]) == (RULE, "rule", False)
    assert f"- {RULE}" in found["told"].splitlines()


async def test_what_holds_everywhere_is_said_to(api: Api) -> None:
    found = await tried(api, "Never use force push in any of my projects.")
    assert [one["everywhere"] for one in found["statements"]] == [True]
    assert "all projects" in found["told"]


@pytest.mark.parametrize("text", ["Can you fix the login test?", "thanks", " "])
async def test_what_asks_for_something_once_would_not_be_kept(api: Api, text: str) -> None:
    found = await tried(api, text)
    assert not [one for one in found["statements"] if one["outcome"] != "considered"]
    assert not found["told"]


async def test_trying_stores_nothing(api: Api) -> None:
    await tried(api, RULE, project="/srv/quarry")
    for table in ("memories", "statements", "considered_statements", "inbox_items", "sessions"):
        count = f"SELECT count(*) FROM {table}"  # noqa: S608 - a table of the schema
        assert await counted(api, count) == 0


async def test_a_secret_is_taken_out_before_it_is_shown(api: Api) -> None:
    key = "AKI" + "A" + "QWERTYUIOPASDFGH"
    found = await tried(api, f"Always deploy with the key {key} from now on.")
    assert key not in str(found)


async def test_only_the_user_may_try(api: Api) -> None:
    assert (await api.client.post("/api/capture/try", json={"text": RULE})).status_code == 401


@pytest.mark.parametrize("body", [{}, {"text": ""}, {"text": "x" * 2_001}, {"text": 7}])
async def test_a_text_is_required_and_short(api: Api, body: dict[str, object]) -> None:
    reply = await api.client.post("/api/capture/try", json=body, headers=api.owner)
    assert reply.status_code == 400
    assert reply.json()["hint"]
