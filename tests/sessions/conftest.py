"""Session services over a real database."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest

from fakes.sessions import House
from fakes.store import bench
from intaglio.base.settings.schema import GraphSettings
from intaglio.graph.link_memory import linker


@pytest.fixture
async def house(tmp_path: Path) -> AsyncGenerator[House]:
    async with bench(tmp_path) as opened:
        yield House(opened)


@pytest.fixture
def linked(house: House) -> House:
    """Return services that link memories to entities as they are written, as the daemon's do."""
    context = house.bench.context
    listeners = (*context.listeners, linker(context.new_id, GraphSettings))
    house.bench.context = replace(context, listeners=listeners)
    return house
