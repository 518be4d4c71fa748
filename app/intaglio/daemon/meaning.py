"""Puts the leg of meaning together: the model, its index, and the work in the background."""

import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from intaglio.base.clock import monotonic_s
from intaglio.base.errors import InvalidInputError
from intaglio.base.log import get_logger
from intaglio.base.settings import EmbeddingSettings
from intaglio.inference.cache import QueryVectors
from intaglio.inference.contained import contained
from intaglio.inference.heap import bound_arenas
from intaglio.inference.onnx import OnnxEmbedder
from intaglio.inference.ports import Embedder
from intaglio.memory.verbs import Stamp
from intaglio.pipeline.embed import Embed
from intaglio.pipeline.upkeep import Upkeep
from intaglio.pipeline.worker import Worker
from intaglio.recall.query import Meaning
from intaglio.store.database import Database
from intaglio.store.vectors import Vectors

_LOADED_WITHIN_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class MeaningParts:
    """What embeds, what is searched, and the loops that keep both going."""

    embedder: Embedder
    meaning: Meaning
    embed: Embed
    upkeep: Upkeep
    worker: Worker

    async def warm(self) -> None:
        """Load what the next question needs: a session began, so questions will come.

        At rest neither the model nor the mirror is in memory; where no memory has a vector,
        nothing needs them.
        """
        if self.meaning.vectors.model is None:
            return
        self.meaning.vectors.need()
        if self.embedder.state.phase == "idle":
            await contained(self.embedder, [""], timeout_s=_LOADED_WITHIN_S)


def build_meaning(
    settings: EmbeddingSettings, model: Path, database: Database, stamp: Stamp
) -> MeaningParts | None:
    """Build the parts before the database is opened; None where embedding is switched off."""
    embedder = _embedder(settings, model)
    if embedder is None:
        return None
    # Numpy, which is loaded later, would share each small product among all cores: twice the CPU
    # for no wall time.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    bound_arenas()
    chance = random.SystemRandom()
    vectors = Vectors(chance.randrange)
    embed = Embed(
        db=database,
        embedder=embedder,
        stamp=stamp,
        random=chance.random,
        monotonic_s=monotonic_s,
        on_model=vectors.use,
    )
    return MeaningParts(
        embedder=embedder,
        meaning=Meaning(QueryVectors(embedder), vectors),
        embed=embed,
        upkeep=Upkeep(database, vectors),
        worker=Worker(database, {"embed": embed}, stamp, chance.random),
    )


def _embedder(settings: EmbeddingSettings, model: Path) -> Embedder | None:
    match settings.provider:
        case "none":
            return None
        case "onnx" | "native":
            return OnnxEmbedder(model, idle_s=settings.idle_minutes * 60)
        case "ollama" | "openai":
            return _remote(settings)
        case unknown:
            get_logger("daemon").error("unknown embedding.provider", provider=unknown)
            return None


def _remote(settings: EmbeddingSettings) -> Embedder | None:
    # httpx is only loaded where a model server is configured.
    from intaglio.inference.ollama import OllamaEmbedder  # noqa: PLC0415 - see above
    from intaglio.inference.openai_compatible import OpenAiCompatibleEmbedder  # noqa: PLC0415 - see above
    from intaglio.inference.server import ModelServer  # noqa: PLC0415 - see above

    make: Callable[[ModelServer], Embedder]
    make = OllamaEmbedder if settings.provider == "ollama" else OpenAiCompatibleEmbedder
    try:
        server = ModelServer(
            settings.base_url, settings.model, settings.dimensions, settings.api_key
        )
    except InvalidInputError as error:
        get_logger("daemon").error("embedding.base_url is refused", reason=error.detail)
        return None
    return make(server)
