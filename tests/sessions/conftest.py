"""Session services over a real database."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from fakes.sessions import House
from fakes.store import bench


@pytest.fixture
async def house(tmp_path: Path) -> AsyncGenerator[House]:
    async with bench(tmp_path) as opened:
        yield House(opened)
