"""No form of a map tells an agent anything of a memory that it may not read."""

import asyncio
import struct
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args
from uuid import UUID

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from api.test_projection import PATH, decoded
from fakes.agent_requests import all_routes
from fakes.api import Api, running_api
from fakes.star_map import Star, add_layout
from intaglio.domain.reader import USER, GroupReader, IsolatedReader, Reader, SharedReader, may_read
from intaglio.projection.values import MapScope
from intaglio.store.tx import WriteTx

AGENTS: Final = ("default", "ann", "bob")
GROUP: Final = "red"
COPIES: Final = 5
# To shrink an example takes hundreds of databases.
PHASES: Final = (Phase.explicit, Phase.generate)
AT: Final = "2026-01-31T08:00:00.000Z"
Policy: TypeAlias = Literal["shared", "isolated", "group"]
State: TypeAlias = Literal["live", "forgotten", "replaced", "private later"]
SCOPES: Final = (MapScope(), MapScope(project="/a"), MapScope(agent="ann"))
POINTS: Final = f"{PATH}/points"
ENTITIES: Final = "/api/knowledge/constellation"
# Whatever of a map can be asked for, the points first because others need their token.
FORMS: Final = sorted(
    (path for method, path, _ in all_routes() if method == "GET" and path.startswith(PATH)),
    key=lambda path: path != POINTS,
)
PARAMETERS: Final = {
    path: frozenset(route.parameters.all())
    for method, path, route in all_routes()
    if method == "GET"
}


@dataclass(frozen=True)
class Fact:
    """A memory that has a word, and an entity, of its own."""

    agent: str
    project: str | None
    private: bool
    state: State
    has_point: bool


FACTS = st.lists(
    st.builds(
        Fact,
        st.sampled_from(AGENTS),
        st.sampled_from([None, "/a", "/b"]),
        st.booleans(),
        st.sampled_from(get_args(State)),
        st.sampled_from([True, True, True, False]),
    ),
    min_size=2,
    max_size=7,
)
POLICIES = st.tuples(*[st.sampled_from(get_args(Policy))] * len(AGENTS))


def word_of(fact: int) -> str:
    return f"quok{chr(ord('a') + fact)}zil"


def readers(policies: Sequence[Policy]) -> dict[str, Reader]:
    """Return who may read what, by these policies."""
    members = tuple(
        agent for agent, policy in zip(AGENTS, policies, strict=True) if policy == "group"
    )

    def reader(agent: str, policy: Policy) -> Reader:
        match policy:
            case "shared":
                return SharedReader(agent)
            case "isolated":
                return IsolatedReader(agent)
            case "group":
                return GroupReader(agent, members)

    return {each: reader(each, policy) for each, policy in zip(AGENTS, policies, strict=True)}


@dataclass
class Store:
    """The memories of an API by their numbers, and the places of their points.

    Each fact is in the store several times, so that its word can label a cluster. Only the first
    of each is linked with its entity.
    """

    api: Api
    distinct: int
    facts: Sequence[Fact]
    ids: list[str]
    stars: dict[int, Star]
    page: Mapping[str, str]

    @classmethod
    async def made(cls, api: Api, facts: Sequence[Fact], policies: Sequence[Policy]) -> "Store":
        for agent, policy in zip(AGENTS, policies, strict=True):
            body = {"read_policy": policy, "policy_group": GROUP if policy == "group" else None}
            address = (
                ("PATCH", "/api/agents/default") if agent == "default" else ("POST", "/api/agents")
            )
            named = body if agent == "default" else {"id": agent, **body}
            reply = await api.client.request(*address, json=named, headers=api.owner)
            assert reply.status_code < 300, reply.text
        ids = [
            await api.remember(
                f"`{word_of(number)}-api` keeps {word_of(number)} for everyone",
                agentId=fact.agent,
                project=fact.project,
                visibility="private" if fact.private else "global",
            )
            for number, fact in enumerate(facts)
        ]
        page = {"cookie": (await api.signed_in())["cookie"]}
        store = cls(api, len(facts), [*facts] * COPIES, ids, {}, page)
        await api.kernel.database.write(store.lay_out)
        for memory_id, fact in zip(ids, facts, strict=False):
            if fact.state == "forgotten":
                body = {"reason": "a test", "agentId": fact.agent}
                reply = await api.client.request("DELETE", f"/api/memory/{memory_id}", json=body)
                assert reply.status_code == 200, reply.text
        return store

    def lay_out(self, tx: WriteTx) -> None:
        """Write the layouts of all scopes, with points of all that have one."""
        self.copy(tx)
        for number, fact in enumerate(self.facts):
            seq = tx.count("SELECT seq FROM memories WHERE id = ?", (self.ids[number],))
            if fact.has_point:
                near, kind = number / self.distinct, number % self.distinct
                self.stars[number] = Star(seq, 0, 30.0 * kind - 90, 50 - 30.0 * kind, near)
            if fact.state == "replaced":
                tx.execute("UPDATE memories SET valid_until = ? WHERE seq = ?", (AT, seq))
            if fact.state == "forgotten" and number >= self.distinct:
                gone = "UPDATE memories SET is_deleted = 1, deleted_at = ? WHERE seq = ?"
                tx.execute(gone, (AT, seq))
        for scope in SCOPES:
            own = [star for number, star in self.stars.items() if self.is_in(number, scope)]
            add_layout(tx, own, AT, scope, 2)
            add_layout(tx, own, AT, scope, 3)

    def copy(self, tx: WriteTx) -> None:
        """Write each fact some more times."""
        columns = ", ".join(
            name
            for name in tx.column(str, "SELECT name FROM pragma_table_info('memories')")
            if name not in {"seq", "id", "content", "content_hash"}
        )
        for number in range(self.distinct, len(self.facts)):
            first = self.ids[number % self.distinct]
            self.ids.append(str(UUID(int=number, version=4)))
            tx.execute(
                f"INSERT INTO memories(id, content, content_hash, {columns}) "  # noqa: S608 - names of columns
                f"SELECT ?, content || ' ' || ?, randomblob(16), {columns} FROM memories "
                "WHERE id = ?",
                (self.ids[number], number, first),
            )

    def hide(self, tx: WriteTx) -> None:
        """Make private what is private from some time on."""
        for number, fact in enumerate(self.facts):
            if fact.state == "private later":
                sql = "UPDATE memories SET visibility = 'private' WHERE id = ?"
                tx.execute(sql, (self.ids[number],))

    def is_in(self, number: int, scope: MapScope) -> bool:
        fact = self.facts[number]
        return scope.project in {None, fact.project} and scope.agent in {None, fact.agent}

    def readable(self, reader: Reader, *, hidden: bool) -> set[int]:
        """Return the live memories that a reader may read."""
        found: set[int] = set()
        for number, fact in enumerate(self.facts):
            is_private = fact.private or (hidden and fact.state == "private later")
            if may_read(reader, fact.agent, "private" if is_private else "global"):
                found.add(number)
        return found if reader == USER else {n for n in found if self.is_live(n)}

    def word(self, number: int) -> bytes:
        return word_of(number % self.distinct).encode()

    def is_live(self, number: int) -> bool:
        return self.facts[number].state != "forgotten"

    async def check(
        self, agent: str | None, reader: Reader, scope: MapScope, *, hidden: bool
    ) -> None:
        """Ask for every form of a map, and compare it with what the reader may read of it."""
        readable = {n for n in self.readable(reader, hidden=hidden) if self.is_in(n, scope)}
        live = {number for number in readable if self.is_live(number)}
        asked = {"project": scope.project, "agent": scope.agent, "agentId": agent}
        query = {name: value for name, value in asked.items() if value is not None}
        headers = self.page if agent is None else None
        if agent is not None and not live:
            await self.refuse_to_tell(query)
            return
        replies: dict[str, Any] = {}
        for path in (*FORMS, ENTITIES):
            token = {"token": replies["token"]} if "token" in PARAMETERS[path] else {}
            solid = {"dimensions": "3"} if "dimensions" in PARAMETERS[path] else {}
            reply = await self.api.client.get(
                path, params={**query, **token, **solid}, headers=headers
            )
            assert reply.status_code == 200, (path, reply.text)
            self.refuse_others(
                path,
                reply.content,
                readable if path != ENTITIES else self.readable(reader, hidden=hidden),
            )
            if path == POINTS:
                replies["token"], replies[path] = reply.headers["etag"].strip('"'), decoded(reply)
            else:
                replies[path] = reply.content if path.endswith("/edges") else reply.json()
        self.compare(replies, scope, readable, live)

    async def refuse_to_tell(self, query: Mapping[str, str]) -> None:
        """Check that to somebody who may read nothing of a map, it isn't there."""
        for path in FORMS:
            token = {"token": "x"} if "token" in PARAMETERS[path] else {}
            reply = await self.api.client.get(path, params={**query, **token})
            match path.removeprefix(PATH):
                case "":
                    assert (reply.status_code, reply.json()["total"]) == (200, 0)
                    assert reply.json()["cachedAt"] != AT
                case "/state":
                    assert (reply.json()["memories"], reply.json()["layouts"]) == (0, [])
                case _:
                    assert reply.status_code == 404, (path, reply.text)

    def refuse_others(self, path: str, content: bytes, readable: set[int]) -> None:
        for number, memory_id in enumerate(self.ids):
            if number in readable:
                continue
            for secret in (self.word(number), memory_id.encode(), UUID(memory_id).bytes):
                assert secret not in content.lower(), (path, self.facts[number])

    def near(self, scope: MapScope, drawn: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield the edges between points: neighbours are the next five, whoever may read them."""
        points = [number for number in self.stars if self.is_in(number, scope)]
        for number in drawn:
            after = points[points.index(number) + 1 :][:5]
            yield from ((number, other) for other in [n for n in after if n in drawn][:3])

    def compare(
        self, replies: dict[str, Any], scope: MapScope, readable: set[int], live: set[int]
    ) -> None:
        header, columns = replies[POINTS]
        points = [
            str(UUID(bytes=columns["ids"][at : at + 16]))
            for at in range(0, len(columns["ids"]), 16)
        ]
        drawn = [number for number in sorted(readable) if number in self.stars]
        assert points == [self.ids[number] for number in drawn]
        assert header["unplaced"] == len(live - self.stars.keys())
        assert [bool(flag & 16) for flag in columns["flags"]] == [n not in live for n in drawn]
        pairs = {*struct.iter_unpack("<II", replies[f"{PATH}/edges"])}
        assert pairs == {(drawn.index(n), drawn.index(m)) for n, m in self.near(scope, drawn)}
        shown = {self.ids[number] for number in live if number in self.stars}
        assert {each["id"] for each in replies[PATH]["nodes"]} == shown
        assert replies[PATH]["total"] == len(shown)
        assert {*replies[f"{PATH}/matches"]["ids"]} == shown
        state = replies[f"{PATH}/state"]
        assert state["memories"] == len(live)
        if readable == live:
            # To the user, it counts what a run laid out, which may have been forgotten since.
            drawn_in = {each["points"] + each["placed"] for each in state["layouts"]}
            assert drawn_in == {len(shown)}
        for entity in replies[ENTITIES]["entities"]:
            own = [
                n
                for n in range(self.distinct)
                if entity["name"].startswith(word_of(n)) and n in live and n in self.stars
            ]
            places = [[self.stars[n].x, self.stars[n].y, self.stars[n].z] for n in own]
            assert entity["position3D"] == (pytest.approx(places[0], abs=0.01) if own else None)


async def check(facts: Sequence[Fact], policies: Sequence[Policy], scope: MapScope) -> None:
    known = readers(policies)
    with tempfile.TemporaryDirectory() as folder:
        async with running_api(Path(folder)) as api:
            store = await Store.made(api, facts, policies)
            for hidden in (False, True):
                if hidden:
                    await api.kernel.database.write(store.hide)
                for agent in (None, *AGENTS):
                    await store.check(agent, known.get(agent or "", USER), scope, hidden=hidden)


@settings(max_examples=5, phases=PHASES)
@given(FACTS, POLICIES, st.sampled_from(SCOPES))
def test_no_form_of_a_map_shows_a_memory_that_the_asker_may_not_read(
    facts: list[Fact], policies: tuple[Policy, ...], scope: MapScope
) -> None:
    asyncio.run(check(facts, policies, scope))


@pytest.mark.slow
@settings(max_examples=150, phases=PHASES)
@given(FACTS, POLICIES, st.sampled_from(SCOPES))
def test_no_form_of_many_more_maps_does(
    facts: list[Fact], policies: tuple[Policy, ...], scope: MapScope
) -> None:
    asyncio.run(check(facts, policies, scope))
