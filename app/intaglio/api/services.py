"""What the controllers stand on, handed in by `daemon/compose.py`; nothing here is global."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeAlias

from litestar.di import NamedDependency
from litestar.params import SkipValidation

from intaglio.api.claims import Claims
from intaglio.api.gate.sign_in import SignIn
from intaglio.api.measure import Meter
from intaglio.api.stream import Streams
from intaglio.base.bus import EventBus
from intaglio.base.clock import Clock
from intaglio.base.ids import NewId
from intaglio.base.install import Install
from intaglio.base.paths import Paths
from intaglio.base.settings import SettingProblem, Settings
from intaglio.harness.dispatch import Dispatch
from intaglio.pipeline.embed import Embed
from intaglio.pipeline.ingest import Ingest
from intaglio.pipeline.revise import Revise
from intaglio.recall.query import Recall
from intaglio.recall.similar import Similar
from intaglio.sessions.pauses.pause import Pauses
from intaglio.store.database import Database
from intaglio.store.vectors import Vectors


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


@dataclass(frozen=True, slots=True)
class MeaningServices:
    """The leg of meaning as the API shows it; there is none where embedding is switched off."""

    embed: Embed
    vectors: Vectors
    similar: Similar


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that a controller may use; ``settings`` gives the settings of this moment."""

    running: Running
    clock: Clock
    new_id: NewId
    bus: EventBus
    database: Database
    ingest: Ingest
    revise: Revise
    recall: Recall
    meaning: MeaningServices | None
    dispatch: Dispatch
    pauses: Pauses
    claims: Claims
    project_key: Callable[[str | None], Awaitable[str | None]]
    sign_in: SignIn
    streams: Streams
    meter: Meter
    settings: Callable[[], Settings]
    setting_problems: Callable[[], tuple[SettingProblem, ...]]


Needs: TypeAlias = NamedDependency[SkipValidation[Services]]
"""A handler's way to the services."""
