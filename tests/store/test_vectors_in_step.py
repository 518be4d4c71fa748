"""Whatever happens in whatever order, the mirror says what the table says, and leaks nothing."""

import asyncio
import itertools
import shutil
import tempfile
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fakes.embedder import HashEmbedder
from fakes.semantic_index import ACTOR, Index, over
from fakes.store import bench, change_context
from intaglio.domain.reader import GroupReader, IsolatedReader, SharedReader, may_read
from intaglio.inference.ports import ModelIdentity
from intaglio.memory.filters import Filter
from intaglio.memory.operations import Audit
from intaglio.memory.values import Change, Memory
from intaglio.pipeline.ingest import Remember, Saved
from intaglio.store.connection import open_reader
from intaglio.store.tx import ReadTx
from intaglio.store.tx import run as run_sql

T = TypeVar("T")

WHY = Audit(ACTOR)
CONTENTS = st.sampled_from([f"{a} {b}" for a in ("red", "green") for b in ("apple", "pear", "fig")])
AGENTS = st.sampled_from(["default", "ann"])
READERS = st.one_of(
    st.builds(SharedReader, AGENTS),
    st.builds(IsolatedReader, AGENTS),
    st.builds(GroupReader, AGENTS, st.lists(AGENTS, max_size=2).map(tuple)),
)
PROJECTS = st.sampled_from([None, "/a", "/b"])
MORNING, NOON = "2026-01-31T08:00:00.000Z", "2026-01-31T12:00:00.000Z"
FILTERS = st.builds(
    Filter,
    reader=READERS,
    project=PROJECTS,
    exact_project=st.booleans(),
    global_only=st.booleans(),
    type=st.sampled_from([None, "fact", "rule"]),
    pinned=st.sampled_from([None, True, False]),
    importance_min=st.sampled_from([None, 0.9]),
    tags=st.sampled_from([(), (), ("x",), ("x", "y")]),
    who=st.sampled_from([None, None, "tester", "bob"]),
    since=st.sampled_from([None, None, MORNING, NOON]),
    until=st.sampled_from([None, None, MORNING, NOON]),
)
JOINED = (
    "SELECT m.seq FROM memories m JOIN embeddings e "
    "ON e.memory = m.seq AND e.model = ? WHERE m.is_deleted = 0"
)


def allowed(memory: Memory, filters: Filter) -> bool:
    """Say in plain words of the test what a filter lets through."""
    scope = memory.scope
    if not may_read(filters.reader, scope.agent_id, scope.visibility):
        return False
    if filters.global_only and scope.project is not None:
        return False
    if not filters.global_only and filters.project is not None:
        own = scope.project == filters.project
        if not own and (filters.exact_project or scope.project is not None):
            return False
    return (
        filters.type in (None, memory.type)
        and filters.pinned in (None, memory.pinned)
        and memory.importance >= (filters.importance_min or 0)
        and set(filters.tags) <= set(memory.tags)
        and filters.who in (None, memory.who)
        and (filters.since or "") <= memory.created_at <= (filters.until or "9")
    )


class InStep(RuleBasedStateMachine):
    """Writes, deletes, embedding, other models, old snapshots and restarts, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.stack = AsyncExitStack()
        self.folder = Path(tempfile.mkdtemp())
        self.ids: list[str] = []
        self.numbers = itertools.count()
        self.embedder = HashEmbedder()
        self.old: ReadTx | None = None
        self.index: Index

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        # Not through the runner itself, which sets and resets a signal's handler each time.
        return self.runner.get_loop().run_until_complete(work)

    @initialize()
    def start(self) -> None:
        self.run(self._open())

    async def _open(self) -> None:
        store = await self.stack.enter_async_context(bench(self.folder))
        # Ids go on over a restart.
        store.context = change_context(store.clock, lambda: f"{next(self.numbers):036d}")
        self.index = await over(store, self.embedder)

    async def _close(self) -> None:
        self._let_go()
        await self.stack.aclose()
        self.stack = AsyncExitStack()

    def _let_go(self) -> None:
        if self.old is not None:
            self.held.close()
            self.old = None

    def teardown(self) -> None:
        self.run(self._close())
        self.runner.close()
        shutil.rmtree(self.folder)

    @rule(
        content=CONTENTS,
        agent=AGENTS,
        project=PROJECTS,
        visibility=st.sampled_from(["global", "private"]),
        importance=st.sampled_from([0.5, 0.9]),
        tags=st.sampled_from(["", "x", "y,x"]),
    )
    def remember(
        self,
        content: str,
        agent: str,
        project: str | None,
        visibility: str,
        importance: float,
        tags: str,
    ) -> None:
        command = Remember(
            content=content,
            actor=ACTOR,
            agent_id=agent,
            project=project,
            visibility=visibility,
            importance=importance,
            tags=tags,
            who="bob" if tags else "tester",
            created_at=NOON if importance > 0.5 else None,
        )
        kept = self.run(self.index.store.ingest.remember(command))
        if isinstance(kept, Saved):
            self.ids.append(kept.id)

    @rule(content=CONTENTS, project=PROJECTS)
    def remember_at_once(self, content: str, project: str | None) -> None:
        self.remember(content, "default", project, "global", 0.5, "")
        self.run(self.index.work())

    @precondition(lambda self: self.ids)
    @rule(data=st.data(), content=CONTENTS, kind=st.sampled_from(["fact", "rule"]))
    def modify(self, data: st.DataObject, content: str, kind: str) -> None:
        chosen = data.draw(st.sampled_from(self.ids))
        change = Change(content=content, type="rule" if kind == "rule" else "fact")
        self.run(self.index.store.revise.modify(chosen, change, WHY))

    @precondition(lambda self: self.ids)
    @rule(data=st.data(), pinned=st.booleans())
    def pin(self, data: st.DataObject, *, pinned: bool) -> None:
        chosen = data.draw(st.sampled_from(self.ids))
        self.run(self.index.store.revise.modify(chosen, Change(pinned=pinned), WHY))

    @precondition(lambda self: self.ids)
    @rule(data=st.data())
    def forget(self, data: st.DataObject) -> None:
        chosen = data.draw(st.sampled_from(self.ids))
        self.run(self.index.store.remove.forget(chosen, WHY))

    @precondition(lambda self: self.ids)
    @rule(data=st.data())
    def recover(self, data: st.DataObject) -> None:
        chosen = data.draw(st.sampled_from(self.ids))
        self.run(self.index.store.remove.recover(chosen, WHY))

    @precondition(lambda self: self.ids)
    @rule(data=st.data())
    def erase(self, data: st.DataObject) -> None:
        chosen = data.draw(st.sampled_from(self.ids))
        self.ids.remove(chosen)
        self.run(self.index.store.remove.erase(chosen, WHY))

    @rule(rounds=st.integers(1, 3))
    def embed(self, rounds: int) -> None:
        self.run(self.index.work(rounds))

    @rule()
    def follow(self) -> None:
        self.run(self.index.follow())

    @rule()
    def hold_a_snapshot(self) -> None:
        self._let_go()
        generation = self.index.store.db.generation
        self.held = open_reader(self.folder / "intaglio.db")
        run_sql(self.held, "BEGIN")
        self.old = ReadTx(self.held, generation)
        self.old.count("SELECT count(*) FROM memories")

    @precondition(lambda self: self.old is not None)
    @rule(content=CONTENTS, build=st.booleans())
    def use_the_old_snapshot(self, content: str, *, build: bool) -> None:
        assert self.old is not None
        if build:
            self.index.vectors.build(self.old)
            return
        probe = self.index.probe(content, Filter())
        found = self.index.vectors.search(self.old, probe).cosines
        live = self.old.all(
            "SELECT seq FROM memories m WHERE " + probe.filter.condition,  # noqa: S608 - constants
            probe.filter.params,
        )
        assert found.keys() <= {seq for (seq,) in live}

    @rule()
    def restart(self) -> None:
        self.run(self._close())
        self.run(self._open())

    @rule(dimensions=st.sampled_from([64, 96, 128]))
    def change_the_model(self, dimensions: int) -> None:
        self.embedder = HashEmbedder(ModelIdentity("fake", "words", "1", dimensions))
        self.restart()

    @rule(dimensions=st.sampled_from([64, 96, 128]))
    def exchange_the_model(self, dimensions: int) -> None:
        self.embedder = HashEmbedder(ModelIdentity("fake", "words", "1", dimensions))
        self.index.embedder = self.embedder
        self.index.embed.replace_embedder(self.embedder)
        self.run(self.index.begin())

    @rule()
    def look_for_gaps(self) -> None:
        self.run(self.index.tracker.fill_if_low())

    @rule(content=CONTENTS, filters=FILTERS)
    def search(self, content: str, filters: Filter) -> None:
        """Every search finds what exact comparison finds, and only what the filter lets through."""
        found = self.run(self.index.search(content, filters, limit=4))
        true = self.run(self.index.search(content, filters, limit=4, exact=True))
        if found.method != "none":
            assert [round(c, 3) for c in found.cosines.values()] == [
                round(c, 3) for c in true.cosines.values()
            ]
        for memory in self.run(self._held(list(found.cosines))):
            assert allowed(memory, filters)

    async def _held(self, seqs: list[int]) -> list[Memory]:
        from intaglio.memory import rows  # noqa: PLC0415 - the machine has rules of that name

        held = await self.index.store.db.read(lambda tx: rows.by_seq(tx, seqs))
        assert len(held) == len(seqs)
        return list(held.values())

    @invariant()
    def the_table_has_no_vector_too_many(self) -> None:
        if not hasattr(self, "index"):
            return
        unused = (
            "SELECT count(*) FROM embeddings e WHERE NOT EXISTS (SELECT 1 FROM memories m "
            "WHERE m.is_deleted = 0 AND m.seq = e.memory)"
        )
        untrue = (
            "SELECT count(*) FROM memories m WHERE m.embedding_model IS NOT NULL AND NOT EXISTS "
            "(SELECT 1 FROM embeddings e WHERE e.memory = m.seq AND e.model = m.embedding_model)"
        )
        db = self.index.store.db
        counted = self.run(db.read(lambda tx: (tx.count(unused), tx.count(untrue))))
        assert counted == (0, 0)

    @invariant()
    def once_in_step_the_mirror_holds_what_the_table_holds(self) -> None:
        if not hasattr(self, "index"):
            return
        state, model = self.index.vectors.state, self.index.vectors.model
        if state.method != "mirror" or model is None or state.waiting:
            return
        rows = self.run(self.index.store.db.read(lambda tx: tx.all(JOINED, (model.id,))))
        assert self.index.vectors.members() == {seq for (seq,) in rows}


# It opens many databases, and what it finds has to be made small before it is told.
TestInStep = InStep.TestCase
TestInStep.settings = settings(max_examples=15, stateful_step_count=30)


class Longer(InStep):
    """The same, for a minute."""


TestLonger = pytest.mark.slow(Longer.TestCase)
TestLonger.settings = settings(max_examples=100, stateful_step_count=30)
