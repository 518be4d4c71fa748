"""What was learned, told and used, over HTTP and as the days are counted."""

import csv
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest

from fakes.api import Api
from fakes.store import MovableClock
from intaglio.base.clock import iso
from intaglio.daemon.packages import PACKAGES
from intaglio.statistics.days import Calendar
from intaglio.statistics.sampler import Sampler
from intaglio.statistics.statistics import CountQuery, StatisticsReports
from intaglio.store.tx import WriteTx

HOOK = "/api/hooks/native/claude-code"
PROJECT = "/work/lantern"
DAY_S = 86_400
_STORED = (
    ("memory_history", "created_at", "created_at - ?1 * 86400000"),
    ("memories", "created_at", "strftime('%Y-%m-%dT%H:%M:%fZ', created_at, -?1 || ' days')"),
    ("injections", "created_at", "strftime('%Y-%m-%dT%H:%M:%fZ', created_at, -?1 || ' days')"),
    ("sessions", "started_at", "strftime('%Y-%m-%dT%H:%M:%fZ', started_at, -?1 || ' days')"),
)


async def hook(api: Api, event: str, **more: object) -> None:
    """Report an event of a session in the project."""
    body = {"hook_event_name": event, "session_id": "s1", "cwd": PROJECT, **more}
    reply = await api.client.post(HOOK, json=body)
    assert reply.status_code == 200, reply.text
    await api.kernel.settled()


async def read(api: Api, **params: str) -> dict[str, Any]:
    """Return the statistics as the user sees them."""
    reply = await api.client.get("/api/statistics", params=params, headers=api.owner)
    assert reply.status_code == 200, reply.text
    found: dict[str, Any] = reply.json()
    return found


async def forget(api: Api, memory: str, **more: str) -> None:
    """Forget a memory, or with `force` erase it."""
    await api.client.delete(
        f"/api/memory/{memory}", params={"reason": "wrong", **more}, headers=api.owner
    )


async def set_back(api: Api, days: int) -> None:
    """Move everything that is stored to earlier days."""

    def work(tx: WriteTx) -> None:
        for table, column, moved in _STORED:
            tx.execute(f"UPDATE {table} SET {column} = {moved}", (days,))  # noqa: S608 - constants

    await api.kernel.database.write(work)


async def in_days(api: Api, days: int) -> Sampler:
    """Return what counts days, on a clock that is so many days ahead."""
    clock = MovableClock(datetime.now(UTC) + timedelta(days=days))
    return replace(api.kernel.get(Sampler), calendar=Calendar(clock, api.kernel.local))


async def test_what_is_remembered_counts_at_once(api: Api) -> None:
    await api.remember("Lantern uses SQLite.", project=PROJECT, type="decision")
    await api.remember("Tea is at five.")
    found = await read(api)
    assert (found["totals"]["learned"], found["memories"]) == (2, 2)
    assert [point["learned"] for point in found["points"]] == [0] * 6 + [2]
    assert [point["memories"] for point in found["points"]] == [0] * 6 + [2]
    assert {each["label"]: each["learned"] for each in found["projects"]} == {
        "lantern": 1,
        "All projects": 1,
    }
    assert {each["label"]: each["learned"] for each in found["types"]} == {
        "Decision": 1,
        "Fact": 1,
    }
    assert [each["label"] for each in found["origins"]] == ["By hand"]


async def test_on_a_slow_machine_little_is_counted_anew_at_each_request(api: Api) -> None:
    seconds = count(step=5.0)
    reports = replace(api.kernel.get(StatisticsReports), monotonic_s=lambda: float(next(seconds)))
    learned = list[int]()
    for text in ("Lantern uses SQLite.", "Tea is at five."):
        await api.remember(text)
        learned.append((await reports.report(CountQuery(), {})).totals["learned"])
    assert learned == [1, 2]


async def test_a_fresh_store_says_that_there_is_nothing(api: Api) -> None:
    found = await read(api)
    assert found["isEmpty"]
    assert found["summary"] == "Nothing to count yet."
    assert len((await read(api, range="all"))["points"]) == 1


async def test_what_was_told_and_forgotten_is_in_the_sentence(api: Api) -> None:
    await api.remember("Lantern uses SQLite.", project=PROJECT, type="decision")
    wrong = await api.remember("Lantern uses Redis.", project="/work/other")
    await hook(api, "SessionStart", source="startup")
    await forget(api, wrong)
    found = await read(api)
    assert found["summary"] == (
        "In the last 7 days, Intaglio learned 2 memories in 2 projects; "
        "1 of them was told to agents, and you forgot 1."
    )
    totals = found["totals"]
    assert (totals["told"], totals["usedTold"], totals["sessions"]) == (1, 1, 1)
    assert totals["toldTokens"] > 0
    assert sum(each["toldTokens"] for each in found["types"]) == totals["toldTokens"]


async def test_a_project_is_shown_by_itself(api: Api) -> None:
    await api.remember("Lantern uses SQLite.", project=PROJECT)
    await api.remember("Harbor uses Redis.", project="/work/harbor")
    found = await read(api, project="lantern")
    assert (found["project"], found["totals"]["learned"], found["memories"]) == (PROJECT, 1, 1)
    assert found["summary"].startswith("In the last 7 days, Intaglio learned 1 memory in lantern;")


async def test_a_day_that_is_over_is_counted_once_and_stays(api: Api) -> None:
    memory = await api.remember("Lantern uses SQLite.", project=PROJECT)
    await hook(api, "SessionStart", source="startup")
    await set_back(api, 2)
    assert (await read(api))["pendingDays"] == 2
    sampler = api.kernel.get(Sampler)
    assert await sampler.catch_up() == 2
    assert await sampler.catch_up() == 0
    await forget(api, memory, force="true")
    found = await read(api)
    assert [point["learned"] for point in found["points"]] == [0, 0, 0, 0, 1, 0, 0]
    assert [point["memories"] for point in found["points"]][-3:] == [1, 1, 0]
    assert (found["pendingDays"], found["totals"]["usedTold"]) == (0, 0)


async def test_an_upgraded_store_shows_days_of_which_the_history_is_gone(api: Api) -> None:
    await api.remember("Lantern uses SQLite.", project=PROJECT)
    await set_back(api, 200)
    await api.kernel.database.write(lambda tx: tx.execute("DELETE FROM memory_history"))
    await api.kernel.get(Sampler).catch_up()
    found = await read(api, range="all")
    assert (found["step"], found["totals"]["learned"]) == ("week", 1)
    assert next(point["learned"] for point in found["points"]) == 1
    assert len(found["points"]) in {29, 30}
    assert (await read(api, range="90"))["totals"]["learned"] == 0


async def test_an_erased_project_leaves_counts_but_no_name(api: Api) -> None:
    memory = await api.remember("Lantern uses SQLite.", project=PROJECT)
    await set_back(api, 1)
    await api.kernel.get(Sampler).catch_up()
    await forget(api, memory, force="true")
    found = await read(api)
    assert [(each["key"], each["label"]) for each in found["projects"] if each["learned"]] == [
        (None, "Former projects")
    ]
    await api.kernel.get(Sampler).catch_up()
    names = await api.kernel.database.read(
        lambda tx: tx.column(str, "SELECT key FROM counted_projects WHERE key IS NOT NULL")
    )
    assert names == []
    assert (await read(api))["totals"]["learned"] == 1


async def test_counts_of_a_moved_project_go_with_it(api: Api) -> None:
    await api.remember("Lantern uses SQLite.", project=PROJECT)
    await set_back(api, 1)
    await api.kernel.get(Sampler).catch_up()
    moved = await api.client.post(
        "/api/projects/changes",
        json={"kind": "move", "project": PROJECT, "target": "/work/lamp"},
        headers=api.owner,
    )
    assert moved.status_code == 200, moved.text
    for _ in range(2):
        found = await read(api, project="/work/lamp")
        assert (found["totals"]["learned"], found["projects"][0]["label"]) == (1, "lamp")
        await api.kernel.get(Sampler).catch_up()


async def test_days_counted_by_a_clock_in_the_future_are_counted_again(api: Api) -> None:
    await (await in_days(api, 3)).catch_up()
    await api.remember("Lantern uses SQLite.", project=PROJECT)
    await (await in_days(api, 1)).catch_up()
    day = await api.kernel.database.read(
        lambda tx: tx.scalar(int, "SELECT sum(count) FROM daily_counts WHERE measure = 'learned'")
    )
    assert day == 1


async def test_a_name_that_a_program_gives_as_source_is_not_kept(api: Api) -> None:
    await api.remember("Lantern uses SQLite.", sourceType="my secret diary")
    assert [each["key"] for each in (await read(api))["origins"]] == ["other"]


async def test_the_csv_has_the_same_counts_and_no_formulas(api: Api) -> None:
    await api.remember("Lantern uses SQLite.", project="=cmd()", type="decision")
    await api.remember("Tea is at five.")
    reply = await api.client.get("/api/statistics.csv", headers=api.owner)
    assert reply.headers["content-type"].startswith("text/csv")
    assert "attachment" in reply.headers["content-disposition"]
    rows = list(csv.DictReader(reply.text.splitlines()))
    assert [row["project"] for row in rows if row["type"] == "decision"] == ["'=cmd()"]
    assert sum(int(row["learned"]) for row in rows) == 2


@pytest.mark.parametrize("address", ["/api/statistics", "/api/statistics.csv"])
async def test_only_the_user_may_read_counts_of_everything(api: Api, address: str) -> None:
    assert (await api.client.get(address)).status_code == 401
    assert (await api.client.get(address, headers=await api.signed_in())).status_code == 200


async def test_an_unknown_range_is_refused(api: Api) -> None:
    reply = await api.client.get("/api/statistics", params={"range": "8"}, headers=api.owner)
    assert reply.status_code == 400


async def test_the_sweep_deletes_days_past_their_retention(api: Api) -> None:
    await api.remember("Lantern uses SQLite.")
    await set_back(api, 3)
    await api.kernel.get(Sampler).catch_up()
    (step,) = (each for each in PACKAGES.retention if each.name == "statistics")
    before = iso(api.kernel.clock() - timedelta(days=1))

    def sweep(tx: WriteTx) -> int:
        return step.purge(tx, step.find(tx, before, before, 10), before, before)

    assert await api.kernel.database.write(sweep) == 2
    assert (await read(api))["totals"]["learned"] == 0


async def test_the_entities_that_the_newest_memories_name_come_first(api: Api) -> None:
    await api.remember("Harbor runs on PostgreSQL.", project=PROJECT)
    await api.remember("PostgreSQL is upgraded each spring.", project=PROJECT)
    top = (await read(api))["topEntities"]
    assert (top[0]["name"], top[0]["memories"]) == ("PostgreSQL", 2)
    assert (await read(api, range="all"))["topEntities"][0]["name"] == "PostgreSQL"
