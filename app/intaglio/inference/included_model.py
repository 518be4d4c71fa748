"""Sentence vectors by the included model, whatever provider is configured."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from intaglio.base.log import get_logger
from intaglio.inference.onnx import OnnxEmbedder
from intaglio.inference.ports import Embedded, Embedder, NotEmbedded, Vector

# Includes loading the model on a busy machine; nobody waits for it.
_WITHIN_S: Final = 30.0


@dataclass(slots=True)
class IncludedModel:
    """The included model for what was trained with it; loaded only when it is used.

    The configured embedder serves if it is the included model. Otherwise there is a second one,
    which is unloaded when idle. Belongs to one event loop.
    """

    configured: Callable[[], Embedder]
    folder: Path
    idle_s: Callable[[], float]
    _own: OnnxEmbedder | None = None

    async def clause_vectors(
        self, texts: Sequence[str], encoder_sum: str
    ) -> tuple[Vector, ...] | None:
        """Return the vectors that clauses are judged by, if the model's file has this SHA-256.

        Each begins with the text's sentence vector. None if the model can't be used, or is too
        slow.
        """
        embedder = self.embedder()
        if embedder.file_sum != encoder_sum:
            return None
        return await self._vectors(embedder.embed_clauses(texts, timeout_s=_WITHIN_S))

    async def sentence_vectors(self, texts: Sequence[str]) -> tuple[Vector, ...] | None:
        """Return the unit vectors of texts; None if the model can't be used, or is too slow."""
        return await self._vectors(self.embedder().embed(texts, timeout_s=_WITHIN_S))

    async def close(self) -> None:
        """Close the second embedder, if there is one."""
        if self._own is not None:
            await self._own.close()

    def embedder(self) -> OnnxEmbedder:
        """Return the embedder that has the included model; it belongs to its owner."""
        configured = self.configured()
        if isinstance(configured, OnnxEmbedder):
            return configured
        if self._own is None:
            self._own = OnnxEmbedder(self.folder, idle_s=self.idle_s())
        return self._own

    @staticmethod
    async def _vectors(
        embedding: Awaitable[Embedded | NotEmbedded],
    ) -> tuple[Vector, ...] | None:
        outcome = await embedding
        if isinstance(outcome, Embedded):
            return outcome.vectors
        get_logger("inference").info("judging without vectors", reason=outcome.detail)
        return None
