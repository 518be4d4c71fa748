"""Memories found by the start or the end of their ids."""

import pytest

from fakes.api import Api


async def matches(api: Api, prefix: str, **more: str) -> list[str]:
    reply = await api.client.get("/api/memories/ids", params={"prefix": prefix, **more})
    assert reply.status_code == 200, reply.text
    return [row["id"] for row in reply.json()["memories"]]


async def test_ids_are_matched_by_their_start_forgotten_ones_too(api: Api) -> None:
    one, two = await api.remember("Tea at five"), await api.remember("Tea at six")
    await api.client.request("DELETE", f"/api/memory/{two}", json={"reason": "old"})
    assert await matches(api, one) == [one]
    assert await matches(api, one[:-1]) in ([one], [one, two])
    assert set(await matches(api, one[:4])) == {one, two}
    assert await matches(api, "zz") == []


async def test_ids_are_matched_by_their_end_too(api: Api) -> None:
    one, two = await api.remember("Tea at five"), await api.remember("Tea at six")
    await api.client.request("DELETE", f"/api/memory/{two}", json={"reason": "old"})
    assert await matches(api, "zz", suffix=one[-8:]) == [one]
    assert await matches(api, "zz", suffix=two[-8:]) == [two]
    assert await matches(api, one, suffix=two) == [one]
    assert await matches(api, "zz", suffix="zz") == []


async def test_unreadable_memories_do_not_match(api: Api) -> None:
    own = await api.remember("Mine", agentId="ann", visibility="private")
    assert await matches(api, own) == []
    assert await matches(api, "zz", suffix=own[-8:]) == []
    assert await matches(api, own, agentId="ann") == [own]


async def test_a_long_list_of_matches_says_it_is_cut(api: Api) -> None:
    for number in range(21):
        await api.remember(f"Cup {number}")
    reply = await api.client.get("/api/memories/ids", params={"prefix": "0"})
    assert (len(reply.json()["memories"]), reply.json()["more"]) == (20, True)


@pytest.mark.parametrize("prefix", ["", "%", "a b", "x" * 201, "'"])
async def test_text_that_cannot_start_an_id_is_refused(api: Api, prefix: str) -> None:
    reply = await api.client.get("/api/memories/ids", params={"prefix": prefix})
    assert reply.status_code == 400
