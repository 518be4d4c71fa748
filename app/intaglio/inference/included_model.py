"""What the included model computes for capture, whatever provider is configured."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from intaglio.base.log import get_logger
from intaglio.domain.statement_pairs import StatementPair
from intaglio.inference.cross_encoder import CrossEncoder
from intaglio.inference.onnx import OnnxEmbedder
from intaglio.inference.ports import Embedded, Embedder, NotEmbedded, Vector

# Includes loading the model on a busy machine; nobody waits for it.
_WITHIN_S: Final = 30.0
# It is read after turns only, and loading it takes less than ten pairs.
_CROSS_ENCODER_IDLE_S: Final = 60.0
# Its files may be put back: the next pair tries again.
_MAY_BE_MENDED: Final = frozenset({"damaged", "unusable"})


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
    _cross_encoder: CrossEncoder | None = None
    _is_closed: bool = False

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

    async def contradictions(self, pairs: Sequence[StatementPair]) -> tuple[float, ...] | None:
        """Return the probability (0 to 1) that the two statements of each pair contradict.

        None if the cross-encoder can't be used, or is too slow.
        """
        if self._is_closed:
            return None
        if self._cross_encoder is None:
            self._cross_encoder = CrossEncoder(
                self.folder, idle_s=min(_CROSS_ENCODER_IDLE_S, self.idle_s())
            )
        reader = self._cross_encoder
        outcome = await reader.contradictions(pairs, timeout_s=_WITHIN_S)
        if not isinstance(outcome, NotEmbedded):
            return outcome
        if outcome.reason in _MAY_BE_MENDED and self._cross_encoder is reader:
            self._cross_encoder = None
            await reader.close()
        get_logger("inference").info("comparing by rules alone", reason=outcome.detail)
        return None

    async def close(self) -> None:
        """Close what it has loaded besides the configured embedder."""
        self._is_closed = True
        for each in (self._own, self._cross_encoder):
            if each is not None:
                await each.close()

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
