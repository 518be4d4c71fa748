"""Whatever happens in whatever order, a vector depends on nothing that its readers may not see."""

import asyncio
import itertools
import shutil
import tempfile
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from fakes.embedder import TokenHashEmbedder
from fakes.semantic_index import ACTOR, Index, over
from fakes.store import bench
from fakes.waiting import PATIENCE_S
from intaglio.base.clock import iso, parse_moment
from intaglio.embedding.inline_embedding import InlineEmbedding
from intaglio.inference.ports import ModelIdentity, TextInContext
from intaglio.memory.operations import Audit
from intaglio.memory.values import Change, Source
from intaglio.pipeline.ingest import Remember, Saved
from intaglio.pipeline.modify import Modify
from intaglio.store.tx import ReadTx
from intaglio.store.vectors import quantization

T = TypeVar("T")

WHY: Final = Audit(ACTOR)
SESSIONS = st.sampled_from([None, "s", "s", "s", "t", "unnamed:1"])
SCOPES: Final[dict[str, list[str | None]]] = {
    "agent_id": ["default", "ann"],
    "project": [None, "/a"],
    "visibility": ["global", "private"],
    "session_id": ["s", "t", None],
}
# In the usual scope, or in one that differs in one thing.
SCOPE = st.sampled_from(
    [("default", None, "global")] * 4
    + [("ann", None, "global"), ("default", "/a", "global"), ("default", None, "private")]
)
LENGTHS = st.sampled_from([3, 3, 3, 3, 20, 70, 128, 129])


class Row(NamedTuple):
    """A live memory as the test reads it."""

    seq: int
    id: str
    content: str
    session: str | None
    scope: tuple[object, ...]
    at: str
    statement: str | None


def rows(tx: ReadTx) -> list[Row]:
    found = tx.all(
        "SELECT seq, id, content, session_id, agent_id, project, visibility, created_at, "
        "(SELECT context FROM statements t WHERE t.memory_id = m.id AND t.agent_id = m.agent_id "
        "AND t.project IS m.project AND m.source_id = t.message_id || '@' || t.start_char) "
        "FROM memories m WHERE is_deleted = 0 ORDER BY seq"
    )
    return [
        Row(seq, id_, content, session, (agent, project, visibility), at, statement)  # type: ignore[arg-type]  # columns of a STRICT table
        for seq, id_, content, session, agent, project, visibility, at, statement in found
    ]


def before(row: Row, live: list[Row]) -> Row | None:
    """Say in plain words of the test which memory was said right before another."""
    if row.session is None or row.session.startswith("unnamed:"):
        return None
    earlier = [
        each
        for each in live
        if each.seq < row.seq and (each.session, each.scope) == (row.session, row.scope)
    ]
    if not earlier:
        return None
    moment, then = parse_moment(row.at), parse_moment(earlier[-1].at)
    assert moment is not None
    assert then is not None
    return earlier[-1] if timedelta(0) <= moment - then <= timedelta(hours=1) else None


def in_context(row: Row, live: list[Row]) -> TextInContext:
    previous = before(row, live)
    if previous is None:
        return TextInContext(row.content, (row.statement,) if row.statement else ())
    second = before(previous, live)
    texts = (previous,) if second is None else (second, previous)
    return TextInContext(row.content, tuple(each.content for each in texts))


class InContext(RuleBasedStateMachine):
    """Memories come, change, move and go, while some of them are embedded."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.stack = AsyncExitStack()
        self.folder = Path(tempfile.mkdtemp())
        self.numbers = itertools.count()
        self.ids: list[str] = []
        self.embedder = TokenHashEmbedder(ModelIdentity("fake", "words", "1", 16))
        self.index: Index

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.get_loop().run_until_complete(work)

    @initialize(said=st.booleans(), settled=st.booleans())
    def start(self, *, said: bool, settled: bool) -> None:
        async def begin() -> None:
            store = await self.stack.enter_async_context(bench(self.folder))
            self.index = await over(store, self.embedder)
            self.index.embed.timeout_s = PATIENCE_S

        self.run(begin())
        self.converse("s", ("default", None, "global"), said=said, settled=settled)

    def teardown(self) -> None:
        self.run(self.stack.aclose())
        self.runner.close()
        shutil.rmtree(self.folder)

    def _text(self, length: int) -> str:
        # Contents differ, so that no rule against duplicates comes into play.
        return f"text{next(self.numbers)} " + " ".join(["word"] * (length - 1))

    @rule(session=SESSIONS, scope=SCOPE, length=LENGTHS, said=st.booleans())
    def remember(
        self, session: str | None, scope: tuple[str, str | None, str], length: int, *, said: bool
    ) -> None:
        agent, project, visibility = scope
        place = f"m{next(self.numbers)}"
        command = Remember(
            content=self._text(length),
            actor=ACTOR,
            agent_id=agent,
            project=project,
            visibility=visibility,
            session_id=session,
            source=Source("captured", f"{place}@0") if said else Source(),
            created_at=iso(self.index.store.clock()),
        )
        kept = self.run(self.index.store.ingest.remember(command))
        assert isinstance(kept, Saved)
        self.ids.append(kept.id)
        if said:
            self._execute(
                "INSERT INTO statements(harness, session_id, message_id, start_char, end_char, "
                "recorded_at, agent_id, project, sentence, content, type, everywhere, confidence, "
                "outcome, state, memory_id, context) VALUES ('h', 's', ?, 0, 1, '', ?, ?, 'x', "
                "'x', 'fact', 0, 1, 'kept', 'live', ?, ?)",
                (place, agent, project, kept.id, f"around {place}"),
            )

    def _execute(self, sql: str, params: tuple[str | None, ...]) -> None:
        async def write() -> None:
            await self.index.store.db.write(lambda tx: tx.execute(sql, params))

        self.run(write())

    @rule(session=SESSIONS, scope=SCOPE, said=st.booleans(), settled=st.booleans())
    def converse(
        self,
        session: str | None,
        scope: tuple[str, str | None, str],
        *,
        said: bool,
        settled: bool,
    ) -> None:
        for _ in range(4):
            self.remember(session, scope, 3, said=said)
        if settled:
            self.settle()

    @rule(minutes=st.sampled_from([1, 59, 61]))
    def wait(self, minutes: int) -> None:
        self.index.store.clock.forward(minutes=minutes)

    @precondition(lambda self: self.ids)
    @rule(data=st.data(), length=LENGTHS, inline=st.booleans())
    def modify(self, data: st.DataObject, length: int, *, inline: bool) -> None:
        store = self.index.store
        use = Modify(
            store.db,
            store.context,
            lambda: False,
            InlineEmbedding(self.index.embed) if inline else None,
        )
        change = Change(content=self._text(length))
        self.run(use.modify(data.draw(st.sampled_from(self.ids)), change, WHY))

    @precondition(lambda self: self.ids)
    @rule(data=st.data())
    def forget(self, data: st.DataObject) -> None:
        self.run(self.index.store.remove.forget(data.draw(st.sampled_from(self.ids)), WHY))

    @precondition(lambda self: self.ids)
    @rule(data=st.data())
    def recover(self, data: st.DataObject) -> None:
        self.run(self.index.store.remove.recover(data.draw(st.sampled_from(self.ids)), WHY))

    @precondition(lambda self: self.ids)
    @rule(data=st.data())
    def erase(self, data: st.DataObject) -> None:
        chosen = data.draw(st.sampled_from(self.ids))
        self.ids.remove(chosen)
        self.run(self.index.store.remove.erase(chosen, WHY))

    @precondition(lambda self: self.ids)
    @rule(data=st.data(), column=st.sampled_from(list(SCOPES)))
    def move(self, data: st.DataObject, column: str) -> None:
        chosen, to = (
            data.draw(st.sampled_from(self.ids)),
            data.draw(st.sampled_from(SCOPES[column])),
        )
        self._execute(f"UPDATE memories SET {column} = ? WHERE id = ?", (to, chosen))  # noqa: S608 - a constant

    @precondition(lambda self: self.ids)
    @rule(
        data=st.data(),
        change=st.sampled_from(
            ["context = ''", "project = '/a'", "memory_id = NULL", "context = 'y'"]
        ),
    )
    def change_statement(self, data: st.DataObject, change: str) -> None:
        chosen = data.draw(st.sampled_from(self.ids))
        self._execute(f"UPDATE statements SET {change} WHERE memory_id = ?", (chosen,))  # noqa: S608 - a constant

    @precondition(lambda self: self.ids)
    @rule(data=st.data())
    def delete_statement(self, data: st.DataObject) -> None:
        chosen = data.draw(st.sampled_from(self.ids))
        self._execute("DELETE FROM statements WHERE memory_id = ?", (chosen,))

    @rule(batch=st.integers(1, 3))
    def embed_some(self, batch: int) -> None:
        """Embed a part of the waiting jobs, so that neighbours are embedded at other times."""
        self.index.embed.batch = lambda: batch
        self.run(self.index.work())

    @precondition(lambda self: self.ids)
    @rule(data=st.data())
    def forget_while_the_model_works(self, data: st.DataObject) -> None:
        chosen = data.draw(st.sampled_from(self.ids))

        async def meanwhile() -> None:
            await self.index.store.remove.forget(chosen, WHY)

        self.embedder.meanwhile = meanwhile
        self.run(self.index.work())
        self.embedder.meanwhile = None

    @rule()
    def settle(self) -> None:
        async def all_done() -> None:
            while await self.index.work() or await self.index.tracker.fill_if_low():
                pass

        self.run(all_done())
        live, stored = self._stored()
        assert stored.keys() == {row.seq for row in live}

    async def _read(self, read: Callable[[ReadTx], T]) -> T:
        return await self.index.store.db.read(read)

    def _stored(self) -> tuple[list[Row], dict[int, tuple[object, ...]]]:
        def read(tx: ReadTx) -> tuple[list[Row], list[tuple[object, ...]]]:
            sql = (
                "SELECT e.memory, e.vector, e.pieces, e.length, e.previous, m.embedding_model "
                "FROM embeddings e LEFT JOIN memories m ON m.seq = e.memory"
            )
            return rows(tx), list(tx.all(sql))

        live, stored = self.run(self._read(read))
        return live, {int(str(row[0])): row[1:] for row in stored}

    @invariant()
    def each_vector_is_as_if_made_now(self) -> None:
        if not hasattr(self, "index"):
            return
        live, stored = self._stored()
        by_seq = {row.seq: row for row in live}
        model = self.index.embed.model
        assert stored.keys() <= by_seq.keys()
        for seq, (vector, pieces, length, previous, mark) in stored.items():
            assert model is not None
            made = self.embedder.memory(in_context(by_seq[seq], live))
            fresh = quantization.quantise(quantization.unit(made.vector.tolist()), model.scale)
            link = before(by_seq[seq], live) if made.length <= 128 else None
            assert (vector, pieces, length) == (fresh, made.pieces, made.length)
            assert previous == (link.seq if link else None)
            assert mark == str(model.id)


TestInContext = InContext.TestCase
TestInContext.settings = settings(max_examples=15, stateful_step_count=40)


class Longer(InContext):
    """The same, for a minute."""


TestLonger = pytest.mark.slow(Longer.TestCase)
TestLonger.settings = settings(max_examples=100, stateful_step_count=40)
