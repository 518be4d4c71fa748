"""A project moves in batches: vectors stay, what was interrupted goes on, and undo is exact."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from fakes.store import Bench, bench
from fakes.waiting import until
from intaglio.base.errors import ConflictError, NotFoundError
from intaglio.commits import rows as commits
from intaglio.lifecycle.projects import changes as module
from intaglio.lifecycle.projects import contents
from intaglio.lifecycle.projects.changes import ProjectEdits
from intaglio.memory import project_rows as memories
from intaglio.memory.project_rows import BulkMove
from intaglio.memory.values import Actor
from intaglio.projects import rows, settings_rows
from intaglio.projects.settings import CAPTURE, TOLD
from intaglio.projects.values import (
    NOTHING_CHOSEN,
    ChosenSettings,
    ProjectChange,
    ProjectChangeKind,
)
from intaglio.store.tx import ReadTx, WriteTx

OLD, NEW = "/code/app", "/work/app"
USER = Actor("ann")
MEMORIES = 25


@pytest.fixture
async def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Bench]:
    monkeypatch.setattr(module, "_BATCH", 10)
    async with bench(tmp_path) as opened:
        await opened.db.write(fill)
        yield opened


def edits(store: Bench, days: int = 180) -> ProjectEdits:
    return ProjectEdits(store.db, store.context, lambda: store.frozen, lambda: days, asyncio.Lock())


def fill(tx: WriteTx) -> None:
    """Write memories of the old project, each with a vector that was made in its conversation."""
    tx.execute(
        "INSERT INTO embedding_models(id, provider, model, hash, dimensions, scale, created_at) "
        "VALUES (1, 'p', 'm', 'h', 8, 1.0, '')"
    )
    for number in range(MEMORIES):
        add(tx, number, OLD, f"session {number // 5}")


def add(tx: WriteTx, number: int, project: str, session: str) -> None:
    tx.execute(
        "INSERT INTO memories(id, content, content_hash, type, importance, confidence, pinned, "
        "who, project, agent_id, visibility, source_type, session_id, created_at, updated_at, "
        "updated_by) VALUES (?, ?, randomblob(16), 'fact', 0.5, 0.5, 0, 'ann', ?, 'default', "
        "'global', 'manual', ?, '2026-01-01T00:00:00.000Z', '', '')",
        (f"m{number}", f"Fact {number}", project, session),
    )
    tx.execute(
        "INSERT INTO embeddings(memory, model, vector, pieces) VALUES (?, 1, x'00', x'00')",
        (tx.last_row(),),
    )


def places(tx: ReadTx) -> dict[str, int]:
    found = "SELECT project, count(*) FROM memories GROUP BY project"
    return dict(tx.rows(tuple[str, int], found))


def vectors(tx: ReadTx) -> int:
    return tx.count("SELECT count(*) FROM embeddings")


async def move(store: Bench) -> ProjectChange:
    return await edits(store).move("move", OLD, NEW, USER)


async def test_a_project_moves_and_returns_with_its_vectors(store: Bench) -> None:
    change = await move(store)
    assert await store.db.read(places) == {NEW: MEMORIES}
    assert await store.db.read(vectors) == MEMORIES
    await edits(store).undo(change.id, USER)
    assert await store.db.read(places) == {OLD: MEMORIES}
    assert await store.db.read(vectors) == MEMORIES


async def test_what_is_chosen_for_commits_moves_along_and_stays_with_both(store: Bench) -> None:
    def choose(tx: WriteTx) -> None:
        commits.set_enabled(tx, OLD, enabled=False)
        tx.execute("INSERT INTO forgotten_commits VALUES (?, 'abc', '2026-01-01')", (OLD,))

    def chosen(tx: ReadTx, project: str) -> tuple[bool | None, frozenset[str]]:
        return commits.state(tx, project).enabled, commits.forgotten(tx, project)

    await store.db.write(choose)
    change = await move(store)
    assert await store.db.read(lambda tx: chosen(tx, NEW)) == (False, frozenset({"abc"}))
    await edits(store).undo(change.id, USER)
    assert await store.db.read(lambda tx: chosen(tx, OLD)) == (False, frozenset({"abc"}))


@pytest.mark.parametrize("kind", ["move", "merge"])
async def test_what_is_set_for_a_project_goes_along_and_returns(
    store: Bench, kind: ProjectChangeKind
) -> None:
    own: dict[str, bool | str] = {CAPTURE: False, TOLD: "nothing"}

    def choose(tx: WriteTx) -> None:
        for key, value in own.items():
            settings_rows.put(tx, OLD, key, value)
        settings_rows.put(tx, NEW, TOLD, "constraints")

    def both(tx: ReadTx) -> tuple[ChosenSettings, ChosenSettings]:
        return settings_rows.chosen(tx, OLD), settings_rows.chosen(tx, NEW)

    await store.db.write(choose)
    before = await store.db.read(both)
    change = await edits(store).move(kind, OLD, NEW, USER)
    # Sessions that go on in the former folder have what holds for its memories.
    assert await store.db.read(both) == (ChosenSettings(capture=False, told="constraints"),) * 2
    assert await store.db.read(lambda tx: settings_rows.own(tx, OLD)) == NOTHING_CHOSEN
    await edits(store).undo(change.id, USER)
    assert await store.db.read(both) == before


async def test_what_was_set_since_a_move_survives_its_undo(store: Bench) -> None:
    await store.db.write(lambda tx: settings_rows.put(tx, OLD, TOLD, "nothing"))
    change = await move(store)
    await store.db.write(lambda tx: settings_rows.put(tx, NEW, TOLD, "constraints"))
    await store.db.write(lambda tx: settings_rows.put(tx, OLD, TOLD, "everything"))
    await edits(store).undo(change.id, USER)
    told = await store.db.read(
        lambda tx: (settings_rows.told(tx, OLD), settings_rows.told(tx, NEW))
    )
    assert told == ("everything", "constraints")


@pytest.mark.parametrize("is_undone", [False, True])
async def test_what_is_set_holds_while_a_project_moves_or_returns(
    store: Bench, monkeypatch: pytest.MonkeyPatch, *, is_undone: bool
) -> None:
    give, seen = memories.give_memories, list[bool | None]()

    def look(tx: WriteTx, seqs: Sequence[int], to: BulkMove) -> int:
        seen.extend(settings_rows.chosen(tx, each).capture for each in (OLD, NEW))
        if len(seen) > 2:
            raise RuntimeError
        return give(tx, seqs, to)

    await store.db.write(lambda tx: settings_rows.put(tx, OLD, CAPTURE, value=False))
    change = await move(store) if is_undone else None
    monkeypatch.setattr(memories, "give_memories", look)
    with pytest.raises(RuntimeError):
        await (edits(store).undo(change.id, USER) if change else move(store))
    # Whatever interrupts it, as long as it isn't completed.
    seen += await store.db.read(
        lambda tx: [settings_rows.chosen(tx, each).capture for each in (OLD, NEW)]
    )
    assert seen == [False] * 6
    monkeypatch.setattr(memories, "give_memories", give)
    await edits(store).resume()
    captured = await store.db.read(
        lambda tx: [settings_rows.chosen(tx, each).capture for each in (OLD, NEW)]
    )
    assert captured == ([False, None] if is_undone else [False, False])


async def test_a_folder_that_is_moved_back_has_only_what_is_set_for_it(store: Bench) -> None:
    await move(store)
    await edits(store).move("move", NEW, OLD, USER)
    await store.db.write(lambda tx: settings_rows.put(tx, NEW, CAPTURE, value=False))
    assert await store.db.read(lambda tx: settings_rows.chosen(tx, OLD)) == NOTHING_CHOSEN
    await store.db.write(lambda tx: settings_rows.put(tx, OLD, CAPTURE, value=True))
    assert await store.db.read(lambda tx: settings_rows.chosen(tx, NEW).capture) is False


async def test_a_chain_of_moves_is_followed(store: Bench) -> None:
    await store.db.write(lambda tx: settings_rows.put(tx, OLD, CAPTURE, value=False))
    await move(store)
    await edits(store).move("merge", NEW, "/srv/app", USER)
    await store.db.write(lambda tx: settings_rows.put(tx, OLD, TOLD, "nothing"))
    found = await store.db.read(lambda tx: settings_rows.chosen(tx, OLD))
    assert found == ChosenSettings(capture=False, told="nothing")


async def test_a_project_of_which_only_settings_are_known_moves(store: Bench) -> None:
    await store.db.write(lambda tx: settings_rows.put(tx, "/code/new", CAPTURE, value=False))
    await edits(store).move("move", "/code/new", "/work/new", USER)
    assert await store.db.read(settings_rows.projects) == ["/work/new"]


async def test_vectors_of_a_session_that_both_projects_have_are_made_anew(store: Bench) -> None:
    await store.db.write(lambda tx: add(tx, 100, NEW, "session 0"))
    await move(store)
    # All six of that session.
    assert await store.db.read(vectors) == MEMORIES - 5


async def test_an_interrupted_move_goes_on(store: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    give, batches = memories.give_memories, count()

    def stop(tx: WriteTx, seqs: Sequence[int], to: BulkMove) -> int:
        if next(batches) == 2:
            raise RuntimeError("killed")
        return give(tx, seqs, to)

    with monkeypatch.context() as patched:
        patched.setattr(memories, "give_memories", stop)
        with pytest.raises(RuntimeError):
            await move(store)
    assert await store.db.read(places) == {OLD: 5, NEW: 20}
    assert await edits(store).resume() == 1
    assert await store.db.read(places) == {NEW: MEMORIES}
    assert await store.db.read(vectors) == MEMORIES
    assert await edits(store).resume() == 0


async def test_a_move_that_goes_on_is_not_resumed(store: Bench) -> None:
    moving = edits(store)
    found = await asyncio.gather(moving.move("move", OLD, NEW, USER), moving.resume())
    assert found[1] == 0


async def test_a_project_that_is_moved_twice_at_once_stays_whole(store: Bench) -> None:
    moving = edits(store)
    one, other = await asyncio.gather(
        moving.move("move", OLD, NEW, USER),
        moving.move("move", OLD, "/else", USER),
        return_exceptions=True,
    )
    assert isinstance(one, ProjectChange)
    assert isinstance(other, NotFoundError)
    assert await store.db.read(places) == {NEW: MEMORIES}


async def test_an_undo_waits_for_the_move_that_it_undoes(store: Bench) -> None:
    moving = edits(store)
    move_ = asyncio.create_task(moving.move("move", OLD, NEW, USER))
    await until(lambda: moving.changes(1), "the move has begun")
    await moving.undo(None, USER)
    await move_
    assert await store.db.read(places) == {OLD: MEMORIES}


async def test_a_name_that_was_changed_again_is_not_undone(store: Bench) -> None:
    naming = edits(store)
    first = await naming.rename(OLD, "Shop", USER)
    last = await naming.rename(OLD, "Store", USER)
    assert first is not None
    assert last is not None
    with pytest.raises(ConflictError):
        await naming.undo(first.id, USER)
    await naming.undo(last.id, USER)
    await naming.undo(first.id, USER)
    assert await store.db.read(rows.display_names) == {}


def live(tx: ReadTx) -> dict[str, int]:
    found = "SELECT project, count(*) FROM memories WHERE is_deleted = 0 GROUP BY project"
    return dict(tx.rows(tuple[str, int], found))


async def test_a_merge_keeps_one_duplicate_and_undo_restores_it(
    store: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def twin(tx: WriteTx) -> None:
        for number in range(120):
            add(tx, 100 + number, OLD, "s")
            add(tx, 300 + number, NEW, "s")
        same = "UPDATE memories SET content_hash = CAST(? AS BLOB) WHERE id IN (?, ?)"
        for number in range(120):
            tx.execute(same, (f"{number:032}", f"m{100 + number}", f"m{300 + number}"))

    await store.db.write(twin)
    forget, batches = contents.forget_twins, count()

    def stop(*args: Any) -> list[list[object]]:  # noqa: ANN401 - as those of forget_twins
        if next(batches) == 1:
            raise RuntimeError("killed")
        return forget(*args)

    with monkeypatch.context() as patched:
        patched.setattr(contents, "forget_twins", stop)
        with pytest.raises(RuntimeError):
            await edits(store).move("merge", OLD, NEW, USER)
    assert await store.db.read(live) == {OLD: MEMORIES + 120 - 50, NEW: 120}
    await edits(store).resume()
    assert await store.db.read(live) == {NEW: MEMORIES + 120}
    await edits(store).undo(None, USER)
    assert await store.db.read(live) == {OLD: MEMORIES + 120, NEW: 120}


async def test_an_interrupted_undo_goes_on(store: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    change = await move(store)

    def stop(*_: object) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(contents, "settle_vectors", stop)
        with pytest.raises(RuntimeError):
            await edits(store).undo(change.id, USER)
    await edits(store).resume()
    assert await store.db.read(places) == {OLD: MEMORIES}


async def test_an_interrupted_undo_returns_the_sessions_too(
    store: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    change = await move(store)
    returned = list[str]()

    def stop(*_: object) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr(contents, "return_rest", stop)
        with pytest.raises(RuntimeError):
            await edits(store).undo(change.id, USER)

    def note(_: WriteTx, its: ProjectChange, *__: object) -> None:
        returned.append(its.id)

    monkeypatch.setattr(contents, "return_rest", note)
    assert await edits(store).resume() == 1
    assert returned == [change.id]
    assert await store.db.read(places) == {OLD: MEMORIES}


async def test_undoing_a_move_keeps_what_moved_on(store: Bench) -> None:
    change = await move(store)
    await store.db.write(
        lambda tx: tx.execute("UPDATE memories SET project = '/else' WHERE id IN ('m1', 'm2')")
    )
    await edits(store).undo(change.id, USER)
    assert await store.db.read(places) == {OLD: MEMORIES - 2, "/else": 2}


async def test_a_move_is_undone_only_while_the_history_is_kept(store: Bench) -> None:
    change = await move(store)
    store.clock.forward(days=200)
    with pytest.raises(ConflictError):
        await edits(store).undo(change.id, USER)
    await edits(store, days=0).undo(change.id, USER)
    found = await store.db.read(lambda tx: rows.change(tx, change.id))
    assert found is not None
    assert found.undone_at is not None
