"""A sweep over a real database."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from fakes.retention import Broom
from fakes.store import bench


@pytest.fixture
async def broom(tmp_path: Path) -> AsyncGenerator[Broom]:
    async with bench(tmp_path) as opened:
        yield Broom(opened)
