"""The kernel that every package receives, and the `Part` that it contributes to the daemon.

A package's `part.py` exports ``part(kernel) -> Part``; `daemon/composition.py` lists the parts in
build order. A part looks up the services of earlier parts by type.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final, Protocol, TypeVar, cast

from intaglio.base.background_tasks import BackgroundTasks
from intaglio.base.bus import EventBus
from intaglio.base.clock import Clock
from intaglio.base.ids import NewId
from intaglio.base.installation import Installation
from intaglio.base.paths import Paths
from intaglio.base.settings.schema import SettingProblem, Settings
from intaglio.jobs.job_type import JobType
from intaglio.memory.decay import Aging
from intaglio.memory.operations import ChangeContext
from intaglio.store.database import Database

T = TypeVar("T")

_SETTLE_WITHIN_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class DaemonProcess:
    """This process: its directories, port and start, and how it is asked to stop."""

    paths: Paths
    install: Installation
    port: int
    pid: int
    version: str
    started_at: datetime
    stop: Callable[[], None]
    stopping: asyncio.Event
    ui: Path


class Projects(Protocol):
    """Finds projects among those that have memories."""

    async def key(self, text: str | None) -> str | None:
        """Return the key of the project that a directory or a name means; None for nothing.

        Raises AmbiguousProjectError for a name that several known projects have.
        """
        ...

    async def session_key(self, text: str | None) -> str | None:
        """Return the same for a session, which isn't refused: an ambiguous name is only a name."""
        ...

    async def aliases(self, key: str | None) -> tuple[str, ...]:
        """Return the names under which memories of a project were kept beside its key."""
        ...

    async def merged(self) -> Mapping[str, str]:
        """Return, for each name with memories of its own, the directory whose project it is."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """What every part may use; ``settings`` gives the settings of this moment.

    ``session_writes`` takes what sessions write unawaited, and prompts wait a moment for that;
    ``background`` takes what may last: a model that loads, a sweep. ``projects``
    finds the project that a directory or a name means.
    """

    running: DaemonProcess
    clock: Clock
    monotonic_s: Callable[[], float]
    local: Callable[[datetime], datetime]
    new_id: NewId
    change_context: ChangeContext
    bus: EventBus
    database: Database
    settings: Callable[[], Settings]
    setting_problems: Callable[[], tuple[SettingProblem, ...]]
    projects: Projects
    session_writes: BackgroundTasks = field(default_factory=BackgroundTasks)
    background: BackgroundTasks = field(default_factory=BackgroundTasks)
    _services: dict[type, object] = field(default_factory=dict[type, object])

    def get(self, kind: type[T]) -> T:
        """Return the service of this type; raises LookupError where no part built so far has it."""
        if kind not in self._services:
            raise LookupError(f"no part provides {kind.__qualname__}")
        return cast("T", self._services[kind])

    def provide(self, services: Iterable[object]) -> None:
        """Make services known by their types; raises ValueError for a second one of a type."""
        for service in services:
            if type(service) in self._services:
                raise ValueError(f"two parts provide {type(service).__qualname__}")
            self._services[type(service)] = service

    @property
    def aging(self) -> Aging:
        """How memories fade, seen from now."""
        return Aging(self.settings().memory.decay_rate, self.clock())

    def frozen(self) -> bool:
        """Tell whether changes of memories are switched off."""
        return self.settings().memory.frozen

    async def settled(self) -> None:
        """Wait a moment for what sessions write unawaited."""
        await self.session_writes.finish(_SETTLE_WITHIN_S)


def _always(_: Settings) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Loop:
    """Work that goes on as long as the daemon runs; restarted a minute after it fails or ends.

    ``when`` tells whether the settings want it: it starts and stops as they change.
    """

    name: str
    run: Callable[[], Awaitable[None]]
    when: Callable[[Settings], bool] = _always


@dataclass(frozen=True, slots=True)
class PartHealth:
    """How a part is, in one line that a person can read."""

    healthy: bool
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What a package adds to the daemon.

    ``services`` are found by their types, ``controllers`` answer HTTP, ``loops`` run in the
    background, and the daemon's worker does the jobs of ``job_types``. ``prepare`` runs in a thread
    before the database is opened; ``ping`` says how the part is; ``close`` is awaited at the end,
    while the database is still open.
    """

    name: str
    services: tuple[object, ...] = ()
    controllers: tuple[type[object], ...] = ()
    loops: tuple[Loop, ...] = ()
    job_types: tuple[JobType, ...] = ()
    prepare: Callable[[], object] | None = None
    ping: Callable[[], Awaitable[PartHealth]] | None = None
    close: Callable[[], Awaitable[None]] | None = None


MakePart = Callable[[Kernel], Part]


def assemble(kernel: Kernel, makers: Iterable[MakePart]) -> tuple[Part, ...]:
    """Build the parts in their order; each sees the services of those before it.

    Raises ValueError where two parts, loops or services have one name or type.
    """
    parts: list[Part] = []
    for make in makers:
        part = make(kernel)
        kernel.provide(part.services)
        parts.append(part)
    _refuse_twice("parts", [part.name for part in parts])
    _refuse_twice("loops", [loop.name for part in parts for loop in part.loops])
    return tuple(parts)


def _refuse_twice(what: str, names: list[str]) -> None:
    again = sorted({name for name in names if names.count(name) > 1})
    if again:
        raise ValueError(f"two {what} are named {', '.join(again)}")
