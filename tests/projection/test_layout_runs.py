"""Runs that lay memories out: what they write, and what becomes of one that doesn't end well."""

import asyncio
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from fakes.maps import ALL, Maps, maps, over_index
from fakes.semantic_index import ACTOR
from fakes.waiting import until
from intaglio.base.errors import ConflictError, UnavailableError
from intaglio.base.events import Changed
from intaglio.jobs import rows as jobs
from intaglio.memory.operations import Audit
from intaglio.memory.values import Change
from intaglio.projection import runner
from intaglio.projection.compute.values import LayoutRunError
from intaglio.projection.part import find_issues
from intaglio.projection.settings import ProjectionSettings
from intaglio.projection.values import MapScope
from intaglio.store import writer
from intaglio.store.values import Degraded
from intaglio.store.vectors.values import Model

WHY: Final = Audit(ACTOR)
OUT_OF_MEMORY: Final = LayoutRunError("memory", "It took too much memory.", hint="Allow more.")


@pytest.fixture
async def seen(tmp_path: Path) -> AsyncGenerator[Maps]:
    async with maps(tmp_path) as found:
        yield found


def meanwhile(do: Callable[[], object]) -> Callable[[], AsyncIterator[None]]:
    """Await what is done while the process computes; once."""
    todo = [do]

    async def steps() -> AsyncIterator[None]:
        if todo:
            done = todo.pop()()
            if asyncio.iscoroutine(done):
                await done
            yield

    return steps


async def test_a_run_lays_out_every_live_memory_of_its_scope(seen: Maps) -> None:
    await seen.remember("red one", "red two")
    await seen.remember("blue one", project="/p")
    state = await seen.lay_out(2, 3)
    assert [each.dimensions for each in state.layouts] == [2, 3]
    assert [each.points for each in state.layouts] == [3, 3]
    assert state.run is None
    assert not state.is_outdated
    assert (await seen.places()).keys() == {"red one", "red two", "blue one"}
    own = await seen.lay_out(scope=MapScope(project="/p"))
    assert (own.memories, own.embedded, own.layouts[0].points) == (1, 1, 1)


async def test_a_later_run_is_aligned_to_the_former_and_lays_out_the_same_dimensions(
    seen: Maps,
) -> None:
    await seen.remember("red one", "red two")
    await seen.lay_out(2, 3)
    await seen.remember("blue one")
    state = await seen.lay_out(2)
    assert [each.generation for each in state.layouts] == [2, 2]
    previous = seen.drawing.plans[-1].previous
    assert {each: len(previous[each]) for each in previous} == {2: 3 * 8, 3: 3 * 12}


async def test_readers_see_the_former_layout_until_the_new_one_is_whole(seen: Maps) -> None:
    await seen.remember(*(f"word{number}" for number in range(400)))
    await seen.lay_out()
    former = await seen.places()
    looks = list[int]()

    async def look() -> None:
        layout = await seen.layout()
        looks.append(layout.generation)
        assert await seen.places() == former

    quiet = seen.runner.writer
    seen.runner.writer = replace(quiet, pause=look)
    await seen.service.request(ALL, (2,))
    taken = await seen.take()
    # Only while drafts are written: afterwards, pauses part the deletion of the former points.
    seen.runner.published = lambda: setattr(seen.runner, "writer", quiet)
    await seen.runner.run(taken)
    assert looks == [1, 1, 1]
    assert (await seen.service.state(ALL)).layouts[0].generation == 2
    assert await seen.count_points() == 400


async def test_two_requests_at_once_make_one_run(seen: Maps) -> None:
    await seen.remember("red one")
    states = await asyncio.gather(*(seen.service.request(ALL, (2,)) for _ in range(2)))
    assert {each.run.phase for each in states if each.run} == {"queued"}
    seen.drawing.meanwhile = meanwhile(lambda: seen.service.request(ALL, (2,)))
    assert await seen.run() == 1


async def test_a_layout_that_is_asked_for_during_a_run_gets_its_own(seen: Maps) -> None:
    await seen.remember("red one")
    await seen.service.request(ALL, (2,))
    seen.drawing.meanwhile = meanwhile(lambda: seen.service.request(ALL, (3,)))
    assert await seen.run() == 2
    assert [plan.dimensions for plan in seen.drawing.plans] == [(2,), (2, 3)]


async def test_the_state_follows_a_run_and_the_bus_tells_of_it(seen: Maps) -> None:
    await seen.remember("red one")
    phases = list[tuple[str, float]]()

    async def look() -> None:
        run = (await seen.service.state(ALL)).run
        assert run is not None
        phases.append((run.phase, round(run.fraction, 2)))

    seen.drawing.meanwhile = meanwhile(look)
    seen.at.store.events.clear()
    await seen.lay_out()
    assert phases == [("layout", 0.45)]
    assert Changed("projection", "updated", ("all",)) in seen.at.store.events


async def test_a_queued_run_is_cancelled(seen: Maps) -> None:
    await seen.service.request(ALL, (2,))
    state = await seen.service.cancel(ALL)
    assert state.run is None
    assert state.failure is not None
    assert "cancelled" in state.failure.reason
    assert await seen.run() == 0


async def test_a_run_that_is_cancelled_leaves_nothing_and_the_next_one_works(seen: Maps) -> None:
    await seen.remember("red one")
    await seen.service.request(ALL, (2,))
    taken = await seen.take()
    is_there = asyncio.Event()

    async def wait() -> None:
        is_there.set()
        await asyncio.Event().wait()

    seen.drawing.meanwhile = meanwhile(wait)
    running = asyncio.create_task(seen.runner.run(taken))
    await is_there.wait()
    state = await seen.service.cancel(ALL)
    await running
    assert state.run is None
    assert state.failure is not None
    # Nobody starts it again by looking.
    assert (await seen.service.touch(ALL, (2,))).run is None
    assert (await seen.lay_out()).failure is None
    assert await find_issues(seen.at.store.db) == []


async def test_a_run_is_cancelled_between_leaving_the_queue_and_beginning(seen: Maps) -> None:
    await seen.remember("red one")
    await seen.service.request(ALL, (2,))
    taken = await seen.take()
    await seen.service.cancel(ALL)
    await seen.runner.run(taken)
    state = await seen.service.state(ALL)
    assert (state.run, state.layouts) == (None, ())
    assert state.failure is not None


async def test_a_failure_is_told_and_looking_waits_before_the_next_run(seen: Maps) -> None:
    await seen.remember("red one")
    seen.drawing.fails = OUT_OF_MEMORY
    state = await seen.lay_out()
    assert state.run is None
    assert state.failure is not None
    assert (state.failure.reason, state.failure.hint) == ("It took too much memory.", "Allow more.")
    assert (await seen.service.touch(ALL, (2,))).run is None
    seen.at.forward(31)
    assert (await seen.service.touch(ALL, (2,))).run is not None
    seen.drawing.fails = None
    await seen.run()
    state = await seen.service.state(ALL)
    assert (state.failure, state.layouts[0].points) == (None, 1)


@pytest.mark.parametrize("fault", [OUT_OF_MEMORY, RuntimeError("a bug")])
async def test_the_former_layout_survives_a_failure_and_status_tells_of_the_second(
    seen: Maps, fault: Exception
) -> None:
    await seen.remember("red one")
    await seen.lay_out()
    seen.drawing.fails = fault
    await seen.lay_out()
    assert await find_issues(seen.at.store.db) == []
    await seen.lay_out()
    (issue,) = await find_issues(seen.at.store.db)
    assert issue.id == "map_runs_failing"
    assert (await seen.places()).keys() == {"red one"}
    seen.drawing.fails = None
    await seen.lay_out()
    assert await find_issues(seen.at.store.db) == []


@pytest.mark.parametrize("stage", range(6))
async def test_a_run_that_ended_with_the_daemon_runs_again(tmp_path: Path, stage: int) -> None:
    async with maps(tmp_path) as seen:
        await seen.remember(*(f"word{number}" for number in range(200)))
        await seen.lay_out(2, 3)
        await seen.service.request(ALL, (2, 3))
        taken = await seen.take()
        reached = list[int]()
        stopped = asyncio.Event()

        async def stop() -> None:
            if len(reached) == stage:
                stopped.set()
                await asyncio.Event().wait()
            reached.append(1)

        # Stages: computing, each chunk of both drafts, and deleting the former points.
        seen.drawing.meanwhile = meanwhile(stop)
        seen.runner.writer = replace(seen.runner.writer, pause=stop)
        running = asyncio.create_task(seen.runner.run(taken))
        await stopped.wait()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        # The next start of the daemon frees its jobs.
        again = over_index(seen.at)
        store = seen.at.store
        await store.db.write(lambda tx: jobs.reap(tx, store.clock(), all_leases=True))
        state = await again.service.state(ALL)
        assert all(each.points == 200 for each in state.layouts)
        await again.run()
        state = await again.lay_out()
        assert state.run is None
        assert [each.points for each in state.layouts] == [200, 200]
        assert await again.count_points() == 400


async def test_runs_that_end_with_the_daemon_each_time_are_a_failure(seen: Maps) -> None:
    store = seen.at.store
    await seen.service.request(ALL, (2,))
    for _ in range(3):
        await seen.take()
        await store.db.write(lambda tx: jobs.reap(tx, store.clock(), all_leases=True))
    assert await seen.take() == ()
    await seen.upkeep.follow()
    state = await seen.service.state(ALL)
    assert state.run is None
    assert state.failure is not None
    assert "3 attempts" in state.failure.reason
    assert len(await find_issues(store.db)) == 1


async def test_a_memory_that_is_erased_during_a_run_gets_no_point(seen: Maps) -> None:
    _, second = await seen.remember("red one", "red two")
    await seen.service.request(ALL, (2, 3))
    seen.drawing.meanwhile = meanwhile(lambda: seen.at.store.remove.erase(second, WHY))
    await seen.run()
    assert (await seen.places()).keys() == (await seen.places(3)).keys() == {"red one"}
    assert await seen.count_points() == 2


async def test_a_memory_that_takes_the_number_of_an_erased_one_isnt_taken_for_it(
    seen: Maps,
) -> None:
    _, second = await seen.remember("red one", "red two")
    await seen.service.request(ALL, (2,))

    async def replace_it() -> None:
        await seen.at.store.remove.erase(second, WHY)
        await seen.remember("blue three")

    seen.drawing.meanwhile = meanwhile(replace_it)
    await seen.run()
    assert (await seen.places()).keys() == {"red one"}


async def test_a_rewritten_or_moved_memory_gets_no_point_of_its_former_vector(seen: Maps) -> None:
    first, second, _ = await seen.remember("red one", "red two", "red three", project="/p")
    own = MapScope(project="/p")
    await seen.service.request(own, (2,))

    async def change() -> None:
        await seen.at.store.revise.modify(first, Change(content="blue one"), WHY)
        await seen.at.store.revise.modify(second, Change(project="/q"), WHY)

    seen.drawing.meanwhile = meanwhile(change)
    await seen.run()
    assert (await seen.places(scope=own)).keys() == {"red three"}


async def test_erasing_deletes_a_point_at_once(seen: Maps) -> None:
    first, _ = await seen.remember("red one", "red two")
    await seen.lay_out(2, 3)
    await seen.at.store.remove.erase(first, WHY)
    assert await seen.count_points() == 2
    assert (await seen.layout()).revision == 1


async def test_a_forgotten_memory_keeps_its_point_over_a_full_run(seen: Maps) -> None:
    first, _ = await seen.remember("red one", "red two")
    await seen.lay_out()
    before = await seen.places()
    await seen.at.store.remove.forget(first, WHY)
    state = await seen.lay_out()
    assert await seen.places() == before
    # It is no longer laid out, and no change that calls for another run.
    assert (state.layouts[0].points, state.layouts[0].placed, state.is_outdated) == (1, 0, False)
    await seen.at.store.remove.erase(first, WHY)
    assert (await seen.places()).keys() == {"red two"}


async def test_a_memory_leaves_the_layouts_of_the_project_that_it_leaves(seen: Maps) -> None:
    first, _ = await seen.remember("red one", "red two", project="/p")
    own = MapScope(project="/p")
    await seen.lay_out()
    await seen.lay_out(2, scope=own)
    await seen.at.store.revise.modify(first, Change(project="/q"), WHY)
    assert (await seen.places(scope=own)).keys() == {"red two"}
    assert (await seen.layout(scope=own)).revision == 1
    assert (await seen.places()).keys() == {"red one", "red two"}


async def test_a_projects_map_covers_memories_stored_under_its_name(seen: Maps) -> None:
    await seen.remember("red one", project="/work/shop")
    (named,) = await seen.remember("red two", project="shop")
    own = MapScope(project="/work/shop")
    state = await seen.lay_out(2, 3, scope=own)
    assert (state.memories, state.embedded, state.layouts[0].points) == (2, 2, 2)
    assert not state.is_outdated
    before = await seen.places(scope=own)
    assert before.keys() == {"red one", "red two"}
    await seen.at.store.revise.modify(named, Change(project="/work/shop"), WHY)
    assert await seen.places(scope=own) == before
    assert (await seen.layout(scope=own)).revision == 0


@pytest.mark.parametrize("to", ["/work/bank", "bank", None])
async def test_a_memory_stored_under_a_name_leaves_the_projects_layouts(
    seen: Maps, to: str | None
) -> None:
    await seen.remember("red one", project="/work/shop")
    await seen.remember("red two", project="shop")
    own = MapScope(project="/work/shop")
    await seen.lay_out(2, 3, scope=own)
    moved = "UPDATE memories SET project = ? WHERE content = 'red two'"
    await seen.at.store.db.write(lambda tx: tx.execute(moved, (to,)))
    for dimensions in (2, 3):
        assert (await seen.places(dimensions, own)).keys() == {"red one"}
        assert (await seen.layout(dimensions, own)).revision == 1
    assert (await seen.service.state(own)).memories == 1


async def test_a_name_of_two_directories_is_in_the_map_of_neither(seen: Maps) -> None:
    for project in ("/work/shop", "/home/shop", "shop"):
        await seen.remember(f"of {project}", project=project)
    for project in ("/work/shop", "/home/shop"):
        own = MapScope(project=project)
        assert (await seen.lay_out(scope=own)).memories == 1
        assert (await seen.places(scope=own)).keys() == {f"of {project}"}


async def test_whole_projects_and_agents_take_their_points_along(seen: Maps) -> None:
    await seen.remember("red one", "red two", project="/p", agent_id="ann")
    scopes = MapScope(project="/p"), MapScope(agent="ann")
    for scope in scopes:
        await seen.lay_out(scope=scope)
    # As `memory/project_rows.py` moves a project: without the operations on single memories.
    moved = "UPDATE memories SET project = '/q', agent_id = 'bob' WHERE content = 'red one'"
    await seen.at.store.db.write(lambda tx: tx.execute(moved))
    for scope in scopes:
        assert (await seen.places(scope=scope)).keys() == {"red two"}
        assert (await seen.layout(scope=scope)).revision == 1


async def test_a_run_whose_model_was_replaced_meanwhile_runs_again(seen: Maps) -> None:
    await seen.remember("red one")
    await seen.service.request(ALL, (2,))
    own = seen.at.vectors.model
    assert own is not None

    def change() -> None:
        seen.at.vectors.set_model(Model(own.id + 1, own.dimensions, own.scale))

    seen.drawing.meanwhile = meanwhile(change)
    await seen.runner.run(await seen.take())
    state = await seen.service.state(ALL)
    assert state.layouts == ()
    assert state.run is not None
    seen.at.vectors.set_model(own)
    await seen.run()
    assert (await seen.places()).keys() == {"red one"}
    assert await seen.count_points() == 1


async def test_a_layout_of_another_model_is_outdated(seen: Maps) -> None:
    await seen.remember("red one")
    await seen.lay_out()
    own = seen.at.vectors.model
    assert own is not None
    seen.at.vectors.set_model(Model(own.id + 1, own.dimensions, own.scale))
    # None of its vectors is there yet.
    assert not (await seen.service.state(ALL)).is_outdated
    text = "UPDATE memories SET embedding_model = ?"
    await seen.at.store.db.write(lambda tx: tx.execute(text, (str(own.id + 1),)))
    assert (await seen.service.touch(ALL, (2,))).run is not None


async def test_without_memories_or_vectors_a_layout_is_empty(seen: Maps) -> None:
    await seen.at.remember("red one")
    seen.at.vectors.set_model(None)
    state = await seen.lay_out(2, 3)
    assert [(each.points, each.model) for each in state.layouts] == [(0, 0), (0, 0)]
    assert (state.memories, state.embedded, state.failure) == (1, 0, None)
    assert seen.drawing.plans == []


async def test_a_layout_stays_when_embedding_is_switched_off(seen: Maps) -> None:
    await seen.remember("red one")
    await seen.lay_out()
    seen.at.vectors.set_model(None)
    seen.is_embedding = False
    state = await seen.lay_out()
    assert state.failure is not None
    assert "embedding" in state.failure.reason
    assert (await seen.places()).keys() == {"red one"}


async def test_a_layout_is_empty_again_once_there_are_no_memories(seen: Maps) -> None:
    (memory_id,) = await seen.remember("red one")
    await seen.lay_out()
    await seen.at.store.remove.erase(memory_id, WHY)
    seen.at.vectors.set_model(None)
    state = await seen.lay_out()
    assert (state.failure, [each.points for each in state.layouts]) == (None, [0])


async def test_a_run_at_the_start_of_the_daemon_waits_for_the_model(seen: Maps) -> None:
    await seen.remember("red one")
    own = seen.at.vectors.model
    seen.at.vectors.set_model(None)
    await seen.service.request(ALL, (3,))
    running = asyncio.create_task(seen.runner.run(await seen.take()))
    going = seen.service.current.by_scope
    await until(lambda: ALL in going and going[ALL].dimensions == (2, 3), "the run has begun")
    seen.at.vectors.set_model(own)
    await running
    assert (await seen.places()).keys() == {"red one"}


async def test_nothing_runs_while_maps_are_switched_off(seen: Maps) -> None:
    await seen.remember("red one")
    await seen.lay_out()
    await seen.service.request(ALL, (2,))
    seen.settings = ProjectionSettings(enabled=False)
    await seen.run()
    state = await seen.service.touch(ALL, (2,))
    assert (state.run, state.layouts[0].generation) == (None, 1)
    with pytest.raises(ConflictError):
        await seen.service.request(ALL, (2,))
    with pytest.raises(ConflictError):
        await seen.service.touch(ALL, (3,))


async def test_a_run_ends_when_maps_are_switched_off(seen: Maps) -> None:
    await seen.remember("red one")
    await seen.service.request(ALL, (2,))
    seen.drawing.meanwhile = meanwhile(asyncio.Event().wait)
    running = asyncio.create_task(seen.runner.run(await seen.take()))
    following = asyncio.create_task(seen.upkeep.run())
    await until(lambda: seen.drawing.plans, "the run computes")
    seen.settings = ProjectionSettings(enabled=False)
    following.cancel()
    await running
    assert (await seen.service.state(ALL)).run is None


@contextmanager
def full_disk(folder: Path) -> Generator[None]:
    """Let no file of this process grow beyond the database's log; then writes are refused."""
    import resource  # noqa: PLC0415 - there is none on Windows

    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = (folder / "intaglio.db-wal").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


async def fill(seen: Maps) -> None:
    """Write until the database notices that it can't."""
    sql = "INSERT INTO jobs(type, subject, created_at) VALUES ('t', ?, 'now')"
    with pytest.raises(UnavailableError):
        await seen.at.store.db.write(lambda tx: tx.execute(sql, ("x" * 100_000,)))
    await until(lambda: isinstance(seen.at.store.db.state, Degraded), "a degraded database")


@pytest.mark.skipif(sys.platform == "win32", reason="files have no limit there")
async def test_a_database_that_cant_be_written_still_shows_what_there_is(
    seen: Maps, tmp_path: Path
) -> None:
    await seen.remember("red one")
    await seen.lay_out()
    await seen.remember("red two", "red three")
    seen.at.forward(7_200)
    with full_disk(tmp_path):
        await fill(seen)
        state = await seen.service.touch(ALL, (2,))
        assert (state.run, state.layouts[0].points) == (None, 1)
        with pytest.raises(UnavailableError):
            await seen.service.touch(ALL, (3,))
        with pytest.raises(UnavailableError):
            await seen.service.request(ALL, (2,))


@pytest.mark.skipif(sys.platform == "win32", reason="files have no limit there")
async def test_a_run_waits_in_the_queue_while_the_database_cant_be_written(
    seen: Maps, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "_WATCH_S", 0.01)
    monkeypatch.setattr(runner, "_RETRY_S", 0.01)
    await seen.remember("red one")
    await seen.service.request(ALL, (2,))
    taken = await seen.take()
    seen.drawing.meanwhile = meanwhile(lambda: fill(seen))
    with full_disk(tmp_path):
        running = asyncio.create_task(seen.runner.run(taken))
        await until(lambda: not seen.service.current.by_scope and seen.drawing.plans, "it ended")
        run = (await seen.service.state(ALL)).run
        assert run is not None
        assert run.phase == "queued"
    await running
    assert await seen.run() == 1
    assert (await seen.places()).keys() == {"red one"}
