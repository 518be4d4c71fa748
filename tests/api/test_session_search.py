"""Sessions in lists: told apart by titles, found by what was said, filtered by day."""

from typing import Any

import pytest

from fakes.api import Api
from fakes.talked import talked
from intaglio.store.tx import WriteTx

SHOP, BAKERY = "/work/shop", "/work/bakery"


async def listed(api: Api, **params: str | int) -> list[dict[str, Any]]:
    reply = await api.client.get("/api/sessions", params=params, headers=api.owner)
    assert reply.status_code == 200, reply.text
    found: list[dict[str, Any]] = reply.json()["sessions"]
    return found


async def test_two_sessions_of_a_project_are_told_apart(api: Api) -> None:
    await talked(api, "s1", "The checkout is down again.", "Restarted.", "Thanks.")
    await talked(api, "s2", "Make the invoices smaller.", "Done.")
    rows = {each["key"]: each for each in await listed(api)}
    assert {each["title"] for each in rows.values()} == {
        "The checkout is down again.",
        "Make the invoices smaller.",
    }
    assert (rows["s1"]["messages"], rows["s2"]["messages"]) == (3, 2)
    assert rows["s1"]["firstPrompt"] == "The checkout is down again."
    assert (rows["s1"]["passage"], rows["s1"]["words"]) == ("", [])


async def test_a_session_of_which_nothing_is_known_is_named_by_its_place_and_day(api: Api) -> None:
    await talked(api, "s1")
    (row,) = await listed(api)
    assert row["title"].startswith("Session in shop, 20")


async def test_what_was_kept_is_listed(api: Api) -> None:
    await talked(api, "s1", "Which port?", "4850.")
    await api.remember("The daemon listens on port 4850.", sessionId="s1", project=SHOP)
    (row,) = await listed(api)
    assert row["kept"] == ["The daemon listens on port 4850."]


async def test_a_search_finds_what_was_said_and_shows_it(api: Api) -> None:
    await talked(
        api, "s1", "Something is odd in the shop.", "What is?", "The checkout is down again."
    )
    await talked(api, "s2", "Make the invoices smaller.", "Done.")
    (row,) = await listed(api, q="checkout")
    assert (row["key"], row["passage"]) == ("s1", "The checkout is down again.")
    assert row["words"] == ["checkout"]
    assert await listed(api, q="checkout", project=BAKERY) == []
    assert await listed(api, q="checkout", harness="codex") == []
    assert await listed(api, q="walnut") == []


async def test_a_search_finds_what_was_kept(api: Api) -> None:
    await talked(api, "s1", "Which port?", "4850.")
    await api.remember("The daemon listens on a zebra port.", sessionId="s1", project=SHOP)
    (row,) = await listed(api, q="zebra")
    assert (row["key"], row["passage"]) == ("s1", "The daemon listens on a zebra port.")


async def test_a_search_has_one_page(api: Api) -> None:
    query = {"q": "checkout", "cursor": "2026-03-02T10:00:00.000Z~1"}
    reply = await api.client.get("/api/sessions", params=query, headers=api.owner)
    assert (reply.status_code, reply.json()["title"]) == (400, "Invalid request")


@pytest.mark.usefixtures("far_east")
async def test_a_day_is_the_whole_day_on_the_machines_clock(api: Api) -> None:
    await talked(api, "s1", "Hello there.", "Hi.")

    def moved(tx: WriteTx) -> None:
        # Ten in the morning of the second of March there.
        tx.execute("UPDATE sessions SET last_seen_at = '2026-03-01T20:00:00.000Z'")

    await api.kernel.database.write(moved)
    assert len(await listed(api, since="2026-03-02", until="2026-03-02")) == 1
    assert await listed(api, since="2026-03-01", until="2026-03-01") == []
    assert await listed(api, since="2026-03-03") == []
    assert (await api.client.get("/api/sessions?since=2026-13-45")).status_code == 400
