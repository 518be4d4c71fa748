"""Every operation acts for the agent that the request names, wherever it names it."""

import json
import re
from collections.abc import AsyncGenerator, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from api.test_embeddings import use
from fakes.api import Api, controllers, described, running_api
from intaglio.api.app import Application
from intaglio.api.gate.declaration import Access, Principal
from intaglio.api.gate.request_agent import find_agent
from intaglio.api.gate.request_names import WITHOUT_EFFECT
from intaglio.api.gate.routes import Route
from intaglio.base.errors import InvalidInputError
from intaglio.store.tx import ReadTx, Row

ROUTES: Final = tuple(Application(controllers()).routes.all())
NEVER_ENDS: Final = "/api/events"
PRIVATE: Final = {"ann": "zebra-of-ann", "default": "zebra-of-default"}
"""A word of each agent's private memory, which bob may not read."""

SPELLINGS: Final = ("agentId", "agent_id", "x-signet-agent-id", "body agentId", "body agent_id")
QUERY: Final = {"q": "granite", "k": "10", "deleted": "false"}
HOOK: Final = {"harness": "openclaw"}
# What reads by POST; the words are in every memory.
READS: Final[Mapping[str, Mapping[str, object]]] = {
    "recall": {"query": "granite"},
    "forgetMemories": {"mode": "preview", "query": "granite"},
    "hookRecall": {**HOOK, "query": "granite"},
    "hookSessionStart": {**HOOK, "sessionKey": "s"},
    "hookUserPromptSubmit": {**HOOK, "sessionKey": "s", "userMessage": "what of the granite?"},
    "hookSessionEnd": {**HOOK, "sessionKey": "s"},
    "hookNative": {"hook_event_name": "SessionStart", "session_id": "n", "source": "startup"},
    "hookNativeOlder": {"hook_event_name": "SessionStart", "session_id": "o", "source": "startup"},
}
# What saves a memory of the agent's own.
SAVES: Final = {
    "remember": {"content": "zebra saved"},
    "hookRemember": {**HOOK, "content": "zebra saved"},
}
# What reaches the named agent's own memory, and so shows that the name counted.
SHOWS: Final = frozenset(
    {
        "recall", "hookRecall", "forgetMemories", "listMemories", "searchMemories",
        "searchByWords", "similarMemories", "exportEmbeddings", "getMemory", "getMemoryHistory",
        "matchMemoryIds",
    }
)  # fmt: skip


def writes(id_: str, gone: str) -> dict[str, dict[str, Any]]:
    """Return what changes memories, aimed at one and at a forgotten one."""
    why = {"reason": "a test"}
    return {
        "modifyMemory": {**why, "content": "stolen"},
        "forgetMemory": why,
        "recoverMemory": why,
        "modifyMemories": {"patches": [{"id": id_, "content": "stolen"}], **why},
        "recoverMemories": {"ids": [gone, id_], **why},
        "rateMemories": {"sessionKey": "s", "feedback": {id_: 1}},
        "forgetMemories": {"mode": "execute", "ids": [id_, gone], "force": True, **why},
    }


def operation(route: Route) -> str:
    return str(route.handler.operation_id or "")


@dataclass
class Herd:
    """An API whose agents ann and default have private memories, live and forgotten."""

    api: Api
    ids: dict[str, str] = field(default_factory=dict[str, str])
    gone: dict[str, str] = field(default_factory=dict[str, str])

    async def ask(
        self,
        method: str,
        path: str,
        agent: str,
        spelling: str,
        query: Mapping[str, str],
        body: Mapping[str, object] | None,
    ) -> httpx.Response:
        """Send a request that names the agent in one of the spellings."""
        params, sent, headers = dict(query), dict(body or {}), dict[str, str]()
        where, _, name = spelling.rpartition(" ")
        if where == "body":
            sent[name] = agent
        elif name.startswith("x-"):
            headers[name] = agent
        else:
            params[name] = agent
        content = json.dumps(sent) if sent else b""
        return await self.api.client.request(
            method, path, params=params, headers=headers, content=content
        )

    async def rows(self) -> list[Row]:
        """Return what is stored of every private memory."""

        def work(tx: ReadTx) -> list[Row]:
            sql = (
                "SELECT id, content, version, is_deleted, agent_id, pinned FROM memories"
                " WHERE visibility = 'private' ORDER BY seq"
            )
            return tx.all(sql)

        return await self.api.kernel.database.read(work)


@pytest.fixture
async def herd(tmp_path: Path) -> AsyncGenerator[Herd]:
    async with running_api(tmp_path) as api:
        found = Herd(api)
        found.ids["everyone"] = await api.remember("Granite of everyone", project="quarry")
        for agent, word in PRIVATE.items():
            own = {"agentId": agent, "visibility": "private", "project": "quarry"}
            found.ids[agent] = await api.remember(f"Granite {word}", pinned=True, **own)
            found.gone[agent] = await api.remember(f"Granite lost {word}", **own)
            reply = await api.client.request(
                "DELETE",
                f"/api/memory/{found.gone[agent]}",
                json={"reason": "x", "agentId": agent},
            )
            assert reply.status_code == 200
        await use(api)
        yield found


def reads() -> Iterator[tuple[str, str, Route]]:
    """List what reads: every GET, and what reads by POST."""
    for method, path, route in ROUTES:
        if path != NEVER_ENDS and (method == "GET" or operation(route) in READS):
            yield method, path, route


async def read(
    herd: Herd, operation_of: tuple[str, str, Route], *, owner: str, agent: str, spelling: str
) -> str:
    """Read as an agent what belongs to another; return the reply."""
    method, path, route = operation_of
    of = {"memory_id": herd.ids[owner], "job_id": "1", "agent_id": "ann", "harness": "claude-code"}
    address = re.sub(r"\{(\w+)[^}]*\}", lambda name: of.get(name[1], "claude-code"), path)
    own = {**QUERY, "id": herd.ids["everyone"], "prefix": herd.ids[owner][:12]}
    query = {name: value for name, value in own.items() if name in route.parameters.all()}
    body = READS.get(operation(route))
    if "hookNative" in operation(route) and spelling.startswith("body"):
        # Their body is the harness's own.
        spelling = "agentId"
    reply = await herd.ask(method, address, agent, spelling, query, body)
    return reply.text


@pytest.mark.parametrize("spelling", SPELLINGS)
async def test_no_read_shows_another_agents_private_memory(herd: Herd, spelling: str) -> None:
    leaks: list[str] = []
    hidden: set[str] = set()
    for method, path, route in reads():
        names = route.declaration.principal is not Principal.NOBODY
        for owner, word in PRIVATE.items():
            # An operation that acts for nobody refuses the name; it shows nothing either way.
            for agent in ("bob", owner) if names else ("bob",):
                text = await read(
                    herd, (method, path, route), owner=owner, agent=agent, spelling=spelling
                )
                others = {each for name, each in PRIVATE.items() if name != agent}
                if any(each in text for each in others):
                    leaks.append(f"{method} {path} shows {agent} the memory of {owner}")
                if agent == owner and operation(route) in SHOWS and word not in text:
                    hidden.add(operation(route))
    assert leaks == []
    assert hidden == set()


@pytest.mark.parametrize("spelling", SPELLINGS)
async def test_no_write_reaches_another_agents_private_memory(herd: Herd, spelling: str) -> None:
    before = await herd.rows()
    by_name = {operation(route): (method, path) for method, path, route in ROUTES}
    for owner in PRIVATE:
        for name, body in writes(herd.ids[owner], herd.gone[owner]).items():
            method, path = by_name[name]
            for memory_id in (herd.ids[owner], herd.gone[owner]):
                address = path.replace("{memory_id:str}", memory_id)
                reply = await herd.ask(method, address, "bob", spelling, {}, body)
                if "{memory_id" in path:
                    assert reply.status_code == 404, (name, reply.text)
                    continue
                results = reply.json().get("results", [])
                assert reply.status_code == 200, (name, reply.text)
                assert {each["status"] for each in results} <= {"not_found"}, (name, reply.text)
                assert reply.json().get("recorded", 0) == 0
    assert await herd.rows() == before


@pytest.mark.parametrize("spelling", SPELLINGS)
async def test_what_is_saved_is_the_named_agents(herd: Herd, spelling: str) -> None:
    for method, path, route in ROUTES:
        if (body := SAVES.get(operation(route))) is None:
            continue
        content = f"{body['content']} {operation(route)}"
        sent = {**body, "content": content}
        reply = await herd.ask(method, path, "bob", spelling, {}, sent)
        assert reply.status_code == 200, reply.text
        row = (await herd.api.client.get(f"/api/memory/{reply.json()['id']}")).json()
        assert row["agent_id"] == "bob"


async def test_nothing_is_similar_to_what_the_agent_may_not_read(herd: Herd) -> None:
    asked = {"id": herd.ids["ann"]}
    reply = await herd.ask("GET", "/memory/similar", "bob", "agentId", asked, None)
    assert reply.status_code == 404


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
    sent = {"reason": "x", "content": "Granite is grey"}
    address = f"/api/memory/{herd.ids['ann']}"
    reply = await herd.ask("PATCH", address, "ann", "body agentId", {}, sent)
    assert reply.json()["status"] == "updated", reply.text


def test_everything_that_acts_for_an_agent_is_in_this_matrix() -> None:
    tried = {*READS, *SAVES, *writes("", "")}
    acting = {
        operation(route)
        for method, _, route in ROUTES
        if method != "GET" and route.declaration.principal is not Principal.NOBODY
    }
    # The contract's older paths of remember have no name of their own.
    assert acting - {""} == tried


async def test_a_request_may_name_one_agent_only(herd: Herd) -> None:
    twice: tuple[tuple[dict[str, str], dict[str, str], dict[str, str]], ...] = (
        ({"agentId": "ann"}, {"x-signet-agent-id": "bob"}, {}),
        ({"agentId": "ann", "agent_id": "bob"}, {}, {}),
        ({}, {"x-signet-agent-id": "ann", "x-intaglio-agent-id": "bob"}, {}),
        ({"agentId": "ann"}, {}, {"agentId": "bob"}),
        ({}, {}, {"agentId": "ann", "agent_id": "bob"}),
        ({}, {"x-signet-agent-id": "ann"}, {"agent_id": "bob"}),
    )
    for params, headers, body in twice:
        reply = await herd.api.client.post(
            "/api/memory/recall", params=params, headers=headers, json={"query": "granite", **body}
        )
        assert reply.status_code == 400
        assert "'ann' and 'bob'" in reply.json()["detail"]
    same = {"params": {"agentId": "ann"}, "headers": {"x-signet-agent-id": "ann"}}
    reply = await herd.api.client.get("/api/memories", **same)  # type: ignore[arg-type]  # as named
    assert reply.status_code == 200


def test_a_patch_of_many_may_not_name_another_agent() -> None:
    body = b'{"agentId": "ann", "patches": [{"id": "1", "agentId": "bob"}]}'
    with pytest.raises(InvalidInputError, match="two agents"):
        find_agent(Principal.AGENT, {}, "", body)


@pytest.mark.parametrize(
    "body", [b'{"agentId": 5}', b'{"agent_id": ["ann"]}', b'{"agentId": "a b"}']
)
def test_a_name_that_is_none_is_refused(body: bytes) -> None:
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
]


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
        if not operation(route) or path == "/api/openapi.json":
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
    by_name = {operation(route): (method, path) for method, path, route in ROUTES}
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


async def test_a_least_score_counts_in_either_spelling(api: Api) -> None:
    await api.remember("Granite is grey")
    for name in ("min_score", "minScore"):
        assert await api.recall("granite", **{name: 0}) != []
        assert await api.recall("granite sandstone marble gneiss", **{name: 1}) == []
