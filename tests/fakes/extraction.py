"""Memories that a scripted model reads, over a real database; jobs run as the worker runs them."""

import json
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from fakes.completions import OpenGate, Reply, ScriptedCompletion, model_calls
from fakes.store import Bench, bench
from intaglio.base.settings.values import Settings
from intaglio.embedding.inline_embedding import InlineEmbedding
from intaglio.embedding.runner import EmbeddingRunner
from intaglio.fence.outgoing import Fence
from intaglio.graph.settings import GraphSettings
from intaglio.inference.completion.ports import CompletionRequest
from intaglio.inference.ports import Embedder
from intaglio.inference.unavailable import UnavailableEmbedder
from intaglio.jobs import rows as jobs
from intaglio.jobs import scheduling
from intaglio.memory import rows as memories
from intaglio.memory.values import USER_AUTHOR, Actor, Memory, Source
from intaglio.models.job_runner import ModelJobs
from intaglio.models.settings import ExtractionModelSettings
from intaglio.pipeline.extraction.candidates import CandidateSearch
from intaglio.pipeline.extraction.decide_prompt import DECIDE_PROMPT
from intaglio.pipeline.extraction.extract_prompt import EXTRACT_PROMPT
from intaglio.pipeline.extraction.job_type import EXTRACT
from intaglio.pipeline.extraction.proposals import PipelineProposal, PipelineProposals
from intaglio.pipeline.extraction.runner import MemoryReader
from intaglio.pipeline.extraction.stages import ExtractionJobs
from intaglio.pipeline.ingest import Remember, Saved
from intaglio.pipeline.settings import PipelineSettings
from intaglio.store.tx import ReadTx, Row, WriteTx

PROJECT: Final = "/work/shop"
_CHOSEN: Final = ExtractionModelSettings(provider="ollama", model="scripted")


def fact(content: str, evidence: str | None = None, **fields: object) -> dict[str, object]:
    """Return a fact as a model writes it; its evidence is its content unless given."""
    quote = content if evidence is None else evidence
    return {"content": content, "type": "fact", "confidence": 0.9, "evidence": quote} | fields


def extracted(*facts: Mapping[str, object], entities: Sequence[Mapping[str, object]] = ()) -> str:
    """Return a whole reply to the first prompt."""
    return json.dumps({"facts": list(facts), "entities": list(entities)})


def decision(number: int, action: str, target: str | None = None, **fields: object) -> object:
    """Return a decision as a model writes it."""
    told: dict[str, object] = {"fact": number, "action": action, "target": target}
    return told | {"confidence": 0.9, "reason": f"it is {action}"} | fields


def decided(*decisions: object) -> str:
    """Return a whole reply to the second prompt."""
    return json.dumps({"decisions": list(decisions)})


def asked_facts(request: CompletionRequest) -> list[dict[str, Any]]:
    """Return what the second prompt asks: facts with their candidates."""
    listed: list[dict[str, Any]] = json.loads(request.user)
    return listed


def candidate(request: CompletionRequest, content: str, number: int = 1) -> str:
    """Return the id by which a memory is a candidate of a fact."""
    of = asked_facts(request)[number - 1]["candidates"]
    return next(str(each["id"]) for each in of if each["content"] == content)


@dataclass
class Pipeline:
    """A store with a reader of memories.

    ``reads`` replies to the first prompt, ``decides`` to the second; by default nothing is read,
    and whatever is read is new.
    """

    store: Bench
    embedder: Embedder
    reads: Callable[[CompletionRequest], Reply] = lambda _: extracted()
    decides: Callable[[CompletionRequest], Reply] = lambda request: decided(
        *(decision(each["fact"], "add") for each in asked_facts(request))
    )
    settings: PipelineSettings = field(default_factory=PipelineSettings)
    gate: OpenGate = field(default_factory=OpenGate)
    graph: bool = True
    model: ScriptedCompletion = field(init=False)
    reader: MemoryReader = field(init=False)
    jobs: ExtractionJobs = field(init=False)

    def __post_init__(self) -> None:
        store = self.store
        store.context = replace(store.context, settings=self.all_settings)
        self.model = ScriptedCompletion(self.answer, database=store.db)
        calls = model_calls(self.model, self.gate)
        embedding = EmbeddingRunner(
            db=store.db,
            embedder=self.embedder,
            context=store.context,
            random=lambda: 0.0,
            monotonic_s=lambda: 0.0,
        )
        self.reader = MemoryReader(
            db=store.db,
            context=store.context,
            calls=calls,
            candidates=CandidateSearch(store.db, store.recall, Fence()),
            embedding=InlineEmbedding(embedding),
            fence=Fence(),
            settings=lambda: self.settings,
            frozen=lambda: store.frozen,
        )
        self.jobs = ExtractionJobs(
            ModelJobs(
                db=store.db,
                calls=calls,
                clock=store.clock,
                role="extraction",
                stage=EXTRACT.name,
                work=self.reader.run,
            ),
            lambda: self.settings.enabled and not store.frozen,
            lambda: self.reader.at_once,
        )

    def all_settings(self) -> Settings:
        """Return the settings in force."""
        return (
            Settings()
            .having(GraphSettings(enabled=self.graph))
            .having(_CHOSEN)
            .having(self.settings)
        )

    def answer(self, request: CompletionRequest) -> Reply:
        """Reply to a request, by the prompt that it is of."""
        if request.schema_name == EXTRACT_PROMPT.name:
            return self.reads(request)
        assert request.schema_name == DECIDE_PROMPT.name
        return self.decides(request)

    def asked(self, name: str) -> list[CompletionRequest]:
        """Return the requests of one prompt."""
        return [each for each in self.model.asked if each.schema_name == name]

    async def remember(self, content: str, *, by_agent: bool = False, **fields: object) -> str:
        """Keep a memory of the user's or an agent's and return its id."""
        command = Remember(
            content=content,
            actor=Actor("tester"),
            who="claude-code" if by_agent else USER_AUTHOR,
            source=Source("agent" if by_agent else "manual"),
            project=PROJECT,
        )
        kept = await self.store.ingest.remember(replace(command, **fields))  # type: ignore[arg-type]  # fields are those of Remember
        assert isinstance(kept, Saved), kept
        return kept.id

    async def lease_and_run(self) -> bool:
        """Run one lease of jobs as the worker does; False if none is ready."""
        store, most = self.store, self.jobs.capacity
        if most == 0:
            return False
        token = store.context.new_id()
        leased = await store.db.write(
            lambda tx: jobs.lease(tx, [(EXTRACT, most)], token, store.clock(), 3)
        )
        if not leased:
            return False
        try:
            await self.jobs.run(leased)
        except Exception as error:  # noqa: BLE001 - as the worker does
            reason = repr(error)

            def fail(tx: WriteTx) -> None:
                for job in leased:
                    outcome = scheduling.after_failure(
                        job.attempts, job.max_attempts, store.clock(), 0.0
                    )
                    jobs.fail(tx, job, outcome, reason, store.clock())

            await store.db.write(fail)
        return True

    async def run(self) -> None:
        """Run jobs, retries included, until none is left that is ready within an hour."""
        for _ in range(100):
            if not await self.lease_and_run():
                self.store.clock.forward(minutes=10)
                if not await self.lease_and_run():
                    return
        raise AssertionError("the jobs never end")

    async def live(self) -> dict[str, Memory]:
        """Return the live memories by content."""

        def read(tx: ReadTx) -> dict[str, Memory]:
            ids = tx.column(str, "SELECT id FROM memories WHERE is_deleted = 0 ORDER BY seq")
            return {each.content: each for each in memories.by_ids(tx, ids).values()}

        return await self.store.db.read(read)

    async def status(self, memory_id: str) -> str:
        """Return how far a memory is read."""
        memory = await self.store.db.read(lambda tx: memories.get(tx, memory_id))
        assert memory is not None
        return memory.extraction_status

    async def proposals(self) -> list[PipelineProposal]:
        """Return all proposals, oldest first."""
        page = await PipelineProposals(self.store.db).page(limit=1_000)
        return list(reversed(page.proposals))

    async def rows(self, sql: str) -> list[Row]:
        """Return the rows of a statement."""
        return await self.store.db.read(lambda tx: tx.all(sql))


@asynccontextmanager
async def pipeline(folder: Path, embedder: Embedder | None = None) -> AsyncGenerator[Pipeline]:
    """Open a database with a reader of memories."""
    async with bench(folder) as store:
        yield Pipeline(store, embedder or UnavailableEmbedder("none", "", ""))
