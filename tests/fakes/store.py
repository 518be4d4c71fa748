"""A real database in a temporary folder, with a clock that moves when told and ids in order."""

import asyncio
import itertools
import tempfile
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Final

from intaglio.base.clock import Clock
from intaglio.base.events import BusEvent
from intaglio.base.ids import NewId
from intaglio.base.settings.values import Settings
from intaglio.daemon.packages import PACKAGES
from intaglio.graph.settings import GraphSettings
from intaglio.lifecycle.removal import RemovalService
from intaglio.memory.operations import ChangeContext
from intaglio.pipeline.ingest import Ingest
from intaglio.pipeline.modify import Modify
from intaglio.recall.query import Recall
from intaglio.recall.settings import SearchSettings
from intaglio.store import migrations
from intaglio.store.connection import open_writer
from intaglio.store.database import Database
from intaglio.store.tx import Protect, WriteTx, unprotected
from intaglio.store.values import DatabaseOptions


@dataclass
class MovableClock:
    """A clock that stands still until it is moved."""

    moment: datetime = datetime(2026, 1, 31, 8, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.moment

    def forward(self, **duration: float) -> None:
        self.moment += timedelta(**duration)


@cache
def _migrated() -> bytes:
    """Migrate an empty database and return its file; once for each worker."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "empty.db"
        connection = open_writer(file)
        tx = WriteTx(connection)
        for step in migrations.pending(tx, PACKAGES.schema):
            migrations.apply(tx, step, MovableClock())
        connection.close()
        return file.read_bytes()


def lay_down(file: Path) -> None:
    """Put an empty, migrated database there if there is no file.

    Migrating one anew takes as long as opening and closing it.
    """
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_migrated())


def _ids() -> Iterator[str]:
    return (f"00000000-0000-7000-8000-{number:012d}" for number in itertools.count(1))


_UNLINKED: Final = Settings().having(GraphSettings(enabled=False))


def change_context(clock: Clock, new_id: NewId) -> ChangeContext:
    """Return a context with the steps of all packages, in which memories aren't linked."""
    return ChangeContext(clock, new_id, PACKAGES.memory_steps, lambda: _UNLINKED)


@dataclass
class Bench:
    """The rooms up to recall over one database."""

    db: Database
    clock: MovableClock
    context: ChangeContext
    events: list[BusEvent]
    frozen: bool = False
    search: SearchSettings = field(default_factory=SearchSettings)

    @property
    def ingest(self) -> Ingest:
        return Ingest(self.db, self.context, lambda: self.frozen, asyncio.to_thread)

    @property
    def revise(self) -> Modify:
        return Modify(self.db, self.context, lambda: self.frozen)

    @property
    def remove(self) -> RemovalService:
        return RemovalService(
            self.db,
            self.context,
            lambda: self.frozen,
            lambda: timedelta(days=30),
            self.recall.recall,
        )

    @property
    def recall(self) -> Recall:
        return Recall(self.db, lambda: self.search)


@asynccontextmanager
async def bench(folder: Path, protect: Protect = unprotected) -> AsyncGenerator[Bench]:
    """Open a database in the folder and the rooms over it."""
    clock, events, ids = MovableClock(), list[BusEvent](), _ids()
    lay_down(folder / "intaglio.db")
    db = Database(
        DatabaseOptions(folder / "intaglio.db", folder / "backups", PACKAGES.schema, readers=2),
        clock,
        events.append,
        protect,
    )
    await db.open()
    try:
        yield Bench(db, clock, change_context(clock, lambda: next(ids)), events)
    finally:
        await db.close()
