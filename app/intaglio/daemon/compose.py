"""The only place where the daemon's parts are put together."""

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from intaglio import __version__
from intaglio.access.limits import RateLimiter
from intaglio.agents.seen import Seen
from intaglio.api.app import make_app
from intaglio.api.claims import Claims
from intaglio.api.gate.edge import AsgiApp
from intaglio.api.gate.sign_in import SignIn
from intaglio.api.measure import Meter
from intaglio.api.services import AgentServices, MeaningServices, Running, Services
from intaglio.api.stream import Streams
from intaglio.base.bus import EventBus
from intaglio.base.clock import monotonic_s, system_clock
from intaglio.base.ids import uuid7_source
from intaglio.base.install import Install
from intaglio.base.log import get_logger
from intaglio.base.paths import Paths, built
from intaglio.base.settings.values import Settings
from intaglio.connect.plans import connected_folders
from intaglio.daemon.agents import LiveAgents
from intaglio.daemon.later import Later
from intaglio.daemon.meaning import MeaningParts, build_meaning
from intaglio.daemon.retention import build_retention
from intaglio.daemon.settings_watch import LiveSettings
from intaglio.harness.dispatch import Dispatch
from intaglio.harness.registry import harness_names, harnesses
from intaglio.lifecycle.outside import Outside
from intaglio.lifecycle.remove import Remove
from intaglio.memory.tally.tally import Tally
from intaglio.memory.verbs import Stamp
from intaglio.pipeline.at_once import AtOnce
from intaglio.pipeline.ingest import Ingest
from intaglio.pipeline.revise import Revise
from intaglio.pipeline.vectors.export import Export
from intaglio.pipeline.vectors.health import HealthChecks
from intaglio.pipeline.vectors.provider import ProviderCheck
from intaglio.pipeline.vectors.repair import Gate, Repairs
from intaglio.projects.resolver import resolve_project
from intaglio.recall.query import Recall
from intaglio.recall.similar import Similar
from intaglio.recall.use import UseCounts
from intaglio.sessions.end import Ends
from intaglio.sessions.feedback.rate import Feedback
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
    aside: Later
    meaning: MeaningParts
    use: UseCounts
    agents: LiveAgents


def compose(paths: Paths, install: Install, port: int) -> Parts:
    """Build every part; nothing is opened or started yet."""
    bus = EventBus()
    settings = LiveSettings(paths.settings, bus.publish, harness_names())
    options = DatabaseOptions(
        paths.database, paths.backups, readers=settings.current().daemon.readers
    )
    database = Database(options, system_clock, bus.publish)
    stopping = asyncio.Event()
    new_id = uuid7_source(system_clock)
    stamp = Stamp(system_clock, new_id)
    # The one takes what sessions write, and prompts wait a moment for that; the other takes what
    # may last: a model that loads or is asked, a sweep.
    later, aside = Later(), Later()
    agents = LiveAgents(
        database, lambda: settings.current().roster, system_clock, Seen(system_clock)
    )

    def frozen() -> bool:
        return settings.current().memory.frozen

    ingest = Ingest(database, stamp, frozen, heard=agents.seen.note)
    parts = build_meaning(settings.current, paths.model, database, stamp)
    use = UseCounts(database, system_clock)
    recall = Recall(database, lambda: settings.current().search, parts.meaning, use.note)
    needs = Needs(
        db=database,
        clock=system_clock,
        settings=settings.current,
        remember=ingest.remember,
        recall=recall.recall,
        project_key=_project_key,
        readable=agents.heard,
        later=later.take,
        settled=lambda: later.finish(0.1),
        local=datetime.astimezone,
        seconds=monotonic_s,
        warm=lambda: aside.take(parts.warm()),
    )
    services = Services(
        running=_running(paths, install, port, stopping),
        clock=system_clock,
        new_id=new_id,
        bus=bus,
        database=database,
        ingest=ingest,
        revise=Revise(database, stamp, frozen, AtOnce(parts.embed)),
        remove=Remove(database, stamp, frozen, lambda: _retention(settings), recall.recall),
        outside=Outside(database, paths.workspace),
        feedback=Feedback(database, stamp, frozen),
        recall=recall,
        words=replace(recall, meaning=None),
        tally=_tally(database),
        meaning=_shown(parts, database, settings.current, stamp, aside),
        agents=AgentServices(agents.reader, agents.roster, agents.seen.note),
        dispatch=_dispatch(paths, needs),
        pauses=Pauses(database, system_clock, new_id, datetime.astimezone),
        retention=build_retention(database, paths.database, settings.current, system_clock),
        later=aside.take,
        settled=needs.settled,
        claims=Claims(monotonic_s),
        project_key=_project_key,
        sign_in=SignIn(install, system_clock, monotonic_s),
        limiter=RateLimiter(monotonic_s),
        streams=Streams(bus, stopping),
        meter=Meter(paths.workspace, monotonic_s),
        settings=settings.current,
        setting_problems=settings.problems,
    )
    return Parts(
        make_app(services), services, settings, database, stopping, later, aside, parts, use, agents
    )


def _tally(database: Database) -> Tally:
    tally = Tally(monotonic_s)
    database.watch("memories", tally.touched)
    return tally


def _retention(settings: LiveSettings) -> timedelta:
    return timedelta(days=settings.current().memory.tombstone_days)


def _running(paths: Paths, install: Install, port: int, stopping: asyncio.Event) -> Running:
    return Running(
        paths=paths,
        install=install,
        port=port,
        pid=os.getpid(),
        version=__version__,
        started_at=system_clock(),
        stop=stopping.set,
        stopping=stopping,
        ui=built("ui"),
    )


def _dispatch(paths: Paths, needs: Needs) -> Dispatch:
    return Dispatch(
        harnesses=harnesses(),
        starts=Starts(needs),
        prompts=Prompts(needs),
        ends=Ends(needs),
        roots=lambda one: one.transcript_roots(
            Path.home(), os.environ, connected_folders(one.name, paths)
        ),
        spool=paths.spool,
        log=get_logger("harness"),
    )


def _shown(
    parts: MeaningParts,
    database: Database,
    settings: Callable[[], Settings],
    stamp: Stamp,
    later: Later,
) -> MeaningServices:
    vectors = parts.meaning.vectors
    provider = ProviderCheck(
        embed=parts.embed, stamp=stamp, monotonic_s=monotonic_s, later=later.take
    )
    health = HealthChecks(
        db=database,
        embed=parts.embed,
        sets=parts.sets,
        provider=provider,
        stamp=stamp,
        monotonic_s=monotonic_s,
    )
    return MeaningServices(
        embed=parts.embed,
        vectors=vectors,
        similar=Similar(database, vectors),
        sets=parts.sets,
        tracker=parts.tracker,
        pace=parts.worker.pace,
        provider=provider,
        health=health,
        export=Export(database),
        repairs=Repairs(
            db=database,
            stamp=stamp,
            gate=Gate(lambda: settings().repair, monotonic_s),
            tracker=parts.tracker,
            upkeep=parts.upkeep,
            recheck=parts.recheck,
            done=health.forget,
        ),
        recheck=parts.recheck,
    )


async def _project_key(project: str | None) -> str | None:
    if not project:
        return None
    found = await asyncio.to_thread(resolve_project, project)
    return found.key if found else None
