"""A home with months of transcripts, and the application that imports them."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from fakes.api import Api, running_api
from fakes.past_history import PastHistory
from fakes.store_contents import Contents, contents
from intaglio.history_import.runner import ImportRunner
from intaglio.history_import.service import HistoryImports
from intaglio.history_import.values import ImportOrder, ImportProgress


@dataclass(frozen=True, slots=True)
class Imports:
    """Runs imports of one application."""

    api: Api

    @property
    def service(self) -> HistoryImports:
        return self.api.kernel.get(HistoryImports)

    async def run(self, order: ImportOrder | None = None) -> ImportProgress:
        """Start an import, or go on with the one that isn't finished, and run it to its end."""
        if await self.service.running() is None:
            await self.service.start(order or ImportOrder())
        record = await self.service.running()
        assert record is not None
        await self.api.kernel.get(ImportRunner).run_one(record)
        return await self.service.get(record.id)

    async def run_for(self, commits: int) -> None:
        """Start an import, or go on with one, and stop it after so many commits, like a kill."""
        if await self.service.running() is None:
            await self.service.start(ImportOrder())
        task = asyncio.ensure_future(self.run())
        db = self.api.kernel.database
        until = db.generation + commits
        while db.generation < until and not task.done():  # noqa: ASYNC110 - no event says it
            await asyncio.sleep(0)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    async def take_back(self, done: ImportProgress) -> dict[str, Any]:
        """Take all back that came from an import; returns the removal."""
        given: dict[str, Any] = {"source": {"kind": "import", "id": done.record.id}}
        post = partial(self.api.client.post, "/api/sources/take-back", headers=self.api.owner)
        token = (await post(json=given)).json()["confirmToken"]
        reply = await post(json={**given, "mode": "execute", "confirmToken": token})
        assert reply.status_code == 200, reply.text
        removed: dict[str, Any] = reply.json()
        return removed

    def contents(self) -> Contents:
        """Return what the store says."""
        return contents(self.api.kernel.running.paths.database)


@asynccontextmanager
async def imports_in(store: Path) -> AsyncGenerator[Imports]:
    """Open an application whose store is in a folder."""
    async with running_api(store) as api:
        yield Imports(api)


def months(folder: Path, size: int = 300_000, seed: int = 1) -> PastHistory:
    """Write ten months of transcripts into the home of the test."""
    history = PastHistory(Path.home(), folder, seed=seed, per_prompt=3_000)
    history.write(size)
    history.codex(datetime(2026, 6, 1, tzinfo=UTC), prompts=6)
    return history
