"""Semantic search put together: the model, the index of vectors, and what keeps both going."""

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
from intaglio.base.settings.schema import EmbeddingSettings, Settings
from intaglio.embedding.index_sync import IndexSync
from intaglio.embedding.runner import EmbeddingRunner, identity_of
from intaglio.embedding.tracker import EmbeddingTracker
from intaglio.embedding.values import VectorSetIdentity
from intaglio.embedding.vector_sets import VectorSets
from intaglio.inference.cache import QueryVectors
from intaglio.inference.guarded_embedder import guarded_embed
from intaglio.inference.malloc_tuning import bound_arenas
from intaglio.inference.onnx import OnnxEmbedder
from intaglio.inference.ports import Embedder
from intaglio.inference.unavailable import UnavailableEmbedder
from intaglio.memory.operations import ChangeContext
from intaglio.store.database import Database
from intaglio.store.vectors.index import VectorIndex

_REMOTE: Final = ("ollama", "openai")
_LOADED_WITHIN_S: Final = 60.0


def is_configured(settings: Settings) -> bool:
    """Tell whether the settings want any model."""
    return settings.embedding.provider != "none"


@dataclass(slots=True, kw_only=True)
class SemanticSearch:
    """What embeds, what is searched, and the loops that keep both going.

    They are there whatever the settings say: a model that is switched off, refused or changed is
    exchanged in its place.
    """

    settings: Callable[[], EmbeddingSettings]
    model: Path
    questions: QueryVectors
    vectors: VectorIndex
    embed: EmbeddingRunner
    sets: VectorSets
    tracker: EmbeddingTracker
    index_sync: IndexSync
    _made_of: EmbeddingSettings
    _changing: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def begin(self) -> None:
        """Take up what is stored, at the start and when another database is in place.

        Raises UnavailableError while the database cannot be written.
        """
        async with self._changing:
            await self._begin()

    async def _begin(self) -> None:
        await self.embed.begin()
        await self.sets.begin()
        self.tracker.wake()

    async def renew(self) -> None:
        """Take another model when the settings name one by now."""
        async with self._changing:
            if self.settings() != self._made_of:
                await self._exchange()

    async def recheck(self) -> None:
        """Look anew at a model that failed: its files or its server may be mended."""
        async with self._changing:
            if self.embed.embedder.state.phase in ("damaged", "failing") or self.embed.rest_s > 0:
                await self._exchange()

    async def _exchange(self) -> None:
        self._made_of = self.settings()
        self.embed.replace_embedder(make_embedder(self._made_of, self.model))
        await self._begin()

    async def run(self, bus: EventBus) -> None:
        """Give every memory a vector while a model is wanted, and again after a restore.

        When the settings want none any more, the model is let go before this ends.
        """
        with bus.listen() as events:
            await self._take_up()
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(self.index_sync.run())
                    group.create_task(self.tracker.run())
                    while True:
                        match await events.get():
                            case StateChanged("ready"):
                                await self._take_up()
                            case SettingsChanged():
                                await self._follow_settings()
                            case _:
                                pass
            finally:
                if self.settings().provider == "none":
                    # Whole, even where this was cancelled amid the exchange.
                    await self._take_up()

    async def _take_up(self) -> None:
        try:
            if self.settings() != self._made_of:
                await self.renew()
            else:
                await self.begin()
        except UnavailableError as error:
            # A database that can only be read is searched; when it is well again, it is said.
            get_logger("embedding").warning("embedding waits", reason=error.detail)

    async def _follow_settings(self) -> None:
        try:
            await self.renew()
        except UnavailableError as error:
            # What is left to do is done when the database is well again.
            get_logger("embedding").warning("the change of the model waits", reason=error.detail)

    async def close(self) -> None:
        """Let go of the models."""
        await self.sets.close()

    async def warm(self) -> None:
        """Load what the next question needs: a session began, so questions will come.

        At rest neither the model nor the mirror is in memory; where no memory has a vector,
        nothing needs them.
        """
        if self.vectors.model is None:
            return
        self.vectors.need()
        if self.embed.embedder.state.phase == "idle":
            await guarded_embed(self.embed.embedder, [""], timeout_s=_LOADED_WITHIN_S)


def build_semantic_search(
    settings: Callable[[], Settings], model: Path, database: Database, context: ChangeContext
) -> SemanticSearch:
    """Build the parts before the database is opened."""
    # Numpy, which is loaded later, would share each small product among all cores: twice the CPU
    # for no wall time.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    bound_arenas()

    def wanted() -> EmbeddingSettings:
        return settings().embedding

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
        batch=lambda: settings().queue.batch,
    )
    index_sync = IndexSync(database, vectors)
    sets = VectorSets(
        db=database,
        embed=embed,
        vectors=vectors,
        questions=questions,
        former=lambda identity: _former(identity, wanted(), model),
        changed=index_sync.wake,
    )
    tracker = EmbeddingTracker(
        db=database, embed=embed, sets=sets, context=context, settings=lambda: settings().queue
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
        _made_of=made_of,
    )


def make_embedder(settings: EmbeddingSettings, model: Path) -> Embedder:
    """Make the embedder that the settings name, or what says why there is none."""
    match settings.provider:
        case "none":
            return UnavailableEmbedder("none", "", "embedding is switched off")
        case "onnx" | "native":
            return OnnxEmbedder(model, idle_s=settings.idle_minutes * 60)
        case _:
            return _remote(settings)


def _former(
    identity: VectorSetIdentity, settings: EmbeddingSettings, model: Path
) -> Embedder | None:
    """Make the embedder of a model that was wanted before, as far as what is known of it serves."""
    if identity.provider == "onnx":
        built_in = OnnxEmbedder(model, idle_s=settings.idle_minutes * 60)
        return built_in if identity_of(built_in) == identity else None
    if identity.provider != settings.provider or identity.provider not in _REMOTE:
        # Where that server was is not known any more.
        return None
    return _remote(replace(settings, model=identity.model, dimensions=identity.dimensions))


def _remote(settings: EmbeddingSettings) -> Embedder:
    # httpx is only loaded where a model server is configured.
    from intaglio.inference.model_server import ModelServer  # noqa: PLC0415 - see above
    from intaglio.inference.ollama import OllamaEmbedder  # noqa: PLC0415 - see above
    from intaglio.inference.openai_compatible import OpenAiCompatibleEmbedder  # noqa: PLC0415 - see above

    make: Callable[[ModelServer], Embedder]
    make = OllamaEmbedder if settings.provider == "ollama" else OpenAiCompatibleEmbedder
    try:
        server = ModelServer(
            settings.base_url, settings.model, settings.dimensions, settings.api_key
        )
    except InvalidInputError as error:
        get_logger("embedding").error("embedding.base_url is refused", reason=error.detail)
        return UnavailableEmbedder(
            settings.provider, settings.model, f"embedding.base_url is refused: {error.detail}"
        )
    return make(server)
