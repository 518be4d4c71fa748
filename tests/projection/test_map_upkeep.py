"""Maps between full runs: new memories are placed, and old layouts go."""

import asyncio
import math
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path
from typing import Final

import pytest

from fakes.maps import ALL, Maps, maps
from fakes.semantic_index import ACTOR
from fakes.waiting import until
from intaglio.base.events import Changed
from intaglio.daemon.packages import PACKAGES
from intaglio.memory.operations import Audit
from intaglio.memory.values import Change
from intaglio.projection import rows
from intaglio.projection.compute.values import LayoutRunError
from intaglio.projection.placement import place_among
from intaglio.projection.values import MapScope, RunFailure
from intaglio.store.tx import WriteTx

WHY: Final = Audit(ACTOR)


@pytest.fixture
async def seen(tmp_path: Path) -> AsyncGenerator[Maps]:
    async with maps(tmp_path) as found:
        found.upkeep.begin()
        yield found


async def laid_out(seen: Maps, *, project: str | None = None) -> None:
    """Lay out two groups of memories, so many that a few more don't call for another run."""
    await seen.remember(
        *(f"red apple {number}" for number in range(20)),
        *(f"blue whale {number}" for number in range(20)),
        project=project,
    )
    await seen.lay_out(2, 3, scope=MapScope(project=project))
    await seen.upkeep.follow()


def nearest(places: dict[str, tuple[float, ...]], text: str) -> str:
    """Return the nearest other memory."""
    others = {each: places[each] for each in places if each != text}
    return min(others, key=lambda each: math.dist(others[each], places[text]))


async def test_a_new_memory_is_placed_among_its_like(seen: Maps) -> None:
    await laid_out(seen)
    await seen.remember("red apple pie")
    seen.at.store.events.clear()
    await seen.upkeep.follow()
    for dimensions in (2, 3):
        assert nearest(await seen.places(dimensions), "red apple pie").startswith("red")
        layout = await seen.layout(dimensions)
        assert (layout.points, layout.placed, layout.revision) == (40, 1, 1)
    assert Changed("projection", "updated", ("all",)) in seen.at.store.events
    assert not (await seen.service.state(ALL)).is_outdated


async def test_a_placed_memory_names_its_nearest_ones(seen: Maps) -> None:
    await laid_out(seen)
    await seen.remember("red apple pie")
    await seen.upkeep.follow()
    sql = "SELECT neighbours FROM projection_points WHERE placed = 1 ORDER BY projection"
    flat, deep = await seen.at.store.db.read(lambda tx: tx.all(sql))
    assert deep == (None,)
    assert isinstance(flat[0], bytes)
    assert all(1 <= seq <= 20 for seq in memoryview(flat[0]).cast("q"))


async def test_a_rewritten_memory_moves_to_its_new_like(seen: Maps) -> None:
    await laid_out(seen)
    (changed,) = await seen.remember("red apple pie")
    await seen.lay_out(2, 3)
    await seen.at.store.revise.modify(changed, Change(content="blue whale song"), WHY)
    await seen.remember()
    await seen.upkeep.follow()
    assert nearest(await seen.places(), "blue whale song").startswith("blue")
    assert (await seen.layout()).placed == 1


async def test_a_restored_memory_is_where_it_was(seen: Maps) -> None:
    await laid_out(seen)
    (kept,) = await seen.remember("red apple pie")
    await seen.lay_out(2, 3)
    before = await seen.places()
    await seen.at.store.remove.forget(kept, WHY)
    await seen.at.store.remove.recover(kept, WHY)
    await seen.remember()
    await seen.upkeep.follow()
    assert await seen.places() == before
    assert (await seen.layout()).placed == 0


async def test_a_memory_is_placed_only_in_the_maps_that_cover_it(seen: Maps) -> None:
    await laid_out(seen, project="/p")
    await seen.lay_out()
    await seen.remember("red apple pie")
    await seen.upkeep.follow()
    assert "red apple pie" in await seen.places()
    assert "red apple pie" not in await seen.places(scope=MapScope(project="/p"))


async def test_a_memory_that_moves_to_a_project_is_placed_in_its_map(seen: Maps) -> None:
    await laid_out(seen, project="/p")
    (moved,) = await seen.remember("red apple pie", project="/q")
    await seen.upkeep.follow()
    await seen.at.store.revise.modify(moved, Change(project="/p"), WHY)
    await seen.remember()
    await seen.upkeep.follow()
    assert nearest(await seen.places(scope=MapScope(project="/p")), "red apple pie")


async def test_a_new_memory_stored_under_a_projects_name_is_placed_in_its_map(seen: Maps) -> None:
    await laid_out(seen, project="/work/shop")
    await seen.remember("red apple pie", project="shop")
    await seen.upkeep.follow()
    own = MapScope(project="/work/shop")
    assert nearest(await seen.places(scope=own), "red apple pie").startswith("red")
    state = await seen.service.state(own)
    assert [(each.points, each.placed) for each in state.layouts] == [(40, 1), (40, 1)]
    assert (state.memories, state.is_outdated) == (41, False)


async def test_a_memory_that_moves_to_a_name_of_its_project_stays_in_the_map(seen: Maps) -> None:
    own = MapScope(project="/work/shop")
    await seen.remember("red apple pie", project="shop")
    await laid_out(seen, project="/work/shop")
    (moved,) = await seen.remember("red apple juice", project="/work/shop")
    await seen.upkeep.follow()
    await seen.at.store.revise.modify(moved, Change(project="shop"), WHY)
    await seen.remember()
    await seen.upkeep.follow()
    assert nearest(await seen.places(scope=own), "red apple juice").startswith("red")


async def test_memories_under_a_name_are_placed_once_only_this_project_has_it(seen: Maps) -> None:
    own = MapScope(project="/work/shop")
    await seen.remember("red apple pie", project="shop")
    (other,) = await seen.remember("grey stone", project="/home/shop")
    await laid_out(seen, project="/work/shop")
    assert "red apple pie" not in await seen.places(scope=own)
    await seen.at.store.remove.erase(other, WHY)
    await seen.upkeep.follow()
    assert nearest(await seen.places(scope=own), "red apple pie").startswith("red")


async def test_a_tenth_of_changes_queues_a_full_run(seen: Maps) -> None:
    await laid_out(seen)
    await seen.remember("red apple pie", "red apple juice")
    await seen.upkeep.follow()
    assert (await seen.service.state(ALL)).run is None
    first, *_ = await seen.remember("red apple tree")
    await seen.at.store.remove.forget(first, WHY)
    await seen.upkeep.follow()
    assert (await seen.service.state(ALL)).run is None
    await seen.remember("blue whale song", "blue whale bone")
    await seen.upkeep.follow()
    state = await seen.service.state(ALL)
    assert state.is_outdated
    assert state.run is not None
    await seen.run()
    assert [each.points for each in (await seen.service.state(ALL)).layouts] == [44, 44]


async def test_while_full_runs_fail_memories_are_placed(seen: Maps) -> None:
    await laid_out(seen)
    seen.drawing.fails = LayoutRunError("memory", "Too much memory.", hint="Allow more.")
    await seen.lay_out()
    await seen.remember(*(f"red apple pie {number}" for number in range(10)))
    await seen.upkeep.follow()
    assert (await seen.layout()).placed == 10
    assert (await seen.service.state(ALL)).run is None


async def test_a_full_run_that_nobody_asked_for_rests_after_the_last(seen: Maps) -> None:
    await seen.remember("red apple")

    async def pass_time() -> AsyncIterator[None]:
        seen.at.seconds.now += 6
        yield

    seen.drawing.meanwhile = pass_time
    await seen.lay_out()
    await seen.remember("blue whale")
    assert (await seen.service.touch(ALL, (2,))).run is None
    seen.at.forward(61)
    assert (await seen.service.touch(ALL, (2,))).run is not None


async def test_a_map_that_nobody_looks_at_is_left_alone_until_somebody_does(seen: Maps) -> None:
    await laid_out(seen)
    seen.at.forward(2 * 86_400)
    await seen.remember("red apple pie")
    await seen.upkeep.follow()
    assert (await seen.layout()).placed == 0
    await seen.service.touch(ALL, (2, 3))
    await seen.upkeep.follow()
    assert (await seen.layout()).placed == 1


async def test_memories_are_placed_by_themselves(seen: Maps) -> None:
    await laid_out(seen)
    following = asyncio.create_task(seen.upkeep.run())
    await asyncio.sleep(0)
    await seen.remember("red apple pie")

    async def is_placed() -> bool:
        return (await seen.layout()).placed == 1

    await until(is_placed, "the memory is placed")
    following.cancel()
    await asyncio.gather(following, return_exceptions=True)


async def test_layouts_that_nobody_asked_for_are_swept_with_their_points(seen: Maps) -> None:
    await laid_out(seen)
    own = MapScope(agent="default")
    await seen.lay_out(scope=own)
    seen.at.forward(31 * 86_400)
    failure = RunFailure(reason="r", hint="h", at="2026-01-31T08:00:00.000Z")
    await seen.at.store.db.write(lambda tx: rows.record_failure(tx, ALL, failure))
    await seen.service.touch(own, (2,))
    steps = [each for each in PACKAGES.retention if each.name.startswith("layout")]

    def sweep(tx: WriteTx) -> list[int]:
        before = "2026-02-15T08:00:00.000Z"
        return [step.purge(tx, step.find(tx, before, "", 1_000), before, "") for step in steps]

    assert [each.name for each in steps] == ["layouts", "layout_points", "layout_failures"]
    assert await seen.at.store.db.write(sweep) == [2, 80, 1]
    assert (await seen.service.state(ALL)).layouts == ()
    assert len(await seen.places(scope=own)) == await seen.count_points() == 40


def test_a_point_is_among_the_nearest_ones_that_are_together() -> None:
    assert place_among([]) is None
    assert place_among([(0.9, (1.0, 2.0))]) == (1.0, 2.0)
    together = [(0.8, (0.0, 0.0)), (0.8, (2.0, 0.0)), (0.8, (0.0, 2.0))]
    found = place_among([(0.9, (100.0, 0.0)), *together, (0.7, (0.0, -90.0))])
    assert found is not None
    assert math.dist(found, (1.0, 1.0)) < 2


def test_a_nearer_memory_counts_more() -> None:
    found = place_among([(0.9, (0.0,)), (0.6, (1.0,)), (0.1, (50.0,))])
    assert found is not None
    assert 0 < found[0] < 0.5
