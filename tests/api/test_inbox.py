"""The inbox over HTTP: listing, deciding once, undoing, and who may do it."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import httpx
import pytest

from fakes.api import Api
from fakes.inbox import claim, evidence, remember, suggest, suggestion
from fakes.talked import talked
from intaglio.base.events import Changed
from intaglio.capture.settings import CaptureSettings
from intaglio.inbox import operations as inbox
from intaglio.inbox.values import NewSuggestion
from intaglio.memory.values import Duplicate
from intaglio.sessions.statements.contradictions import contradiction
from intaglio.sessions.statements.wider_scopes import wider_scope

UNKNOWN = "0199-unknown"


async def add(api: Api, new: NewSuggestion | None = None) -> str:
    context = api.kernel.change_context
    return await api.kernel.database.write(lambda tx: suggest(tx, context, new or suggestion()))


async def add_contradiction(api: Api) -> tuple[str, str, str]:
    """Return the ids of an item, of its older and its newer memory."""
    context = api.kernel.change_context

    def work(tx: Any) -> tuple[str, str, str]:  # noqa: ANN401 - a transaction
        older = remember(tx, context, "Use Jest.")
        newer = remember(tx, context, "Use Vitest, not Jest.")
        made = contradiction(tx, newer, older, evidence("use vitest, not jest"), context)
        assert made is not None
        return made, older, newer

    return await api.kernel.database.write(work)


async def listed(api: Api, **query: str | int) -> list[dict[str, Any]]:
    reply = await api.client.get("/api/inbox", params=query)
    assert reply.status_code == 200, reply.text
    items: list[dict[str, Any]] = reply.json()["items"]
    return items


async def sessions_of(api: Api) -> list[dict[str, Any]]:
    sessions: list[dict[str, Any]] = (await api.client.get("/api/sessions")).json()["sessions"]
    return sessions


async def post(api: Api, path: str, body: object) -> httpx.Response:
    return await api.client.post(f"/api/inbox/{path}", json=body, headers=api.owner)


async def live(api: Api) -> list[dict[str, Any]]:
    """Return the memories that hold, or that a newer one denies."""
    reply = await api.client.get("/api/memories", params={"as_of": "2100-01-01T00:00:00Z"})
    memories: list[dict[str, Any]] = reply.json()["memories"]
    return memories


async def test_an_item_shows_what_the_user_said(api: Api) -> None:
    added = await add(api)
    (item,) = await listed(api)
    assert item == {
        "id": added,
        "kind": "suggestion",
        "status": "open",
        "content": "Use pnpm in this repository.",
        "type": "rule",
        "project": "/work/shop",
        "agent": "default",
        "confidence": 0.6,
        "keep_at": CaptureSettings().keep_at,
        "evidence": [
            {
                "sentence": "oh, and use pnpm in this repository.",
                "by": "user",
                "harness": "claude-code",
                "session_id": "s1",
                "session": None,
                "message_id": "m1",
                "start": 0,
                "end": 36,
                "said_at": "2026-01-30T08:00:00.000Z",
            }
        ],
        "origin": "user",
        "source": "claude-code",
        "created": item["created"],
        "expires": item["expires"],
        "decided": None,
        "action": None,
        "memory_id": None,
        "memories": [],
        "entities": [],
        "session_title": "",
        "change": None,
    }
    assert item["expires"] > item["created"]
    assert (await api.client.get(f"/api/inbox/{added}")).json() == item
    matched = (await api.client.get("/api/inbox/ids", params={"prefix": added[:14]})).json()
    assert matched == {"items": [item], "more": False}
    ends = {"prefix": "zz", "suffix": added[-8:]}
    assert (await api.client.get("/api/inbox/ids", params=ends)).json() == matched


async def test_a_contradiction_shows_both_memories(api: Api) -> None:
    _, older, newer = await add_contradiction(api)
    (item,) = await listed(api, kind="contradiction")
    assert item["content"] == "Use Vitest, not Jest."
    assert [(each["id"], each["content"]) for each in item["memories"]] == [
        (older, "Use Jest."),
        (newer, "Use Vitest, not Jest."),
    ]
    assert item["expires"] is None


async def test_the_inbox_is_filtered_and_counted(api: Api) -> None:
    first = await add(api)
    other = await add(api, suggestion("Two reviews per change.", message="m2", project=None))
    made, _, _ = await add_contradiction(api)
    assert {each["id"] for each in await listed(api)} == {first, other, made}
    assert [each["id"] for each in await listed(api, project="shop")] == [made, first]
    assert [each["id"] for each in await listed(api, project="/work/shop", limit=1)] == [made]
    assert [each["id"] for each in await listed(api, kind="suggestion")] == [other, first]
    counts = (await api.client.get("/api/inbox/counts")).json()
    kinds = (
        *("possible_merge", "wider_scope", "one_off_task", "proposed_change"),
        *("agent_changes", "stale", "taken_back", "workspace_conflict"),
    )
    assert counts == {"open": 3, "suggestion": 2, "contradiction": 1, **dict.fromkeys(kinds, 0)}
    assert (await api.client.get("/api/status")).json()["inbox"] == 3
    await post(api, other, {"action": "drop"})
    assert [each["id"] for each in await listed(api, status="done")] == [other]
    assert (await api.client.get("/api/status")).json()["inbox"] == 2


async def test_pages_follow_each_other_while_items_are_decided(api: Api) -> None:
    ids = [await add(api, suggestion(f"Rule {n}", message=f"m{n}")) for n in range(5)]
    seen: list[str] = []
    query: dict[str, str] = {"limit": "2"}
    while True:
        page = (await api.client.get("/api/inbox", params=query)).json()
        seen += [each["id"] for each in page["items"]]
        await post(api, "bulk", {"ids": seen, "action": "drop"})
        if page["cursor"] is None:
            break
        query["cursor"] = page["cursor"]
    assert seen == ids[::-1]


async def test_keeping_makes_a_memory_of_the_user(api: Api) -> None:
    added = await add(api)
    reply = await post(api, added, {"action": "keep"})
    assert reply.status_code == 200, reply.text
    (memory,) = await live(api)
    assert (reply.json()["status"], reply.json()["action"]) == ("done", "keep")
    assert reply.json()["memory_id"] == memory["id"]
    assert memory["content"] == "Use pnpm in this repository."
    assert memory["who"] == "user"
    assert memory["confidence"] == 1.0
    assert memory["type"] == "rule"
    assert memory["project"] == "/work/shop"
    assert memory["source_id"] == "m1#1"
    assert memory["session_id"] == "s1"
    assert await listed(api) == []


async def test_a_kept_claim_of_an_agent_is_not_the_users_words(
    api: Api,
) -> None:
    added = await add(api, claim())
    (item,) = await listed(api)
    assert (item["origin"], item["source"]) == ("agent", "agent")
    assert [(each["by"], each["sentence"]) for each in item["evidence"]] == [
        ("agent", "Deploy with make ship.")
    ]
    kept = (await post(api, added, {"action": "keep"})).json()["memory_id"]
    (memory,) = await live(api)
    assert (memory["source_type"], memory["who"]) == ("agent", "user")
    (event,) = (await api.client.get(f"/api/memory/{kept}/history")).json()["history"]
    assert event["reason"] == "accepted in the inbox"
    assert event["actorType"] == "operator"
    said = await api.client.get(f"/api/memories/{kept}/evidence")
    assert said.json() == {"items": []}


async def test_a_suggestion_is_edited_on_keeping(api: Api) -> None:
    added = await add(api)
    edit = {"content": "Use pnpm, with a lockfile.", "type": "decision", "project": None}
    assert (await post(api, added, {"action": "keep", **edit})).status_code == 200
    (memory,) = await live(api)
    assert [memory[name] for name in edit] == list(edit.values())
    # Said again in the former words, it is known.
    again = suggestion(message="m2")
    context = api.kernel.change_context
    outcome = await api.kernel.database.write(lambda tx: inbox.suggest(tx, again, context))
    assert isinstance(outcome, Duplicate)
    assert outcome.memory.id == memory["id"]


async def test_a_known_memory_is_not_made_twice_and_not_undone(api: Api) -> None:
    added = await add(api)
    known = await api.remember("Use pnpm in this repository", project="/work/shop")
    kept = await post(api, added, {"action": "keep"})
    assert kept.json()["memory_id"] == known
    undone = (await post(api, "undo", {"ids": [added]})).json()
    assert undone["changed"] == 1
    assert [each["id"] for each in await live(api)] == [known]


@pytest.mark.parametrize("action", ["keep", "drop"])
async def test_undoing_opens_a_suggestion_again(api: Api, action: str) -> None:
    added = await add(api)
    await post(api, added, {"action": action})
    assert len(await live(api)) == (action == "keep")
    undone = (await post(api, "undo", {"ids": [added, added, UNKNOWN]})).json()
    assert [each["status"] for each in undone["results"]] == ["open", "not_found"]
    assert await live(api) == []
    assert [each["id"] for each in await listed(api)] == [added]
    # And again: nothing is left over that stands in the way.
    assert (await post(api, added, {"action": "keep"})).status_code == 200
    assert len(await live(api)) == 1


async def test_a_memory_that_was_changed_since_is_not_undone(api: Api) -> None:
    added = await add(api)
    kept = (await post(api, added, {"action": "keep"})).json()["memory_id"]
    change = {"content": "Use pnpm and corepack.", "reason": "more exact"}
    await api.client.patch(f"/api/memory/{kept}", json=change)
    (result,) = (await post(api, "undo", {"ids": [added]})).json()["results"]
    assert result["status"] == "refused"
    assert result["hint"]
    assert len(await live(api)) == 1


@pytest.mark.parametrize(
    ("action", "left", "told"),
    [
        ("newer_wins", 2, "the newer memory wins"),
        ("drop", 1, "the older memory wins"),
        ("keep_both", None, "both are kept"),
    ],
)
async def test_a_decision_on_a_contradiction_is_undone(
    api: Api, action: str, left: int | None, told: str
) -> None:
    both = await add_contradiction(api)
    made, older, newer = both
    assert (await post(api, made, {"action": action})).status_code == 200
    again = (await post(api, made, {"action": action})).json()
    assert again["detail"] == f"This item is already decided: {told}"
    remaining = {older, newer} if left is None else {both[left]}
    assert {each["id"] for each in await live(api)} == remaining
    if left is not None:
        gone = ({older, newer} - remaining).pop()
        history = (await api.client.get(f"/api/memory/{gone}/history")).json()["history"]
        assert "inbox" in history[-1]["reason"]
    assert (await post(api, "undo", {"ids": [made]})).json()["changed"] == 1
    assert {each["id"] for each in await live(api)} == {older, newer}
    assert [each["id"] for each in await listed(api)] == [made]


async def test_an_open_item_has_no_decision_to_undo(api: Api) -> None:
    (result,) = (await post(api, "undo", {"ids": [await add(api)]})).json()["results"]
    assert (result["status"], result["error"]) == ("not_done", "This item is still open")


async def test_a_pinned_memory_is_not_forgotten(api: Api) -> None:
    made, older, newer = await add_contradiction(api)
    await api.client.patch(f"/api/memory/{newer}", json={"pinned": True, "reason": "x"})
    reply = await post(api, made, {"action": "drop"})
    assert (reply.status_code, reply.json()["hint"]) == (409, "Unpin it first.")
    assert {each["id"] for each in await live(api)} == {older, newer}
    assert [each["id"] for each in await listed(api)] == [made]


async def test_the_second_of_two_decisions_learns_of_the_first(api: Api) -> None:
    added = await add(api)
    replies = await asyncio.gather(
        *(post(api, added, {"action": action}) for action in ("keep", "drop", "keep", "drop"))
    )
    codes = sorted(reply.status_code for reply in replies)
    assert codes == [200, 409, 409, 409]
    (winner,) = [reply.json() for reply in replies if reply.status_code == 200]
    for reply in replies:
        if reply.status_code == 409:
            told = reply.json()
            assert (told["action"], told["memory_id"]) == (winner["action"], winner["memory_id"])
            assert told["title"]
            assert told["hint"]
    assert len(await live(api)) == (winner["action"] == "keep")


async def test_many_items_are_decided_independently(api: Api) -> None:
    first, second = await add(api), await add(api, suggestion("Tabs.", message="m2"))
    made, _, _ = await add_contradiction(api)
    await post(api, second, {"action": "drop"})
    ids = [first, second, made, UNKNOWN, first]
    reply = (await post(api, "bulk", {"ids": ids, "action": "keep"})).json()
    assert (reply["requested"], reply["changed"]) == (4, 1)
    assert [(each["id"], each["status"]) for each in reply["results"]] == [
        (first, "done"),
        (second, "already_done"),
        (made, "wrong_action"),
        (UNKNOWN, "not_found"),
    ]
    assert reply["results"][1]["action"] == "drop"
    assert all(each["hint"] for each in reply["results"][1:])


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("{}", {"action": "keep", "content": "  "}, 400),
        ("{}", {"action": "keep", "content": None}, 400),
        ("{}", {"action": "keep", "content": "x" * 100_001}, 413),
        ("{}", {"action": "keep", "type": "wish"}, 400),
        ("{}", {"action": "keep", "type": ""}, 400),
        ("{}", {"action": "keep", "project": 7}, 400),
        ("{}", {"action": "keep", "project": "\x00"}, 400),
        ("{}", {"action": "drop", "content": "x"}, 400),
        ("{}", {"action": "newer_wins"}, 400),
        ("{}", {"action": "withdrawn"}, 400),
        ("{}", {}, 400),
        ("{}", [], 400),
        (UNKNOWN, {"action": "keep"}, 404),
        ("bulk", {"ids": [], "action": "keep"}, 400),
        ("bulk", {"ids": ["x"] * 1_001, "action": "keep"}, 400),
        ("bulk", {"ids": [7], "action": "keep"}, 400),
        ("bulk", {"ids": ["x"], "action": "said_again"}, 400),
        ("undo", {"ids": "x"}, 400),
        ("undo", {}, 400),
    ],
)
async def test_an_invalid_decision_is_refused_with_a_title_and_a_hint(
    api: Api, path: str, body: object, status: int
) -> None:
    added = await add(api)
    reply = await post(api, path.format(added), body)
    assert reply.status_code == status, reply.text
    assert reply.json()["title"]
    assert reply.json()["hint"]
    assert [each["id"] for each in await listed(api)] == [added]


async def test_a_long_unknown_action_is_not_repeated_in_full(api: Api) -> None:
    reply = await post(api, await add(api), {"action": "k" * 100_000})
    assert (reply.status_code, len(reply.text) < 2_000) == (400, True)


async def test_an_action_of_another_kind_is_refused_by_the_kinds_name(api: Api) -> None:
    made, _, _ = await add_contradiction(api)
    reply = (await post(api, made, {"action": "merge"})).json()
    assert reply["detail"] == "That decision doesn't fit this item (contradiction)"
    assert reply["hint"] == "Choose keep_both, newer_wins or drop."


async def test_an_item_of_an_undeclared_kind_is_shown_and_takes_no_decision(api: Api) -> None:
    unknown, known = await add(api), await add(api, suggestion("Use tabs.", message="m2"))
    statement = "UPDATE inbox_items SET kind = 'lost_note' WHERE id = ?"
    await api.kernel.database.write(lambda tx: tx.execute(statement, (unknown,)))
    assert "lost_note" in [each["kind"] for each in await listed(api)]
    refused = await post(api, unknown, {"action": "keep"})
    assert (refused.status_code, refused.json()["hint"]) == (409, "Update Intaglio.")
    bulk = (await post(api, "bulk", {"ids": [unknown, known], "action": "keep"})).json()
    assert [each["status"] for each in bulk["results"]] == ["refused", "done"]
    undone = (await post(api, "undo", {"ids": [unknown, known]})).json()
    assert [each["status"] for each in undone["results"]] == ["refused", "open"]


@pytest.mark.parametrize(
    "query",
    [
        {"status": "all"},
        {"kind": "wish"},
        {"limit": "0"},
        {"limit": "1001"},
        {"cursor": "x"},
        {"cursor": "~1"},
        {"cursor": "2026-01-31T08:00:00.000Z~"},
        {"cursor": "2026-99-31T08:00:00.000Z~1"},
        {"cursor": f"2026-01-31T08:00:00.000Z~{'9' * 30}"},
        {"project": "\x00"},
        {"sort": "type"},
    ],
)
async def test_an_invalid_list_request_is_refused(api: Api, query: dict[str, str]) -> None:
    reply = await api.client.get("/api/inbox", params=query)
    assert reply.status_code == 400, reply.text
    assert reply.json()["hint"]


async def test_only_the_user_decides(api: Api) -> None:
    added = await add(api)
    body = {"action": "keep"}
    assert (await api.client.post(f"/api/inbox/{added}", json=body)).status_code == 401
    agent = {**api.owner, "x-signet-actor-type": "agent"}
    for path, sent in (
        (added, body),
        ("bulk", {"ids": [added], **body}),
        ("undo", {"ids": [added]}),
    ):
        reply = await api.client.post(f"/api/inbox/{path}", json=sent, headers=agent)
        assert (reply.status_code, bool(reply.json()["hint"])) == (403, True)
    page = await api.signed_in()
    reply = await api.client.post(f"/api/inbox/{added}", json=body, headers=page)
    assert reply.status_code == 200


async def test_an_agent_sees_and_decides_only_what_it_may_read(api: Api) -> None:
    added = await add(api, suggestion(agent="bob"))
    agent = {"id": "eve", "read_policy": "isolated"}
    await api.client.post("/api/agents", json=agent, headers=api.owner)
    assert await listed(api, agentId="eve") == []
    counts = await api.client.get("/api/inbox/counts", params={"agentId": "eve"})
    assert counts.json()["open"] == 0
    assert (await api.client.get(f"/api/inbox/{added}?agentId=eve")).status_code == 404
    reply = await post(api, added, {"action": "keep", "agentId": "eve"})
    assert reply.status_code == 404
    assert [each["id"] for each in await listed(api)] == [added]


async def test_an_item_is_hidden_with_its_memory(api: Api) -> None:
    made, older, _ = await add_contradiction(api)
    change = {"visibility": "private", "reason": "x"}
    await api.client.patch(f"/api/memory/{older}", json=change)
    assert await listed(api, agentId="bob") == []
    assert [each["id"] for each in await listed(api)] == [made]


async def test_a_changed_inbox_is_an_event(api: Api) -> None:
    with api.kernel.bus.listen() as queue:
        added = await add(api)
        await post(api, added, {"action": "drop"})
        events = [event for _ in range(2) if isinstance(event := await queue.get(), Changed)]
    assert [(event.topic, event.what, event.ids) for event in events] == [
        ("inbox", "added", (added,)),
        ("inbox", "updated", (added,)),
    ]


async def test_no_secret_is_stored_by_an_edit(api: Api) -> None:
    secret = "ghp_" + "R8kx2LqZ9vTnB4wYh6JcMd1PsAf3Ue7GtHoQ"
    added = await add(api)
    body = {"action": "keep", "content": f"The token of the mirror is {secret}."}
    assert (await post(api, added, body)).status_code == 200
    shown = json.dumps([await live(api), await listed(api, status="done")])
    assert secret not in shown
    assert "redacted" in shown


async def test_an_erased_memory_leaves_nothing_in_the_inbox(api: Api) -> None:
    added = await add(api)
    kept = (await post(api, added, {"action": "keep"})).json()["memory_id"]
    erased = await api.client.request(
        "DELETE", f"/api/memory/{kept}", json={"reason": "x", "force": True}, headers=api.owner
    )
    assert erased.status_code == 200
    assert (await api.client.get(f"/api/inbox/{added}")).status_code == 404
    assert await listed(api, status="done") == []


async def add_wider_scope(api: Api) -> tuple[str, str]:
    """Return the ids of an item and of its memory."""
    context = api.kernel.change_context

    def work(tx: Any) -> tuple[str, str]:  # noqa: ANN401 - a transaction
        memory = remember(tx, context, "We use UTC everywhere.")
        made = wider_scope(tx, memory, evidence("we use UTC everywhere"), context)
        assert made is not None
        assert wider_scope(tx, memory, evidence("again"), context) == made
        return made, memory

    return await api.kernel.database.write(work)


async def test_a_memory_is_applied_to_all_projects_and_back(api: Api) -> None:
    item, memory = await add_wider_scope(api)
    (shown,) = await listed(api, kind="wider_scope")
    assert (shown["content"], shown["memory_id"]) == ("We use UTC everywhere.", memory)
    (before,) = await live(api)
    assert before["project"] == "/work/shop"
    decided = await post(api, item, {"action": "all_projects"})
    assert (decided.status_code, decided.json()["action"]) == (200, "all_projects")
    assert [each["project"] for each in await live(api)] == [None]
    assert (await post(api, "undo", {"ids": [item]})).json()["changed"] == 1
    assert [each["project"] for each in await live(api)] == ["/work/shop"]
    assert (await post(api, item, {"action": "this_project"})).status_code == 200
    assert [each["project"] for each in await live(api)] == ["/work/shop"]


async def test_undo_leaves_the_scope_that_the_user_gave_before_deciding(api: Api) -> None:
    item, memory = await add_wider_scope(api)
    widened = {"project": None, "reason": "it is general"}
    reply = await api.client.patch(f"/api/memory/{memory}", json=widened, headers=api.owner)
    assert reply.status_code == 200, reply.text
    assert (await post(api, item, {"action": "all_projects"})).status_code == 200
    assert (await post(api, "undo", {"ids": [item]})).json()["changed"] == 1
    assert [each["project"] for each in await live(api)] == [None]


async def test_a_memory_that_was_changed_since_keeps_its_scope_on_undo(api: Api) -> None:
    item, memory = await add_wider_scope(api)
    await post(api, item, {"action": "all_projects"})
    changed = {"content": "We use UTC.", "reason": "shorter"}
    edited = await api.client.patch(f"/api/memory/{memory}", json=changed, headers=api.owner)
    assert edited.status_code == 200, edited.text
    (result,) = (await post(api, "undo", {"ids": [item]})).json()["results"]
    assert result["status"] == "refused"
    assert [each["project"] for each in await live(api)] == [None]


async def test_a_scope_question_closes_with_its_memory(api: Api) -> None:
    item, memory = await add_wider_scope(api)
    url = f"/api/memory/{memory}?reason=wrong"
    assert (await api.client.delete(url, headers=api.owner)).status_code == 200
    assert await listed(api) == []
    (done,) = await listed(api, status="done")
    assert (done["id"], done["action"]) == (item, "memory_gone")
    again = await post(api, item, {"action": "all_projects"})
    assert again.status_code == 409
    assert again.json()["hint"] == "There is nothing left to decide."


async def test_items_of_one_session_are_listed_and_the_user_sees_its_title(api: Api) -> None:
    await talked(api, "s1", "Set up the payment service.")
    await talked(api, "s2", "Draw the logo.")
    ours = await add(api)
    other = suggestion("Use make ship.", message="m2")
    await add(api, replace(other, evidence=evidence("use", session="s2")))
    found = {each["title"]: each["id"] for each in await sessions_of(api)}
    [row] = await listed(api, session=found["Set up the payment service."])
    assert (row["id"], row["session_title"]) == (ours, "")
    assert await listed(api, session="999") == []
    shown = (await api.client.get("/api/inbox", headers=await api.signed_in())).json()["items"]
    assert {each["session_title"] for each in shown} == set(found)
