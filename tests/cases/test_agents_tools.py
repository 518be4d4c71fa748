"""Further inputs: how agents call the tools, and what one that was misled can't do."""

import json
from collections.abc import Callable
from typing import Any, Final

import pytest

from cases.stage import Record, Stage, further, prompt, reply

RULE: Final = "From now on we run all migrations with Flyway, never by hand."
FACTS: Final = (
    "The ledger's database is PostgreSQL 15.",
    "Invoices are numbered by year.",
    "The mail gateway listens on port 2525.",
    "Feature flags live in flags.json.",
    "The importer reads the bucket kunden-eu.",
)


def _cases(kind: str) -> list[object]:
    return [pytest.param(case, id=case["id"]) for case in further(kind)]


def _filled(value: Any, memory: str) -> Any:  # noqa: ANN401 - JSON
    """Put a memory's id into arguments."""
    match value:
        case str():
            return value.replace("{id}", memory).replace("{prefix}", memory[:13])
        case dict():
            return {_filled(key, memory): _filled(each, memory) for key, each in value.items()}  # pyright: ignore[reportUnknownVariableType] - JSON
        case _:
            return value


@pytest.mark.parametrize("case", _cases("arguments"))
async def test_arguments_are_taken_as_models_send_them(stage: Stage, case: Record) -> None:
    shop = stage.folder()
    content = "Feature flags live in flags.json."
    text, failed = await stage.tool("memory_store", {"content": content, "type": "fact"}, shop)
    assert not failed, text
    (memory,) = await stage.memories()
    if case.get("session"):
        await stage.hook("SessionStart", "s1", shop, source="startup")
    arguments = _filled(case["arguments"], str(memory["id"]))
    text, failed = await stage.tool(case["tool"], arguments, shop, session="s1")
    assert not failed, text
    found = json.loads(text)
    if "results" in found or "memories" in found:
        assert found["count"] == 1
    match case["tool"]:
        case "memory_get":
            assert found["content"] == content
        case "memory_feedback":
            assert found["recorded"] == 1
        case "memory_forget":
            assert await stage.memories() == []
        case "memory_modify":
            (changed,) = await stage.memories()
            assert (changed["content"], changed["importance"]) != (content, memory["importance"])
        case _:
            pass


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("memory_search", {"query": "flags", "limit": "ten"}),
        ("memory_search", {"query": None}),
        ("memory_store", {"content": "x", "importance": "high"}),
        ("memory_forget", {"id": "0", "reason": "A prefix that is too short."}),
        ("memory_get", {"id": None}),
    ],
)
async def test_unreadable_arguments_are_refused_with_a_reason(
    stage: Stage, tool: str, arguments: Record
) -> None:
    await stage.api.remember(FACTS[0], project=str(stage.folder()))
    text, failed = await stage.tool(tool, arguments, stage.folder())
    assert failed
    assert text
    assert await stage.contents() == [FACTS[0]]


async def test_a_prefix_of_two_ids_is_refused(stage: Stage) -> None:
    shop = stage.folder()
    for fact in FACTS[:2]:
        await stage.tool("memory_store", {"content": fact, "type": "fact"}, shop)
    one, two = [str(each["id"]) for each in await stage.memories()]
    shared = next(at for at in range(36) if one[at] != two[at])
    _, failed = await stage.tool(
        "memory_forget", {"id": one[:shared], "reason": "Either one."}, shop
    )
    assert failed
    assert len(await stage.memories()) == 2


async def said(stage: Stage) -> None:
    await stage.say(stage.folder(), prompt(RULE), reply())


async def remembered(stage: Stage) -> None:
    await stage.api.remember(FACTS[0], project=str(stage.folder()))


async def remembered_for_all(stage: Stage) -> None:
    await stage.api.remember(FACTS[0])


async def a_way_to_do_something(stage: Stage) -> None:
    text = "To release, run make release and then tag the commit."
    await stage.api.remember(text, project=str(stage.folder()), type="procedural")


async def kept_from_the_inbox(stage: Stage) -> None:
    text = {"content": "We decided to sign every invoice.", "type": "decision"}
    await stage.tool("memory_store", text, stage.folder())
    (item,) = await stage.inbox()
    await stage.api.client.post(
        f"/api/inbox/{item['id']}", json={"action": "keep"}, headers=stage.api.owner
    )


USERS: Final[dict[str, Callable[[Stage], Any]]] = {
    "what the user said": said,
    "what the user saved": remembered,
    "what the user saved for all projects": remembered_for_all,
    "how the user does something": a_way_to_do_something,
    "what the user confirmed": kept_from_the_inbox,
}


@pytest.mark.parametrize("name", USERS)
@pytest.mark.parametrize("change", ["forget", "new words", "new type", "new tags", "less weight"])
async def test_the_users_memories_are_changed_only_by_the_user(
    stage: Stage, name: str, change: str
) -> None:
    await USERS[name](stage)
    (before,) = await stage.memories()
    given: Record = {"id": before["id"], "reason": "A page says that it is outdated."}
    match change:
        case "forget":
            tool = "memory_forget"
        case "new words":
            tool, given = "memory_modify", {**given, "content": "Nothing of it holds any more."}
        case "new type":
            tool, given = "memory_modify", {**given, "type": "issue"}
        case "new tags":
            tool, given = "memory_modify", {**given, "tags": "obsolete"}
        case _:
            tool, given = "memory_modify", {**given, "importance": 0.01}
    await stage.tool(tool, given, stage.folder())
    (after,) = await stage.memories()
    kept = ("content", "type", "tags", "importance", "version")
    assert [after[key] for key in kept] == [before[key] for key in kept]


@pytest.mark.parametrize("name", USERS)
async def test_an_agents_wish_to_forget_waits_in_the_inbox(stage: Stage, name: str) -> None:
    await USERS[name](stage)
    (memory,) = await stage.memories()
    before = len(await stage.inbox())
    given = {"id": memory["id"], "reason": "A page says that it is outdated."}
    await stage.tool("memory_forget", given, stage.folder())
    assert len(await stage.memories()) == 1
    assert len(await stage.inbox()) == before + 1


@pytest.mark.parametrize("harness", ["claude-code", "codex", "user", "cli", "dashboard"])
async def test_a_client_that_calls_itself_the_user_is_an_agent(stage: Stage, harness: str) -> None:
    await remembered(stage)
    (memory,) = await stage.memories()
    given = {"id": memory["id"], "reason": "The user wants it."}
    await stage.tool("memory_forget", given, stage.folder(), harness=harness)
    assert await stage.contents() == [FACTS[0]]


@pytest.mark.parametrize("fact", FACTS)
async def test_an_agent_may_change_and_forget_what_it_stored(stage: Stage, fact: str) -> None:
    shop = stage.folder()
    text, failed = await stage.tool("memory_store", {"content": fact, "type": "fact"}, shop)
    assert not failed, text
    memory = str(json.loads(text)["id"])
    changed = {"id": memory, "reason": "It was wrong.", "content": f"{fact} Since May."}
    assert not (await stage.tool("memory_modify", changed, shop))[1]
    assert await stage.contents() == [f"{fact} Since May."]
    assert not (await stage.tool("memory_forget", {"id": memory, "reason": "Gone."}, shop))[1]
    assert await stage.contents() == []


async def test_one_session_of_an_agent_forgets_only_so_many_without_a_notice(
    stage: Stage,
) -> None:
    shop = stage.folder()
    await stage.hook("SessionStart", "s1", shop, source="startup")
    for number in range(60):
        content = f"Meeting room {number} seats {number + 3} people."
        text, failed = await stage.tool("memory_store", {"content": content}, shop, session="s1")
        assert not failed, text
    memories = await stage.memories()
    refused = 0
    for memory in memories:
        given = {"id": memory["id"], "reason": "Cleaning up."}
        refused += (await stage.tool("memory_forget", given, shop, session="s1"))[1]
    left = await stage.memories()
    assert left or refused or await stage.inbox()


@pytest.mark.parametrize("case", _cases("planted_by_agents"))
async def test_an_agents_instruction_waits_for_the_user(stage: Stage, case: Record) -> None:
    shop, content = stage.folder(), str(case["content"])
    await stage.tool("memory_store", {"content": content, "type": "fact"}, shop)
    assert content not in await stage.contents()
    assert content in [item["content"] for item in await stage.inbox()]
    assert content not in await stage.start(shop)
    assert content not in await stage.ask(shop, content)


@pytest.mark.parametrize("case", _cases("facts_of_agents"))
async def test_an_agents_fact_is_told_only_as_an_answer_and_as_the_agents(
    stage: Stage, case: Record
) -> None:
    shop = stage.folder()
    text, failed = await stage.tool("memory_store", {"content": case["content"]}, shop)
    assert not failed, text
    assert case["word"] not in await stage.start(shop)
    told = await stage.ask(shop, case["question"])
    assert case["word"] in told
    assert "agent" in told.replace(str(case["content"]), "")
