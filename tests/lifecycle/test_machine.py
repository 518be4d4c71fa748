"""Whatever is done in whatever order: rows, index, vectors, history and jobs stay in agreement."""

import asyncio
import itertools
import shutil
import tempfile
from collections.abc import Coroutine
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from fakes.embedder import HashEmbedder
from fakes.retention import Broom
from fakes.semantic_index import ACTOR, Index, over
from fakes.store import MovableClock, bench, change_context
from intaglio.base.text import normal_form
from intaglio.domain.reader import USER
from intaglio.embedding.inline_embedding import InlineEmbedding
from intaglio.lifecycle.values import RemovalResult, Selection
from intaglio.memory import history_rows as histories
from intaglio.memory.filters import Filter
from intaglio.memory.operations import Audit
from intaglio.memory.values import (
    KEEP,
    AlreadyDeleted,
    Change,
    Done,
    Duplicate,
    Missing,
    NoChange,
    NotDeleted,
    PinnedConflict,
    RetentionExpired,
    ScopeConflict,
    Source,
)
from intaglio.pipeline.ingest import Remember, Saved
from intaglio.pipeline.modify import MemoryPatch, Modify, cleaned
from intaglio.store.tx import ReadTx

T = TypeVar("T")
Told: TypeAlias = tuple[str, str | None, str | None]
WHY = Audit(ACTOR, "because")
WORDS = ("apple", "pear", "fig")
# Few, so that what is done often concerns what was done before.
CONTENTS = st.sampled_from(["Red apple", "red apple", "green pear", "fig"])
PROJECTS = st.sampled_from([None, "/a"])
VISIBILITIES = st.sampled_from(["global", "private"])
SOURCES = st.sampled_from([None, None, "1"])
CHANGES = st.builds(
    Change,
    content=st.one_of(st.just(KEEP), CONTENTS),
    pinned=st.one_of(st.just(KEEP), st.booleans()),
    project=st.one_of(st.just(KEEP), PROJECTS),
    visibility=st.one_of(st.just(KEEP), VISIBILITIES),
)
# Which of the memories that were ever there is meant.
ANY = st.integers(0, 11)
_KEPT_DAYS = 30


@dataclass
class Known:
    """What the test holds of a memory; ``at`` is when it was forgotten."""

    content: str
    project: str | None
    visibility: str
    source: str | None
    pinned: bool = False
    version: int = 1
    at: datetime | None = None
    there: bool = True
    told: list[Told] = field(default_factory=list[Told])

    @property
    def live(self) -> bool:
        return self.there and self.at is None

    def clashes(self, other: "Known") -> bool:
        """Say whether both cannot be live: one scope, and one content or one source."""
        if (self.project, self.visibility) != (other.project, other.visibility):
            return False
        same = normal_form(self.content) == normal_form(other.content)
        return same or (self.source is not None and self.source == other.source)

    def changed(self, change: Change) -> "Known":
        names = ("content", "pinned", "project", "visibility")
        given = {n: v for n in names if (v := getattr(change, n)) is not KEEP}
        return replace(self, **given, told=list(self.told))


class Agreement(RuleBasedStateMachine):
    """Remember, modify, forget, recover, erase, sweep, merge, embed and restart, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.stack = AsyncExitStack()
        self.folder = Path(tempfile.mkdtemp())
        self.numbers = itertools.count()
        self.moment = MovableClock().moment
        self.known: dict[str, Known] = {}
        self.index: Index

    @initialize()
    def start(self) -> None:
        self.run(self._open())
        for content in ("red apple", "fig"):
            self.remember(content, None, "global", None)

    def pick(self, number: int) -> str:
        return list(self.known)[number % len(self.known)]

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        # Not through the runner itself, which sets and resets a signal's handler each time.
        return self.runner.get_loop().run_until_complete(work)

    async def _open(self) -> None:
        store = await self.stack.enter_async_context(bench(self.folder))
        store.clock.moment = self.moment
        # Ids go on over a restart.
        store.context = change_context(store.clock, lambda: f"{next(self.numbers):036d}")
        self.index = await over(store, HashEmbedder())

    @property
    def now(self) -> datetime:
        return self.index.store.clock.moment

    def other(self, wanted: Known, but: str = "") -> list[str]:
        """Name the live memories that leave no place for this one."""
        return [
            id_
            for id_, known in self.known.items()
            if id_ != but and known.live and known.clashes(wanted)
        ]

    @rule(content=CONTENTS, project=PROJECTS, visibility=VISIBILITIES, source=SOURCES)
    def remember(
        self, content: str, project: str | None, visibility: str, source: str | None
    ) -> None:
        wanted = Known(content, project, visibility, source, told=[("created", None, content)])
        command = Remember(
            content=content,
            actor=ACTOR,
            project=project,
            visibility=visibility,
            source=Source("note", source),
        )
        taken = self.other(wanted)
        outcome = self.run(self.index.store.ingest.remember(command))
        if isinstance(outcome, Duplicate):
            assert outcome.memory.id in taken
            return
        assert isinstance(outcome, Saved)
        assert not taken
        self.known[outcome.id] = wanted

    @rule(which=ANY, change=CHANGES)
    def modify(self, which: int, change: Change) -> None:
        id_ = self.pick(which)
        self._expect(id_, change, self.run(self._revise().modify(id_, change, WHY)))

    @rule(patches=st.lists(st.tuples(ANY, CHANGES), min_size=1, max_size=20))
    def modify_many(self, patches: list[tuple[int, Change]]) -> None:
        order = [(self.pick(which), change) for which, change in patches]
        asked = [cleaned(MemoryPatch(id_, change, WHY)) for id_, change in order]
        outcomes = self.run(self._revise().modify_all(asked))
        for (id_, change), outcome in zip(order, outcomes, strict=True):
            self._expect(id_, change, outcome)

    def _revise(self) -> Modify:
        store = self.index.store
        return Modify(store.db, store.context, lambda: False, InlineEmbedding(self.index.embed))

    def _expect(self, id_: str, change: Change, outcome: object) -> None:
        old = self.known[id_]
        new = old.changed(change)
        if not old.there:
            assert outcome == Missing()
        elif not old.live:
            assert outcome == AlreadyDeleted(old.version)
        elif new == old:
            assert outcome == NoChange(id_, old.version)
        elif taken := self.other(new, id_):
            assert isinstance(outcome, ScopeConflict)
            assert outcome.other_id in taken
        else:
            differs = new.content != old.content
            assert isinstance(outcome, Done)
            assert (outcome.new_version, outcome.content_changed) == (old.version + 1, differs)
            new.version += 1
            new.told.append(
                ("updated", old.content, new.content) if differs else ("updated", None, None)
            )
            self.known[id_] = new

    def _forgotten(self, id_: str, outcome: object) -> None:
        known = self.known[id_]
        if not known.there:
            assert outcome == Missing()
        elif not known.live:
            assert outcome == AlreadyDeleted(known.version)
        elif known.pinned:
            assert outcome == PinnedConflict(known.version)
        else:
            assert outcome == Done(id_, known.version, known.version + 1)
            known.version += 1
            known.at = self.now
            known.told.append(("deleted", known.content, None))

    @rule(which=ANY)
    def forget(self, which: int) -> None:
        id_ = self.pick(which)
        self._forgotten(id_, self.run(self.index.store.remove.forget(id_, WHY)))

    @rule(project=PROJECTS, force=st.booleans())
    def remove_a_project(self, project: str | None, *, force: bool) -> None:
        wanted = Filter(
            reader=USER, project=project, exact_project=True, global_only=project is None
        )
        selection = Selection(filters=wanted, limit=200)
        outcome = self.run(self.index.store.remove.remove(selection, WHY, force=force, token=None))
        assert isinstance(outcome, RemovalResult)
        live = {id_ for id_, known in self.known.items() if known.live and known.project == project}
        assert {id_ for id_, _ in outcome.outcomes} == live
        for id_, each in outcome.outcomes:
            (self._erased if force else self._forgotten)(id_, each)

    @rule(which=ANY)
    def recover(self, which: int) -> None:
        id_ = self.pick(which)
        outcome = self.run(self.index.store.remove.recover(id_, WHY))
        known = self.known[id_]
        if not known.there:
            assert outcome == Missing()
        elif known.at is None:
            assert outcome == NotDeleted(known.version)
        elif self.now - known.at > timedelta(days=_KEPT_DAYS):
            assert outcome == RetentionExpired(known.version)
        elif taken := self.other(known, id_):
            assert isinstance(outcome, ScopeConflict)
            assert outcome.other_id in taken
        else:
            assert outcome == Done(id_, known.version, known.version + 1)
            known.version += 1
            known.at = None
            known.told.append(("recovered", None, known.content))

    @rule(which=ANY)
    def erase(self, which: int) -> None:
        id_ = self.pick(which)
        self._erased(id_, self.run(self.index.store.remove.erase(id_, WHY)))

    def _erased(self, id_: str, outcome: object) -> None:
        known = self.known[id_]
        if not known.there:
            assert outcome == Missing()
            return
        assert outcome == Done(id_, known.version, known.version + 1)
        known.there = False
        known.told = [(event, None, None) for event, _, _ in known.told]
        known.told.append(("deleted", None, None))

    @rule(days=st.integers(1, 20))
    def sweep(self, days: int) -> None:
        self.index.store.clock.forward(days=days)
        broom = Broom(self.index.store)
        broom.keep(history_days=0)
        self.run(broom.sweep())
        expired = self.now - timedelta(days=_KEPT_DAYS)
        for known in self.known.values():
            if known.there and known.at is not None and known.at < expired:
                known.there = False

    @rule(pages=st.sampled_from([-64, -1, 1]))
    def merge(self, pages: int) -> None:
        # Less than a whole, so that the next step meets a merge that is under way.
        merge = "INSERT INTO memories_fts(memories_fts, rank) VALUES ('merge', ?)"
        self.run(self._write(merge, pages))

    @rule(rounds=st.integers(1, 2))
    def embed(self, rounds: int) -> None:
        self.run(self.index.work(rounds))

    @rule()
    def restart(self) -> None:
        self.moment = self.now
        self.run(self.stack.aclose())
        self.stack = AsyncExitStack()
        self.run(self._open())

    def _read(self, *sql: str) -> list[list[tuple[Any, ...]]]:
        return self.run(self.index.store.db.read(lambda tx: [tx.all(one) for one in sql]))

    @invariant()
    def the_rows_are_what_is_known(self) -> None:
        if not hasattr(self, "index"):
            return
        (rows,) = self._read(
            "SELECT id, content, project, visibility, source_id, pinned, version, is_deleted "
            "FROM memories"
        )
        assert {row[0]: row[1:] for row in rows} == {
            id_: (
                known.content,
                known.project,
                known.visibility,
                known.source,
                int(known.pinned),
                known.version,
                int(not known.live),
            )
            for id_, known in self.known.items()
            if known.there
        }

    @invariant()
    def the_index_finds_live_memories_and_no_others(self) -> None:
        if not hasattr(self, "index"):
            return
        found = self._read(
            *(
                "SELECT m.id FROM memories_fts f LEFT JOIN memories m ON m.seq = f.rowid "  # noqa: S608 - a word of the test
                f"WHERE memories_fts MATCH '{word}'"
                for word in WORDS
            )
        )
        for word, rows in zip(WORDS, found, strict=True):
            assert {row[0] for row in rows} == {
                id_ for id_, known in self.known.items() if known.live and word in known.content
            }
        check = "INSERT INTO memories_fts(memories_fts, rank) VALUES ('integrity-check', 1)"
        self.run(self._write(check))

    async def _write(self, sql: str, *params: int) -> None:
        await self.index.store.db.write(lambda tx: tx.execute(sql, params))

    @invariant()
    def the_vectors_are_those_of_live_memories(self) -> None:
        if not hasattr(self, "index"):
            return
        unused, untrue = self._read(
            "SELECT e.id FROM embeddings e WHERE NOT EXISTS (SELECT 1 FROM memories m "
            "WHERE m.is_deleted = 0 AND m.seq = e.memory)",
            "SELECT m.id FROM memories m WHERE m.is_deleted = 0 AND "
            "(m.embedding_model IS NOT NULL) <> EXISTS (SELECT 1 FROM embeddings e "
            "WHERE e.memory = m.seq AND e.model = m.embedding_model)",
        )
        assert unused == []
        assert untrue == []

    @invariant()
    def what_has_no_vector_has_a_job_and_nothing_else_has(self) -> None:
        if not hasattr(self, "index"):
            return
        jobs, without = self._read(
            "SELECT subject FROM jobs",
            "SELECT id FROM memories WHERE is_deleted = 0 AND embedding_model IS NULL",
        )
        queued = {row[0] for row in jobs}
        live = {id_ for id_, known in self.known.items() if known.live}
        assert queued <= live
        assert {row[0] for row in without} <= queued

    @invariant()
    def the_history_tells_each_change_once(self) -> None:
        if not hasattr(self, "index"):
            return

        def work(tx: ReadTx) -> dict[str, list[Told]]:
            return {
                id_: [
                    (event.event, event.old_content, event.new_content)
                    for event in histories.history(tx, id_, USER, 1_000) or []
                ]
                for id_ in self.known
            }

        told = self.run(self.index.store.db.read(work))
        for id_, known in self.known.items():
            expected = known.told
            if not known.there and len(expected) > 1 and told[id_][0][2] is None:
                # What a purged memory said first is told by what replaced it, if anything did.
                expected = [("created", None, None), *expected[1:]]
            assert told[id_] == expected

    def teardown(self) -> None:
        self.run(self.stack.aclose())
        self.runner.close()
        shutil.rmtree(self.folder)


TestAgreement = Agreement.TestCase
TestAgreement.settings = settings(max_examples=12, stateful_step_count=40)
TestAgreement = pytest.mark.timeout(900)(TestAgreement)


class Longer(Agreement):
    """The same, for minutes."""


TestLonger = pytest.mark.slow(Longer.TestCase)
TestLonger.settings = settings(max_examples=100, stateful_step_count=50)
