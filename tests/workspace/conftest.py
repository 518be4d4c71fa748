"""A workspace with files, synced to targets in folders beside it."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from fakes.workspace import SyncedWorkspace, synced_workspace


@pytest.fixture
async def synced(tmp_path: Path) -> AsyncGenerator[SyncedWorkspace]:
    async with synced_workspace(tmp_path) as found:
        yield found
