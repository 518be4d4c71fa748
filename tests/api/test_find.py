"""GET /api/find: everything that is kept, found by one search."""

from datetime import timedelta
from typing import Any

import pytest

from fakes.api import Api
from fakes.stored_commits import hash_of, keep_commit
from intaglio.base.clock import iso
from intaglio.sessions import rows as sessions
from intaglio.sessions.values import SessionRef
from intaglio.store.tx import WriteTx
from intaglio.transcripts import rows as transcripts
from intaglio.transcripts.preparation import prepare
from intaglio.transcripts.values import SaidMessage, SessionOwner

SHOP, BAKERY = "/work/shop", "/work/bakery"


async def talked(
    api: Api, key: str, *texts: str, project: str | None = SHOP, agent: str = "default"
) -> None:
    """Store a session in which user and agent take turns, without going through the hooks."""
    now = api.kernel.clock()
    said = [
        SaidMessage(
            message_id=f"{key}-{number}",
            role="agent" if number % 2 else "user",
            text=text,
            said_at=now - timedelta(minutes=len(texts) - number),
            project=project,
        )
        for number, text in enumerate(texts)
    ]
    database = api.kernel.database
    ready = prepare(said, now, database.as_stored)

    def work(tx: WriteTx) -> None:
        sessions.touch(
            tx,
            SessionRef(harness="claude-code", id=key, agent_id=agent, project=project),
            project,
            iso(now),
        )
        transcripts.add(tx, SessionOwner("claude-code", key, agent), ready)

    await database.write(work)


async def found(api: Api, q: str, **more: str | int) -> list[dict[str, Any]]:
    """Return the groups of a search."""
    reply = await api.client.get("/api/find", params={"q": q, **more}, headers=api.owner)
    assert reply.status_code == 200, reply.text
    groups: list[dict[str, Any]] = reply.json()["groups"]
    return groups


def titles(groups: list[dict[str, Any]], kind: str) -> list[str]:
    return [item["title"] for group in groups if group["kind"] == kind for item in group["items"]]


async def test_a_word_finds_all_kinds_in_groups(api: Api) -> None:
    await api.remember("The payments gateway retries three times.", project=SHOP)
    await talked(api, "s1", "Why did the payments gateway time out?", "It ran out of sockets.")
    await keep_commit(api.kernel.database, SHOP, "Retry the payments gateway", "It drops calls.")
    groups = await found(api, "payments gateway")
    assert {group["kind"] for group in groups} >= {"memory", "memory", "session", "commit"}
    assert titles(groups, "session") == ["Why did the payments gateway time out?"]
    assert titles(groups, "commit") == ["Retry the payments gateway"]


@pytest.mark.parametrize("typed", ["gatew", "pay", "payments gat"])
async def test_a_half_word_finds_what_begins_so(api: Api, typed: str) -> None:
    await api.remember("The payments gateway retries three times.", project=SHOP)
    await talked(api, "s1", "Why did the payments gateway time out?", "It ran out of sockets.")
    await keep_commit(api.kernel.database, SHOP, "Retry the payments gateway", "It drops calls.")
    groups = await found(api, typed)
    assert {group["kind"] for group in groups} >= {"memory", "session", "commit"}


async def test_who_is_finds_the_person(api: Api) -> None:
    await api.remember("Priya Raman leads the billing team.", project=SHOP)
    await api.remember("Ask Priya before changing the invoices.", project=SHOP)
    groups = await found(api, "who is Priya")
    assert groups[0]["kind"] == "entity", groups
    assert groups[0]["items"][0]["title"].startswith("Priya")


async def test_a_kind_that_is_named_comes_first(api: Api) -> None:
    await api.remember("The outage was caused by a full disk.", project=SHOP)
    await talked(api, "s1", "The outage again: checkout fails", "Restarted the workers.")
    assert (await found(api, "the session about the outage"))[0]["kind"] == "session"
    assert (await found(api, "notes on the outage"))[0]["kind"] == "memory"


async def test_a_hash_finds_its_commit(api: Api) -> None:
    await keep_commit(api.kernel.database, SHOP, "Retry the export", "The gateway drops calls.")
    groups = await found(api, hash_of("Retry the export")[:8])
    assert [(each["kind"], each["items"][0]["score"]) for each in groups] == [("commit", 1.0)]


@pytest.mark.parametrize(
    "typed",
    [
        "",
        " ",
        "?",
        "the",
        "who is",
        "a",
        "x" * 1_000,
        "🎉",
        "データベース",
        '"OR NOT (',
        "NEAR(a b)",
        "*",
        "-",
        "^x",
        "%",
        "_",
        "session",
        "decisions on",
        "read-only gate",
        "a/b c/d",
        "foo-bar",
    ],
)
async def test_odd_input_is_answered(api: Api, typed: str) -> None:
    await api.remember("We use データベース for the orders 🎉.", project=SHOP)
    await talked(api, "s1", "Hello there", "Hello.")
    await found(api, typed)
