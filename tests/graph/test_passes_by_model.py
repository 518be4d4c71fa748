"""The structural passes by a model: they improve what rules guessed, and touch nothing else."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fakes.completions import OpenGate, ScriptedCompletion, model_calls
from fakes.graph import ACTOR, lease, linked_store, query, remember, work
from fakes.store import Bench
from fakes.waiting import PATIENCE_S
from intaglio.base.bus import EventBus
from intaglio.base.errors import UnavailableError
from intaglio.base.events import Changed
from intaglio.graph import reading_rows
from intaglio.graph.background.classification import AspectClassifier
from intaglio.graph.background.telemetry import GraphTelemetry
from intaglio.graph.by_model.passes import STAGES, ModelPasses
from intaglio.graph.by_model.services import PassServices
from intaglio.graph.job_types import (
    CLASSIFY,
    DEPENDENCIES_BY_MODEL,
    SORT_BY_MODEL,
    queue_classification,
    queue_reading,
)
from intaglio.graph.settings import GraphSettings
from intaglio.inference.completion.ports import CompletionRequest, NotCompleted
from intaglio.jobs.job_type import JobRunner, JobType, OneByOne
from intaglio.memory.operations import MEMORY_TOPIC, Audit
from intaglio.memory.values import Change, Source
from intaglio.models.values import MustWait
from intaglio.projects import rows as projects
from intaglio.store.tx import WriteTx

WHY = Audit(ACTOR)
TEXT = "We know that `billing-api` uses `ledger-core` since spring"
PLACES = (
    "SELECT m.content, s.name, t.kind, t.origin FROM entity_attributes t "
    "JOIN memories m ON m.seq = t.memory LEFT JOIN entity_aspects s ON s.seq = t.aspect "
    "WHERE t.is_primary = 1 ORDER BY m.seq"
)
EDGES = (
    "SELECT s.name, d.dependency_type, t.name FROM entity_dependencies d "
    "JOIN entities s ON s.seq = d.source JOIN entities t ON t.seq = d.target ORDER BY d.seq"
)


def services(
    store: Bench, completion: ScriptedCompletion | None, gate: OpenGate | None = None
) -> PassServices:
    if completion is not None:
        completion.database = store.db
    return PassServices(
        db=store.db,
        context=store.context,
        telemetry=GraphTelemetry(),
        settings=GraphSettings,
        calls=model_calls(completion, gate),
    )


def runner(passes: PassServices, type_: JobType) -> JobRunner:
    found = {each.name: each.runner for each in ModelPasses(passes, EventBus()).job_types()}
    runs = found[type_.name]
    assert runs is not None
    return runs


def sorting(kind: str = "attribute", aspect: str = "habits") -> Callable[[CompletionRequest], str]:
    def answer(request: CompletionRequest) -> str:
        asked: dict[str, Any] = json.loads(request.user)
        facts = [{"i": each["i"], "aspect": aspect, "kind": kind} for each in asked["facts"]]
        return json.dumps({"facts": facts})

    return answer


def dependency(target: str, type_: str = "requires") -> Callable[[CompletionRequest], str]:
    return lambda _: json.dumps({"facts": [{"i": 1, "target": target, "type": type_}]})


async def guessed(store: Bench, passes: PassServices, count: int = 3, **fields: object) -> None:
    """Keep facts whose aspect the rules only guess, and let the rules place them."""
    for number in range(count):
        await remember(store, f"I keep number {number} in mind", **fields)

    def unclassify(tx: WriteTx) -> None:
        [entity] = tx.column(int, "SELECT DISTINCT entity FROM entity_attributes")
        tx.execute("UPDATE entity_attributes SET aspect = NULL")
        queue_classification(tx, entity, store.context.now)

    await store.db.write(unclassify)
    rules = AspectClassifier(
        db=store.db, context=store.context, telemetry=passes.telemetry, asks_model=passes.is_on
    )
    await work(store, CLASSIFY, OneByOne(rules.run))


async def test_rules_place_facts_at_once_and_a_model_sorts_the_guesses(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        model = ScriptedCompletion(sorting())
        passes = services(store, model)
        await guessed(store, passes, 11)
        assert {row[1] for row in await query(store, PLACES)} == {"general"}
        assert model.asked == []
        await work(store, SORT_BY_MODEL, runner(passes, SORT_BY_MODEL))
        assert {row[1:] for row in await query(store, PLACES)} == {
            ("habits", "attribute", "classifier")
        }
        assert len(model.asked) == 2
        readings = await query(
            store, "SELECT DISTINCT stage, version, model FROM attribute_readings"
        )
        assert readings == [("structural_classify", 1, "scripted")]


async def test_without_a_model_nothing_is_queued(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        passes = services(store, None)
        await guessed(store, passes)
        assert await query(store, "SELECT type FROM jobs WHERE type LIKE 'model_%'") == []
        assert {row[1] for row in await query(store, PLACES)} == {"general"}


async def test_jobs_wait_while_the_model_may_not_be_asked(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        gate = OpenGate(MustWait("capped", "a limit is reached", 600.0))
        passes = services(store, ScriptedCompletion(sorting()), gate)
        await guessed(store, passes)
        sorter = runner(passes, SORT_BY_MODEL)
        assert sorter.capacity == 0
        await sorter.run(await lease(store, SORT_BY_MODEL))
        waiting = await query(
            store, "SELECT status, attempts FROM jobs WHERE type = 'model_aspects'"
        )
        assert waiting == [("pending", 0)]


@pytest.mark.parametrize(
    "reply", ["", "sorry", "{", '{"facts": []}', '{"facts": [{"i": 77, "aspect": "x"}]}']
)
async def test_rubbish_fails_the_job_and_leaves_the_place_of_the_rules(
    tmp_path: Path, reply: str
) -> None:
    async with linked_store(tmp_path) as store:
        passes = services(store, ScriptedCompletion(lambda _: reply))
        await guessed(store, passes)
        with pytest.raises(UnavailableError):
            await runner(passes, SORT_BY_MODEL).run(await lease(store, SORT_BY_MODEL))
        assert {row[1] for row in await query(store, PLACES)} == {"general"}


async def test_facts_that_a_model_leaves_out_keep_their_place_and_are_not_asked_again(
    tmp_path: Path,
) -> None:
    async with linked_store(tmp_path) as store:
        reply = json.dumps({"facts": [{"i": 2, "aspect": "habits", "kind": "attribute"}]})
        model = ScriptedCompletion(lambda _: reply)
        passes = services(store, model)
        await guessed(store, passes)
        await work(store, SORT_BY_MODEL, runner(passes, SORT_BY_MODEL))
        assert [row[1] for row in await query(store, PLACES)] == ["general", "habits", "general"]
        assert len(model.asked) == 1


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({}, "constraint"),
        ({"type": "issue"}, "attribute"),
        ({"source": Source("agent"), "who": "agent"}, "attribute"),
    ],
)
async def test_a_models_word_binds_only_what_the_user_saved(
    tmp_path: Path, fields: dict[str, object], kind: str
) -> None:
    async with linked_store(tmp_path) as store:
        passes = services(store, ScriptedCompletion(sorting("constraint")))
        await guessed(store, passes, 1, **fields)
        await work(store, SORT_BY_MODEL, runner(passes, SORT_BY_MODEL))
        assert [row[1:3] for row in await query(store, PLACES)] == [("habits", kind)]


async def test_what_changed_while_the_model_thought_is_left_alone(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:

        async def meanwhile(request: CompletionRequest) -> str:
            # Were this inside a write transaction, these would never return.
            [edited, forgotten, placed, _] = [
                str(row[0]) for row in await query(store, "SELECT id FROM memories ORDER BY seq")
            ]
            await store.revise.modify(edited, Change(content="We deploy on Mondays"), WHY)
            await store.remove.forget(forgotten, WHY)
            await store.db.write(
                lambda tx: tx.execute(
                    "UPDATE entity_attributes SET origin = 'user' WHERE memory = "
                    "(SELECT seq FROM memories WHERE id = ?)",
                    (placed,),
                )
            )
            return sorting()(request)

        passes = services(store, ScriptedCompletion(meanwhile))
        await guessed(store, passes, 4)
        await runner(passes, SORT_BY_MODEL).run(await lease(store, SORT_BY_MODEL))
        found = [row[1:] for row in await query(store, PLACES)]
        assert found[0][0] != "habits"
        assert found[1:] == [
            ("general", "attribute", "classifier"),
            ("general", "attribute", "user"),
            ("habits", "attribute", "classifier"),
        ]


async def test_a_redo_asks_again_about_what_a_model_sorted(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        model = ScriptedCompletion(sorting())
        passes = services(store, model)
        await guessed(store, passes)
        await work(store, SORT_BY_MODEL, runner(passes, SORT_BY_MODEL))
        redo = STAGES[0].redo
        assert redo is not None
        assert await store.db.read(lambda tx: redo.count(tx, "2000")) == 3
        assert await store.db.read(lambda tx: redo.count(tx, "2100")) == 0
        assert await store.db.write(lambda tx: redo.queue(tx, "2000", store.context.now)) == 3
        model.answer = sorting(aspect="memory")
        await work(store, SORT_BY_MODEL, runner(passes, SORT_BY_MODEL))
        assert {row[1] for row in await query(store, PLACES)} == {"memory"}


async def backlog(passes: PassServices, place: int) -> int:
    looks = ModelPasses(passes, EventBus()).backlogs()[place]
    return await looks.look()


async def read_dependencies(store: Bench, passes: PassServices) -> None:
    await backlog(passes, 1)
    await work(store, DEPENDENCIES_BY_MODEL, runner(passes, DEPENDENCIES_BY_MODEL))


async def test_a_model_reads_a_dependency_that_rules_do_not(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        await remember(store, "`billing-api` is dead in the water when `ledger-core` is away")
        model = ScriptedCompletion(dependency("ledger-core"))
        passes = services(store, model)
        await read_dependencies(store, passes)
        assert await query(store, EDGES) == [("billing-api", "requires", "ledger-core")]
        await read_dependencies(store, passes)
        assert len(model.asked) == 1


@pytest.mark.parametrize("target", ["postgres", "Nobody", "billing-api", "", "x" * 300])
async def test_only_what_the_fact_names_becomes_an_end(tmp_path: Path, target: str) -> None:
    async with linked_store(tmp_path) as store:
        await remember(store, "Deploys of `postgres` happen on Mondays")
        await remember(store, "`billing-api` is dead in the water when `ledger-core` is away")
        await store.db.write(lambda tx: tx.execute("DELETE FROM entity_dependencies"))
        passes = services(store, ScriptedCompletion(dependency(target)))
        await backlog(passes, 1)
        for job in await lease(store, DEPENDENCIES_BY_MODEL, 5):
            try:
                await runner(passes, DEPENDENCIES_BY_MODEL).run((job,))
            except UnavailableError:
                continue
        assert await query(store, EDGES) == []


async def test_a_fact_that_names_nothing_else_is_not_read(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        await remember(store, "Deploys of `billing-api` happen on Mondays")
        passes = services(store, ScriptedCompletion(dependency("x")))
        assert await backlog(passes, 1) == 0


async def test_a_memory_that_is_forgotten_or_edited_meanwhile_states_nothing(
    tmp_path: Path,
) -> None:
    async with linked_store(tmp_path) as store:
        memory = await remember(
            store, "`billing-api` is dead in the water when `ledger-core` is away"
        )

        async def meanwhile(request: CompletionRequest) -> str:
            await store.remove.forget(memory, WHY)
            return dependency("ledger-core")(request)

        model = ScriptedCompletion(meanwhile)
        passes = services(store, model)
        await read_dependencies(store, passes)
        assert await query(store, EDGES) == []
        await store.remove.recover(memory, WHY)
        model.answer = dependency("ledger-core")
        await read_dependencies(store, passes)
        assert len(await query(store, EDGES)) == 1
        # What an edited memory no longer states goes, and its new text is read.
        await store.revise.modify(memory, Change(content="`billing-api` and `ledger-core`"), WHY)
        model.answer = lambda _: '{"facts": []}'
        asked = len(model.asked)
        await read_dependencies(store, passes)
        assert len(model.asked) == asked + 1


async def test_an_error_in_one_pass_does_not_touch_the_other(tmp_path: Path) -> None:
    def answer(request: CompletionRequest) -> str | NotCompleted:
        if request.schema_name == "dependencies":
            return NotCompleted("refused", "the server refused")
        return sorting()(request)

    async with linked_store(tmp_path) as store:
        passes = services(store, ScriptedCompletion(answer))
        await guessed(store, passes)
        await remember(store, TEXT)
        await backlog(passes, 1)
        with pytest.raises(UnavailableError):
            await runner(passes, DEPENDENCIES_BY_MODEL).run(
                await lease(store, DEPENDENCIES_BY_MODEL)
            )
        await work(store, SORT_BY_MODEL, runner(passes, SORT_BY_MODEL))
        assert (await query(store, PLACES))[0][1] == "habits"


async def test_a_shared_entity_tells_nothing_of_an_archived_project(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        for project in ("/old", "/new"):
            text = f"In {project[1:]}, Redis 7 is dead in the water when PostgreSQL is away"
            await remember(store, text, project=project)
        await store.db.write(lambda tx: projects.set_archived(tx, "/old", store.context.now))
        model = ScriptedCompletion(lambda _: '{"facts": []}')
        passes = services(store, model)
        await read_dependencies(store, passes)
        assert "In new" in "".join(each.user for each in model.asked)
        assert "In old" not in "".join(each.user for each in model.asked)


async def test_the_backlog_queues_a_little_at_a_time_and_never_what_failed(
    tmp_path: Path,
) -> None:
    async with linked_store(tmp_path) as store:
        for number in range(60):
            await remember(store, f"`part-{number}` goes down with `ledger-core` on Mondays")
        await store.db.write(lambda tx: tx.execute("DELETE FROM jobs"))
        passes = services(store, ScriptedCompletion(dependency("ledger-core")))
        backlogs = ModelPasses(passes, EventBus()).backlogs()[1]
        assert await backlogs.look() == 60
        assert await backlogs.look() == 0
        await store.db.write(lambda tx: tx.execute("UPDATE jobs SET status = 'dead'"))
        again = ModelPasses(passes, EventBus()).backlogs()[1]
        assert await again.look() == 0
        off = ModelPasses(services(store, None), EventBus()).backlogs()[1]
        assert await off.look() == 0


async def test_jobs_that_wait_do_not_keep_out_others(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        for number in range(60):
            await remember(store, f"`part-{number}` goes down with `ledger-core` on Mondays")
        passes = services(store, ScriptedCompletion(dependency("ledger-core")))
        backlogs = ModelPasses(passes, EventBus()).backlogs()[1]
        assert await backlogs.look() == 60
        later = await remember(store, TEXT)
        assert await backlogs.look([later]) == 0
        await store.db.write(lambda tx: tx.execute("UPDATE jobs SET not_before = '2999'"))
        assert await backlogs.look() == 1


async def test_switched_off_in_the_settings_no_model_is_asked(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        passes = replace(
            services(store, ScriptedCompletion(sorting())),
            settings=lambda: GraphSettings(by_model=False),
        )
        await guessed(store, passes)
        assert await query(store, "SELECT 1 FROM jobs WHERE type = 'model_aspects'") == []
        assert await store.db.read(
            lambda tx: reading_rows.doubtful(tx, "structural_classify", 1, 10)
        )


async def test_the_loop_looks_at_once_and_after_each_change(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        await remember(store, TEXT)
        bus, looked = EventBus(), asyncio.Queue[int]()
        queued = ModelPasses(services(store, ScriptedCompletion(dependency("x"))), bus).backlogs()[
            1
        ]

        async def no_rest(_: float) -> None:
            # Between two looks, and at the start.
            looked.put_nowait(await count(store))

        async def count(store: Bench) -> int:
            return len(await query(store, "SELECT 1 FROM jobs WHERE type = 'model_dependencies'"))

        queued.pause = no_rest
        loop = asyncio.create_task(queued.run())
        try:
            async with asyncio.timeout(PATIENCE_S):
                while await looked.get() < 1:
                    pass
                memory = await remember(store, "`search-api` uses `ledger-core` since May")
                bus.publish(Changed(MEMORY_TOPIC, "added", (memory,)))
                while await looked.get() < 2:
                    bus.publish(Changed(MEMORY_TOPIC, "updated", (memory,)))
        finally:
            loop.cancel()


async def test_what_was_queued_before_it_was_switched_off_is_not_asked(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        model = ScriptedCompletion(sorting())
        passes = services(store, model)
        await guessed(store, passes)
        off = replace(passes, settings=lambda: GraphSettings(by_model=False))
        await work(store, SORT_BY_MODEL, runner(off, SORT_BY_MODEL))
        assert model.asked == []
        assert await query(store, "SELECT 1 FROM jobs WHERE type = 'model_aspects'") == []


async def test_new_and_changed_memories_come_first(tmp_path: Path) -> None:
    async with linked_store(tmp_path) as store:
        passes = services(store, ScriptedCompletion(dependency("ledger-core")))
        backlogs = ModelPasses(passes, EventBus()).backlogs()[1]
        assert await backlogs.look() == 0
        memory = await remember(store, TEXT)
        assert await backlogs.look() == 0
        assert await backlogs.look([memory, "unknown"]) == 1
        [(subject,)] = await query(
            store, "SELECT subject FROM jobs WHERE type = 'model_dependencies'"
        )
        await store.db.write(lambda tx: queue_reading(tx, int(str(subject)), store.context.now))
        assert await query(
            store, "SELECT count(*) FROM jobs WHERE type = 'model_dependencies'"
        ) == [(1,)]
