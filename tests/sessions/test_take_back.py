"""Taking back what came from sessions and other sources: what goes, stays away, and comes back."""

import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

import pytest

from fakes.crashes import CrashedError, crash_after, crash_before
from fakes.inbox import claim, evidence, suggest
from fakes.sessions import HARNESS, House
from fakes.talk import Talk, other
from fakes.whole_store import whole_store
from intaglio.base.background_tasks import BackgroundTasks
from intaglio.base.errors import ConflictError, UnavailableError
from intaglio.capture.transcripts import CaptureLimits
from intaglio.inbox import operations as inbox
from intaglio.lifecycle.sources import execution, rows
from intaglio.lifecycle.sources.execution import RemovalUndo, SourceRemover
from intaglio.lifecycle.sources.service import SourceRemovals
from intaglio.lifecycle.sources.values import (
    MemoryOrigin,
    OriginChanged,
    RemovalRecord,
    session_item_id,
)
from intaglio.memory import operations
from intaglio.memory.operations import Audit
from intaglio.memory.values import Actor, Change, Source
from intaglio.sessions.statements.precision import CapturePrecision
from intaglio.sessions.values import SessionKey
from intaglio.store.tx import Row, WriteTx
from intaglio.transcripts import rows as transcripts
from sessions.test_statements import DATE_FNS, KEPT, LINTER, LUXON, SUGGESTED

ME: Final = Actor("me")
FIRST: Final = MemoryOrigin("session", "1")
SECOND: Final = MemoryOrigin("session", "2")
KEY: Final = session_item_id((HARNESS, "s1"))
ASIDE: Final = "The tests take an hour on the old machine, by the way."


@dataclass
class Sources:
    """The removals over the services of a house, whose talks can be read again by name."""

    house: House
    talks: dict[str, Talk] = field(default_factory=dict[str, Talk])
    background: BackgroundTasks = field(default_factory=BackgroundTasks)
    paused: bool = False

    @property
    def service(self) -> SourceRemovals:
        remover = SourceRemover(self.house.bench.db, self.house.bench.context)
        return SourceRemovals(
            RemovalUndo(remover, lambda: timedelta(days=30), self.read_again),
            lambda: self.house.bench.frozen,
            self.background,
        )

    async def read_again(self, key: SessionKey, until: datetime) -> bool:
        del until
        if not self.paused and key[1] in self.talks:
            await self.talks[key[1]].read_again(CaptureLimits(asks_first=True, asks=False))
        return not self.paused

    async def take_back(self, origin: MemoryOrigin, *, elsewhere: bool = False) -> RemovalRecord:
        token = (await self.service.preview(origin, ME)).token
        done = await self.service.take_back(origin, ME, token, elsewhere=elsewhere)
        assert not isinstance(done, OriginChanged)
        return done

    async def store(self) -> dict[str, list[Row]]:
        return await whole_store(self.house.bench.db)

    async def is_taken_back(self, kind: str, source: str) -> bool:
        return await self.house.bench.db.read(
            lambda tx: rows.is_taken_back(tx, kind, source)  # type: ignore[arg-type]  # a test's word
        )


@pytest.fixture
def sources(house: House) -> Sources:
    house.settings = KEPT
    return Sources(house)


async def history(sources: Sources) -> Talk:
    """Hold two sessions, with what is kept, suggested, only considered, replaced, and shared."""
    house = sources.house
    first = sources.talks["s1"] = Talk(house)
    second = sources.talks["s2"] = other(first)
    await first.say(LUXON, LINTER, ASIDE)
    house.settings = SUGGESTED
    # More than a session offers: the weakest are only considered.
    await first.say("We write commit messages in English.", "I prefer tabs over spaces.")
    await first.say("We decided to deploy on Fridays.", "Never mock the database in tests.")
    house.settings = KEPT
    await second.say(LINTER, DATE_FNS)
    house.settings = SUGGESTED
    return first


async def test_undoing_leaves_the_store_as_it_was(sources: Sources) -> None:
    await history(sources)
    before = await sources.store()
    assert before["considered"]
    assert len(before["inbox"]) == 3
    for origin in (FIRST, SECOND):
        done = await sources.take_back(origin)
        assert (done.state, done.forgotten > 0) == ("done", True)
        assert await sources.store() != before
        assert (await sources.service.undo(done.id, ME)).state == "undone"
        assert await sources.store() == before


async def test_what_went_with_its_source_says_nothing_of_how_well_capture_judges(
    sources: Sources,
) -> None:
    await history(sources)
    bench = sources.house.bench
    precision = CapturePrecision(bench.db, bench.clock, lambda: KEPT)
    before = await precision.lately()
    done = await sources.take_back(FIRST)
    after = await precision.lately()
    assert (after.forgotten, after.lines) == (0, before.lines - done.forgotten)
    await sources.service.undo(done.id, ME)
    assert await precision.lately() == before


async def test_two_sources_are_undone_in_any_order(sources: Sources) -> None:
    await history(sources)
    before = await sources.store()
    one = await sources.take_back(FIRST)
    two = await sources.take_back(SECOND)
    await sources.service.undo(one.id, ME)
    await sources.service.undo(two.id, ME)
    assert await sources.store() == before


async def test_nothing_returns_however_often_the_transcript_is_read(sources: Sources) -> None:
    first = await history(sources)
    await sources.take_back(FIRST, elsewhere=True)
    left = await sources.store()
    for settings in (KEPT, SUGGESTED):
        sources.house.settings = settings
        await first.read_again()
    assert await sources.store() == left
    # Statements and considered ones may be purged by then.
    await sources.house.bench.db.write(lambda tx: tx.execute("DELETE FROM statements"))
    sources.house.settings = SUGGESTED
    await first.read_again()
    assert await sources.store() == left | {"statements": []}
    sources.house.bench.clock.forward(days=2)
    first.begins += timedelta(days=3)
    later = await first.say("We decided to deploy on Mondays.")
    assert later.suggested == 1


async def test_what_was_replaced_is_current_again_until_that_is_undone(sources: Sources) -> None:
    await history(sources)
    replaced = "SELECT content FROM memories WHERE valid_until IS NOT NULL"
    assert await sources.house.rows(replaced) == [(LUXON,)]
    done = await sources.take_back(SECOND)
    assert await sources.house.rows(replaced) == []
    await sources.service.undo(done.id, ME)
    assert await sources.house.rows(replaced) == [(LUXON,)]


async def test_a_source_counts_as_taken_back_until_that_is_undone(sources: Sources) -> None:
    await history(sources)
    from_file = Source("file", "a1", "memory/notes.md")
    await sources.house.remember("The port is 4850.", source=from_file)
    file = MemoryOrigin("file", "memory/notes.md")
    for origin, named in ((FIRST, ("session", KEY)), (file, ("file", file.id))):
        assert not await sources.is_taken_back(*named)
        done = await sources.take_back(origin)
        assert await sources.is_taken_back(*named)
        await sources.service.undo(done.id, ME)
        assert not await sources.is_taken_back(*named)


async def test_what_came_from_a_file_goes_with_its_suggestions(sources: Sources) -> None:
    house = sources.house
    await house.remember("The port is 4850.", source=Source("file", "a1", "memory/a.md"))
    await house.remember("The port is 4851.", source=Source("file", "memory/a.md#a2"))
    await house.remember("The port is 4852.", source=Source("file", "b1", "memory/a.md2"))
    of_file = Source("file", "memory/a.md#a3")
    await house.bench.db.write(
        lambda tx: suggest(
            tx, house.bench.context, replace(claim("The port is 4853."), source=of_file)
        )
    )
    done = await sources.take_back(MemoryOrigin("file", "memory/a.md"))
    assert (done.forgotten, done.dropped) == (2, 1)
    assert await house.contents() == ["The port is 4852."]


async def test_what_was_said_in_sessions_is_no_tools_once_these_are_gone(sources: Sources) -> None:
    await history(sources)
    await sources.house.remember("The port is 4850.", source=Source("cli"))
    await sources.house.bench.db.write(lambda tx: tx.execute("DELETE FROM sessions"))
    assert [each.origin.id for each in await sources.service.sources()] == ["cli"]


async def test_an_agents_claims_go_unless_the_user_said_them_too(sources: Sources) -> None:
    house = sources.house

    def work(tx: WriteTx) -> tuple[str, str]:
        mine = suggest(tx, house.bench.context, claim("Deploy on Mondays."))
        both = suggest(tx, house.bench.context, claim("Deploy at noon."))
        inbox.add_evidence(tx, both, evidence("Deploy at noon."))
        return mine, both

    mine, _ = await house.bench.db.write(work)
    done = await sources.take_back(MemoryOrigin("agent", HARNESS))
    assert done.dropped == 1
    assert await house.rows("SELECT id FROM inbox_items WHERE action = 'drop'") == [(mine,)]


async def test_memories_that_the_user_confirmed_stay_unless_chosen(sources: Sources) -> None:
    await history(sources)
    house = sources.house
    (changed,) = await house.rows("SELECT id FROM memories WHERE content LIKE '%date-fns%'")
    edit = Change(tags=("dates",))
    await house.bench.revise.modify(str(changed[0]), edit, Audit(ME, "sorted"))
    assert (await sources.take_back(SECOND)).kept == 2
    assert (await sources.take_back(SECOND, elsewhere=True)).forgotten == 2


async def test_what_the_user_decided_since_stays_as_it_is(sources: Sources) -> None:
    await history(sources)
    house = sources.house
    done = await sources.take_back(FIRST)
    await house.remember(LUXON, source=Source("cli"), revive=True)
    dropped = await house.rows("SELECT id FROM inbox_items WHERE action = 'drop' LIMIT 1")
    house.bench.clock.forward(minutes=1)

    def decide_again(tx: WriteTx) -> None:
        item = inbox.find_readable(tx, str(dropped[0][0]), Audit(ME).reader)
        assert item is not None
        inbox.reopen(tx, item)
        inbox.close(tx, item.id, "drop", house.bench.context)

    await house.bench.db.write(decide_again)
    await sources.service.undo(done.id, ME)
    assert (await house.contents()).count(LUXON) == 1
    still = await house.rows("SELECT id FROM inbox_items WHERE action = 'drop'")
    assert still == dropped


Stage = tuple[Callable[..., list[int]], object, str]
STAGES: Final[list[Stage]] = [
    (crash_after, rows, "insert"),
    (crash_before, rows, "set_state"),
    (crash_before, rows, "settle"),
    (crash_after, execution, "forget_session"),
    (crash_before, execution, "merge_for"),
    (crash_before, operations, "forget"),
    (crash_before, inbox, "close"),
    (crash_before, rows, "finish"),
]


async def crashing(work: Awaitable[object]) -> None:
    """Await work that ends with a crash, or that carries on elsewhere."""
    with contextlib.suppress(CrashedError):
        await work


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: f"{stage[0].__name__} {stage[2]}")
async def test_an_interrupted_removal_is_completed_or_never_began(
    sources: Sources, monkeypatch: pytest.MonkeyPatch, stage: Stage
) -> None:
    await history(sources)
    before = await sources.store()
    crash, owner, name = stage
    crashes = crash(monkeypatch, owner, name)
    await crashing(sources.take_back(FIRST))
    assert crashes
    await sources.service.resume()
    found = await sources.service.latest(10)
    if not found:
        assert await sources.store() == before
        assert await sources.house.rows("SELECT * FROM source_removal_items") == []
        return
    (record,) = found
    assert record.state == "done"
    monkeypatch.undo()
    again = await history_of_another(sources, before)
    assert (record.forgotten, record.kept, record.dropped) == again


async def history_of_another(
    sources: Sources, before: dict[str, list[Row]]
) -> tuple[int, int, int]:
    """Undo what is recorded, take the same back without a crash, and return its counts."""
    (record,) = await sources.service.latest(10)
    await sources.service.undo(record.id, ME)
    assert await sources.store() == before
    done = await sources.take_back(FIRST)
    return done.forgotten, done.kept, done.dropped


UNDOING: Final[list[Stage]] = [
    (crash_before, transcripts, "set_forgotten_at"),
    (crash_before, transcripts, "delete_message"),
    (crash_before, operations, "recover"),
    (crash_before, rows, "settle"),
    (crash_before, inbox, "reopen"),
    (crash_before, Sources, "read_again"),
    (crash_after, Sources, "read_again"),
    (crash_before, rows, "set_state"),
]


@pytest.mark.parametrize("stage", UNDOING, ids=lambda stage: f"{stage[0].__name__} {stage[2]}")
async def test_an_interrupted_undo_is_completed(
    sources: Sources, monkeypatch: pytest.MonkeyPatch, stage: Stage
) -> None:
    await history(sources)
    before = await sources.store()
    done = await sources.take_back(FIRST)
    crash, owner, name = stage
    crashes = crash(monkeypatch, owner, name)
    await crashing(sources.service.undo(done.id, ME))
    assert crashes
    await sources.service.resume()
    assert await sources.store() == before
    with pytest.raises(ConflictError):
        await sources.service.undo(done.id, ME)


async def test_an_undo_in_a_pause_reads_the_transcripts_after_it(sources: Sources) -> None:
    await history(sources)
    before = await sources.store()
    done = await sources.take_back(FIRST)
    sources.paused = True
    assert (await sources.service.undo(done.id, ME)).state == "undoing"
    assert await sources.house.rows("SELECT 1 FROM memories WHERE is_deleted = 1") == []
    sources.paused = False
    await sources.service.resume()
    assert await sources.store() == before


async def test_old_records_go_but_not_what_keeps_a_source_away(sources: Sources) -> None:
    await history(sources)
    file = MemoryOrigin("file", "memory/a.md")
    house = sources.house
    await house.remember("The port is 4850.", source=Source("file", "a1", file.id))
    await house.remember("The port is 4851.", source=Source("cli"))
    first = await sources.take_back(FIRST)
    await sources.take_back(file)
    await sources.take_back(MemoryOrigin("tool", "cli"))

    def purge(tx: WriteTx) -> None:
        for key in rows.expired(tx, "2100", "2100", 10):
            assert rows.purge(tx, key, "2100", "2100")
        assert rows.expired(tx, "2100", "2100", 10) == []

    await house.bench.db.write(purge)
    assert [each.origin for each in await sources.service.latest(10)] == [file, FIRST]
    assert await house.rows("SELECT kind, id FROM source_removal_items") == [("session", KEY)]
    assert await sources.is_taken_back("file", file.id)
    await sources.service.undo(first.id, ME)
    assert not await sources.is_taken_back("session", KEY)
    # All but those of the two memories that stay forgotten.
    assert await house.rows("SELECT count(*) FROM transcript_messages WHERE text <> ''") == [(7,)]


async def test_nothing_is_taken_back_or_undone_while_changes_are_frozen(sources: Sources) -> None:
    await history(sources)
    done = await sources.take_back(SECOND)
    sources.house.bench.frozen = True
    before = await sources.store()
    for work in (sources.take_back(FIRST), sources.service.undo(done.id, ME)):
        with pytest.raises(UnavailableError):
            await work
    await sources.service.resume()
    assert await sources.store() == before
