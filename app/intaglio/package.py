"""What a package declares about itself, in the one `PACKAGE` of its `part.py`.

`daemon/packages.py` lists the packages; whatever concerns all of them is derived from that list,
without a running daemon: the schema, what happens to other packages' rows when a memory is
forgotten or erased, the retention sweep, and the tables of the documentation. With ``make``, a
package also adds services, loops and job types to the daemon, and looks up the services of earlier
packages by type.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from intaglio.base.errors import UnavailableError
from intaglio.base.log import get_logger
from intaglio.base.settings.values import Settings
from intaglio.domain.health import Checked, HealthCheck
from intaglio.domain.issues import Issue
from intaglio.domain.repair import Repair
from intaglio.inbox.kinds import InboxKind, InboxKinds
from intaglio.jobs.job_type import JobType
from intaglio.kernel import Kernel
from intaglio.memory.operations import Listener, MemoryStep, MemorySteps
from intaglio.models.stages import Stage
from intaglio.store.database import Database
from intaglio.store.migrations import Migration
from intaglio.store.tx import ReadTx, Row, WriteTx
from intaglio.store.values import Ready

T = TypeVar("T")


def _always(_: Settings) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Loop:
    """Work that runs as long as the daemon; restarted a minute after it fails or returns.

    ``when`` decides from the settings whether it runs: it starts and stops as they change.
    """

    name: str
    run: Callable[[], Awaitable[None]]
    when: Callable[[Settings], bool] = _always

    @classmethod
    def repeating(
        cls,
        name: str,
        db: Database,
        work: Callable[[], Awaitable[object]],
        every_s: float,
        *,
        first_s: float | None = None,
        when: Callable[[Settings], bool] = _always,
    ) -> "Loop":
        """Return a loop that works every so often, as long as the database is ready.

        Not at once, but after ``first_s`` (default: ``every_s``): startup belongs to new sessions.
        """

        async def run() -> None:
            wait_s = every_s if first_s is None else first_s
            while True:
                await asyncio.sleep(wait_s)
                wait_s = every_s
                if isinstance(db.state, Ready):
                    try:
                        await work()
                    except UnavailableError as error:
                        get_logger("loops").info("postponed", loop=name, reason=error.detail)

        return cls(name, run, when)


Judge: TypeAlias = Callable[[T], Checked]
"""Judges what was read; pure."""


def finding(
    find: Callable[[], Awaitable[Iterable[Issue]]],
) -> Callable[[], Awaitable[Checked]]:
    """Return the ``run`` of a check that only finds issues."""

    async def run() -> Checked:
        return Checked(issues=tuple(await find()))

    return run


def of_snapshot(
    db: Database, read: Callable[[ReadTx], T], judge: Judge[T]
) -> Callable[[], Awaitable[Checked]]:
    """Return the ``run`` of a check that judges what it reads in one snapshot."""

    async def run() -> Checked:
        return judge(await db.read(read))

    return run


_Stamp: TypeAlias = tuple[tuple[int, int] | None, ...]
# Times of files are coarse: one that was written just before may be written again unseen.
_SETTLED_NS: Final = 1_000_000_000


def while_changing(
    file: Path, run: Callable[[], Awaitable[Checked]]
) -> Callable[[], Awaitable[Checked]]:
    """Return the ``run`` of a check that reads all of the database again only if it was written.

    ``file`` is the database's. Whoever wrote it, its log tells.
    """
    files = (file, file.with_name(f"{file.name}-wal"))
    last: list[tuple[_Stamp, Checked]] = []

    async def run_if_written() -> Checked:
        stamp = await asyncio.to_thread(_stamp_of, files)
        if last and last[0][0] == stamp:
            return last[0][1]
        result = await run()
        newest = max((each[0] for each in stamp if each is not None), default=0)
        last[:] = [(stamp, result)] if time.time_ns() - newest > _SETTLED_NS else []
        return result

    return run_if_written


def _stamp_of(files: Iterable[Path]) -> _Stamp:
    found = (each.stat() if each.exists() else None for each in files)
    return tuple((each.st_mtime_ns, each.st_size) if each else None for each in found)


@dataclass(frozen=True, slots=True)
class PackageChecks:
    """The health checks of all packages."""

    all: tuple[HealthCheck, ...]


@dataclass(frozen=True, slots=True)
class PackageRepairs:
    """The repairs of all packages."""

    all: tuple[Repair, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What a package adds to the running daemon.

    ``services`` are looked up by type, ``loops`` run in the background, and the daemon's worker
    runs the jobs of ``job_types``; ``stages`` are those that ask a language model. ``prepare`` runs
    in a thread before the database is opened; ``checks`` say what is wrong, and ``repairs`` put it
    right on request; ``close`` is awaited at shutdown, while the database is still open.
    """

    services: tuple[object, ...] = ()
    loops: tuple[Loop, ...] = ()
    job_types: tuple[JobType, ...] = ()
    stages: tuple[Stage, ...] = ()
    checks: tuple[HealthCheck, ...] = ()
    repairs: tuple[Repair, ...] = ()
    prepare: Callable[[], object] | None = None
    close: Callable[[], Awaitable[None]] | None = None


FindExpired: TypeAlias = Callable[[ReadTx, str, str, int], Sequence[Row]]
"""Lists the keys of rows older than a time, at most a limit: ``(tx, before, now, limit)``."""

PurgeExpired: TypeAlias = Callable[[WriteTx, Sequence[Row], str, str], int]
"""Deletes those rows that are still older than the time; returns how many."""


@dataclass(frozen=True, slots=True)
class SweepStep:
    """A kind of rows to purge: how they are found and deleted, and their retention period.

    ``days`` 0 keeps them forever. Without ``has_period`` they go together with other rows, such as
    those of a forgotten memory, and the status doesn't show their period. ``at_once`` rows are
    deleted by one statement.
    """

    name: str
    days: Callable[[Settings], int]
    find: FindExpired
    purge: PurgeExpired
    has_period: bool = True
    at_once: int = 20


DerivedStep: TypeAlias = Callable[["Packages"], SweepStep]
"""Makes a step that depends on what other packages declare."""


def singly(purge: Callable[[WriteTx, Row, str, str], int]) -> PurgeExpired:
    """Delete rows one by one; for kinds of which there are few."""

    def purge_all(tx: WriteTx, keys: Sequence[Row], before: str, now: str) -> int:
        return sum(purge(tx, key, before, now) for key in keys)

    return purge_all


@dataclass(frozen=True, slots=True)
class KeptData:
    """A row of the storage page: how long data is kept, what deletes it, and by which settings.

    ``data`` names its tables in backquotes.
    """

    data: str
    period: str
    deleted_by: str = ""
    settings: tuple[str, ...] = ()


def _no_part(_: Kernel) -> Part:
    return Part()


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A package's declaration.

    ``tables`` maps each table that the package owns, and alone writes, to what it holds;
    ``migrations`` create and change them. The steps run in the transaction that changes a memory:
    ``memory_listeners`` for every change, the others with the id of a memory that is forgotten,
    restored or erased. ``retention`` lists the steps of the sweep, rows that refer to others first;
    ``kept`` documents how long everything is kept. ``inbox_kinds`` are the kinds of inbox items
    that the package adds. ``make`` builds the package's part of the daemon; nothing is started.
    """

    name: str
    tables: Mapping[str, str] = field(default_factory=dict[str, str])
    migrations: tuple[Migration, ...] = ()
    memory_listeners: tuple[Listener, ...] = ()
    on_forget: tuple[MemoryStep, ...] = ()
    on_restore: tuple[MemoryStep, ...] = ()
    on_erase: tuple[MemoryStep, ...] = ()
    retention: tuple[SweepStep | DerivedStep, ...] = ()
    kept: tuple[KeptData, ...] = ()
    inbox_kinds: tuple[InboxKind, ...] = ()
    make: Callable[[Kernel], Part] = _no_part


def _number(migration: Migration) -> int:
    return migration.number


def _refuse_duplicates(what: str, names: Sequence[str]) -> None:
    duplicates = sorted({name for name in names if names.count(name) > 1})
    if duplicates:
        raise ValueError(f"two {what} are named {', '.join(duplicates)}")


@dataclass(frozen=True, slots=True)
class Packages:
    """All packages in order, and what is derived from their declarations.

    Parts are built, and steps run, in this order.
    """

    all: tuple[Package, ...]

    @property
    def memory_steps(self) -> MemorySteps:
        """What the packages do in the transaction of a memory's change."""
        return MemorySteps(
            listeners=tuple(each for one in self.all for each in one.memory_listeners),
            on_forget=tuple(each for one in self.all for each in one.on_forget),
            on_restore=tuple(each for one in self.all for each in one.on_restore),
            on_erase=tuple(each for one in self.all for each in one.on_erase),
        )

    @property
    def schema(self) -> tuple[Migration, ...]:
        """All migrations by number; raises ValueError if these aren't 1, 2, 3 and so on."""
        found = sorted((step for one in self.all for step in one.migrations), key=_number)
        numbers = [step.number for step in found]
        if numbers != list(range(1, len(found) + 1)):
            raise ValueError(f"the migrations are numbered {numbers}")
        return tuple(found)

    @property
    def retention(self) -> tuple[SweepStep, ...]:
        """The steps of the retention sweep."""
        steps = (step for one in self.all for step in one.retention)
        return tuple(step if isinstance(step, SweepStep) else step(self) for step in steps)

    @property
    def inbox_kinds(self) -> InboxKinds:
        """The kinds of inbox items."""
        return InboxKinds(kind for one in self.all for kind in one.inbox_kinds)

    def assemble(self, kernel: Kernel) -> dict[str, Part]:
        """Build the parts, by package; each can use the services of the earlier ones.

        Raises ValueError if two packages, loops, checks, repairs or services are named the same.
        """
        kernel.provide((self, self.inbox_kinds))
        parts: dict[str, Part] = {}
        for package in self.all:
            if package.name in parts:
                raise ValueError(f"two packages are named {package.name}")
            part = parts[package.name] = package.make(kernel)
            kernel.provide(part.services)
        loops = [loop.name for part in parts.values() for loop in part.loops]
        checks = tuple(check for part in parts.values() for check in part.checks)
        _refuse_duplicates("loops", loops)
        repairs = tuple(repair for part in parts.values() for repair in part.repairs)
        _refuse_duplicates("checks", [check.name for check in checks])
        _refuse_duplicates("repairs", [repair.action for repair in repairs])
        kernel.provide((PackageChecks(checks), PackageRepairs(repairs)))
        return parts
