"""Maps of memories over HTTP: the contract's form, their state, and what the dashboard draws."""

import json
import struct
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeAlias, TypeVar

import httpx
import pytest

from fakes.api import Api
from fakes.star_map import SUBJECTS, add_layout, add_map, add_memories, stars
from intaglio.base.clock import iso
from intaglio.projection import rows as projections
from intaglio.projection.values import MapScope, RunFailure
from intaglio.store.tx import ReadTx, WriteTx

T = TypeVar("T")
Node: TypeAlias = dict[str, Any]

PATH: Final = "/api/embeddings/projection"
COUNT: Final = 120
ALL: Final = MapScope()


@pytest.fixture
async def page(api: Api) -> Mapping[str, str]:
    """The headers of the dashboard, whose user reads everything."""
    return {"cookie": (await api.signed_in())["cookie"]}


@pytest.fixture
async def drawn(api: Api) -> None:
    """Fill the store with memories that have a map."""
    await write(api, lambda tx: add_map(tx, COUNT))


async def write(api: Api, work: Callable[[WriteTx], T]) -> T:
    return await api.kernel.database.write(work)


async def read(api: Api, work: Callable[[ReadTx], T]) -> T:
    return await api.kernel.database.read(work)


async def ask(
    api: Api, below: str = "", headers: Mapping[str, str] | None = None, /, **query: object
) -> httpx.Response:
    asked = {name: str(value) for name, value in query.items()}
    return await api.client.get(PATH + below, params=asked, headers=headers)


def decoded(reply: httpx.Response) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the header and the columns of a binary map."""
    body = reply.content
    assert (reply.status_code, body[:8]) == (200, b"INTAMAP1")
    (length,) = struct.unpack("<I", body[8:12])
    header, start = json.loads(body[12 : 12 + length]), 12 + length
    assert start % 8 == 0
    assert all(each["offset"] % 8 == 0 for each in header["columns"])
    return header, {
        each["name"]: body[start + each["offset"] :][: each["length"]] for each in header["columns"]
    }


async def test_without_memories_the_map_is_empty(api: Api) -> None:
    reply = await ask(api)
    assert reply.status_code == 200
    found = reply.json()
    assert (found["status"], found["count"], found["nodes"], found["edges"]) == ("ready", 0, [], [])
    assert (await ask(api, "/state")).json()["run"] is None


@pytest.mark.parametrize(("count", "edges"), [(1, []), (2, [[0, 1]])])
async def test_two_memories_have_one_edge_and_one_has_none(
    api: Api, count: int, edges: list[list[int]]
) -> None:
    def fill(tx: WriteTx) -> None:
        made = list(stars(1, count))
        add_memories(tx, made, datetime.now(UTC))
        tx.execute("UPDATE memories SET is_deleted = 0, visibility = 'global'")
        add_layout(tx, made, iso(datetime.now(UTC)))
        for star in made:
            others = [other.seq for other in made if other != star]
            tx.execute(
                "UPDATE projection_points SET neighbours = ? WHERE memory = ?",
                (struct.pack(f"<{len(others)}q", *others), star.seq),
            )

    await write(api, fill)
    found = (await ask(api)).json()
    assert (found["count"], found["total"], found["hasMore"]) == (count, count, False)
    assert found["edges"] == edges
    header, _ = decoded(await ask(api, "/points"))
    assert header["count"] == count
    assert (await ask(api, "/edges", token=header["token"])).content == struct.pack(
        f"<{2 * len(edges)}I", *(end for edge in edges for end in edge)
    )
    assert (await ask(api, limit=1)).json()["edges"] == []


async def test_a_missing_layout_is_computed_and_then_ready(api: Api) -> None:
    made = list(stars(1, 30))
    await write(api, lambda tx: add_memories(tx, made, datetime.now(UTC)))
    for _ in range(2):
        reply = await ask(api)
        assert (reply.status_code, reply.json()) == (
            202,
            {"status": "computing", "dimensions": 2, "phase": "queued", "progress": 0.0},
        )
    assert (await ask(api, "/state")).json()["run"]["phase"] == "queued"
    # Of an agent without memories there is nothing to compute.
    assert (await ask(api, agent="nobody")).json()["nodes"] == []
    assert (await ask(api, "/state", agent="nobody")).json()["run"] is None
    await write(api, lambda tx: add_layout(tx, made, iso(datetime.now(UTC))))
    reply = await ask(api)
    assert (reply.status_code, reply.json()["status"]) == (200, "ready")
    # A filter selects from the layout, and another memory doesn't take the map away.
    assert (await ask(api, type="fact")).status_code == 200
    await api.remember("Granite is grey")
    again = (await ask(api)).json()
    assert (again["status"], again["count"]) == ("ready", reply.json()["count"])


async def test_an_empty_layout_is_asked_for_once_there_are_memories(api: Api) -> None:
    await write(api, lambda tx: add_layout(tx, [], "2026-01-31T08:00:00.000Z"))

    async def asked_at() -> str:
        await ask(api)
        return (await read(api, lambda tx: projections.layouts(tx, ALL)))[0].asked_at

    assert (await asked_at()).startswith("2026-01-31")
    await write(api, lambda tx: add_memories(tx, list(stars(1, 30)), datetime.now(UTC)))
    assert not (await asked_at()).startswith("2026-01-31")


async def test_a_failure_is_told_for_a_while_and_then_tried_again(api: Api) -> None:
    await write(api, lambda tx: add_memories(tx, list(stars(1, 30)), datetime.now(UTC)))

    def fail(tx: WriteTx, ago: timedelta) -> None:
        at = iso(datetime.now(UTC) - ago)
        failed = RunFailure(reason="It ran out of memory.", hint="Raise the limit.", at=at)
        projections.record_failure(tx, ALL, failed)

    await write(api, lambda tx: fail(tx, timedelta(seconds=5)))
    for _ in range(2):
        reply = await ask(api)
        assert (reply.status_code, reply.json()) == (
            500,
            {"status": "error", "message": "It ran out of memory. Raise the limit."},
        )
    state = (await ask(api, "/state")).json()
    assert state["failure"]["reason"] == "It ran out of memory."
    await write(api, lambda tx: fail(tx, timedelta(seconds=40)))
    assert (await ask(api)).status_code == 202


@pytest.mark.usefixtures("drawn")
async def test_who_may_read_nothing_of_a_map_isnt_told_of_it(
    api: Api, page: Mapping[str, str]
) -> None:
    def hide(tx: WriteTx) -> None:
        tx.execute("UPDATE memories SET visibility = 'private' WHERE agent_id = 'bob'")
        add_layout(tx, list(stars(1, 9)), "2026-01-31T08:00:00.000Z", MapScope(agent="bob"))

    await write(api, hide)
    for below in ("/points", "/matches"):
        assert (await ask(api, below, page, agent="bob")).status_code == 200
        assert (await ask(api, below, agent="bob")).status_code == 404
    state = (await ask(api, "/state", agent="bob")).json()
    assert (state["memories"], state["layouts"]) == (0, [])
    reply = await ask(api, agent="bob")
    assert (reply.status_code, reply.json()["total"]) == (200, 0)
    assert not reply.json()["cachedAt"].startswith("2026-01")
    assert (await ask(api, "/state", page, agent="bob")).json()["run"] is None


@pytest.mark.usefixtures("drawn")
async def test_a_page_of_a_layout_in_three_dimensions(api: Api, page: Mapping[str, str]) -> None:
    first = (await ask(api, "", page, dimensions=3, limit=50)).json()
    assert (first["dimensions"], first["count"], first["hasMore"]) == (3, 50, True)
    rest = (await ask(api, "", page, dimensions=3, limit=5_000, offset=50)).json()
    assert first["count"] + rest["count"] == first["total"] == rest["total"]
    assert {*(each["id"] for each in first["nodes"])}.isdisjoint(
        each["id"] for each in rest["nodes"]
    )
    for node in first["nodes"]:
        assert all(-210 <= node[axis] <= 210 for axis in "xyz")
        assert {"content", "who", "importance", "type", "tags", "pinned"} <= node.keys()
        assert {"sourceType", "sourceId", "createdAt"} <= node.keys()
    assert all(0 <= end < 50 for edge in first["edges"] for end in edge)


def words_of(node: Node) -> set[str]:
    return {*str(node["content"]).replace(",", "").split()}


FILTERS: Final[tuple[tuple[dict[str, object], Callable[[Node], bool]], ...]] = (
    ({"type": "fact"}, lambda each: each["type"] == "fact"),
    ({"types": "fact,rule"}, lambda each: each["type"] in {"fact", "rule"}),
    ({"sourceType": "file"}, lambda each: each["sourceType"] == "file"),
    ({"source_type": "file"}, lambda each: each["sourceType"] == "file"),
    ({"sourceTypes": "file,agent"}, lambda each: each["sourceType"] in {"file", "agent"}),
    ({"q": "invoice refund"}, lambda each: {"invoice", "refund"} <= words_of(each)),
    ({"q": "zebra"}, lambda _: False),
    ({"q": '"*'}, lambda _: False),
    ({"pinned": "true"}, lambda each: bool(each["pinned"])),
    ({"harness": "nobody"}, lambda _: False),
    ({"importanceMin": 0.3, "importanceMax": 0.6}, lambda each: 0.3 <= each["importance"] <= 0.6),
    ({"importanceMin": 0.6, "importanceMax": 0.3}, lambda each: 0.3 <= each["importance"] <= 0.6),
    ({"importance_min": 0.6, "importanceMax": 0.3}, lambda each: 0.3 <= each["importance"] <= 0.6),
)


@pytest.mark.usefixtures("drawn")
async def test_filters_select_from_the_layout(api: Api, page: Mapping[str, str]) -> None:
    everything = (await ask(api, "", page)).json()["nodes"]
    for query, passes in FILTERS:
        found = (await ask(api, "", page, **query)).json()["nodes"]
        wanted = [each["id"] for each in everything if passes(each)]
        assert [each["id"] for each in found] == wanted, query


@pytest.mark.usefixtures("drawn")
async def test_matches_are_the_ids_of_what_passes_the_filters(
    api: Api, page: Mapping[str, str]
) -> None:
    nodes = (await ask(api, "", page, type="fact")).json()["nodes"]
    found = (await ask(api, "/matches", page, type="fact", limit=3)).json()
    assert found == {"ids": [each["id"] for each in nodes[:3]], "total": len(nodes)}


@pytest.mark.usefixtures("drawn")
async def test_the_binary_map_says_what_the_contract_says(
    api: Api, page: Mapping[str, str]
) -> None:
    header, columns = decoded(await ask(api, "/points", page))
    assert (header["count"], header["dimensions"], header["extent"]) == (COUNT, [2, 3], 210)
    assert sum(map(len, columns.values())) == 39 * COUNT
    flags = columns["flags"]
    ids = [columns["ids"][16 * n : 16 * n + 16].hex() for n in range(COUNT)]
    flat = struct.unpack(f"<{2 * COUNT}h", columns["xy"])
    solid = struct.unpack(f"<{3 * COUNT}h", columns["xyz"])
    nodes = {
        each["id"].replace("-", ""): each
        for each in (await ask(api, "", page, dimensions=3)).json()["nodes"]
    }
    assert nodes.keys() == {each for each, flag in zip(ids, flags, strict=True) if not flag & 16}
    names = [None, *(each["name"] for each in header["entities"])]
    for n, each in enumerate(ids):
        if (node := nodes.get(each)) is None:
            continue
        at = [value * 210 / 32_767 for value in solid[3 * n : 3 * n + 3]]
        assert at == pytest.approx([node["x"], node["y"], node["z"]], abs=0.01)
        assert [value * 210 / 32_767 for value in flat[2 * n : 2 * n + 2]] == pytest.approx(at[:2])
        assert header["types"][columns["type"][n]] == node["type"]
        assert header["origins"][columns["origin"][n]] == node["sourceType"]
        assert columns["importance"][n] / 255 == pytest.approx(node["importance"], abs=0.01)
        assert bool(flags[n] & 1) == node["pinned"]
        subject = str(node["content"]).partition(":")[0]
        number = int(str(node["content"]).rpartition(" ")[2])
        assert names[columns["entity"][n]] == (subject if number % 5 else None)
        assert bool(flags[n] & 4) == (number % 20 == 0)
    assert {*names[1:]} == SUBJECTS.keys()


@pytest.mark.usefixtures("drawn")
async def test_days_are_those_of_the_users_clock(
    api: Api, page: Mapping[str, str], far_east: None
) -> None:
    del far_east
    await write(
        api,
        lambda tx: tx.execute(
            "UPDATE memories SET created_at = '2026-01-01T11:00:00.000Z', updated_at = ''"
        ),
    )
    _, columns = decoded(await ask(api, "/points", page))
    local = (datetime(2026, 1, 2, tzinfo=UTC) - datetime(1970, 1, 1, tzinfo=UTC)).days
    assert {*struct.unpack(f"<{COUNT}H", columns["created"])} == {local}
    assert {*struct.unpack(f"<{COUNT}H", columns["changed"])} == {0}


@pytest.mark.usefixtures("drawn")
async def test_points_that_have_not_changed_are_not_sent_again(
    api: Api, page: Mapping[str, str]
) -> None:
    first = await ask(api, "/points", page)
    known = {**page, "if-none-match": first.headers["etag"]}
    assert (await ask(api, "/points", known)).status_code == 304
    # What no point shows changes nothing.
    await write(api, lambda tx: tx.execute("UPDATE memories SET access_count = 5"))
    assert (await ask(api, "/points", known)).status_code == 304
    await write(api, lambda tx: tx.execute("UPDATE memories SET pinned = 1 WHERE seq = 7"))
    assert (await ask(api, "/points", known)).status_code == 200


@pytest.mark.usefixtures("drawn")
async def test_edges_join_near_points_and_belong_to_a_token(
    api: Api, page: Mapping[str, str]
) -> None:
    header, _ = decoded(await ask(api, "/points", page))
    reply = await ask(api, "/edges", page, token=header["token"])
    pairs = list(struct.iter_unpack("<II", reply.content))
    assert len(pairs) == len(set(pairs)) > COUNT
    assert all(start < end < COUNT for start, end in pairs)
    await write(api, lambda tx: tx.execute("UPDATE memories SET importance = 0 WHERE seq = 1"))
    stale = await ask(api, "/edges", page, token=header["token"])
    assert (stale.status_code, stale.json()["hint"]) == (409, "Load its points again.")


@pytest.mark.usefixtures("drawn")
async def test_forgotten_memories_are_points_for_the_user_only(
    api: Api, page: Mapping[str, str]
) -> None:
    _, columns = decoded(await ask(api, "/points", page))
    assert any(flag & 16 for flag in columns["flags"])
    _, columns = decoded(await ask(api, "/points"))
    assert columns["flags"]
    assert not any(flag & 16 for flag in columns["flags"])


async def test_a_project_and_an_agent_have_their_own_maps(
    api: Api, page: Mapping[str, str]
) -> None:
    def fill(tx: WriteTx) -> None:
        made = list(stars(1, 60))
        add_memories(tx, made, datetime.now(UTC))
        of_shop = tx.column(int, "SELECT seq FROM memories WHERE project = '/work/shop'")
        of_ann = tx.column(int, "SELECT seq FROM memories WHERE agent_id = 'ann'")
        for scope, own in (
            (MapScope(project="/work/shop"), of_shop),
            (MapScope(agent="ann"), of_ann),
        ):
            layout = [each for each in made if each.seq in own]
            add_layout(tx, layout, iso(datetime.now(UTC)), scope)

    await write(api, fill)
    for query, column in (({"project": "/work/shop"}, "projects"), ({"agent": "ann"}, "agents")):
        header, _ = decoded(await ask(api, "/points", page, **query))
        assert header[column] == [*query.values()]
        assert header["count"] > 0
        state = (await ask(api, "/state", page, **query)).json()
        assert [each["dimensions"] for each in state["layouts"]] == [2]
        nodes = (await ask(api, "", page, **query)).json()
        assert nodes["total"] == state["memories"]


@pytest.mark.parametrize("named", ["/work/shop", "shop"])
async def test_a_projects_map_shows_what_the_list_shows_of_it(
    api: Api, page: Mapping[str, str], named: str
) -> None:
    def fill(tx: WriteTx) -> None:
        made = list(stars(1, 60))
        add_memories(tx, made, datetime.now(UTC))
        tx.execute("UPDATE memories SET project = 'shop' WHERE project = '/work/shop' AND seq % 2")
        shop = "SELECT seq FROM memories WHERE project IN ('/work/shop', 'shop')"
        own = {*tx.column(int, shop)}
        scope = MapScope(project="/work/shop")
        add_layout(tx, [each for each in made if each.seq in own], iso(datetime.now(UTC)), scope)

    await write(api, fill)
    of_project = {"project": named, "limit": "100"}
    listed = await api.client.get("/api/memories", params=of_project, headers=page)
    ids = {each["id"] for each in listed.json()["memories"]}
    nodes = (await ask(api, "", page, project=named)).json()
    assert {each["id"] for each in nodes["nodes"]} == ids
    state = (await ask(api, "/state", page, project=named)).json()
    assert state["memories"] == nodes["total"] == len(ids)
    header, columns = decoded(await ask(api, "/points", page, project=named))
    assert {*header["projects"]} == {"/work/shop", "shop"}
    assert sum(not flag & 16 for flag in columns["flags"]) == len(ids)


@pytest.mark.parametrize("below", ["", "/state", "/points", "/matches"])
async def test_a_project_and_an_agent_together_are_refused(api: Api, below: str) -> None:
    reply = await ask(api, below, project="/work/shop", agent="ann")
    assert reply.status_code == 400
    assert reply.json()["title"] == "Invalid request"
    assert reply.json()["hint"].startswith("Send project or agent")


@pytest.mark.parametrize("below", ["/edges", "/labels"])
async def test_a_missing_token_is_named(api: Api, below: str) -> None:
    reply = await ask(api, below)
    assert (reply.status_code, reply.json()["detail"]) == (400, "token is required")


@pytest.mark.parametrize("below", ["/points", "/edges?token=x", "/matches"])
async def test_a_map_that_was_not_computed_is_not_found(api: Api, below: str) -> None:
    await api.remember("Granite is grey")
    reply = await api.client.get(PATH + below)
    assert (reply.status_code, reply.json()["title"]) == (404, "Not found")
    assert "GET /api/embeddings/projection" in reply.json()["hint"]


@pytest.mark.parametrize(
    "query",
    [
        {"dimensions": 4},
        {"dimensions": "x"},
        {"limit": 0},
        {"limit": 5_001},
        {"offset": -1},
        {"importanceMin": 2},
        {"since": "soon"},
        {"unknown": 1},
        {"project": " "},
    ],
)
async def test_bad_queries_are_refused_with_a_hint(api: Api, query: dict[str, object]) -> None:
    reply = await ask(api, **query)
    assert reply.status_code == 400, reply.text
    assert reply.json()["title"]
    assert reply.json()["hint"]


@pytest.mark.parametrize(
    ("name", "value"), [("importanceMin", "x"), ("importanceMax", 7), ("sourceTypes", "x" * 1_001)]
)
async def test_a_refused_parameter_is_named_as_it_was_sent(
    api: Api, name: str, value: object
) -> None:
    reply = await ask(api, **{name: value})
    assert (reply.status_code, reply.json()["error"].partition(":")[0]) == (400, name)


async def test_a_run_is_started_and_cancelled_by_the_user(api: Api) -> None:
    signed_in = await api.signed_in()
    await write(api, lambda tx: add_memories(tx, list(stars(1, 30)), datetime.now(UTC)))
    runs = f"{PATH}/runs"
    started = await api.client.post(runs, json={"dimensions": [3, 2, 3]}, headers=signed_in)
    assert started.status_code == 202, started.text
    assert started.json()["run"]["dimensions"] == [2, 3]
    stopped = await api.client.delete(runs, headers=signed_in)
    assert (stopped.status_code, stopped.json()["run"]) == (200, None)
    assert stopped.json()["failure"]["reason"] == "The run was cancelled."
    assert (await ask(api)).json()["message"].startswith("The run was cancelled.")
    refused: tuple[tuple[dict[str, Any], int], ...] = (
        ({"dimensions": []}, 400),
        ({"dimensions": [4]}, 400),
        ({"project": "/nowhere"}, 404),
        ({"agent": "nobody"}, 404),
        ({"project": "/work/shop", "agent": "ann"}, 400),
    )
    for body, status in refused:
        reply = await api.client.post(runs, json=body, headers=signed_in)
        assert (reply.status_code, bool(reply.json()["hint"])) == (status, True)


async def test_programs_without_the_token_start_no_run(api: Api) -> None:
    assert (await api.client.post(f"{PATH}/runs", json={})).status_code in {401, 403}
    assert (await api.client.delete(f"{PATH}/runs")).status_code in {401, 403}


@pytest.mark.usefixtures("drawn")
async def test_entities_stand_among_their_memories(api: Api, page: Mapping[str, str]) -> None:
    reply = await api.client.get("/api/knowledge/constellation", headers=page)
    found = {each["name"]: each for each in reply.json()["entities"]}
    assert found.keys() == SUBJECTS.keys()
    for name, entity in found.items():
        reply = await ask(api, "", page, dimensions=3, entity=entity["id"])
        own = reply.json()["nodes"]
        assert {node["content"].partition(":")[0] for node in own} == {name}
        for axis, value in zip("xyz", entity["position3D"], strict=True):
            values = [node[axis] for node in own]
            assert min(values) <= value <= max(values)
        assert entity["position"] == pytest.approx(entity["position3D"][:2], abs=30)


async def test_without_a_layout_entities_have_no_position(api: Api) -> None:
    await api.remember("`billing-api` stores invoices in Postgres")
    reply = await api.client.get("/api/knowledge/constellation")
    assert [each["position"] for each in reply.json()["entities"]] != []
    assert all(each["position"] is each["position3D"] is None for each in reply.json()["entities"])
