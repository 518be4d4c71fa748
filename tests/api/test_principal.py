"""Every operation acts for the agent that the request names, wherever it names it."""

import json
import re
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from api.test_embeddings import use
from fakes.agent_requests import (
    GRAPH_BODIES,
    HOOK,
    READS,
    SPELLINGS,
    WORDS,
    AgentRequest,
    PrivateMemories,
    all_routes,
    named_request,
    operation_of,
    write_bodies,
)
from fakes.api import Api, described, running_api
from fakes.inbox import claim, evidence, remember, suggest
from intaglio.api.gate.declaration import Access, Principal
from intaglio.api.gate.request_agent import find_agent
from intaglio.api.gate.request_names import WITHOUT_EFFECT
from intaglio.base.errors import InvalidInputError
from intaglio.domain.reader import USER
from intaglio.inbox import operations as inbox
from intaglio.inbox import rows as inbox_rows
from intaglio.memory.values import Scope
from intaglio.sessions import rows as sessions
from intaglio.sessions.statements.contradictions import contradiction
from intaglio.sessions.values import SessionRef
from intaglio.store.tx import ReadTx, Row, WriteTx

ROUTES: Final = all_routes()
# What saves a memory of the agent's own.
SAVES: Final = {
    "remember": {"content": "zebra saved"},
    "hookRemember": {**HOOK, "content": "zebra saved"},
    "hookCompactionComplete": {**HOOK, "project": "/stable", "summary": "zebra saved"},
}
# What reaches the named agent's own memory, and so shows that the name counted.
SHOWS: Final = frozenset(
    {
        "recall", "hookRecall", "forgetMemories", "listMemories", "searchMemories",
        "searchByWords", "similarMemories", "exportEmbeddings", "getMemory", "getMemoryHistory",
        "matchMemoryIds", "listInbox", "getInboxItem", "forgetSession", "getSession",
    }
)  # fmt: skip

# The fakes' memories and claims are of a session with this id in each of these.
SESSION_HARNESSES: Final = {"default": "claude-code", "ann": "codex"}

# What changes one memory, session or entity, named in the path.
ONE: Final = frozenset(
    {
        *(
            "modifyMemory",
            "forgetMemory",
            "keepConsideredStatement",
            "recoverMemory",
            "reinstateMemory",
            "retireMemory",
            "decideInboxItem",
            "forgetSession",
            "bypassSession",
        ),
        *GRAPH_BODIES,
    }
)


@dataclass(frozen=True, slots=True)
class Herd:
    """An API whose agents ann and default have private memories, live and forgotten."""

    api: Api
    private: PrivateMemories

    async def ask(self, request: AgentRequest) -> httpx.Response:
        return await self.api.client.request(**request.sent)

    async def rows(self) -> list[Row]:
        """Return what is stored of every private memory."""

        def work(tx: ReadTx) -> list[Row]:
            sql = (
                "SELECT id, content, version, is_deleted, agent_id, pinned FROM memories"
                " WHERE visibility = 'private' ORDER BY seq"
            )
            return tx.all(sql)

        return await self.api.kernel.database.read(work)


async def add_item(api: Api, agent: str, word: str) -> str:
    """Add an inbox item about two private memories."""
    scope, context = Scope(agent, "quarry", "private"), api.kernel.change_context

    def work(tx: WriteTx) -> str | None:
        older, newer = (
            remember(tx, context, f"Granite {age} {word}", scope) for age in ("older", "newer")
        )
        return contradiction(tx, newer, older, evidence(f"granite {word}"), context)

    return str(await api.kernel.database.write(work))


async def add_claim(api: Api, agent: str, harness: str, word: str) -> None:
    """Add what an agent suggested in its session, for its own eyes."""
    context, new = api.kernel.change_context, claim(f"Granite claimed {word}", agent=agent)
    said = replace(new.evidence, harness=harness)

    def work(tx: WriteTx) -> None:
        item = inbox.find_readable(tx, suggest(tx, context, replace(new, evidence=said)), USER)
        assert item is not None
        inbox_rows.set_visibility(tx, item, "private")

    await api.kernel.database.write(work)


async def graph_ids(api: Api, agent: str, memory: str) -> dict[str, str]:
    """Return the ids of what a private memory is about, by their names in paths."""

    async def ask(method: str, path: str, **body: str) -> Any:  # noqa: ANN401 - a reply
        named = {"agentId": agent} | ({"memoryId": memory} if path == "/entities" else {})
        reply = await api.client.request(
            method, f"/api/knowledge{path}", params=named, json=body or None
        )
        assert reply.status_code == 200, reply.text
        return reply.json()

    found = [each["entity"] for each in (await ask("GET", "/entities"))["items"]]
    [entity] = [each["id"] for each in found if each["name"] == f"{WORDS[agent]}-api"]
    below = f"/entities/{entity}"
    added = await ask("POST", f"{below}/aliases", alias=f"Alias {WORDS[agent]}")
    aspects = [each["aspect"]["id"] for each in (await ask("GET", f"{below}/aspects"))["items"]]
    aspect = [*aspects, "unclassified"][0]
    facts = (await ask("GET", f"{below}/aspects/{aspect}/attributes"))["items"]
    return {
        "entity_id": entity,
        "alias_id": (await ask("GET", f"{below}/aliases"))["items"][-1]["id"],
        "change_id": added["changeId"],
        "aspect_id": aspect,
        "attribute_id": facts[0]["id"],
    }


@pytest.fixture
async def herd(tmp_path: Path) -> AsyncGenerator[Herd]:
    async with running_api(tmp_path) as api:
        for agent, harness in SESSION_HARNESSES.items():
            session = SessionRef(harness=harness, id="s1", agent_id=agent)
            await api.kernel.database.write(
                partial(
                    sessions.touch, session=session, project=None, at=api.kernel.change_context.now
                )
            )
        private = PrivateMemories()
        private.everyone = await api.remember("Granite of everyone", project="quarry")
        for agent, word in WORDS.items():
            own = {"agentId": agent, "visibility": "private", "project": "quarry"}
            private.live[agent] = await api.remember(f"Granite {word}", pinned=True, **own)
            private.gone[agent] = await api.remember(f"Granite lost {word}", **own)
            reply = await api.client.request(
                "DELETE",
                f"/api/memory/{private.gone[agent]}",
                json={"reason": "x", "agentId": agent},
            )
            assert reply.status_code == 200
            private.items[agent] = await add_item(api, agent, word)
            await add_claim(api, agent, SESSION_HARNESSES[agent], word)
            named = await api.remember(f"`{word}-api` stores granite", **own)
            private.graph[agent] = await graph_ids(api, agent, named)
        await use(api)
        yield Herd(api, private)


@pytest.mark.parametrize(
    "spelling",
    [SPELLINGS[0], *(pytest.param(each, marks=pytest.mark.slow) for each in SPELLINGS[1:])],
)
async def test_no_read_shows_another_agents_private_memory(herd: Herd, spelling: str) -> None:
    leaks: list[str] = []
    hidden: set[str] = set()
    for owner, word in WORDS.items():
        for agent in ("bob", owner):
            others = {each for name, each in WORDS.items() if name != agent}
            for request in herd.private.reads(owner, agent, spelling):
                text = (await herd.ask(request)).text
                if any(each in text for each in others):
                    leaks.append(f"{request.operation} shows {agent} the memory of {owner}")
                if agent == owner and request.operation in SHOWS and word not in text:
                    hidden.add(request.operation)
    assert leaks == []
    assert hidden == set()


@pytest.mark.parametrize("spelling", SPELLINGS)
async def test_no_write_reaches_another_agents_private_memory(herd: Herd, spelling: str) -> None:
    before = await herd.rows()
    for owner in WORDS:
        for request in herd.private.writes(owner, "bob", spelling):
            reply = await herd.ask(request)
            if request.operation in ONE:
                assert reply.status_code == 404, (request, reply.text)
                continue
            assert reply.status_code == 200, (request, reply.text)
            statuses = {each["status"] for each in reply.json().get("results", [])}
            assert statuses <= {"not_found"}, (request, reply.text)
            assert reply.json().get("recorded", 0) == 0
    assert await herd.rows() == before


@pytest.mark.parametrize("spelling", SPELLINGS)
async def test_a_saved_memory_is_the_named_agents(herd: Herd, spelling: str) -> None:
    for method, path, route in ROUTES:
        name = operation_of(route)
        if (body := SAVES.get(name)) is None:
            continue
        sent = {
            key: f"{value} {name}" if value == "zebra saved" else value
            for key, value in body.items()
        }
        reply = await herd.ask(named_request(name, method, path, "bob", spelling, body=sent))
        assert reply.status_code == 200, reply.text
        told = reply.json()
        row = (
            await herd.api.client.get(f"/api/memory/{told.get('id') or told['memoryId']}")
        ).json()
        assert row["agent_id"] == "bob"


async def test_nothing_is_similar_to_what_the_agent_may_not_read(herd: Herd) -> None:
    asked = {"id": herd.private.live["ann"], "agentId": "bob"}
    reply = await herd.api.client.get("/memory/similar", params=asked)
    assert reply.status_code == 404


@pytest.mark.usefixtures("without_graph")
async def test_a_job_does_not_name_a_memory_that_the_agent_may_not_read(api: Api) -> None:
    memory_id = await api.remember("Granite", agentId="ann", visibility="private")
    for agent, shown in (("ann", memory_id), ("bob", None)):
        jobs = (await api.client.get("/api/jobs", params={"agentId": agent})).json()["jobs"]
        assert [each["memory_id"] for each in jobs] == [shown]
        assert (memory_id in str(jobs)) is (agent == "ann")
        job = f"/api/memory/jobs/{jobs[0]['id']}"
        reply = await api.client.get(job, params={"agentId": agent})
        assert reply.json()["memory_id"] == shown


async def test_a_change_by_the_named_agent_itself_is_made(herd: Herd) -> None:
    sent = {"reason": "x", "content": "Granite is grey", "agentId": "ann"}
    address = f"/api/memory/{herd.private.live['ann']}"
    reply = await herd.api.client.patch(address, json=sent)
    assert reply.json()["status"] == "updated", reply.text


def test_this_matrix_covers_every_operation_that_acts_for_an_agent() -> None:
    tried = {*READS, *SAVES, *write_bodies("", "")}
    acting = {
        operation_of(route)
        for method, _, route in ROUTES
        if method != "GET" and route.declaration.principal is not Principal.NOBODY
    }
    # The contract's older paths of remember have no name of their own.
    assert acting - {""} == tried


async def test_a_request_may_name_one_agent_only(herd: Herd) -> None:
    twice: tuple[tuple[dict[str, str], dict[str, str], dict[str, str]], ...] = (
        ({"agentId": "ann", "agent_id": "bob"}, {}, {}),
        ({}, {"x-signet-agent-id": "ann", "x-intaglio-agent-id": "bob"}, {}),
        ({"agentId": "ann"}, {}, {"agentId": "bob"}),
        ({}, {}, {"agentId": "ann", "agent_id": "bob"}),
    )
    for params, headers, body in twice:
        reply = await herd.api.client.post(
            "/api/memory/recall", params=params, headers=headers, json={"query": "granite", **body}
        )
        assert reply.status_code == 400
        assert "'ann' and 'bob'" in reply.json()["detail"]


@pytest.mark.parametrize(
    ("query", "body"),
    [("agentId=ann", b""), ("", b'{"agentId": "ann"}'), ("agent_id=ann", b'{"agentId": "ann"}')],
)
def test_query_and_body_take_precedence_over_the_header(query: str, body: bytes) -> None:
    headers = {"x-signet-agent-id": "bob"}
    assert find_agent(Principal.AGENT, headers, query, body).agent_id == "ann"


def test_a_patch_of_many_may_not_name_another_agent() -> None:
    body = b'{"agentId": "ann", "patches": [{"id": "1", "agentId": "bob"}]}'
    with pytest.raises(InvalidInputError, match="two agents"):
        find_agent(Principal.AGENT, {}, "", body)


@pytest.mark.parametrize(
    "body", [b'{"agentId": 5}', b'{"agent_id": ["ann"]}', b'{"agentId": "a b"}']
)
def test_an_invalid_name_is_refused(body: bytes) -> None:
    with pytest.raises(InvalidInputError):
        find_agent(Principal.AGENT, {}, "", body)


@pytest.mark.parametrize("body", [b"", b"[", b"[]", b"null", b"5", b'{"agentId": null}', b"\xff"])
def test_a_body_without_a_name_names_nobody(body: bytes) -> None:
    assert find_agent(Principal.AGENT, {}, "agentId=", body).agent_id is None


async def test_the_older_search_keeps_to_its_project(api: Api) -> None:
    await api.remember("Jasper is red", project="/work/one")
    await api.remember("Jasper is green", project="/work/two")
    for params in ({"q": "jasper"}, {}, {"q": "jasper", "exactProject": "true"}):
        reply = await api.client.get("/memory/search", params={"project": "/work/one", **params})
        assert [each["content"] for each in reply.json()["results"]] == ["Jasper is red"]


STRICT: Final = [
    (method, path, route)
    for method, path, route in ROUTES
    if route.declaration.access not in {Access.FILE, Access.LINK}
    and (route.declaration.principal is not Principal.NOBODY or route.parameters.all())
]


async def test_an_operation_without_parameters_ignores_what_is_sent(api: Api) -> None:
    for path in ("/health?t=1", "/api/status?agentId=ann"):
        assert (await api.client.get(path)).status_code == 200


async def test_an_unknown_parameter_is_refused_with_the_valid_ones(api: Api) -> None:
    for method, path, route in STRICT:
        address = re.sub(r"\{[^}]*\}", "unknown", path)
        reply = await api.client.request(
            method, address, params={"projekt": "x", "Type": "y"}, headers=api.owner
        )
        assert reply.status_code == 400, (method, path, reply.text)
        problem = reply.json()
        assert problem["detail"] == "Unknown query parameters: 'projekt', 'Type'", path
        assert all(name in problem["hint"] for name in route.parameters.all())


def test_the_parameters_are_those_of_the_description() -> None:
    document = json.loads(described())
    for method, path, route in STRICT:
        if not operation_of(route) or path == "/api/openapi.json":
            continue
        listed = document["paths"][re.sub(r":\w+\}", "}", path)][method.lower()]
        found = [each for each in listed.get("parameters", ()) if each.get("in") == "query"]
        assert {each["name"] for each in found} == route.parameters.all(), path
        names = {"$ref": "#/components/parameters/agentId"} in listed.get("parameters", ())
        assert names is (route.declaration.principal is not Principal.NOBODY), path


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/memory/recall", {"query": "granite"}),
        ("/api/memory/forget", {"query": "granite"}),
        ("/api/memory/recover", {"ids": ["x"], "reason": "x"}),
        ("/api/hooks/recall", {"harness": "openclaw", "query": "granite"}),
        ("/api/jobs/retry", {}),
    ],
)
async def test_an_unknown_field_of_a_selection_is_refused(
    api: Api, path: str, body: dict[str, object]
) -> None:
    assert (await api.client.post(path, json=body)).status_code == 200
    reply = await api.client.post(path, json={**body, "projekt": "x"})
    assert reply.status_code == 400
    assert reply.json()["detail"] == "Unknown field: 'projekt'"
    assert "agentId" in reply.json()["hint"] or path == "/api/jobs/retry"


async def test_names_that_clients_send_without_effect_are_accepted(api: Api) -> None:
    by_name = {operation_of(route): (method, path) for method, path, route in ROUTES}
    for name, ignored in WITHOUT_EFFECT.items():
        method, path = by_name[name]
        sent = dict.fromkeys(ignored, "x")
        if method == "GET":
            reply = await api.client.get(path, params={"q": "granite", **sent})
        else:
            reply = await api.client.post(path, json={**HOOK, "query": "granite", **sent})
            if name != "hookRecall":
                reply = await api.client.post(path, json={"query": "granite", **sent})
        assert reply.status_code == 200, reply.text


async def test_a_minimum_score_is_accepted_in_either_spelling(api: Api) -> None:
    await api.remember("Granite is grey")
    for name in ("min_score", "minScore"):
        assert await api.recall("granite", **{name: 0}) != []
        assert await api.recall("granite sandstone marble gneiss", **{name: 1}) == []
