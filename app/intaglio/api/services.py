"""What the controllers stand on, handed in by `daemon/compose.py`; nothing here is global."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from intaglio.access.limits import RateLimiter
from intaglio.api.claims import Claims
from intaglio.api.gate.sign_in import SignIn
from intaglio.api.measure import Meter
from intaglio.api.stream import Streams
from intaglio.base.agent_yaml.roster import Roster
from intaglio.base.agents.reader import Reader
from intaglio.base.bus import EventBus
from intaglio.base.clock import Clock
from intaglio.base.ids import NewId
from intaglio.base.install import Install
from intaglio.base.paths import Paths
from intaglio.base.settings.values import SettingProblem, Settings
from intaglio.harness.dispatch import Dispatch
from intaglio.lifecycle.external_copies import ExternalCopies
from intaglio.lifecycle.remove import Remove
from intaglio.lifecycle.sweep import Retention
from intaglio.memory.decay import Aging
from intaglio.memory.facet_index.index import FacetIndex
from intaglio.pipeline.embed import Embed
from intaglio.pipeline.ingest import Ingest
from intaglio.pipeline.pace import Pace
from intaglio.pipeline.revise import Revise
from intaglio.pipeline.vectors.export import Export
from intaglio.pipeline.vectors.health import HealthChecks
from intaglio.pipeline.vectors.provider import ProviderCheck
from intaglio.pipeline.vectors.repair import Repairs
from intaglio.pipeline.vectors.sets import Sets
from intaglio.pipeline.vectors.tracker import Tracker
from intaglio.recall.query import Recall
from intaglio.recall.similar import Similar
from intaglio.sessions.feedback import Feedback
from intaglio.sessions.pauses.pause import Pauses
from intaglio.store.database import Database
from intaglio.store.vectors.index import Vectors


@dataclass(frozen=True, slots=True)
class Running:
    """This process as it stands: place, port, start, and how it is asked to end."""

    paths: Paths
    install: Install
    port: int
    pid: int
    version: str
    started_at: datetime
    stop: Callable[[], None]
    stopping: asyncio.Event
    ui: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class MeaningServices:
    """The leg of meaning as the API shows it; ``recheck`` looks anew at a model that failed."""

    embed: Embed
    vectors: Vectors
    similar: Similar
    sets: Sets
    tracker: Tracker
    pace: Pace
    provider: ProviderCheck
    health: HealthChecks
    export: Export
    repairs: Repairs
    recheck: Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class AgentServices:
    """What an agent may read at this moment, the declared roster, and a note that one asked."""

    reader: Callable[[str], Awaitable[Reader]]
    roster: Callable[[], Roster]
    note: Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that a controller may use; ``settings`` gives the settings of this moment.

    ``words`` is recall without the leg of meaning; ``later`` keeps work alive that nobody waits
    for; ``settled`` waits a moment for what sessions write unawaited.
    """

    running: Running
    clock: Clock
    new_id: NewId
    bus: EventBus
    database: Database
    ingest: Ingest
    revise: Revise
    remove: Remove
    outside: ExternalCopies
    feedback: Feedback
    recall: Recall
    words: Recall
    tally: FacetIndex
    meaning: MeaningServices
    agents: AgentServices
    retention: Retention
    later: Callable[[Awaitable[None]], None]
    settled: Callable[[], Awaitable[None]]
    dispatch: Dispatch
    pauses: Pauses
    claims: Claims
    project_key: Callable[[str | None], Awaitable[str | None]]
    sign_in: SignIn
    limiter: RateLimiter
    streams: Streams
    meter: Meter
    settings: Callable[[], Settings]
    setting_problems: Callable[[], tuple[SettingProblem, ...]]

    @property
    def aging(self) -> Aging:
        """How memories fade, seen from now."""
        return Aging(self.settings().memory.decay_rate, self.clock())


Needs: TypeAlias = NamedDependency[SkipValidation[Services]]
"""A handler's way to the services."""
