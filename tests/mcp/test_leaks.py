"""Whatever tools an agent calls in a project: no reply holds a memory that it may not read."""

import json
from collections.abc import Generator
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any, Final

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from fakes.api import Api, running_api
from fakes.mcp import text_of, tool_call
from fakes.transcripts import spoken
from intaglio.mcp.server import McpServer
from intaglio.mcp.tool_list import TOOLS
from intaglio.mcp.values import McpContext
from intaglio.store.tx import ReadTx, Row, WriteTx
from intaglio.transcripts.recorder import TranscriptRecorder
from intaglio.transcripts.values import SessionOwner

AGENTS: Final = ("default", "ann")
PROJECTS: Final = (None, "/work/shop", "/work/bakery")
UNKNOWN: Final = "0199-unknown"
HARNESS: Final = "opencode"
WORDS: Final = ("granite", "harbour", "kettle", "lantern")
TYPES: Final = ("fact", "rule", "decision", "semantic")


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls, from which folder; without a project it is the root directory."""

    agent: str
    project: str | None

    @property
    def context(self) -> McpContext:
        session = f"session of {self.agent} in {self.project}"
        return McpContext(
            agent_id=self.agent, harness=HARNESS, workspace=self.project or "/", session=session
        )


@dataclass(frozen=True, slots=True)
class PlantedMemory:
    """A memory with a word that no other has."""

    id: str
    mark: str
    agent: str
    visibility: str
    project: str | None

    def may_be_read_by(self, caller: Caller) -> bool:
        is_here = self.project is None or self.project == caller.project
        return is_here and (self.visibility == "global" or self.agent == caller.agent)


@dataclass(slots=True)
class House:
    """An application with planted memories, in a thread of its own."""

    portal: BlockingPortal
    api: Api
    planted: list[PlantedMemory] = field(default_factory=list[PlantedMemory])

    def call(self, caller: Caller, name: str, arguments: object) -> dict[str, Any]:
        body = json.dumps(tool_call(name, arguments)).encode()
        server = self.api.kernel.get(McpServer)
        reply = self.portal.call(server.answer, body, caller.context)
        result: dict[str, Any] = json.loads(reply.body)["result"]
        return result

    def remember(self, content: str, **more: object) -> str:
        given = {name: value for name, value in more.items() if value is not None}
        return self.portal.call(partial(self.api.remember, content, **given))

    def say(
        self, number: int, memory_id: str, content: str, agent: str, project: str | None
    ) -> None:
        """Have a memory be said in its agent's one session, which goes from project to project."""
        said = spoken(f"m{number}", content, project=project)
        owner = SessionOwner(HARNESS, f"talk of {agent}", agent)
        self.portal.call(self.api.kernel.get(TranscriptRecorder).record, owner, [said])

        def work(tx: WriteTx) -> None:
            tx.execute(
                "INSERT INTO statements(harness, session_id, message_id, start_char, end_char, "
                "recorded_at, agent_id, project, sentence, content, type, everywhere, confidence, "
                "outcome, state, memory_id, settled, context) VALUES (?, ?, ?, 0, 20, "
                "'2026-01-01', ?, ?, ?6, ?6, 'rule', 0, 0.9, 'kept', 'live', ?, 1, '')",
                (HARNESS, owner.session_id, f"m{number}", agent, project, content, memory_id),
            )

        self.portal.call(self.api.kernel.database.write, work)

    def rows(self, ids: list[str]) -> list[Row]:
        sql = (
            "SELECT m.id, m.content, m.version, m.is_deleted, m.importance, m.valid_until, "
            "m.dispute, f.rating FROM memories m LEFT JOIN feedback f ON f.memory_id = m.id "
            "WHERE m.id IN (SELECT value FROM json_each(?)) ORDER BY m.id"
        )

        def work(tx: ReadTx) -> list[Row]:
            return tx.all(sql, (json.dumps(ids),))

        return self.portal.call(self.api.kernel.database.read, work)

    def forbidden(self, caller: Caller) -> list[PlantedMemory]:
        return [memory for memory in self.planted if not memory.may_be_read_by(caller)]


CALLERS: Final = [Caller(agent, project) for agent, project in product(AGENTS, PROJECTS)]


def plant(house: House) -> None:
    scopes = product(AGENTS, ("global", "private"), PROJECTS, range(2))
    for number, (agent, visibility, project, _) in enumerate(scopes):
        mark = f"mark{number}x"
        content = f"The {WORDS[number % len(WORDS)]} is {WORDS[number // 3 % len(WORDS)]} {mark}."
        memory_id = house.remember(
            content,
            agentId=agent,
            visibility=visibility,
            project=project,
            type=TYPES[number % len(TYPES)],
        )
        house.planted.append(PlantedMemory(memory_id, mark, agent, visibility, project))
        house.say(number, memory_id, content, agent, project)
    for caller in CALLERS:
        body = {"harness": HARNESS, "sessionKey": caller.context.session, "agentId": caller.agent}
        where = {} if caller.project is None else {"project": caller.project}
        start = partial(house.api.client.post, "/api/hooks/session-start", json=body | where)
        assert house.portal.call(start).status_code == 200


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Generator[House]:
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(running_api(tmp_path_factory.mktemp("home"))) as api,
    ):
        house = House(portal, api)
        plant(house)
        yield house


numbers = st.integers(0, 23)
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
ARGUMENTS: Final = {
    "query": texts | numbers.map("mark{}x".format),
    "content": texts,
    "evidence": st.lists(texts, max_size=3),
    "known": numbers | st.just(-1),
    "replaces": st.lists(numbers | st.just(-1), max_size=3),
    "limit": st.integers(1, 50),
    "offset": st.integers(0, 30),
    "min_score": st.just(0.0),
    "expand": st.booleans(),
    "type": st.sampled_from(TYPES),
    "importance": st.floats(0, 1),
    "tags": texts,
    "reason": texts,
    "id": numbers | st.just(-1),
    "session_key": st.just("current") | st.sampled_from(CALLERS).map(lambda c: c.context.session),
    # Switched off, a session is told nothing at all.
    "enabled": st.just(value=False),
    "entity_name": texts,
    "aspect_filter": texts,
    "question": texts,
    "max_tokens": st.integers(50, 2_000),
    "ratings": st.dictionaries(numbers, st.floats(-1, 1), max_size=3),
}


REQUIRED: Final = {
    "query",
    "id",
    "reason",
    "content",
    "session_key",
    "ratings",
    "enabled",
    "entity_name",
}


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """Draw a tool and valid arguments; an id is the number of a planted memory."""
    tool = draw(st.sampled_from(list(TOOLS.values())))
    fields = tool.arguments.__struct_fields__
    chosen = [each for each in fields if each in REQUIRED or draw(st.booleans())]
    return tool.name, {each: draw(ARGUMENTS[each]) for each in chosen}


def with_ids(arguments: dict[str, Any], ids: list[str]) -> dict[str, Any]:
    """Return the arguments with ids for numbers."""
    sent = dict(arguments)
    for name in {"id", "known"} & sent.keys():
        sent[name] = ids[sent[name]]
    if "replaces" in sent:
        sent["replaces"] = [ids[number] for number in sent["replaces"]]
    if "ratings" in sent:
        sent["ratings"] = {ids[number]: rating for number, rating in sent["ratings"].items()}
    return sent


def check_call(house: House, caller: Caller, name: str, arguments: dict[str, Any]) -> None:
    """Call a tool; fails if the reply tells anything of what the caller may not read."""
    forbidden = house.forbidden(caller)
    sent = with_ids(arguments, [*(memory.id for memory in house.planted), UNKNOWN])
    told = house.call(caller, name, sent)
    text, named = text_of(told), json.dumps(sent)
    for memory in forbidden:
        assert memory.mark not in text, (caller, name, sent, memory)
        assert memory.id not in text or memory.id in named, (caller, name, sent, memory)
    # A memory that may not be read is one that isn't there.
    hidden = {memory.id for memory in forbidden}
    ids = [UNKNOWN if memory.id in hidden else memory.id for memory in house.planted]
    if (unknown := with_ids(arguments, [*ids, UNKNOWN])) != sent:
        assert house.call(caller, name, unknown) == told, (caller, name, sent)


def test_no_reply_holds_what_the_caller_may_not_read(house: House) -> None:
    # A store that remembers earlier examples can't be asked for a shorter one.
    @settings(max_examples=80, phases=(Phase.generate,))
    @given(st.sampled_from(CALLERS), st.lists(calls(), min_size=1, max_size=8))
    def check(caller: Caller, made: list[tuple[str, dict[str, Any]]]) -> None:
        hidden = [memory.id for memory in house.forbidden(caller)]
        before = house.rows(hidden)
        for name, arguments in made:
            number: int = arguments.get("id", -1)
            # What the caller may change stays for the next example.
            is_own = number >= 0 and house.planted[number].may_be_read_by(caller)
            if not (TOOLS[name].writes and is_own):
                check_call(house, caller, name, arguments)
        assert house.rows(hidden) == before

    check()


@pytest.mark.parametrize("caller", CALLERS, ids=lambda each: f"{each.agent} in {each.project}")
def test_the_caller_gets_everything_it_may_read(house: House, caller: Caller) -> None:
    readable = [memory for memory in house.planted if memory.may_be_read_by(caller)]
    for memory in readable:
        assert memory.mark in text_of(house.call(caller, "memory_get", {"id": memory.id}))
        found = house.call(caller, "memory_search", {"query": memory.mark})
        assert memory.id in text_of(found)
    ratings = {memory.id: 1 for memory in house.planted}
    told = house.call(caller, "memory_feedback", {"session_key": "current", "ratings": ratings})
    assert json.loads(text_of(told)) == {"recorded": len(readable)}


@pytest.mark.parametrize(
    ("visibility", "agent", "project"),
    [("private", "ann", "/work/shop"), ("global", "default", "/work/bakery")],
)
def test_the_same_words_may_be_stored_beside_those_that_are_hidden(
    house: House, visibility: str, agent: str, project: str
) -> None:
    content = f"The {visibility} door is painted every spring."
    hidden = house.remember(content, agentId=agent, visibility=visibility, project=project)
    told = house.call(Caller("default", "/work/shop"), "memory_store", {"content": content})
    found = json.loads(text_of(told))
    assert found["status"] == "stored"
    assert found["id"] != hidden


def test_a_caller_is_quoted_its_own_sessions_in_its_project(house: House) -> None:
    said = {
        "/work/bakery": "The orchard has nine walnut trees.",
        "/work/shop": "Walnuts sell well.",
    }
    for number, (project, content) in enumerate(said.items(), 100):
        given = {"agentId": "ann", "visibility": "global", "project": project, "type": "fact"}
        house.say(number, house.remember(content, **given), content, "ann", project)
    asked = {"query": "walnuts", "min_score": 0, "expand": True}
    quoted = {
        caller: json.dumps(
            [
                each.get("said", [])
                for each in json.loads(text_of(house.call(caller, "memory_search", asked)))[
                    "results"
                ]
            ]
        )
        for caller in CALLERS
    }
    for caller, text in quoted.items():
        is_own = caller == Caller("ann", "/work/shop")
        assert (said["/work/shop"] in text) is is_own
        assert (said["/work/bakery"] in text) is (caller == Caller("ann", "/work/bakery"))
