"""Whatever fails while a memory is read: each fact exists exactly once in the end."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from fakes.completions import Reply
from fakes.crashes import CrashedError, crash_after, crash_before
from fakes.embedder import HashEmbedder
from fakes.extraction import (
    Pipeline,
    asked_facts,
    decided,
    decision,
    extracted,
    fact,
    pipeline,
)
from intaglio.inference.completion.ports import CompletionRequest, NotCompleted
from intaglio.jobs import rows as jobs
from intaglio.memory import operations
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor, Change
from intaglio.models.values import MustWait
from intaglio.pipeline.extraction import apply, runner
from intaglio.pipeline.extraction.apply import PlanWriter
from intaglio.pipeline.extraction.candidates import CandidateSearch
from intaglio.pipeline.extraction.job_type import EXTRACT
from intaglio.pipeline.extraction.runner import MemoryReader

DATABASE = "The orders database is PostgreSQL 16"
DEPLOYS = "Deploys of the shop run on Fridays only"
NOTE = f"{DATABASE}. {DEPLOYS}. Ann Lee looks after the checkout-service."
TRIPLE = {
    "source": "Ann Lee",
    "relationship": "looks after",
    "target": "checkout-service",
    "confidence": 0.9,
}
USER = Audit(Actor("user"), "test")


@pytest.fixture
async def one(tmp_path: Path) -> AsyncGenerator[Pipeline]:
    async with pipeline(tmp_path, HashEmbedder()) as made:
        made.reads = lambda _: extracted(fact(DATABASE), fact(DEPLOYS), entities=[TRIPLE])
        yield made


STAGES = [
    (MemoryReader, "extract"),
    (MemoryReader, "decide"),
    (CandidateSearch, "find"),
    (MemoryReader, "embed"),
    (MemoryReader, "relate"),
    (MemoryReader, "_apply"),
    (PlanWriter, "apply"),
    (PlanWriter, "_finish"),
    (apply, "record_fact"),
    (jobs, "complete"),
    (runner, "screen"),
    (runner, "plan"),
]


@pytest.mark.parametrize(("owner", "name"), STAGES)
@pytest.mark.parametrize("crash", [crash_before, crash_after])
async def test_a_crash_at_a_boundary_leaves_each_fact_once(
    one: Pipeline,
    monkeypatch: pytest.MonkeyPatch,
    crash: Callable[[pytest.MonkeyPatch, object, str], list[int]],
    owner: object,
    name: str,
) -> None:
    crashes = crash(monkeypatch, owner, name)
    source = await one.remember(NOTE)
    await one.run()
    assert crashes == [1]
    stored = await one.rows("SELECT content FROM memories ORDER BY content")
    assert stored == [(DEPLOYS,), (DATABASE,), (NOTE,)]
    assert await one.status(source) == "completed"
    assert [each.result for each in await one.proposals()] == ["applied", "applied"]
    assert await one.rows("SELECT count(*) FROM jobs WHERE type = 'extract'") == [(0,)]
    # A crash doesn't cost a second call for what was read already.
    if name != "extract":
        assert len(one.model.asked) <= 2


@pytest.mark.parametrize(("owner", "name"), STAGES)
async def test_a_worker_that_is_killed_leaves_each_fact_once(
    one: Pipeline, monkeypatch: pytest.MonkeyPatch, owner: object, name: str
) -> None:
    """The lease of a killed worker runs out while another has the job already."""
    _ = crash_after(monkeypatch, owner, name)
    source = await one.remember(NOTE)
    leased = await one.store.db.write(
        lambda tx: jobs.lease(tx, [(EXTRACT, 1)], "killed", one.store.clock(), 3)
    )
    first = asyncio.gather(*map(one.reader.run, leased), return_exceptions=True)
    await first
    one.store.clock.forward(hours=1)
    await one.store.db.write(lambda tx: jobs.reap(tx, one.store.clock()))
    # The late one finds that it lost its lease, or that the work is done.
    await asyncio.gather(*map(one.reader.run, leased), return_exceptions=True)
    await one.run()
    stored = await one.rows("SELECT content FROM memories ORDER BY content")
    assert stored == [(DEPLOYS,), (DATABASE,), (NOTE,)]
    assert await one.status(source) == "completed"


async def test_relations_that_fail_take_no_fact_back(
    one: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise CrashedError

    monkeypatch.setattr(runner, "state_relations", fail)
    await one.remember(NOTE)
    await one.run()
    assert set(await one.live()) == {NOTE, DATABASE, DEPLOYS}
    assert await one.rows("SELECT count(*) FROM relations") == [(0,)]


RUBBISH = [
    "I'm sorry, I can't do that.",
    "",
    "null",
    "[]",
    "[1, 2, 3]",
    '"facts"',
    '{"facts": [{"content": "The orders da',
    '{"facts": {"content": "x"}, "entities": 7}',
    '{"facts": [{"content": "short", "type": "fact", "confidence": 1}]}',
    '{"facts": [{"content": "The orders database is big", "type": "lie", "confidence": 1}]}',
    '{"facts": [{"content": "The orders database is big", "type": "fact", "confidence": NaN}]}',
    '{"facts": [{"content": "The orders database is big", "type": "fact", "confidence": 1e99}]}',
    '{"facts": [null], "entities": [{"source": "", "relationship": 1}]}',
    "[" * 100_000,
]


@pytest.mark.parametrize("reply", RUBBISH)
async def test_an_unusable_reply_is_a_warning_and_no_failed_job(one: Pipeline, reply: str) -> None:
    one.reads = lambda _: reply
    source = await one.remember(NOTE)
    await one.run()
    assert set(await one.live()) == {NOTE}
    assert await one.status(source) == "completed"
    told = await one.proposals()
    assert [each.skipped for each in told] == (["malformed"] if reply != "[]" else [])


UNDECIDED = [
    "All of them are fine!",
    "[]",
    decided(decision(7, "add"), decision(0, "add")),
    decided(decision(1, "update", "m99"), decision(2, "delete", "no such id")),
    decided(decision(1, "update"), decision(2, "delete", "")),
    decided({"fact": 1, "action": "add"}, {"fact": 2, "action": "shred", "target": "m1"}),
]


@pytest.mark.parametrize("reply", UNDECIDED)
async def test_a_decision_with_foreign_ids_or_without_fields_changes_nothing(
    one: Pipeline, reply: str
) -> None:
    older = "The orders database is PostgreSQL 15, and deploys of the shop run on Mondays only"
    one.reads = lambda _: extracted()
    await one.remember(older)
    await one.run()
    one.reads = lambda _: extracted(fact(DATABASE), fact(DEPLOYS))
    one.decides = lambda request: reply if asked_facts(request) else ""
    await one.remember(NOTE)
    await one.run()
    assert set(await one.live()) == {older, NOTE}
    skipped = [each.skipped for each in await one.proposals()]
    assert skipped.count("no_decision") == 2
    assert "malformed" in skipped


async def test_a_model_that_writes_meanwhile_finds_no_transaction_open(one: Pipeline) -> None:
    writes: list[str] = []

    async def write(request: CompletionRequest) -> str:
        await one.store.db.write(lambda tx: tx.execute("UPDATE memories SET access_count = 7"))
        writes.append(request.schema_name)
        return extracted(fact(DATABASE))

    one.model.answer = write
    await one.remember(NOTE)
    await one.run()
    assert writes == ["extract_facts"]
    assert set(await one.live()) == {NOTE, DATABASE}


@pytest.mark.parametrize("stage", ["reads", "decides"])
async def test_a_memory_that_is_forgotten_while_the_model_thinks_leaves_nothing(
    one: Pipeline, stage: str
) -> None:
    source = await one.remember(NOTE)
    await one.run()
    one.store.clock.forward(days=1)

    async def forget(request: CompletionRequest) -> Reply:
        if (request.schema_name == "extract_facts") == (stage == "reads"):
            await one.store.db.write(
                lambda tx: operations.forget(tx, other, USER, one.store.context)
            )
        return one.answer(request)

    one.model.answer = forget
    one.reads = lambda _: extracted(fact("The orders database is PostgreSQL 17"))
    other = await one.remember(f"{NOTE} It was upgraded to PostgreSQL 17.")
    before = await one.rows("SELECT id FROM memories")
    await one.run()
    assert await one.rows("SELECT id FROM memories") == before
    assert await one.rows("SELECT count(*) FROM jobs WHERE type = 'extract'") == [(0,)]
    assert await one.status(source) == "completed"


async def test_a_memory_that_is_edited_while_the_model_thinks_is_read_again(one: Pipeline) -> None:
    edits = ["The orders database is MariaDB. Nothing else is known of it."]

    async def edit(request: CompletionRequest) -> Reply:
        if edits:
            change = Change(content=edits.pop())
            context = one.store.context
            await one.store.db.write(
                lambda tx: operations.modify(tx, source, change, USER, context)
            )
        return one.answer(request)

    one.model.answer = edit
    one.reads = lambda request: extracted(
        fact(DATABASE) if "PostgreSQL" in request.user else fact("The orders database is MariaDB")
    )
    source = await one.remember(NOTE)
    await one.run()
    assert len(one.asked("extract_facts")) == 2
    assert DATABASE not in await one.live()
    assert "The orders database is MariaDB" in await one.live()


async def test_a_minute_of_429_costs_neither_attempts_nor_facts(one: Pipeline) -> None:
    refusals = [NotCompleted("rate_limited", "too many requests", retry_after_s=60.0)] * 9
    one.reads = lambda _: refusals.pop() if refusals else extracted(fact(DATABASE))
    source = await one.remember(NOTE)
    for _ in range(9):
        await one.lease_and_run()
        assert await one.rows("SELECT status, attempts FROM jobs WHERE type = 'extract'") == [
            ("pending", 0)
        ]
        assert not await one.lease_and_run()
        one.store.clock.forward(seconds=61)
    await one.run()
    assert await one.status(source) == "completed"
    assert set(await one.live()) == {NOTE, DATABASE}


async def test_a_failing_model_fails_the_job_which_can_be_retried(one: Pipeline) -> None:
    one.reads = lambda _: NotCompleted("timeout", "it took too long")
    source = await one.remember(NOTE)
    await one.run()
    assert await one.status(source) == "failed"
    [(number,)] = await one.rows("SELECT id FROM jobs WHERE status = 'dead'")
    assert isinstance(number, int)
    await one.store.db.write(lambda tx: jobs.retry(tx, number, one.store.context.now))
    assert await one.status(source) == "pending"
    one.reads = lambda _: extracted(fact(DATABASE))
    await one.run()
    assert await one.status(source) == "completed"


async def test_a_job_that_is_discarded_or_dropped_leaves_no_pending_memory(one: Pipeline) -> None:
    one.reads = lambda _: NotCompleted("refused", "no")
    source = await one.remember(NOTE)
    await one.run()
    [(number,)] = await one.rows("SELECT id FROM jobs WHERE status = 'dead'")
    assert isinstance(number, int)
    await one.store.db.write(lambda tx: jobs.discard(tx, number, one.store.context.now))
    assert await one.status(source) == "failed"
    other = await one.remember("Ann Lee looks after the billing-service, too")
    assert await one.status(other) == "pending"
    await one.store.db.write(lambda tx: jobs.drop(tx, other))
    assert await one.status(other) == "none"


async def test_jobs_wait_while_a_stage_is_paused_or_memories_are_frozen(one: Pipeline) -> None:
    await one.remember(NOTE)
    one.gate.refusal = MustWait("paused", "the stage is paused", 30.0)
    assert one.jobs.capacity == 0
    assert one.jobs.rest_s == 30.0
    one.gate.refusal = None
    one.store.frozen = True
    assert one.jobs.capacity == 0
    one.store.frozen = False
    assert one.jobs.capacity > 0


async def test_a_slow_model_is_asked_about_one_memory_at_a_time(one: Pipeline) -> None:
    seconds = [0.01]
    now = [0.0]
    calls = replace(one.reader.calls, monotonic_s=lambda: now[0])
    one.reader.calls = calls

    async def answer(request: CompletionRequest) -> Reply:
        now[0] += seconds[0]
        return one.answer(request)

    one.model.answer = answer
    assert one.jobs.capacity == 1
    await one.remember(NOTE)
    await one.run()
    assert one.jobs.capacity == 8
    seconds[0] = 20.0
    await one.remember("The billing-service is looked after by Ann Lee, too")
    await one.run()
    assert one.jobs.capacity == 1


async def test_a_memory_is_paid_for_once_while_its_decisions_must_wait(one: Pipeline) -> None:
    await one.remember("The orders database is PostgreSQL 15")
    await one.run()
    one.model.asked.clear()
    waits = [NotCompleted("rate_limited", "too many", retry_after_s=30.0)] * 3
    one.decides = lambda request: (
        waits.pop()
        if waits
        else decided(*(decision(each["fact"], "add") for each in asked_facts(request)))
    )
    await one.remember(NOTE)
    await one.run()
    assert len(one.asked("extract_facts")) == 1
    assert len(one.asked("decide_facts")) == 4
    assert DATABASE in await one.live()


async def test_equal_facts_of_memories_that_are_read_at_once_are_one_memory(one: Pipeline) -> None:
    sources = [await one.remember(f"{NOTE} Said the {number}th time.") for number in range(4, 12)]
    await one.run()
    found = await one.rows("SELECT count(*) FROM memories WHERE is_deleted = 0")
    assert found == [(len(sources) + 2,)]
    # It stays as long as one of its sources does.
    context = one.store.context
    for number, source in enumerate(sources, 1):
        await one.store.db.write(
            partial(operations.forget, memory_id=source, audit=USER, context=context)
        )
        assert (DATABASE in await one.live()) == (number < len(sources))
