"""Entities over HTTP: what memories name is listed, and goes with them."""

from typing import Any

from fakes.api import Api


async def entities(api: Api, **params: str) -> dict[str, dict[str, Any]]:
    reply = await api.client.get("/api/knowledge/entities", params=params)
    assert reply.status_code == 200, reply.text
    return {item["entity"]["name"]: item for item in reply.json()["items"]}


async def test_a_remembered_name_is_an_entity_with_its_mention(api: Api) -> None:
    text = "Ask Marco Rossi about the `billing-api` deploys"
    memory = await api.remember(text)
    found = await entities(api)
    reply = await api.client.get(
        f"/api/knowledge/entities/{found['billing-api']['entity']['id']}/mentions"
    )
    [mention] = reply.json()["items"]
    assert mention["memoryId"] == memory
    assert text[mention["start"] : mention["end"]] == mention["surface"]
    stats = (await api.client.get("/api/knowledge/stats")).json()
    assert stats["coveragePercent"] == 100.0
