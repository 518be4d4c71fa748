"""The retention purge over a real database, with windows and a clock that tests move."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from fakes.store import Bench, MovableClock
from intaglio.base.clock import iso
from intaglio.base.settings.values import Settings
from intaglio.daemon.packages import PACKAGES
from intaglio.lifecycle.sweep import RetentionSweep
from intaglio.lifecycle.sweep_values import SweepReport
from intaglio.memory import operations
from intaglio.memory.operations import Audit
from intaglio.memory.settings import MemorySettings
from intaglio.memory.values import Actor, RecoverOutcome, Source
from intaglio.package import SweepStep
from intaglio.pipeline.ingest import Remember, RememberOutcome, Saved
from intaglio.store.settings import RetentionSettings
from intaglio.store.tx import Row, Sql


async def _no_pause(_: float) -> None:
    return None


@dataclass
class Broom:
    """A sweep and shortcuts; ``steps`` may be replaced, and time moved by ``bench.clock``."""

    bench: Bench
    settings: Settings = field(default_factory=Settings)
    steps: tuple[SweepStep, ...] = PACKAGES.retention
    aside: list[datetime] = field(default_factory=list[datetime])
    seconds: Callable[[], float] = lambda: 0.0
    suspended: Callable[[], str] = lambda: ""

    def keep(self, **windows: int) -> None:
        """Set windows and limits by their names."""
        self.settings = self.settings.having(RetentionSettings(**windows))

    def freeze(self) -> None:
        """Switch writes off, as the user's kill switch does."""
        self.settings = self.settings.having(replace(self.settings.of(MemorySettings), frozen=True))

    async def _set_aside(self, before: datetime) -> int:
        self.aside.append(before)
        return 0

    @property
    def retention(self) -> RetentionSweep:
        return RetentionSweep(
            db=self.bench.db,
            settings=lambda: self.settings,
            clock=self.bench.clock,
            seconds=self.seconds,
            pause=_no_pause,
            set_aside=self._set_aside,
            steps=self.steps,
            suspended=self.suspended,
        )

    async def sweep(self) -> SweepReport:
        report = await self.retention.sweep("asked")
        assert isinstance(report, SweepReport)
        return report

    async def capture(
        self, content: str, message: str, project: str | None = None, *, again: bool = False
    ) -> RememberOutcome:
        """Remember as the reading of a transcript does: said at the first moment, or said again."""
        said = self.bench.clock() if again else MovableClock().moment
        command = Remember(
            content=content,
            actor=Actor("claude-code", "harness"),
            project=project,
            source=Source("claude-code", message),
            created_at=iso(said),
            revive=False,
        )
        return await self.bench.ingest.remember(command)

    async def remember(self, content: str) -> str:
        kept = await self.bench.ingest.remember(Remember(content=content, actor=Actor("test")))
        assert isinstance(kept, Saved)
        return kept.id

    async def forget(self, memory_id: str) -> None:
        why = Audit(Actor("test"), "no longer true")
        await self.bench.db.write(
            lambda tx: operations.forget(tx, memory_id, why, self.bench.context)
        )

    async def recover(self, memory_id: str) -> RecoverOutcome:
        why, window = Audit(Actor("test"), "true after all"), timedelta(days=30)
        return await self.bench.db.write(
            lambda tx: operations.recover(tx, memory_id, why, self.bench.context, window)
        )

    async def forgotten(self, content: str) -> str:
        memory_id = await self.remember(content)
        await self.forget(memory_id)
        return memory_id

    async def rows(self, sql: str, params: tuple[Sql, ...] = ()) -> list[Row]:
        return await self.bench.db.read(lambda tx: tx.all(sql, params))

    async def count(self, table: str) -> int:
        (row,) = await self.rows(f"SELECT count(*) FROM {table}")  # noqa: S608 - a test's own table
        return int(str(row[0]))

    async def execute(self, sql: str, params: tuple[Sql, ...] = ()) -> int:
        return await self.bench.db.write(lambda tx: tx.execute(sql, params))

    async def in_agreement(self) -> bool:
        """Say whether index, vectors and rows agree, by SQLite's own checks."""
        check = "INSERT INTO memories_fts(memories_fts, rank) VALUES ('integrity-check', 1)"
        await self.execute(check)
        return (await self.rows("PRAGMA integrity_check")) == [("ok",)]


def removed(report: SweepReport) -> dict[str, int]:
    """Return what a sweep purged, by step."""
    return {step.name: step.removed for step in report.steps if step.removed}
