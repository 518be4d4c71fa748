"""The loop that watches the folders of projects ends when it is told to."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from fakes.waiting import PATIENCE_S
from intaglio.base.bus import EventBus
from intaglio.base.events import Changed
from intaglio.lifecycle.part import watch_projects
from intaglio.lifecycle.projects.moved_projects import MovedProjects


@pytest.mark.parametrize("ticks", range(5))
async def test_the_loop_ends_although_a_memory_was_just_saved(ticks: int) -> None:
    async def yes(*_: object) -> bool:
        return True

    async def no(*_: object) -> bool:
        return False

    bus = EventBus()
    arrivals: Any = SimpleNamespace(catch_up=yes, follow=no)
    watching = asyncio.create_task(watch_projects(cast("MovedProjects", arrivals), bus))
    await asyncio.sleep(0.01)
    bus.publish(Changed("memory", "added", ("m1",)))
    for _ in range(ticks):
        await asyncio.sleep(0)
    watching.cancel()
    await asyncio.wait((watching,), timeout=PATIENCE_S)
    assert watching.cancelled()
