"""Session services over a real database."""

from collections.abc import AsyncGenerator
from dataclasses import replace
from pathlib import Path

import pytest

from fakes.sessions import House
from fakes.store import bench
from intaglio.base.settings.values import Settings


@pytest.fixture
async def house(tmp_path: Path) -> AsyncGenerator[House]:
    async with bench(tmp_path) as opened:
        yield House(opened)


@pytest.fixture
def linked(house: House) -> House:
    """Return services that link memories to entities as they are written, as the daemon's do."""
    house.bench.context = replace(house.bench.context, settings=Settings)
    return house
