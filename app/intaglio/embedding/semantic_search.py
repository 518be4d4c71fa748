"""Composes semantic search: the model, the vector index, and the loops that run both."""

import asyncio
import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from intaglio.base.bus import EventBus
from intaglio.base.clock import monotonic_s
from intaglio.base.errors import InvalidInputError, UnavailableError
from intaglio.base.events import SettingsChanged, StateChanged
from intaglio.base.log import get_logger
from intaglio.base.metrics.measured import EmbeddingCall
from intaglio.base.settings.values import Settings
from intaglio.embedding.index_sync import IndexSync
from intaglio.embedding.runner import EmbeddingRunner, identity_of
from intaglio.embedding.settings import EmbeddingSettings, TrackerSettings
from intaglio.embedding.tracker import EmbeddingTracker
from intaglio.embedding.values import VectorSetIdentity
from intaglio.embedding.vector_sets import VectorSets
from intaglio.inference.cache import QueryVectors
from intaglio.inference.guarded_embedder import guarded_embed
from intaglio.inference.included_model import IncludedModel
from intaglio.inference.malloc_tuning import bound_arenas
from intaglio.inference.onnx import FormerOnnxEmbedder, OnnxEmbedder
from intaglio.inference.ports import Embedder
from intaglio.inference.unavailable import UnavailableEmbedder
from intaglio.memory.operations import ChangeContext
from intaglio.store.database import Database
from intaglio.store.vectors.index import VectorIndex

_REMOTE: Final = ("ollama", "openai")
_LOADED_WITHIN_S: Final = 60.0


def is_configured(settings: Settings) -> bool:
    """Check whether the settings name a model."""
    return settings.of(EmbeddingSettings).provider != "none"


@dataclass(slots=True, kw_only=True)
class SemanticSearch:
    """The embedding runner, the vector index, and the loops that run both.

    ``included`` is the included model, whichever one is configured. The others always exist: if the
    model is switched off, rejected or changed, it is replaced in place.
    """

    settings: Callable[[], EmbeddingSettings]
    model: Path
    questions: QueryVectors
    vectors: VectorIndex
    embed: EmbeddingRunner
    sets: VectorSets
    tracker: EmbeddingTracker
    index_sync: IndexSync
    included: IncludedModel
    _made_of: EmbeddingSettings
    _changing: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def begin(self) -> None:
        """Load the stored state, at the start and after a restore.

        Raises UnavailableError if the database can't be written.
        """
        async with self._changing:
            await self._begin()

    async def _begin(self) -> None:
        await self.embed.begin()
        await self.sets.begin()
        self.tracker.wake()

    async def apply_settings(self) -> None:
        """Replace the model if the settings name another one."""
        async with self._changing:
            if self.settings() != self._made_of:
                await self._replace_model()

    async def recheck(self) -> None:
        """Try a failed model again: its files or its server may have been fixed."""
        async with self._changing:
            if self.embed.embedder.state.phase in ("damaged", "failing") or self.embed.rest_s > 0:
                await self._replace_model()

    async def _replace_model(self) -> None:
        self._made_of = self.settings()
        self.embed.replace_embedder(make_embedder(self._made_of, self.model))
        await self._begin()

    async def run(self, bus: EventBus) -> None:
        """Embed all memories while a model is configured, and again after a restore.

        If the settings no longer name a model, it is released before this returns.
        """
        with bus.listen() as events:
            await self._resume()
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(self.index_sync.run())
                    group.create_task(self.tracker.run())
                    while True:
                        match await events.get():
                            case StateChanged("ready"):
                                await self._resume()
                            case SettingsChanged():
                                await self._follow_settings()
                            case _:
                                pass
            finally:
                if self.settings().provider == "none":
                    # Shielded, so that a cancellation can't interrupt the replacement.
                    await self._resume()

    async def _resume(self) -> None:
        try:
            if self.settings() != self._made_of:
                await self.apply_settings()
            else:
                await self.begin()
        except UnavailableError as error:
            # A read-only database is searched; when it recovers, a state change is published.
            get_logger("embedding").warning("embedding paused", reason=error.detail)

    async def _follow_settings(self) -> None:
        try:
            await self.apply_settings()
        except UnavailableError as error:
            # The rest is done when the database recovers.
            get_logger("embedding").warning(
                "changing the model failed; retrying later", reason=error.detail
            )

    async def close(self) -> None:
        """Close the models."""
        await self.included.close()
        await self.sets.close()

    async def preload(self) -> None:
        """Preload what the next question needs, because a session started.

        When idle, neither the model nor the binary index is in memory; if no memory has a vector,
        neither is needed.
        """
        if self.vectors.model is None:
            return
        self.vectors.request_build()
        if self.embed.embedder.state.phase == "idle":
            await guarded_embed(self.embed.embedder, [""], timeout_s=_LOADED_WITHIN_S)


def build_semantic_search(
    settings: Callable[[], Settings],
    model: Path,
    database: Database,
    context: ChangeContext,
    measure: Callable[[EmbeddingCall], None] = lambda _: None,
) -> SemanticSearch:
    """Build the parts before the database is opened; ``measure`` is told of each call."""
    # Numpy, which is loaded later, would spread each small product over all cores: twice the CPU
    # time without finishing sooner.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    bound_arenas()

    def wanted() -> EmbeddingSettings:
        return settings().of(EmbeddingSettings)

    made_of = wanted()
    embedder = make_embedder(made_of, model)
    chance = random.SystemRandom()
    vectors, questions = VectorIndex(chance.randrange), QueryVectors(embedder)
    embed = EmbeddingRunner(
        db=database,
        embedder=embedder,
        context=context,
        random=chance.random,
        monotonic_s=monotonic_s,
        batch=lambda: settings().of(TrackerSettings).batch,
        measure=measure,
    )
    included = IncludedModel(
        configured=lambda: embed.embedder,
        folder=model,
        idle_s=lambda: wanted().idle_minutes * 60,
    )
    index_sync = IndexSync(database, vectors)
    sets = VectorSets(
        db=database,
        embed=embed,
        vectors=vectors,
        questions=questions,
        former=lambda identity: _former(identity, included, wanted()),
        changed=index_sync.wake,
    )
    tracker = EmbeddingTracker(
        db=database,
        embed=embed,
        sets=sets,
        context=context,
        settings=lambda: settings().of(TrackerSettings),
    )
    return SemanticSearch(
        settings=wanted,
        model=model,
        questions=questions,
        vectors=vectors,
        embed=embed,
        sets=sets,
        tracker=tracker,
        index_sync=index_sync,
        included=included,
        _made_of=made_of,
    )


def make_embedder(settings: EmbeddingSettings, model: Path) -> Embedder:
    """Create the embedder that the settings name, or one that reports why there is none."""
    match settings.provider:
        case "none":
            return UnavailableEmbedder("none", "", "embedding is switched off")
        case "onnx":
            return OnnxEmbedder(model, idle_s=settings.idle_minutes * 60)
        case _:
            return _remote(settings)


def _former(
    identity: VectorSetIdentity, included: IncludedModel, settings: EmbeddingSettings
) -> Embedder | None:
    """Create the embedder of a previously used model, as far as its identity allows."""
    if identity.provider == "onnx":
        plain = FormerOnnxEmbedder(included.embedder)
        if identity_of(plain) == identity:
            return plain
        current = OnnxEmbedder(included.folder, idle_s=settings.idle_minutes * 60)
        return current if identity_of(current) == identity else None
    if identity.provider != settings.provider or identity.provider not in _REMOTE:
        # The address of its server is no longer known.
        return None
    return _remote(replace(settings, model=identity.model, dimensions=identity.dimensions))


def _remote(settings: EmbeddingSettings) -> Embedder:
    # httpx is loaded only if a model server is configured.
    from intaglio.inference.remote.model_server import ModelServer  # noqa: PLC0415 - see above
    from intaglio.inference.remote.ollama import OllamaEmbedder  # noqa: PLC0415 - see above
    from intaglio.inference.remote.openai_compatible import OpenAiCompatibleEmbedder  # noqa: PLC0415 - see above

    make: Callable[[ModelServer], Embedder]
    make = OllamaEmbedder if settings.provider == "ollama" else OpenAiCompatibleEmbedder
    try:
        server = ModelServer(
            settings.base_url, settings.model, settings.dimensions, settings.api_key
        )
    except InvalidInputError as error:
        get_logger("embedding").error("embedding.base_url is invalid", reason=error.detail)
        return UnavailableEmbedder(
            settings.provider, settings.model, f"embedding.base_url is invalid: {error.detail}"
        )
    return make(server)
