"""Memories are found by questions that they answer; these follow their memory."""

import json
from collections.abc import Callable, Collection
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from fakes.completions import ScriptedCompletion, model_calls
from fakes.graph import ACTOR, lease, query, remember, work
from fakes.store import Bench, bench
from intaglio.base.bus import EventBus
from intaglio.base.clock import iso
from intaglio.base.errors import UnavailableError
from intaglio.hints import rows
from intaglio.hints.making import ASK_MODEL, FILL_TEMPLATES, HintsByModel, HintsByTemplates
from intaglio.hints.part import STAGES
from intaglio.inference.completion.ports import CompletionRequest
from intaglio.jobs import rows as jobs
from intaglio.memory.operations import MEMORY_TOPIC, Audit
from intaglio.memory.values import Change
from intaglio.models.backlog import MOST_QUEUED, ModelBacklog, Unread
from intaglio.models.job_runner import ModelJobs
from intaglio.projects import rows as projects
from intaglio.recall.hints import HintRetriever
from intaglio.recall.query import Recall
from intaglio.recall.values import Question
from intaglio.store.tx import ReadTx

WHY = Audit(ACTOR)
FACT = "Sessions live in Redis"
ASKED = "Where are logged-in visitors kept?"


def thinks_up(*questions: str) -> Callable[[CompletionRequest], str]:
    return lambda _: json.dumps({"questions": questions or (ASKED,)})


def runner(store: Bench, model: ScriptedCompletion) -> ModelJobs:
    model.database = store.db
    calls = model_calls(model)
    return ModelJobs(
        db=store.db,
        calls=calls,
        clock=store.clock,
        role="extraction",
        stage="hints",
        work=HintsByModel(db=store.db, context=store.context, calls=calls).work,
    )


async def queue(store: Bench, *ids: str) -> None:
    await store.db.write(
        lambda tx: [jobs.enqueue(tx, ASK_MODEL, each, store.context.now) for each in ids]
    )


def backlog(store: Bench, *, by_model: bool) -> ModelBacklog:
    def find(tx: ReadTx, first: int, last: int, closed: Collection[str]) -> list[str]:
        return rows.without(tx, first, last, closed, by_model=by_model)

    return ModelBacklog(
        db=store.db,
        bus=EventBus(),
        unread=Unread(
            job_type=ASK_MODEL if by_model else FILL_TEMPLATES,
            last=rows.last_memory,
            find=find,
            rows_of=rows.rows_of,
        ),
        topic=MEMORY_TOPIC,
        is_on=lambda: True,
        now=lambda: store.context.now,
    )


async def hinted(store: Bench, content: str = FACT) -> str:
    """Keep a memory with a question that it answers."""
    memory = await remember(store, content)
    await queue(store, memory)
    await work(store, ASK_MODEL, runner(store, ScriptedCompletion(thinks_up())))
    return memory


async def found(store: Bench, text: str, *, is_on: bool = True) -> list[str]:
    recall = Recall(store.db, lambda: store.search, (HintRetriever(lambda: is_on),))
    answer = await recall.recall(Question(text=text))
    return [each.memory.content for each in answer.hits]


async def indexed(store: Bench) -> list[str]:
    """Return the questions in the index, which must agree with the table."""
    check = "INSERT INTO hints_fts(hints_fts, rank) VALUES ('integrity-check', 0)"
    await store.db.write(lambda tx: tx.execute(check))
    return [
        str(row[0])
        for row in await query(store, "SELECT question FROM memory_hints WHERE is_indexed = 1")
    ]


async def test_a_memory_is_found_by_a_question_in_other_words(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await remember(store, "Lunch is at noon")
        await hinted(store)
        assert await found(store, "who keeps logged-in visitors?") == [FACT]
        assert await found(store, "who keeps logged-in visitors?", is_on=False) == []


async def test_questions_go_with_the_text_and_hide_with_a_forgotten_memory(
    tmp_path: Path,
) -> None:
    async with bench(tmp_path) as store:
        memory = await hinted(store)
        await store.remove.forget(memory, WHY)
        assert await found(store, ASKED) == []
        assert await indexed(store) == []
        await store.remove.recover(memory, WHY)
        assert await found(store, ASKED) == [FACT]
        await store.revise.modify(memory, Change(importance=0.9), WHY)
        assert await indexed(store) == [ASKED]
        await store.revise.modify(memory, Change(content="Sessions live in Postgres"), WHY)
        assert await indexed(store) == []
        assert await query(store, "SELECT * FROM hint_readings") == []


async def test_an_erased_memory_leaves_no_question(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        memory, other = await hinted(store), await hinted(store, "Visitors come on Mondays")
        await store.remove.erase(memory, WHY)
        await store.remove.forget(other, WHY)
        await store.remove.erase(other, WHY)
        assert await query(store, "SELECT * FROM memory_hints") == []
        assert await query(store, "SELECT * FROM hint_readings") == []
        assert await indexed(store) == []


async def test_a_memory_that_changes_while_the_model_thinks_is_read_again(
    tmp_path: Path,
) -> None:
    async with bench(tmp_path) as store:
        memory = await remember(store, FACT)

        async def meanwhile(request: CompletionRequest) -> str:
            if FACT in request.user:
                # Were this inside a write transaction, it would never return.
                await store.revise.modify(memory, Change(content="Sessions live in RAM"), WHY)
            return thinks_up()(request)

        model = ScriptedCompletion(meanwhile)
        await queue(store, memory)
        await work(store, ASK_MODEL, runner(store, model))
        assert len(model.asked) == 2
        assert await found(store, ASKED) == ["Sessions live in RAM"]


async def test_a_memory_that_is_forgotten_while_the_model_thinks_gets_no_question(
    tmp_path: Path,
) -> None:
    async with bench(tmp_path) as store:
        memory = await remember(store, FACT)

        async def meanwhile(request: CompletionRequest) -> str:
            await store.remove.forget(memory, WHY)
            return thinks_up()(request)

        await queue(store, memory)
        await work(store, ASK_MODEL, runner(store, ScriptedCompletion(meanwhile)))
        assert await query(store, "SELECT * FROM memory_hints") == []
        assert await query(store, "SELECT * FROM jobs WHERE type = 'hint_questions'") == []


@pytest.mark.parametrize("reply", ["", "sorry", "{", '{"questions": []}', "[" * 50_000])
async def test_rubbish_fails_the_job_and_writes_nothing(tmp_path: Path, reply: str) -> None:
    async with bench(tmp_path) as store:
        await queue(store, await remember(store, FACT))
        with pytest.raises(UnavailableError):
            await runner(store, ScriptedCompletion(lambda _: reply)).run(
                await lease(store, ASK_MODEL)
            )
        assert await query(store, "SELECT * FROM memory_hints") == []


async def test_a_redo_replaces_the_questions_of_a_model(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        await hinted(store)
        redo = STAGES[0].redo
        assert redo is not None
        assert await store.db.read(lambda tx: redo.count(tx, "2000")) == 1
        assert await store.db.write(lambda tx: redo.queue(tx, "2000", store.context.now)) == 1
        await work(
            store, ASK_MODEL, runner(store, ScriptedCompletion(thinks_up("Who holds logins?")))
        )
        assert await indexed(store) == ["Who holds logins?"]
        assert await query(store, "SELECT version, model FROM hint_readings") == [(1, "scripted")]


async def test_templates_fill_what_has_no_questions_and_a_model_replaces_them(
    tmp_path: Path,
) -> None:
    async with bench(tmp_path) as store:
        memory = await remember(store, FACT)
        await remember(store, "a part of a document", type="document_chunk")
        await remember(store, "Redis is mine", agent_id="b", visibility="private")

        assert await backlog(store, by_model=False).look() == 2
        await work(store, FILL_TEMPLATES, HintsByTemplates(db=store.db, context=store.context))
        assert all("Redis" in each for each in await indexed(store))
        assert await backlog(store, by_model=False).look() == 0
        assert await backlog(store, by_model=True).look([memory]) == 2
        await work(store, ASK_MODEL, runner(store, ScriptedCompletion(thinks_up())))
        assert await indexed(store) == [ASKED, ASKED]


async def test_an_archived_project_keeps_no_other_waiting(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        for number in range(MOST_QUEUED):
            await remember(store, f"Service {number} of the old shop is in PHP", project="/old")
        looks = backlog(store, by_model=True)
        # These were queued before it was archived; each returns to the queue.
        assert await looks.look() == MOST_QUEUED
        await store.db.write(lambda tx: projects.set_archived(tx, "/old", store.context.now))
        later = iso(store.clock() + timedelta(minutes=30))
        for job in await lease(store, ASK_MODEL, MOST_QUEUED):
            await store.db.write(partial(jobs.release, job=job, not_before=later))
        kept = await remember(store, FACT)
        assert await looks.look([kept]) == 1
        await remember(store, "The last service of the old shop is in PHP", project="/old")
        assert await backlog(store, by_model=True).look() == 0
        await store.db.write(lambda tx: projects.set_archived(tx, "/old", None))
        assert await looks.look() == 1


async def test_questions_of_other_projects_are_not_found(tmp_path: Path) -> None:
    async with bench(tmp_path) as store:
        memory = await hinted(store)
        recall = Recall(store.db, lambda: store.search, (HintRetriever(lambda: True),))
        asked = Question(text=ASKED)
        assert (await recall.recall(asked)).hits[0].memory.id == memory
        elsewhere = replace(asked.filters, project="/home/me/other", exact_project=True)
        assert (await recall.recall(replace(asked, filters=elsewhere))).hits == ()
