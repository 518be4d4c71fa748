"""Transcripts over a real database."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from fakes.sessions import House
from fakes.store import bench
from fakes.transcripts import Talks


@pytest.fixture
async def talks(tmp_path: Path) -> AsyncGenerator[Talks]:
    async with bench(tmp_path) as opened:
        yield Talks(opened)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncGenerator[House]:
    async with bench(tmp_path) as opened:
        yield House(opened)
