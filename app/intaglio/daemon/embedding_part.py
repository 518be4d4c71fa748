"""Embedding in the daemon: vectors for memories and questions, their index, health and repair."""

import asyncio

from intaglio.api.routes.similar import SimilarController
from intaglio.api.routes.upkeep.embeddings import EmbeddingsController
from intaglio.api.routes.upkeep.jobs import JobsController
from intaglio.api.routes.upkeep.repair import RepairController
from intaglio.api.services import MeaningServices
from intaglio.base.errors import UnavailableError
from intaglio.base.events import SettingsChanged, StateChanged
from intaglio.base.log import get_logger
from intaglio.daemon.meaning import MeaningParts, build_meaning
from intaglio.kernel import Health, Kernel, Loop, Part
from intaglio.pipeline.vectors.export import Export
from intaglio.pipeline.vectors.health import HealthChecks
from intaglio.pipeline.vectors.provider import ProviderCheck
from intaglio.pipeline.vectors.repair import Gate, Repairs
from intaglio.recall.similar import Similar


def part(kernel: Kernel) -> Part:
    """Wire what embeds; the models are built from the settings and exchanged when these change."""
    parts = build_meaning(
        kernel.settings, kernel.running.paths.model, kernel.database, kernel.stamp
    )

    async def ping() -> Health:
        state = parts.embed.embedder.state
        return Health(state.phase in ("idle", "ready"), state.detail)

    return Part(
        name="embedding",
        services=(parts, parts.meaning, parts.embed, _services(kernel, parts)),
        controllers=(EmbeddingsController, JobsController, RepairController, SimilarController),
        loops=(Loop("embedding", lambda: _embed(kernel, parts)),),
        ping=ping,
        close=parts.close,
    )


def _services(kernel: Kernel, parts: MeaningParts) -> MeaningServices:
    vectors = parts.meaning.vectors
    provider = ProviderCheck(
        embed=parts.embed,
        stamp=kernel.stamp,
        monotonic_s=kernel.monotonic_s,
        later=kernel.background.start,
    )
    health = HealthChecks(
        db=kernel.database,
        embed=parts.embed,
        sets=parts.sets,
        provider=provider,
        stamp=kernel.stamp,
        monotonic_s=kernel.monotonic_s,
    )
    return MeaningServices(
        embed=parts.embed,
        vectors=vectors,
        similar=Similar(kernel.database, vectors),
        sets=parts.sets,
        tracker=parts.tracker,
        pace=parts.worker.pace,
        provider=provider,
        health=health,
        export=Export(kernel.database),
        repairs=Repairs(
            db=kernel.database,
            stamp=kernel.stamp,
            gate=Gate(lambda: kernel.settings().repair, kernel.monotonic_s),
            tracker=parts.tracker,
            upkeep=parts.upkeep,
            recheck=parts.recheck,
            done=health.forget,
        ),
        recheck=parts.recheck,
    )


async def _embed(kernel: Kernel, parts: MeaningParts) -> None:
    """Give every memory a vector, and again after the database was replaced by a backup."""
    with kernel.bus.listen() as events:
        await _begin(parts)
        async with asyncio.TaskGroup() as group:
            group.create_task(parts.upkeep.run())
            group.create_task(parts.worker.run())
            group.create_task(parts.tracker.run())
            while True:
                match await events.get():
                    case StateChanged("ready"):
                        await _begin(parts)
                    case SettingsChanged():
                        await _renew(parts)
                    case _:
                        pass


async def _renew(parts: MeaningParts) -> None:
    try:
        await parts.renew()
    except UnavailableError as error:
        # What is left to do is done when the database is well again.
        get_logger("daemon").warning("the change of the model waits", reason=error.detail)


async def _begin(parts: MeaningParts) -> None:
    try:
        await parts.begin()
    except UnavailableError as error:
        # A database that can only be read is searched; when it is well again, it is said.
        get_logger("daemon").warning("embedding waits", reason=error.detail)
