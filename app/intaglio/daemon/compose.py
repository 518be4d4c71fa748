"""The only place where the daemon's parts are put together."""

import asyncio
import os
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from intaglio import __version__
from intaglio.api.app import make_app
from intaglio.api.claims import Claims
from intaglio.api.gate.edge import AsgiApp
from intaglio.api.gate.sign_in import SignIn
from intaglio.api.measure import Meter
from intaglio.api.services import MeaningServices, Running, Services
from intaglio.api.stream import Streams
from intaglio.base.bus import EventBus
from intaglio.base.clock import monotonic_s, system_clock
from intaglio.base.ids import uuid7_source
from intaglio.base.install import Install
from intaglio.base.log import get_logger
from intaglio.base.paths import Paths, built
from intaglio.connect.claude_code import connected_folders
from intaglio.daemon.later import Later
from intaglio.daemon.meaning import MeaningParts, build_meaning
from intaglio.daemon.settings_watch import LiveSettings
from intaglio.harness.dispatch import Dispatch
from intaglio.harness.transcript import transcript_roots
from intaglio.memory.verbs import Stamp
from intaglio.pipeline.ingest import Ingest
from intaglio.pipeline.revise import Revise
from intaglio.projects.resolver import resolve_project
from intaglio.recall.query import Recall
from intaglio.recall.similar import Similar
from intaglio.recall.use import UseCounts
from intaglio.sessions.end import Ends
from intaglio.sessions.pauses.pause import Pauses
from intaglio.sessions.prompt import Prompts
from intaglio.sessions.start import Starts
from intaglio.sessions.values import Needs
from intaglio.store.database import Database, DatabaseOptions


@dataclass(frozen=True, slots=True)
class Parts:
    """What the daemon's life needs to hold: the application and all that is opened and closed."""

    app: AsgiApp
    services: Services
    settings: LiveSettings
    database: Database
    stopping: asyncio.Event
    later: Later
    meaning: MeaningParts | None
    use: UseCounts


def compose(paths: Paths, install: Install, port: int) -> Parts:
    """Build every part; nothing is opened or started yet."""
    bus = EventBus()
    settings = LiveSettings(paths.settings, bus.publish)
    options = DatabaseOptions(
        paths.database, paths.backups, readers=settings.current().daemon.readers
    )
    database = Database(options, system_clock, bus.publish)
    stopping = asyncio.Event()
    new_id = uuid7_source(system_clock)
    stamp = Stamp(system_clock, new_id)
    later = Later()
    ingest = Ingest(database, stamp, lambda: settings.current().memory.frozen)
    parts = build_meaning(settings.current().embedding, paths.model, database, stamp)
    use = UseCounts(database, system_clock)
    recall = Recall(
        database,
        lambda: settings.current().search,
        meaning=parts.meaning if parts else None,
        answered=use.note,
    )
    needs = Needs(
        db=database,
        clock=system_clock,
        settings=settings.current,
        remember=ingest.remember,
        recall=recall.recall,
        project_key=_project_key,
        later=later.take,
        settled=lambda: later.finish(0.1),
        local=datetime.astimezone,
        seconds=monotonic_s,
    )
    dispatch = Dispatch(
        starts=Starts(needs),
        prompts=Prompts(needs),
        ends=Ends(needs),
        roots=lambda: transcript_roots(Path.home(), os.environ, connected_folders(paths)),
        spool=paths.spool,
        log=get_logger("harness"),
    )
    services = Services(
        running=Running(
            paths=paths,
            install=install,
            port=port,
            pid=os.getpid(),
            version=__version__,
            started_at=system_clock(),
            stop=stopping.set,
            stopping=stopping,
            ui=built("ui"),
        ),
        clock=system_clock,
        new_id=new_id,
        bus=bus,
        database=database,
        ingest=ingest,
        revise=Revise(
            database,
            stamp,
            lambda: settings.current().memory.frozen,
            lambda: timedelta(days=settings.current().memory.tombstone_days),
        ),
        recall=recall,
        meaning=_shown(parts, database) if parts else None,
        dispatch=dispatch,
        pauses=Pauses(database, system_clock, new_id, datetime.astimezone),
        claims=Claims(monotonic_s),
        project_key=_project_key,
        sign_in=SignIn(install, system_clock, monotonic_s),
        streams=Streams(bus, stopping),
        meter=Meter(paths.workspace, monotonic_s),
        settings=settings.current,
        setting_problems=settings.problems,
    )
    return Parts(make_app(services), services, settings, database, stopping, later, parts, use)


def _shown(parts: MeaningParts, database: Database) -> MeaningServices:
    vectors = parts.meaning.vectors
    return MeaningServices(parts.embed, vectors, Similar(database, vectors))


async def _project_key(project: str | None) -> str | None:
    if not project:
        return None
    found = await asyncio.to_thread(resolve_project, project)
    return found.key if found else None
