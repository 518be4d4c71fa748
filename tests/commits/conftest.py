"""What reads commits over a real database."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from fakes.commits import CommitHouse, Written, commit_house, empty_repository


@pytest.fixture
async def house(tmp_path: Path) -> AsyncGenerator[CommitHouse]:
    async with commit_house(tmp_path / "workspace") as opened:
        yield opened


@pytest.fixture
def project(tmp_path: Path) -> Written:
    return empty_repository(tmp_path / "project")
