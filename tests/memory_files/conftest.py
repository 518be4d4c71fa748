"""Memory files and the service that reads them."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from fakes.memory_files import Shelf
from fakes.sessions import House
from fakes.store import bench


@pytest.fixture
async def shelf(tmp_path: Path) -> AsyncGenerator[Shelf]:
    async with bench(tmp_path / "store") as opened:
        yield Shelf(House(opened), tmp_path / "agents" / "memory")
