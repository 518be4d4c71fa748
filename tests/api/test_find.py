"""GET /api/find: everything that is kept, found by one search."""

from typing import Any

import pytest

from fakes.api import Api
from fakes.inbox import suggest, suggestion
from fakes.stored_commits import hash_of, keep_commit
from fakes.talked import talked
from intaglio.daemon.live_settings import LiveSettings
from intaglio.memory import rows as memories
from intaglio.projects import rows as projects
from intaglio.sessions import rows as sessions
from intaglio.sessions.values import SessionRef
from intaglio.store.tx import WriteTx

SHOP, BAKERY = "/work/shop", "/work/bakery"
NOW = "2026-03-02T10:00:00.000Z"


def said_without_transcript(tx: WriteTx, key: str) -> None:
    """Record a session of which only what capture judged is stored."""
    ref = SessionRef(harness="claude-code", id=key, project=SHOP)
    sessions.touch(tx, ref, SHOP, NOW)
    tx.execute(
        "INSERT INTO considered_statements(harness, session_id, message_id, start_char, end_char, "
        "recorded_at, agent_id, sentence, content, type, everywhere, confidence) "
        "VALUES ('claude-code', ?, 'm', 0, 10, ?, 'default', ?, ?, 'rule', 0, 0.3)",
        (key, NOW, "Never import a zebra twice.", "Never import a zebra twice."),
    )


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
    assert {group["kind"] for group in groups} >= {"memory", "session", "commit"}
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


async def test_what_the_user_prefers_finds_no_entity_of_the_user(api: Api) -> None:
    await api.remember("I prefer tabs over spaces in Makefiles.", type="preference")
    assert titles(await found(api, "you"), "entity") == ["You"]
    assert "You" not in titles(await found(api, "tabs over spaces"), "entity")


async def test_a_kind_that_is_named_comes_first(api: Api) -> None:
    await api.remember("The outage was caused by a full disk.", project=SHOP)
    await talked(api, "s1", "The outage again: checkout fails", "Restarted the workers.")
    assert (await found(api, "the session about the outage"))[0]["kind"] == "session"
    assert (await found(api, "notes on the outage"))[0]["kind"] == "memory"


async def test_a_hash_finds_its_commit(api: Api) -> None:
    await keep_commit(api.kernel.database, SHOP, "Retry the export", "The gateway drops calls.")
    groups = await found(api, hash_of("Retry the export")[:8])
    assert [(each["kind"], each["items"][0]["score"]) for each in groups] == [("commit", 1.0)]


ODD = (
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
)


async def test_odd_input_is_answered(api: Api) -> None:
    await api.remember("We use データベース for the orders 🎉.", project=SHOP)
    await talked(api, "s1", "Hello there", "Hello.")
    for typed in ODD:
        await found(api, typed)


async def test_an_agent_finds_only_what_it_may_read(api: Api) -> None:
    agent = {"id": "eve", "read_policy": "isolated"}
    assert (await api.client.post("/api/agents", json=agent, headers=api.owner)).is_success
    await api.remember("Priya Raman leads the zebra team.", project=SHOP)
    await talked(api, "s1", "Where does the zebra import run?", "On the night machine.")
    new, context = suggestion("Feed the zebra at noon."), api.kernel.change_context
    await api.kernel.database.write(lambda tx: suggest(tx, context, new))
    assert {each["kind"] for each in await found(api, "zebra")} >= {"memory", "session", "inbox"}
    assert await found(api, "zebra", agentId="eve") == []
    assert await found(api, "who is Priya", agentId="eve") == []


async def test_an_inbox_item_says_whether_it_waits_and_nothing_else_has_a_state(api: Api) -> None:
    new, context = suggestion("Feed the zebra at noon."), api.kernel.change_context
    item = await api.kernel.database.write(lambda tx: suggest(tx, context, new))

    async def states() -> dict[str, str]:
        groups = await found(api, "zebra")
        return {each["kind"]: each["state"] for group in groups for each in group["items"]}

    assert await states() == {"inbox": "open"}
    body = {"action": "keep"}
    reply = await api.client.post(f"/api/inbox/{item}", json=body, headers=api.owner)
    assert reply.is_success, reply.text
    assert await states() == {"inbox": "decided", "memory": "", "entity": ""}


async def test_a_forgotten_memory_is_found_nowhere(api: Api) -> None:
    memory = await api.remember("Priya Raman leads the zebra team.", project=SHOP)
    assert await found(api, "zebra")
    reply = await api.client.delete(f"/api/memory/{memory}", params={"reason": "wrong"})
    assert reply.is_success, reply.text
    assert await found(api, "zebra") == []
    assert await found(api, "Priya") == []


async def test_what_is_in_an_archived_project_is_found_only_there(api: Api) -> None:
    await api.remember("The zebra import runs at night.", project=SHOP)
    await talked(api, "s1", "Where does the zebra import run?", "On the night machine.")
    await keep_commit(api.kernel.database, SHOP, "Move the zebra import", "It blocked others.")
    await api.kernel.database.write(lambda tx: projects.set_archived(tx, SHOP, NOW))
    assert await found(api, "zebra") == []
    there = await found(api, "zebra", project=SHOP)
    assert {each["kind"] for each in there} >= {"memory", "session", "commit"}
    (listed,) = await found(api, "shop")
    assert (listed["kind"], listed["items"][0]["detail"][:8]) == ("project", "Archived")


async def test_with_a_project_only_its_own_and_what_all_share_is_found(api: Api) -> None:
    await api.remember("The zebra import runs at night.", project=SHOP)
    await api.remember("The zebra oven is cold.", project=BAKERY)
    await api.remember("Every zebra is striped.")
    await talked(api, "s1", "A zebra in the shop", "Yes.")
    await talked(api, "s2", "A zebra in the bakery", "Yes.", project=BAKERY)
    groups = await found(api, "zebra", project=BAKERY)
    assert set(titles(groups, "memory")) == {"The zebra oven is cold.", "Every zebra is striped."}
    assert titles(groups, "session") == ["A zebra in the bakery"]


async def test_a_project_is_found_by_its_name_and_its_folder(api: Api) -> None:
    await api.remember("The oven is cold.", project=BAKERY)
    for typed in ("bakery", "bak", "/work/bakery"):
        groups = await found(api, typed)
        assert "bakery" in titles(groups, "project"), typed


async def test_why_something_matches_is_shown_and_marked(api: Api) -> None:
    long = "We looked at many things that day. " * 20
    await api.remember(f"{long}The zebra import runs at night. {long}", project=SHOP)
    (item,) = (await found(api, "zebra imports"))[0]["items"]
    assert "zebra import runs" in item["text"]
    assert len(item["text"]) < 200
    assert set(item["words"]) == {"zebra", "import"}


async def test_a_replaced_memory_stands_behind_what_holds(api: Api) -> None:
    old = await api.remember("The zebra import runs at night.", project=SHOP)
    new = await api.remember("The zebra import runs at noon.", project=SHOP)

    def replaced(tx: WriteTx) -> None:
        memories.set_replaced(tx, old, new, NOW)

    await api.kernel.database.write(replaced)
    (group,) = [each for each in await found(api, "zebra import") if each["kind"] == "memory"]
    assert [each["id"] for each in group["items"]] == [new, old]
    assert group["items"][1]["detail"] == "Fact · replaced"


async def test_a_limit_is_kept_and_more_is_told(api: Api) -> None:
    for number in range(4):
        await api.remember(f"Zebra number {number} is in the shop.", project=SHOP)
    (group,) = [each for each in await found(api, "zebra", limit=2) if each["kind"] == "memory"]
    assert (len(group["items"]), group["more"]) == (2, True)


async def test_sessions_are_found_without_transcripts(api: Api) -> None:
    file = api.kernel.running.paths.settings
    file.write_text("capture: {transcripts: false}\n", encoding="utf-8")
    api.kernel.get(LiveSettings).refresh()
    await api.kernel.database.write(lambda tx: said_without_transcript(tx, "s9"))
    groups = await found(api, "the session about the zebra")
    assert titles(groups, "session") == ["Never import a zebra twice."]


@pytest.mark.parametrize("typed", ["paymnts", "paymetns gateway", "the gatewey ", "gatewaay"])
async def test_a_word_with_a_typing_error_finds_what_was_meant(api: Api, typed: str) -> None:
    await api.remember("The payments gateway retries three times.", project=SHOP)
    await talked(api, "s1", "Why did the payments gateway time out?", "It ran out of sockets.")
    groups = await found(api, typed)
    assert {group["kind"] for group in groups} >= {"memory", "session"}
    reply = await api.client.get("/api/sessions", params={"q": typed}, headers=api.owner)
    assert [each["key"] for each in reply.json()["sessions"]] == ["s1"]


@pytest.mark.parametrize("typed", ["notificat", "notificatio", "notifcations", "late notificatons"])
async def test_a_word_beyond_its_stem_may_be_half_or_misspelled(api: Api, typed: str) -> None:
    await talked(api, "s1", "Why do the notifications come late?", "The queue was full.")
    assert titles(await found(api, typed), "session") == ["Why do the notifications come late?"]


async def test_the_beginning_of_a_word_is_no_typing_error(api: Api) -> None:
    await api.remember("The payments gateway retries three times.", project=SHOP)
    await api.remember("The gates are locked at night.", project=SHOP)
    assert titles(await found(api, "gatew"), "memory") == [
        "The payments gateway retries three times."
    ]


async def test_a_word_that_only_a_name_has_is_no_typing_error(api: Api) -> None:
    await api.remember("The harbour has a crane.", project="/work/harbours")
    await api.remember("A barbour jacket keeps the rain off.", project=SHOP)
    groups = await found(api, "harbours")
    assert "harbours" in titles(groups, "project")
