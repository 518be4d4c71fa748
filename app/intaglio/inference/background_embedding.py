"""Embeds stored texts in the background: by jobs that are tried again if the model fails."""

from collections.abc import Sequence
from typing import Final

from intaglio.inference.onnx import OnnxEmbedder
from intaglio.inference.ports import MemoryVector, NotEmbedded, TextInContext

_TIMEOUT_S: Final = 60.0


class NotEmbeddedError(RuntimeError):
    """The model failed; the job is tried again."""


async def embed_stored(
    embedder: OnnxEmbedder, texts: Sequence[str]
) -> Sequence[MemoryVector] | None:
    """Return the vectors of texts that stand alone; None if the model can never make them.

    Raises NotEmbeddedError if it may later.
    """
    alone = [TextInContext(text) for text in texts]
    made = await embedder.embed_memories(alone, timeout_s=_TIMEOUT_S) if alone else ()
    if not isinstance(made, NotEmbedded):
        return made
    if made.is_permanent:
        return None
    raise NotEmbeddedError(made.detail)
