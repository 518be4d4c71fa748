"""The kernel: the services that every package receives, to which each adds its own."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final, Protocol, TypeVar, cast

from intaglio.base.background_tasks import BackgroundTasks
from intaglio.base.bus import EventBus
from intaglio.base.clock import Clock
from intaglio.base.ids import NewId
from intaglio.base.installation import Installation
from intaglio.base.metrics.metrics import Metrics
from intaglio.base.paths import Paths
from intaglio.base.settings.reading import SettingProblem
from intaglio.base.settings.values import Settings
from intaglio.memory.decay import Aging
from intaglio.memory.operations import ChangeContext
from intaglio.memory.settings import MemorySettings
from intaglio.store.database import Database

T = TypeVar("T")

_SETTLE_WITHIN_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class DaemonProcess:
    """The running daemon process: its directories, port, start time, and how to stop it."""

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
        """Return the key of the project that a directory or a name refers to, or None.

        Raises AmbiguousProjectError for a name that several known projects have.
        """
        ...

    async def session_key(self, text: str | None) -> str | None:
        """Return the key for a session; an ambiguous name is used as it is."""
        ...

    async def aliases(self, key: str | None) -> tuple[str, ...]:
        """Return the other names that a project has memories under."""
        ...

    async def archived(self) -> tuple[str, ...]:
        """Return the keys of the archived projects."""
        ...

    async def merged(self) -> Mapping[str, str]:
        """Map each name that has memories to the directory of its project."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """What every part may use; ``settings`` returns the current settings.

    ``session_writes`` runs the background writes of sessions, which prompts wait for briefly;
    ``background`` runs longer work such as loading a model or a sweep. ``projects`` finds the
    project that a directory or a name refers to. ``metrics`` count and time what the daemon does.
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
    metrics: Metrics
    session_writes: BackgroundTasks = field(default_factory=BackgroundTasks)
    background: BackgroundTasks = field(default_factory=BackgroundTasks)
    _services: dict[type, object] = field(default_factory=dict[type, object])

    def get(self, kind: type[T]) -> T:
        """Return the service of this type; raises LookupError if no part has provided it yet."""
        if kind not in self._services:
            raise LookupError(f"no part provides {kind.__qualname__}")
        return cast("T", self._services[kind])

    def provide(self, services: Iterable[object]) -> None:
        """Register services by type; raises ValueError for a second one of the same type."""
        for service in services:
            if type(service) in self._services:
                raise ValueError(f"two parts provide {type(service).__qualname__}")
            self._services[type(service)] = service

    @property
    def aging(self) -> Aging:
        """How memories decay, as of now."""
        return Aging(self.settings().of(MemorySettings).decay_rate, self.clock())

    def frozen(self) -> bool:
        """Whether changes of memories are disabled."""
        return self.settings().of(MemorySettings).frozen

    async def settled(self) -> None:
        """Wait briefly for the background writes of sessions."""
        await self.session_writes.finish(_SETTLE_WITHIN_S)
